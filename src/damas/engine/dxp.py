"""DamExchange: playing other programs over a connection, asked or asking.

One of two programs listens and the other calls; apart from that, one asks for games (the initiator) and the other
accepts them (the follower). What the other says is never trusted: in a game every wait has a deadline, a message has a
longest length, and whoever dies, is late or plays what is not legal forfeits the game, with the reason.
"""

from __future__ import annotations

import shlex
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress

from damas.board import Color
from damas.engine.engine import Engine, Place, record_at
from damas.engine.limits import Limits
from damas.engine.match import Forfeit, NeverStarted
from damas.engine.peer import Child
from damas.errors import DamasError
from damas.game import Game, Move, Outcome, Position, Record
from damas.language import Saying
from damas.notation import dxp
from damas.notation.dxp import Answer, Back, BackAnswer, Chat, End, Made, Message, Request
from damas.rules import Rulebook, rulebook

PORT = 27531
"""Where programs listen unless told otherwise."""
CALLING = 10.0
"""Seconds until a program that was started must listen."""
ANSWER = 20.0
"""Seconds for an answer that needs no thought."""
GRACE = 2.0
"""Seconds beyond its time before a program is late."""
NOT_AGREED = 600.0
"""Seconds for a move where a game was asked for without a time."""
CHUNK = 4096
REFUSALS = {
    dxp.OTHER_VERSION: "forfeit.refused_version",
    dxp.OTHER_CONDITIONS: "forfeit.refused_conditions",
    dxp.REFUSED: "forfeit.refused",
}


class Line:
    """A connection: messages end with a zero byte."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._rest = b""

    @classmethod
    def call(cls, host: str, port: int, seconds: float = CALLING) -> Line:
        """Tries until somebody listens there; raises `Forfeit` if nobody does."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                return cls(socket.create_connection((host, port), timeout=1.0))
            except OSError as error:
                if time.monotonic() > deadline:
                    raise _nobody(host, port, error) from None
                time.sleep(0.05)

    def say(self, message: Message) -> None:
        self._socket.settimeout(ANSWER)
        try:
            self._socket.sendall(dxp.write(message).encode("latin-1", "replace") + b"\0")
        except OSError:
            raise Forfeit("forfeit.hung_up") from None

    def hear(self, deadline: float | None) -> Message:
        """The next message; raises `Forfeit` when it is late or no message, or when nobody is there any more."""
        while b"\0" not in self._rest:
            if len(self._rest) > dxp.MAX_MESSAGE_CHARS:
                raise Forfeit("forfeit.long_message")
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise Forfeit("forfeit.late")  # however much it says: talking is not answering
            self._socket.settimeout(left)
            try:
                chunk = self._socket.recv(CHUNK)
            except TimeoutError:
                raise Forfeit("forfeit.late") from None
            except OSError:
                chunk = b""
            if not chunk:
                raise Forfeit("forfeit.hung_up")
            self._rest += chunk
        message, _, self._rest = self._rest.partition(b"\0")
        text = message.decode("latin-1")
        try:
            return dxp.read(text)
        except DamasError:
            raise Forfeit("forfeit.no_message", {"said": text[: dxp.MAX_MESSAGE_CHARS]}) from None

    def ask(self, request: Request) -> Answer:
        """Asks for a game; raises `Forfeit` if the other does not want it."""
        self.say(request)
        deadline = time.monotonic() + ANSWER
        answer = self.hear(deadline)
        while isinstance(answer, Chat | End):  # of the game before
            answer = self.hear(deadline)
        if not isinstance(answer, Answer):
            raise Forfeit("forfeit.no_game", {"said": dxp.write(answer)})
        if answer.code != dxp.ACCEPTED:
            raise Forfeit(REFUSALS[answer.code], {"name": answer.name or "DXP"})
        return answer

    def close(self) -> None:
        with suppress(OSError):
            self._socket.close()


def _nobody(host: str, port: int, error: OSError) -> Forfeit:
    if isinstance(error, socket.gaierror):
        return Forfeit("forfeit.no_host", {"host": host})
    return Forfeit("forfeit.nobody", {"address": f"{host}:{port}"})


def _move_of(position: Position, made: Made) -> Move:
    """Raises `Forfeit` for a move that is not legal."""
    try:
        return dxp.read_move(position, made)
    except DamasError:
        squares = f"{made.origin}{'x' if made.taken else '-'}{made.destination}"
        raise Forfeit("forfeit.illegal_message", {"move": squares, "said": dxp.write(made)}) from None


