"""A hall at work: `python tests/server/club/soak.py --boards 12 --plies 40`. `make soak` runs it.

Twenty-four phones play the boards of a round in the app, each with the page of the tournament open, beside a screen that
shows all of it. Prints how long a move took from the phone to its acknowledgement; ends with 1 if a result is missing. The
figures need an idle machine.
"""

import argparse
import asyncio
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.club.people import Hall
from server.protocol.killing import Process
from server.rooms.clients import Board, Person


class Remote:
    """A server in a process of its own, as `Hall` needs it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.people: list[Person] = []

    async def person(self) -> Person:
        person = Person(self.port)
        self.people.append(person)
        await person.http.get("/api/lobby")
        return person


async def follow(hall: Hall, person: Person) -> None:
    """What an open page of the tournament does: it fetches it again after each change."""
    async with person.http.stream("GET", f"/api/club/{hall.id}/stream", timeout=None) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data:"):
                await hall.look(person)


async def play(seat: Board, side: str, plies: int, random: Random, took: list[float]) -> None:
    """Plays random moves; whoever is to move after so many resigns."""
    seat.view = seat.hello["view"]
    while True:
        await seat.turn(side)
        if seat.view["outcome"]:
            return
        if seat.view["ply"] >= plies:
            await seat.act("resign")
            return
        await asyncio.sleep(random.uniform(0.2, 1.0))
        began = time.monotonic()
        answer = await seat.move(random.choice(seat.view["legal"])["text"])
        took.append(time.monotonic() - began)
        assert answer["t"] == "ack", answer
        while seat.view["to_move"] == side and not seat.view["outcome"]:
            await seat.next("event")


async def evening(folder: Path, boards: int, plies: int, seed: int) -> int:
    process, took = Process(folder), list[float]()
    await process.start()
    remote: Any = Remote(process.port)
    following = []
    try:
        hall = await Hall.open(remote, players=0)
        await hall.do(hall.chief, "import", text="\n".join(f"Player {n}" for n in range(2 * boards)))
        pairs = await hall.start()
        games = []
        for pair in pairs:
            phones = [await hall.player(pair[key]) for key in ("first", "second")]
            for phone in phones:
                following.append(asyncio.create_task(follow(hall, phone)))
                game = (await hall.do(phone, "play", round=1, board=pair["board"]))["game"]
            for side, phone in zip(("white", "black"), phones, strict=True):
                seat = await phone.sit(game)
                games.append(play(seat, side, plies, Random(f"{seed} {pair['board']} {side}"), took))
        following.append(asyncio.create_task(follow(hall, await remote.person())))
        await asyncio.gather(*games)
        for _ in range(600):
            results = [
                board["result"]
                for board in (await hall.look(hall.chief))["tournament"]["played"][0]["boards"]
            ]
            if all(results):
                break
            await asyncio.sleep(0.1)
        took.sort()
        share = {p: 1000 * took[min(len(took) - 1, int(len(took) * p / 100))] for p in (50, 99, 100)}
        print(
            f"{len(took)} moves at {boards} boards: "
            + ", ".join(f"p{p} {ms:.0f} ms" for p, ms in share.items())
        )
        print(f"{sum(map(bool, results))} of {boards} results")
        return 0 if all(results) else 1
    finally:
        for task in following:
            task.cancel()
        with suppress(Exception):
            await asyncio.gather(*following, return_exceptions=True)
        for person in remote.people:
            await person.leave()
        await process.end(signal.SIGTERM)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=12)
    parser.add_argument("--plies", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="damas-hall-") as folder:
        return asyncio.run(evening(Path(folder), options.boards, options.plies, options.seed))


if __name__ == "__main__":
    sys.exit(main())
