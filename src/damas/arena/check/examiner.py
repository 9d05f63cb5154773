"""The examiner: plays one session after another with a program and reports what it did."""

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from damas.arbiter import Table, TimeControl
from damas.arena.check import sessions
from damas.arena.check.report import CHECKS, Check, Report, Trouble
from damas.arena.check.sessions import Session
from damas.board import Piece
from damas.errors import DamasError, IllegalMove
from damas.game import Position
from damas.matches.box.tiers import tier_for
from damas.matches.entrant import Entrant
from damas.matches.faults import Fault
from damas.matches.player import Ending, Question, Reply
from damas.matches.players import player_for
from damas.matches.programs.program_player import ProgramPlayer
from damas.matches.referee import open_table
from damas.matches.terms import Start, Terms
from damas.rules import rulebook

CHECK_ENDING = Ending("*", "CHECK", "", "The check is over.")
"""The end of a session as programs are told it."""
UNKNOWN_MESSAGE = b'{"type":"note","text":"programs ignore what they do not know"}\n'
"""A message that no version of the protocol has."""
EXTRA_OUTPUT_WAIT_S = 0.02
"""How long to wait for output after an answer."""
MAX_SHOWN = 400
"""Characters of output that a report shows."""

CHECK_OF_FAULT = {
    "NOT_READY": "start",
    "TIMEOUT": "speed",
    "CRASH": "stays",
    "MEMORY": "stays",
    "PROCESSES": "stays",
    "DOUBLE_ANSWER": "quiet",
    "TOO_MUCH_OUTPUT": "quiet",
    "GARBAGE": "answers",
}
"""The check that each fault fails."""
CHECK_OF_REFUSAL = {
    **dict.fromkeys(("NOT_YOUR_TURN", "EMPTY_SQUARE", "NOT_YOUR_PIECE"), "own-pieces"),
    **dict.fromkeys(("CHAIN_INCOMPLETE", "MUST_CONTINUE"), "chains"),
    "MUST_CAPTURE": "captures",
    **dict.fromkeys(
        (
            "AMBIGUOUS",
            "CAPTURED_TWICE",
            "MAN_TAKES_KING",
            "TURNS_BACK",
            "CROWNING_ENDS",
            "MUST_STOP_BEHIND",
            "MAJORITY",
            "VALUE",
            "WITH_KING",
            "QUALITY",
            "KING_FIRST",
        ),
        "capture-laws",
    ),
}
"""The check that a refused move fails; other refusals depend on the piece that was moved."""
FATAL = ("start", "answers", "nonce", "quiet", "stays", "speed", "notation")
"""A program that fails one of these in an opening would fail everything."""
MAX_FATAL_FAILURES = 2
"""No more sessions are played after a fatal check has failed so often."""


@dataclass
class _Observations:
    """What the sessions have shown so far."""

    tried: Counter[str] = field(default_factory=Counter)
    troubles: dict[str, Trouble] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    positions: int = 0
    facts: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Failure:
    check: str
    trouble: Trouble
    near_a_law: bool = False
    """Whether a draw law was about to apply."""


def examine(
    entrant: Entrant,
    book: str,
    control: TimeControl,
    *,
    legal: bool = True,
    tier: str = "auto",
    each: int = 4,
    time_limit_s: float = float("inf"),
) -> Report:
    """Checks a program that speaks JSON lines or the text mode; `each` is the number of positions of each kind. What
    there was no time for is reported as not tried.

    Raises `NoContainment` if the program may not run here, and as the rules do for an unknown rulebook.
    """
    examiner = _Examiner(entrant, Terms(book, control, legal=legal, tier=tier), time_limit_s)
    examiner.run(each)
    return examiner.report()


