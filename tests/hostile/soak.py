"""Measure what players feel while the server is attacked: run by `make soak-edge`.

    python tests/hostile/soak.py --games 200 --seconds 5 --server /another/.venv/bin/damas

For each attack a fresh `damas serve` is started, games are played over websockets, first alone and then beside the
attack. A row has, without and with the attack: the milliseconds from a move to its answer, how late a timer of the players'
own process was meanwhile (p99; this delay is not the server's), the share of a core that the server computes, its memory
(without its workers) and its open files; then by how much its memory grew, how often an honest client was refused, and what
the attacker got. No process is bound to a core: workers and contests
stand where the server puts them. Ends with 1 where an
honest client was refused, memory grew by 100 MB or a worker process took too much (`peak.py`), the players' p99 is over 50 ms and over three times its value without the attack, or an
attack ended by itself. Times mean something on an idle machine only; the share of a core does on a busy one too.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from load import quantiles

from hostile.attacker import attacking
from hostile.peak import Peak
from hostile.server import DamasServe
from hostile.victims import Victims

MAX_P99_MS, MAX_RATIO = 50.0, 3.0
"""The bar for the players' p99: one of the two."""
PREPARATION_S = 30.0
"""Longest time until an attack has got something; some open accounts or games first."""
TICK_S = 0.005
"""Of the timer in the players' process."""
OVERHEAD_S, OPENING_S = 2.5, 0.012
"""Of starting and ending a server, and of opening a game: for the estimate alone."""


def names() -> list[str]:
    """All attacks."""
    return sorted(path.stem for path in (Path(__file__).parent / "attacks").glob("*.py"))


async def measure(name: str, options: argparse.Namespace) -> bool:
    """Attack a fresh server, print the row, and return whether the bar is met."""
    with tempfile.TemporaryDirectory(prefix="damas-edge-") as folder:
        server = DamasServe(Path(folder) / "data", command=options.server)
        victims = Victims(server.port, options.games, options.think)
        visit: asyncio.Task[None] | None = None
        try:
            await victims.open()
            await asyncio.sleep(2 * options.think)
            alone = await _figures(server, victims, options.seconds)
            files, peak = server.open_files(), Peak(server)
            async with attacking(name, server.port) as attacker:
                await attacker.under_way(PREPARATION_S)
                visit = asyncio.create_task(victims.visit())
                beside = await _figures(server, victims, options.seconds)
                ended = attacker.ended
            peak.stop()
            await asyncio.wait({visit}, timeout=60)
            refused = victims.refused + ([] if visit.done() else ["a page for a minute"])
        finally:
            if visit:
                visit.cancel()
            await victims.close()
            server.stop(kill=True)
    quick = beside["p99"] <= max(MAX_P99_MS, MAX_RATIO * alone["p99"])
    good = quick and not peak.excess() and not refused and not ended
    counts = ", ".join(f"{what} {count}" for what, count in attacker.counts.items())
    pairs = [(f"{alone[key]:.1f}", f"{beside[key]:.1f}") for key in ("p50", "p99", "late")]
    pairs += [
        (f"{alone['cpu']:.0%}", f"{beside['cpu']:.0%}"),
        (f"{peak.before_mb:.0f}", f"{peak.most_mb:.0f}"),
        (files, peak.files),
    ]
    grown = peak.most_mb - peak.before_mb
    print(
        f"{name:<20}"
        + "".join(f"{first:>8} {second:>7}" for first, second in pairs)
        + f"{grown:>+10.0f} MB{len(refused):>9}  {'met' if good else 'MISSED'}: {counts}"
        + (f"; {peak.excess()}" if peak.excess() else "")
        + (f"; refused: {refused}" if refused else "")
        + ("; the attack ended by itself" if ended else ""),
        flush=True,
    )
    return good


async def _figures(server: DamasServe, victims: Victims, seconds: float) -> dict[str, float]:
    """What players and server do from now on for so long."""
    began, computed = time.perf_counter(), server.cpu_s()
    late_ms = await _delays(began + seconds)
    cpu = (server.cpu_s() - computed) / (time.perf_counter() - began)
    return victims.figures(began) | {"cpu": cpu, "late": quantiles(late_ms)["p99"]}


async def _delays(end: float) -> list[float]:
    """How many milliseconds late each tick of a timer is, until that time."""
    late_ms = []
    while (now := time.perf_counter()) < end:
        await asyncio.sleep(TICK_S)
        late_ms.append((time.perf_counter() - now - TICK_S) * 1000)
    return late_ms


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("attacks", nargs="*", default=names(), help="which ones (default: all)")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--think", type=float, default=2.0, help="seconds a player thinks, on average")
    parser.add_argument(
        "--seconds", type=float, default=5.0, help="of playing alone, and again beside the attack"
    )
    parser.add_argument("--server", default="", help="another `damas` program to measure")
    options = parser.parse_args()
    each_s = 2 * options.seconds + 2 * options.think + OVERHEAD_S + options.games * OPENING_S
    print(
        f"{len(options.attacks)} attacks beside {options.games} games, about {len(options.attacks) * each_s / 60:.1f} "
        f"minutes; load {os.getloadavg()[0]:.1f}"
    )
    columns = ("p50 ms", "p99 ms", "players late ms", "processor", "memory MB", "open files")
    print(
        f"{'attack':<20}"
        + "".join(f"{column:>16}" for column in columns)
        + f"{'growth':>13}{'refused':>9}  bar",
        flush=True,
    )
    results = [await measure(name, options) for name in options.attacks]
    print(f"{sum(results)} of {len(results)} meet the bar")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
