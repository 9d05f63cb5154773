"""The examiner: sits a program down for one session after another and writes what it sees into a report."""

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from damas.arbiter import Player, Started, Table, TimeControl, regulation
from damas.arena.box.tiers import tier_for
from damas.arena.check import sessions
from damas.arena.check.report import CHECKS, Check, Report, Trouble
from damas.arena.check.sessions import Session
from damas.arena.players import Entrant
from damas.arena.process.program import Program
from damas.arena.protocol.json_lines import JsonSeat
from damas.arena.protocol.seat import ProgramSeat
from damas.arena.referee import REGULATION, Terms
from damas.arena.seating import seat_for
from damas.arena.seats import Ending, Question, Reply
from damas.arena.verdicts import Fault
from damas.board import Piece
from damas.errors import DamasError, IllegalMove
from damas.game import Position
from damas.rules import rulebook

OVER = Ending("*", "CHECK", "", "The check is over.")
UNKNOWN = b'{"type":"note","text":"programs ignore what they do not know"}\n'
SETTLED = 0.02
"""Seconds in which a program that says more than its answer mostly says it."""
MOST_SHOWN = 400

BY_FAULT = {
    "NOT_READY": "start",
    "TIMEOUT": "speed",
    "CRASH": "stays",
    "MEMORY": "stays",
    "PROCESSES": "stays",
    "DOUBLE_ANSWER": "quiet",
    "TOO_MUCH_OUTPUT": "quiet",
    "GARBAGE": "answers",
}
BY_REFUSAL = {
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
"""Which check a refused move fails; any other by the piece that was moved."""
HOPELESS = ("start", "answers", "nonce", "quiet", "stays", "speed", "notation")
"""Who fails these in an opening would fail everything."""
ENOUGH = 2
"""Sessions that such a check may fail before no more are tried."""


@dataclass
class _Seen:
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
    """Whether a draw law was about to be complete."""


def examine(
    entrant: Entrant,
    book: str,
    control: TimeControl,
    *,
    legal: bool = True,
    tier: str = "auto",
    each: int = 4,
) -> Report:
    """The report on a program of JSON lines or of the text mode.

    `each` is how many positions of each kind it is asked about. Raises `NoContainment` where the program
    may not run here, and as the rules do for a rulebook that is none.
    """
    examiner = _Examiner(entrant, Terms(book, control, legal=legal, tier=tier))
    examiner.run(each)
    return examiner.report()


class _Examiner:
    def __init__(self, entrant: Entrant, terms: Terms) -> None:
        self.entrant, self.terms = entrant, terms
        self.book = rulebook(terms.rulebook)
        self.tier = tier_for(entrant, terms.tier)
        self.text_mode = entrant.kind == "text"
        self.seen = _Seen()
        self.failures: Counter[str] = Counter()
        self.stayed = 0
        """How often it was still there after the end."""

    def run(self, each: int) -> None:
        if not self._openings():
            return
        if self.text_mode:
            self._all(sessions.games(each))
        else:
            self._all(sessions.positions(self.book, each))
            self._all(sessions.games(1))
            self._all(sessions.long_ones(self.book))
            self._unknown()
        self._closed_input()

    def report(self) -> Report:
        seen = self.seen
        if seen.seconds:
            seen.facts["speed"] = _percentiles(seen.seconds, self.terms.control.budget)
            seen.tried["speed"] = len(seen.seconds)
        if seen.starts:
            seen.facts["start"] = {"slowest_ms": round(max(seen.starts) * 1000)}
        known = [seen.troubles[name].code for name in ("men", "kings") if name in seen.troubles]
        if "promotions" in seen.troubles and seen.troubles["promotions"].code in known:
            # It moves so everywhere: what it would do with a man about to be crowned cannot be told.
            del seen.troubles["promotions"]
            seen.tried["promotions"] = 0
        checks = tuple(
            Check(name, seen.tried[name], seen.troubles.get(name), seen.facts.get(name, {}))
            for name in CHECKS
        )
        return Report(self.entrant.name, self.book.id, self.tier, seen.positions, checks)

    # Sessions

    def _openings(self) -> bool:
        """From the start for each colour; whether it is worth going on."""
        played = [(session, self.play(session)) for session in sessions.openings()]
        found = [self._compared(failure, session) for session, failure in played if failure]
        if any(failure.check in HOPELESS for failure in found):
            for failure in found:
                self._note(failure)
            return False
        self.seen.tried["colours"] += 2
        if len(found) == 1 and found[0].check in ("own-pieces", "men"):  # it knows one colour only
            self._note(replace(found[0], check="colours"))
            return False
        for failure in found:
            self._note(failure)
        return True

    def _all(self, several: Iterable[Session]) -> None:
        for session in several:
            if any(self.failures[name] >= ENOUGH for name in HOPELESS):
                return
            failure = self.play(session)
            if failure:
                known = failure.check in self.seen.troubles and session.fen
                self._note(failure if known else self._compared(failure, session))

    def _compared(self, failure: _Failure, session: Session) -> _Failure:
        """Asks about the same position again, without its history: what then goes well failed by the history."""
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
        """One session in a process of its own; how it failed, if it did."""
        table = self._table(session)
        seat = seat_for(self.entrant, self.tier, self.terms, 1)
        assert isinstance(seat, ProgramSeat)
        chance = Random(f"{session.purpose} {session.color} {session.fen}")
        try:
            began = time.monotonic()
            seat.greet(table, session.color, self.entrant.name)
            self.seen.starts.append(time.monotonic() - began)
            self.seen.tried["start"] += 1
            turns = 0
            while not table.outcome and turns < session.turns:
                if table.to_move is not session.color:
                    table = table.play(chance.choice(table.game.legal_moves).text, at=0)
                    continue
                turns += 1
                reply = self._asked(seat, table)
                if session.purpose == "colours" and turns < 3:
                    self._nothing_more(seat)
                if counted:
                    self._count(table, session, reply)
                if reply.resigns or reply.claim:
                    break
                if failure := self._refused(seat, table, reply):
                    return failure
                table = table.play(table.position.parse(reply.move).text, at=0)
            return self._end(seat, table, session)
        except Fault as fault:
            return self._failure(seat, table, fault)
        finally:
            seat.close()

    def _asked(self, seat: ProgramSeat, table: Table) -> Reply:
        budget = self.terms.control.budget
        question = Question(table, table.to_move, budget, budget, self.terms.legal)
        return seat.ask(question)

    def _end(self, seat: ProgramSeat, table: Table, session: Session) -> _Failure | None:
        """Nothing more was said, and it leaves."""
        assert seat.program
        if session.purpose in ("", "colours"):
            self._nothing_more(seat)
        if self.seen.tried["leaves"] > 1:
            return None
        self.seen.tried["leaves"] += 1
        seat.end(OVER)
        self.stayed += _running(seat.program)
        if self.stayed > 1:  # once may be the machine's fault
            return _Failure("leaves", Trouble("STAYS", table.position.fen, "", stderr=_tail(seat)))
        return None

    def _nothing_more(self, seat: ProgramSeat) -> None:
        """Waits a little for what a program may say besides its answer."""
        assert seat.program
        time.sleep(SETTLED)
        if said := seat.program.early():
            raise Fault("EARLY_ANSWER", "said before it was asked", said)
        self.seen.tried["quiet"] += 1

    def _table(self, session: Session) -> Table:
        rules = replace(regulation(REGULATION), time_control=self.terms.control, colours="free")
        start = Position.from_fen(session.fen, self.book) if session.fen else Position.start(self.book)
        players = (Player("white", bot=True), Player("black", bot=True))
        started = Started(0, self.book.id, self.book.hash, rules, start.fen, *players, None, rules.recorded)
        table = Table.open(started, self.book)
        for move in session.moves:
            table = table.play(move, at=0)
        return table

    def _unknown(self) -> None:
        """A message of a kind that is not known yet comes before a question."""
        session = sessions.openings()[0]
        table = self._table(session)
        if table.to_move is not session.color:
            session = sessions.openings()[1]
        seat = seat_for(self.entrant, self.tier, self.terms, 1)
        assert isinstance(seat, JsonSeat)
        budget = self.terms.control.budget
        question = Question(table, table.to_move, budget, budget, self.terms.legal)
        self.seen.tried["unknown"] += 1
        try:
            seat.greet(table, session.color, self.entrant.name)
            assert seat.program
            seat.program.begin_turn()
            began = time.monotonic()
            line = seat.answer(
                seat.program, UNKNOWN + seat.question(question), began + question.seconds, began
            )
            seat.read(line, question, 0.0)
        except Fault as fault:
            found = self._failure(seat, table, fault)
            self.seen.troubles["unknown"] = found.trouble
        finally:
            seat.close()

    def _closed_input(self) -> None:
        """The input ends without a word. Staying once may be the machine's fault."""
        self.seen.tried["closed-input"] += 1
        if self._stays() is not None and (stderr := self._stays()) is not None:
            self.seen.troubles["closed-input"] = Trouble("STAYS", "", "", stderr=stderr)

    def _stays(self) -> str | None:
        """What it wrote to stderr, if it does not leave."""
        seat = seat_for(self.entrant, self.tier, self.terms, 1)
        assert isinstance(seat, ProgramSeat)
        session = sessions.openings()[0]
        try:
            seat.greet(self._table(session), session.color, self.entrant.name)
            assert seat.program
            seat.program.leave(b"")
            return _tail(seat) if _running(seat.program) else None
        except Fault:
            return None
        finally:
            seat.close()

    # What was seen

    def _count(self, table: Table, session: Session, reply: Reply) -> None:
        """Which checks this answer could have failed."""
        seen, moves = self.seen, table.game.legal_moves
        seen.positions += 1
        seen.seconds.append(reply.seconds)
        named = ["answers", "notation", "own-pieces", "stays"]
        if not self.text_mode:
            named.append("nonce")
        if moves[0].is_capture:
            named.append("captures")
            if any(len(move.captured) > 1 for move in moves):
                named.append("chains")
            if sessions.law_binds(table.position, moves):
                named.append("capture-laws")
        else:
            named += [
                name
                for name, king in (("men", False), ("kings", True))
                if any(m.by_king is king for m in moves)
            ]
        if any(move.promotes for move in moves):
            named.append("promotions")
        if session.purpose in ("draws", "long-history"):
            named.append(session.purpose)
            plies = max(table.ply, seen.facts.get(session.purpose, {}).get("plies", 0))
            seen.facts[session.purpose] = {"plies": plies}
        seen.tried.update(named)

    def _refused(self, seat: ProgramSeat, table: Table, reply: Reply) -> _Failure | None:
        """Whether the rules refuse the answer, and which check it fails by that."""
        try:
            table.game.play(reply.move)
        except IllegalMove as why:
            code = why.code
            if code in BY_REFUSAL:
                name = BY_REFUSAL[code]
            elif all(move.promotes for move in table.game.legal_moves):
                name = "promotions"
            else:
                name = "kings" if _moves_king(table.position, reply.move) else "men"
        except DamasError as why:
            code, name = why.code, "notation"
        else:
            return None
        trouble = Trouble(code, table.position.fen, _plain(reply.move), _plain(reply.raw), _tail(seat))
        return _Failure(name, trouble, _near_a_law(table))

    def _failure(self, seat: ProgramSeat, table: Table, fault: Fault) -> _Failure:
        name = BY_FAULT.get(fault.code, "")
        if fault.code == "EARLY_ANSWER":
            name = "nonce" if fault.detail == "another nonce" else "quiet"
        if fault.detail == "no nonce":
            name = "nonce"
        if fault.detail == "no JSON object" and seat.program:
            time.sleep(SETTLED)
            if seat.program.early():  # the answer comes behind something else
                name = "quiet"
        seat.close()  # what it wrote while it died is there now
        said = _plain(fault.raw)
        trouble = Trouble(fault.code, table.position.fen, _plain(fault.detail), said, _tail(seat))
        return _Failure(name, trouble, _near_a_law(table))


def _near_a_law(table: Table) -> bool:
    return any(count.need - count.have <= 2 for count in table.progress())


def _running(program: Program) -> bool:
    return program._running()


def _tail(seat: ProgramSeat) -> str:
    return _plain(seat.stderr()[-MOST_SHOWN:])


def _plain(said: bytes | str) -> str:
    """What a program said, as a terminal can bear it."""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    text = text.encode("utf-8", "replace").decode()[:MOST_SHOWN]
    return "".join(letter if letter.isprintable() or letter == "\n" else "�" for letter in text).strip()


def _moves_king(position: Position, text: str) -> bool:
    squares = position.read(text)[1]
    piece = position.piece_at(squares[0]) if squares else None
    return piece in (Piece.WHITE_KING, Piece.BLACK_KING)


def _percentiles(seconds: list[float], limit_ms: int | None) -> dict[str, Any]:
    """Milliseconds of an answer: the middle one, the slow ones, the slowest."""
    ordered = sorted(seconds)

    def at(share: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000, 1)

    told = {"p50_ms": at(0.5), "p90_ms": at(0.9), "p99_ms": at(0.99), "slowest_ms": at(1.0)}
    return {"answers": len(ordered), **told, "limit_ms": limit_ms}
