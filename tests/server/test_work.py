"""Work in processes: what it costs is counted, what it raises comes back, and nothing that ends it is felt by others."""

import asyncio
import os
import pickle
import sys
import time
from typing import Any

import pytest

from damas.errors import IllegalMove
from damas.game import Position
from damas.server.security.errors import ApiError
from damas.server.settings import Limits
from damas.server.work import questions
from damas.server.work.budget import Budget
from damas.server.work.child import report_progress
from damas.server.work.lanes import START_S, Lane, Work
from damas.server.work.processes import IDLE, MAX_IDLE_MB
from damas.server.workers import Caller
from server.blocked import Blocked, is_running
from server.rooms.clients import Server

ANA, RUI = Caller("ana", "192.0.2.1"), Caller("rui", "192.0.2.2")


@pytest.fixture
async def lane() -> Lane:
    return Work(Limits()).questions


async def test_a_function_runs_in_another_process_which_is_used_again(lane: Lane) -> None:
    first = await lane.run(os.getpid, caller=ANA)
    assert first != os.getpid() and await lane.run(os.getpid, caller=RUI) == first


async def test_what_it_raises_comes_back_whole(lane: Lane) -> None:
    with pytest.raises(IllegalMove) as refused:
        await lane.run(Position.play, Position.start("brasileira"), "c3-e3")
    assert refused.value.code == "NOT_DIAGONAL" and "c3" in refused.value.sentence("pt-BR")


async def test_a_killed_process_is_replaced_at_once(lane: Lane) -> None:
    killed = await lane.run(os.getpid)
    os.kill(killed, 9)
    assert await lane.run(os.getpid) not in (killed, os.getpid())


async def test_work_that_takes_too_long_is_killed(lane: Lane) -> None:
    with pytest.raises(ApiError) as refused:
        await lane.run(time.sleep, 600, seconds=0.05, caller=ANA)
    assert (refused.value.status, refused.value.code) == (503, "BUSY")
    while lane.running:
        await asyncio.sleep(0.01)
    assert await lane.run(os.getpid, caller=RUI)


async def test_whoever_hangs_up_pays_for_the_work_they_began(blocked: Blocked) -> None:
    lane = Work(Limits(work_s_per_minute=1e-9)).tables  # one process
    running = asyncio.create_task(lane.run(blocked.work, caller=ANA))
    waiting = asyncio.create_task(lane.run(blocked.work, caller=RUI))
    process = await blocked.begun()
    waiting.cancel()
    running.cancel()
    await asyncio.wait([running, waiting])
    with pytest.raises(ApiError) as refused:
        await lane.run(os.getpid, caller=ANA)
    assert (refused.value.status, refused.value.code) == (429, "RATE")
    while lane.running:
        await asyncio.sleep(0.01)
    assert not is_running(process) and await lane.run(os.getpid, caller=RUI), "having waited costs nothing"


async def test_whoever_hangs_up_pays_for_processor_time_and_not_for_waiting(blocked: Blocked) -> None:
    """On a busy machine work takes far longer than it computes: leaving a page must not cost that."""
    lane = Work(Limits(work_s_per_minute=0.3)).questions
    await lane.run(is_running, os.getpid(), caller=RUI)  # it has started and imported the module
    running = asyncio.create_task(lane.run(blocked.work, caller=ANA))
    await blocked.begun()
    await asyncio.sleep(0.35)
    running.cancel()
    await asyncio.wait([running])
    while lane.running:
        await asyncio.sleep(0.01)
    assert await lane.run(os.getpid, caller=ANA)


async def test_whoever_hangs_up_pays_for_the_process_that_must_be_replaced(blocked: Blocked) -> None:
    """Asking and leaving at once, again and again, has the next caller wait for a new process."""
    limits = Limits()
    budget = Budget(
        2.8 * START_S, limits.work_s, clock=lambda: 0.0
    )  # nothing comes back, however long this takes
    lane = Lane("tables", 1, per_address=1, limits=limits, budget=budget)
    for _ in range(3):
        await lane.run(is_running, os.getpid(), caller=RUI)  # it has started and imported the module
        running = asyncio.create_task(lane.run(blocked.work, caller=ANA))
        await blocked.begun()
        running.cancel()
        await asyncio.wait([running])
        while lane.running:
            await asyncio.sleep(0.01)
    with pytest.raises(ApiError) as refused:
        await lane.run(os.getpid, caller=ANA)
    assert (refused.value.status, refused.value.code) == (429, "RATE")


async def test_a_budget_is_checked_again_when_the_turn_comes(blocked: Blocked) -> None:
    lane = Work(Limits(work_s_per_minute=1e-9)).tables  # one process
    running = asyncio.create_task(lane.run(blocked.work, caller=ANA))
    await blocked.begun()
    waiting = [asyncio.create_task(lane.run(os.getpid, caller=who)) for who in (ANA, ANA, RUI)]
    await asyncio.sleep(0)  # all have come, and nothing has been charged
    await blocked.end("{}")
    await running
    first, second, other = await asyncio.gather(*waiting, return_exceptions=True)
    for refused in (first, second):
        assert isinstance(refused, ApiError) and (refused.status, refused.code) == (429, "RATE")
    assert isinstance(other, int)


