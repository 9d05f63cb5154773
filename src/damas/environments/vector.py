"""Thousands of games at once, as arrays: for programs that learn from many moves.

Legal moves come from the same core as everywhere, draw laws from `counters`; both end games exactly as `damas.game`
does with its platform rules. Python objects are made for no move.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from damas.environments import planes
from damas.environments.actions import TIES, Actions
from damas.environments.counters import (
    LimitCounter,
    Plies,
    RepetitionCounter,
    laws_by_themselves,
)
from damas.game import Position, successors
from damas.rules import Rulebook, rulebook

LONGEST = 1000


@dataclass(frozen=True)
class Step:
    """What one ply in every game has brought."""

    rewards: npt.NDArray[np.int8]
    """White's: 1 won, -1 lost, 0 drawn or still going. Black's is its opposite."""
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    """Cut short at `longest` plies, where no law has ended the game."""
    reasons: npt.NDArray[np.int8]
    """Why a game ended: its place in `VectorGames.reasons`; 0 where it goes on."""


class VectorGames:
    """`count` games of one rulebook, one ply each a step.

    A game that has ended stands still for one step, so that its last position can be seen; with the next step it
    begins anew and its action is ignored (`done` says which).

    >>> games = VectorGames("concurso", 2)
    >>> games.offsets.tolist(), games.step(games.sample(np.random.default_rng(1))).rewards.tolist()
    ([0, 7, 14], [0, 0])
    """

    def __init__(
        self, book: Rulebook | str, count: int, *, fen: str | None = None, longest: int = LONGEST
    ) -> None:
        self.rulebook = rulebook(book) if isinstance(book, str) else book
        self.count = count
        self.longest = longest
        self.action_encoding = Actions.of(self.rulebook)
        self._squares = len(self.rulebook.geometry.places)
        self._rows = np.array([row for row, _ in self.rulebook.geometry.places])
        start = Position.from_fen(fen, self.rulebook) if fen else Position.start(self.rulebook)
        self._start = np.array([planes.CODES[letter] for letter in start.diagram], np.int8)
        self._first_turn = int(start.black_to_move)
        self._laws, self.left_out = laws_by_themselves(self.rulebook)
        self.reasons = ("", "NO_PIECES", "NO_MOVES", *(rule.id for rule in self._laws))
        """What the numbers of `Step.reasons` mean: an end on the board, or the id of a draw rule."""
        self.reset()

    def reset(self) -> None:
        """All games begin anew."""
        n = self.count
        self.codes = np.repeat(self._start[None], n, axis=0)
        """One row a game, one column a square: 0 empty, 1 and 2 White's man and king, -1 and -2 Black's."""
        self.turns = np.full(n, self._first_turn, np.int8)
        """0 White, 1 Black to move."""
        self.ply = np.zeros(n, np.int32)
        self.done = np.zeros(n, np.bool_)
        """Games that have ended and begin anew with the next step."""
        self._counts = self._material()
        self._limits: dict[str, LimitCounter] = {}
        self._repetitions: dict[str, RepetitionCounter] = {}
        for rule in self._laws:
            if rule.rule == "limit":
                other = self._limits.get(rule.off_during)
                self._limits[rule.id] = LimitCounter(rule, self.rulebook, n, other)
            elif rule.rule == "repetition":
                self._repetitions[rule.id] = RepetitionCounter(rule.limit, self.rulebook, n)
        self._king_at = np.zeros((n, 2), np.int64)
        self._king_run = np.zeros((n, 2), np.int64)
        nothing = np.zeros(n, np.bool_)
        self._count_laws(
            Plies(self.codes, self._counts, nothing, nothing, nothing, nothing, ~nothing), ~nothing
        )
        self._generate()

    def step(self, actions: npt.NDArray[np.integer]) -> Step:
        """One ply in every game that goes on; raises `ValueError` for an action that is not legal."""
        fresh = self.done
        live = np.flatnonzero(~fresh)
        at = self._find(live, np.asarray(actions, np.int64))
        first, last = np.divmod(self._pairs[at], self._squares)
        moved = self.codes[live, first]
        by_white = self.turns == 0

        self.codes[live] = self._children[at]
        self.codes[fresh] = self._start
        self.turns = np.where(fresh, self._first_turn, 1 - self.turns).astype(np.int8)
        self.ply = np.where(fresh, 0, self.ply + 1)
        before, self._counts = self._counts, self._material()

        flags = np.zeros((4, self.count), np.bool_)
        capture, man_move, promotion, leaves_row = flags
        man = np.abs(moved) == 1
        man_move[live] = man
        promotion[live] = man & (np.abs(self.codes[live, last]) == 2)
        capture[live] = before[live].sum(axis=1) > self._counts[live].sum(axis=1)
        leaves_row[live] = man & (self._rows[first] != self._rows[last])
        if self.rulebook.rests:
            self._follow_kings(live, first, last, capture[live] | man, fresh)
        plies = Plies(self.codes, self._counts, by_white, capture, man_move, promotion, fresh)
        self._count_laws(plies, capture | leaves_row | fresh)
        self.done = np.zeros(self.count, np.bool_)
        self._generate()
        return self._judge()

    def sample(self, chance: np.random.Generator) -> npt.NDArray[np.int64]:
        """A legal action of each game, any with the same chance; 0 for a game that has ended."""
        many = np.diff(self.offsets)
        playing = np.flatnonzero(many)
        at = self.offsets[playing] + (chance.random(len(playing)) * many[playing]).astype(np.int64)
        chosen = np.zeros(self.count, np.int64)
        chosen[playing] = self.actions[at]
        return chosen

    def mask(self) -> npt.NDArray[np.int8]:
        """One row a game, one column an action, 1 where it is legal. Large: `actions` and `offsets` say the same."""
        mask = np.zeros((self.count, self.action_encoding.count), np.int8)
        mask[self._owners, self.actions] = 1
        return mask

    def observe(self) -> npt.NDArray[np.float32]:
        """The planes of every game: see `damas.environments.planes`."""
        run = np.zeros(self.count, np.float32)
        for have, need in self.progress().values():
            part = have / need if need else have + 1.0
            run = np.maximum(run, part.astype(np.float32))
        return planes.tensors(self.rulebook, self.codes, self.turns, np.minimum(run, 1.0))

    def progress(self) -> dict[str, tuple[npt.NDArray[np.int32], int]]:
        """How far each draw law has run in each game, -1 where it does not count, and how far it goes."""
        told = {}
        for rule in self._laws:
            have, need, running = self._progress(rule.id, rule.rule, rule.limit)
            told[rule.id] = np.where(running, have, -1).astype(np.int32), need
        return told

    def _material(self) -> npt.NDArray[np.int32]:
        return np.stack([(self.codes == piece).sum(axis=1) for piece in planes.PIECES], axis=1).astype(
            np.int32
        )

    def _count_laws(self, plies: Plies, irreversible: npt.NDArray[np.bool_]) -> None:
        for limit in self._limits.values():
            limit.play(plies)
        for repetition in self._repetitions.values():
            repetition.play(self.codes, irreversible)

    def _generate(self) -> None:
        """The legal moves of every game: `actions`, ascending, those of game n from `offsets[n]` to `offsets[n + 1]`."""
        squares, encoding = self._squares, self.action_encoding
        rows, parents, ends = map(np.asarray, successors(self.rulebook, self.codes, self.turns))
        owners = parents.astype(np.int64)
        pairs = ends[:, 0].astype(np.int64) * squares + ends[:, 1]
        self._must_capture = np.zeros(self.count, np.bool_)
        leading = np.flatnonzero(np.diff(owners, prepend=-1))
        if len(leading):
            # Captures are compulsory, so the first move of a game tells of all.
            left = (rows[leading] != 0).sum(axis=1)
            self._must_capture[owners[leading]] = left < self._counts[owners[leading]].sum(axis=1)
        if self.rulebook.rests:
            kept = self._not_resting(owners, ends[:, 0])
            rows, owners, pairs = rows[kept], owners[kept], pairs[kept]
        order = np.argsort(owners * (squares * squares) + pairs, kind="stable")
        owners, pairs = owners[order], pairs[order]
        actions = pairs * TIES
        tied = np.flatnonzero((actions[1:] == actions[:-1]) & (owners[1:] == owners[:-1]))
        offsets = np.searchsorted(owners, np.arange(self.count + 1))
        for game in dict.fromkeys(owners[tied].tolist()):
            here = slice(int(offsets[game]), int(offsets[game + 1]))
            numbers = np.array(
                encoding.number(
                    [
                        self._told(game, int(pair), rows[row])
                        for pair, row in zip(pairs[here], order[here], strict=True)
                    ]
                )
            )
            again = np.argsort(numbers)
            actions[here] = numbers[again]
            pairs[here], order[here] = pairs[here][again], order[here][again]
        self.actions: npt.NDArray[np.int64] = actions
        self.offsets: npt.NDArray[np.int64] = offsets
        self._owners, self._pairs = owners, pairs
        self._children = rows[order]

    def _told(
        self, game: int, pair: int, row: npt.NDArray[np.int8]
    ) -> tuple[tuple[int, int], tuple[tuple[int, ...], bool]]:
        """A move as the encoding wants to hear of it."""
        first, last = divmod(pair, self._squares)
        gone = np.flatnonzero((self.codes[game] != 0) & (row == 0)).tolist()
        return (first, last), (tuple(square for square in gone if square != first), abs(int(row[last])) == 2)

    def _find(self, live: npt.NDArray[np.intp], actions: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
        """Where the chosen actions lie among the legal ones."""
        if actions.shape != (self.count,):
            raise ValueError(
                f"{self.count} actions are needed, one a game, not an array of shape {actions.shape}"
            )
        many = self.action_encoding.count
        wanted = live * many + actions[live]
        legal = self._owners * many + self.actions
        at = np.searchsorted(legal, wanted)
        wrong = (at >= len(legal)) | (legal[np.minimum(at, len(legal) - 1)] != wanted)
        if wrong.any():
            game = int(live[np.flatnonzero(wrong)[0]])
            own = self.actions[self.offsets[game] : self.offsets[game + 1]]
            raise ValueError(f"action {actions[game]} is not legal in game {game}; legal: {own.tolist()}")
        return at

    def _follow_kings(
        self,
        live: npt.NDArray[np.intp],
        first: npt.NDArray[np.int64],
        last: npt.NDArray[np.int64],
        other: npt.NDArray[np.bool_],
        fresh: npt.NDArray[np.bool_],
    ) -> None:
        """How many simple moves in a row the same king has made, for each side."""
        mover = 1 - self.turns[live]
        run, at = self._king_run[live, mover], self._king_at[live, mover]
        run = np.where((run > 0) & (at == first), run + 1, 1)
        self._king_run[live, mover] = np.where(other, 0, run)
        self._king_at[live, mover] = last
        self._king_run[fresh] = 0

    def _not_resting(
        self, owners: npt.NDArray[np.int64], first: npt.NDArray[np.uint8]
    ) -> npt.NDArray[np.bool_]:
        everyone = np.arange(self.count)
        men = self._counts[everyone, 2 * self.turns]
        longest = min(rule.limit for rule in self.rulebook.rests)
        rests = (self._king_run[everyone, self.turns] >= longest) & (men > 0) & ~self._must_capture
        at = self._king_at[everyone, self.turns]
        kept: npt.NDArray[np.bool_] = ~(rests[owners] & (at[owners] == first))
        return kept

    def _progress(
        self, name: str, kind: str, limit: int
    ) -> tuple[npt.NDArray[np.int32], int, npt.NDArray[np.bool_]]:
        """How far a law has run, how far it goes, and where it counts."""
        if kind == "length":
            return self.ply, limit, np.ones(self.count, np.bool_)
        if kind == "limit":
            counter = self._limits[name]
            return counter.have, counter.need, counter.runs(self._must_capture)
        repetition = self._repetitions[name]
        return repetition.have, repetition.limit, repetition.have > 1

    def _judge(self) -> Step:
        """Which games have ended: on the board first, then by the laws in the order of the rulebook."""
        rewards = np.zeros(self.count, np.int8)
        reasons = np.zeros(self.count, np.int8)
        stuck = np.diff(self.offsets) == 0
        white, black = self._counts[:, :2].sum(axis=1), self._counts[:, 2:].sum(axis=1)
        own = np.where(self.turns == 0, white, black)
        reasons[stuck] = np.where(own[stuck] == 0, 1, 2)
        rewards[stuck] = np.where(self.turns[stuck] == 0, -1, 1)
        for place, rule in enumerate(self._laws, start=3):
            have, need, running = self._progress(rule.id, rule.rule, rule.limit)
            ends = running & (have >= need) & (reasons == 0)
            reasons[ends] = place
            if rule.decides == "pieces":
                rewards[ends] = np.sign(white - black)[ends]
        terminated = reasons > 0
        truncated = ~terminated & (self.ply >= self.longest)
        self.done = terminated | truncated
        if self.done.any():
            self._forget(self.done)
        return Step(rewards, terminated, truncated, reasons)

    def _forget(self, ended: npt.NDArray[np.bool_]) -> None:
        """A game that has ended has no legal moves."""
        kept = ~ended[self._owners]
        self._owners, self._pairs = self._owners[kept], self._pairs[kept]
        self.actions, self._children = self.actions[kept], self._children[kept]
        self.offsets = np.searchsorted(self._owners, np.arange(self.count + 1))
