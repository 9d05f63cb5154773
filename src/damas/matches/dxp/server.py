"""Our engine at one end of a DXP connection: it accepts games, or requests them itself."""

import time
from collections.abc import Callable
from contextlib import suppress

from damas.board import Color
from damas.engine.engine import Engine
from damas.engine.limits import Limits
from damas.errors import DamasError
from damas.game import Game, Outcome, Position
from damas.language import Saying
from damas.matches.dxp.connection import GRACE_S, Connection, DxpError, read_move
from damas.notation import dxp
from damas.notation.dxp import Answer, End, Request
from damas.rules import Rulebook, rulebook

DEFAULT_PORT = 27531
"""Where programs usually listen."""
NO_TIME_TIMEOUT_S = 600.0
"""How long a move may take in a game that was requested without a time."""

Notify = Callable[[str, dict[str, object]], None]
"""Called with an event (asked, over, left) and its facts."""


class DxpEngine:
    """Our engine as follower (`follow`) or initiator (`initiate`) of games."""

    def __init__(
        self,
        connection: Connection,
        book: Rulebook | str,
        *,
        threads: int = 1,
        hash_mb: int = 64,
        notify: Notify = lambda _key, _facts: None,
    ) -> None:
        self._connection = connection
        self._book = rulebook(book) if isinstance(book, str) else book
        self._engine = Engine(self._book, threads=threads, hash_mb=hash_mb)
        self._notify = notify
        self.games = 0

    def close(self) -> None:
        """Closes the engine and the connection."""
        self._engine.close()
        self._connection.close()

    def follow(self) -> None:
        """Accepts games until the other program leaves or hangs up."""
        while True:
            try:
                message = self._connection.receive(None)
            except DxpError as error:
                self._notify("left", {"why": error.saying})
                return
            leaving = isinstance(message, End) and message.leaving
            if isinstance(message, Request):
                leaving = self._accept(message)
            if leaving:
                self._notify("left", {"why": Saying("cli.dxp.bye")})
                return

    def _accept(self, request: Request) -> bool:
        code = dxp.ACCEPTED
        start = Position.start(self._book)
        if request.version != dxp.VERSION:
            code = dxp.OTHER_VERSION
        elif request.position:
            try:
                start = dxp.read_position(request.position, self._book)
            except DamasError:
                code = dxp.OTHER_CONDITIONS
        self._connection.send(Answer("damas", code))
        if code != dxp.ACCEPTED:
            return False
        self._notify("asked", {"name": request.name, "minutes": request.minutes, "moves": request.moves})
        return self._play(start, request.follower, request)

    def initiate(self, games: int, minutes: int, moves: int) -> None:
        """Requests so many games, with alternating colours."""
        side = Color.WHITE
        for number in range(games):
            request = Request("damas", side.other, minutes, moves)
            answer = self._connection.request_game(request)
            self._notify("asked", {"name": answer.name, "minutes": minutes, "moves": moves})
            if self._play(Position.start(self._book), side, request, leaving=number == games - 1):
                return
            side = side.other

    def _play(self, start: Position, side: Color, request: Request, *, leaving: bool = False) -> bool:
        """Plays one game; returns whether the other program leaves after it."""
        self._engine.forget()
        game = Game.start(self._book, fen=start.fen)
        left = theirs = 60.0 * request.minutes
        while not game.outcome:
            if game.position.turn is side:
                began = time.monotonic()
                move = self._engine.search(game, _share(left, request.moves, game)).best
                assert move is not None
                used = time.monotonic() - began
                left += _again(request, game) - used
                self._connection.send(dxp.write_move(game.position, move, used))
            else:
                began = time.monotonic()
                allowed = max(theirs, 0) if request.minutes else NO_TIME_TIMEOUT_S
                try:
                    reply = self._connection.receive_move(began + allowed + GRACE_S)
                    if isinstance(reply, End):
                        self._connection.send(End(dxp.UNKNOWN))
                        self._over(game, None, reply.result)
                        return reply.leaving
                    move = read_move(game.position, reply)
                except DxpError:
                    self._claim()
                    raise
                theirs += _again(request, game) - (time.monotonic() - began)
            game = game.play(move)
        self._connection.send(End(_result(game.outcome, side), leaving=leaving))
        self._over(game, game.outcome, "")
        with suppress(DxpError):
            return self._connection.receive_end().leaving
        return True

    def _claim(self) -> None:
        """Tells the other program that it has lost, if it still listens."""
        with suppress(DxpError):
            self._connection.send(End(dxp.WON, leaving=True))

    def _over(self, game: Game, outcome: Outcome | None, result: str) -> None:
        self.games += 1
        self._notify("over", {"outcome": outcome, "said": result, "plies": game.record.length})


def _share(left: float, moves: int, game: Game) -> Limits:
    """The limits of one move: a share of the time left until the agreed number of moves, or for the whole game."""
    return Limits(clock=max(left, 0.05), moves=moves - _move_message(game) % moves if moves else None)


def _again(request: Request, game: Game) -> float:
    """Seconds that this move adds to its clock: the whole time again after the agreed number of moves."""
    whole = request.moves and (_move_message(game) + 1) % request.moves == 0
    return 60.0 * request.minutes if whole else 0.0


def _move_message(game: Game) -> int:
    """Moves made by the side to move."""
    return game.record.length // 2


def _result(outcome: Outcome, side: Color) -> str:
    if outcome.winner is None:
        return dxp.DRAWN
    return dxp.WON if outcome.winner is side else dxp.LOST
