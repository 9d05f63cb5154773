"""Games that a browser has played by itself: stored once, under whoever played them, as the arbiter judges them."""

import asyncio
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas.arbiter import ProcedureRefused, Table
from damas.errors import BadRecord
from damas.game import Game
from damas.notation import PdnGame, read_games
from damas.rules import rulebook
from damas.rules.library import earlier_editions, rulebook_ids
from damas.server.rooms.local_game import LocalGame, replayed
from damas.server.rooms.new_game import AgainstLevel, OnOneDevice
from damas.server.security.visitors import Visitor
from damas.server.settings import Limits
from damas.server.store.rows import broken_link
from damas.server.words import Words
from server.rooms.clients import Server
from server.shared import code

ADDRESS = "/api/local-games/q7Vd0c2LxWmA"
BEGUN_MS = 1_790_000_000_000
ANA = {"name": "Ana", "password": "um cavalo sem sela"}
LINE = ("c3-d4", "f6-g5", "d4-c5", "b6xd4", "e3xc5")


def moved(*moves: str, each_ms: int = 1000) -> list[dict[str, Any]]:
    sides = ("white", "black")
    return [
        {"kind": "moved", "at": ply * each_ms, "by": sides[ply % 2], "move": move}
        for ply, move in enumerate(moves)
    ]


def resigned(side: str, at: int = 90_000) -> dict[str, Any]:
    return {"kind": "resigned", "at": at, "by": side}


def local_game(*events: dict[str, Any], **terms: Any) -> dict[str, Any]:
    return {
        "rulebook": "brasileira",
        "opponent": {"kind": "level", "level": 4},
        "time": "5+3",
        "begun_ms": BEGUN_MS,
        "ended_ms": BEGUN_MS + 60_000,
        "events": list(events),
        **terms,
    }


SHORT = local_game(*moved(*LINE), resigned("black"))


async def own_games(http: httpx.AsyncClient) -> list[dict[str, Any]]:
    return list((await http.get("/api/archive?mine=1")).json()["games"])


async def test_it_is_a_game_like_any_other(server: Server) -> None:
    http = (await server.person()).http
    answer = await http.put(ADDRESS, json=SHORT)
    game = answer.json()["id"]
    assert (answer.status_code, answer.json()["url"]) == (200, f"/game/{game}")
    [listed] = await own_games(http)
    assert (listed["id"], listed["result"], listed["reason"]) == (game, "1-0", "RESIGNATION")
    assert (listed["you"], listed["black"]["kind"], listed["plies"]) == ("white", "level:4", 5)
    assert (listed["created_ms"], listed["updated_ms"]) == (BEGUN_MS, BEGUN_MS + 60_000)
    [read] = list(read_games((await http.get(f"/game/export/{game}.pdn")).text))
    assert isinstance(read, PdnGame) and len(read.moves) == 5
    for page in (f"/game/{game}", f"/paper/scoresheet/{game}", f"/paper/certificate/{game}"):
        assert (await http.get(page)).status_code == 200, page
    shown = (await http.get(f"/api/games/{game}")).json()
    assert [move["clock_ms"] for move in shown["view"]["moves"]] == [
        303_000,
        302_000,
        305_000,
        304_000,
        307_000,
    ]
    rows = await server.services.store.games.events(game)
    assert broken_link(rows) is None
    assert [row.ply for row in rows if row.kind == "moved"] == [1, 2, 3, 4, 5]


async def test_the_same_game_is_stored_once(server: Server) -> None:
    http = (await server.person()).http
    answers = await asyncio.gather(*(http.put(ADDRESS, json=SHORT) for _ in range(6)))
    answers.append(await http.put(ADDRESS, json=SHORT))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert len(await own_games(http)) == 1


async def test_another_game_with_the_same_id_is_kept_too(server: Server) -> None:
    http, other = (await server.person()).http, (await server.person()).http
    longer = local_game(*moved(*LINE, "d6xb4"), resigned("white"))
    for who, game in ((http, SHORT), (http, longer), (http, SHORT), (other, SHORT), (other, SHORT)):
        assert (await who.put(ADDRESS, json=game)).status_code == 200
    assert sorted(game["plies"] for game in await own_games(http)) == [5, 6]
    [game] = await own_games(other)  # what one sends is another's no less
    assert game["id"] not in {each["id"] for each in await own_games(http)}


