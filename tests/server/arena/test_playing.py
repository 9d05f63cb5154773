"""A tournament from its first entrant to its last paper, through pauses, a disqualification and a server that goes down."""

import asyncio
import json
import re
import shutil
from pathlib import Path

import pytest

from damas.jobs.work import Done
from damas.rules import rulebook
from damas.server.arena.child import REFUSED, play
from damas.server.arena.contest import Contest, Entered
from damas.server.settings import Settings
from damas.tournaments.journal import Journal
from server.arena.people import HONEST, LIAR, SCRIPT, TEXT, Member, contained
from server.rooms.clients import Server, serving
from server.shared import code


async def test_a_tournament_is_entered_played_and_taken_away(ana: Member, settings: Settings) -> None:
    contained()
    contest = await ana.contest(title='Liga "C++": 2027', games=1)
    await ana.upload(contest, "Honesto", HONEST)
    await ana.upload(contest, "Mentiroso", LIAR)
    assert (await ana.enter(contest, "Nivel 1", "level", level=1)).status_code == 201
    assert (await ana.do(contest, "start")).status_code == 200
    reply = await ana.until(contest, "finished")
    rows = {row["name"]: row for row in reply["table"]["rows"]}
    assert reply["done"] == reply["total"] == 3 and len(reply["table"]["games"]) == 3
    assert rows["Mentiroso"]["points"] == 0 and rows["Mentiroso"]["forfeits"] == 2
    assert rows["Honesto"]["forfeits"] == 0 and reply["table"]["rows"][-1]["name"] == "Mentiroso"
    tiers = {tier.removesuffix("+cgroup") for tier in reply["table"]["tiers"]}
    assert tiers and tiers <= {"bubblewrap", "landlock"}

    lost = next(game for game in reply["table"]["games"] if game["receipt"])
    receipt = (await ana.http.get(f"/api/arena/{contest}/receipts/{lost['receipt']}")).json()
    assert receipt["verdict"] == "INVALID_MOVE" and receipt["name"] == "Mentiroso"
    assert "9,9 8,8" in receipt["said"] and receipt["nearest"] in receipt["legal"] and receipt["article"]
    assert receipt["stderr"] is not None

    pdn = await ana.http.get(f"/api/arena/{contest}/files/games.pdn")
    assert pdn.text.count("[Event ") == 3 and "Mentiroso" in pdn.text
    assert pdn.headers["content-disposition"] == f'attachment; filename="damas-{contest}-games.pdn"'
    results = (await ana.http.get(f"/api/arena/{contest}/files/results.json")).json()
    assert len(results["list"]) == 3 and results["settings"]["title"] == 'Liga "C++": 2027'
    assert results["settings"]["rules"] == rulebook("concurso").hash
    for name, start in (("games.csv", "id,"), ("table.csv", "rank,"), ("report.html", "<!doctype")):
        assert (await ana.http.get(f"/api/arena/{contest}/files/{name}")).text.startswith(start)
    one = await ana.http.get(f"/api/arena/{contest}/games/{lost['id']}.pdn")
    assert one.text.startswith("[Event")
    assert str(settings.data) not in pdn.text + json.dumps(results) + json.dumps(receipt)


async def test_every_kind_of_file_plays(ana: Member) -> None:
    """JavaScript, the text mode, a Linux program: each runs in its box, and what it does wrong is its own."""
    contained()
    contest = await ana.contest(games=1, format="gauntlet", each=4)
    await ana.enter(contest, "Acaso")
    if shutil.which("node"):
        assert (await ana.upload(contest, "Nodo", SCRIPT, "bot.js"))["language"] == "JavaScript"
    assert (await ana.upload(contest, "Texto", TEXT, mode="text"))["mode"] == "text"
    assert (await ana.upload(contest, "Linux", Path("/bin/true").read_bytes(), "a.out"))[
        "language"
    ] == "Linux"
    await ana.do(contest, "start")
    reply = await ana.until(contest, "finished")
    faults = {}
    for game in reply["table"]["games"]:
        if game["receipt"]:
            receipt = (await ana.http.get(f"/api/arena/{contest}/receipts/{game['receipt']}")).json()
            faults[receipt["name"]] = (receipt["verdict"], receipt["said"])
    assert faults["Texto"] == ("INVALID_MOVE", "9,9 8,8")
    assert faults["Linux"][0] in ("NOT_READY", "CRASH") and "Nodo" not in faults


async def test_paused_it_rests_and_goes_on_where_it_was(ana: Member, server: Server) -> None:
    contained()
    contest = await ana.started(games=4)
    await ana.until(contest, "running", done=1)
    assert (await ana.do(contest, "pause")).status_code == 200
    await ana.until(contest, "paused")
    async with asyncio.timeout(60):  # games under way are finished first, then its process ends
        await server.services.arena._stages[contest].task
    reply = await ana.look(contest)
    assert reply["status"] == "paused" and 0 < reply["done"] < 4
    assert (
        await ana.do(contest, "disqualify", name="Lento", reason="copied\nfrom a book")
    ).status_code == 200
    row = next(row for row in (await ana.look(contest))["table"]["rows"] if row["name"] == "Lento")
    assert row["disqualified"] == "copied from a book"
    assert (await ana.do(contest, "go-on")).status_code == 200
    played = reply["done"]
    reply = await ana.until(contest, "finished")
    reasons = [game["reason"] for game in reply["table"]["games"]]
    assert reply["done"] == 4 and reasons.count("DISQUALIFIED") == 4 - played
    assert code(await ana.do(contest, "pause")) == (409, "ARENA_STATE")


