"""Thousands of games at once, as arrays: for programs that learn from many moves.

Legal moves and draw laws come from the same core as everywhere; games end exactly as those of `damas.game` do with its
platform rules. Python objects are made for no move.
"""

from copy import deepcopy
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from damas.environments import planes
from damas.environments.actions import TIES, Actions
from damas.game import BatchLaws, Position, successors
from damas.rules import Rulebook, rulebook

MAX_PLIES = 1000
"""Plies after which a game is cut short by default."""


@dataclass(frozen=True)
class Step:
    """What one ply in every game has brought."""

    rewards: npt.NDArray[np.int8]
    """White's: 1 won, -1 lost, 0 drawn or still going. Black's is its opposite."""
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    """Games stopped at `max_plies` plies that no law has ended."""
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
        self, book: Rulebook | str, count: int, *, fen: str | None = None, max_plies: int = MAX_PLIES
    ) -> None:
        if count < 1:
            raise ValueError(f"at least one game is needed, not {count}")
        self.rulebook = rulebook(book)
        self.count = count
        self.max_plies = max_plies
        self.action_encoding = Actions.of(self.rulebook)
        self._squares = len(self.rulebook.geometry.places)
        start = Position.from_fen(fen, self.rulebook) if fen else Position.start(self.rulebook)
        self._position = start
        self._start = np.asarray(start.to_array(), np.int8)
        self._first_turn = int(start.black_to_move)
        self.reset()
        self.reasons = ("", "NO_PIECES", "NO_MOVES", *(rule.id for rule in self._laws.rules))
        """What the numbers of `Step.reasons` mean: an end on the board, or the id of a draw rule."""

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
        self._laws = BatchLaws(self._position, n)
        self._generate()

    def step(self, actions: npt.NDArray[np.integer]) -> Step:
        """One ply in every game that goes on; raises `ValueError` for an action that is not legal."""
        restarted = self.done
        live = np.flatnonzero(~restarted)
        at = self._find(live, np.asarray(actions, np.int64))
        first, last = np.divmod(self._pairs[at], self._squares)
        self.codes[live] = self._children[at]
        self.codes[restarted] = self._start
        self.turns = np.where(restarted, self._first_turn, 1 - self.turns).astype(np.int8)
        self.ply = np.where(restarted, 0, self.ply + 1)
        self._counts = self._material()
        ends = np.zeros((2, self.count), np.uint8)
        ends[:, live] = first, last
        self._laws.play(self.codes, self.turns, ends[0], ends[1], restarted)
        self.done = np.zeros(self.count, np.bool_)
        self._generate()
        return self._end_games()

    def clone(self) -> Self:
        """An independent copy of the games, at the same ply.

        >>> games = VectorGames("concurso", 2)
        >>> games.clone().step(games.sample(np.random.default_rng(1))).rewards.tolist(), games.ply.tolist()
        ([0, 0], [0, 0])
        """
        return deepcopy(self)

    def sample(self, random: np.random.Generator) -> npt.NDArray[np.int64]:
        """A legal action of each game, all equally likely; 0 for a game that has ended."""
        many = np.diff(self.offsets)
        playing = np.flatnonzero(many)
        at = self.offsets[playing] + (random.random(len(playing)) * many[playing]).astype(np.int64)
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
        return {
            rule.id: (np.asarray(have, np.int32), rule.limit * (2 if rule.counts == "each" else 1))
            for rule, have in self._laws.counts().items()
        }

    def _material(self) -> npt.NDArray[np.int32]:
        return np.stack([(self.codes == piece).sum(axis=1) for piece in planes.PIECES], axis=1).astype(
            np.int32
        )

    def _generate(self) -> None:
        """The legal moves of every game: `actions`, ascending, those of game n from `offsets[n]` to `offsets[n + 1]`."""
        squares, encoding = self._squares, self.action_encoding
        rows, parents, ends = map(np.asarray, successors(self.rulebook, self.codes, self.turns))
        owners = parents.astype(np.int64)
        pairs = ends[:, 0].astype(np.int64) * squares + ends[:, 1]
        if self.rulebook.rests:
            kept = self._not_resting(rows, owners, ends[:, 0])
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
                        self._as_encoded(game, int(pair), rows[row])
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

    def _as_encoded(
        self, game: int, pair: int, row: npt.NDArray[np.int8]
    ) -> tuple[tuple[int, int], tuple[tuple[int, ...], bool]]:
        """A move in the form that `Actions.number` takes."""
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

    def _not_resting(
        self, rows: npt.NDArray[np.int8], owners: npt.NDArray[np.int64], first: npt.NDArray[np.uint8]
    ) -> npt.NDArray[np.bool_]:
        """Which moves remain: captures, and those of no king that must rest."""
        captures = (rows != 0).sum(axis=1) < self._counts[owners].sum(axis=1)
        kept: npt.NDArray[np.bool_] = captures | (np.asarray(self._laws.resting_kings())[owners] != first)
        return kept

    def _end_games(self) -> Step:
        """Marks the games that have ended, on the board first, then by the rulebook's laws, and returns their rewards."""
        rewards = np.zeros(self.count, np.int8)
        reasons = np.zeros(self.count, np.int8)
        stuck = np.diff(self.offsets) == 0
        white, black = self._counts[:, :2].sum(axis=1), self._counts[:, 2:].sum(axis=1)
        own = np.where(self.turns == 0, white, black)
        reasons[stuck] = np.where(own[stuck] == 0, 1, 2)
        rewards[stuck] = np.where(self.turns[stuck] == 0, -1, 1)
        ended_by = np.asarray(self._laws.ended_by())
        for place, rule in enumerate(self._laws.rules, start=3):
            ends = (ended_by == self.rulebook.draws.index(rule)) & ~stuck
            reasons[ends] = place
            if rule.decides == "pieces":
                rewards[ends] = np.sign(white - black)[ends]
        terminated = reasons > 0
        truncated = ~terminated & (self.ply >= self.max_plies)
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
