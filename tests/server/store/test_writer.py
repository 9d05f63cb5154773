"""Group commit: one bad write harms no other, a full queue says so, and no failure is ever taken for a commit."""

import asyncio
import errno
import os
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Connection, text

from damas.server.settings import Limits, Settings
from damas.server.store import Store
from damas.server.store.append import Append, append_one
from damas.server.store.database import open_database
from damas.server.store.errors import (
    BadValue,
    DuplicateEvent,
    InUse,
    StaleOwner,
    StoreBusy,
    StoreFailed,
    UnknownGame,
)
from damas.server.store.rows import FIRST_EPOCH, EventRow, HeadUpdate
from damas.server.store.writer import Stage
from server.conftest import PATIENT, Cluster
from server.store.sample_rows import event, game


async def together(store: Store, *jobs: object) -> list[object]:
    """The answers to jobs that share one transaction: they queue up behind one that waits for them."""
    before = store.writer.counts["transactions"]
    entered, go = threading.Event(), threading.Event()

    def wait(_connection: Connection) -> None:
        entered.set()
        go.wait(60)

    if store.database.patience is None:  # on a thread of its own, so it can be held up
        first = asyncio.create_task(store.writer.do(wait))
        assert await asyncio.to_thread(entered.wait, 60)
        rest = asyncio.gather(*jobs, return_exceptions=True)  # type: ignore[call-overload]
        await asyncio.sleep(0)
        go.set()
        await first
        transactions = 2
    else:  # on the event loop: what is asked for at once is written at once
        rest = asyncio.gather(*jobs, return_exceptions=True)  # type: ignore[call-overload]
        transactions = 1
    answers: list[object] = await rest
    assert store.writer.counts["transactions"] == before + transactions
    return answers


async def test_one_bad_write_harms_no_other(store: Store) -> None:
    names = [f"g{number}" for number in range(20)]
    for name in names:
        await store.games.create(game(name))
    await store.games.append("g7", FIRST_EPOCH, [event(1, client_id="old")])

    def raising(connection: Connection) -> None:
        connection.execute(text("UPDATE game SET fen = 'spoilt'"))
        raise KeyError("a mistake of ours")

    bad: list[tuple[Callable[[], Awaitable[object]], type[Exception]]] = [
        (lambda: store.games.append("g7", FIRST_EPOCH, [event(2, client_id="old")]), DuplicateEvent),
        (lambda: store.games.append("g7", FIRST_EPOCH - 1, [event(2, epoch=0)]), StaleOwner),
        (lambda: store.games.append("nobody", FIRST_EPOCH, [event(1)]), UnknownGame),
        (
            lambda: store.games.append("g7", FIRST_EPOCH, [event(2, mono_ms=2**70)]),
            Exception,
        ),  # too big a number
        (lambda: store.games.append("g7", FIRST_EPOCH, [event(2, answer="\ud800")]), BadValue),
        (lambda: store.writer.do(raising), KeyError),
    ]
    others = [name for name in names if name != "g7"]
    for seq, (wrong, expected) in enumerate(bad, start=1):
        good = [store.games.append(name, FIRST_EPOCH, [event(seq, client_id=f"c{seq}")]) for name in others]
        answers = await together(store, *good[:10], wrong(), *good[10:])
        assert isinstance(answers[10], expected)
        assert all(isinstance(answer, list) for answer in answers[:10] + answers[11:]), answers
        assert store.trouble is None
    for name in others:
        assert len(await store.games.events(name)) == len(bad)
        head = await store.games.head(name)
        assert head is not None and head.seq == len(bad) and head.fen != "spoilt"
    await store.games.append("g7", FIRST_EPOCH, [event(2)])  # the refused have left no trace
    assert len(await store.games.events("g7")) == 2


