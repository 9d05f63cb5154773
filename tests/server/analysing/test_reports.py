"""Reports on whole games: what was lost, in words of every language, once for all readers."""

import asyncio
from contextlib import asynccontextmanager
from random import Random

import pytest

from damas.game import Position, Record
from damas.language import LANGUAGES
from damas.server.analysing.report_worker import ReportWorker
from damas.server.analysing.reports import ReportJob, Reports
from damas.server.nodes.bus import Bus
from damas.server.security.errors import ApiError
from damas.server.settings import Limits, Settings
from damas.server.store import Store
from damas.server.work.lanes import Work

QUICK = Limits(report_nodes=3000, analysis_hash_mb=1)
SLOW = Limits(report_nodes=10_000_000, analysis_hash_mb=1, reports_waiting=3)
"""Reports that are never finished."""


@asynccontextmanager
async def reports_under(limits, folder):
    store = await Store.open(Settings(data=folder, limits=limits))
    bus = Bus()
    worker = ReportWorker(store.report_jobs, Work(limits).reports, bus, "main", limits)
    worker.start()
    yield Reports(limits, store, bus, worker, b"secret")
    await worker.close()
    await store.close()


@pytest.fixture
async def reports(tmp_path):
    async with reports_under(QUICK, tmp_path) as reports:
        yield reports


@pytest.fixture
async def slow_reports(tmp_path):
    async with reports_under(SLOW, tmp_path) as reports:
        yield reports


def blundered(book):
    """A game in which somebody gives a piece away for nothing."""
    for seed in range(100):
        record, dice = Record(Position.start(book)), Random(seed)
        for _ in range(6):
            record = record.play(dice.choice(list(record.position.legal_moves)))
        for move in record.position.legal_moves:
            after = record.position.play(move)
            for reply in after.legal_moves:
                if reply.is_capture and not after.play(reply).must_capture():
                    return record.play(move).play(reply)
    raise AssertionError("no blunder found: choose other openings")


@pytest.mark.parametrize("book", ["brasileira", "portuguesa"])
async def test_a_blunder_is_found_and_told_in_every_language(reports, book):
    record = blundered(book)
    job = await reports.request(record)
    views = [view async for view in reports.watch(job)]
    assert views[-1]["state"] == "done" and views[0]["state"] == "working"
    report = views[-1]["report"]
    assert len(report["graph"]) == record.length
    assert all(0 <= point["chance"] <= 1 for point in report["graph"])
    worst = max(report["mistakes"], key=lambda mistake: mistake["lost"])
    assert worst["kind"] and worst["best"] != worst["move"]
    assert set(worst["sentence"]) == set(LANGUAGES) and all(worst["sentence"].values())
    assert Position.from_fen(worst["before"], book).parse(worst["best"])
    by = worst["by"]
    assert report["tally"][by][worst["kind"]] >= 1 and report["tally"][by]["kept"] < 1


async def test_progress_is_told_and_never_runs_back(reports):
    job = await reports.request(blundered("brasileira"))
    done = [view["done"] async for view in reports.watch(job)]
    assert done == sorted(done) and done[-1] == job.total


async def test_asked_again_it_is_the_same_report(reports):
    record = blundered("brasileira")
    first = await reports.request(record)
    async for _ in reports.watch(first):
        pass
    again = await reports.request(blundered("brasileira"))
    assert again.key == first.key and again.result == first.result
    assert reports.key(record.until(3)) != first.key
    assert await reports.get("0" * 32) is None


async def test_another_server_finds_a_saved_report(tmp_path):
    async with reports_under(QUICK, tmp_path) as reports:
        job = await reports.request(blundered("brasileira"))
        async for _ in reports.watch(job):
            pass
    async with reports_under(QUICK, tmp_path) as other:
        result = await other.get(job.key)
        assert result.finished and result.view()["report"] == job.result


async def test_a_server_that_stops_leaves_its_report_to_the_next(tmp_path):
    record = blundered("brasileira")
    async with reports_under(SLOW, tmp_path) as reports:
        job = await reports.request(record)
        while not reports.worker.current:
            await asyncio.sleep(0)
    async with reports_under(SLOW, tmp_path) as reports:
        while not (current := reports.worker.current):
            await asyncio.sleep(0)
        assert (current.id, current.attempts) == (job.key, 1), "what was handed back was no attempt"


async def test_a_report_is_withdrawn_by_whoever_has_requested_it(slow_reports):
    job = await slow_reports.request(blundered("brasileira"), person="ana")
    while not slow_reports.worker.current:
        await asyncio.sleep(0)
    assert not await slow_reports.withdraw(job.key, "rui")
    assert await slow_reports.withdraw(job.key, "ana")
    assert [view async for view in slow_reports.watch(job)][-1]["state"] == "failed"
    while slow_reports.worker.current:
        await asyncio.sleep(0)
    assert await slow_reports.get(job.key) is None


async def test_a_missed_shot_is_there_move_by_move(reports):
    """White could give one man and take two, and plays on the other wing."""
    position = Position.from_fen("W:Wb2,a3,a5,g7:Bd2,d6,c7", "brasileira")
    job = await reports.request(Record(position).play("g7-h8"))
    async for _ in reports.watch(job):
        pass
    [mistake] = [each for each in job.result["mistakes"] if each["ply"] == 1]
    assert mistake["missed"]["taken"] > mistake["missed"]["given"] > 0
    assert mistake["missed"]["moves"] == ["b2-c3", "d2xb4", "a3xc5xe7"]


async def test_one_more_than_the_queue_holds_is_refused(slow_reports):
    record = blundered("brasileira")
    for number, length in enumerate((record.length, 3, 4)):
        await slow_reports.request(record.until(length), address=f"192.0.2.{number}")
    assert await slow_reports.request(record), "an existing one is no new one"
    with pytest.raises(ApiError) as refused:
        await slow_reports.request(record.until(5), address="192.0.2.9")
    assert (refused.value.status, refused.value.code) == (503, "BUSY")


async def test_an_address_has_two_reports_under_way_and_others_have_theirs(slow_reports):
    record = blundered("brasileira")
    await slow_reports.request(record, address="192.0.2.1")
    await slow_reports.request(record.until(3), address="192.0.2.1")
    assert await slow_reports.request(record, address="192.0.2.1"), "an existing one is no new one"
    with pytest.raises(ApiError) as refused:
        await slow_reports.request(record.until(5), address="192.0.2.1")
    assert (refused.value.status, refused.value.code) == (429, "UNDER_WAY")
    assert await slow_reports.request(record.until(5), address="192.0.2.2")


async def test_a_report_that_finishes_while_its_progress_is_sent_is_still_shown(slow_reports):
    job = ReportJob("key", 2)
    views = slow_reports.watch(job)
    assert (await anext(views))["state"] == "working"
    job.result = {"plies": 1}
    job.changed.notify()
    assert (await anext(views))["state"] == "done"
    assert [view async for view in views] == []
