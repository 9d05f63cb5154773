"""Prepare a checkout for publishing: `registry_page.py REPOSITORY REF`, run by the workflows before they build.

A registry shows README.md without the files that it links to. Relative links become those of the repository at a tag or
commit, pictures those of the files themselves, and pyproject.toml gets the addresses that the page shows beside the text.
Only here are they known: the sources name no host. Rewrites README.md and pyproject.toml in place.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)")
"""A link or a picture whose target is a file of the repository."""


def absolute(text: str, repository: str, ref: str) -> str:
    """Return Markdown with every relative link made absolute.

    >>> absolute("[a](b.md#c) ![d](e.png) [f](https://g)", "https://host/us/damas", "v1")
    '[a](https://host/us/damas/blob/v1/b.md#c) ![d](https://host/us/damas/raw/v1/e.png) [f](https://g)'
    """
    return LINK.sub(
        lambda link: (
            f"{link[1]}[{link[2]}]({repository}/{'raw' if link[1] else 'blob'}/{ref}/{link[3].removeprefix('./')})"
        ),
        text,
    )


def urls(repository: str, ref: str) -> str:
    """Return the table of addresses for pyproject.toml."""
    return (
        "\n[project.urls]\n"
        f'Homepage = "{repository}"\n'
        f'Documentation = "{repository}/tree/{ref}/docs"\n'
        f'Changelog = "{repository}/blob/{ref}/CHANGELOG.md"\n'
        f'Issues = "{repository}/issues"\n'
    )


def main(root: Path, repository: str, ref: str) -> None:
    """Rewrite the two files of a checkout."""
    page, project = root / "README.md", root / "pyproject.toml"
    page.write_text(
        absolute(page.read_text(encoding="utf-8"), repository, ref), encoding="utf-8", newline="\n"
    )
    text = project.read_text(encoding="utf-8")
    if "[project.urls]" in text:
        sys.exit("registry_page: pyproject.toml has its addresses already")
    project.write_text(text + urls(repository, ref), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.partition("\n")[0])
    main(ROOT, sys.argv[1].rstrip("/"), sys.argv[2])
