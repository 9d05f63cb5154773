"""Whether memory grows over many moves; measured in a separate process."""

import json
import subprocess
import sys
from collections.abc import Iterator

from bench.measure import Figure
from bench.table import Line

NOISE = 256
"""KiB by which the memory of a process varies without a leak."""

PROGRAM = """
import json, sys
from random import Random
from damas import Position
from bench.measure import memory
rng = Random(5)
starts = [Position.start(name) for name in ("brasileira", "internacional", "russa", "italiana")]
def play(count):
    position, made = rng.choice(starts), 0
    while made < count:
        moves = position.legal_moves
        n = len(moves)
        if not n or made % 200 == 199:
            position = starts[made % len(starts)]
            made += 1
            continue
        position = position.play(moves[int(rng.random() * n)])
        made += 1
play(200_000)
before = memory()
play(int(sys.argv[1]))
print(json.dumps((memory() - before) / 1024))
"""


def lines(moves: int) -> Iterator[Line]:
    command = [sys.executable, "-c", PROGRAM, str(moves)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True, cwd=sys.path[0])
    grown = Figure(max(0.0, json.loads(ran.stdout)))
    note = f"{NOISE} KiB is within the noise"
    yield Line(f"memory grown over {moves:,} moves", grown, "KiB", NOISE, at_most=True, note=note)
