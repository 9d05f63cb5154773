"""Build the site of the docs in both languages, English at its root and Portuguese under pt: `build_site.py [FOLDER]`.

Run by `make site`, into build/site, and by its test. A warning of MkDocs is an error. Needs no network.
"""

import os
import sys
from pathlib import Path

os.environ["NO_MKDOCS_2_WARNING"] = "1"  # the theme advertises its successor on every run
from mkdocs.commands.build import build
from mkdocs.config import load_config

ROOT = Path(__file__).resolve().parent.parent


def build_site(folder: Path) -> None:
    """Build into a folder, which is emptied first; raises `mkdocs.exceptions.Abort` at a warning."""
    for language, place in (("en", folder), ("pt", folder / "pt")):
        build(load_config(str(ROOT / f"site/{language}.yml"), site_dir=str(place), strict=True))


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/site").resolve()
    build_site(target)
    print(f"damas: open {target}/index.html")
