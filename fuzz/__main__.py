"""Give every reader of damas a million broken inputs: `make fuzz`, under the sanitizers.

    python -m fuzz [READER ...] [--count 1000000] [--seed 1] [--jobs 1]
    python -m fuzz --again build/fuzz/move-1a2b3c4d.json

The readers are fen, move, pdn, toml and batch (arrays of positions). An input fails if anything but a refusal comes out,
if a promise is broken, if the core crashes or a sanitizer reports an error, or if it takes more than a tenth of a second
of processor time. Each kind of failure is kept as a file that `--again` runs once more.

Inputs are numbered and made from the seed alone, so a number means the same input everywhere. They run in processes of
their own, which note each input before they try it: a crash costs one process and names its input.
"""

import argparse
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from damas import _core
from damas.cli.progress import ProgressBar
from fuzz.readers import READERS, Input, Reader

ROOT = Path(__file__).parent.parent
LIMIT_S = 0.1
"""Processor time allowed for one input."""
HANG_S = 120
"""A process that spends longer on one input is killed; shared machines pause."""
INPUTS_PER_PROCESS = 10_000
MAX_CRASHES = 5
"""After this many crashes the remaining inputs of a process are skipped."""


def work(name: str, seed: int, first: int, last: int, note: Path, kept: Path) -> None:
    """Try inputs `first` to `last` and print the totals as JSON; runs in a process of its own."""
    reader = READERS[name]()
    base = (seed << 64) + (list(READERS).index(name) << 48)
    accepted, slowest_s, findings = 0, 0.0, Counter[str]()
    file = note.open("w", encoding="utf-8")
    for number in range(first, last):
        given = reader.make(base + number)
        file.seek(0)  # not truncated, which makes some file systems wait for the disk
        file.write(json.dumps([number, given]) + "\n")
        file.flush()
        signal.alarm(HANG_S)
        took_s, ok, problem, trace = attempt(reader, base + number, given)
        if took_s > LIMIT_S and not problem:
            took_s = min(took_s, *(attempt(reader, base + number, given)[0] for _ in range(3)))
            problem = "slow" if took_s > LIMIT_S else ""
        if problem:
            findings[problem] += 1
            keep(kept, name, number, given, problem, trace or f"{took_s * 1e3:.0f} ms of processor time")
        accepted += ok
        slowest_s = max(slowest_s, took_s)
    print(json.dumps({"accepted": accepted, "slowest_s": slowest_s, "findings": findings}))


def attempt(reader: Reader, seed: int, given: Input) -> tuple[float, bool, str, str]:
    """Return the processor time, whether the input was accepted, and the exception with its place and traceback."""
    reader.rng.seed(seed ^ 1)
    started = time.thread_time()
    try:
        accepted, problem, trace = reader.check(given), "", ""
    except Exception as error:  # noqa: BLE001  any exception is a finding
        place = traceback.extract_tb(error.__traceback__)[-1]
        accepted, problem = False, f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
        trace = traceback.format_exc()[-4000:]
    return time.thread_time() - started, accepted, problem, trace


def keep(folder: Path, name: str, number: int, given: Any, problem: str, trace: str) -> None:
    """Write a failed input to a file, once for each kind of failure."""
    path = folder / f"{name}-{hashlib.sha256(problem.encode()).hexdigest()[:8]}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        finding = {"reader": name, "number": number, "problem": problem, "trace": trace, "input": given}
        path.write_text(json.dumps(finding, indent=1) + "\n")


def run_part(name: str, seed: int, first: int, last: int, note: Path, kept: Path) -> dict[str, Any]:
    """Try some inputs in processes of their own, a new one after each crash; return the totals."""
    crashes = Counter[str]()
    python = [sys.executable, *(["-S"] if sys.flags.no_site else []), "-m", "fuzz"]
    while first < last and crashes.total() < MAX_CRASHES:
        command = [*python, "--work", name, str(seed), str(first), str(last), str(note), str(kept)]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
        if ran.returncode == 0:
            totals: dict[str, Any] = json.loads(ran.stdout)
            return totals | {"findings": crashes + Counter(totals["findings"])}
        number, given = json.loads(note.read_text().split("\n")[0]) if note.exists() else (last, None)
        problem = crash(ran)
        crashes[problem] += 1
        keep(kept, name, number, given, problem, ran.stderr[-20_000:])
        first = number + 1
    return {"accepted": 0, "slowest_s": 0.0, "findings": crashes}


