"""The referee: asks each side in turn, lets the arbiter judge what comes, and ends every game with a verdict.

Time is counted only while a player is being asked: what the referee itself needs is on nobody's clock. A verdict ends
one game, whatever a program does; an error of our own voids it and is reported.
"""

import secrets
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from damas.arbiter import (
    Claimed,
    Ended,
    Event,
    Flag,
    Lot,
    Moved,
    Offered,
    Player,
    ProcedureRefused,
    Resigned,
    Started,
    Suspended,
    Table,
    TimeControl,
    draw_lots,
    ledger,
    regulation,
    to_json,
)
from damas.arena.box.limits import BoxLimits
from damas.arena.box.tiers import tier_for
from damas.arena.players import Entrant
from damas.arena.receipt import receipt_of
from damas.arena.seating import seat_for
from damas.arena.seats import Ending, Question, Reply, Seat
from damas.arena.verdicts import OURS, Fault
from damas.board import Color
from damas.game import Position
from damas.judging.scoresheet import to_pdn
from damas.notation import write_game
from damas.rules import rulebook

REGULATION = "contest"
MOST_CLAIMS = 3
"""Wrong claims in one turn; the next is as good as no answer."""
LONGEST_TEXT = 200
"""Of a move. No move is written with more letters."""

Watch = Callable[[str], None]


@dataclass(frozen=True)
class Start:
    """Where a game begins: a position, and an opening played before anybody's clock runs."""

    number: int = 0
    fen: str | None = None
    moves: tuple[str, ...] = ()
    lot: int | None = None
    """The seed by which the colours were drawn; None where somebody set them."""


@dataclass(frozen=True)
class Terms:
    """What both players play under."""

    rulebook: str
    control: TimeControl
    legal: bool = True
    """Whether programs are told the legal moves."""
    tier: str = "auto"
    """auto | bubblewrap | landlock | none, which is for trusted programs only."""
    limits: BoxLimits = field(default_factory=BoxLimits)
    seed: int = 1
    longest: int = 400
    """Plies after which a game that no rule has ended is drawn."""
    language: str = "en"


@dataclass(frozen=True)
class GameResult:
    points: float | None
    """White's: 1, 0.5, 0; None for a void game."""
    white: str
    black: str
    reason: str
    """A verdict (see `verdicts`) or the arbiter's reason: NO_MOVES, CYCLE …"""
    article: str
    offender: str | None
    """white or black: who forfeited."""
    plies: int
    seconds: float
    """Thinking time of both."""
    tiers: dict[str, str]
    pdn: str
    events: tuple[str, ...]
    """The arbiter's record, one chained JSON line an event: `damas.arbiter.ledger` reads it."""
    receipt: dict[str, Any] | None


def play(
    white: Entrant, black: Entrant, start: Start, terms: Terms, *, watch: Watch | None = None
) -> GameResult:
    """One game. `watch` hears each line of the record as it is written.

    Raises `NoContainment` for a program that may not run here, and `RemoteTrouble` for a bot elsewhere without a token
    to reach it, before anything is started; never for what a program does. An error of ours returns a void game with the reason `OURS`.
    """
    tiers = {
        side.value: tier_for(entrant, terms.tier)
        for side, entrant in ((Color.WHITE, white), (Color.BLACK, black))
    }
    table = _opened(white, black, start, terms)
    return _Referee(white, black, start, terms, tiers, table, watch).run()


def _opened(white: Entrant, black: Entrant, start: Start, terms: Terms) -> Table:
    """The table after the opening; raises as the rules do for a position or moves that cannot be."""
    book = rulebook(terms.rulebook)
    rules = replace(regulation(REGULATION), time_control=terms.control)
    lot = None
    if start.lot is None:
        rules = replace(rules, colours="free")
    else:
        lot = Lot(start.lot, draw_lots(start.lot))
    position = Position.from_fen(start.fen, book) if start.fen else Position.start(book)
    sides = (Player(white.name, bot=True), Player(black.name, bot=True))
    table = Table.open(Started(0, book.id, book.hash, rules, position.fen, *sides, lot, rules.recorded), book)
    for move in start.moves:
        if not table.outcome:
            table = table.play(position.parse(move).text, at=0)
            position = table.position
    return table


