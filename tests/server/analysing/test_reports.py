"""Reports on whole games: what was lost, in words of every language, once for all readers."""

import asyncio
from random import Random

import pytest

from damas.game import Position, Record
from damas.language import LANGUAGES
from damas.server.analysing.reports import ReportJob, Reports
from damas.server.security.errors import ApiError
from damas.server.settings import Limits
from damas.server.work.lanes import Work


class Saved(dict):
    """The studies of the store."""

    async def save(self, study):
        self[study.id] = study

    async def get(self, study_id):
        return super().get(study_id)


@pytest.fixture
async def saved():
    return Saved()


QUICK = Limits(report_nodes=3000, analysis_hash_mb=1)


def reports_under(limits, saved):
    return Reports(limits, saved, Work(limits).reports)


@pytest.fixture
async def reports(saved):
    reports = reports_under(QUICK, saved)
    yield reports
    await reports.close()


@pytest.fixture
async def slow_reports(saved):
    """Reports that are never finished, two at once."""
    reports = reports_under(Limits(report_nodes=10_000_000, analysis_hash_mb=1, reports_waiting=3), saved)
    yield reports
    await reports.close()


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
    views = [view async for view in job.watch()]
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
    done = [view["done"] async for view in job.watch()]
    assert done == sorted(done) and done[-1] == job.total


async def test_asked_again_it_is_the_same_report(reports):
    record = blundered("brasileira")
    first = await reports.request(record)
    async for _ in first.watch():
        pass
    again = await reports.request(blundered("brasileira"))
    assert again.key == first.key and again.result is first.result
    assert reports.key(record.until(3)) != first.key


async def test_another_server_finds_a_saved_report(reports, saved):
    job = await reports.request(blundered("brasileira"))
    async for _ in job.watch():
        pass
    other = reports_under(QUICK, saved)
    result = await other.get(job.key)
    assert result.finished and result.view()["report"] == job.result
    assert await other.get("0" * 32) is None
    await other.close()


async def test_a_server_that_stops_gives_unfinished_reports_up(slow_reports, saved):
    record = Record(Position.start("brasileira"))
    while record.length < 60 and len(record.position.legal_moves):
        record = record.play(record.position.legal_moves[record.length % len(record.position.legal_moves)])
    job = await slow_reports.request(record)
    while not slow_reports._lane.running:
        await asyncio.sleep(0)
    await slow_reports.close()
    assert job.failed and not saved


async def test_a_missed_shot_is_there_move_by_move(reports):
    """White could give one man and take two, and plays on the other wing."""
    position = Position.from_fen("W:Wb2,a3,a5,g7:Bd2,d6,c7", "brasileira")
    job = await reports.request(Record(position).play("g7-h8"))
    async for _ in job.watch():
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


async def test_a_report_that_finishes_while_its_progress_is_sent_is_still_shown():
    job = ReportJob("key", 2)
    views = job.watch()
    assert (await anext(views))["state"] == "working"
    job.result = {"plies": 1}
    job.changed.notify()
    assert (await anext(views))["state"] == "done"
    assert [view async for view in views] == []