async def test_two_appends_to_one_game_in_one_transaction_follow_each_other(store: Store) -> None:
    await store.games.create(game("g"))
    answers = await together(
        store,
        store.games.append("g", FIRST_EPOCH, [event(1)]),
        store.games.append("g", FIRST_EPOCH, [event(2)]),
        store.games.append("g", FIRST_EPOCH, [event(2, client_id="again")]),
    )
    assert [type(answer) for answer in answers] == [list, list, DuplicateEvent]
    assert [row.seq for row in await store.games.events("g")] == [1, 2]


async def test_beyond_the_queue_people_are_told_busy(settings: Settings) -> None:
    store = await Store.open(msgspec.structs.replace(settings, limits=Limits(queue=8)))
    await store.games.create(game("g"))
    jobs = [store.games.say("g", "ana", "Ana", str(number), 0) for number in range(20)]
    answers = await asyncio.gather(*jobs, return_exceptions=True)
    busy = [answer for answer in answers if isinstance(answer, StoreBusy)]
    assert len(busy) == 12
    assert busy[0].retry_ms == settings.limits.busy_retry_ms
    assert len(await store.games.chat("g")) == 8
    assert store.figures()["busy"] == 12
    await store.close()


async def test_a_transaction_takes_a_batch_at_most(settings: Settings) -> None:
    assert (settings.limits.queue, settings.limits.batch) == (1024, 512)
    store = await Store.open(msgspec.structs.replace(settings, limits=Limits(batch=5)))
    await store.games.create(game("g"))
    before = store.writer.counts["transactions"]
    await asyncio.gather(*(store.games.say("g", "ana", "Ana", str(number), 0) for number in range(20)))
    assert store.writer.counts["transactions"] - before >= 4
    await store.close()


FAULTS: dict[str, Callable[[], Exception]] = {
    "disk full": lambda: sqlite3.OperationalError("database or disk is full"),
    "ENOSPC": lambda: OSError(errno.ENOSPC, "No space left on device"),
    "EIO": lambda: OSError(errno.EIO, "Input/output error"),
    "locked": lambda: sqlite3.OperationalError("database is locked"),
    "gone": lambda: ConnectionResetError("connection lost"),
    "slow": TimeoutError,
}


@pytest.mark.parametrize("stage", ["connect", "begin", "write", "commit", "committed"])
async def test_nothing_is_acknowledged_without_its_commit(store: Store, stage: Stage) -> None:
    """Whatever fails and when: the caller is told, reading back tells the truth, and writing goes on by itself."""
    await store.games.create(game("g"))
    for seq, make in enumerate(FAULTS.values(), start=1):
        sent = event(seq, client_id=f"c{seq}")

        def fail(at: Stage, make: Callable[[], Exception] = make) -> None:
            if at == stage:
                raise make()

        store.writer.fault = fail
        with pytest.raises(StoreFailed) as refusal:
            await store.games.append("g", FIRST_EPOCH, [sent])
        assert store.trouble
        store.writer.fault = None
        result = await store.games.by_client_id("g", f"c{seq}")
        # Only after COMMIT was asked for may it be there; who is told "nothing was written" can rely on it.
        assert refusal.value.unknown == (stage == "committed")
        assert (result is not None) == (stage == "committed")
        if result is None:
            await store.games.append("g", FIRST_EPOCH, [sent])
        else:
            with pytest.raises(DuplicateEvent):
                await store.games.append("g", FIRST_EPOCH, [sent])
        assert store.trouble is None
    assert [row.client_id for row in await store.games.events("g")] == [f"c{seq}" for seq in range(1, 7)]


async def test_everybody_in_a_failed_transaction_is_told(store: Store) -> None:
    names = [f"g{number}" for number in range(10)]
    for name in names:
        await store.games.create(game(name))

    def fail(at: Stage) -> None:
        if at == "commit":
            raise OSError(errno.ENOSPC, "No space left on device")

    store.writer.fault = fail
    jobs = [store.games.append(name, FIRST_EPOCH, [event(1)]) for name in names]
    answers = await asyncio.gather(*jobs, return_exceptions=True)
    assert all(isinstance(answer, StoreFailed) and not answer.unknown for answer in answers)
    assert "no space left" in (store.trouble or "")
    store.writer.fault = None
    for name in names:
        assert await store.games.events(name) == []
        await store.games.append(name, FIRST_EPOCH, [event(1)])


