"""The package as strangers get it: an sdist, the wheel built from it alone, and that wheel in a clean environment."""

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS_OF_NO_USER = ("tests/", "docs/", "tools/", "cpp/", "training/")

pytestmark = pytest.mark.slow


def run(*command: str | Path, folder: Path) -> str:
    """What a command prints, without the environment of this test run; shows everything if it fails."""
    strange = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYTEST_CURRENT_TEST"}
    env = {key: value for key, value in os.environ.items() if key not in strange} | {"PYTHONUTF8": "1"}
    ran = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert ran.returncode == 0, f"{command} failed:\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sdist")
    ask = f"from scikit_build_core import build; print(build.build_sdist({str(out)!r}))"
    run(sys.executable, "-c", ask, folder=ROOT)
    (made,) = out.glob("damas-*.tar.gz")
    return made


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the sdist in an isolated environment, so that nothing of this tree or of .venv can help.

    Only how hard the compiler works on the generators differs from a release, and that it does so once.
    """
    out = tmp_path_factory.mktemp("wheel")
    less = {"DAMAS_OPTIMIZE": "-O0", "DAMAS_BOTH": "OFF", "DAMAS_SEARCHED": "brasileira"}
    quick = [f"--config-settings=cmake.define.{name}={value}" for name, value in less.items()]
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", *quick, "--wheel-dir", out, sdist, folder=out)
    (made,) = out.glob("damas-*.whl")
    return made


@pytest.fixture(scope="module")
def clean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment that has damas, and nothing of this tree."""
    home = tmp_path_factory.mktemp("clean")
    venv.create(home, with_pip=False)
    # The pip of the outer environment installs: the clean one needs none.
    python = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-deps", wheel]
    run(*pip, folder=home)
    return home / "bin"


def test_the_sdist_has_all_that_a_build_needs_and_the_tests(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = {
        "CMakeLists.txt",
        "LICENSE",
        "README.md",
        "pyproject.toml",
        "cpp/bindings/core.cpp",
        "cpp/include/damas/movegen.hpp",
        "src/damas/_core.pyi",
        "src/damas/language/catalogue.toml",
        "src/damas/rulebooks/faraes/articles.toml",
        "src/damas/rulebooks/faraes/rules.toml",
        "tests/packaging/test_wheel.py",
        "tools/compile_rulesets.py",
    }
    assert needed <= names
    assert not [
        name for name in names if name.endswith((".so", ".pyc")) or name.startswith((".venv", "build/"))
    ]


def test_the_wheel_has_texts_types_and_core_and_no_sources(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = next(archive.read(name).decode() for name in names if name.endswith(".dist-info/METADATA"))
    package = ROOT / "src" / "damas"
    data = {
        path.relative_to(package.parent).as_posix()
        for path in package.rglob("*")
        if path.is_file() and path.suffix != ".pyc" and "__pycache__" not in path.parts
    }
    assert data <= names
    assert (
        len([name for name in names if name.startswith("damas/rulebooks/") and name.endswith(".toml")]) >= 30
    )
    assert {"damas/language/catalogue.toml", "damas/py.typed", "damas/_core.pyi"} <= names
    assert len([name for name in names if name.startswith("damas/_core.") and name.endswith(".so")]) == 1
    assert not [name for name in names if name.endswith((".cpp", ".hpp", ".inl", ".o", ".a", ".pyc"))]
    assert not [name for name in names if name.startswith(FOLDERS_OF_NO_USER)]
    required = [line for line in metadata.splitlines() if line.startswith("Requires-Dist:")]
    assert [line for line in required if "extra == " not in line] == [], "the library alone needs nothing"
    assert any('extra == "web"' in line for line in required)
    assert "License-Expression: MIT" in metadata


def test_the_wheel_works_where_the_tree_is_not(clean: Path, tmp_path: Path) -> None:
    where = run(clean / "python", "-c", "import damas; print(damas.__file__)", folder=tmp_path)
    assert Path(where.strip()).is_relative_to(clean.parent)
    count = "import damas; print(damas.Position.start('internacional').perft(5))"
    assert run(clean / "python", "-c", count, folder=tmp_path).strip() == "27117"


def test_the_command_of_the_wheel_works(clean: Path, tmp_path: Path) -> None:
    listed = run(clean / "damas", "rules", folder=tmp_path)
    assert "brasileira" in listed
    assert "portuguesa" in listed
    assert "damas" in run(clean / "python", "-m", "damas", "--help", folder=tmp_path)


def test_the_web_app_says_what_it_needs_where_the_library_was_installed_alone(clean: Path) -> None:
    told = subprocess.run(
        [clean / "damas", "serve", "--lang", "en"], capture_output=True, text=True, check=False
    )
    assert told.returncode == 2
    assert 'pip install "damas[web]"' in told.stderr


def test_the_wheel_is_as_typed_as_the_tree(clean: Path, tmp_path: Path) -> None:
    """A stranger's strict type checker reads our types, not Any."""
    program = tmp_path / "program.py"
    program.write_text(
        "import damas\n"
        "position = damas.Position.start('faraes')\n"
        "reveal_type(position.legal_moves[0])\n"
        "reveal_type(position.play('c3-d4'))\n",
        encoding="utf-8",
    )
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", clean / "python", "program.py"]
    told = run(*mypy, folder=tmp_path)
    assert 'Revealed type is "damas._core.Move"' in told
    assert 'Revealed type is "damas.game.position.Position"' in told
