"""A standing ladder: it plays by itself, again with every new version, through kills, until its deadline."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from damas.server.arena.arena import now_ms
from damas.server.settings import Limits
from damas.tournaments.formats import pairings
from damas.tournaments.journal import read
from damas.tournaments.tournament import split_entries
from server.arena.people import HONEST, SLOW, Member, contained
from server.arena.processes import ServerProcess
from server.rooms.clients import Server
from server.shared import code

HOUR_MS = 3_600_000


@pytest.fixture
def limits() -> Limits:
    return Limits(arena_games_most=100)


async def standing(ana: Member, began_ms: int, **terms: Any) -> str:
    wanted = {"format": "ladder", "standing": True, "games": 1, "most": 6, "each": 6, "time_ms": 5000}
    return await ana.contest(**{**wanted, "deadline_ms": began_ms + HOUR_MS, **terms})


async def until_played(ana: Member, contest: str, run: int) -> dict[str, Any]:
    """Waits until that run is over."""
    async with asyncio.timeout(120):
        while True:
            reply = await ana.look(contest)
            if reply["run"] >= run and reply["status"] in ("open", "finished", "closed"):
                return reply
            await asyncio.sleep(0.1)


async def test_it_plays_by_itself_and_again_for_a_new_version(ana: Member, server: Server) -> None:
    contained()
    arena = server.services.arena
    contest = await standing(ana, arena.now_ms())
    assert (await ana.look(contest))["status"] == "open"
    await ana.enter(contest, "Nivel 3", "level", level=3)
    await ana.upload(contest, "Bot", HONEST)
    reply = await until_played(ana, contest, 1)
    assert reply["run"] == 1 and reply["done"] == reply["total"] > 0
    top = [row["name"] for row in reply["table"]["rows"]]
    assert top == ["Nivel 3", "Bot"]
    assert code(await ana.do(contest, "start")) == (409, "ARENA_STATE")

    await ana.upload(contest, "Bot", HONEST + "# 2\n")
    reply = await until_played(ana, contest, 2)
    assert reply["run"] == 2 and reply["shown_run"] == 2 and reply["entries"][1]["version"] == 2
    first = (await ana.http.get(f"/api/arena/{contest}?run=1")).json()
    assert first["shown_run"] == 1 and len(first["table"]["games"]) == len(reply["table"]["games"])
    game = reply["table"]["games"][0]["id"]
    one, two = [
        (await ana.http.get(f"/api/arena/{contest}/games/{game}/replay?run={run}")).json() for run in (1, 2)
    ]
    assert one["frames"][0] == two["frames"][0]
    assert code(await ana.http.get(f"/api/arena/{contest}?run=3")) == (404, "NOT_FOUND")

    arena.contests[contest].deadline_ms = arena.now_ms()  # it passes
    arena.stage(arena.contests[contest]).touch()
    reply = await ana.until(contest, "finished")
    assert reply["run"] == 2 and code(await ana.send(contest, "Bot", HONEST)) == (409, "ARENA_DEADLINE")


async def test_who_is_disqualified_or_leaves_is_not_in_the_next_run(ana: Member, server: Server) -> None:
    contest = await standing(ana, server.services.arena.now_ms())
    for name, kind in (("Um", "random"), ("Dois", "greedy"), ("Tres", "random"), ("Quatro", "greedy")):
        assert (await ana.enter(contest, name, kind)).status_code == 201
    reply = await until_played(ana, contest, 1)
    run = reply["run"]
    assert (await ana.do(contest, "pause")).status_code == 200
    await ana.do(contest, "disqualify", name="Um", reason="copied")
    leaving = next(each["id"] for each in reply["entries"] if each["name"] == "Tres")
    assert (await ana.http.delete(f"/api/arena/{contest}/entries/{leaving}")).status_code == 200
    assert (await ana.look(contest))["status"] == "paused"
    assert (await ana.do(contest, "go-on")).status_code == 200
    reply = await until_played(ana, contest, run + 1)
    assert {row["name"] for row in reply["table"]["rows"]} == {"Dois", "Quatro"}
    assert reply["out"] == {"Um": "copied"}
    assert code(await ana.enter(contest, "Um")) == (409, "ARENA_NAME_TAKEN")


@pytest.mark.parametrize(
    ("terms", "answer"),
    [
        ({"format": "swiss"}, (400, "ARENA_STANDING")),
        ({"deadline_ms": None}, (400, "ARENA_STANDING")),
        ({"games": 50}, (409, "ARENA_TOO_LONG")),
    ],
)
async def test_terms_of_no_standing_ladder(
    ana: Member, server: Server, terms: dict[str, Any], answer: tuple[int, str]
) -> None:
    wanted = {"title": "Escada", "format": "ladder", "standing": True, "games": 1, "most": 6}
    wanted |= {"deadline_ms": server.services.arena.now_ms() + HOUR_MS}
    assert code(await ana.http.post("/api/arena", json={**wanted, **terms})) == answer


def results(data: Path, contest: str) -> dict[int, dict[str, Any]]:
    """The finished games of every run, each once: reading a journal that has one twice is an error."""
    folder = data / "arena/tournaments" / contest / "runs"
    runs = {}
    for run in sorted(path.parent for path in folder.glob("*/tournament.json")):
        settings, entries = read(run)
        played = split_entries(entries)[0]
        assert set(played) <= {game.id for game in pairings(played, settings)}
        runs[int(run.name)] = played
    return runs


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.soak)])
async def test_a_killed_server_loses_nothing_and_plays_nothing_twice(tmp_path: Path, kills: int) -> None:
    """Neither results nor programs that were acknowledged."""
    contained()
    server = ServerProcess(tmp_path)
    ana = await Member(server.port).sign_up("Ana")
    contest = await standing(ana, now_ms(), rounds=2, games=max(1, kills // 4))
    sent = [(await ana.send(contest, name, SLOW)).json() for name in ("Lento", "Devagar")]
    seen: dict[int, dict[str, Any]] = {}
    try:
        async with asyncio.timeout(120 + 60 * kills):
            server.kill()
            server = ServerProcess(tmp_path, server.port)
            for each in sent:
                assert (await ana.prepared(contest, each["id"]))["state"] == "accepted"
            await ana.enter(contest, "Um")
            for _ in range(kills):
                while count(tmp_path, contest) <= sum(map(len, seen.values())):
                    await asyncio.sleep(0.05)
                server.kill()
                after = results(tmp_path, contest)
                assert is_kept(seen, after)
                seen = after
                server = ServerProcess(tmp_path, server.port)
            await ana.enter(contest, "Dois")
            while len((reply := await ana.look(contest))["table"]["rows"]) < 4 or reply["status"] != "open":
                await asyncio.sleep(0.1)
        end = results(tmp_path, contest)
        assert is_kept(seen, end)
        assert list(end) == list(range(1, reply["run"] + 1))
        assert len(end[reply["run"]]) == reply["done"] == reply["total"]
        assert list((tmp_path / "arena/tournaments" / contest / "uploads").iterdir()) == []
    finally:
        await ana.http.aclose()
        server.kill()


def count(data: Path, contest: str) -> int:
    """Finished games of all runs."""
    return sum(map(len, results(data, contest).values()))


def is_kept(before: dict[int, dict[str, Any]], after: dict[int, dict[str, Any]]) -> bool:
    """Whether every result of an earlier moment is still the same."""
    return all(after[run][game] == result for run in before for game, result in before[run].items())
