"""The verdict of the tables on a position: its value under the rulebook's limits, and without them."""

from dataclasses import dataclass, field
from functools import partial

from damas.board import Color
from damas.game.game import Customs, applicable, ending
from damas.game.laws import Progress, progress_of
from damas.game.position import Move, Position
from damas.game.record import Record
from damas.language import sentence
from damas.rules import DrawRule, RestRule, cite
from damas.tablebase.laws import MaterialLaw, alone, law_of, resets, shortest_limit
from damas.tablebase.material import Material
from damas.tablebase.store import LIMITED, STARTED, UNLIMITED, Store, store_of

WIN, DRAW, LOSS = "win", "draw", "loss"
_SIGN = {WIN: 1, DRAW: 0, LOSS: -1}


def value_of(code: int) -> str:
    """win, draw or loss for the side to move, from a code of a table."""
    return DRAW if code == 0 else WIN if code % 2 == 0 else LOSS


def plies_of(code: int) -> int | None:
    """Plies to the end of the game or of the count, from a code of a table; None if drawn."""
    return None if code == 0 else (code - 1) // 2


@dataclass(frozen=True)
class Verdict:
    """For the side to move. `value` counts the limits and what has been counted of them; `unlimited` does not."""

    position: Position
    value: str
    unlimited: str
    plies: int | None
    """To the end of the game where there are no limits; None if drawn."""
    spends: int | None = None
    """Plies that the side that wins needs until the count ends, for better or the end; None if drawn or not counted."""
    count: Progress | None = None
    """The count in force, as far as it has run; of a win that a limit draws, the count that does, and None where that
    is one yet to begin."""
    by_pieces: DrawRule | None = None
    """The rule that gives endless play to the side with more pieces, where that decides."""
    beside: tuple[DrawRule | RestRule, ...] = ()
    """What the tables leave out: limits that may end the game first, and kings that must rest."""

    @property
    def budget(self) -> int | None:
        """What the side that wins needs of the count, in the unit of the count: plies where there is none."""
        if self.value == DRAW or self.spends is None:
            return None
        return in_units(self.count.rule, self.position, self.spends) if self.count else self.spends

    @property
    def name(self) -> str:
        """win, cursed-win, draw, blessed-loss or loss."""
        if self.value == DRAW and self.unlimited != DRAW:
            return "cursed-win" if self.unlimited == WIN else "blessed-loss"
        return self.value

    @property
    def moves(self) -> int | None:
        """Moves of the winning side to the end, without limits."""
        if self.plies is None:
            return None
        return (self.plies + 1) // 2 if self.unlimited == WIN else self.plies // 2

    def sentence(self, language: str) -> str:
        """The verdict in one or more sentences for a player."""
        turn, book = self.position.turn, self.position.rulebook
        winner = (
            turn if self.unlimited == WIN or (self.unlimited == DRAW and self.value == WIN) else turn.other
        )
        facts: dict[str, object] = {
            "winner": winner,
            "loser": winner.other,
            "moves": self.moves or 0,
        }
        if self.count and self.spends is not None:
            rule = self.count.rule
            reaches = self.count.have + counted(rule, self.position, self.spends)
            facts |= {
                "law": cite(book, self.count.article),
                "have": self.count.counted,
                "need": rule.limit,
                "reaches": (reaches + 1) // 2 if rule.counts == "each" else reaches,
                "unit": sentence(f"tablebase.unit.{rule.counts}", language),
            }
        if self.by_pieces:
            facts["law"] = cite(book, self.by_pieces.article)
        text = sentence(f"tablebase.{self._key}", language, **facts)
        for left_out in self.beside:
            key = "tablebase.rests" if isinstance(left_out, RestRule) else "tablebase.beside"
            text += " " + sentence(key, language, law=cite(book, left_out.article))
        return text

    @property
    def _key(self) -> str:
        if self.by_pieces:
            if self.value == DRAW:
                return "by_pieces_draw"
            material = Material(*self.position.counts)
            more = Color.WHITE if material.white > material.black else Color.BLACK
            winner = self.position.turn if self.value == WIN else self.position.turn.other
            return "by_pieces" if material.white != material.black and more is winner else "by_pieces_later"
        if self.value == DRAW:
            return "draw" if self.unlimited == DRAW else "cursed" if self.count else "cursed_later"
        if self.plies == 0:
            material = Material(*self.position.counts)
            return "over" if material.white and material.black else "no_pieces"
        return "wins_counted" if self.count and self.count.rule.limit else "wins"


