"""A slow solver of small endings, written from the definitions: every position and every count is a state of its own.

It asks the library only which moves are legal. Values are found by going through all states again and again, the
counts one ply at a time; nothing here is retrograde, indexed or shared with what makes the tables.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from damas import successors
from damas.rules import DrawRule, Rulebook

Codes = NDArray[np.int8]
Mask = NDArray[np.bool_]
Edges = NDArray[np.int64]
PIECES = {"M": 1, "K": 2}
NEVER = 1 << 20


class Endings:
    """All positions of some materials ("KK-K", ...) and what their moves lead to; closed under every move."""

    def __init__(self, book: Rulebook, names: list[str], *, both_colours: bool = True) -> None:
        self.book = book
        self.both_colours = both_colours
        self.squares = len(book.geometry.places)
        self.rows = [row for row, _ in book.geometry.places]
        boards = [board for name in names for board in self._boards(name)]
        codes = np.array(boards, dtype=np.int8)
        both = np.concatenate([codes, codes])
        self.turns = np.repeat(np.array([0, 1], dtype=np.int8), len(codes))
        self.codes = np.ascontiguousarray(both)
        self._weights = np.random.default_rng(7).integers(1, 1 << 62, (self.squares, 5), dtype=np.int64)
        keys = self._keys(self.codes, self.turns)
        self._order = np.argsort(keys)
        self._sorted = keys[self._order]
        assert len(np.unique(keys)) == len(keys)
        self._edges()

    def _boards(self, name: str) -> Iterator[list[int]]:
        one, other = name.split("-")
        for white, black in {(one, other), (other, one)} if self.both_colours else {(one, other)}:
            yield from self._place([0] * self.squares, self._kinds(white, 1) + self._kinds(black, -1))

    @staticmethod
    def _kinds(side: str, sign: int) -> list[tuple[int, int]]:
        return [(sign * PIECES[kind], side.count(kind)) for kind in "MK" if kind in side]

    def _place(self, board: list[int], kinds: list[tuple[int, int]]) -> Iterator[list[int]]:
        if not kinds:
            yield board
            return
        (piece, count), *rest = kinds
        crown = {1: self.book.size.value - 1, -1: 0}.get(piece)
        free = [s for s in range(self.squares) if not board[s] and self.rows[s] != crown]
        for chosen in combinations(free, count):
            placed = board.copy()
            for square in chosen:
                placed[square] = piece
            yield from self._place(placed, rest)

    def _keys(self, codes: Codes, turns: Codes) -> NDArray[np.int64]:
        with np.errstate(over="ignore"):
            keys = np.zeros(len(codes), dtype=np.int64)
            for square in range(self.squares):
                keys += self._weights[square][codes[:, square] + 2]
            return keys * 2 + turns

    def _edges(self) -> None:
        children, parents, ends = (
            np.asarray(array) for array in successors(self.book, self.codes, self.turns)
        )
        parents = parents.reshape(-1).astype(np.int64)
        turn = self.turns[parents]
        before = self.codes[parents]
        own = np.where(turn == 0, 1, -1)
        moved = before[np.arange(len(parents)), ends[:, 0]] * own
        self.from_ = parents
        self.by_man = moved == 1
        self.promotes = self.by_man & (children[np.arange(len(parents)), ends[:, 1]] * own == 2)
        self.captures = (children != 0).sum(axis=1) < (before != 0).sum(axis=1)
        over = ~((children * own[:, None]) < 0).any(axis=1)  # nobody is left to move
        keys = self._keys(children, (1 - turn).astype(np.int8))
        places = np.searchsorted(self._sorted, keys).clip(0, len(self._sorted) - 1)
        exists = self._sorted[places] == keys
        assert (exists | over).all(), "the materials are not closed"
        # One state more stands for every game that is over: its side to move has lost.
        self.over = len(self.codes)
        self.to = np.where(over, self.over, self._order[places])
        self.count = len(self.codes) + 1

    # --- what a rule may ask of a position ----------------------------------------------

    def side(self, piece: int) -> NDArray[np.int64]:
        return (self.codes == piece).sum(axis=1)

    def applies(self, rule: DrawRule) -> NDArray[np.bool_]:
        """Whether the material is one that the rule speaks of."""
        import re

        white_men, white_kings, black_men, black_kings = (self.side(piece) for piece in (1, 2, -1, -2))
        kinds, which = np.unique(
            np.stack([white_men, white_kings, black_men, black_kings], axis=1), axis=0, return_inverse=True
        )
        answers = []
        for wm, wk, bm, bk in kinds.tolist():
            sides = ["K" * wk + "M" * wm, "K" * bk + "M" * bm]
            named = not rule.endings or any(
                re.fullmatch(pattern, "-".join(order))
                for pattern in rule.endings
                for order in (sides, sides[::-1])
            )
            pieces = wm + wk + bm + bk
            named &= rule.pieces is None or rule.pieces[0] <= pieces <= rule.pieces[1]
            named &= rule.pieces_a_side is None or max(map(len, sides)) <= rule.pieces_a_side
            answers.append(named and (not rule.kings_on_both_sides or bool(wk and bk)))
        return np.append(np.array(answers)[which.reshape(-1)], False)

    def resets(self, rule: DrawRule) -> NDArray[np.bool_]:
        resetting = np.zeros(len(self.from_), dtype=bool)
        if "capture" in rule.resets:
            resetting |= self.captures
        if "man_move" in rule.resets:
            resetting |= self.by_man
        if "promotion" in rule.resets:
            resetting |= self.promotes
        return resetting

    def strong_to_move(self) -> NDArray[np.bool_]:
        white = np.stack([self.side(1) + self.side(2), self.side(2)], axis=1)
        black = np.stack([self.side(-1) + self.side(-2), self.side(-2)], axis=1)
        white_strong = (white[:, 0] > black[:, 0]) | (
            (white[:, 0] == black[:, 0]) & (white[:, 1] >= black[:, 1])
        )
        return np.append(white_strong == (self.turns == 0), False)

    # --- values -------------------------------------------------------------------------

    def best(self, after: NDArray[np.int8]) -> NDArray[np.int8]:
        """For each position the best of its moves, if these are the values after them (1 won, -1 lost, 0 drawn)."""
        best = np.full(self.count, -1, dtype=np.int8)
        np.maximum.at(best, self.from_, -after)
        return best

    def unlimited(self) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        """Value and plies to the end: what can be forced within 0, 1, 2, ... plies, until nothing changes."""
        value = np.zeros(self.count, dtype=np.int8)
        plies = np.full(self.count, NEVER, dtype=np.int64)
        has_moves = np.zeros(self.count, dtype=bool)
        has_moves[self.from_] = True
        value[~has_moves] = -1
        plies[~has_moves] = 0
        for ply in range(1, 500):
            best = self.best(value[self.to])
            best[~has_moves] = -1
            changed = best != value
            if not changed.any():
                break
            plies[changed] = ply
            value = best
        return value, plies

    def limited(self, rules: list[DrawRule]) -> "Counted":
        """Values under these limits, each count a part of the state."""
        return Counted(self, rules)

    def by_pieces(self) -> NDArray[np.int8]:
        """Values where endless play goes to the side with more pieces."""
        value = np.zeros(self.count, dtype=np.int8)
        value[self.over] = -1
        has_moves = np.zeros(self.count, dtype=bool)
        has_moves[self.from_] = True
        white = np.append(self.side(1) + self.side(2), 0)
        black = np.append(self.side(-1) + self.side(-2), 0)
        turns = np.append(self.turns, 0)
        for pieces in range(2, int((white + black).max()) + 1):
            for whites in range(1, pieces):
                here = (white == whites) & (black == pieces - whites)
                more = 0 if whites > pieces - whites else 1
                # What the weaker side can force grows from nothing; equal sides start from the draw.
                start = 0 if 2 * whites == pieces else np.where(turns == more, 1, -1)
                value = np.where(here, start, value).astype(np.int8)
                while True:
                    best = self.best(value[self.to])
                    best[~has_moves] = -1
                    if (best[here] == value[here]).all():
                        break
                    value = np.where(here, best, value)
        return value


class ThreeKings:
    """Three white kings against one black king, where only the moves of the three are counted.

    Every position with every count is a state, and the arbiter is asked nothing: the game is drawn right after the
    last move counted if the ending is still on the board and the other side can move.
    """

    def __init__(self, book: Rulebook) -> None:
        self.endings = e = Endings(book, ["K-K", "KK-K", "KKK-K"], both_colours=False)
        (self.rule,) = (rule for rule in book.draws if rule.counts == "strong" and not rule.platform)
        self.before = next(
            (
                rule
                for rule in book.draws
                if rule.rule == "limit" and not rule.platform and rule.off_during == self.rule.id
            ),
            None,
        )
        """A count of both sides' moves that runs until this one starts."""
        order = np.argsort(e.from_, kind="stable")
        self._to, starts = e.to[order], e.from_[order]
        self._first = np.flatnonzero(np.r_[True, starts[1:] != starts[:-1]])
        self._has_moves = starts[self._first]
        self.stuck = np.ones(e.count, dtype=bool)
        self.stuck[self._has_moves] = False
        self.here = np.append(e.side(2) + e.side(-2) == 4, False)
        self.white = np.append(e.turns == 0, False)
        main = sorted(book.geometry.main_diagonal)
        self.on_diagonal = np.append((e.codes[:, main] == 2).any(axis=1), False) & self.here
        self.free = self._free()
        self.values = self._counted()
        """After 0, 1, ... moves counted; the last is the draw, unless the game ended with that move."""

    def _best(self, after: NDArray[np.int8]) -> NDArray[np.int8]:
        best = np.full(self.endings.count, -1, dtype=np.int8)
        best[self._has_moves] = np.maximum.reduceat(-after, self._first)
        return best

    def _free(self) -> NDArray[np.int8]:
        """Without limits: what can be forced within 0, 1, 2, ... plies, until nothing changes."""
        value = np.where(self.stuck, -1, 0).astype(np.int8)
        self.plies = 0
        """The longest way to a decision after the first king is taken."""
        for ply in range(1, 500):
            best = self._best(value[self._to])
            changed = best != value
            if not changed.any():
                break
            if changed[~self.here].any():
                self.plies = ply
            value = best
        return value

    def _after(self, same: NDArray[np.int8]) -> NDArray[np.int8]:
        """Values after every move: `same` while the ending is on the board, free play once it is left."""
        return np.where(self.here[self._to], same[self._to], self.free[self._to])

    def _counted(self) -> list[NDArray[np.int8]]:
        later = np.where(self.stuck, -1, 0).astype(np.int8)
        values = [later]
        for _ in range(self.rule.limit):
            # A white move leads to the count after it, a black one to the same count: White's first.
            white = np.where(self.white, self._best(self._after(later)), 0).astype(np.int8)
            black = self._best(self._after(white))
            later = np.where(self.white, white, black).astype(np.int8)
            values.insert(0, later)
        return values

    def waiting(self) -> list[NDArray[np.int8]]:
        """Before the count starts, where it starts on the diagonal: by the plies counted of the rule that runs until
        then, or a single one if none does.
        """
        drawn = np.where(self.stuck, -1, 0).astype(np.int8)
        value = np.where(self.on_diagonal, self.values[0], drawn)
        values = [value]
        while True:
            best = np.where(self.on_diagonal, self.values[0], self._best(self._after(value)))
            best = best.astype(np.int8)
            if self.before is None and (best == value)[self.here].all():
                return [value]
            value = best
            values.insert(0, value)
            if self.before is not None and len(values) > 2 * self.before.limit:
                return values