async def test_a_place_apart_has_a_budget_of_its_own() -> None:
    lane = Work(Limits(password_s_per_minute=1e-9)).passwords
    for caller in (ANA, ANA._replace(apart="ana"), ANA._replace(apart="eva")):
        assert await lane.run(os.getpid, caller=caller)
        with pytest.raises(ApiError) as refused:
            await lane.run(os.getpid, caller=caller)
        assert refused.value.status == 429


async def test_a_process_whose_call_fails_on_our_side_is_ended(lane: Lane) -> None:
    with pytest.raises((AttributeError, pickle.PicklingError)):
        await lane.run(lambda: None)  # cannot be sent

    def fail(_: Any) -> None:
        raise ValueError("nobody can show this")

    process = await lane.run(os.getpid)
    with pytest.raises(ValueError, match="nobody"):
        await lane.run(report_progress, 1, on_progress=fail)
    assert not is_running(process)


@pytest.mark.skipif(sys.platform != "linux", reason="not proved: no /proc there")
async def test_a_process_that_has_grown_is_not_kept(lane: Lane) -> None:
    process = await lane.run(os.getpid)
    assert await lane.run(os.getpid) == process
    await lane.run(exec, f"import builtins; builtins.grown = b'x' * {MAX_IDLE_MB << 20}")
    assert not is_running(process)


@pytest.mark.parametrize(
    ("path", "question", "function"),
    [
        ("/api/position", {}, "position"),
        ("/api/explain", {"move": "c3-d4"}, "explanation"),
        ("/api/compare", {"fen": "W:Wc3:Bf6"}, "comparison"),
        ("/api/analysis/line", {"moves": ["c3-d4"]}, "line"),
        ("/api/judge", {"pdn": "1. c3-d4 *"}, "verdicts"),
    ],
)
async def test_questions_are_answered_by_worker_processes(
    server: Server, blocked: Blocked, monkeypatch: pytest.MonkeyPatch, path: str, question: Any, function: str
) -> None:
    monkeypatch.setattr(questions, function, blocked.work)
    person = await server.person()
    asking = asyncio.create_task(person.http.post(path, json={"rulebook": "brasileira", **question}))
    assert await blocked.begun() != os.getpid()
    await blocked.end("{}")
    assert (await asking).status_code == 200


async def test_a_lane_that_stops_refuses_what_waits(blocked: Blocked) -> None:
    lane = Work(Limits()).passwords
    first, second = (asyncio.create_task(lane.run(blocked.work, caller=ANA)) for _ in range(2))
    process = await blocked.begun()
    lane.stop()
    for task in (first, second):
        with pytest.raises(ApiError) as refused:
            await task
        assert (refused.value.status, refused.value.code) == (503, "RESTARTING")
    assert not is_running(process)


def test_an_address_that_has_used_up_its_time_waits_until_it_has_some_again() -> None:
    now = [0.0]
    budget = Budget(30, 60, clock=lambda: now[0])
    budget.charge("a", 29)
    budget.check("a")
    budget.charge("a", 200)
    with pytest.raises(ApiError) as refused:
        budget.check("a")
    assert refused.value.status == 429 and refused.value.retry_s is not None
    assert 120 <= refused.value.retry_s <= 121, (
        "as long as the longest piece of work costs, whatever all cost"
    )
    budget.check("b")
    now[0] += refused.value.retry_s
    budget.check("a")


class TestBudget:
    @pytest.fixture
    def limits(self) -> Limits:
        return Limits(work_s_per_minute=0.00001)

    @pytest.mark.parametrize(
        ("path", "question"),
        [
            ("/api/explain", {"rulebook": "brasileira", "move": "c3-d4"}),
            ("/api/endings", {"rulebook": "brasileira", "ending": "man-man", "seed": 7}),
            ("/api/endings/reply", {"rulebook": "brasileira", "fen": "W:Wc3:Bf6", "moves": ["c3-d4"]}),
        ],
    )
    async def test_too_much_work_is_refused_with_a_time_and_others_are_not(
        self, server: Server, path: str, question: dict[str, Any]
    ) -> None:
        person = await server.person()
        assert (await person.http.post(path, json=question)).status_code == 200
        refused = await person.http.post(path, json=question)
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "RATE")
        assert int(refused.headers["retry-after"]) >= 1
        assert (await person.http.get("/api/rulebooks")).status_code == 200, "what costs nothing is answered"


def test_idle_processes_end_but_for_one() -> None:
    IDLE.close()
    first, second = IDLE.take(), IDLE.take()
    IDLE.give_back(first)
    IDLE.give_back(second)
    IDLE.close_older(3600)
    assert len(IDLE) == 2
    IDLE.close_older(0)
    assert len(IDLE) == 1 and second.alive and not is_running(first.pid)
