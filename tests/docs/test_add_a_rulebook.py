"""docs/how-to/add-a-rulebook.md, followed to the letter in a copy of the tree.

Every file of the page is written and every command run, in their order; then the new rulebook is played in the library and
in the web app. Nothing is compiled: the core plays a rulebook that it does not know by its general generator.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from damas import _core

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/how-to/add-a-rulebook.md").read_text(encoding="utf-8")
STEP = re.compile(
    r"^\*\*(?P<appends>At the end of )?`(?P<path>[^`]+)`\*\*\n\n```\w+\n(?P<text>.*?)^```$"
    r"|^```sh\n(?P<commands>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
COPIED = ("src", "tests", "tools", "docs", "README.md", "README.pt.md", "pyproject.toml", "conftest.py")


class Tree:
    """A copy of the working tree, with the core that is built here."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.pyc.*"))
            else:
                shutil.copy(ROOT / name, folder / name)
        built = Path(str(_core.__file__))
        (folder / "src/damas" / built.name).symlink_to(built)
        # -S: without it the editable package of this environment would come before the copy.
        self.python = [sys.executable, "-S"]
        path = [
            str(folder / "src"),
            *dict.fromkeys([sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]),
        ]
        self.env = os.environ | {"PYTHONPATH": os.pathsep.join(path), "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}

    def run(self, command: str) -> str:
        """What a command of the page prints; fails where the command does."""
        program, *arguments = shlex.split(command)
        words = {
            "damas": ["-m", "damas"],
            ".venv/bin/python": [],
            ".venv/bin/pytest": ["-m", "pytest", "-p", "no:cacheprovider", "-q"],
        }[program]
        ran = subprocess.run(
            [*self.python, *words, *arguments],
            cwd=self.folder,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
        )
        expected = 1 if arguments[0] == "explain" else 0  # it explains a move that is not legal
        assert ran.returncode == expected, f"{command}\n{ran.stdout[-4000:]}{ran.stderr[-4000:]}"
        return ran.stdout


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tree, dict[str, str]]:
    """The tree after every step of the page, and what each command printed."""
    tree, printed = Tree(tmp_path_factory.mktemp("tree")), {}
    for step in STEP.finditer(PAGE):
        if step["path"]:
            path = tree.folder / step["path"]
            path.parent.mkdir(exist_ok=True)
            assert path.exists() == bool(step["appends"])
            with path.open("a", encoding="utf-8") as file:
                file.write(step["text"])
        else:
            for command in step["commands"].splitlines():
                printed[command] = tree.run(command)
    return tree, printed


def test_every_block_of_the_page_is_a_step() -> None:
    assert len(STEP.findall(PAGE)) == PAGE.count("```") // 2 == 7


def test_the_commands_print_the_new_rulebook(followed: tuple[Tree, dict[str, str]]) -> None:
    _, printed = followed
    assert "Rule 3" in printed["damas rules quintal"]
    assert "c3-d4" in printed["damas moves -r quintal"]
    (explained,) = (text for command, text in printed.items() if command.startswith("damas explain"))
    assert "quintal, Rule 3" in explained
    (tested,) = (text for command, text in printed.items() if "pytest" in command)
    assert int(re.search(r"(\d+) passed", tested)[1]) >= 50  # type: ignore[index]
    assert "skipped" not in tested


def test_only_the_files_of_the_page_have_changed(followed: tuple[Tree, dict[str, str]]) -> None:
    tree, _ = followed
    changed = {
        str(path.relative_to(tree.folder))
        for name in COPIED
        for path in [tree.folder / name, *(tree.folder / name).rglob("*")]
        if path.is_file() and not path.is_symlink() and "__pycache__" not in path.parts
        if not (old := ROOT / path.relative_to(tree.folder)).exists() or old.read_bytes() != path.read_bytes()
    }
    assert changed == {
        *(f"src/damas/rulebooks/quintal/{name}.toml" for name in ("about", "articles", "cases", "rules")),
        *("tests/oracle/books.py", "tests/perft/quintal.perft", "tests/playthroughs/quintal.txt"),
        *(
            "tests/differential/competing.txt",
            "tests/differential/games.txt",
            "tests/playthroughs/games.json",
        ),
        *("docs/reference/rulebooks.md", "README.md", "README.pt.md"),
    }


def test_it_is_played_in_the_library(followed: tuple[Tree, dict[str, str]]) -> None:
    tree, _ = followed
    program = tree.folder / "play.py"
    program.write_text(LIBRARY, encoding="utf-8")
    assert tree.run(".venv/bin/python play.py").split() == ["quintal", "False", "1-0", "NO_PIECES"]


LIBRARY = """
import damas

assert "quintal" in [book.id for book in damas.rulebooks()]
game = damas.Game.start("backyard", fen="W:Wc3:Bb4,d4,f6")
assert damas.refusal(game.position, "c3xa5").citation.id == "Q3"
game = game.play("c3xe5xg7").play("b4-a3").play("g7-h8")
game = damas.Game.start("quintal", fen="W:Wc3:Bd4").play("c3xe5")
print(game.record.rulebook.id, game.position.rules.compiled, game.outcome.result, game.outcome.reason)
"""


def test_it_is_played_in_the_web_app(followed: tuple[Tree, dict[str, str]]) -> None:
    tree, _ = followed
    program = tree.folder / "visit.py"
    program.write_text(WEB, encoding="utf-8")
    assert tree.run(".venv/bin/python visit.py").strip() == "played"


WEB = """
import asyncio
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, "tests")

from damas.server.settings import Settings
from server.rooms.clients import serving


async def visit():
    with tempfile.TemporaryDirectory() as data:
        async with serving(Settings(data=Path(data), port=0)) as server:
            person = await server.person()
            listed = (await person.http.get("/api/rulebooks?lang=en")).json()["rulebooks"]
            assert listed[-1]["name"] == "Backyard", listed[-1]
            page = await person.http.get("/rules/quintal", headers={"Accept": "text/html"})
            assert page.status_code == 200 and 'id="Q3"' in page.text
            examples = (await person.http.get("/api/examples/quintal")).json()
            assert {example["article"] for example in examples} == {"Q1", "Q2", "Q3", "Q4", "Q5", "B.Q-1"}
            board = await person.sit(await person.create("quintal", "level", level=1, colour="white"))
            for _ in range(3):
                await board.turn("white")
                assert (await board.move(board.view["legal"][0]["text"]))["t"] == "ack"
                await board.next("event")
            await board.turn("white")
            assert board.view["ply"] == 6
    print("played")


asyncio.run(visit())
"""
