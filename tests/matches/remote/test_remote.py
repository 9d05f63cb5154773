"""Bots over HTTP as players of the arena, against the real server."""

import asyncio
import contextlib
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from damas.arbiter import TimeControl
from damas.arena.repro import repro
from damas.cli import main
from damas.errors import BadEntrant, RemoteTrouble
from damas.language import LANGUAGES
from damas.matches import Entrant, GameResult, Start, Terms, play
from damas.matches.remote.api import TOKEN, Api, knock
from damas.matches.remote.stream import Stream
from damas.server.settings import Settings
from server.conftest import quick_passwords  # noqa: F401 (for every test here)
from server.http.programs import Program, programs
from server.rooms.clients import Server, serving

PAGE = Path(__file__).parents[3] / "docs/how-to/write-a-bot-over-http.md"
FEW = "W:Wa1,c1,e1:Bb8,d8,f8"


class House(NamedTuple):
    """A server, its address, a bot called Rui, and the arena's account, whose token is where it belongs."""

    server: Server
    url: str
    rui: Program
    arena: Program

    @property
    def bot(self) -> str:
        return f"http:Rui@{self.url}"

    async def ended(self) -> None:
        """Waits until no game of the server is played or waits for a player."""
        async with asyncio.timeout(60):
            while any(room.playing or room.waiting for room in self.server.rooms):
                await asyncio.sleep(0.01)


@asynccontextmanager
async def open_house(tmp_path: Path, patch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    async with (
        serving(Settings(data=tmp_path / "data", port=0)) as server,
        programs(server, "Rui", "Arena") as [rui, arena],
    ):
        patch.setenv(TOKEN, arena.token)
        yield House(server, f"http://127.0.0.1:{server.port}", rui, arena)


@pytest.fixture
async def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    async with open_house(tmp_path, monkeypatch) as opened:
        yield opened


@contextmanager
def first_bot(tmp_path: Path, url: str, program: Program) -> Iterator[None]:
    """The bot of the how-to page."""
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    path = tmp_path / "bot.py"
    path.write_text(code)
    command = [sys.executable, str(path), url, program.token]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.kill()


@asynccontextmanager
async def hand_made(program: Program, move: Any) -> AsyncIterator[None]:
    """A bot that accepts, looks at the game, and does what `move(program, game, state)` does on its turn."""

    async def live() -> None:
        async with program.stream("/api/stream/event") as events:
            game = (await events.next("challenge"))["challenge"]["id"]
            await program.do(f"/api/challenge/{game}/accept")
            async with program.stream(f"/api/bot/game/stream/{game}") as lines:
                full = await lines.next("gameFull")
                state = full["state"]
                while state["status"] == "started":
                    if state["turn"] == full["color"]:
                        await move(program, game, state)
                    state = await lines.next("gameState")

    task = asyncio.create_task(live())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, AssertionError, TimeoutError):
            await task


async def refereed(
    white: str, black: str, *, time_control: str = "20s/move", book: str = "brasileira", **start: Any
) -> GameResult:
    terms = Terms(book, TimeControl.parse(time_control))
    entrants = Entrant.parse(white, trusted=True), Entrant.parse(black, trusted=True)
    return await asyncio.to_thread(play, *entrants, Start(**start), terms)


# Whole games


async def test_a_whole_game_against_random(tmp_path: Path, house: House) -> None:
    with first_bot(tmp_path, house.url, house.rui):
        result = await refereed(house.bot, "random")
    assert result.receipt is None and result.offender is None
    assert result.points is not None and result.plies > 10
    assert result.tiers == {"white": "remote", "black": "in-process"}
    await house.ended()
    [room] = house.server.rooms
    assert len(room.table.game.record.moves) == result.plies
    outcome = room.table.outcome
    assert outcome and outcome.reason == result.reason
    assert house.arena.token not in json.dumps([result.pdn, result.events])