async def test_it_belongs_to_whoever_played_it(server: Server) -> None:
    ana, guest = (await server.person()).http, (await server.person()).http
    assert (await ana.put(ADDRESS, json=SHORT)).status_code == 200
    account = (await ana.post("/api/account", json=ANA)).json()["id"]
    assert (await ana.put(ADDRESS, json=SHORT)).status_code == 200  # the answer before the login was lost
    assert len(await own_games(ana)) == 1
    hers = local_game(*moved(*LINE), resigned("white"), account=account)
    assert code(await guest.put(ADDRESS, json=hers)) == (403, "OTHER_ACCOUNT")
    assert await own_games(guest) == []
    await ana.post("/api/account/logout")
    assert code(await ana.put(ADDRESS, json=hers)) == (403, "OTHER_ACCOUNT")
    await ana.post("/api/account/login", json=ANA)
    assert (await ana.put(ADDRESS, json=hers)).status_code == 200
    assert {game["result"] for game in await own_games(ana)} == {"1-0", "0-1"}


@pytest.mark.parametrize(
    ("game", "line", "words"),
    [
        (local_game(*moved("c3-e5"), resigned("white")), 1, "From c3 to e5"),
        (local_game(*moved(*LINE)), 6, "not over"),
        (local_game(resigned("white", 0), *moved("c3-d4")), 2, "over"),
        (local_game(*moved("c3-d4"), {"kind": "flag", "at": 20_000, "by": "black"}), 2, "time"),
        (local_game({"kind": "ended", "at": 0, "by": None, "reason": "x", "result": "1-0"}), 1, "ended"),
        (local_game({"kind": "claimed_absence", "at": 0, "by": "white"}), 1, "claimed_absence"),
        (local_game({"kind": "moved"}), 1, "at"),
        (local_game(*moved("c3-d4"), resigned("black", 2**64)), 2, "whole number"),
    ],
    ids=["illegal", "unfinished", "too many", "in time", "arbiter", "absence", "no event", "too late"],
)
async def test_a_record_that_does_not_hold_is_refused(
    server: Server, game: dict[str, Any], line: int, words: str
) -> None:
    http = (await server.person()).http
    answer = await http.put(ADDRESS, json=game, headers={"Accept-Language": "en"})
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (400, "RECORD")
    assert f"{line}" in error["message"] and words in error["message"]
    assert await own_games(http) == []


@pytest.mark.parametrize("limits", [Limits(games_per_day=2, body_bytes=4000)])
async def test_its_limits_are_those_of_new_games(server: Server) -> None:
    http = (await server.person()).http
    ids = ("aaaaaaaa", "aaaaaaaa", "bbbbbbbb", "cccccccc")
    sent = [await http.put(f"/api/local-games/{each}", json=SHORT) for each in ids]
    assert [code(answer) for answer in sent] == [(200, "")] * 3 + [(429, "RATE")]
    assert code(await http.put(ADDRESS, json=local_game(*moved(*LINE * 20)))) == (413, "TOO_LARGE")
    assert code(await http.put("/api/local-games/short", json=SHORT)) == (404, "NOT_FOUND")
    foreign = {"Origin": "https://elsewhere.example"}
    assert code(await http.put(ADDRESS, json=SHORT, headers=foreign)) == (403, "ORIGIN")


# What comes of a record


def played(rulebook: str, seed: int) -> tuple[Game, list[str]]:
    """A game of random moves to its end."""
    chance, table = random.Random(seed), Table.start(rulebook, "casual")
    moves: list[str] = []
    while not table.outcome and len(moves) < 300:
        moves.append(chance.choice(table.playable).text)
        table = table.play(moves[-1], 0)
    return table.game, moves


def stored(game: LocalGame) -> Any:
    head = game.head(game.game_id("aaaaaaaa"), Visitor("v", "Ana"), Words(), "en", BEGUN_MS)
    return replayed(head, game.events, game.lot)


