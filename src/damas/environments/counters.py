"""The draw laws of a rulebook for many games at once, each law an array of counts.

Says the same as `damas.game.laws`, which looks at a record and stores nothing; tests play both side by side. Here there
are no records, so counts are stored and forgotten with their game.
"""

from dataclasses import dataclass, field
from functools import cache

import numpy as np
import numpy.typing as npt

from damas.game import Customs
from damas.game.game import waits_for_claim
from damas.game.laws import in_endings
from damas.rules import DrawRule, Rulebook

Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int8]

NOT_COUNTING = -1


@dataclass(frozen=True)
class Plies:
    """One ply in each game: what was moved, and what stands on the board after it."""

    codes: Codes
    counts: Ints
    """White men, White kings, Black men, Black kings of each game."""
    by_white: Bools
    capture: Bools
    man_move: Bools
    promotion: Bools
    fresh: Bools
    """Games that have just begun: there was no ply."""


@cache
def materials(rule: DrawRule, most: int) -> Bools:
    """Whether the law speaks of a material, by its number (see `material_number`)."""
    answers = np.zeros((most + 1,) * 4, np.bool_)
    # Most laws speak of a handful of pieces: the many materials of a large board need not be asked.
    plain = all(set(pattern) <= set("KM-") for pattern in rule.endings)
    few = max(map(len, rule.endings), default=most) if plain else most
    side = range(min(few, most) + 1)
    sides = [(men, kings) for men in side for kings in side if men + kings <= most]
    for white_men, white_kings in sides:
        for black_men, black_kings in sides:
            counts = white_men, white_kings, black_men, black_kings
            answers[counts] = in_endings(rule, counts)
    return answers.reshape(-1)


def material_number(counts: Ints, most: int) -> Ints:
    base = most + 1
    number: Ints = ((counts[:, 0] * base + counts[:, 1]) * base + counts[:, 2]) * base + counts[:, 3]
    return number


def strong_is_white(counts: Ints) -> Bools:
    white, black = counts[:, 0] + counts[:, 1], counts[:, 2] + counts[:, 3]
    stronger: Bools = (white > black) | ((white == black) & (counts[:, 1] >= counts[:, 3]))
    return stronger


@dataclass
class LimitCounter:
    """One limit in every game: so many moves in an ending, or without what resets the count."""

    rule: DrawRule
    book: Rulebook
    games: int
    gives_way_to: "LimitCounter | None" = None
    have: Ints = field(init=False)
    """Plies counted, `NOT_COUNTING` where the law has nothing to count."""

    def __post_init__(self) -> None:
        self.have = np.full(self.games, NOT_COUNTING, np.int32)
        self._applied = np.zeros(self.games, np.bool_)
        self.need = self.rule.limit * (2 if self.rule.counts == "each" else 1)
        self._most = len(self.book.start_squares(self.book.first_to_move))
        self._every = not (self.rule.endings or self.rule.pieces or self.rule.kings_on_both_sides)
        self._every = self._every and self.rule.pieces_a_side is None
        self._diagonal = np.array(sorted(self.book.geometry.main_diagonal))

    def play(self, plies: Plies) -> None:
        applies = self._applies(plies)
        goes_on = applies & self._applied & ~plies.fresh
        for event, happened in (
            ("capture", plies.capture),
            ("man_move", plies.man_move),
            ("promotion", plies.promotion),
        ):
            if event in self.rule.resets:
                goes_on &= ~happened
        counted: Bools = goes_on & (self.have >= 0)
        starts = applies & ~counted
        if self.rule.starts != "entry":
            starts &= self._king_on_diagonal(plies, strong=self.rule.starts == "strong_king_on_diagonal")
        step = counted
        if self.rule.counts == "strong":
            step = counted & (plies.by_white == strong_is_white(plies.counts))
        self.have += step
        self.have[~counted] = NOT_COUNTING
        self.have[starts] = 0
        self._applied = applies

    def runs(self, must_capture: Bools) -> Bools:
        """Where the law counts now."""
        running: Bools = self.have >= 0
        if self.gives_way_to:
            running = running & ~self.gives_way_to.runs(must_capture)
        if self.rule.unless_capture:
            running = running & ~must_capture
        return running

    def _applies(self, plies: Plies) -> Bools:
        if self._every:
            return np.ones(self.games, np.bool_)
        applies = materials(self.rule, self._most)[material_number(plies.counts, self._most)]
        if self.rule.lasts != "always":
            applies &= self._king_on_diagonal(plies, strong=False)
        return applies

    def _king_on_diagonal(self, plies: Plies, *, strong: bool) -> Bools:
        there = plies.codes[:, self._diagonal]
        white = strong_is_white(plies.counts) == strong
        held: Bools = np.where(white, (there == 2).any(axis=1), (there == -2).any(axis=1))
        return held


@dataclass
class RepetitionCounter:
    """How often the position of each game has stood, as 64-bit keys since the last ply that cannot be undone."""

    limit: int
    book: Rulebook
    games: int
    have: Ints = field(init=False)

    def __post_init__(self) -> None:
        chance = np.random.default_rng(2026)
        squares = len(self.book.geometry.places)
        self._keys = chance.integers(0, 2**64, (squares, 5), np.uint64)
        self._squares = np.arange(squares)
        self._seen = np.zeros((self.games, 64), np.uint64)
        self._length = np.zeros(self.games, np.intp)
        self.have = np.ones(self.games, np.int32)

    def play(self, codes: Codes, irreversible: Bools) -> None:
        """`irreversible` also where a game has just begun."""
        keys = np.bitwise_xor.reduce(self._keys[self._squares, codes], axis=1)
        self._length[irreversible] = 0
        if self._length.max() >= self._seen.shape[1]:
            self._seen = np.concatenate([self._seen, np.zeros_like(self._seen)], axis=1)
        self._seen[np.arange(self.games), self._length] = keys
        self.have[:] = 1
        # A position comes back after four plies at the soonest, with the same side to move.
        old = np.flatnonzero(self._length >= 4)
        if len(old):
            length = self._length[old]
            back = np.arange(0, int(length.max()) + 1, 2)
            at = length[:, None] - back
            same = (self._seen[old[:, None], np.maximum(at, 0)] == keys[old, None]) & (at >= 0)
            self.have[old] = same.sum(axis=1)
        self._length += 1


def laws_by_themselves(book: Rulebook) -> tuple[list[DrawRule], list[str]]:
    """The laws that end a game without a claim, the platform's too, and the ids of those that are not counted here.

    A cycle is not: a block of moves played n times over brings its position back once more than that, so that where the
    rulebook also has that repetition with the same decision (as `concurso` has) the game ends at the same ply with the
    same result, only named after the repetition. In a house's rules without one, the cycle is left out.
    """
    rules = [rule for rule in book.draws if not waits_for_claim(rule, Customs())]
    counted = [rule for rule in rules if rule.rule != "cycle"]
    left_out = [
        cycle.id
        for cycle in rules
        if cycle.rule == "cycle"
        and not any(
            rule.rule == "repetition" and rule.limit <= cycle.limit + 1 and rule.decides == cycle.decides
            for rule in counted
        )
    ]
    return counted, left_out
