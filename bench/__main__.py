"""How fast damas is, beside its targets and beside other libraries: one table, run by `make bench`.

    python -m bench [PART ...] [--quick] [--deep] [--full] [--json]

The parts are perft, python, peers, startup, memory, batch, judging, engine, arena and growth; `bench/` says how each is measured.
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
from dataclasses import asdict
from pathlib import Path

from bench import arena, batch, engine, from_python, growth, judging, memory, peers, perft, startup
from bench.table import Line, Remark, show

ROOT = Path(__file__).parent.parent
TITLES = {
    "perft": "Leaves a second from the start, one core, bulk counted",
    "python": "From Python",
    "peers": "Beside other Python libraries, same positions, same run (how many times faster)",
    "startup": "Starting",
    "memory": "Memory",
    "batch": "Many positions at once",
    "judging": "Judging recorded games",
    "engine": "The engine",
    "arena": "Refereeing programs, a resident bot",
    "growth": "How cost grows",
}
PLOT = ROOT / "build/bench-growth.svg"


def parts(*, quick: bool, full: bool) -> dict[str, Callable[[], Iterable[Line | Remark]]]:
    rounds = 3 if quick else 7
    return {
        "perft": lambda: perft.lines(rounds, 2_000_000 if quick else perft.LEAVES),
        "python": lambda: from_python.lines(rounds),
        "peers": lambda: peers.lines(rounds),
        "startup": lambda: startup.lines(5 if quick else 25),
        "memory": lambda: memory.lines(500_000 if quick else 10_000_000),
        "batch": lambda: batch.lines(rounds),
        "judging": lambda: judging.lines(1_000 if quick else judging.ALL if full else 5_000),
        "engine": lambda: engine.lines(rounds, *((5, 17) if quick else ())),
        "arena": lambda: arena.lines(3 if quick else 10),
    }


def machine() -> str:
    name = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else ():
        if line.startswith("model name"):
            name = line.partition(":")[2].strip()
            break
    load = os.getloadavg()[0]
    busy = f", load {load:.1f}: figures are noisy" if load > (os.cpu_count() or 1) else ""
    return f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}{busy}"


def main() -> int:
    parser = argparse.ArgumentParser(description="How fast damas is, beside its targets.", allow_abbrev=False)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"out of {', '.join(TITLES)}; otherwise all")
    parser.add_argument("--quick", action="store_true", help="about twenty seconds")
    parser.add_argument("--deep", action="store_true", help="count the deep perft tables too")
    parser.add_argument("--full", action="store_true", help="judge all 100,000 games")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args()
    unknown = set(options.parts) - set(TITLES)
    if unknown:
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(TITLES)}")
    wanted = options.parts or [name for name in TITLES if not (options.quick and name == "peers")]
    answer: dict[str, object] = {"machine": machine()}
    below = 0
    if not options.json:
        print(
            f"damas on {machine()}\nProcessor time, medians; the spread is half the distance of the quartiles."
        )
    for name, measure in parts(quick=options.quick, full=options.full).items():
        if name not in wanted:
            continue
        lines = list(measure())
        below += sum(line.verdict == "below target" for line in lines)
        answer[name] = [line.as_json() for line in lines]
        if not options.json:
            print(f"\n{TITLES[name]}\n{show(lines)}", flush=True)
    if "growth" in wanted:
        points = list(growth.points(3, 15) if options.quick else growth.points(5))
        growth.plot(points, PLOT)
        answer["growth"] = [asdict(point) for point in points]
        if not options.json:
            print(
                f"\n{TITLES['growth']} (drawn in {PLOT.relative_to(ROOT)})\n{growth.show(points)}", flush=True
            )
    if options.json:
        print(json.dumps(answer))
    else:
        print(f"\n{'Every target is met.' if not below else f'{below} figures are below target.'}")
    if options.deep:
        return subprocess.run([sys.executable, ROOT / "tests/perft/deep.py"], check=False).returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
