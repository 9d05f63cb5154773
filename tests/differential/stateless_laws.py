"""The draw laws, written without counters: each looks at the whole list of moves and answers.

The core counts ply by ply; this text is what it is compared with. It asks the core for legal moves and positions only.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache

from damas import Move, Position, Rulebook
from damas.board import Color, Square
from damas.game import Customs, Progress
from damas.rules import DrawRule, RestRule

Counts = tuple[int, int, int, int]


@dataclass
class PlainRecord:
    """A game as two lists, and what was claimed after which ply."""

    positions: list[Position]
    recorded: bool = True
    moves: list[Move] = field(default_factory=list)
    claims: list[tuple[int, str]] = field(default_factory=list)

    def play(self, move: Move) -> None:
        self.positions.append(self.position.play(move))
        self.moves.append(move)

    def take_back(self, plies: int) -> None:
        for _ in range(plies):
            self.positions.pop()
            self.moves.pop()
        self.claims = [claim for claim in self.claims if claim[0] <= self.length]

    @property
    def length(self) -> int:
        return len(self.moves)

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def rulebook(self) -> Rulebook:
        return self.positions[0].rulebook

    def position_after(self, ply: int) -> Position:
        return self.positions[ply]

    def move(self, ply: int) -> Move:
        return self.moves[ply - 1]

    def mover(self, ply: int) -> Color:
        turn = self.positions[0].turn
        return turn if ply % 2 else turn.other


@cache
def laws(book: Rulebook) -> "tuple[Law, ...]":
    """The rulebook's laws in the order of its file, the platform's after them.

    `progress` of each is how far it has run at the end of a record, or None while it has nothing to count.
    """
    built: dict[str, Law] = {}
    simple = {"repetition": Repetition, "cycle": Cycle, "length": Length}
    for rule in book.draws:
        is_limit = rule.rule == "limit"
        law = Limit(rule, book.geometry.main_diagonal) if is_limit else simple[rule.rule](rule)
        other = built.get(rule.off_during)
        built[rule.id] = GivesWay(rule, law, other) if other else law
    return tuple(built.values())


@dataclass(frozen=True)
class GivesWay:
    """A law that does not apply while another one counts."""

    rule: DrawRule
    law: "Law"
    other: "Law"

    def progress(self, record: PlainRecord) -> Progress | None:
        return None if self.other.progress(record) else self.law.progress(record)


def since_irreversible(record: PlainRecord) -> int:
    """The last ply after which no earlier position can come back, 0 if there was none: a capture, or a man leaving its
    row. (In turca men also go sideways, and can be driven back.)
    """
    places = record.rulebook.geometry.places
    for ply in range(record.length, 0, -1):
        move = record.move(ply)
        if move.is_capture or (not move.by_king and places[move.origin][0] != places[move.destination][0]):
            return ply
    return 0


SHORTEST_ROUND = 4
"""Plies in which a position can come back: each side goes away and returns."""


@dataclass(frozen=True)
class Repetition:
    """The same position with the same side to move stands for the `limit`-th time."""

    rule: DrawRule

    def progress(self, record: PlainRecord) -> Progress | None:
        now, length = record.position, record.length
        first = since_irreversible(record)
        seen = [ply for ply in range(length - 2, first - 1, -2) if record.position_after(ply) == now]
        seen = [*reversed(seen), length]
        if len(seen) < 2 and self.rule.limit > 1:
            return None
        return Progress(self.rule, len(seen), self.rule.limit, seen[0], seen[0] + 1, tuple(seen))


@dataclass(frozen=True)
class Cycle:
    """The same block of moves, leading back to the same position, played `limit` times in a row."""

    rule: DrawRule

    def progress(self, record: PlainRecord) -> Progress | None:
        best: Progress | None = None
        free = record.length - since_irreversible(record)
        for length in range(SHORTEST_ROUND, free // 2 + 1, 2):
            if record.position_after(record.length - length) != record.position:
                continue
            runs = 1 + self._repeats(record, length, free)
            if runs > 1 and (best is None or runs > best.have):
                first = record.length - runs * length
                plies = tuple(range(first + 1, record.length + 1, length))
                best = Progress(self.rule, runs, self.rule.limit, first, first + 1, plies)
        return best

    @staticmethod
    def _repeats(record: PlainRecord, length: int, free: int) -> int:
        """How many blocks before the last one are equal to it."""
        same = 0
        while same + length < free and record.move(record.length - same) == record.move(
            record.length - same - length
        ):
            same += 1
        return same // length


@dataclass(frozen=True)
class Length:
    """The game has lasted `limit` plies."""

    rule: DrawRule

    def progress(self, record: PlainRecord) -> Progress | None:
        return Progress(self.rule, record.length, self.rule.limit, 0, 1)


@dataclass(frozen=True)
class Limit:
    """So many moves may be made in an ending, or without what resets the count.

    The stretch counted is the end of the record in which the material stays in the law's endings and nothing resets
    it; the move that opens the stretch is not counted. Where the law starts on a board condition (the Rio held) or on
    a claim, counting begins there.
    """

    rule: DrawRule
    diagonal: frozenset[int]

    def progress(self, record: PlainRecord) -> Progress | None:
        if not self._applies(record.position):
            return None
        begins = self._begins(record)
        if begins is None:
            return None
        counted = list(self._counted(record, begins))
        if self.rule.unless_capture and self._capture_comes(record.position):
            return None
        first = counted[0] if counted else self._next_counted(record)
        ending = ending_of(self.rule, record.position.counts) or 0
        return Progress(self.rule, len(counted), self.need, begins, first, ending=ending)

    def _capture_comes(self, position: Position) -> bool:
        """Whether the side to move must capture or, where the rule asks for it, cannot avoid being captured next."""
        following = [position.play(move) for move in position.legal_moves]
        return position.must_capture() or (
            self.rule.unavoidable and all(after.must_capture() for after in following)
        )

    @property
    def need(self) -> int:
        return self.rule.limit * (2 if self.rule.counts == "each" else 1)

    def _begins(self, record: PlainRecord) -> int | None:
        """The ply after which counting begins."""
        opened = record.length
        while (
            opened > 0
            and not self._resets(record.move(opened))
            and self._applies(record.position_after(opened - 1))
        ):
            opened -= 1
        if self.rule.starts != "entry":
            started = (
                ply for ply in range(opened, record.length + 1) if self._starts(record.position_after(ply))
            )
            first = next(started, None)
            if first is None:
                return None
            opened = first
        if self.rule.claim == "unrecorded" and not record.recorded:
            claims = [ply for ply, rule_id in record.claims if rule_id == self.rule.id and ply >= opened]
            return min(claims, default=None)
        return opened

    def _counted(self, record: PlainRecord, begins: int) -> Iterator[int]:
        for ply in range(begins + 1, record.length + 1):
            if self.rule.counts == "each" or record.mover(ply) is strong_side(
                record.position_after(ply).counts
            ):
                yield ply

    def _next_counted(self, record: PlainRecord) -> int:
        waits = self.rule.counts == "strong" and record.position.turn is not strong_side(
            record.position.counts
        )
        return record.length + (2 if waits else 1)

    def _resets(self, move: Move) -> bool:
        resets = self.rule.resets
        return (
            ("capture" in resets and move.is_capture)
            or ("man_move" in resets and not move.by_king)
            or ("promotion" in resets and move.promotes)
        )

    def _applies(self, position: Position) -> bool:
        if ending_of(self.rule, position.counts) is None:
            return False
        return self.rule.lasts == "always" or self._king_on_diagonal(position, strong=False)

    def _starts(self, position: Position) -> bool:
        return self._king_on_diagonal(position, strong=self.rule.starts == "strong_king_on_diagonal")

    def _king_on_diagonal(self, position: Position, *, strong: bool) -> bool:
        side = strong_side(position.counts)
        color = side if strong else side.other
        kings = position.white_kings if color is Color.WHITE else position.black_kings
        return not self.diagonal.isdisjoint(kings)


def resting_king(rule: RestRule, record: PlainRecord) -> Square | None:
    """Where the king of the side to move stands that may make no simple move now; None if each may.

    It made the side's last `limit` moves, none of them a capture, and the side has men.
    """
    white_men, _, black_men, _ = record.position.counts
    last = record.length - 1
    if last <= 2 * (rule.limit - 1) or not (white_men if record.position.turn is Color.WHITE else black_men):
        return None
    stands = followed = record.move(last).destination
    for ply in range(last, last - 2 * rule.limit, -2):
        move = record.move(ply)
        if move.is_capture or not move.by_king or move.destination != followed:
            return None
        followed = move.origin
    return stands


Law = Repetition | Cycle | Length | Limit | GivesWay


def strong_side(counts: Counts) -> Color:
    """The side with more pieces; with equal numbers the one with more kings, and White if all is equal."""
    white_men, white_kings, black_men, black_kings = counts
    white, black = (white_men + white_kings, white_kings), (black_men + black_kings, black_kings)
    return Color.BLACK if black > white else Color.WHITE


@lru_cache(maxsize=65536)
def ending_of(rule: DrawRule, counts: Counts) -> int | None:
    """The place in the law's list of the ending that this material is, 0 where it lists none; None if the law does not
    speak of it.
    """
    white_men, white_kings, black_men, black_kings = counts
    sides = ("K" * white_kings + "M" * white_men, "K" * black_kings + "M" * black_men)
    if rule.pieces and not rule.pieces[0] <= len(sides[0]) + len(sides[1]) <= rule.pieces[1]:
        return None
    if rule.pieces_a_side is not None and max(map(len, sides)) > rule.pieces_a_side:
        return None
    if rule.kings_on_both_sides and not (white_kings and black_kings):
        return None
    if not rule.endings:
        return 0
    found = (
        place
        for place, pattern in enumerate(rule.endings)
        for one, other in (sides, sides[::-1])
        if re.fullmatch(pattern, f"{one}-{other}")
    )
    return next(found, None)


def legal_moves(record: PlainRecord) -> list[Move]:
    moves = list(record.position.legal_moves)
    for rule in record.rulebook.rests:
        resting = resting_king(rule, record)
        moves = [move for move in moves if move.is_capture or move.origin != resting]
    return moves


def ended_by(record: PlainRecord, customs: Customs) -> str:
    """The id of the draw rule that ends the game, "board" where no move is left, "" where it goes on."""
    if not legal_moves(record):
        return "board"
    for law in laws(record.rulebook):
        rule = law.rule
        if rule.platform and not customs.platform_rules:
            continue
        if rule.claim == "player" and (rule.platform or customs.claims):
            continue
        progress = law.progress(record)
        if progress and progress.complete:
            return rule.id
    return ""
