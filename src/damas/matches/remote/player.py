"""Players that are bots on a damas server: challenged there by the arena's account, judged here.

The server's game has the same rules and clock, and the arena's account as opponent, so that the bot sees an ordinary
game. The referee's clock runs from the moment the server has accepted the opponent's move to the moment the bot's
move arrives here. The bot answers for what it does; a failure of the server or of the connection is nobody's loss: it
raises `RemoteTrouble`, and the referee voids the game.
"""

import re
import secrets
import time
from contextlib import suppress
from urllib.parse import quote

from damas.arbiter import Table
from damas.board import Color
from damas.errors import RemoteTrouble
from damas.game import Position
from damas.matches.entrant import Entrant
from damas.matches.faults import Fault
from damas.matches.player import START_TIMEOUT_S, Ending, Question, Reply
from damas.matches.remote.api import Api, challenge_path, printable, refusal, token_for
from damas.matches.remote.stream import Stream

PRESET = "casual"
"""The server's preset that lets us choose the colours and has the draws of a contest."""
SETTLE_TIMEOUT_S = 20.0
"""How long the messages after the last move may take."""
FLAG_TIMEOUT_S = 1.5
"""How long the server may take to notice a flag that has fallen here."""
AWAY_TIMEOUT_S = 60.0
"""How long a bot may be away from a game without a clock."""
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class HttpPlayer:
    """One game of one bot on its server."""

    reusable = False

    def __init__(self, entrant: Entrant, tier: str) -> None:
        remote = entrant.remote
        assert remote
        self.tier = tier
        self._name, self._url = remote
        self._own = entrant.trusted
        self._api: Api | None = None
        self._stream: Stream | None = None
        self._game = ""
        self._opening = self._sent = 0
        self._late = self._closed = False
        self._color = Color.WHITE

    def start(self) -> None:
        """A game on the server begins when it is accepted, so `greet` comes after the other player is ready."""

    # Before the first move

    def greet(self, table: Table, color: Color, name: str) -> None:  # noqa: ARG002
        self._api = api = Api(self._url, token_for(self._url), own=self._own)
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
        challenge = api.ask("POST", challenge_path(self._name), wanted)
        self._game = str(challenge.data.get("id", ""))
        if not challenge.ok or not _ID.fullmatch(self._game):
            self._game = ""
            raise refusal(self._url, self._name, challenge)
        self._stream = stream = Stream(api, self._game)
        stream.start()
        if not stream.wait(lambda: stream.status not in ("", "created"), began + START_TIMEOUT_S):
            if not stream.status:
                raise RemoteTrouble(self._url, "away", "no stream")
            raise Fault("NOT_READY", "did not accept the challenge", seconds=START_TIMEOUT_S)
        if stream.over and not stream.moves:
            raise Fault("NOT_READY", "declined the challenge", seconds=time.monotonic() - began)
        self._check(table, stream)

    def _check(self, table: Table, stream: Stream) -> None:
        """Raises `RemoteTrouble` if the server has begun another game than the one requested."""
        expected = {
            "color": self._color.other.value,
            "rulebookHash": table.book.hash,
            "initialFen": table.position.fen,
        }
        for key, value in expected.items():
            if stream.full.get(key) != value:
                raise RemoteTrouble(self._url, "other_game", f"{key} {printable(str(stream.full.get(key)))}")

    # A turn

    def ask(self, question: Question) -> Reply:
        assert self._api and self._stream
        stream, record = self._stream, question.table.game.record
        before, opened = record.length - self._opening, stream.opened
        self._send_moves([move.text for move in record.moves[self._opening :]])
        began = time.monotonic()
        deadline = began + question.timeout_s

        def answered() -> bool:
            return len(stream.moves) > before or stream.over

        while not stream.wait(answered, min(deadline, time.monotonic() + AWAY_TIMEOUT_S)):
            gone = question.clock_ms is None and stream.away > AWAY_TIMEOUT_S
            if gone or time.monotonic() >= deadline:
                raise self._late_error(before, opened, time.monotonic() - began)
        if len(stream.moves) <= before:
            return self._reply_to_end(question, min(time.monotonic() - began, question.timeout_s))
        spent = max(0.0, stream.arrival(before + 1) - began)
        if spent > question.timeout_s:
            raise self._late_error(before, opened, spent)
        move = stream.moves[before]
        return Reply(move.encode("utf-8", "replace"), spent, move=move)

    def _send_moves(self, moves: list[str]) -> None:
        """Plays on the server what has been played here."""
        assert self._api and self._stream
        stream = self._stream
        while self._sent < len(moves):
            if len(stream.moves) <= self._sent and not stream.over:
                path = f"/api/{stream.door}/game/{self._game}/move/{quote(moves[self._sent], safe='')}"
                answer = self._api.ask("POST", f"{path}?ply={self._sent}", key=f"arena-{self._sent}")
                if not answer.ok:
                    if answer.code in ("GAME_OVER", "FLAG", "CALLED_OFF"):
                        stream.wait(lambda: stream.over, time.monotonic() + SETTLE_TIMEOUT_S)
                    if not stream.over:
                        raise RemoteTrouble(self._url, "refused", answer.error_text)
            self._sent += 1

    def _late_error(self, before: int, opened: int, spent: float) -> Exception:
        """No move came in time: a fault of the bot if the server was there all the while, otherwise nobody's."""
        assert self._api and self._stream
        stream = self._stream
        if not stream.connected or stream.opened != opened:
            return RemoteTrouble(self._url, "away", "the stream broke during the move")
        answer = self._api.ask("GET", f"/api/games/{self._game}", seconds=SETTLE_TIMEOUT_S)
        view = answer.data.get("view")
        if not answer.ok or not isinstance(view, dict):
            return RemoteTrouble(self._url, "refused", answer.error_text)
        if view.get("ply") != before:  # it has moved by now: late, unless the stream is broken
            arrived = stream.wait(
                lambda: len(stream.moves) > before or stream.over, time.monotonic() + SETTLE_TIMEOUT_S
            )
            if not arrived:
                return RemoteTrouble(self._url, "away", "the stream does not tell of a move")
        self._late = True
        if stream.away:
            return Fault("CRASH", "is not at the game on the server", seconds=spent)
        return Fault("TIMEOUT", "no answer", seconds=spent)

    def _reply_to_end(self, question: Question, spent: float) -> Reply:
        """What it means here that the game is over on the server without a move of the bot."""
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
        last = self._last_event()
        if last.get("reason") == f"FIRST_MOVE_LATE_{self._color.name}":
            raise Fault("TIMEOUT", "made no first move in time on the server", seconds=spent)
        if last.get("by") == self._color.value:
            if last.get("kind") == "aborted":
                raise Fault("CRASH", "called the game off on the server", seconds=spent)
            if last.get("kind") == "moved" and lost:  # the arbiter here says itself what is wrong with it
                move = str(last.get("move"))
                return Reply(move.encode("utf-8", "replace"), spent, move=move)
        raise RemoteTrouble(self._url, "ended", printable(reason or self._stream.status))

    def _last_event(self) -> dict[str, object]:
        """The event that ended the game, from its certificate; an attempt that was refused counts."""
        assert self._api
        answer = self._api.ask("GET", f"/api/games/{self._game}/certificate", seconds=SETTLE_TIMEOUT_S)
        ledger = answer.data.get("ledger")
        for event in reversed(ledger if isinstance(ledger, list) else []):
            if isinstance(event, dict) and event.get("kind") != "ruled":
                attempt = event.get("attempt")
                return attempt if isinstance(attempt, dict) else event
        return {}

    # The end

    def end(self, ending: Ending) -> None:
        """Sends the last move to the server, so that the bot sees it."""
        if self._stream:
            self._send_moves(list(ending.moves[self._opening :]))

    def stderr(self) -> bytes:
        """A bot on a server has no standard error here."""
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
        """Leaves no game running on the server: one that is not over is cancelled, aborted or resigned."""
        api, stream = self._api, self._stream
        if not (api and self._game):
            return
        deadline = time.monotonic() + SETTLE_TIMEOUT_S
        if stream and not stream.trouble:
            over = FLAG_TIMEOUT_S if self._late else 0.2 if stream.over or self._sent else 0.0
            if stream.wait(lambda: stream.over, time.monotonic() + over):
                return
        door = f"/api/{stream.door if stream else 'bot'}/game/{self._game}"
        for path in (f"/api/challenge/{self._game}/cancel", f"{door}/abort", f"{door}/resign"):
            left = max(0.1, deadline - time.monotonic())
            if api.ask("POST", path, key=secrets.token_hex(8), seconds=left).ok:
                return
