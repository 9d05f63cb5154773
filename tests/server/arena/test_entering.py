"""Who may do what in the arena: entrants, organisers, limits, and files that are not what they say."""

import pytest

from damas.server.settings import Limits
from server.arena.conftest import Join
from server.arena.people import HONEST, Member, contained
from server.rooms.clients import Server
from server.shared import code


@pytest.fixture
def limits() -> Limits:
    return Limits(
        arena_tournaments_per_account=4,
        arena_program_bytes=4096,
        arena_bytes_per_account=6000,
        arena_games_most=50,
        arena_changes_per_hour=40,
    )


async def test_only_members_hold_and_enter(ana: Member, server: Server) -> None:
    contest = await ana.contest()
    nobody = Member(server.port)
    assert code(await nobody.http.post("/api/arena", json={"title": "Minha"})) == (401, "LOGIN_NEEDED")
    assert code(await nobody.enter(contest, "Acaso")) == (401, "LOGIN_NEEDED")
    assert code(await nobody.send(contest, "Bot", HONEST)) == (401, "LOGIN_NEEDED")
    assert (await nobody.look(contest))["account"] is False
    foreign = await ana.http.post(
        f"/api/arena/{contest}/start", json={}, headers={"Origin": "https://evil.example"}
    )
    assert code(foreign) == (403, "ORIGIN")
    del ana.http.headers["X-Damas"]
    assert code(await ana.send(contest, "Bot", HONEST)) == (403, "ORIGIN")
    await nobody.http.aclose()


async def test_organising_is_the_organisers(ana: Member, join: Join) -> None:
    rui = await join("Rui")
    contest = await ana.contest()
    await ana.enter(contest, "Acaso")
    mine = (await ana.enter(contest, "Guloso", "greedy")).json()["id"]
    for what, body in (
        ("start", {}), ("pause", {}), ("go-on", {}), ("closed", {"closed": True}),
        ("disqualify", {"name": "Acaso", "reason": "no"}),
    ):  # fmt: skip
        assert code(await rui.do(contest, what, **body)) == (403, "FORBIDDEN"), what
    assert code(await rui.http.delete(f"/api/arena/{contest}")) == (403, "FORBIDDEN")
    assert code(await rui.http.delete(f"/api/arena/{contest}/entries/{mine}")) == (403, "FORBIDDEN")
    assert code(await ana.do(contest, "pause")) == (409, "ARENA_STATE")
    his = (await rui.enter(contest, "Do Rui")).json()["id"]
    assert (await rui.http.delete(f"/api/arena/{contest}/entries/{his}")).status_code == 200
    assert [entry["name"] for entry in (await ana.look(contest))["entries"]] == ["Acaso", "Guloso"]


async def test_by_invitation_full_closed_and_taken(ana: Member, join: Join) -> None:
    rui = await join("Rui")
    contest = await ana.contest(who="code", most=3, each=1)
    reply = await ana.look(contest)
    assert len(reply["code"]) == 8 and "code" not in await rui.look(contest)
    assert code(await rui.enter(contest, "Acaso")) == (403, "ARENA_NOT_INVITED")
    assert code(await rui.enter(contest, "Acaso", code="wrong")) == (403, "ARENA_NOT_INVITED")
    assert (await rui.enter(contest, "Acaso", code=reply["code"])).status_code == 201
    assert code(await rui.enter(contest, "Outro", code=reply["code"])) == (409, "ARENA_YOURS_FULL")
    assert code(await ana.enter(contest, "ACASO")) == (409, "ARENA_NAME_TAKEN")
    assert code(await ana.do(contest, "start")) == (409, "ARENA_TOO_FEW")
    assert (await ana.enter(contest, "Guloso", "greedy")).status_code == 201
    assert (await ana.enter(contest, "Nivel", "level", level=2)).status_code == 201
    assert code(await ana.enter(contest, "Mais")) == (409, "ARENA_FULL")
    mine = await ana.contest(who="organiser")
    assert code(await rui.enter(mine, "Acaso")) == (403, "ARENA_NOT_INVITED")
    assert mine not in [each["id"] for each in (await rui.http.get("/api/arena")).json()["contests"]]
    free = await ana.contest()
    assert (await ana.do(free, "closed", closed=True)).status_code == 200
    for who in (rui, ana):  # the organiser too, who may open them again
        assert code(await who.enter(free, "Acaso")) == (409, "ARENA_ENTRIES_CLOSED")
    assert (await ana.do(free, "closed", closed=False)).status_code == 200
    assert (await rui.enter(free, "Acaso")).status_code == 201


