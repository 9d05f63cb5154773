"""`import damas` is light and clean: the standard library and damas, nothing else."""

import json
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

import damas
from damas import environments, game, notation

ROOT = Path(__file__).resolve().parents[2]


def loaded_by(statement: str) -> set[str]:
    """Top-level modules that a statement brings into a fresh interpreter."""
    program = (
        "import sys, json; before = set(sys.modules)\n"
        f"{statement}\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in set(sys.modules) - before})))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    return set(json.loads(ran.stdout))


def test_import_loads_the_standard_library_and_damas_only() -> None:
    assert loaded_by("import damas") <= {"damas", *sys.stdlib_module_names}


def test_import_leaves_what_only_some_need() -> None:
    dear = {"argparse", "asyncio", "email", "http", "socket", "sqlite3", "subprocess", "unittest", "xml"}
    assert not loaded_by("import damas") & dear


def test_no_module_takes_the_place_of_a_public_name() -> None:
    """Importing a module makes it an attribute of its package; none may be called as something else is."""
    for module in walk_packages(damas.__path__, "damas."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    modules = [name for name in damas.__all__ if isinstance(getattr(damas, name), ModuleType)]
    assert modules == []


def test_every_public_name_is_listed_before_it_is_used() -> None:
    """A shell completes what `dir` lists; some names are loaded only when they are used."""
    listing = "import sys, damas; print(*dir(damas)); assert 'damas.game.game' not in sys.modules"
    ran = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)
    listed = set(ran.stdout.split())
    assert {*damas.__all__, "client", "engine", "notation", "openings", "tablebase"} <= listed
    assert "TYPE_CHECKING" not in listed
    assert set(game.__all__) <= set(dir(game)) and set(environments.__all__) <= set(dir(environments))


def test_every_room_of_the_reference_is_there_after_import_damas() -> None:
    """As in `damas.notation.read_game`; what nobody asks for is not loaded."""
    pages = (ROOT / "docs/reference/api").glob("damas.*.md")
    rooms = sorted({page.name.split(".")[1] for page in pages} - {"md"})
    assert len(rooms) > 10
    code = f"import damas\nfor name in {rooms}: assert getattr(damas, name).__name__ == 'damas.' + name"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_name_of_notation_is_on_its_page() -> None:
    page = (ROOT / "docs/reference/notation.md").read_text(encoding="utf-8")
    missing = [name for name in notation.__all__ if not re.search(rf"\b{name}\b", page)]
    assert missing == []


def test_the_version_is_one() -> None:
    assert version("damas") == damas.__version__
    newest = re.search(
        r"^## \[?(\d[^\] ]*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert newest is not None
    assert newest[1] == damas.__version__
    assert f"\nversion: {damas.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_there_is_no_runtime_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["dependencies"] == []