@dataclass(frozen=True)
class MoveVerdict:
    """One legal move and what it comes to, for the side that makes it."""

    move: Move
    value: str
    after: Verdict | None
    """What the tables say afterwards, for the opponent; None if the move ends the game."""
    reason: str = ""
    """The code of the outcome, if the move ends the game."""

    @property
    def name(self) -> str:
        """win, cursed-win, draw, blessed-loss or loss for the side that makes the move."""
        if self.after is None:
            return self.value
        turned = {"win": "loss", "loss": "win", "cursed-win": "blessed-loss", "blessed-loss": "cursed-win"}
        return turned.get(self.after.name, "draw")

    @property
    def plies(self) -> int | None:
        """To the end of the game by this move where there are no limits; None if drawn, or if it ends the game."""
        return self.after.plies + 1 if self.after and self.after.plies is not None else None


@dataclass(frozen=True)
class Probe:
    """The verdict on a position and on each of its moves."""

    verdict: Verdict
    moves: list[MoveVerdict] = field(default_factory=list)
    """The best first."""


def probe(
    position: Position,
    record: Record | None = None,
    *,
    customs: Customs | None = None,
    store: Store | None = None,
) -> Probe:
    """The verdict on a position and on each of its moves. With the record of its game, what has been counted counts.

    Tables of up to four pieces (three on the larger board) are made when first needed; for more, `NoTable` says how to
    make them. Where a side has no pieces the game is over, and no move is left.

    >>> from damas import Position
    >>> probe(Position.from_fen("W:WKc1:BKh2", "brasileira")).verdict.name
    'draw'
    """
    record = record or Record(position)
    if record.position != position:
        raise ValueError("the record does not end in this position")
    customs = customs or Customs(platform_rules=False)
    material = Material(*position.counts)
    if not (material.white and material.black):
        won = material.white if position.turn is Color.WHITE else material.black
        value = WIN if won else LOSS
        return Probe(Verdict(position, value, value, 0))
    store = store or store_of(position.rulebook)
    verdict = judge(position, record, customs, store)
    moves = [_after(record, move, customs, store) for move in record.legal_moves]
    order = partial(_order, verdict, _in_time_anyway(verdict, record, customs))
    return Probe(verdict, sorted(moves, key=order, reverse=True))


def _after(record: Record, move: Move, customs: Customs, store: Store) -> MoveVerdict:
    following = record.play(move)
    outcome = ending(following, customs)
    if outcome:
        mover = record.position.turn
        value = DRAW if outcome.winner is None else WIN if outcome.winner is mover else LOSS
        return MoveVerdict(move, value, None, outcome.reason)
    after = judge(following.position, following, customs, store)
    return MoveVerdict(move, {WIN: LOSS, LOSS: WIN, DRAW: DRAW}[after.value], after)


def _order(before: Verdict, no_hurry: bool, verdict: MoveVerdict) -> tuple[int, int, int, int]:
    """Keep the value; win soonest, lose latest: counted by the game where no limit can come first, and else by the
    count in force, of which every move takes something off until it is over. Either way nothing goes round in circles.
    """
    value = _SIGN[verdict.value]
    after = verdict.after
    if after is None:
        return (value, 1, 0, 0)
    free = -_SIGN[after.unlimited]
    game = after.plies or 0
    if value == 0:
        return (0, free, 0, -game if free > 0 else game)
    spends = 0 if no_hurry or _counted_anew(before, after) else after.spends or 0
    return (value, free * value, -value * spends, -value * game)


def _counted_anew(before: Verdict, after: Verdict) -> bool:
    """Whether the move between them has ended the count that was in force: what is spent after it is another's."""
    old, new = before.count, after.count
    if old and new and old.rule is new.rule:
        return old.since != new.since
    return before.position.counts != after.position.counts


def _in_time_anyway(verdict: Verdict, record: Record, customs: Customs) -> bool:
    """Whether the shortest win is over before any limit can draw it, those yet to begin among them."""
    position, to_end = verdict.position, verdict.plies
    if to_end is None or verdict.value != verdict.unlimited:
        return False
    if to_end > shortest_limit(position.rulebook, Material(*position.counts).canonical):
        return False
    running = progress_of(record, applicable(position.rulebook, customs))
    return not any(count.rule.rule == "limit" and _cuts(count, position, to_end) for count in running)


