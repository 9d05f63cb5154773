"""What the pages show is what the commands print; what is generated is not stale; links lead somewhere."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PORTUGUESE = {"README.pt.md", "regras-da-casa.md"}
FENCE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def shown_commands() -> Iterator[tuple[str, str, str]]:
    """Page, command and what the page says it prints (`...` stands for anything)."""
    for page in PAGES:
        for block in FENCE.findall(page.read_text(encoding="utf-8")):
            for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = example.partition("\n")
                yield page.name, command, output


@pytest.mark.parametrize(("page", "command", "shown"), list(shown_commands()))
def test_a_command_prints_what_the_page_shows(page: str, command: str, shown: str) -> None:
    program, *words = shlex.split(command)
    assert program == "damas"
    language = "pt_BR.UTF-8" if page in PORTUGUESE else "en_US.UTF-8"
    env = os.environ | {"LC_ALL": language, "PYTHONUTF8": "1", "COLUMNS": "80"}
    ran = subprocess.run(
        [sys.executable, "-m", "damas", *words],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    printed = ran.stdout + ran.stderr
    assert OutputChecker().check_output(shown, printed, ELLIPSIS), f"{command} prints:\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize(
    "tool",
    [
        "rulebook_tables.py",
        "fidelity_table.py",
        "error_table.py",
        "js_types.py",
        "core_module.py",
        "rooms_picture.py",
        "api_pages.py",
    ],
)
def test_generated_pages_are_not_stale(tool: str) -> None:
    ran = subprocess.run(
        [sys.executable, ROOT / "tools" / tool, "--check"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("page", ["README.md", "README.pt.md"])
def test_the_readme_names_every_command(page: str) -> None:
    from damas.cli import COMMANDS

    text = (ROOT / page).read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"`damas {name}" not in text] == []


def test_both_readmes_show_the_same_examples() -> None:
    def words(page: str) -> list[str]:
        return [command.partition("--lang")[0] for name, command, _ in shown_commands() if name == page]

    assert words("README.md") == words("README.pt.md") != []
