"""The queue of reports: leases, attempts, shares, and processes that are killed; on both databases."""

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import httpx
import msgspec
import pytest
from sqlalchemy import select, update

from damas.game import Position, Record
from damas.rules import rulebook_ids
from damas.server.settings import Settings
from damas.server.store import Store, schema
from damas.server.store.errors import TooManyReports
from damas.server.store.report_jobs import KEPT_MS, MAX_ATTEMPTS, REPORT_PREFIX
from damas.server.work.reports import FORMAT, ReportTask
from server.conftest import PATIENT, Cluster

LIMITS = msgspec.structs.replace(PATIENT, report_lease_s=60)


async def add(store: Store, key: str, *, holder: str = "h", person: str | None = "p", keep: bool = True):
    return await store.report_jobs.add(key, "{}", 9, format=FORMAT, holder=holder, person=person, keep=keep)


async def take(store: Store, node: str = "one"):
    return await store.report_jobs.take(node, FORMAT)


async def end_leases(store: Store) -> None:
    ended = update(schema.report_job).values(lease_until_ms=0)
    await store.writer.do(lambda connection: connection.execute(ended))


async def test_a_report_is_taken_once_and_stored_for_good(store: Store) -> None:
    await add(store, "a")
    job = await take(store)
    assert job and (job.id, job.attempts) == ("a", 1) and await take(store, "two") is None
    assert await store.report_jobs.renew(job, 4)
    row = await store.report_jobs.get("a")
    assert row and (row.state, row.done, row.node) == ("working", 4, "one")
    assert await store.report_jobs.finish(job, '{"plies":8}')
    assert await store.report_jobs.get("a") is None
    study = await store.studies.get(REPORT_PREFIX + "a")
    assert study and study.data == '{"plies":8}'


async def test_a_late_result_is_refused(store: Store) -> None:
    await add(store, "a")
    late = await take(store, "one")
    await end_leases(store)
    job = await take(store, "two")
    assert late and job and job.epoch == late.epoch + 1
    assert not await store.report_jobs.finish(late, '{"plies":1}')
    assert not await store.report_jobs.renew(late, 5)
    assert not await store.report_jobs.fail(late)
    assert not await store.report_jobs.hand_back(late, begun=True)
    assert await store.studies.get(REPORT_PREFIX + "a") is None
    assert await store.report_jobs.finish(job, '{"plies":8}')
    assert not await store.report_jobs.finish(job, '{"plies":8}'), "it is stored once"


async def test_after_three_lost_makers_a_report_has_failed_and_can_be_requested_again(store: Store) -> None:
    await add(store, "a")
    for _ in range(MAX_ATTEMPTS):
        assert await take(store)
        await end_leases(store)
    assert await take(store) is None
    row = await store.report_jobs.get("a")
    assert row and (row.state, row.holder, row.person) == ("failed", "", None)
    again = await add(store, "a")
    assert (again.state, again.attempts) == ("waiting", 0) and await take(store)


async def test_what_is_handed_back_is_no_attempt(store: Store) -> None:
    await add(store, "a")
    for _ in range(2 * MAX_ATTEMPTS):
        job = await take(store)
        assert job and await store.report_jobs.hand_back(job, begun=False)
    job = await take(store, "one")
    await store.report_jobs.release("two")
    assert await take(store) is None
    await store.report_jobs.release("one")
    assert job and await take(store), "an earlier process of the same name is gone"


async def test_equal_requests_share_a_job_which_then_nobody_withdraws(store: Store) -> None:
    await add(store, "a", person="ana", keep=False)
    await add(store, "a", person="rui", holder="other", keep=True)
    assert not await store.report_jobs.withdraw("a", "ana")
    row = await store.report_jobs.get("a")
    assert row and row.keep and row.holder == "h"
    await add(store, "b", person="ana")
    job = await take(store), await take(store)
    assert not await store.report_jobs.withdraw("b", "rui")
    assert await store.report_jobs.withdraw("b", "ana") and await store.report_jobs.get("b") is None
    assert job[1] and not await store.report_jobs.finish(job[1], "{}")
    await add(store, "b", person="ana")
    await take(store)
    assert not await store.report_jobs.renew(job[1], 1), "the new one is another's"


