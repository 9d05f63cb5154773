"""The seat of a bot that plays on a damas server: challenged there by the arena's account, judged here.

The server's game has the same rules, the same clock and the arena's account on the other side, so that the bot sees what
it would see in any game. The referee's clock counts from the moment the server has taken the opponent's move to the
moment we hear of the bot's. What the bot does there is its own; what the server or the way to it does is nobody's loss:
that raises `RemoteTrouble`, and the referee makes the game void.
"""

import re
import secrets
import time
from contextlib import suppress
from urllib.parse import quote

from damas.arbiter import Table
from damas.arena.players import Entrant
from damas.arena.remote.api import Api, challenge_path, printable, refusal, token_for
from damas.arena.remote.stream import Stream
from damas.arena.seats import STARTING, Ending, Question, Reply
from damas.arena.verdicts import Fault
from damas.board import Color
from damas.errors import RemoteTrouble
from damas.game import Position

PRESET = "casual"
"""Of the server's presets the one with colours as we ask for them and the draws of a contest."""
SETTLING = 3.0
"""Seconds for what is said to the server after the last move."""
FLAG = 1.5
"""Seconds in which the server calls the flag that has fallen here: its margin, and the way."""
AWAY = 60.0
"""Seconds after which a bot that has left a game without a clock does not come back."""
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class HttpSeat:
    """One game of one bot on its server."""

    def __init__(self, entrant: Entrant, tier: str) -> None:
        remote = entrant.remote
        assert remote
        self.tier = tier
        self._name, self._url = remote
        self._api: Api | None = None
        self._stream: Stream | None = None
        self._game = ""
        self._opening = self._sent = 0
        self._late = self._closed = False
        self._color = Color.WHITE

    def start(self) -> None:
        """A game on the server begins when it is accepted: not before everybody else is ready."""

    # Before the first move

    def greet(self, table: Table, color: Color, name: str) -> None:  # noqa: ARG002
        self._api = api = Api(self._url, token_for(self._url))
        self._opening, self._color = table.ply, color
        wanted = {
            "rulebook": table.book.id,
            "time": str(table.clocks.control),
            "color": color.other.value,
            "preset": PRESET,
        }
        if table.position != Position.start(table.book):
            wanted["fen"] = table.position.fen
        began = time.monotonic()
        made = api.ask("POST", challenge_path(self._name), wanted)
        self._game = str(made.data.get("id", ""))
        if not made.good or not _ID.fullmatch(self._game):
            self._game = ""
            raise refusal(self._url, self._name, made)
        self._stream = stream = Stream(api, self._game)
        stream.start()
        if not stream.wait(lambda: stream.status not in ("", "created"), began + STARTING):
            if not stream.status:
                raise RemoteTrouble(self._url, "away", "no stream")
            raise Fault("NOT_READY", "did not accept the challenge", seconds=STARTING)
        if stream.over and not stream.moves:
            raise Fault("NOT_READY", "declined the challenge", seconds=time.monotonic() - began)
        self._check(table, stream)

    def _check(self, table: Table, stream: Stream) -> None:
        """That the server has begun the game that was asked for."""
        begun = {
            "color": self._color.other.value,
            "rulebookHash": table.book.hash,
            "initialFen": table.position.fen,
        }
        for key, value in begun.items():
            if stream.full.get(key) != value:
                raise RemoteTrouble(self._url, "other_game", f"{key} {printable(str(stream.full.get(key)))}")

    # A turn

    def ask(self, question: Question) -> Reply:
        assert self._api and self._stream
        stream, record = self._stream, question.table.game.record
        before, opened = record.length - self._opening, stream.opened
        self._tell([move.text for move in record.moves[self._opening :]])
        began = time.monotonic()
        deadline = began + question.seconds

        def answered() -> bool:
            return len(stream.moves) > before or stream.over

        while not stream.wait(answered, min(deadline, time.monotonic() + AWAY)):
            gone = question.limit_ms is None and stream.away > AWAY
            if gone or time.monotonic() >= deadline:
                raise self._silent(before, opened, time.monotonic() - began)
        if len(stream.moves) <= before:
            return self._ended(question, min(time.monotonic() - began, question.seconds))
        spent = max(0.0, stream.heard(before + 1) - began)
        if spent > question.seconds:
            raise self._silent(before, opened, spent)
        move = stream.moves[before]
        return Reply(move.encode("utf-8", "replace"), spent, move=move)

    def _tell(self, moves: list[str]) -> None:
        """Plays on the server what has been played here. One that ends the game there is the bot's to answer for."""
        assert self._api and self._stream
        stream = self._stream
        while self._sent < len(moves):
            if len(stream.moves) <= self._sent and not stream.over:
                path = f"/api/{stream.door}/game/{self._game}/move/{quote(moves[self._sent], safe='')}"
                answer = self._api.ask("POST", f"{path}?ply={self._sent}", key=f"arena-{self._sent}")
                if not answer.good:
                    if answer.code in ("GAME_OVER", "FLAG", "CALLED_OFF"):
                        stream.wait(lambda: stream.over, time.monotonic() + SETTLING)
                    if not stream.over:
                        raise RemoteTrouble(self._url, "refused", answer.told)
            self._sent += 1

    def _silent(self, before: int, opened: int, spent: float) -> Exception:
        """Nothing came in time: the bot's loss if the server was there all the while, and nobody's if it was not."""
        assert self._api and self._stream
        stream = self._stream
        if not stream.connected or stream.opened != opened:
            return RemoteTrouble(self._url, "away", "the stream broke during the move")
        answer = self._api.ask("GET", f"/api/games/{self._game}", seconds=SETTLING)
        view = answer.data.get("view")
        if not answer.good or not isinstance(view, dict):
            return RemoteTrouble(self._url, "refused", answer.told)
        if view.get("ply") != before:  # it has moved by now: late, unless the stream has kept it from us
            told = stream.wait(lambda: len(stream.moves) > before or stream.over, time.monotonic() + SETTLING)
            if not told:
                return RemoteTrouble(self._url, "away", "the stream does not tell of a move")
        self._late = True
        if stream.away:
            return Fault("CRASH", "left the game on the server and did not come back", seconds=spent)
        return Fault("TIMEOUT", "no answer", seconds=spent)

    def _ended(self, question: Question, spent: float) -> Reply:
        """The game is over on the server without a move of the bot's: what that is here."""
        assert self._stream
        state = self._stream.state
        reason, winner = str(state.get("termination", "")), state.get("winner")
        lost = winner == self._color.other.value
        if reason == "RESIGNATION" and lost:
            return Reply(b"resign", spent, resigns=True)
        if reason == "FLAG" and lost:
            raise Fault("TIMEOUT", "its flag fell on the server", seconds=spent)
        if reason == "FLAG":
            raise RemoteTrouble(self._url, "clock", "")
        if winner is None:
            for claim in question.table.claims_open():
                if claim.kind == "claim" and claim.citation.id == state.get("articleId"):
                    return Reply(claim.rule.id.encode(), spent, claim=claim.rule.id)
        last = self._last_deed()
        if last.get("reason") == f"FIRST_MOVE_LATE_{self._color.name}":
            raise Fault("TIMEOUT", "made no first move in time on the server", seconds=spent)
        if last.get("by") == self._color.value:
            if last.get("kind") == "aborted":
                raise Fault("CRASH", "called the game off on the server", seconds=spent)
            if last.get("kind") == "moved" and lost:  # the arbiter here says itself what is wrong with it
                move = str(last.get("move"))
                return Reply(move.encode("utf-8", "replace"), spent, move=move)
        raise RemoteTrouble(self._url, "ended", printable(reason or self._stream.status))

    def _last_deed(self) -> dict[str, object]:
        """The event by which the game ended, from its certificate: what somebody did, or tried in vain."""
        assert self._api
        answer = self._api.ask("GET", f"/api/games/{self._game}/certificate", seconds=SETTLING)
        ledger = answer.data.get("ledger")
        for event in reversed(ledger if isinstance(ledger, list) else []):
            if isinstance(event, dict) and event.get("kind") != "ruled":
                attempt = event.get("attempt")
                return attempt if isinstance(attempt, dict) else event
        return {}

    # The end

    def end(self, ending: Ending) -> None:
        """The bot sees the last move too."""
        if self._stream:
            self._tell(list(ending.moves[self._opening :]))

    def stderr(self) -> bytes:
        """A bot elsewhere says nothing beside its moves."""
        return b""

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            with suppress(RemoteTrouble):
                self._settle()
        finally:
            if self._stream:
                self._stream.stop()
            if self._api:
                self._api.close()

    def _settle(self) -> None:
        """Nothing of the arena's is left running on the server: what is not over there is called off or given up."""
        api, stream = self._api, self._stream
        if not (api and self._game):
            return
        deadline = time.monotonic() + SETTLING
        if stream and not stream.trouble:
            over = FLAG if self._late else 0.2 if stream.over or self._sent else 0.0
            if stream.wait(lambda: stream.over, time.monotonic() + over):
                return
        door = f"/api/{stream.door if stream else 'bot'}/game/{self._game}"
        for path in (f"/api/challenge/{self._game}/cancel", f"{door}/abort", f"{door}/resign"):
            if api.ask(
                "POST", path, key=secrets.token_hex(8), seconds=max(0.1, deadline - time.monotonic())
            ).good:
                return
