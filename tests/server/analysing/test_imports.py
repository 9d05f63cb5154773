"""Files that people bring: measured before they are played, given up when nobody waits."""

import asyncio
from pathlib import Path

import pytest

from damas.server.analysing import trees
from damas.server.analysing.measure import MAX_GAMES, MAX_MOVES, TooMuch, first_games
from damas.server.settings import Limits, Settings
from server.blocked import Blocked, is_running
from server.rooms.clients import Person, Server, serving

GAME = b'[Rulebook "brasileira"]\n\n1. c3-d4 f6-g5 *\n\n'
PDN = {"Content-Type": "application/x-pdn"}
LIMITS = Limits()


def nobody_left() -> None:
    """Somebody always waits."""


def measured(source: bytes, limits: Limits = LIMITS) -> tuple[int, bool]:
    first, more = first_games(source, limits, nobody_left)
    return len(first), more


async def sent(person: Person, body: bytes) -> tuple[int, str]:
    answer = await person.http.post("/api/pdn/read", content=body, headers=PDN)
    return answer.status_code, answer.json().get("error", {}).get("code", "")


def commented(size: int) -> bytes:
    tag = b'[Rulebook "brasileira"]'
    return tag + b" 1. c3-d4 {" + b"x" * (size - len(tag) - 2) + b"} *"


async def test_as_many_words_as_a_game_may_have_and_one_more(server: Server) -> None:
    ana = await server.person()
    most = LIMITS.pdn_game_text
    assert measured(commented(most))[1] is False
    with pytest.raises(TooMuch):
        measured(commented(most + 1))
    assert await sent(ana, GAME + commented(most + 1)) == (413, "PDN_GAME_TEXT")
    assert await sent(ana, commented(LIMITS.pdn_bytes - 200)) == (413, "PDN_GAME_TEXT")


async def test_as_many_plies_as_a_game_may_have_and_one_more(server: Server) -> None:
    def long(plies: int) -> bytes:
        return b'[Rulebook "brasileira"] ' + b"c3-d4 " * plies + b"*"

    measured(long(LIMITS.pdn_plies))
    assert await sent(await server.person(), long(LIMITS.pdn_plies + 1)) == (413, "PDN_PLIES")


def test_as_many_games_as_a_file_may_have_and_one_more() -> None:
    limits = Limits(pdn_games=3)
    measured(GAME * 3, limits)
    with pytest.raises(TooMuch) as refusal:
        measured(GAME * 4, limits)
    assert (refusal.value.limit, refusal.value.game) == ("pdn_games", 4)


def test_a_file_of_the_greatest_size_with_as_many_games_as_allowed_is_measured() -> None:
    one = b'[GameType "26"] 1. c3-d4 f6-g5 2. b2-c3 {' + b"x" * 110 + b"} *\n"
    source = one * LIMITS.pdn_games
    assert len(source) <= LIMITS.pdn_bytes
    assert measured(source) == (MAX_GAMES * len(one) - 1, True)


def test_no_more_is_played_than_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[object] = []
    reading = trees.read_games

    def counted(*arguments: object) -> object:
        for game in reading(*arguments):  # type: ignore[arg-type]
            played.append(game)
            yield game

    monkeypatch.setattr(trees, "read_games", counted)
    one_line = GAME.replace(b"\n", b" ")
    result = trees.read(one_line * (MAX_GAMES + 300), None, "en")
    assert len(result["games"]) == len(played) == MAX_GAMES and result["more"]
    assert not trees.read(one_line * MAX_GAMES, None, "en")["more"]
    long = b'[Event "x"] ' + b"c3-d4 " * 2000 + b"* "
    assert measured(long * 30)[0] < len(long) * (MAX_MOVES // 2000 + 1)


@pytest.mark.parametrize(
    "hostile", [b"{", b"[", b";", b"{\n", b"\n{", b"*", b"(", b'["', b"1-0 ", b"\n ", b"a"]
)
def test_no_text_takes_long_to_measure(hostile: bytes) -> None:
    """Each of these, a hundred thousand times, would take minutes if looking at one took as long as the rest of the text."""
    endless = Limits(pdn_games=10**9, pdn_plies=10**9, pdn_game_text=10**9)
    source = hostile * 100_000
    assert 0 < measured(source, endless)[0] <= len(source)


def test_a_comment_nobody_closed_ends_where_a_game_begins() -> None:
    result = trees.read(b"1. c3-d4 {open\n" + GAME * 2, None, "en")
    assert len(result["games"]) == 2 and len(result["bad"]) == 1


async def test_an_import_under_way_does_not_hold_up_the_stop_and_an_address_has_one(
    tmp_path: Path, blocked: Blocked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trees, "read_as_json", blocked.work)
    async with serving(Settings(data=tmp_path / "data", port=0)) as server:
        ana = await server.person()
        asking = asyncio.create_task(sent(ana, GAME))
        process = await blocked.begun()
        assert await sent(await server.person(), GAME) == (429, "UNDER_WAY")
        await server.services.stop_playing()
        assert await asking == (503, "RESTARTING")
    while is_running(process):
        await asyncio.sleep(0.01)


async def test_an_import_is_given_up_when_nobody_waits() -> None:
    def gone() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        trees.read(GAME, None, "en", check=gone)