async def test_it_goes_on_after_the_server_went_down(settings: Settings) -> None:
    contained()
    async with serving(settings) as running:
        ana = await Member(running.port).sign_up("Ana")
        contest = await ana.started(games=3)
        before = await ana.until(contest, "running", done=1)
        await ana.http.aclose()
    played = {game["id"]: game for game in before["table"]["games"]}
    async with serving(settings) as running:
        ana = Member(running.port)
        reply = await ana.until(contest, "finished")
        await ana.http.aclose()
    assert reply["done"] == 3
    after = {game["id"]: game for game in reply["table"]["games"]}
    assert all(after[name] == game for name, game in played.items())


async def test_the_board_is_told_while_it_is_played(ana: Member) -> None:
    contained()
    contest = await ana.started()
    async with asyncio.timeout(60), ana.http.stream("GET", f"/api/arena/{contest}/stream") as stream:
        async for line in stream.aiter_lines():
            reply = json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else None
            if reply and reply["games"] and reply["games"][0].get("ply", 0) > 1:
                break
    [game] = reply["games"]
    assert {game["white"], game["black"]} == {"Lento", "Acaso"}
    assert game["view"]["rulebook"] == "concurso" and game["view"]["pieces"] and game["view"]["last"]["route"]
    assert (await ana.http.delete(f"/api/arena/{contest}")).status_code == 200
    assert code(await ana.http.get(f"/api/arena/{contest}")) == (404, "NOT_FOUND")


async def test_an_answer_that_has_not_changed_is_not_sent_again(ana: Member) -> None:
    contest = await ana.contest()
    first = await ana.http.get(f"/api/arena/{contest}")
    again = await ana.http.get(f"/api/arena/{contest}", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304 and not again.content
    await ana.enter(contest, "Acaso")
    after = await ana.http.get(f"/api/arena/{contest}", headers={"If-None-Match": first.headers["etag"]})
    assert after.status_code == 200


async def test_nothing_of_a_deleted_tournament_stays(ana: Member, settings: Settings) -> None:
    contained()
    contest, other = await ana.contest(), await ana.contest(title="Outra")
    await ana.upload(contest, "Um", HONEST)
    await ana.upload(other, "Um", HONEST)
    await ana.upload(contest, "Dois", LIAR)
    folder = settings.data / "arena"
    assert len(list((folder / "programs").iterdir())) == 2  # kept by what they are
    assert all(re.fullmatch(r"[0-9a-f]{64}\.py", path.name) for path in (folder / "programs").iterdir())
    assert (await ana.http.delete(f"/api/arena/{contest}")).status_code == 200
    assert [path.name for path in (folder / "tournaments").iterdir()] == [other]
    assert len(list((folder / "programs").iterdir())) == 1


async def test_no_program_of_strangers_runs_without_containment(
    ana: Member, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    contest = await ana.contest()
    why = {"bubblewrap": "bwrap is not installed", "landlock": "the kernel has no Landlock"}
    with monkeypatch.context() as patch:
        patch.setattr("damas.server.arena.arena.tiers", lambda: why)
        refused = await ana.send(contest, "Honesto", HONEST)
        assert code(refused) == (409, "ARENA_NO_BOX")
        assert "bwrap is not installed" in refused.json()["error"]["message"]
        assert not (settings.data / "arena" / "programs").exists()
        assert "bwrap" in (await ana.look(contest))["no_box"]
        assert "bwrap" in (await ana.http.get("/api/arena")).json()["no_box"]
        assert (await ana.enter(contest, "Acaso")).status_code == 201
    # Nor one that was sent when there was containment: the process that plays looks for itself.
    mark = tmp_path / "ran"
    bot = tmp_path / "programs" / "bot.py"
    bot.parent.mkdir()
    bot.write_text(f"open({str(mark)!r}, 'w')")
    facts = {"owner": "a", "owner_name": "Ana"}
    held = Contest(
        title="x",
        organiser="a",
        organiser_name="Ana",
        time_ms=100,
        language="en",
        entries=[
            Entered(id="1", name="bot", kind="program", file="bot.py", **facts),
            Entered(id="2", name="random", kind="random", **facts),
        ],
    )
    Journal.create(tmp_path / "held", held.settings).close()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("damas.matches.box.tiers.missing", lambda tier: why[tier])
    monkeypatch.setattr("damas.matches.pool.workers_for", _HereWorkers)
    monkeypatch.setattr("damas.server.arena.child._until_closed", lambda stopped: None)
    said = (tmp_path / "said").open("w+")
    with said:
        assert await asyncio.to_thread(play, tmp_path / "held", 1, said) == REFUSED
        said.seek(0)
        lines = [json.loads(line) for line in said]
    assert lines[-1] == {"kind": "refused", "code": "NO_CONTAINMENT"}
    assert not mark.exists() and (tmp_path / "held" / "journal.jsonl").read_bytes() == b""


class _HereWorkers:
    """Workers in this process, where the machine can be made to look as a test wants."""

    def __init__(self, work, **_):
        self._work, self.in_progress = work, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    @property
    def has_room(self):
        return not self.in_progress

    def give(self, piece):
        self.in_progress.append(piece)

    def receive(self, timeout_s):
        with self._work.open(None) as do:
            piece = self.in_progress.pop()
            return [Done(piece, do(piece))]