async def test_who_goes_away_takes_nobody_along(store: Store) -> None:
    await store.games.create(game("g"))
    await store.games.create(game("h"))
    going = asyncio.create_task(store.games.append("g", FIRST_EPOCH, [event(1)]))
    staying = asyncio.create_task(store.games.append("h", FIRST_EPOCH, [event(1)]))
    await asyncio.sleep(0)
    going.cancel()
    assert len(await staying) == 1
    with pytest.raises(asyncio.CancelledError):
        await going


async def test_closing_writes_what_waits_and_takes_nothing_more(settings: Settings) -> None:
    unhurried = msgspec.structs.replace(PATIENT, drain_s=60, stop_s=120)
    store = await Store.open(msgspec.structs.replace(settings, limits=unhurried))
    await store.games.create(game("g"))
    jobs = [asyncio.create_task(store.games.say("g", "ana", "Ana", str(n), 0)) for n in range(30)]
    await asyncio.sleep(0)
    await store.close()
    assert all(task.exception() is None for task in jobs)
    with pytest.raises(StoreFailed):
        await store.games.say("g", "ana", "Ana", "late", 0)
    store = await Store.open(settings)
    assert len(await store.games.chat("g")) == 30
    await store.close()


# Faults that are not made by the hook


def sqlite_settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path, limits=Limits(locked_s=0.1))


async def test_a_full_sqlite_file_loses_nothing_acknowledged(tmp_path: Path) -> None:
    store = await Store.open(sqlite_settings(tmp_path))
    await store.games.create(game("g"))

    def shrink(connection: Connection) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 8}")

    await store.writer.do(shrink)
    acked: list[EventRow] = []

    async def fill() -> None:
        for seq in range(1, 1000):
            acked.extend(await store.games.append("g", FIRST_EPOCH, [event(seq, data="x" * 500)]))

    with pytest.raises(StoreFailed, match="no space left"):
        await fill()
    assert len(acked) > 10
    assert await store.games.events("g") == acked
    await store.games.append("g", FIRST_EPOCH, [event(len(acked) + 1)])  # the limit was the connection's
    await store.close()