@pytest.mark.parametrize("name", ["", "a", "../../etc", "a: b", "x\ny", "\u202elobo", "n" * 31])
async def test_names_are_plain(ana: Member, name: str) -> None:
    contest = await ana.contest()
    assert code(await ana.enter(contest, name)) == (400, "BAD_NAME")


async def test_a_title_keeps_its_letters(ana: Member) -> None:
    contest = await ana.contest(title="Liga  do\n5.º A (½ ponto)")
    assert (await ana.look(contest))["title"] == "Liga do 5.º A (½ ponto)"


async def test_what_is_too_much_is_refused(ana: Member) -> None:
    contained()
    contest = await ana.contest(each=10)
    assert code(await ana.send(contest, "Longo", b"#" * 5000)) == (413, "TOO_LARGE")
    await ana.upload(contest, "Um", HONEST + "#" * 3000)
    assert code(await ana.send(contest, "Dois", HONEST + "#" * 3500)) == (409, "ARENA_PLACE_FULL")
    for name in ("Tres", "Quatro"):
        assert (await ana.enter(contest, name)).status_code == 201
    long = await ana.contest(games=100)
    await ana.enter(long, "Acaso")
    await ana.enter(long, "Guloso", "greedy")
    assert code(await ana.do(long, "start")) == (409, "ARENA_TOO_LONG")
    for _ in range(2):
        await ana.contest()
    assert code(await ana.http.post("/api/arena", json={"title": "Mais uma"})) == (409, "ARENA_TOO_MANY")
    for _ in range(40):
        answer = await ana.enter(long, "x")
        if answer.status_code == 429:
            break
    assert code(answer) == (429, "RATE") and "retry-after" in answer.headers


async def test_files_that_are_no_programs(ana: Member) -> None:
    contained()
    contest = await ana.contest(each=10)
    for number, (file, data, why) in enumerate((
        ("bot.sh", b"#!/bin/sh\nrm -rf /", "Send one of these: .py"),
        ("bot.zip", b"PK\3\4....", "The zip is damaged"),
    )):  # fmt: skip
        sent = await ana.send(contest, f"Bot {number}", data, file)
        assert sent.status_code == 202, sent.text
        end = await ana.prepared(contest, sent.json()["id"])
        assert end["state"] == "refused" and why in end["why"], end
    assert code(await ana.send(contest, "Vazio", b"")) == (400, "ARENA_NO_FILE")
    assert (await ana.look(contest))["entries"] == []
    kept = await ana.upload(contest, "Bot", HONEST, "../../../etc/passwd.py")
    assert kept["language"] == "Python" and "passwd" not in str(kept)
    assert (await ana.upload(contest, "Elfo", b"\x7fELF....", "a.out"))["language"] == "Linux"


@pytest.mark.parametrize(
    "path",
    [
        "receipts/..%2f..%2fcontest", "receipts/contest", "games/..%2f..%2fcontest.pdn", "files/..%2fcontest.json",
        "files/contest.json", "files/games.pdn", "games/001-001-01.pdn", "receipts/0123456789ab",
    ],
)  # fmt: skip
async def test_only_papers_are_given_out(ana: Member, path: str) -> None:
    contest = await ana.contest()
    assert (await ana.http.get(f"/api/arena/{contest}/{path}")).status_code == 404
    for other in ("..", "%2e%2e", "aaaaaaaaaa", contest + "%2f.."):
        assert (await ana.http.get(f"/api/arena/{other}/{path}")).status_code == 404


@pytest.mark.parametrize(
    "terms",
    [{"title": "x" * 61}, {"games": 0}, {"time_ms": 1}, {"format": "chess"}, {"rulebook": "../x"}, {"a": 1}],
)
async def test_terms_that_cannot_be(ana: Member, terms: dict[str, object]) -> None:
    answer = await ana.http.post("/api/arena", json={"title": "Liga", **terms})
    assert code(answer) == (400, "BAD_BODY")


async def test_refusals_speak_every_language(ana: Member) -> None:
    contest, said = await ana.contest(), set()
    for language in ("pt-BR", "pt-PT", "es", "en"):
        answer = await ana.http.post(f"/api/arena/{contest}/start?lang={language}", json={})
        said.add(answer.json()["error"]["message"])
        text = (await ana.http.get(f"/arena/{contest}?lang={language}", headers={"Accept": "text/html"})).text
        assert "arena." not in text.replace("arena.css", "").replace("arena.js", "")
        assert f'lang="{language}"' in text
    assert len(said) >= 3
    assert (await ana.http.get("/arena/nowhere", headers={"Accept": "text/html"})).status_code == 404
