"""The limits of a rulebook as they hold for one material: which count runs, what resets it, when it begins.

Tables know one count at a time. Where a rulebook runs two at once, the one that can never be first to end the
game is left out; if both could be, the table follows the shorter one and says that it leaves the other out. A king
that must rest after so many moves (frisia, art. 17) depends on the moves before, and is left out as well.
"""

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cache

from damas import _core
from damas.game.laws import in_endings, strong_side
from damas.rules import DrawRule, RestRule, Rulebook
from damas.rules.schema import MOVE_SWITCHES
from damas.tablebase.material import Material, after_one_move, reached

FORMAT = _core.TABLE_FORMAT
"""Changes whenever the same rules would give other files."""
MAX_HELD_PLIES = 10
"""Plies for which the core can count a held diagonal."""


@dataclass(frozen=True)
class MaterialLaw:
    """What the tables of one material obey."""

    count: DrawRule | None
    """The limit that runs from the entry, if any."""
    started: DrawRule | None = None
    """The limit that runs instead once the stronger side has a king on the diagonal."""
    diagonal: DrawRule | None = None
    """The limit that runs beside them while the weaker side's king stands on the diagonal."""
    immediate: DrawRule | None = None
    """The rule that ends the game at once where no capture is pending."""
    endless: DrawRule | None = None
    """The rule by which endless play goes to the side with more pieces."""
    beside: tuple[DrawRule, ...] = ()
    """Limits that may run out first and are not in the table."""
    rests: tuple[RestRule, ...] = ()
    """Rules by which a king must rest, here or after moves from here, and which are not in the table."""

    @property
    def rules(self) -> list[DrawRule]:
        """The rules that the tables obey."""
        rules = (self.count, self.started, self.diagonal, self.immediate, self.endless)
        return [rule for rule in rules if rule]


def plies(rule: DrawRule) -> int:
    """Plies in a limit that counts moves of both sides."""
    return rule.limit * 2


@cache
def law_of(book: Rulebook, material: Material) -> MaterialLaw:
    """Raises `ValueError` where no table can follow the rulebook."""
    return replace(_limits_of(book, material), rests=book.rests if material.men else ())


def _limits_of(book: Rulebook, material: Material) -> MaterialLaw:
    own = [rule for rule in book.draws if not rule.platform]
    limits = [rule for rule in own if rule.rule == "limit" and in_endings(book, rule, material.counts)]
    by_pieces = [rule for rule in own if rule.rule in ("cycle", "repetition") and rule.decides == "pieces"]
    if any(rule.decides != "draw" for rule in limits):
        raise ValueError("a limit that is decided by the number of pieces")
    if by_pieces:
        return MaterialLaw(None, endless=by_pieces[0], beside=tuple(limits))

    law = MaterialLaw(None)
    plain: list[DrawRule] = []
    beside: list[DrawRule] = []
    for rule in limits:
        if rule.counts == "strong" and not _one_stronger(book, rule, material):
            beside.append(rule)
        elif rule.unless_capture and rule.limit == 0 and rule.starts == "entry":
            law = replace(law, immediate=rule)
        elif rule.starts == rule.lasts == "weak_king_on_diagonal" and rule.counts == "each":
            fits = plies(rule) <= MAX_HELD_PLIES and not rule.resets and not law.diagonal
            law, beside = (replace(law, diagonal=rule), beside) if fits else (law, [*beside, rule])
        elif rule.starts == "strong_king_on_diagonal" and rule.lasts == "always":
            fits = not law.started and not material.men and not rule.resets
            law, beside = (replace(law, started=rule), beside) if fits else (law, [*beside, rule])
        elif rule.starts == "entry" and rule.lasts == "always":
            plain.append(rule)
        else:
            beside.append(rule)
    if plain:
        shortest = min(plain, key=lambda rule: (plies(rule), len(resets(rule))))
        law = replace(law, count=shortest)
        beside += [rule for rule in plain if rule is not shortest and not never_first(rule, shortest)]
    if law.started and law.count and law.count.off_during != law.started.id:
        beside.append(law.count)
        law = replace(law, count=None)
    return replace(law, beside=tuple(beside))


