"""Levels think in few threads, in turn for each visitor, and no address can fill the line."""

import asyncio
from typing import Any

from damas.server.rooms.computer_players import OF_ONE_ADDRESS, Asker, Turns
from server.rooms.clients import Server


class Line:
    """Thoughts that end when they are told to."""

    def __init__(self, places: int) -> None:
        self.turns = Turns(places)
        self.at_work: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def come(self, name: str, visitor: str, address: str) -> None:
        self._ends[name] = asyncio.Event()
        self._tasks[name] = asyncio.create_task(self._think(name, Asker(visitor, address)))
        await self.settle()

    async def _think(self, name: str, asker: Asker) -> None:
        async with self.turns.of(asker):
            self.at_work.append(name)
            await self._ends[name].wait()
            self.at_work.remove(name)

    async def end(self, name: str) -> None:
        self._ends[name].set()
        await self.settle()

    async def cancel(self, name: str) -> None:
        self._tasks[name].cancel()
        await self.settle()

    @staticmethod
    async def settle() -> None:
        for _ in range(10):
            await asyncio.sleep(0)


async def test_each_visitor_has_a_turn_in_each_round() -> None:
    line = Line(1)
    await line.come("busy", "z", "0")
    for number in range(2):
        await line.come(f"a{number}", "ana", "1")
    await line.come("r0", "rui", "2")
    assert line.at_work == ["busy"]
    order = []
    for _ in range(3):
        await line.end((line.at_work or ["busy"])[0])
        order += line.at_work
    assert order == ["a0", "r0", "a1"]  # not first come, first served


async def test_one_address_does_not_fill_the_line() -> None:
    line = Line(1)
    await line.come("busy", "z", "0")
    for number in range(20):
        await line.come(f"s{number}", f"sock{number}", "1")
    await line.come("honest", "ana", "2")
    for _ in range(OF_ONE_ADDRESS):
        await line.end(line.at_work[0])
    await line.end(line.at_work[0])
    assert line.at_work == ["honest"]  # after two of the twenty
    done = []
    while line.at_work:
        done.append(line.at_work[0])
        await line.end(line.at_work[0])
    assert len(done) == 1 + 18 and not line.turns._doors and not line.turns._lines


async def test_who_gives_up_leaves_the_turn_to_the_next() -> None:
    line = Line(1)
    await line.come("busy", "z", "0")
    await line.come("gone", "ana", "1")
    await line.come("next", "rui", "2")
    await line.cancel("gone")
    await line.end("busy")
    assert line.at_work == ["next"]
    await line.cancel("next")
    await line.come("last", "eva", "3")
    assert "last" in line.at_work
    await line.end("last")
    assert line.turns._free == 1


async def test_a_level_thinks_for_whoever_plays_it_and_for_their_address(server: Server) -> None:
    seen: list[Asker] = []
    turns = server.rooms.services.thinking._turns
    before = turns.of

    def of(asker: Asker) -> Any:
        seen.append(asker)
        return before(asker)

    turns.of = of
    person = await server.person()
    game = await person.create("brasileira", "level", level=1, colour="white")
    board = await person.sit(game)
    assert (await board.move("c3-d4"))["t"] == "ack"
    await board.turn("white")
    room = await server.rooms.room(game)
    assert seen == [Asker(str(room.seats.white.id), "127.0.0.1")]