async def test_shares_and_turns(store: Store) -> None:
    await add(store, "a1", holder="ana")
    await add(store, "a2", holder="ana")
    await add(store, "r1", holder="rui")
    with pytest.raises(TooManyReports) as refused:
        await add(store, "a3", holder="ana")
    assert not refused.value.of_all
    taken = [job.id for _ in range(3) if (job := await take(store))]
    assert taken == ["a1", "r1", "a2"], "whoever has one before it waits"


async def test_what_is_not_kept_is_there_for_an_hour(store: Store) -> None:
    await add(store, "a", keep=False)
    job = await take(store)
    assert job and await store.report_jobs.finish(job, '{"plies":8}')
    await add(store, "b")
    row = await store.report_jobs.get("a")
    assert row and (row.state, row.result, row.holder) == ("done", '{"plies":8}', "")
    old = update(schema.report_job).values(updated_ms=schema.report_job.c.updated_ms - KEPT_MS - 1)
    await store.writer.do(lambda connection: connection.execute(old))
    await add(store, "c")
    assert await store.report_jobs.get("a") is None and await store.report_jobs.get("b")


async def test_two_processes_take_each_report_once(settings: Settings, store: Store) -> None:
    if settings.sqlite_path is not None:
        pytest.skip("not asked: SQLite has one process")
    for number in range(20):
        await add(store, f"k{number}", holder=f"h{number}")
    other = await Store.open(msgspec.structs.replace(settings, node="two"))
    try:

        async def take_all(store: Store, node: str) -> list[str]:
            taken = []
            while job := await take(store, node):
                taken.append(job.id)
            return taken

        one, two = await asyncio.gather(take_all(store, "one"), take_all(other, "two"))
    finally:
        await other.close()
    assert sorted(one + two) == sorted(f"k{number}" for number in range(20)) and one and two


# Whole processes


MOVES = ["c3-d4", "f6-g5", "d4-c5", "b6xd4", "e3xc5", "d6xb4", "a3xc5"]


@contextmanager
def process(*command: str, ready: str = "") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process that says a line when it is ready."""
    running = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout
        line = running.stdout.readline()
        assert ready in line, line
        yield running, line.strip()
    finally:
        running.kill()
        running.communicate()


async def wait_for(value):
    """What an async function returns, as soon as that is something."""
    async with asyncio.timeout(120):
        while not (result := await value()):
            await asyncio.sleep(0.05)
        return result


async def report_rows(store: Store):
    return await store.database.rows(select(schema.report_job))


def environment(monkeypatch: pytest.MonkeyPatch, nodes: int) -> None:
    monkeypatch.setenv("DAMAS_LIMIT_REPORT_NODES", str(nodes))
    monkeypatch.setenv("DAMAS_LIMIT_REPORT_LEASE_S", "6")


async def test_workers_that_are_killed_or_stopped_leave_their_report_to_others(
    postgresql: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One worker is killed in the middle, one is stopped, the last makes the report; two make two reports."""
    environment(monkeypatch, 1000)
    url = postgresql.create()
    store = await Store.open(Settings(data=tmp_path / "here", database_url=url, limits=LIMITS))
    command = ("-m", "damas", "worker", "--database", url, "--data", str(tmp_path / "worker"))

    async def request(moves: list[str], nodes: int) -> str:
        record = Record(Position.start("brasileira"))
        for move in moves:
            record = record.play(move)
        task = ReportTask.of(record, nodes)
        text = msgspec.json.encode(task).decode()
        fields = {"format": FORMAT, "holder": task.key(), "person": None, "keep": True}
        await store.report_jobs.add(task.key(), text, record.length + 1, **fields)
        return task.key()

    async def working():
        return [row for row in await report_rows(store) if row.state == "working"]

    try:
        slow = await request(MOVES, 250_000)
        with process(*command, ready="postgresql") as (killed, _):
            [first] = await wait_for(working)
            killed.send_signal(signal.SIGKILL)
            killed.wait()
        with process(*command) as (stopped, _):
            [second] = await wait_for(lambda: _taken_by_another(store, first.node))
            assert (second.attempts, second.epoch) == (2, first.epoch + 1)
            stopped.send_signal(signal.SIGTERM)
            assert stopped.communicate(timeout=60)[0].strip() == "0 reports made"
            [row] = await report_rows(store)
            assert (row.state, row.attempts) == ("waiting", 1), "handed back at once, and no attempt"
        quick = [await request(MOVES[:length], 500) for length in (3, 4)]
        with process(*command) as (one, _), process(*command) as (two, _):
            await wait_for(lambda: _none_left(store))
            one.send_signal(signal.SIGINT)
            two.send_signal(signal.SIGINT)
            made = [int(each.communicate(timeout=60)[0].split()[0]) for each in (one, two)]
        assert sum(made) == 3, "each report is made once"
        for key in (slow, *quick):
            assert await store.studies.get(REPORT_PREFIX + key)
    finally:
        await store.close()


