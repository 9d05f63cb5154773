"""The referee: asks each side in turn, lets the arbiter judge the answer, and ends every game with a result.

Time is counted only while a player is asked: what the referee itself needs is on nobody's clock. Whatever a program does
ends one game at most; an error of our own voids the game and is reported.
"""

import traceback
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

from damas.arbiter import (
    Claimed,
    Ended,
    Event,
    Flag,
    Lot,
    Moved,
    Offered,
    ProcedureRefused,
    Resigned,
    Started,
    Suspended,
    Table,
    draw_lots,
    ledger,
    regulation,
    to_json,
)
from damas.arbiter import Player as TablePlayer
from damas.board import Color
from damas.game import Position
from damas.judging.scoresheet import to_pdn
from damas.matches.box.tiers import tier_for
from damas.matches.entrant import Entrant
from damas.matches.faults import Fault
from damas.matches.player import Ending, Player, Question, Reply
from damas.matches.players import IdlePlayers
from damas.matches.receipt import receipt_of
from damas.matches.terms import Start, Terms
from damas.notation import write_game
from damas.rules.library import edition
from damas.tournaments.result import OURS, GameResult

REGULATION = "contest"
"""The regulation of every game."""
MAX_WRONG_CLAIMS = 3
"""Wrong claims allowed in one turn; one more is a fault."""
MAX_MOVE_TEXT = 200
"""Characters of a move that the record keeps."""

Watch = Callable[[str], None]
"""Receives the lines of a record."""


def play(
    white: Entrant,
    black: Entrant,
    start: Start,
    terms: Terms,
    *,
    watch: Watch | None = None,
    idle: IdlePlayers | None = None,
) -> GameResult:
    """Plays one game. `watch` receives each line of the record as it is written; `idle` has players of earlier games.

    Raises `NoContainment` for a program that may not run here, and `RemoteTrouble` for a bot on a server without a token
    for it, before anything is started; never for what a program does. An error of ours returns a void game with the
    reason `OURS`.
    """
    tiers = {
        side.value: tier_for(entrant, terms.tier)
        for side, entrant in ((Color.WHITE, white), (Color.BLACK, black))
    }
    table = open_table(start, terms, white.name, black.name)
    if idle is not None:
        return _Referee(white, black, start, terms, tiers, table, watch, idle).run()
    with IdlePlayers() as closed_after_the_game:
        return _Referee(white, black, start, terms, tiers, table, watch, closed_after_the_game).run()


def open_table(start: Start, terms: Terms, white: str = "white", black: str = "black") -> Table:
    """Opens a table and plays the opening; raises as the rules do for an impossible position or move."""
    book = edition(terms.rulebook, terms.rules)
    rules = replace(regulation(REGULATION), time_control=terms.control)
    lot = None
    if start.lot is None:
        rules = replace(rules, colours="free")
    else:
        lot = Lot(start.lot, draw_lots(start.lot))
    position = Position.from_fen(start.fen, book) if start.fen else Position.start(book)
    sides = (TablePlayer(white, bot=True), TablePlayer(black, bot=True))
    table = Table.open(Started(0, book.id, book.hash, rules, position.fen, *sides, lot, rules.recorded), book)
    for move in start.moves:
        if not table.outcome:
            table = table.play(position.parse(move).text, at=0)
            position = table.position
    return table