def _one_stronger(book: Rulebook, rule: DrawRule, material: Material) -> bool:
    """Whether one side is the stronger one for as long as this count can go on: tables count its moves alone.

    With equal material the game lets White be it, and a table does not know the colours.
    """
    if material == material.opposite:
        return False
    for after in after_one_move(material):
        taken, crowned = after.pieces < material.pieces, after.men < material.men
        reset = (taken and "capture" in rule.resets) or (
            crowned and not taken and "promotion" in resets(rule)
        )
        if reset or not in_endings(book, rule, after.counts):
            continue
        if after == after.opposite or strong_side(after.counts) is not strong_side(material.counts):
            return False
    return True


@cache
def alone(book: Rulebook, material: Material) -> bool:
    """Whether only the limits of this material, each started once, can end the game from here."""
    law = law_of(book, material)
    again = any("man_move" in rule.resets for rule in law.rules) and material.men > 0
    return not again and not any(limited(book, after) for after in reached(material))


@cache
def limited(book: Rulebook, material: Material) -> bool:
    """Whether any limit may end the game here or after captures and crownings."""
    return bool(law_of(book, material).rules) or any(limited(book, after) for after in reached(material))


NO_LIMIT = 10**6
"""More plies than any limit has."""


@cache
def shortest_limit(book: Rulebook, material: Material) -> int:
    """The fewest plies after which a limit, counted from its beginning, may end a game that comes from here."""
    law = law_of(book, material)
    # Of one side's moves the last counted one must itself decide: two plies less are left for certain.
    here = [
        plies(rule) - 2 * (rule.counts == "strong")
        for rule in (*law.rules, *law.beside)
        if rule.rule == "limit"
    ]
    return min(
        [*here, *(shortest_limit(book, after.canonical) for after in reached(material))], default=NO_LIMIT
    )


def never_first(rule: DrawRule, other: DrawRule) -> bool:
    """Whether one count can never end the game before another that runs beside it.

    The other begins with a capture or a crowning, both of which set the first to nothing, is reset by no move that
    does not reset the first, and is no longer.
    """
    return (
        plies(other) <= plies(rule)
        and {"capture", "promotion"} <= resets(rule)
        and resets(other) <= resets(rule)
    )


def resets(rule: DrawRule) -> frozenset[str]:
    """What starts the count anew; a crowning is a man's move too."""
    return frozenset(rule.resets) | ({"promotion"} if "man_move" in rule.resets else set())


def count_for_core(book: Rulebook, rule: DrawRule | None) -> tuple[int, int, bool, bool, bool, bool]:
    """A limit as the core takes it: number, length, whether of the strong side alone, and its resets."""
    if rule is None:
        return (0, 0, False, True, True, True)
    strong = rule.counts == "strong"
    need = rule.limit if strong else plies(rule)
    named = tuple(word in rule.resets for word in ("capture", "man_move", "promotion"))
    return (1 + book.draws.index(rule), need, strong, *named)  # type: ignore[return-value]


@cache
def key(book: Rulebook) -> bytes:
    """The hash of all that the values depend on: two rulebooks that play alike share their tables."""
    moves = [getattr(book, key).value for key in ("size", "squares", *MOVE_SWITCHES)]
    own = [
        rule
        for rule in book.draws
        if not rule.platform and (rule.rule == "limit" or rule.decides == "pieces")
    ]
    places = {rule.id: place for place, rule in enumerate(own)}
    limits = [
        (
            rule.rule,
            rule.limit,
            rule.decides,
            rule.counts,
            rule.endings,
            rule.starts,
            rule.lasts,
            sorted(rule.resets),
            rule.pieces,
            rule.pieces_a_side,
            rule.kings_on_both_sides,
            rule.unless_capture + rule.unavoidable if rule.unavoidable else rule.unless_capture,
            places.get(rule.off_during, rule.off_during),
        )
        for rule in own
    ]
    answers = [FORMAT, moves, limits]
    return hashlib.sha256(json.dumps(answers, sort_keys=True).encode()).digest()