async def test_a_write_that_the_system_refuses_loses_nothing_acknowledged(tmp_path: Path) -> None:
    """The write-ahead log meets the largest size a file may have: the system itself fails the write, in mid-commit."""
    resource = pytest.importorskip(
        "resource", reason="not proved: this system has no limit on the size of files"
    )
    store = await Store.open(sqlite_settings(tmp_path))
    await store.games.create(game("g"))
    acked: list[EventRow] = []
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (store.database.wal_bytes() + 100_000, hard))
    failures = 0
    try:
        for _ in range(200):
            try:
                acked += await store.games.append("g", FIRST_EPOCH, [event(len(acked) + 1, data="x" * 500)])
            except StoreFailed:
                failures += 1
                if failures == 5:
                    break
        assert failures == 5
        assert store.trouble
        assert [row.seq for row in await store.games.events("g")] == [row.seq for row in acked]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    acked += await store.games.append(
        "g", FIRST_EPOCH, [event(len(acked) + 1)]
    )  # by itself, when there is room
    assert store.trouble is None
    await store.close()
    with closing(sqlite3.connect(tmp_path / "damas.sqlite3")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("SELECT count(*) FROM event").fetchone() == (len(acked),)


async def test_a_locked_sqlite_file_is_told_while_it_is_locked(tmp_path: Path) -> None:
    store = await Store.open(sqlite_settings(tmp_path))
    await store.games.create(game("g"))
    other = sqlite3.connect(tmp_path / "damas.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreFailed, match="locked"):  # while it still is: it was not waited for
        await store.games.append("g", FIRST_EPOCH, [event(1)])
    assert store.trouble == "database is locked"
    assert await store.games.events("g") == []  # reading goes on
    other.execute("ROLLBACK")
    other.close()
    await store.games.append("g", FIRST_EPOCH, [event(1)])
    assert store.trouble is None
    await store.close()


async def test_a_hanging_database_is_told(tmp_path: Path) -> None:
    store = await Store.open(sqlite_settings(tmp_path))
    go = threading.Event()
    stuck = asyncio.create_task(store.writer.do(lambda _connection: go.wait(60)))
    while store.trouble is None:
        await asyncio.sleep(0.05)
    assert store.trouble == "the database does not answer"
    assert not stuck.done()
    go.set()
    await stuck
    assert store.trouble is None
    await store.close()


async def test_a_disk_that_hangs_does_not_hold_up_the_stop_and_keeps_the_lock(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, limits=Limits(drain_s=0.1, stop_s=0.3))
    store = await Store.open(settings)
    go, started = threading.Event(), threading.Event()

    def hang(_connection: Connection) -> None:
        started.set()
        go.wait(600)

    stuck = asyncio.create_task(store.writer.do(hang))
    assert await asyncio.to_thread(started.wait, 60)
    await store.close()
    assert not go.is_set(), "the disk has not answered, and nobody waits for it"
    with pytest.raises(StoreFailed) as refusal:
        await stuck
    assert refusal.value.unknown
    with pytest.raises(InUse):  # it may commit yet
        await Store.open(settings)
    go.set()


async def test_a_reader_is_stopped_after_its_time(tmp_path: Path) -> None:
    store = await Store.open(Settings(data=tmp_path, limits=Limits(read_s=0.2)))
    endless = text("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
    with pytest.raises(StoreFailed, match="interrupted"):  # else it would never end
        await store.database.read(lambda connection: connection.execute(endless).all())
    assert await store.games.unfinished("") == []
    await store.close()


async def test_readers_cannot_write(store: Store) -> None:
    with pytest.raises(StoreFailed, match=r"readonly|read-only"):
        await store.database.read(lambda connection: connection.execute(text("DELETE FROM game")))


async def test_a_stopped_postgresql_loses_nothing_acknowledged(
    new_cluster: Callable[[], Cluster], tmp_path: Path
) -> None:
    """The server is stopped as by a power switch, again and again, while games are written."""
    cluster = new_cluster()
    store = await Store.open(Settings(data=tmp_path, database_url=cluster.create()))
    names = [f"g{number}" for number in range(8)]
    acked: dict[str, list[str]] = {name: [] for name in names}
    for name in names:
        await store.games.create(game(name))
    failures = 0
    over = False

    async def play(name: str) -> None:
        nonlocal failures
        while not over:
            client_id = f"c{len(acked[name])}"
            try:
                await store.games.append(
                    name, FIRST_EPOCH, [event(len(acked[name]) + 1, client_id=client_id)]
                )
            except StoreFailed:
                failures += 1
                while not over:
                    await asyncio.sleep(0.02)
                    try:
                        if await store.games.by_client_id(name, client_id) is not None:
                            acked[name].append(client_id)
                        break
                    except StoreFailed:
                        continue
            else:
                acked[name].append(client_id)

    players = [asyncio.create_task(play(name)) for name in names]
    for _ in range(int(os.environ.get("DAMAS_TEST_STOPS", "3"))):
        await asyncio.sleep(0.2)
        await asyncio.to_thread(cluster.stop, "immediate")
        await asyncio.to_thread(cluster.start)
        moves = sum(map(len, acked.values()))
        async with asyncio.timeout(60):
            while sum(map(len, acked.values())) <= moves + 8:
                await asyncio.sleep(0.02)
    over = True
    await asyncio.gather(*players)
    assert failures > 0
    assert store.trouble is None
    for name in names:
        result = [row.client_id for row in await store.games.events(name)]
        assert result[: len(acked[name])] == acked[name]
        assert len(result) - len(acked[name]) <= 1
    await store.close()


async def test_a_commit_that_is_still_under_way_is_waited_for(postgresql: Cluster, tmp_path: Path) -> None:
    """The connection is lost in the middle of COMMIT: "it is not there" would be a guess."""
    settings = Settings(data=tmp_path, database_url=postgresql.create(), limits=PATIENT)
    store = await Store.open(settings)
    await store.games.create(game("g"))
    other = await open_database(msgspec.structs.replace(settings, node="lost"))
    lost = await other.writer()  # what the database still works on

    def unfinished(connection: Connection) -> None:
        connection.begin()
        append_one(connection, Append("g", FIRST_EPOCH, [event(1, client_id="c")], None))

    await lost.run(unfinished)
    store.writer.unsettled.add("g")
    asking = asyncio.create_task(store.games.by_client_id("g", "c"))
    _done, waiting = await asyncio.wait({asking}, timeout=0.3)
    assert waiting
    await lost.run(lambda connection: connection.commit())
    result = await asking
    assert result is not None and result.seq == 1
    assert not store.writer.unsettled

    def another(connection: Connection) -> None:
        connection.begin()
        append_one(connection, Append("g", FIRST_EPOCH, [event(2, client_id="d")], None))

    await lost.run(another)
    summing_up = asyncio.create_task(store.games.append("g", FIRST_EPOCH, [], HeadUpdate(plies=9)))
    await asyncio.wait({summing_up}, timeout=0.3)
    await lost.run(lambda connection: connection.commit())
    await summing_up
    head = await store.games.head("g")
    assert head is not None and (head.seq, head.plies) == (2, 9)  # and not the summary from before the wait
    await lost.drop()
    await other.close()
    await store.close()


async def test_a_postgresql_that_hangs_is_given_up_and_come_back_to(
    postgresql: Cluster, tmp_path: Path
) -> None:
    url = postgresql.create()
    await (await Store.open(Settings(data=tmp_path, database_url=url))).close()  # its tables may take longer
    store = await Store.open(Settings(data=tmp_path, database_url=url, limits=Limits(commit_s=1.5)))
    await store.games.create(game("g"))
    with pytest.raises(StoreFailed) as refusal:
        await store.writer.do(lambda connection: connection.execute(text("SELECT pg_sleep(20)")))
    assert not refusal.value.unknown
    async with asyncio.timeout(60):
        while not await store.games.events("g"):
            with suppress(StoreFailed):  # a busy machine may take longer than `commit_s` again
                await store.games.append("g", FIRST_EPOCH, [event(1)])
    assert store.trouble is None
    await store.close()


async def test_a_long_log_raises_an_alarm(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = await Store.open(Settings(data=tmp_path, limits=Limits(wal_bytes=1000)))
    await store.games.create(game("g"))
    assert any("write-ahead log" in message for message in caplog.messages)
    assert store.figures()["wal_bytes"] > 1000
    await store.close()


async def test_two_postgresql_nodes_keep_out_of_each_others_games(
    postgresql: Cluster, tmp_path: Path
) -> None:
    url = postgresql.create()
    short = Limits(lease_s=0.3)
    one, two = await asyncio.gather(
        *(
            Store.open(Settings(data=tmp_path, database_url=url, node=node, limits=short))
            for node in ("one", "two")
        )
    )
    await one.games.create(game("g"), node="one")
    await one.games.append("g", FIRST_EPOCH, [event(1)])
    while not (
        epochs := await two.games.take(["g"], "two")
    ):  # until the lease of one, which does not beat, has ended
        await asyncio.sleep(0.02)
    epoch = epochs["g"]
    answers = await asyncio.gather(
        one.games.append("g", FIRST_EPOCH, [event(2, client_id="late")]),
        two.games.append("g", epoch, [event(2, epoch=epoch)]),
        return_exceptions=True,
    )
    assert isinstance(answers[0], StaleOwner)
    assert [row.epoch for row in await one.games.events("g")] == [FIRST_EPOCH, epoch]
    await one.close()
    await two.close()
