"""Programs sent to a contest: compiled, checked, entered; new versions, deadlines, and a server that is killed meanwhile."""

import asyncio
import io
import shutil
import zipfile
from pathlib import Path

import pytest

from damas.arena.templates import TEMPLATES, new_bot
from damas.matches.box.tiers import missing
from server.arena.conftest import Join
from server.arena.people import HONEST, Member, contained
from server.rooms.clients import Server
from server.shared import code

TOOLS = {".py": "python3", ".js": "node", ".java": "javac", ".cpp": "g++", ".rs": "rustc", ".go": "go"}
NAMES = {ending: "Bot.java" if ending == ".java" else f"bot{ending}" for ending in TEMPLATES}


QUICK = (".cpp", ".rs")
"""Compiled in a second; tests of playing send Python and JavaScript."""


@pytest.mark.parametrize("languages", [QUICK, pytest.param(tuple(TEMPLATES), marks=pytest.mark.soak)])
async def test_the_templates_of_all_languages_enter_and_play(ana: Member, languages: tuple[str, ...]) -> None:
    contained()
    if why := missing("bubblewrap"):
        pytest.skip(f"not proved: {why}")
    contest = await ana.contest(games=1, format="gauntlet", each=9, check=languages != QUICK, time_ms=20_000)
    await ana.enter(contest, "Acaso")
    here = [ending for ending in languages if shutil.which(TOOLS[ending])]
    for ending in here:
        text = new_bot(Path(NAMES[ending]), "en").text
        entered = await ana.upload(contest, f"Bot {ending[1:]}", text, NAMES[ending])
        assert entered["language"] == TEMPLATES[ending].language
    await ana.do(contest, "start")
    reply = await ana.until(contest, "finished", seconds=240)
    assert reply["done"] == len(here)
    assert [game for game in reply["table"]["games"] if game["offender"]] == []
    if absent := {ending for ending in TEMPLATES if not shutil.which(TOOLS[ending])}:
        ending = min(absent)
        other = await ana.contest()
        sent = await ana.send(other, "Bot", new_bot(Path(NAMES[ending]), "en").text, NAMES[ending])
        end = await ana.prepared(other, sent.json()["id"])
        assert end["state"] == "refused" and f"has no {TEMPLATES[ending].language}" in end["why"]
        page = await ana.http.get(f"/arena/{other}", headers={"Accept": "text/html"})
        assert TEMPLATES[ending].language in page.text


async def test_a_program_that_does_not_compile_shows_its_log_to_its_team_alone(
    ana: Member, join: Join
) -> None:
    contained()
    if not shutil.which("g++"):
        pytest.skip("not proved: no g++ here")
    rui = await join("Rui")
    contest = await ana.contest()
    sent = (await rui.send(contest, "Cpp", "int main() { return none; }", "bot.cpp")).json()
    end = await rui.prepared(contest, sent["id"])
    assert end["state"] == "refused" and "did not compile" in end["why"]
    assert "bot.cpp:1:21: error" in end["log"]
    assert (await ana.prepared(contest, sent["id"]))["log"] == end["log"]  # she organises
    eva = await join("Eva")
    assert code(await eva.http.get(f"/api/arena/{contest}/submissions/{sent['id']}")) == (403, "FORBIDDEN")
    assert (await eva.look(contest))["submissions"] == (await eva.look(contest))["entries"] == []
    assert [each["state"] for each in (await rui.look(contest))["submissions"]] == ["refused"]


async def test_the_check_names_the_fault_before_a_program_enters(ana: Member) -> None:
    contained()
    contest = await ana.contest(check=True)
    stubborn = HONEST.replace('said["legal"][0]', '"2,2 3,3"')
    sent = (await ana.send(contest, "Teimoso", stubborn)).json()
    end = await ana.prepared(contest, sent["id"])
    assert end["state"] == "refused" and "did not pass the check" in end["why"]
    trouble = end["troubles"][0]
    assert "2,2 3,3" in trouble["said"] and trouble["fen"].startswith(("W:", "B:"))
    assert "article" in trouble["message"] or "(" in trouble["message"], trouble
    assert trouble["title"] and trouble["advice"]
    spanish = await ana.http.get(f"/api/arena/{contest}/submissions/{sent['id']}?lang=es")
    assert spanish.json()["why"] != end["why"]
    assert (await ana.look(contest))["entries"] == []


