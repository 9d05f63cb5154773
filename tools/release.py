"""Build what is published, and install it as strangers do: `release.py [--python PATH ...]`, run by `make release`.

The sdist is made first and every wheel is compiled from it alone: one for each Python whose wheel is not there yet (that
of 3.12 serves all later ones). Then `twine check --strict`, and each Python installs its wheel into a clean environment,
without network or compiler, and runs tools/smoke.py there. `release.py --tag v1.2.3` only checks that a tag is that of
the version and that the changelog has it.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
PYTHONS = tuple(f"python3.{minor}" for minor in range(11, 16))
"""Names under which Pythons are looked for."""


def run(*words: str | Path, folder: Path = ROOT, **env: str) -> None:
    """Run a command that must succeed."""
    print("release:", *words, flush=True)
    dropped = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    kept = {key: value for key, value in os.environ.items() if key not in dropped}
    if (
        code := subprocess.run(list(map(str, words)), cwd=folder, env=kept | env, check=False).returncode
    ) != 0:
        sys.exit(f"release: {words[0]} failed with {code}")


def version() -> str:
    """The version, from its one home."""
    text = (ROOT / "src/damas/__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found
    return found[1]


def tag_problem(tag: str) -> str:
    """Why a tag cannot be released; empty if it can."""
    if tag != f"v{version()}":
        return f"the tag {tag} is not v{version()}, which src/damas/__init__.py has"
    heading = re.compile(rf"^## \[{re.escape(version())}\] – \d{{4}}-\d\d-\d\d$", re.MULTILINE)
    if not heading.search((ROOT / "CHANGELOG.md").read_text(encoding="utf-8")):
        return f"CHANGELOG.md has no heading [{version()}] with a date"
    if f"\nversion: {version()}\n" not in (ROOT / "CITATION.cff").read_text(encoding="utf-8"):
        return f"CITATION.cff has another version than {version()}"
    return ""


def usable(python: str) -> bool:
    """Whether a Python runs here and can make an environment."""
    try:
        probe = subprocess.run([python, "-c", "import ensurepip, venv"], capture_output=True, check=False)
    except OSError:
        return False
    return probe.returncode == 0


def build(pythons: list[str]) -> None:
    """Make the sdist and the wheels in dist/."""
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    program = f"from scikit_build_core import build; build.build_sdist({str(DIST)!r})"
    run(sys.executable, "-c", program)
    (sdist,) = DIST.glob("damas-*.tar.gz")
    with tempfile.TemporaryDirectory() as text:
        for number, python in enumerate(pythons):
            home = Path(text) / str(number)
            run(python, "-m", "venv", home)
            pip = (home / "bin/python", "-m", "pip", "--disable-pip-version-check")
            wheels = ("--no-deps", "--no-index", "--only-binary", ":all:", "--find-links", DIST)
            words = (*pip, "download", *wheels, "--dest", home / "there", "damas")
            found = subprocess.run(list(map(str, words)), capture_output=True, check=False)
            if found.returncode != 0:  # no wheel of dist/ is for this Python
                run(*pip, "wheel", "--no-cache-dir", "--no-deps", "--wheel-dir", DIST, sdist, folder=home)


def install(python: str) -> None:
    """Install the wheel for a Python into a clean environment and try it."""
    with tempfile.TemporaryDirectory() as text:
        home = Path(text)
        run(python, "-m", "venv", home / "env")
        clean = home / "env/bin/python"
        nothing = {"CC": "/nonexistent", "CXX": "/nonexistent", "CMAKE": "/nonexistent"}
        options = ("--no-index", "--only-binary", ":all:", "--find-links", DIST)
        run(
            clean,
            "-m",
            "pip",
            "--disable-pip-version-check",
            "install",
            *options,
            "damas",
            folder=home,
            **nothing,
        )
        smoke = shutil.copy(ROOT / "tools/smoke.py", home)
        run(clean, "-W", "error", smoke, folder=home)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--python", action="append", metavar="PATH", help="instead of those that are found; may be repeated"
    )
    parser.add_argument("--tag", help="only check that this tag can be released")
    options = parser.parse_args()
    if options.tag:
        problem = tag_problem(options.tag)
        if problem:
            print(f"release: {problem}", file=sys.stderr)
        return 1 if problem else 0
    pythons = list(filter(usable, options.python or PYTHONS))
    if not pythons:
        sys.exit(f"release: no usable Python among {', '.join(options.python or PYTHONS)}")
    build(pythons)
    run(sys.executable, "-m", "twine", "check", "--strict", *sorted(DIST.iterdir()))
    for python in pythons:
        install(python)
    print(
        f"release: {', '.join(path.name for path in sorted(DIST.iterdir()))}; tried on {', '.join(pythons)}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