class DxpPlayer:
    """Another program in a match: we ask for each game and tell it our moves.

    Called at a host and port; or started by a command line, and called at a port of this machine. A game's laws are
    ours: its end is told to the other, and what the other says about it is kept to itself. One that has not accepted a
    single game was never there, whatever answered the call.
    """

    def __init__(
        self,
        host: str,
        port: int,
        limits: Limits,
        *,
        command: str = "",
        name: str | None = None,
    ) -> None:
        self.host, self.port = host, port
        self.command = shlex.split(command)
        self.limits = limits
        self.name = name or "DXP"
        self._named = name is not None
        self._met = False
        self._program: Child | None = None
        self._line: Line | None = None
        self._record: Record | None = None
        """What the other has been told so far of the game in progress."""
        self.seconds, self.moves = 0.0, 0
        """What it has used in all, by our clock, and for how many moves."""

    def new_game(self) -> None:
        """Ends the game before; one that does not take leave of it is called again."""
        if self._line:
            try:
                self._finish(self._line)
            except Forfeit:
                self._hang_up()

    def choose(self, place: Place, limits: Limits | None = None) -> Move | None:
        record = record_at(place)
        limits = limits if limits and not self.limits.bounded else self.limits
        minutes, moves = _conditions(limits)
        try:
            line = self._connected()
            began = time.monotonic()
            whole = limits.clock if limits.clock and limits.movetime is None else 60.0 * minutes
            deadline = began + whole + GRACE
            if not self._told(line, record):
                self._ask(line, record, minutes, moves)
                began = time.monotonic()
            move = self._answer(line, record, deadline)
        except Forfeit as why:
            self._hang_up()
            who = shlex.join(self.command) or f"{self.host}:{self.port}"
            raise (why if self._met else NeverStarted(who, why.saying)) from None
        self.seconds += time.monotonic() - began
        self.moves += 1
        self._record = record.play(move)
        return move

    def _told(self, line: Line, record: Record) -> bool:
        """Tells it our last move; False if this is another game than the one in progress."""
        known = self._record
        if known is None or record.length != known.length + 1 or record.until(known.length) != known:
            return False
        line.say(dxp.write_move(known.position, record.move(record.length)))
        return True

    def _ask(self, line: Line, record: Record, minutes: int, moves: int) -> None:
        self._finish(line)
        position = record.position
        start = "" if position == Position.start(position.rulebook) else dxp.write_position(position)
        answer = line.ask(Request("damas", position.turn, minutes, moves, start))
        self._met = True
        if not self._named and answer.name:
            self.name = answer.name

    def _answer(self, line: Line, record: Record, deadline: float) -> Move:
        while True:
            said = line.hear(deadline)
            if isinstance(said, Made):
                return _move_of(record.position, said)
            if isinstance(said, End):
                self._record = None
                line.say(End(dxp.UNKNOWN))
                raise Forfeit("forfeit.ended", {"result": said.result})
            if isinstance(said, Back):
                line.say(BackAnswer(dxp.REFUSED))

    def _finish(self, line: Line) -> None:
        """The game in progress is over: each tells the other so."""
        if self._record is None:
            return
        self._record = None
        line.say(End(dxp.UNKNOWN))
        deadline = time.monotonic() + ANSWER
        while not isinstance(line.hear(deadline), End):
            pass

    def _connected(self) -> Line:
        if self._line is None:
            if self.command and self._program is None:
                self._program = Child(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            self._line = Line.call(self.host, self.port)
        return self._line

    def _hang_up(self) -> None:
        self._record = None
        if self._line:
            self._line.close()
            self._line = None
        self._put_away()

    def _put_away(self, patience: float = 0.0) -> None:
        if self._program:
            self._program.end(patience)
            self._program = None

    def close(self) -> None:
        if self._line:
            with suppress(Forfeit):
                self._line.say(End(dxp.UNKNOWN, leaving=True))
        self._put_away(0.5)
        self._hang_up()


def _conditions(limits: Limits) -> tuple[int, int]:
    """Whole minutes and a number of moves, which is all the protocol can say, nearest to the limits.

    >>> _conditions(Limits(movetime=0.2)), _conditions(Limits(clock=300))
    ((1, 300), (5, 0))
    """
    if limits.movetime is not None:
        minutes = max(1, -(-int(limits.movetime * 20) // 60))
        return min(minutes, 999), max(1, min(999, round(60 * minutes / limits.movetime)))
    if limits.clock is not None:
        return max(1, min(999, round(limits.clock / 60))), 0
    return 5, 75


# --- ours, for others -------------------------------------------------------------------------

Tell = Callable[[str, dict[str, object]], None]
"""What happens, for whoever watches: a key and its facts."""


class Seat:
    """Our engine on one end of a line: follows whatever games the other asks for, or asks for them itself."""

    def __init__(
        self,
        line: Line,
        book: Rulebook | str,
        *,
        threads: int = 1,
        hash_mb: int = 64,
        tell: Tell = lambda _key, _facts: None,
    ) -> None:
        self._line = line
        self._book = rulebook(book) if isinstance(book, str) else book
        self._engine = Engine(self._book, threads=threads, hash_mb=hash_mb)
        self._tell = tell
        self.games = 0

    def close(self) -> None:
        self._engine.close()
        self._line.close()

    def follow(self) -> None:
        """Accepts games until the other leaves or hangs up."""
        while True:
            try:
                said = self._line.hear(None)
            except Forfeit as why:
                self._tell("left", {"why": why.saying})
                return
            if isinstance(said, Request):
                leaving = self._accept(said)
            elif isinstance(said, End):
                leaving = said.leaving
            else:
                leaving = False
            if leaving:
                self._tell("left", {"why": Saying("cli.dxp.bye")})
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
        self._line.say(Answer("damas", code))
        if code != dxp.ACCEPTED:
            return False
        self._tell("asked", {"name": request.name, "minutes": request.minutes, "moves": request.moves})
        return self._play(start, request.follower, request)

    def initiate(self, games: int, minutes: int, moves: int) -> None:
        """Asks for so many games, colours changing."""
        side = Color.WHITE
        for number in range(games):
            request = Request("damas", side.other, minutes, moves)
            answer = self._line.ask(request)
            self._tell("asked", {"name": answer.name, "minutes": minutes, "moves": moves})
            if self._play(Position.start(self._book), side, request, leaving=number == games - 1):
                return
            side = side.other

    def _play(self, start: Position, side: Color, request: Request, *, leaving: bool = False) -> bool:
        """One game; whether the other leaves after it."""
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
                self._line.say(dxp.write_move(game.position, move, used))
            else:
                began = time.monotonic()
                allowed = max(theirs, 0) if request.minutes else NOT_AGREED
                heard = self._hear_move(began + allowed + GRACE)
                if isinstance(heard, End):
                    self._line.say(End(dxp.UNKNOWN))
                    self._over(game, None, heard.result)
                    return heard.leaving
                move = self._checked(game, heard)
                theirs += _again(request, game) - (time.monotonic() - began)
            game = game.play(move)
        self._line.say(End(_result(game.outcome, side), leaving=leaving))
        self._over(game, game.outcome, "")
        deadline = time.monotonic() + ANSWER
        with suppress(Forfeit):
            while not isinstance(said := self._line.hear(deadline), End):
                pass
            return said.leaving
        return True

    def _hear_move(self, deadline: float) -> Made | End:
        """The other's move, or its end of the game; whatever else it says takes nothing off its silence."""
        try:
            while True:
                said = self._line.hear(deadline)
                if isinstance(said, Made | End):
                    return said
                if isinstance(said, Back):
                    self._line.say(BackAnswer(dxp.REFUSED))
        except Forfeit:
            self._claim()
            raise

    def _checked(self, game: Game, made: Made) -> Move:
        try:
            return _move_of(game.position, made)
        except Forfeit:
            self._claim()
            raise

    def _claim(self) -> None:
        """Tells the other that it has lost, if it still listens."""
        with suppress(Forfeit):
            self._line.say(End(dxp.WON, leaving=True))

    def _over(self, game: Game, outcome: Outcome | None, said: str) -> None:
        self.games += 1
        self._tell("over", {"outcome": outcome, "said": said, "plies": game.record.length})


def _share(left: float, moves: int, game: Game) -> Limits:
    """The time for one move of so many in what is left; of the whole game if no number was agreed."""
    return Limits(clock=max(left, 0.05), moves=moves - _made(game) % moves if moves else None)


def _again(request: Request, game: Game) -> float:
    """What the move about to be made adds to its clock: as much again after as many moves as were agreed."""
    whole = request.moves and (_made(game) + 1) % request.moves == 0
    return 60.0 * request.minutes if whole else 0.0


def _made(game: Game) -> int:
    """Moves that whoever is to move has made."""
    return game.record.length // 2


def _result(outcome: Outcome, side: Color) -> str:
    if outcome.winner is None:
        return dxp.DRAWN
    return dxp.WON if outcome.winner is side else dxp.LOST


__all__ = ["PORT", "DxpPlayer", "Line", "Seat"]
