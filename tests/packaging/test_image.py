"""The container image: what `docker build` is given is enough to build the package, without a docker to ask."""

import fnmatch
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nanobind

ROOT = Path(__file__).resolve().parents[2]


def sent_to_docker(path: str) -> bool:
    """Whether `.dockerignore` leaves a file in: the last line that names it, or a folder above it, decides."""
    parts = path.split("/")
    above = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    sent = True
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        pattern = line.removeprefix("!")
        if not line or line.startswith("#"):
            continue
        if pattern.startswith("**/"):
            named = any(fnmatch.fnmatch(part, pattern[3:]) for part in parts)
        else:
            named = any(
                name.count("/") == pattern.count("/") and fnmatch.fnmatch(name, pattern) for name in above
            )
        if named:
            sent = line.startswith("!")
    return sent


def test_the_build_is_configured_and_rules_are_compiled_from_what_docker_gets(tmp_path: Path) -> None:
    """The rest of the build is the compiler's: every source that it names is looked for here."""
    source, build = tmp_path / "source", tmp_path / "build"
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(sent_to_docker, tracked.stdout.splitlines()):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    assert not (source / "tests").exists()
    cmake = shutil.which("cmake", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert cmake, "the set-up installs cmake where the machine has none"
    options = [f"-Dnanobind_DIR={nanobind.cmake_dir()}", f"-DPython_EXECUTABLE={sys.executable}"]
    for command in (
        [cmake, "-S", str(source), "-B", str(build), *options],
        [cmake, "--build", str(build), "--target", "damas_rulesets"],
    ):
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
    assert (build / "generated" / "builtin_rulesets.hpp").stat().st_size > 1000


def test_the_image_runs_as_nobody_in_particular_and_says_whether_it_is_well() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    last = lines[lines.rindex("\nFROM ") :]
    user = re.search(r"^USER (\d+):(\d+)$", last, re.MULTILINE)
    assert user
    assert "0" not in user.groups()
    assert "HEALTHCHECK" in last
