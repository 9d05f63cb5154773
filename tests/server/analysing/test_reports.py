"""Reports on whole games: what was lost, in words of every language, once for all readers."""

import asyncio
from random import Random

import pytest

from damas.game import Position, Record
from damas.language import LANGUAGES
from damas.server.analysing.jobs import Jobs, TooManyOfAddress, TooManyReports
from damas.server.analysing.places import Place


class Kept(dict):
    """Where reports are kept, as the jobs ask for it."""

    async def find(self, key):
        return self.get(key)

    async def keep(self, key, report):
        self[key] = report


@pytest.fixture
async def jobs():
    kept = Kept()
    jobs = Jobs(nodes=3000, hash_mb=1, threads=1, find=kept.find, keep=kept.keep)
    jobs.kept = kept
    yield jobs
    await jobs.close()


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
async def test_a_blunder_is_found_and_told_in_every_language(jobs, book):
    record = blundered(book)
    job = await jobs.ask(record)
    views = [view async for view in jobs.watch(job)]
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


async def test_progress_is_told_and_never_runs_back(jobs):
    job = await jobs.ask(blundered("brasileira"))
    done = [view["done"] async for view in jobs.watch(job)]
    assert done == sorted(done) and done[-1] == job.total


async def test_asked_again_it_is_the_same_report(jobs):
    record = blundered("brasileira")
    first = await jobs.ask(record)
    async for _ in jobs.watch(first):
        pass
    again = await jobs.ask(blundered("brasileira"))
    assert again.id == first.id and again.result is first.result
    assert jobs.key(record.until(3)) != first.id


async def test_another_server_finds_what_was_kept(jobs):
    job = await jobs.ask(blundered("brasileira"))
    async for _ in jobs.watch(job):
        pass
    other = Jobs(nodes=3000, hash_mb=1, threads=1, find=jobs.kept.find, keep=jobs.kept.keep)
    found = await other.get(job.id)
    assert found.finished and found.view()["report"] == job.result
    assert await other.get("0" * 32) is None
    await other.close()


async def test_a_server_that_stops_gives_unfinished_reports_up(jobs):
    record = Place.read("brasileira", "", "").record
    while record.length < 60 and len(record.position.legal_moves):
        record = record.play(record.position.legal_moves[record.length % len(record.position.legal_moves)])
    slow = Jobs(nodes=10_000_000, hash_mb=1, threads=1, find=jobs.kept.find, keep=jobs.kept.keep)
    job = await slow.ask(record)
    await asyncio.sleep(0.1)
    async with asyncio.timeout(2):
        await slow.close()
    assert job.failed and not jobs.kept


async def test_a_missed_shot_is_there_move_by_move(jobs):
    """White could give one man and take two, and plays on the other wing."""
    position = Position.from_fen("W:Wb2,a3,a5,g7:Bd2,d6,c7", "brasileira")
    job = await jobs.ask(Record(position).play("g7-h8"))
    async for _ in jobs.watch(job):
        pass
    [mistake] = [each for each in job.result["mistakes"] if each["ply"] == 1]
    assert mistake["missed"]["taken"] > mistake["missed"]["given"] > 0
    assert mistake["missed"]["moves"] == ["b2-c3", "d2xb4", "a3xc5xe7"]


async def test_one_more_than_the_queue_holds_is_told_to_come_back(jobs):
    few = Jobs(
        nodes=10_000_000, hash_mb=1, threads=1, find=jobs.kept.find, keep=jobs.kept.keep, most_waiting=2
    )
    record = blundered("brasileira")
    await few.ask(record)
    await few.ask(record.until(3))
    assert await few.ask(record), "the same one is no new one"
    with pytest.raises(TooManyReports):
        await few.ask(record.until(5))
    await few.close()


async def test_an_address_has_two_reports_under_way_and_others_have_theirs(jobs):
    slow = Jobs(nodes=10_000_000, hash_mb=1, threads=1, find=jobs.kept.find, keep=jobs.kept.keep, each=2)
    record = blundered("brasileira")
    await slow.ask(record, address="192.0.2.1")
    await slow.ask(record.until(3), address="192.0.2.1")
    assert await slow.ask(record, address="192.0.2.1"), "the same one is no new one"
    with pytest.raises(TooManyOfAddress):
        await slow.ask(record.until(5), address="192.0.2.1")
    assert await slow.ask(record.until(5), address="192.0.2.2")
    await slow.close()