@given(st.sampled_from(rulebook_ids()), st.integers(0, 2**20))
def test_every_record_has_the_outcome_of_its_game(rulebook: str, seed: int) -> None:
    game, moves = played(rulebook, seed)
    first = game.record.start.turn
    sides = (first.value, first.other.value)
    events = [{**event, "by": sides[ply % 2]} for ply, event in enumerate(moved(*moves, each_ms=0))]
    if not game.outcome:
        events.append(resigned(sides[0]))
    head, rows = stored(LocalGame(rulebook, OnOneDevice(), events, BEGUN_MS, BEGUN_MS))
    outcome = (game.outcome.result, game.outcome.reason) if game.outcome else (head.result, "RESIGNATION")
    assert (head.result, head.reason) == outcome
    assert (head.fen, head.plies, head.status) == (game.position.fen, len(moves), "over")
    assert broken_link(rows) is None


def test_a_flag_and_an_agreement_are_judged() -> None:
    late = [*moved("c3-d4"), {"kind": "flag", "at": 300_001, "by": "black"}]
    head, _ = stored(LocalGame("brasileira", AgainstLevel(2), late, BEGUN_MS, BEGUN_MS, time="5"))
    assert (head.result, head.reason, head.white_id) == ("1-0", "FLAG", "v")
    agreed = [
        *moved("c3-d4"),
        *({"kind": kind, "at": 9, "by": by} for kind, by in (("offered", "black"), ("accepted", "white"))),
    ]
    head, _ = stored(LocalGame("brasileira", OnOneDevice(), agreed, BEGUN_MS, BEGUN_MS))
    assert (head.result, head.reason) == ("1/2-1/2", "AGREEMENT")
    with pytest.raises(BadRecord):
        stored(LocalGame("brasileira", OnOneDevice(), agreed[:2], BEGUN_MS, BEGUN_MS))


def test_colours_that_were_drawn_by_lot_stay_as_they_were() -> None:
    terms = {"preset": "contest", "time": "30s/move", "lot": 2}  # gives black
    lost = [{"kind": "moved", "at": 0, "by": "white", "move": "c3-e5"}]
    game = LocalGame("brasileira", AgainstLevel(2), lost, BEGUN_MS, BEGUN_MS, color="black", **terms)
    head, rows = stored(game)
    assert (head.black_id, head.result, head.reason) == ("v", "0-1", "INVALID_MOVE")
    assert '"lot":{"seed":2,"first":"black"}' in rows[0].data and [row.kind for row in rows[1:]] == [
        "refused",
        "ruled",
    ]
    with pytest.raises(ProcedureRefused, match="2"):
        stored(msgspec.structs.replace(game, color="white"))


def test_rules_of_an_earlier_edition_still_count() -> None:
    (older, book), *_ = earlier_editions("brasileira").items()
    game = LocalGame("brasileira", OnOneDevice(), [resigned("white")], BEGUN_MS, BEGUN_MS, hash=older)
    assert stored(game)[0].rulebook_hash == book.hash == older
    unknown = msgspec.structs.replace(game, hash="0" * 64)
    assert stored(unknown)[0].rulebook_hash == rulebook("brasileira").hash


# A server that dies between the commit and the answer


DYING = """
import os, signal, sys
from damas.server.web import local_games
local_games.created_game = lambda game: os.kill(os.getpid(), signal.SIGKILL)
del sys.argv[0]
import runpy
runpy.run_path(sys.argv[0], run_name="__main__")
"""
SERVER = Path(__file__).parents[1] / "protocol" / "server_process.py"


@contextmanager
def running(data: Path, *, dying: bool) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and its address."""
    command = ["-c", DYING, str(SERVER)] if dying else [str(SERVER)]
    arguments = [sys.executable, *command, str(data), "0"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process, f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.terminate()


def test_a_server_that_is_killed_before_it_answers_has_it_once(tmp_path: Path) -> None:
    with httpx.Client(headers={"X-Damas": "1"}, timeout=60) as http:
        with running(tmp_path, dying=True) as (process, address):
            http.get(f"{address}/api/lobby")
            with pytest.raises((httpx.NetworkError, httpx.RemoteProtocolError)):
                http.put(f"{address}{ADDRESS}", json=SHORT)
            assert process.wait(60) == -signal.SIGKILL
        with running(tmp_path, dying=False) as (_, address):
            games = f"{address}/api/archive?mine=1"
            assert len(http.get(games).json()["games"]) == 1, "it was committed"
            answers = [http.put(f"{address}{ADDRESS}", json=SHORT) for _ in range(2)]
            [game] = http.get(games).json()["games"]
    assert [(answer.status_code, answer.json()["id"]) for answer in answers] == [(200, game["id"])] * 2