class _Referee:
    """One game in progress."""

    def __init__(
        self,
        white: Entrant,
        black: Entrant,
        start: Start,
        terms: Terms,
        tiers: dict[str, str],
        table: Table,
        watch: Watch | None,
        idle: IdlePlayers,
    ) -> None:
        self.entrants = {Color.WHITE: white, Color.BLACK: black}
        self.start, self.terms, self.tiers, self.table = start, terms, tiers, table
        self.opening = table.ply
        self.players: dict[Color, Player] = {}
        self.now_ms = 0
        """Time on the game's clock."""
        self.fault: Fault | None = None
        self.offender: Color | None = None
        self.receipt: dict[str, Any] | None = None
        self.trace = ""
        self._idle = idle
        self._watch, self._chain = watch, ledger.FIRST_CHAIN
        self._lines: list[str] = []
        """The record so far, as chained JSON lines."""

    def run(self) -> GameResult:
        try:
            self._notify()
            if not self.table.outcome:
                self._greet_players()
            while not (self.table.outcome or self.table.suspended):
                if self.table.ply >= self.terms.max_plies:
                    self._apply(Ended(self.now_ms, f"ply {self.terms.max_plies}", "1/2-1/2"))
                else:
                    self._turn(self.table.to_move)
            if self.table.suspended:
                last = self.table.events[-1]
                self.trace = last.trace if isinstance(last, Suspended) else "suspended"
        except Exception:  # noqa: BLE001 (whatever it is, it is ours, and nobody loses by it)
            self.trace = traceback.format_exc()
        except BaseException:  # interrupted: no process stays behind
            for player in self.players.values():
                player.close()
            raise
        return self._finish()

    # Before the first move

    def _greet_players(self) -> None:
        """Starts and greets both. A game on a server begins, with its clock, when it is accepted: that comes last."""
        for side, entrant in self.entrants.items():
            text = f"{self.terms.seed}/{self.start.number}/{side.value}"
            seed = int.from_bytes(sha256(text.encode()).digest()[:6])
            self.players[side] = self._idle.take(entrant, self.tiers[side.value], self.terms, seed)
        faults: dict[Color, Fault] = {}

        def attempt(side: Color, step: Callable[..., None], *arguments: object) -> None:
            try:
                step(*arguments)
            except Fault as fault:
                faults[side] = fault

        for side, player in self.players.items():
            attempt(side, player.start)
        for side in sorted(Color, key=lambda side: self.entrants[side].kind == "http"):
            if side not in faults:
                attempt(side, self.players[side].greet, self.table, side, self.entrants[side].name)
        if len(faults) == 2:
            before, self.fault = self.table, faults[Color.WHITE]
            self._apply(Ended(0, f"NOT_READY: {_one_line(self.fault.detail)}", "1/2-1/2"))
            for player in self.players.values():
                player.close()
            self.receipt = self._receipt(Color.WHITE, self.fault, before)
        for side, reason in faults.items():
            if not self.table.outcome:
                self._forfeit(side, reason)

    # A turn

    def _turn(self, side: Color) -> None:
        refused, wrong_claims = "", 0
        left = self.table.clocks.remaining(side, self.now_ms)
        other = self.table.clocks.remaining(side.other, self.now_ms)
        used = 0.0
        while True:
            remaining = None if left is None else max(0, left - int(used * 1000))
            question = Question(self.table, side, remaining, other, self.terms, refused)
            try:
                reply = self.players[side].ask(question)
            except Fault as fault:
                fault.seconds += used
                self._forfeit(side, fault)
                return
            used += reply.seconds
            if left is not None and used * 1000 > left + 1:
                self._forfeit(side, Fault("TIMEOUT", "late", reply.raw, used))
                return
            spent = int(used * 1000)
            at = self.now_ms + (spent if left is None else min(spent, left))
            refused = self._judge(side, reply, at)
            if not refused:
                self.now_ms = at
                return
            wrong_claims += 1
            if wrong_claims > MAX_WRONG_CLAIMS:
                self._forfeit(side, Fault("GARBAGE", "claims instead of moving", reply.raw, used))
                return

    def _judge(self, side: Color, reply: Reply, at: int) -> str:
        """Passes an answer to the arbiter; returns why a claim was refused, in which case the turn goes on."""
        if reply.resigns:
            self._apply(Resigned(at, side))
            return ""
        if reply.claim:
            try:
                self._apply(Claimed(at, side, reply.claim[:MAX_MOVE_TEXT]))
            except ProcedureRefused as refusal:
                self.table = refusal.table or self.table
                return refusal.sentence(self.terms.language)
            return "" if self.table.outcome or self.table.suspended else "claimed"
        if reply.offers:
            try:
                self._apply(Offered(at, side))
            except ProcedureRefused as refusal:  # a contest has no offers, and asking costs nothing
                self.table = refusal.table or self.table
        before = self.table
        self._apply(Moved(at, side, _one_line(reply.move)))
        outcome = self.table.outcome
        if outcome and outcome.reason == "INVALID_MOVE":
            fault = Fault("INVALID_MOVE", _one_line(reply.move), reply.raw, reply.seconds)
            self._blame(side, fault, before)
        return ""

    def _forfeit(self, side: Color, fault: Fault) -> None:
        """The side loses by what its program did; the arbiter's record says so."""
        before = self.table
        left = before.clocks.remaining(side, self.now_ms)
        spent = 0 if fault.code == "NOT_READY" else int(fault.seconds * 1000)
        result = "0-1" if side is Color.WHITE else "1-0"
        event: Event
        if fault.code == "TIMEOUT" and left is not None:
            event = Flag(self.now_ms + max(spent, left + 1), side)
        else:
            at = self.now_ms + (spent if left is None else min(spent, left))
            event = Ended(at, f"{fault.code}: {_one_line(fault.detail)}".strip(), result)
            if fault.code == "INVALID_MOVE":
                event = Moved(at, side, _one_line(fault.raw.decode("utf-8", "replace")))
        self._apply(event)
        if not self.table.outcome and not self.table.suspended:
            # The rules allow what its protocol called illegal: it is still no answer.
            self._apply(Ended(event.at, f"{fault.code}: {_one_line(fault.detail)}", result))
        self._blame(side, fault, before)

    def _blame(self, side: Color, fault: Fault, before: Table) -> None:
        self.offender, self.fault = side, fault
        self.players[side].close()  # first: what it wrote to its standard error is complete then
        self.receipt = self._receipt(side, fault, before)

    def _receipt(self, side: Color, fault: Fault, before: Table) -> dict[str, Any]:
        return receipt_of(
            self.entrants[side],
            side,
            fault,
            self.terms,
            self.start,
            before=before,
            outcome=self.table.outcome,
            opening=self.opening,
            stderr=self.players[side].stderr(),
            tier=self.tiers[side.value],
        )

    # The record

    def _apply(self, event: Event) -> None:
        self.table = self.table.apply(event)
        self._notify()

    def _notify(self) -> None:
        """Writes the new lines of the record, and sends them to whoever watches."""
        for number in range(len(self._lines), len(self.table.events)):
            entry = {"n": number, **to_json(self.table.events[number])}
            self._chain = sha256(self._chain.encode() + ledger.canonical(entry)).hexdigest()
            self._lines.append(ledger.canonical({**entry, "chain": self._chain}).decode())
            if self._watch:
                self._watch(self._lines[-1])

    # The end

    def _finish(self) -> GameResult:
        self._notify()
        ending = self._ending()
        for side, player in self.players.items():
            self._dismiss(side, player, ending)
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
            events=tuple(self._lines),
            receipt=self.receipt,
        )

    def _dismiss(self, side: Color, player: Player, ending: Ending) -> None:
        """Tells a player the end, and keeps it for its next game if that is possible."""
        keep = False
        try:
            if side is not self.offender and not self.trace and not (self.fault and self.offender is None):
                player.end(ending)
                keep = True
        except Exception:  # noqa: BLE001 (the game is decided: a player that cannot be told changes nothing)
            pass
        finally:
            if keep:
                self._idle.give_back(self.entrants[side], player)
            else:
                player.close()

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
        game = to_pdn(self.table, tags)
        if self.table.regulation.time_control.kind == "none":  # how long a search took depends on the machine
            game = replace(game, moves=tuple(replace(node, clock=None) for node in game.moves))
        return write_game(game)


def _one_line(text: str) -> str:
    """A program's text as the record can hold it: one printable line, visibly cut if it is long."""
    text = text.encode("utf-8", "backslashreplace").decode()
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return text if len(text) <= MAX_MOVE_TEXT else text[: MAX_MOVE_TEXT - 1] + "…"