class Counted:
    """The value of every position with every count of every limit in force there."""

    def __init__(self, endings: Endings, rules: list[DrawRule]) -> None:
        self.endings = endings
        self.rules = rules
        self.needs = [rule.limit * (2 if rule.counts == "each" else 1) for rule in rules]
        self.applies = [endings.applies(rule) for rule in rules]
        self.resets = [endings.resets(rule) for rule in rules]
        e = endings
        self.has_moves = np.zeros(e.count, dtype=bool)
        self.has_moves[e.from_] = True
        strong = e.strong_to_move()
        self.ticks = [
            strong[e.from_] if rule.counts == "strong" else np.ones(len(e.from_), bool) for rule in rules
        ]
        self.fresh = e.unlimited()[0]
        self.after, self.asked = self._reachable()
        # Every count follows from longer ones, and a move that resets them all from what is fresh: start from a guess
        # and go on until nothing changes.
        for _ in range(100):
            self.values: dict[tuple[int, ...], NDArray[np.int8]] = {}
            for counts in sorted(
                self.asked, key=lambda counts: (max(counts, default=0), sum(counts)), reverse=True
            ):
                self.values[counts] = self._from_moves(counts)
            again = self.values[(0,) * len(rules)]
            if (again == self.fresh).all():
                return
            self.fresh = again
        raise AssertionError("no values satisfy the definition")

    def at(self, rule: DrawRule, count: int) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
        """The values where this rule has counted so much, all that run beside it as much, and where that is so."""
        counts = self._together(rule, count)
        return self.values[counts][:-1], self._just(rule)[:-1]

    def _together(self, rule: DrawRule, count: int) -> tuple[int, ...]:
        return tuple(count if need >= self.needs[self.rules.index(rule)] else 0 for need in self.needs)

    def _just(self, rule: DrawRule) -> NDArray[np.bool_]:
        """Where the rule applies and none with a smaller limit does."""
        own = self.needs[self.rules.index(rule)]
        here = self.applies[self.rules.index(rule)].copy()
        for other, need in enumerate(self.needs):
            if need < own:
                here &= ~self.applies[other]
        return here

    def _reachable(
        self,
    ) -> tuple[dict[tuple[int, ...], dict[tuple[int, ...], Edges]], dict[tuple[int, ...], Mask]]:
        """Which counts a game can come to in which positions, begun anywhere with fresh counts or equal ones."""
        e = self.endings
        reached: dict[tuple[int, ...], Mask] = {(0,) * len(self.rules): np.ones(e.count, dtype=bool)}
        for rule, need in zip(self.rules, self.needs, strict=True):
            for count in range(1, need):
                counts = self._together(rule, count)
                reached[counts] = reached.get(counts, False) | self._just(rule)
        after: dict[tuple[int, ...], dict[tuple[int, ...], Edges]] = {}
        waiting = list(reached)
        while waiting:
            counts = waiting.pop()
            edges = np.flatnonzero(reached[counts][e.from_])
            after[counts] = {}
            following, complete = self._following(counts, edges)
            for key in np.unique(following[~complete], axis=0).tolist() if len(self.rules) else []:
                chosen = edges[(following == key).all(axis=1) & ~complete]
                to = tuple(key)
                after[counts][to] = chosen
                mask = reached.get(to, np.zeros(e.count, dtype=bool)).copy()
                before = mask.sum()
                mask[e.to[chosen]] = True
                if mask.sum() > before:
                    reached[to] = mask
                    if to not in waiting:
                        waiting.append(to)
            if not self.rules:
                after[counts][()] = edges
        return after, reached

    def _following(self, counts: tuple[int, ...], edges: Edges) -> tuple[NDArray[np.int64], Mask]:
        """The counts after each move, and whether one of them is complete."""
        e = self.endings
        following = np.zeros((len(edges), len(counts)), dtype=np.int64)
        complete = np.zeros(len(edges), dtype=bool)
        for rule, count in enumerate(counts):
            applies = self.applies[rule]
            goes_on = applies[e.from_[edges]] & applies[e.to[edges]] & ~self.resets[rule][edges]
            following[:, rule] = np.where(goes_on, count + self.ticks[rule][edges], 0)
            complete |= applies[e.to[edges]] & (following[:, rule] >= self.needs[rule])
        return following, complete

    def _from_moves(self, counts: tuple[int, ...]) -> NDArray[np.int8]:
        e = self.endings
        best = self.fresh
        # Where only the stronger side's moves count, the other's lead to the same count: look at them a second time.
        for _ in range(2):
            values = np.zeros(len(e.to), dtype=np.int8)
            for following, chosen in self.after[counts].items():
                fresh = not any(following)
                table = self.fresh if fresh else best if following == counts else self.values[following]
                values[chosen] = table[e.to[chosen]]
            # The end on the board comes before every draw.
            values[~self.has_moves[e.to]] = -1
            best = e.best(values)
            best[~self.has_moves] = -1
        return best