async def test_a_new_version_replaces_the_old_until_the_deadline(
    ana: Member, join: Join, server: Server
) -> None:
    contained()
    rui = await join("Rui")
    deadline = server.services.arena.now_ms() + 3_600_000
    contest = await ana.contest(deadline_ms=deadline, check=False)
    first = await rui.upload(contest, "Do Rui", HONEST)
    sent = await rui.send(contest, "do rui", HONEST + "# better\n")  # the same name in other letters
    await rui.prepared(contest, sent.json()["id"])
    reply = await ana.look(contest)
    [entry] = reply["entries"]
    assert (entry["name"], entry["version"]) == ("Do Rui", 2) and entry["hash"] != first["hash"]
    assert [(each["version"], each["state"]) for each in reply["submissions"]] == [
        (1, "accepted"),
        (2, "accepted"),
    ]
    assert code(await ana.send(contest, "Do Rui", HONEST)) == (409, "ARENA_NAME_TAKEN")
    programs = server.services.arena.programs
    async with asyncio.timeout(60):  # the old one is removed after the new one is seen
        while len([path for path in programs.iterdir() if not path.name.startswith(".")]) != 1:
            await asyncio.sleep(0.01)

    server.services.arena.contests[contest].deadline_ms = server.services.arena.now_ms()  # it passes
    assert code(await rui.send(contest, "Do Rui", HONEST)) == (409, "ARENA_DEADLINE")
    assert code(await rui.enter(contest, "Acaso")) == (409, "ARENA_DEADLINE")
    assert (await ana.look(contest))["takes_entries"] is False
    past = await ana.http.post("/api/arena", json={"title": "Tarde", "deadline_ms": 1})
    assert code(past) == (400, "ARENA_DEADLINE_PAST")


async def test_a_zip_of_sixteen_megabytes_is_taken_and_no_other_body_is(ana: Member, server: Server) -> None:
    contained()
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("main.py", HONEST)
        archive.writestr("weights.bin", b"\1" * ((16 << 20) - 2000))
    contest = await ana.contest()
    assert (await ana.upload(contest, "Grande", data.getvalue(), "bot.zip"))["language"] == "Python"
    more = data.getvalue() + b"#" * (17 << 20)
    assert code(await ana.send(contest, "Maior", more, "bot.zip")) == (413, "TOO_LARGE")

    async def pieces():
        for _ in range(17):
            yield b"#" * (1 << 20)

    reply = await ana.http.post(
        f"/api/arena/{contest}/programs?name=Maior&file=bot.zip",
        content=pieces(),
        headers={"Content-Type": "application/octet-stream"},
    )
    assert code(reply) == (413, "TOO_LARGE")
    other = await ana.http.post(f"/api/arena/{contest}/entries", content=b"#" * (9 << 20))
    assert code(other) == (413, "TOO_LARGE")
    uploads = server.services.arena.folder(server.services.arena.contests[contest]) / "uploads"
    assert list(uploads.iterdir()) == []


async def test_an_organiser_waits_for_what_is_being_prepared(ana: Member) -> None:
    contained()
    contest = await ana.contest()
    await ana.enter(contest, "Acaso")
    await ana.enter(contest, "Guloso", "greedy")
    sent = (await ana.send(contest, "Bot", HONEST)).json()
    assert code(await ana.do(contest, "start")) == (409, "ARENA_PREPARING")
    assert code(await ana.send(contest, "Bot", HONEST)) == (409, "ARENA_UNDER_WAY")
    assert (await ana.prepared(contest, sent["id"]))["state"] == "accepted"
    assert (await ana.do(contest, "start")).status_code == 200
