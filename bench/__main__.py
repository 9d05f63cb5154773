"""How fast damas is, beside its targets and beside other libraries: one table, run by `make bench`.

    python -m bench [PART ...] [--quick] [--deep] [--full] [--json]

The parts are perft, python, peers, startup, memory, batch, judging, engine, explorer, wasm and arena, each a module of `bench/`.
Figures are medians of several rounds in processor time, with their spread; "below target" is reported and does not fail.

    --quick   about twenty seconds: fewer rounds, shallower counts, no other libraries unless named
    --deep    also count the deep ends of the perft tables against the published numbers (minutes)
    --full    judge all 100,000 games instead of a sample
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from bench import arena, batch, engine, explorer, from_python, judging, memory, peers, perft, startup, wasm
from bench.table import Line, Remark, show

ROOT = Path(__file__).parent.parent
Lines = Iterable[Line | Remark]


def parts(*, quick: bool, full: bool) -> dict[str, tuple[str, Callable[[], Lines]]]:
    """Return the title of each part and the function that measures it."""
    rounds = 3 if quick else 7
    games = 1_000 if quick else judging.ALL if full else 5_000
    return {
        "perft": (
            "Leaves a second from the start, one core, bulk counted",
            lambda: perft.lines(rounds, 2_000_000 if quick else perft.LEAVES),
        ),
        "python": ("From Python", lambda: from_python.lines(rounds)),
        "peers": (
            "Beside other Python libraries, same positions, same run (how many times faster)",
            lambda: peers.lines(rounds),
        ),
        "startup": ("Starting", lambda: startup.lines(5 if quick else 25)),
        "memory": ("Memory", lambda: memory.lines(500_000 if quick else 10_000_000)),
        "batch": ("Many positions at once", lambda: batch.lines(rounds)),
        "judging": ("Judging recorded games", lambda: judging.lines(games)),
        "engine": ("The engine", lambda: engine.lines(rounds, *((5, 17) if quick else ()))),
        "explorer": (
            "Opening statistics, the file in the cache of the system",
            lambda: explorer.lines(20_000 if quick else 1_000_000),
        ),
        "wasm": (
            "The core as WebAssembly in node (percent of the native core, in turns)",
            lambda: wasm.lines(rounds, 100_000 if quick else 400_000),
        ),
        "arena": ("Refereeing programs, a resident bot", lambda: arena.lines(3 if quick else 10)),
    }


def machine() -> str:
    """Return the processor, the cores and the version of Python, with a warning if the machine is busy."""
    name = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else ():
        if line.startswith("model name"):
            name = line.partition(":")[2].strip()
            break
    load = os.getloadavg()[0]
    busy = f", load {load:.1f}: figures are noisy" if load > (os.cpu_count() or 1) else ""
    return f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}{busy}"


def main() -> int:
    names = list(parts(quick=True, full=False))
    parser = argparse.ArgumentParser(description="How fast damas is, beside its targets.", allow_abbrev=False)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"out of {', '.join(names)}; otherwise all")
    parser.add_argument("--quick", action="store_true", help="about twenty seconds")
    parser.add_argument("--deep", action="store_true", help="count the deep perft tables too")
    parser.add_argument("--full", action="store_true", help="judge all 100,000 games")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(names):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    wanted = options.parts or [name for name in names if not (options.quick and name == "peers")]
    answer: dict[str, object] = {"machine": machine()}
    below = 0
    if not options.json:
        print(f"damas on {machine()}")
        print("Processor time, medians; the spread is half the distance of the quartiles.")
    for name, (title, measure) in parts(quick=options.quick, full=options.full).items():
        if name not in wanted:
            continue
        lines = list(measure())
        below += sum(line.verdict == "below target" for line in lines)
        answer[name] = [line.as_json() for line in lines]
        if not options.json:
            print(f"\n{title}\n{show(lines)}", flush=True)
    if options.json:
        print(json.dumps(answer))
    else:
        print(f"\n{'Every target is met.' if not below else f'{below} figures are below target.'}")
    if options.deep:
        return subprocess.run([sys.executable, ROOT / "tests/perft/deep.py"], check=False).returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
