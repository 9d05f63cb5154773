"""Run a long command and show that it goes on: `show_progress.py TITLE COMMAND...`. Used by `make` for the set-up.

The command's own output is kept and printed only if it fails. Meanwhile there is a line at least every few seconds: how
many files are compiled, where the output counts them as ninja does, and how long it has taken.
"""

import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterable

INTERVAL_S = 4.0
"""Seconds between two lines."""
COUNT = re.compile(r"\[(\d+)/(\d+)\] (?!Re-)")
"""How ninja counts its steps; it counts anew after it has re-checked folders."""


def main(title: str, command: list[str]) -> int:
    """Run the command and return its exit code."""
    began = time.monotonic()
    print(f"damas: {title}", flush=True)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        assert process.stdout
        lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        reader = threading.Thread(target=_forward, args=(process.stdout, lines), daemon=True)
        reader.start()
        try:
            output = _watch(lines, title, began)
        except KeyboardInterrupt:  # Ctrl-C reaches the command too; what it has compiled stays
            reader.join()
            print(f"damas: {title}: interrupted; the next make goes on from here", file=sys.stderr)
            return 130
    if process.returncode:
        sys.stderr.write("".join(output))
        print(f"damas: {title}: failed", file=sys.stderr)
    return process.returncode


def _forward(output: Iterable[str], lines: "queue.SimpleQueue[str | None]") -> None:
    """Send every line to the queue, and None after the last."""
    for line in output:
        lines.put(line)
    lines.put(None)


def _watch(lines: "queue.SimpleQueue[str | None]", title: str, began: float) -> list[str]:
    """Collect the lines until the last, and report now and then."""
    output: list[str] = []
    count, due = "", time.monotonic() + INTERVAL_S
    while True:
        try:
            line = lines.get(timeout=max(0.0, due - time.monotonic()))
        except queue.Empty:
            print(f"damas: {title}{count}, {time.monotonic() - began:.0f} s", flush=True)
            due = time.monotonic() + INTERVAL_S
            continue
        if line is None:
            return output
        output.append(line)
        if steps := COUNT.search(line):
            count = f": {steps[1]} of {steps[2]}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
