"""The package as strangers get it: an sdist, the wheel built from it alone, and that wheel in a clean environment.

`make test` packs the wheel without compiling and adds the core of this environment; `make soak` compiles it as well.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import damas
import damas._core

ROOT = Path(__file__).resolve().parents[2]
DEVELOPER_FOLDERS = ("tests/", "docs/", "tools/", "cpp/", "training/")
COMPILED, PACKED = "compiled", "packed"


def run(*command: str | Path, folder: Path) -> str:
    """The output of a command that must succeed, run without the environment variables of this test run."""
    dropped = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYTEST_CURRENT_TEST"}
    env = {key: value for key, value in os.environ.items() if key not in dropped} | {"PYTHONUTF8": "1"}
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
    program = f"from scikit_build_core import build; print(build.build_sdist({str(out)!r}))"
    run(sys.executable, "-c", program, folder=ROOT)
    (archive,) = out.glob("damas-*.tar.gz")
    return archive


@pytest.fixture(scope="module", params=[PACKED, pytest.param(COMPILED, marks=pytest.mark.soak)])
def build_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def wheel(build_kind: str, sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the sdist; compiled, it is built in an isolated environment that has nothing of this tree or of .venv.

    The compiler optimizes less than for a release and compiles one search instead of all.
    """
    out = tmp_path_factory.mktemp("wheel")
    if build_kind == COMPILED:
        defines = {"DAMAS_OPTIMIZE": "-O0", "DAMAS_BOTH": "OFF", "DAMAS_SEARCHED": "brasileira"}
        options = [f"--config-settings=cmake.define.{name}={value}" for name, value in defines.items()]
    else:
        settings = {"wheel.cmake": "false", "wheel.py-api": "py3"}
        options = ["--no-build-isolation", *(f"--config-settings={key}={settings[key]}" for key in settings)]
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", *options, "--wheel-dir", out, sdist, folder=out)
    (archive,) = out.glob("damas-*.whl")
    return archive


@pytest.fixture(scope="module")
def clean(build_kind: str, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of an environment that has damas from the wheel, and nothing of this tree."""
    home = tmp_path_factory.mktemp("clean")
    venv.create(home, with_pip=False)
    # The pip of the outer environment installs: the clean one needs none.
    python = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-deps", wheel]
    run(*pip, folder=home)
    if build_kind == PACKED:
        (package,) = home.glob("lib/python*/site-packages/damas")
        shutil.copy(str(damas._core.__file__), package)
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
        "src/damas/language/sentences/cli/rules.toml",
        "src/damas/rulebooks/faraes/articles.toml",
        "src/damas/rulebooks/faraes/rules.toml",
        "tests/packaging/test_wheel.py",
        "tools/compile_rulesets.py",
    }
    assert needed <= names
    assert not [
        name for name in names if name.endswith((".so", ".pyc")) or name.startswith((".venv", "build/"))
    ]


def test_the_wheel_has_texts_types_and_core_and_no_sources(wheel: Path, build_kind: str) -> None:
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
    assert {"damas/language/sentences/refusal.toml", "damas/py.typed", "damas/_core.pyi"} <= names
    cores = [name for name in names if name.startswith("damas/_core.") and name.endswith(".so")]
    assert len(cores) == (build_kind == COMPILED)
    assert not [name for name in names if name.endswith((".cpp", ".hpp", ".inl", ".o", ".a", ".pyc"))]
    assert not [name for name in names if name.startswith(DEVELOPER_FOLDERS)]
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
    ran = subprocess.run(
        [clean / "damas", "serve", "--lang", "en"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert 'pip install "damas[web]"' in ran.stderr


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
    output = run(*mypy, folder=tmp_path)
    assert 'Revealed type is "damas._core.Move"' in output
    assert 'Revealed type is "damas.game.position.Position"' in output
