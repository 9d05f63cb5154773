"""Compile the core for other machines and check it there: `cross_check.py [NAME ...]`, run by `make cross`.

A target is left out, with its reason, where its compiler or the program that runs its files is not installed
(Debian: clang-19, g++-mingw-w64-x86-64-posix, wine64, g++-aarch64-linux-gnu, qemu-user). Perft must give the numbers of
tests/perft; the search must visit the same nodes as that of this machine's own compiler. Exits 1 where something differs.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEPTH, SEARCH_DEPTH = 6, 7
WINE = ("wine64", "wine", "/usr/lib/wine/wine64")
WINDOWS = ("-DCMAKE_SYSTEM_NAME=Windows", "-DCMAKE_EXE_LINKER_FLAGS=-static")


@dataclass(frozen=True)
class Target:
    """One compiler and how its programs run here."""

    compilers: tuple[str, ...]
    options: tuple[str, ...] = ()
    runners: tuple[str, ...] = ()
    runner_options: tuple[str, ...] = ()


TARGETS = {
    "native": Target(("c++",)),
    "clang": Target(("clang++-19", "clang++-16", "clang++")),
    "windows": Target(
        ("x86_64-w64-mingw32-g++-posix", "x86_64-w64-mingw32-g++"),
        (*WINDOWS, "-DCMAKE_SYSTEM_PROCESSOR=AMD64"),
        WINE,
    ),
    "arm64": Target(
        ("aarch64-linux-gnu-g++",),
        ("-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64"),
        ("qemu-aarch64",),
        ("-L", "/usr/aarch64-linux-gnu"),
    ),
}


def first_of(programs: tuple[str, ...]) -> str | None:
    """The first of some programs that is installed."""
    return next((path for path in map(shutil.which, programs) if path), None)


def answers_of(name: str, target: Target) -> list[str] | None:
    """What damas_check prints for a target; None where it cannot be compiled or run here."""
    compiler, runner = first_of(target.compilers), first_of(target.runners)
    if not compiler or (target.runners and not runner):
        missing = target.runners if compiler else target.compilers
        print(f"{name}: left out, {missing[0]} is not installed")
        return None
    build = ROOT / "build/cross" / name
    options = (
        "-DDAMAS_BINDINGS=OFF",
        "-DDAMAS_OPTIMIZE=-O1",
        "-DDAMAS_SEARCHED=brasileira",
        "-DCMAKE_BUILD_TYPE=Release",
    )
    configure = ["cmake", "-G", "Ninja", "-S", ROOT, "-B", build, f"-DCMAKE_CXX_COMPILER={compiler}"]
    subprocess.run(
        [*configure, f"-DPython_EXECUTABLE={sys.executable}", *options, *target.options], check=True
    )
    subprocess.run(["cmake", "--build", build, "--target", "damas_check"], check=True)
    program = next(path for path in (build / "damas_check", build / "damas_check.exe") if path.exists())
    command = [*([runner, *target.runner_options] if runner else []), program, DEPTH, SEARCH_DEPTH]
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | {"WINEDEBUG": "-all", "WINEPREFIX": f"{folder}/wine"}
        # A name with an accent: Windows has its own way with those.
        words = [*map(str, command)]
        ran = subprocess.run(
            words, cwd=folder, env=env, stdout=subprocess.PIPE, check=False, encoding="utf-8"
        )
        written = (Path(folder) / "três damas.tb").exists()
    if ran.returncode or not written:
        print(f"{name}: the program failed with {ran.returncode}\n{ran.stdout}")
        return []
    return ran.stdout.split("\n")


def expected_perft() -> dict[str, list[str]]:
    """For each number of a ruleset among the compiled ones, the perft counts that tests/perft states."""
    header = next((ROOT / "build/cross").glob("*/generated/builtin_rulesets.hpp")).read_text(encoding="utf-8")
    listed = header.partition("kBuiltin[] = {")[2].partition("};")[0].strip().splitlines()
    counts = {}
    for number, line in enumerate(listed):
        book = line.partition("// ")[2].split(", ")[0]
        table = (ROOT / f"tests/perft/{book}.perft").read_text(encoding="utf-8").splitlines()
        row = next(row.split(" | ") for row in table if row.startswith("start | merged"))
        counts[str(number)] = row[2].split()
    return counts


def wrong_perft(answers: list[str]) -> list[str]:
    """The lines of perft that differ from the tables."""
    stated = expected_perft()
    rows = [line.split() for line in answers if line.startswith("perft ")]
    wrong = [row for row in rows if row[3:] != stated[row[1]][: len(row) - 3]]
    return [" ".join(row) for row in wrong] + ([] if rows else ["no perft was counted"])


def main(names: list[str]) -> int:
    chosen = ["native", *(name for name in names or TARGETS if name != "native")]
    failed = 0
    native: list[str] = []
    for name in chosen:
        answers = answers_of(name, TARGETS[name])
        if answers is None:
            continue
        if not answers:
            failed += 1
            continue
        native = native or answers
        differing = wrong_perft(answers)
        searched = [line for line in answers if line.startswith("search ")]
        differing += [
            f"{here}, not {there}"
            for here, there in zip(
                searched, (line for line in native if line.startswith("search ")), strict=True
            )
            if here != there
        ]
        failed += bool(differing)
        processor = next((line for line in answers if line.startswith("processor ")), "")
        print(f"{name}: " + ("; ".join(differing) or f"perft, search and table agree ({processor})"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