class _Examiner:
    def __init__(self, entrant: Entrant, terms: Terms, time_limit_s: float) -> None:
        self.deadline = time.monotonic() + time_limit_s
        self.entrant, self.terms = entrant, terms
        self.book = rulebook(terms.rulebook)
        self.tier = tier_for(entrant, terms.tier)
        self.text_mode = entrant.kind == "text"
        self.seen = _Observations()
        self.failures: Counter[str] = Counter()
        self.stayed = 0
        """How often it was still running after the end."""

    def run(self, each: int) -> None:
        if not self._openings():
            return
        if self.text_mode:
            self._all(sessions.games(each))
        else:
            self._all(sessions.positions(self.book, each))
            self._all(sessions.games(1))
            self._all(sessions.long_games(self.book))
            self._unknown()
        self._closed_input()

    def report(self) -> Report:
        seen = self.seen
        if seen.seconds:
            seen.facts["speed"] = _percentiles(seen.seconds, self.terms.control.budget)
            seen.tried["speed"] = len(seen.seconds)
        if seen.starts:
            seen.facts["start"] = {"slowest_ms": round(max(seen.starts) * 1000)}
        codes = [seen.troubles[name].code for name in ("men", "kings") if name in seen.troubles]
        if "promotions" in seen.troubles and seen.troubles["promotions"].code in codes:
            # It makes this mistake everywhere, so nothing is known about promotions.
            del seen.troubles["promotions"]
            seen.tried["promotions"] = 0
        checks = tuple(
            Check(name, seen.tried[name], seen.troubles.get(name), seen.facts.get(name, {}))
            for name in CHECKS
        )
        return Report(self.entrant.name, self.book.id, self.tier, seen.positions, checks)

    # Sessions

    def _openings(self) -> bool:
        """Plays from the start with each colour; returns whether it is worth going on."""
        played = [(session, self.play(session)) for session in sessions.openings()]
        failures = [self._compared(failure, session) for session, failure in played if failure]
        fatal = any(failure.check in FATAL for failure in failures)
        self.seen.tried["colours"] += 0 if fatal else 2
        if len(failures) == 1 and failures[0].check in ("own-pieces", "men"):  # it knows one colour only
            failures, fatal = [replace(failures[0], check="colours")], True
        for failure in failures:
            self._note(failure)
        return not fatal

    def _all(self, several: Iterable[Session]) -> None:
        for session in several:
            fatal = any(self.failures[name] >= MAX_FATAL_FAILURES for name in FATAL)
            if fatal or time.monotonic() > self.deadline:
                return
            failure = self.play(session)
            if failure:
                repeated = failure.check in self.seen.troubles and session.fen
                self._note(failure if repeated else self._compared(failure, session))

    def _compared(self, failure: _Failure, session: Session) -> _Failure:
        """Asks about the same position without its history: a program that does well then failed by the history."""
        if self.text_mode or failure.check == "start":
            return failure
        other = self.play(Session(session.purpose, session.color, 1, failure.trouble.fen), counted=False)
        again = bool(other and other.trouble.code == failure.trouble.code)
        name = failure.check
        if not again and (session.moves or failure.near_a_law):
            name = session.purpose if session.moves else "draws"
        return replace(failure, check=name, trouble=replace(failure.trouble, again=again))

    def _note(self, failure: _Failure) -> None:
        self.seen.tried[failure.check] += 1
        self.failures[failure.check] += 1
        self.seen.troubles.setdefault(failure.check, failure.trouble)

    def play(self, session: Session, *, counted: bool = True) -> _Failure | None:
        """Plays one session in a new process; returns how it failed, if it did."""
        table = open_table(Start(0, session.fen, session.moves), self.terms)
        player = self._player()
        random = Random(f"{session.purpose} {session.color} {session.fen}")
        try:
            began = time.monotonic()
            player.greet(table, session.color, self.entrant.name)
            self.seen.starts.append(time.monotonic() - began)
            self.seen.tried["start"] += 1
            turns = 0
            while not table.outcome and turns < session.turns and time.monotonic() < self.deadline:
                if table.to_move is not session.color:
                    table = table.play(random.choice(table.game.legal_moves).text, at=0)
                    continue
                turns += 1
                reply = player.ask(self._question(table))
                if session.purpose == "colours" and turns < 3:
                    self._nothing_more(player)
                if counted:
                    self._count(table, session, reply)
                if reply.resigns or reply.claim:
                    break
                if failure := self._refused(player, table, reply):
                    return failure
                table = table.play(table.position.parse(reply.move).text, at=0)
            return self._end(player, table, session)
        except Fault as fault:
            return self._failure(player, table, fault)
        finally:
            player.close()

    def _player(self) -> ProgramPlayer:
        player = player_for(self.entrant, self.tier, self.terms, 1)
        assert isinstance(player, ProgramPlayer)
        return player

    def _question(self, table: Table) -> Question:
        budget = self.terms.control.budget
        return Question(table, table.to_move, budget, budget, self.terms)

    def _end(self, player: ProgramPlayer, table: Table, session: Session) -> _Failure | None:
        """Checks that it writes nothing more, and that it ends."""
        assert player.program
        if session.purpose in ("", "colours"):
            self._nothing_more(player)
        if self.seen.tried["leaves"] > 1:
            return None
        self.seen.tried["leaves"] += 1
        player.end(CHECK_ENDING)
        self.stayed += player.program.running
        if self.stayed > 1:  # once may be the fault of a busy machine
            return _Failure("leaves", Trouble("STAYS", table.position.fen, "", stderr=_tail(player)))
        return None

    def _nothing_more(self, player: ProgramPlayer) -> None:
        """Waits a little for output after the answer; raises `Fault` if there is any."""
        assert player.program
        time.sleep(EXTRA_OUTPUT_WAIT_S)
        if output := player.program.early():
            raise Fault("EARLY_ANSWER", "said before it was asked", output)
        self.seen.tried["quiet"] += 1

    def _unknown(self) -> None:
        """Sends a message of an unknown kind before a question."""
        table = open_table(Start(), self.terms)
        player = self._player()
        question = self._question(table)
        self.seen.tried["unknown"] += 1
        try:
            player.greet(table, table.to_move, self.entrant.name)
            assert player.program
            player.program.begin_turn()
            began = time.monotonic()
            data = UNKNOWN_MESSAGE + player.question(question)
            player.read(player.program.ask(data, began + question.timeout_s, began), question, 0.0)
        except Fault as fault:
            self.seen.troubles["unknown"] = self._failure(player, table, fault).trouble
        finally:
            player.close()

    def _closed_input(self) -> None:
        """Closes the input without a message. Staying once may be the fault of a busy machine."""
        self.seen.tried["closed-input"] += 1
        if self._stays() is not None and (stderr := self._stays()) is not None:
            self.seen.troubles["closed-input"] = Trouble("STAYS", "", "", stderr=stderr)

    def _stays(self) -> str | None:
        """What it wrote to stderr if it does not end, otherwise None."""
        player, table = self._player(), open_table(Start(), self.terms)
        try:
            player.greet(table, table.to_move, self.entrant.name)
            assert player.program
            player.program.leave(b"")
            return _tail(player) if player.program.running else None
        except Fault:
            return None
        finally:
            player.close()

    # Observations

    def _count(self, table: Table, session: Session, reply: Reply) -> None:
        """Counts the checks that this answer could have failed."""
        seen, moves = self.seen, table.game.legal_moves
        seen.positions += 1
        seen.seconds.append(reply.seconds)
        checks = ["answers", "notation", "own-pieces", "stays"]
        if not self.text_mode:
            checks.append("nonce")
        if moves[0].is_capture:
            checks.append("captures")
            if any(len(move.captured) > 1 for move in moves):
                checks.append("chains")
            if sessions.law_binds(table.position, moves):
                checks.append("capture-laws")
        else:
            checks += {"kings" if move.by_king else "men" for move in moves}
        if any(move.promotes for move in moves):
            checks.append("promotions")
        if session.purpose in ("draws", "long-history"):
            checks.append(session.purpose)
            plies = max(table.ply, seen.facts.get(session.purpose, {}).get("plies", 0))
            seen.facts[session.purpose] = {"plies": plies}
        seen.tried.update(checks)

    def _refused(self, player: ProgramPlayer, table: Table, reply: Reply) -> _Failure | None:
        """The failure if the rules refuse the answer."""
        try:
            table.game.play(reply.move)
        except IllegalMove as error:
            code = error.code
            if code in CHECK_OF_REFUSAL:
                name = CHECK_OF_REFUSAL[code]
            elif all(move.promotes for move in table.game.legal_moves):
                name = "promotions"
            else:
                name = "kings" if _moves_king(table.position, reply.move) else "men"
        except DamasError as error:
            code, name = error.code, "notation"
        else:
            return None
        trouble = Trouble(code, table.position.fen, _plain(reply.move), _plain(reply.raw), _tail(player))
        return _Failure(name, trouble, _near_a_law(table))

    def _failure(self, player: ProgramPlayer, table: Table, fault: Fault) -> _Failure:
        name = CHECK_OF_FAULT.get(fault.code, "")
        if fault.code == "EARLY_ANSWER":
            name = "nonce" if fault.detail == "another nonce" else "quiet"
        if fault.detail == "no nonce":
            name = "nonce"
        if fault.detail == "no JSON object" and player.program:
            time.sleep(EXTRA_OUTPUT_WAIT_S)
            if player.program.early():  # the answer comes after something else
                name = "quiet"
        player.close()  # its standard error is complete now
        trouble = Trouble(
            fault.code, table.position.fen, _plain(fault.detail), _plain(fault.raw), _tail(player)
        )
        return _Failure(name, trouble, _near_a_law(table))


def _near_a_law(table: Table) -> bool:
    return any(count.need - count.have <= 2 for count in table.game.progress())


def _tail(player: ProgramPlayer) -> str:
    return _plain(player.stderr()[-MAX_SHOWN:])


def _plain(output: bytes | str) -> str:
    """The output of a program as a terminal can show it."""
    text = output.decode("utf-8", "replace") if isinstance(output, bytes) else output
    text = text.encode("utf-8", "replace").decode()[:MAX_SHOWN]
    return "".join(letter if letter.isprintable() or letter == "\n" else "�" for letter in text).strip()


def _moves_king(position: Position, text: str) -> bool:
    squares = position.read(text)[1]
    piece = position.piece_at(squares[0]) if squares else None
    return piece in (Piece.WHITE_KING, Piece.BLACK_KING)


def _percentiles(seconds: list[float], limit_ms: int | None) -> dict[str, Any]:
    """Median, slow and slowest answers in milliseconds."""
    ordered = sorted(seconds)

    def at(share: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000, 1)

    values = {"p50_ms": at(0.5), "p90_ms": at(0.9), "p99_ms": at(0.99), "slowest_ms": at(1.0)}
    return {"answers": len(ordered), **values, "limit_ms": limit_ms}