def judge(position: Position, record: Record, customs: Customs, store: Store) -> Verdict:
    """The value of a position whose game is not over."""
    material = Material(*position.counts).canonical
    free = store.code(position, UNLIMITED)
    unlimited, to_end = value_of(free), plies_of(free)
    law = law_of(position.rulebook, material)
    if law.endless:
        value = value_of(store.code(position, LIMITED))
        by_pieces = law.endless if value != unlimited or value == DRAW else None
        left_out: tuple[DrawRule | RestRule, ...] = (*law.beside, *law.rests)
        return Verdict(position, value, unlimited, to_end, by_pieces=by_pieces, beside=left_out)
    running = {count.rule.id: count for count in progress_of(record, position.rulebook.draws)}
    count, table = _in_force(law, running)
    code = store.code(position, table)
    value, spends = value_of(code), plies_of(code)
    in_time = spends is None or not _cuts(count, position, spends)
    platform = _platform(running, customs, position, spends) if value != DRAW and in_time else None
    if value == DRAW and unlimited != DRAW:
        count = _what_cuts(position, material, law, running, store)
        # What would have to be spent is not stored once it is too much: say at least how long the game would last.
        spends = to_end
    elif not in_time or platform:
        value, count = DRAW, platform or count
    beside = tuple(rule for rule in law.beside if rule.id in running and unlimited != DRAW)
    return Verdict(
        position,
        value,
        unlimited,
        to_end,
        spends if unlimited != DRAW else None,
        count,
        None,
        (*beside, *law.rests),
    )


def _cuts(count: Progress | None, position: Position, spends: int) -> bool:
    """Whether what is left of a count is too little."""
    return count is not None and count.have + in_units(count.rule, position, spends) > count.need


def _what_cuts(
    position: Position, material: Material, law: MaterialLaw, running: dict[str, Progress], store: Store
) -> Progress | None:
    """The count in force, if it is the one that draws what would be won; None if that may be one yet to begin."""
    if law.immediate:
        return running.get(law.immediate.id)
    count, table = _in_force(law, running)
    held = _diagonal(law, running)
    if held and table != LIMITED:
        # Had the diagonal not been held so far, would the win be in time?
        fresh = store.code(position, LIMITED)
        if value_of(fresh) != DRAW and not _cuts(count, position, plies_of(fresh) or 0):
            return held
    if held or not alone(position.rulebook, material):
        return None
    return count


def _in_force(law: MaterialLaw, running: dict[str, Progress]) -> tuple[Progress | None, int]:
    """The count that runs, and the table that holds for it."""
    if law.started and law.started.id in running:
        return running[law.started.id], STARTED
    count = running.get(law.count.id) if law.count else None
    held = _diagonal(law, running)
    return count, STARTED + held.have if held and held.have else LIMITED


def _diagonal(law: MaterialLaw, running: dict[str, Progress]) -> Progress | None:
    return running.get(law.diagonal.id) if law.diagonal else None


def _platform(
    running: dict[str, Progress], customs: Customs, position: Position, spends: int | None
) -> Progress | None:
    """A limit of the platform that ends the game before the win; exact where captures and men's moves reset it."""
    if not customs.platform_rules or spends is None:
        return None
    for count in running.values():
        rule = count.rule
        if rule.platform and rule.rule == "limit" and resets(rule) >= {"capture", "man_move"}:
            if _cuts(count, position, spends):
                return count
    return None


def counted(rule: DrawRule, position: Position, spends: int) -> int:
    """By how much a count grows in so many plies from here."""
    if rule.counts != "strong":
        return spends
    return (spends + 1) // 2 if _strong_to_move(position) else spends // 2


def in_units(rule: DrawRule, position: Position, spends: int) -> int:
    """What must be left of a count for a decision so many plies from here.

    Where only the stronger side's moves count, the game is drawn right after the last of them unless it decides: a
    decision by the other side (a capture that it is forced to make) must come before one more move of the stronger.
    """
    if rule.counts != "strong" or spends == 0:
        return spends
    return spends // 2 + 1 if _strong_to_move(position) else (spends + 1) // 2


def _strong_to_move(position: Position) -> bool:
    material = Material(*position.counts)
    return (position.turn is Color.WHITE) == (material.canonical == material)