def crash(ran: subprocess.CompletedProcess[str]) -> str:
    """Name the report of a sanitizer and its place in the core, or how the process ended."""
    report = re.search(r"(ERROR: AddressSanitizer: \S+|runtime error: .*)", ran.stderr)
    place = re.search(r"cpp/\S+?:\d+", ran.stderr) or re.search(r"_core\S*\+0x[0-9a-f]+", ran.stderr)
    ended = "hang" if ran.returncode == -signal.SIGALRM else f"died with {ran.returncode}"
    return f"{report[1] if report else ended} {place[0] if place else ''}".strip()


def fuzz(name: str, options: argparse.Namespace) -> Counter[str]:
    """Try all inputs of one reader, print a summary and return its kinds of failure."""
    accepted, slowest_s, done, findings = 0, 0.0, 0, Counter[str]()
    bar = ProgressBar(name, options.count, log_every_s=30)
    with TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        parts = {}
        for first in range(0, options.count, INPUTS_PER_PROCESS):
            last = min(first + INPUTS_PER_PROCESS, options.count)
            arguments = (name, options.seed, first, last, Path(folder) / str(first), options.kept.resolve())
            parts[pool.submit(run_part, *arguments)] = last - first
        for part in as_completed(parts):
            totals = part.result()
            done += parts[part]
            accepted += totals["accepted"]
            slowest_s = max(slowest_s, totals["slowest_s"])
            findings.update(totals["findings"])
            bar.show(done)
    bar.clear()
    share = accepted / max(1, options.count)
    print(f"{name:5} {done:,} inputs, {share:.0%} accepted, slowest {slowest_s * 1e3:.1f} ms", flush=True)
    for problem, times in findings.items():
        print(f"  {problem} ({times} inputs)", flush=True)
    return findings


def again(path: Path) -> int:
    """Run one kept input once more, in this process."""
    kept = json.loads(path.read_text())
    print(f"{kept['reader']}, input {kept['number']}: {kept['problem']}\n{kept['input']!r}")
    took_s, accepted, _, trace = attempt(READERS[kept["reader"]](), 1, tuple(kept["input"]))
    print(trace or ("accepted" if accepted else "refused"), f"{took_s * 1e3:.1f} ms")
    return 1 if trace or took_s > LIMIT_S else 0


def main() -> int:
    if sys.argv[1:2] == ["--work"]:
        name, seed, first, last, note, kept = sys.argv[2:]
        work(name, int(seed), int(first), int(last), Path(note), Path(kept))
        return 0
    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(prog="python -m fuzz", description="Broken inputs for every reader.")
    parser.add_argument(
        "readers", nargs="*", metavar="READER", help=f"out of {', '.join(READERS)}; default all"
    )
    parser.add_argument("--count", type=int, default=1_000_000, help="inputs for each reader (1,000,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=max(1, cores // 2), help="processes at a time")
    parser.add_argument(
        "--kept", type=Path, default=ROOT / "build/fuzz", help="folder for failed inputs (build/fuzz)"
    )
    parser.add_argument("--again", type=Path, metavar="FILE", help="run one kept input once more")
    options = parser.parse_args()
    if options.again:
        return again(options.again)
    if unknown := set(options.readers) - set(READERS):
        parser.error(f"no reader {', '.join(sorted(unknown))}; there are {', '.join(READERS)}")
    sanitized = b"__asan_" in Path(_core.__file__).read_bytes()
    print(f"{options.count:,} inputs a reader, {'with' if sanitized else 'WITHOUT'} sanitizers", flush=True)
    findings = sum(len(fuzz(name, options)) for name in options.readers or READERS)
    print(f"{findings} findings" + (f", kept in {options.kept}" if findings else ""))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
