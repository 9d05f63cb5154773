"""Gives every reader of damas a million broken inputs: run by `make fuzz`, under the sanitizers.

    python tools/fuzz.py [READER ...] [--count 1000000] [--seed 1] [--jobs 1]
    python tools/fuzz.py --again build/fuzz/move-1.json

The readers are fen, move, pdn, toml and batch (arrays of positions); `fuzz/` says how their inputs are made and what must hold of each. An input
fails if anything but a refusal comes out, if a promise is broken, if the core crashes or a sanitizer speaks, or if it
takes more than a tenth of a second of the processor. What fails is kept as a file that `--again` runs once more.

Inputs are numbered and made from the seed alone, so a number means the same input everywhere. They run in processes of
their own, which note what they are about to try: a crash costs one process and names its input.
"""

import argparse
import json
import mmap
import os
import re
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TextIO

ROOT = Path(__file__).parent.parent
sys.path[0] = str(ROOT)  # `fuzz` is the folder, not this file

NAMES = ("fen", "move", "pdn", "toml", "batch")
LIMIT = 0.1
"""Seconds of processor time for one input."""
SILENCE = 120
"""Seconds after which a process that has not come one input further is taken for hung. Shared machines pause."""
NOTE = 1 << 20
MOST_CRASHES = 20
"""Of one reader; each costs a process, and by then the file of the first is worth reading."""
MOST_KEPT = 25
"""Different findings of one reader; with more of them something else is wrong."""


@dataclass
class Tally:
    """What has been seen of one reader."""

    done: int = 0
    accepted: int = 0
    slowest: float = 0.0
    slowest_input: Any = None
    findings: dict[str, Path] = field(default_factory=dict)
    repeats: Counter[str] = field(default_factory=Counter)
    crashes: int = 0
    started: float = field(default_factory=time.monotonic)


# --- the process that tries inputs -------------------------------------------------------------------------


def work(name: str, seed: int, first: int, last: int, note_path: Path) -> None:
    """Tries the inputs of these numbers; says on its standard output how it goes, a line of JSON a second."""
    import gc

    from fuzz.readers import READERS

    reader = READERS[name]()
    base = (seed << 64) + (NAMES.index(name) << 48)
    with note_path.open("r+b") as file, mmap.mmap(file.fileno(), NOTE) as note:
        note[:8] = first.to_bytes(8, "little")
        gc.collect()
        gc.freeze()
        accepted = 0
        since, told = first, time.monotonic()
        slowest: tuple[float, Any] = (0.0, None)
        for number in range(first, last):
            given = reader.make(base + number)
            data = json.dumps(given).encode()[: NOTE - 16]
            note[8:16] = len(data).to_bytes(8, "little")
            note[16 : 16 + len(data)] = data
            note[:8] = number.to_bytes(8, "little")
            took, result, error = attempt(reader, base + number, given)
            if took > LIMIT and error is None:
                took = min(took, *(attempt(reader, base + number, given)[0] for _ in range(3)))
                if took > LIMIT:
                    error = (f"slow: {name}", f"{took * 1e3:.0f} ms of processor time")
            if error is not None:
                say(finding={"number": number, "what": error[0], "trace": error[1], "input": given})
            accepted += result
            if took > slowest[0]:
                slowest = (took, given)
            if time.monotonic() - told > 1 or number == last - 1:
                say(done=number + 1 - since, accepted=accepted, slowest=slowest)
                since, told, accepted, slowest = number + 1, time.monotonic(), 0, (0.0, None)


def attempt(reader: Any, seed: int, given: Any) -> tuple[float, bool, tuple[str, str] | None]:
    """Processor time, whether the input was accepted, and what went wrong: one line to tell it by, and all of it."""
    reader.rng.seed(seed ^ 1)
    started = time.thread_time()
    try:
        accepted = reader.check(given)
        error = None
    except Exception as caught:  # noqa: BLE001  any exception is what we are looking for
        accepted = False
        error = (signature(caught), traceback.format_exc()[-4000:])
    return time.thread_time() - started, accepted, error


