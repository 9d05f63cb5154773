"""What the referee adds to a move of a program that stays: beside a plain round trip through two pipes, same bytes.

Wall time, as nothing else tells how long a program waits; medians over all moves of some games. The program does next
to nothing, so what is left is ours: the question, the pipes, reading and judging the answer, the arbiter, the record.
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measure import Figure, median
from bench.table import Line
from damas.arbiter import TimeControl
from damas.game import Position
from damas.matches import Entrant, Start, Terms, play

BOT = """\
import sys
for line in sys.stdin:
    if line.startswith('{"type": "move?"') or line.startswith('{"type":"move?"'):
        nonce = line[line.index('"nonce"'):].split('"')[3]
        sys.stdout.write('{"choice":0,"nonce":"%s"}\\n' % nonce)
        sys.stdout.flush()
    elif '"hello"' in line:
        sys.stdout.write('{"type":"ready"}\\n')
        sys.stdout.flush()
"""
PLAIN = 2000
TARGET = 1000.0


def lines(games: int) -> Iterator[Line]:
    with TemporaryDirectory() as folder:
        bot = Path(folder) / "bot.py"
        bot.write_text(BOT)
        plain = round_trip(bot)
        note = f"a plain round trip: {plain.value:.0f} µs"
        for tier, name in (("none", "trusted"), ("auto", "in the box of this machine")):
            try:
                turn, where = turns(bot, games, tier)
            except Exception as why:  # noqa: BLE001 (a machine without a box has no figure, and says so)
                yield Line(f"a move, {name}: {why}", Figure(0.0), "us")
                continue
            over = Figure(max(0.0, turn.value - plain.value), turn.spread)
            yield Line(f"a move through the referee, {where}", turn, "us", note=note)
            yield Line("  of it the referee's own", over, "us", TARGET, at_most=True)


def turns(bot: Path, games: int, tier: str) -> tuple[Figure, str]:
    """Microseconds from one move to the next."""
    entrant = Entrant.parse(str(bot), trusted=tier == "none")
    terms = Terms("concurso", TimeControl.parse("5s/move"), tier=tier, max_plies=120)
    medians, where = [], tier
    for number in range(games):
        times: list[float] = []

        def hear(line: str, times: list[float] = times) -> None:
            if json.loads(line)["kind"] == "moved":
                times.append(time.perf_counter())

        found = play(entrant, entrant, Start(number), terms, watch=hear)
        where = found.tiers["white"]
        gaps = [later - before for before, later in pairwise(times)]
        medians.append(statistics.median(gaps) * 1e6)
    return median(medians), where


def round_trip(bot: Path) -> Figure:
    """A question of the usual length, and its answer."""
    start = Position.start("concurso")
    question = {
        "type": "move?",
        "nonce": "0123abcd",
        "ply": 40,
        "fen": start.fen,
        "board": [["."] * 8] * 8,
        "last": "2,2 3,3",
        "moves": ["2,2 3,3"] * 40,
        "legal": [move.text for move in start.legal_moves],
        "clock": {"you_ms": 1000, "opponent_ms": 1000},
        "counts": [],
    }
    asked = json.dumps(question).encode() + b"\n"
    with subprocess.Popen(
        [sys.executable, bot], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin and process.stdout
        times = []
        for _ in range(PLAIN):
            began = time.perf_counter()
            process.stdin.write(asked)
            process.stdout.readline()
            times.append((time.perf_counter() - began) * 1e6)
        process.stdin.close()
    return Figure(statistics.median(times))