async def test_an_opening_and_the_other_colour(tmp_path: Path, house: House) -> None:
    with first_bot(tmp_path, house.url, house.rui):
        result = await refereed("random", house.bot, fen=FEW, moves=("c1-d2", "d8-e7", "d2-e3"))
    assert result.receipt is None and result.points is not None
    [room] = house.server.rooms
    assert room.table.started.fen.startswith("B:")
    assert room.table.ply == result.plies - 3
    await house.ended()


async def test_two_bots_of_one_server(tmp_path: Path, house: House) -> None:
    async with programs(house.server, "Ana") as [ana]:
        with first_bot(tmp_path, house.url, house.rui), first_bot(tmp_path, house.url, ana):
            result = await refereed(house.bot, f"http:Ana@{house.url}", fen=FEW)
    assert result.receipt is None and result.points is not None
    assert [room.table.ply for room in house.server.rooms] == [result.plies] * 2
    await house.ended()


async def test_an_account_that_plays_at_boards(
    tmp_path: Path, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with programs(house.server, "Eva", scopes=("board:play",)) as [eva]:
        monkeypatch.setenv(TOKEN, eva.token)
        with first_bot(tmp_path, house.url, house.rui):
            result = await refereed("random", house.bot, fen=FEW)
    assert result.receipt is None and result.points is not None
    await house.ended()


# What a bot may do


async def be_silent(*_: object) -> None:
    pass


async def resign(program: Program, game: str, _: object) -> None:
    await program.do(f"/api/bot/game/{game}/resign")


async def jump(program: Program, game: str, _: object) -> None:
    await program.post(f"/api/bot/game/{game}/move/9,9%208,8")


async def abort(program: Program, game: str, _: object) -> None:
    await program.do(f"/api/bot/game/{game}/abort")


async def leave(*_: object) -> None:
    raise AssertionError


@pytest.mark.parametrize(
    ("act", "color", "reason"),
    [
        (be_silent, "white", "TIMEOUT"),
        (resign, "black", "RESIGNATION"),
        (jump, "white", "INVALID_MOVE"),
        (abort, "white", "CRASH"),
        (leave, "black", "CRASH"),
    ],
)
async def test_what_a_bot_does_there_is_judged_here(
    house: House, monkeypatch: pytest.MonkeyPatch, act: Any, color: str, reason: str
) -> None:
    monkeypatch.setattr("damas.matches.remote.player.AWAY_TIMEOUT_S", 1.0)
    players = (house.bot, "random") if color == "white" else ("random", house.bot)
    began = time.monotonic()
    async with hand_made(house.rui, act):
        # Without a clock, who leaves is given up after a while.
        control = {be_silent: "2s/move", leave: "none"}.get(act, "90s/move")
        result = await refereed(*players, time_control=control, book="concurso")
    assert (result.reason, result.points) == (reason, 0.0 if color == "white" else 1.0)
    await house.ended()
    if act is resign:
        assert (result.offender, result.plies) == (None, 1)
        return
    assert result.offender == color
    assert result.receipt and house.arena.token not in json.dumps(result.receipt)
    if act is be_silent:
        assert time.monotonic() - began >= 2.0
    if act is jump:
        assert result.receipt["said"] == "9,9 8,8"
        with pytest.raises(RemoteTrouble, match="--trust"):
            repro(result.receipt)


async def test_a_bot_that_came_before_our_stream_is_missed_when_it_leaves(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damas.matches.remote.player.AWAY_TIMEOUT_S", 1.0)
    came, start = threading.Event(), Stream.start

    def start_late(stream: Stream) -> None:
        assert came.wait(60)
        start(stream)

    monkeypatch.setattr(Stream, "start", start_late)

    async def come_and_leave() -> None:
        async with house.rui.stream("/api/stream/event") as events:
            game = (await events.next("challenge"))["challenge"]["id"]
            await house.rui.do(f"/api/challenge/{game}/accept")
        async with house.rui.stream(f"/api/bot/game/stream/{game}") as lines:
            await lines.next("gameFull")
            came.set()
            await lines.next("gameState")

    bot = asyncio.create_task(come_and_leave())
    result = await refereed("random", house.bot, time_control="none", book="concurso")
    await bot
    assert (result.reason, result.offender, result.plies) == ("CRASH", "black", 1)
    await house.ended()


async def test_a_bot_that_accepts_and_never_comes_is_missed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damas.matches.remote.player.AWAY_TIMEOUT_S", 1.0)

    async def accept() -> None:
        async with house.rui.stream("/api/stream/event") as events:
            game = (await events.next("challenge"))["challenge"]["id"]
            await house.rui.do(f"/api/challenge/{game}/accept")

    bot = asyncio.create_task(accept())
    result = await refereed(house.bot, "random", time_control="none", book="concurso")
    await bot
    assert (result.reason, result.offender, result.plies) == ("CRASH", "white", 0)
    assert result.receipt and "not at the game" in result.receipt["detail"]
    await house.ended()


async def test_a_bot_that_does_not_accept_is_not_ready(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damas.matches.remote.player.START_TIMEOUT_S", 4.0)
    result = await refereed(house.bot, "random")
    assert (result.reason, result.offender) == ("NOT_READY", "white")
    await house.ended()

    async def decline() -> None:
        async with house.rui.stream("/api/stream/event") as events:
            game = (await events.next("challenge"))["challenge"]["id"]
            await house.rui.do(f"/api/challenge/{game}/decline")

    monkeypatch.setattr("damas.matches.remote.player.START_TIMEOUT_S", 30.0)
    declining = asyncio.create_task(decline())
    result = await refereed(house.bot, "random")
    assert (result.reason, result.offender) == ("NOT_READY", "white")
    assert result.receipt and "declined" in result.receipt["detail"]
    await declining


# What is nobody's loss


async def test_a_server_that_goes_away_voids_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asyncio.Event()

    async def never(*_: object) -> None:
        asked.set()

    async with open_house(tmp_path, monkeypatch) as house, hand_made(house.rui, never):
        game = asyncio.create_task(refereed(house.bot, "random", time_control="60s/move"))
        await asyncio.wait_for(asked.wait(), 60)
        # Only now: on a busy machine the game itself may take longer to begin.
        monkeypatch.setattr("damas.matches.remote.stream.REQUEST_TIMEOUT_S", 0.3)
        monkeypatch.setattr("damas.matches.remote.player.SETTLE_TIMEOUT_S", 1.0)
    result = await game
    assert (result.points, result.reason, result.offender) == (None, "OURS", None)
    assert result.receipt and "RemoteTrouble" in result.receipt["trace"]


async def test_nobody_of_that_name(
    tmp_path: Path, house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nobody = f"http:Ninguém@{house.url}"
    result = await refereed(nobody, "random")
    assert (result.points, result.reason) == (None, "OURS")
    assert result.receipt and "no player called “Ninguém”" in result.receipt["trace"]
    words = ["arena", "--trust", nobody, "random", "--out", str(tmp_path / "contest"), "--lang", "en"]
    assert await asyncio.to_thread(main, words) != 0
    assert "no player called “Ninguém”" in capsys.readouterr().err
    assert not (tmp_path / "contest").exists()
    await asyncio.to_thread(knock, "Rui", house.url, own=True)
    await house.ended()
    monkeypatch.setenv(TOKEN, "dam_wrong")
    with pytest.raises(RemoteTrouble) as wrong:
        await asyncio.to_thread(knock, "Rui", house.url, own=True)
    assert wrong.value.reason == "login"
    assert "dam_wrong" not in str(wrong.value) and house.arena.token not in str(wrong.value)


def test_the_token_is_asked_for_by_the_name_of_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TOKEN, raising=False)
    with pytest.raises(RemoteTrouble) as missing:
        play(
            Entrant.parse("http:Rui@http://127.0.0.1:9", trusted=True),
            Entrant.parse("random"),
            Start(),
            Terms("brasileira", TimeControl.parse("1s/move")),
        )
    for language in LANGUAGES:
        assert TOKEN in missing.value.sentence(language)


@pytest.mark.parametrize(
    "spec",
    [
        "http://127.0.0.1",
        "http:Rui",
        "http:@http://a",
        "http:Rui@ftp://a",
        "http:Rui@http://a:b@c",
        "http:Rui@http://a?b",
    ],
)
def test_addresses_that_are_none(spec: str) -> None:
    with pytest.raises(BadEntrant, match="http:NAME@URL"):
        Entrant.parse(spec)


# Servers that are not ours


class Stranger(ThreadingHTTPServer):
    """A server that answers with what it is told: status, headers, body; and to GET with one part after the other."""

    answer: tuple[int, dict[str, str], bytes] = (200, {}, b"{}")
    parts: tuple[bytes, ...] = ()
    pause = 0.0
    seen: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Stranger

    def do_POST(self) -> None:
        self.server.seen += (self.path,)
        status, headers, body = self.server.answer
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        with contextlib.suppress(OSError):
            for part in self.server.parts:
                self.wfile.write(part)
                time.sleep(self.server.pause)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def stranger(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stranger]:
    monkeypatch.setenv(TOKEN, "dam_x")
    server = Stranger(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("reason", "answer"),
    [
        ("redirect", (302, {"Location": "http://elsewhere/"}, b"")),
        ("refused", (200, {}, b"<html>")),
        ("refused", (404, {}, b'{"error": "text"}')),
        ("name", (404, {}, b'{"error": {"code": "NO_PLAYER"}}')),
        ("scope", (403, {}, b'{"error": {"code": "SCOPE"}}')),
    ],
)
def test_what_a_strange_server_answers(
    stranger: Stranger, reason: str, answer: tuple[int, dict[str, str], bytes]
) -> None:
    stranger.answer = answer
    with pytest.raises(RemoteTrouble) as trouble:
        knock("Rui", stranger.url, own=True)
    assert trouble.value.reason == reason
    assert len(stranger.seen) == 1


def test_an_answer_without_end(stranger: Stranger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damas.matches.remote.api.MAX_BODY_BYTES", 1000)
    stranger.answer = 200, {}, b" " * 1001
    with pytest.raises(RemoteTrouble, match="without end"):
        Api(stranger.url, "dam_x", own=True).ask("POST", "/")


def test_an_answer_that_drips(stranger: Stranger) -> None:
    stranger.parts, stranger.pause = (b" ",) * 600, 0.1
    began = time.monotonic()
    with pytest.raises(RemoteTrouble):
        Api(stranger.url, "dam_x", own=True).ask(
            "GET", "/", seconds=0.5
        )  # no length: it ends with the connection
    assert time.monotonic() - began < 40, "it drips for a minute"


@pytest.mark.parametrize("line", [b" " * 2000, b"[" * 900 + b"\n", b"no json\n", b'{"type": "gameFull"}\n'])
def test_a_stream_of_something_else_voids_the_game(
    stranger: Stranger, monkeypatch: pytest.MonkeyPatch, line: bytes
) -> None:
    monkeypatch.setattr("damas.matches.remote.stream.MAX_LINE_BYTES", 1000)
    stranger.answer, stranger.parts = (201, {}, b'{"id": "abc"}'), (line,)
    terms = Terms("brasileira", TimeControl.parse("1s/move"))
    result = play(
        Entrant.parse(f"http:Rui@{stranger.url}", trusted=True), Entrant.parse("random"), Start(), terms
    )
    assert (result.points, result.reason, result.offender) == (None, "OURS", None)
    assert result.receipt and "not of the protocol" in result.receipt["trace"]