class _Referee:
    def __init__(
        self,
        white: Entrant,
        black: Entrant,
        start: Start,
        terms: Terms,
        tiers: dict[str, str],
        table: Table,
        watch: Watch | None,
    ) -> None:
        self.entrants = {Color.WHITE: white, Color.BLACK: black}
        self.start, self.terms, self.tiers, self.table = start, terms, tiers, table
        self.opening = table.ply
        self.seats: dict[Color, Seat] = {}
        self.now = 0
        """Milliseconds on the game's clock."""
        self.fault: Fault | None = None
        self.offender: Color | None = None
        self.receipt: dict[str, Any] | None = None
        self.trace = ""
        self._watch, self._told, self._chain = watch, 0, ledger.BEFORE_THE_FIRST

    def run(self) -> GameResult:
        try:
            self._tell()
            if not self.table.outcome:
                self._sit_down()
            while not (self.table.outcome or self.table.suspended):
                if self.table.ply >= self.terms.longest:
                    self._apply(Ended(self.now, f"ply {self.terms.longest}", "1/2-1/2"))
                else:
                    self._turn(self.table.to_move)
            if self.table.suspended:
                last = self.table.events[-1]
                self.trace = last.trace if isinstance(last, Suspended) else "suspended"
        except Exception:  # noqa: BLE001 (whatever it is, it is ours, and nobody loses by it)
            self.trace = traceback.format_exc()
        except BaseException:  # interrupted: nothing stays behind
            for seat in self.seats.values():
                seat.close()
            raise
        return self._finish()

    # Before the first move

    def _sit_down(self) -> None:
        """Starts everybody. A game on a server begins, with its clock, as soon as it is accepted: that comes last."""
        for side, entrant in self.entrants.items():
            seed = f"{self.terms.seed}/{self.start.number}/{side.value}"
            number = int.from_bytes(sha256(seed.encode()).digest()[:6])
            tier = self.tiers[side.value]
            self.seats[side] = seat_for(entrant, tier, self.terms, number)
        late: dict[Color, Fault] = {}
        for side, seat in self.seats.items():
            try:
                seat.start()
            except Fault as why:
                late[side] = why
        for side, seat in sorted(self.seats.items(), key=lambda each: self.entrants[each[0]].kind == "http"):
            try:
                if side not in late:
                    seat.greet(self.table, side, self.entrants[side].name)
            except Fault as why:
                late[side] = why
        if len(late) == 2:
            before, self.fault = self.table, late[Color.WHITE]
            self._apply(Ended(0, f"NOT_READY: {_plain(self.fault.detail)}", "1/2-1/2"))
            self.receipt = self._receipt(Color.WHITE, self.fault, before)
        for side, fault in late.items():
            if not self.table.outcome:
                self._forfeit(side, fault)

    # A turn

    def _turn(self, side: Color) -> None:
        refused, claims = "", 0
        left = self.table.clocks.remaining(side, self.now)
        other = self.table.clocks.remaining(side.other, self.now)
        used = 0.0
        while True:
            remaining = None if left is None else max(0, left - int(used * 1000))
            question = Question(self.table, side, remaining, other, self.terms.legal, refused)
            try:
                reply = self.seats[side].ask(question)
            except Fault as fault:
                fault.seconds += used
                self._forfeit(side, fault)
                return
            used += reply.seconds
            if left is not None and used * 1000 > left + 1:
                self._forfeit(side, Fault("TIMEOUT", "late", reply.raw, used))
                return
            at = self.now + int(used * 1000) if left is None else self.now + min(int(used * 1000), left)
            refused = self._judge(side, reply, at)
            if not refused:
                self.now = at
                return
            claims += 1
            if claims > MOST_CLAIMS:
                self._forfeit(side, Fault("GARBAGE", "claims instead of moving", reply.raw, used))
                return

    def _judge(self, side: Color, reply: Reply, at: int) -> str:
        """Lets the arbiter deal with an answer; says why a claim was refused, in which case the turn goes on."""
        if reply.resigns:
            self._apply(Resigned(at, side))
            return ""
        if reply.claim:
            try:
                self._apply(Claimed(at, side, reply.claim[:LONGEST_TEXT]))
            except ProcedureRefused as why:
                self.table = why.table or self.table
                return why.sentence(self.terms.language)
            return "" if self.table.outcome or self.table.suspended else "claimed"
        if reply.offers:
            try:
                self._apply(Offered(at, side))
            except ProcedureRefused as why:  # a contest has none to accept, and nothing is lost by asking
                self.table = why.table or self.table
        before = self.table
        self._apply(Moved(at, side, _plain(reply.move)))
        outcome = self.table.outcome
        if outcome and outcome.reason == "INVALID_MOVE":
            self._blame(side, Fault("INVALID_MOVE", _plain(reply.move), reply.raw, reply.seconds), before)
        return ""

    def _forfeit(self, side: Color, fault: Fault) -> None:
        """The side loses by what its program did; the arbiter says so in its own words."""
        before = self.table
        left = before.clocks.remaining(side, self.now)
        spent = 0 if fault.code == "NOT_READY" else int(fault.seconds * 1000)
        result = "0-1" if side is Color.WHITE else "1-0"
        event: Event
        if fault.code == "TIMEOUT" and left is not None:
            event = Flag(self.now + max(spent, left + 1), side)
        else:
            at = self.now + (spent if left is None else min(spent, left))
            event = Ended(at, f"{fault.code}: {_plain(fault.detail)}".strip(), result)
            if fault.code == "INVALID_MOVE":
                event = Moved(at, side, _plain(fault.raw.decode("utf-8", "replace")))
        self._apply(event)
        if (
            not self.table.outcome and not self.table.suspended
        ):  # what it called illegal the rules allow: still no answer
            self._apply(Ended(event.at, f"{fault.code}: {_plain(fault.detail)}", result))
        self._blame(side, fault, before)

    def _blame(self, side: Color, fault: Fault, before: Table) -> None:
        self.offender, self.fault = side, fault
        self.seats[side].close()
        self.receipt = self._receipt(side, fault, before)

    def _receipt(self, side: Color, fault: Fault, before: Table) -> dict[str, Any]:
        outcome = self.table.outcome
        return receipt_of(
            entrant=self.entrants[side],
            side=side,
            fault=fault,
            table=before,
            opening=self.opening,
            article=outcome.citation.sentence(self.terms.language) if outcome else "",
            message=outcome.sentence(self.terms.language) if outcome else "",
            stderr=self.seats[side].stderr(),
            tier=self.tiers[side.value],
            terms={
                "rulebook": Path(self.terms.rulebook).name,
                "control": str(self.terms.control),
                "legal_told": self.terms.legal,
                "seed": self.terms.seed,
                "number": self.start.number,
                "language": self.terms.language,
            },
            ident=secrets.token_hex(6),
        )

    # The record

    def _apply(self, event: Event) -> None:
        self.table = self.table.apply(event)
        self._tell()

    def _tell(self) -> None:
        if not self._watch:
            return
        for number in range(self._told, len(self.table.events)):
            entry = {"n": number, **to_json(self.table.events[number])}
            self._chain = sha256(self._chain.encode() + ledger.canonical(entry)).hexdigest()
            self._told = number + 1
            self._watch(ledger.canonical({**entry, "chain": self._chain}).decode())

    # The end

    def _finish(self) -> GameResult:
        ending = self._ending()
        for side, seat in self.seats.items():
            try:
                if side is not self.offender and not self.trace:
                    seat.end(ending)
            except Exception:  # noqa: BLE001 (the game is decided: whoever cannot be told changes nothing)
                pass
            finally:
                seat.close()
        if self.trace:
            self.receipt = {"verdict": OURS, "trace": self.trace}
        outcome = None if self.trace else self.table.outcome
        points = None
        if outcome and not outcome.void:
            points = 0.5 if outcome.winner is None else 1.0 if outcome.winner is Color.WHITE else 0.0
        return GameResult(
            points=points,
            white=self.entrants[Color.WHITE].name,
            black=self.entrants[Color.BLACK].name,
            reason=ending.reason,
            article=ending.article,
            offender=self.offender.value if self.offender and not self.trace else None,
            plies=self.table.ply,
            seconds=sum(self.table.clocks.used(side, self.table.now) for side in Color) / 1000,
            tiers=self.tiers,
            pdn=self._pdn(ending),
            events=tuple(ledger.dump(self.table).decode().splitlines()),
            receipt=self.receipt,
        )

    def _ending(self) -> Ending:
        outcome = self.table.outcome
        if self.trace or outcome is None:
            return Ending("*", OURS, "", self.trace.strip().splitlines()[-1] if self.trace else "")
        reason = self.fault.code if self.fault else outcome.reason
        if reason == "ARBITER":
            reason = "LENGTH"
        language = self.terms.language
        moves = tuple(move.text for move in self.table.game.record.moves)
        return Ending(
            outcome.result, reason, outcome.citation.sentence(language), outcome.sentence(language), moves
        )

    def _pdn(self, ending: Ending) -> str:
        tags = {
            "Event": "damas arena",
            "Round": str(self.start.number + 1),
            "WhiteContainment": self.tiers["white"],
            "BlackContainment": self.tiers["black"],
            "Verdict": ending.reason,
        }
        return write_game(to_pdn(self.table, tags))


def _plain(text: str) -> str:
    """A program's text as a record can hold it: one line, no half characters, and visibly cut where it is cut."""
    text = text.encode("utf-8", "backslashreplace").decode()
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
