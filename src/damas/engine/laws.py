"""A rulebook's draw rules in the form the search counts them."""

import re
from collections.abc import Iterator
from functools import cache

from damas import _core
from damas.game import Customs
from damas.rules import DrawRule, Rulebook

STARTS = ("entry", "strong_king_on_diagonal", "weak_king_on_diagonal")
ANY_NUMBER = 1000
Ending = tuple[int, int, int, int]


@cache
def core_laws(book: Rulebook, customs: Customs | None = None) -> _core.Laws:
    """Every law that may end a game under this rulebook. A law that waits for a claim counts too: whoever gains by
    it will claim.
    """
    customs = customs or Customs()
    rules = [rule for rule in book.draws if customs.platform_rules or not rule.platform]
    laws = _core.Laws()
    for rule in rules:
        # A block played so many times over brings its position back once more than that.
        times = rule.limit + 1 if rule.rule == "cycle" else rule.limit
        if rule.rule in ("repetition", "cycle") and (not laws.repetitions or times < laws.repetitions):
            laws.repetitions = times
            laws.repetition_by_pieces = rule.decides == "pieces"
        if rule.rule == "length" and (not laws.length or rule.limit < laws.length):
            laws.length = rule.limit
            laws.length_by_pieces = rule.decides == "pieces"
    limits = limit_rules(book, customs)
    for rule in limits:
        silenced_by = [other.id for other in limits].index(rule.off_during) if rule.off_during else -1
        laws.add_limit(
            need=rule.limit * (2 if rule.counts == "each" else 1),
            strong_only=rule.counts == "strong",
            starts=STARTS.index(rule.starts),
            while_weak=rule.lasts == "weak_king_on_diagonal",
            capture="capture" in rule.resets,
            man_move="man_move" in rule.resets,
            promotion="promotion" in rule.resets,
            by_pieces=rule.decides == "pieces",
            unless_capture=rule.unless_capture,
            off_during=silenced_by,
            any_material=not rule.endings,
            endings=[ending for pattern in rule.endings for ending in _endings(pattern, _most_pieces(book))],
            pieces=rule.pieces or (0, ANY_NUMBER),
            a_side=ANY_NUMBER if rule.pieces_a_side is None else rule.pieces_a_side,
            kings_on_both_sides=rule.kings_on_both_sides,
        )
    return laws


def limit_rules(book: Rulebook, customs: Customs | None = None) -> list[DrawRule]:
    """The limits among a rulebook's draw rules, in the order in which the core numbers them."""
    customs = customs or Customs()
    return [
        rule for rule in book.draws if rule.rule == "limit" and (customs.platform_rules or not rule.platform)
    ]


def _most_pieces(book: Rulebook) -> int:
    return 16 if book.squares.value == "all" else {8: 12, 10: 20, 12: 30}[book.size.value]


def _endings(pattern: str, most: int) -> Iterator[Ending]:
    """Men and kings of one side and of the other, for each ending a pattern names."""
    if re.fullmatch("K*M*-K*M*", pattern):
        one, other = pattern.split("-")
        yield one.count("M"), one.count("K"), other.count("M"), other.count("K")
        return
    wanted = re.compile(pattern)
    sides = [(men, kings) for kings in range(most + 1) for men in range(most + 1 - kings)]
    for men, kings in sides:
        for their_men, their_kings in sides:
            if wanted.fullmatch(f"{'K' * kings}{'M' * men}-{'K' * their_kings}{'M' * their_men}"):
                yield men, kings, their_men, their_kings
