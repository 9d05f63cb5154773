"""Workers: visitors take turns, no address fills the line, and work that nobody waits for ends."""

import asyncio
import os
import sys
import threading
from collections import deque

import pytest

from damas.server.analysing.engines import Engines
from damas.server.analysing.searches import Searches
from damas.server.rooms.computer_players import ComputerPlayers
from damas.server.settings import Limits
from damas.server.workers import LOW_PRIORITY, Caller, Stop, Stopped, Turns, Workers
from server.rooms.clients import Server

PER_ADDRESS = 2


class Line:
    """Named requests that keep their place until they are ended."""

    def __init__(self, places: int) -> None:
        self.turns = Turns(places, PER_ADDRESS)
        self.at_work: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def request(self, name: str, visitor: str, address: str) -> None:
        self._ends[name] = asyncio.Event()
        self._tasks[name] = asyncio.create_task(self._work(name, Caller(visitor, address)))
        await self.settle()

    async def _work(self, name: str, caller: Caller) -> None:
        await self.turns.enter(caller)
        try:
            self.at_work.append(name)
            await self._ends[name].wait()
            self.at_work.remove(name)
        finally:
            self.turns.leave(caller)

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
    await line.request("busy", "z", "0")
    for number in range(2):
        await line.request(f"a{number}", "ana", "1")
    await line.request("r0", "rui", "2")
    assert line.at_work == ["busy"]
    order = []
    for _ in range(3):
        await line.end((line.at_work or ["busy"])[0])
        order += line.at_work
    assert order == ["a0", "r0", "a1"]  # not first come, first served


async def test_one_address_does_not_fill_the_line() -> None:
    line = Line(1)
    await line.request("busy", "z", "0")
    for number in range(20):
        await line.request(f"s{number}", f"sock{number}", "1")
    await line.request("honest", "ana", "2")
    for _ in range(PER_ADDRESS):
        await line.end(line.at_work[0])
    await line.end(line.at_work[0])
    assert line.at_work == ["honest"]  # after two of the twenty
    done = []
    while line.at_work:
        done.append(line.at_work[0])
        await line.end(line.at_work[0])
    assert len(done) == 1 + 18 and not line.turns._addresses and not line.turns._lines


async def test_a_cancelled_request_leaves_its_turn_to_the_next() -> None:
    line = Line(1)
    await line.request("busy", "z", "0")
    await line.request("gone", "ana", "1")
    await line.request("next", "rui", "2")
    await line.cancel("gone")
    await line.end("busy")
    assert line.at_work == ["next"]
    await line.cancel("next")
    await line.request("last", "eva", "3")
    assert "last" in line.at_work
    await line.end("last")
    assert line.turns._free == 1 and not line.turns._addresses


async def test_a_level_thinks_for_whoever_plays_it_and_for_their_address(server: Server) -> None:
    callers: list[Caller] = []
    turns = server.rooms.services.computer_players.workers.turns
    enter = turns.enter

    async def noting_enter(caller: Caller) -> None:
        callers.append(caller)
        await enter(caller)

    turns.enter = noting_enter
    person = await server.person()
    game = await person.create("brasileira", "level", level=1, colour="white")
    board = await person.sit(game)
    assert (await board.move("c3-d4"))["t"] == "ack"
    await board.turn("white")
    room = await server.rooms.room(game)
    assert callers == [Caller(str(room.seats.white.id), "127.0.0.1")]


async def test_work_gives_its_result_or_its_error() -> None:
    workers = Workers("test", 1)
    assert await workers.run(lambda _: 7) == 7
    with pytest.raises(ZeroDivisionError):
        await workers.run(lambda _: 1 // 0)
    assert (workers.running, workers.waiting) == (0, 0)


async def test_cancelled_work_is_stopped_and_its_place_is_free_when_its_thread_has_ended() -> None:
    workers = Workers("test", 1)
    started, stopped, go_on = threading.Event(), threading.Event(), threading.Event()

    def work(stop: Stop) -> None:
        stop.call(stopped.set)
        started.set()
        stopped.wait()
        go_on.wait()
        stop.check()

    first = asyncio.create_task(workers.run(work))
    assert await asyncio.to_thread(started.wait, 60)
    second = asyncio.create_task(workers.run(lambda _: "second"))
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    assert await asyncio.to_thread(stopped.wait, 60)
    assert first.cancelled() and not second.done() and workers.running == 1
    go_on.set()
    assert await second == "second"


async def test_stopping_the_workers_stops_their_work() -> None:
    workers = Workers("test", 2)
    started = threading.Event()

    def endless(stop: Stop) -> None:
        while True:
            started.set()
            stop.check()

    working = asyncio.create_task(workers.run(endless))
    assert await asyncio.to_thread(started.wait, 60)
    workers.stop()
    with pytest.raises(Stopped):
        await working


async def test_a_cancelled_request_no_longer_waits() -> None:
    line = Line(1)
    await line.request("busy", "z", "0")
    await line.request("gone", "ana", "1")
    await line.request("next", "rui", "2")
    await line.cancel("gone")
    await line.request("new", "ana", "1")
    assert line.turns.waiting == 2
    await line.end("busy")
    assert line.at_work == ["next"]
    await line.end("next")
    assert line.at_work == ["new"]


async def test_a_thread_that_cannot_be_started_gives_its_place_back(monkeypatch: pytest.MonkeyPatch) -> None:
    workers, ended = Workers("test", 1), []

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as broken:
        broken.setattr(threading.Thread, "start", refuse)
        broken.setattr("damas.server.workers._idle_threads", (deque(), deque()))
        with pytest.raises(RuntimeError, match="new thread"):
            await workers.run(lambda _: 1, at_end=lambda: ended.append(1))
    assert (workers.running, ended) == (0, [1])
    assert await workers.run(lambda _: 2) == 2


async def test_the_end_of_cancelled_work_is_reported_when_its_thread_has_ended() -> None:
    workers, ended, go_on = Workers("test", 1), asyncio.Event(), threading.Event()
    running = asyncio.create_task(workers.run(lambda _: go_on.wait(60), at_end=ended.set))
    while not workers.running:
        await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not ended.is_set()
    go_on.set()
    await asyncio.wait_for(ended.wait(), 60)


@pytest.mark.skipif(sys.platform != "linux", reason="not proved: a thread has no priority of its own here")
async def test_long_work_leaves_the_processor_to_the_event_loop() -> None:
    """Searches and levels compute for seconds: as many threads as there are cores must not keep a move waiting."""

    def priority(_: Stop) -> tuple[int, int]:
        inherited: list[int] = []
        own = threading.Thread(target=lambda: inherited.append(os.getpriority(os.PRIO_PROCESS, 0)))
        own.start()
        own.join()
        return os.getpriority(os.PRIO_PROCESS, 0), inherited[0]

    usual = os.getpriority(os.PRIO_PROCESS, 0)
    low = min(19, usual + LOW_PRIORITY)
    players, engines = ComputerPlayers(), Searches(Engines(1, Limits()), Limits())
    for workers in (players.workers, engines._workers):
        assert await workers.run(priority) == (low, low)
    assert await Workers("test", 1).run(priority) == (usual, usual)
    assert os.getpriority(os.PRIO_PROCESS, 0) == usual