def signature(error: Exception) -> str:
    """What tells one finding from another: its kind, the promise it breaks, and where it came up."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    text = str(error).split(":", 1)[0][:80] if type(error).__name__ == "Violation" else ""
    return f"{type(error).__name__} {text} at {Path(place.filename).name}:{place.lineno}"


def say(**what: Any) -> None:
    print(json.dumps(what), flush=True)


# --- the process that looks after them ---------------------------------------------------------------------


@dataclass
class Worker:
    """One process at its part of the inputs."""

    name: str
    seed: int
    first: int
    last: int
    folder: Path

    def start(self) -> None:
        self.note = self.folder / f"note-{self.name}-{self.first}"
        self.note.write_bytes(bytes(NOTE))
        self.log: TextIO = (self.folder / f"log-{self.name}-{self.first}").open(
            "w+", encoding="utf-8", errors="replace"
        )
        flags = ["-S"] if sys.flags.no_site else []
        command = [
            sys.executable,
            *flags,
            __file__,
            "--work",
            self.name,
            str(self.seed),
            str(self.first),
            str(self.last),
        ]
        self.process = subprocess.Popen([*command, str(self.note)], stdout=subprocess.PIPE, stderr=self.log)
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)
        self.rest = b""
        self.at, self.moved = -1, time.monotonic()

    def messages(self) -> Iterator[dict[str, Any]]:
        """What it has said since we last asked."""
        assert self.process.stdout is not None
        *lines, self.rest = (self.rest + (self.process.stdout.read() or b"")).split(b"\n")
        for line in lines:
            yield json.loads(line)

    def noted(self) -> tuple[int, Any]:
        """The input it is trying, or was when it died."""
        data = self.note.read_bytes()
        size = int.from_bytes(data[8:16], "little")
        try:
            given = json.loads(data[16 : 16 + size])
        except ValueError:
            given = None
        return int.from_bytes(data[:8], "little"), given

    def hangs(self) -> bool:
        at = int.from_bytes(self.note.read_bytes()[:8], "little")
        if at != self.at:
            self.at, self.moved = at, time.monotonic()
        return time.monotonic() - self.moved > SILENCE

    def last_words(self) -> str:
        self.log.seek(0)
        return self.log.read()[-20_000:]


def fuzz(name: str, count: int, seed: int, jobs: int, kept: Path, first: int) -> Tally:
    """All inputs of one reader."""
    tally = Tally()
    size = a_process(name)
    parts = [(start, min(start + size, first + count)) for start in range(first, first + count, size)]
    running: list[Worker] = []
    shown = 0.0
    with TemporaryDirectory() as folder:
        while parts or running:
            while parts and len(running) < jobs:
                start, end = parts.pop(0)
                worker = Worker(name, seed, start, end, Path(folder))
                worker.start()
                running.append(worker)
            time.sleep(0.2)
            for worker in list(running):
                ended = worker.process.poll() is not None
                for message in worker.messages():
                    take(message, tally, name, kept)
                if not ended and worker.hangs():
                    worker.process.kill()
                    worker.process.wait()
                    ended = True
                if ended:
                    running.remove(worker)
                    if worker.process.returncode != 0:
                        number, given = worker.noted()
                        lost(worker, number, given, tally, name, kept)
                        if number + 1 < worker.last:
                            parts.insert(0, (number + 1, worker.last))
            if len(tally.findings) >= MOST_KEPT or tally.crashes >= MOST_CRASHES:
                for worker in running:
                    worker.process.kill()
                break
            if time.monotonic() - shown > 5:
                shown = time.monotonic()
                progress(name, tally, count)
    progress(name, tally, count, final=True)
    return tally


def a_process(name: str) -> int:
    from fuzz.readers import READERS

    return READERS[name].a_process


def take(message: dict[str, Any], tally: Tally, name: str, kept: Path) -> None:
    if "finding" in message:
        keep(message["finding"], tally, name, kept)
        return
    tally.done += message["done"]
    tally.accepted += message["accepted"]
    if message["slowest"][0] > tally.slowest:
        tally.slowest, tally.slowest_input = message["slowest"]


def lost(worker: Worker, number: int, given: Any, tally: Tally, name: str, kept: Path) -> None:
    """A process that died: what a sanitizer said, or that it had to be stopped."""
    tally.crashes += 1
    words = worker.last_words()
    report = re.search(r"(ERROR: AddressSanitizer: \S+|runtime error: .*)", words)
    place = re.search(r"cpp/\S+?:\d+", words) or re.search(r"_core\S*\+0x[0-9a-f]+", words)
    what = (
        report[1]
        if report
        else "hang"
        if worker.process.returncode == -9
        else f"died with {worker.process.returncode}"
    )
    finding = {
        "number": number,
        "what": f"{what} {place[0] if place else ''}",
        "trace": words,
        "input": given,
    }
    keep(finding, tally, name, kept)


def keep(finding: dict[str, Any], tally: Tally, name: str, kept: Path) -> None:
    """A finding as a file, once for each thing that goes wrong."""
    what = finding["what"]
    tally.repeats[what] += 1
    if what in tally.findings:
        return
    kept.mkdir(parents=True, exist_ok=True)
    path = kept / f"{name}-{len(tally.findings) + 1}.json"
    path.write_text(json.dumps({"reader": name, **finding}, indent=1) + "\n")
    tally.findings[what] = path
    print(f"\r{name}: input {finding['number']}: {what}\n  kept as {path}", flush=True)


def progress(name: str, tally: Tally, count: int, *, final: bool = False) -> None:
    spent = time.monotonic() - tally.started
    rate = tally.done / spent if spent else 0.0
    left = (count - tally.done) / rate if rate else 0.0
    line = f"{name:5} {tally.done:>9,} of {count:,}  {rate:6,.0f}/s  "
    line += f"accepted {tally.accepted / max(1, tally.done):4.0%}  slowest {tally.slowest * 1e3:5.1f} ms  "
    line += f"{spent / 60:.1f} min" if final else f"{left / 60:.1f} min left"
    if final or not sys.stdout.isatty():
        print(line, flush=True)
    else:
        print(f"\r{line}   ", end="", flush=True)


# --- the command -------------------------------------------------------------------------------------------


def again(path: Path) -> int:
    """Runs one kept input once more, here."""
    from fuzz.readers import READERS

    kept = json.loads(path.read_text())
    reader = READERS[kept["reader"]]()
    print(f"{kept['reader']}, input {kept['number']}: {kept['what']}\n{kept['input']!r}")
    for _ in range(3):
        took, accepted, error = attempt(reader, 1, tuple(kept["input"]))
        print(error[1] if error else "accepted" if accepted else "refused", f"{took * 1e3:.1f} ms")
    return 0 if error is None and took <= LIMIT else 1


def sanitized() -> bool:
    from damas import _core

    return b"__asan_" in Path(_core.__file__).read_bytes()


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Broken inputs for every reader of damas.", allow_abbrev=False
    )
    parser.add_argument(
        "readers", nargs="*", metavar="READER", help=f"out of {', '.join(NAMES)}; otherwise all"
    )
    parser.add_argument("--count", type=int, default=1_000_000, help="inputs for each reader (1,000,000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first input (0)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--jobs", type=int, default=max(1, len(os.sched_getaffinity(0)) // 2), help="processes at a time"
    )
    parser.add_argument(
        "--kept", type=Path, default=ROOT / "build/fuzz", help="folder for what fails (build/fuzz)"
    )
    parser.add_argument("--again", type=Path, metavar="FILE", help="run one kept input once more")
    options = parser.parse_args()
    if options.again:
        return again(options.again)
    unknown = set(options.readers) - set(NAMES)
    if unknown:
        parser.error(f"no reader {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    how = (
        "with the address and undefined-behaviour sanitizers"
        if sanitized()
        else "WITHOUT sanitizers (make fuzz has them)"
    )
    print(f"{options.count:,} inputs a reader, seed {options.seed}, {how}", flush=True)
    tallies = {
        name: fuzz(name, options.count, options.seed, options.jobs, options.kept, options.first)
        for name in options.readers or NAMES
    }
    bad = 0
    for name, tally in tallies.items():
        for what, path in tally.findings.items():
            bad += 1
            print(f"{name}: {what}  ({tally.repeats[what]} inputs, the first in {path})")
    total = sum(tally.done for tally in tallies.values())
    print(
        f"{total:,} inputs, {bad} findings, slowest {max(t.slowest for t in tallies.values()) * 1e3:.1f} ms"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        name, seed, first, last, note = sys.argv[2:]
        work(name, int(seed), int(first), int(last), Path(note))
    else:
        sys.exit(main())