async def _taken_by_another(store: Store, node: str):
    return [row for row in await report_rows(store) if row.state == "working" and row.node != node]


async def _none_left(store: Store) -> bool:
    return not await report_rows(store)


async def test_a_server_on_sqlite_that_is_killed_makes_its_report_after_the_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment(monkeypatch, 200_000)
    command = ("-m", "damas", "serve", "--port", "0", "--no-open", "--data", str(tmp_path))
    body = {"rulebook": "brasileira", "moves": MOVES}

    def state() -> tuple[str, int] | None:
        with sqlite3.connect(f"file:{tmp_path / 'damas.sqlite3'}?mode=ro", uri=True) as database:
            return database.execute("SELECT state, attempts FROM report_job").fetchone()

    async def working() -> bool:
        return state() == ("working", 1)

    with process(*command, ready="http") as (server, address):
        async with httpx.AsyncClient(base_url=address, headers={"X-Damas": "1"}, timeout=60) as web:
            job = (await web.post("/api/analysis/report", json=body)).json()
            await wait_for(working)
            server.kill()
            server.wait()
    with process(*command, ready="http") as (server, address):
        async with httpx.AsyncClient(base_url=address, headers={"X-Damas": "1"}, timeout=120) as web:
            last = {}
            async with web.stream("GET", f"/api/analysis/report/{job['id']}/stream") as stream:
                async for line in stream.aiter_lines():
                    if line.startswith("data:"):
                        last = json.loads(line.removeprefix("data:"))
        assert last["state"] == "done" and last["report"]["plies"] == len(MOVES)
        assert state() == ("done", 2)


def test_a_worker_refuses_sqlite(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "damas", "worker", "--data", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "PostgreSQL" in done.stderr and not list(tmp_path.iterdir())


async def test_jobs_follow_a_visitor_into_an_account_and_an_account_that_closes_leaves_no_name(
    store: Store,
) -> None:
    ana = await store.people.create_account("Ana", "a long password")
    await add(store, "a", person="visitor")
    await store.people.adopt("visitor", ana.id)
    row = await store.report_jobs.get("a")
    assert row and row.person == ana.id
    await store.people.close_account(ana.id)
    row = await store.report_jobs.get("a")
    assert row and row.person is None and row.state == "waiting"


@pytest.mark.parametrize("book", rulebook_ids())
def test_a_task_is_the_game_again(book: str) -> None:
    """The moves as text are enough, in every rulebook, also where only the route tells captures apart."""
    for seed in range(3):
        record, dice = Record(Position.start(book), recorded=seed > 0), Random(seed)
        while record.length < 80 and len(record.legal_moves):
            record = record.play(dice.choice(list(record.legal_moves)))
        task = ReportTask.of(record, 1000)
        again = msgspec.json.decode(msgspec.json.encode(task), type=ReportTask)
        assert again.key() == task.key() and again.record() == record
        assert again.record().recorded == record.recorded
