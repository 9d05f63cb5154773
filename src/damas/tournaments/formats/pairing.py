"""A game to be played, its score, and what all formats do with them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from damas.arbiter import draw_lots
from damas.board import Color

DISQUALIFIED = "DISQUALIFIED"
"""Reason of a game that was not played because a player had been disqualified."""


@dataclass(frozen=True)
class Score:
    """White's points: 1, 0.5 or 0; None if the game is void or both players had been disqualified."""

    points: float | None
    reason: str = ""

    @property
    def rated(self) -> float | None:
        """White's points for ratings; None if the game was not played, since it then says nothing about strength."""
        return None if self.reason == DISQUALIFIED else self.points


@dataclass(frozen=True)
class Pairing:
    """A game between two players, or a bye if `black` is None."""

    round: int
    board: int
    game: int
    """Number within the encounter of the two players, from 1."""
    white: str
    black: str | None
    opening: int = 0
    lot: int | None = None
    """Seed of the draw for colours, in the first game of a pair; `damas.arbiter.draw_lots` repeats the draw."""

    @property
    def id(self) -> str:
        return f"{self.round:03}-{self.board:03}-{self.game:02}"

    @property
    def bye(self) -> bool:
        return self.black is None

    def seed(self, seed: int) -> int:
        """The random seed of this game in a tournament with this seed."""
        return _hash(f"{seed}/{self.id}")

    def points_of(self, name: str, points: float) -> float:
        """The points of one of the two players, given White's."""
        return points if name == self.white else 1 - points


def _hash(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:4])


Results = Mapping[str, Score]
"""Scores of finished games by the id of their pairing."""


def encounter(
    round: int,
    board: int,
    first: str,
    second: str,
    games: int,
    *,
    opening: int,
    lot: str = "",
    first_game: int = 1,
) -> Iterator[Pairing]:
    """The games of two players, numbered from `first_game`: each pair has one opening, with colours changed.

    `first` has White in the first game of each pair, unless `lot` is given: then a draw seeded with it decides.
    """
    for number in range(games):
        pair = number // 2
        swapped = number % 2 == 1
        drawn = None
        if lot:
            drawn = _hash(f"{lot}/{round}/{board}/{first_game + 2 * pair}")
            swapped = swapped != (draw_lots(drawn) is Color.BLACK)
        white, black = (second, first) if swapped else (first, second)
        drawn = drawn if number % 2 == 0 else None
        yield Pairing(round, board, first_game + number, white, black, opening + pair, drawn)


def color_lot(colours: str, seed: int) -> str:
    """The `lot` of `encounter`: empty if colours are not drawn."""
    return f"{seed}/colours" if colours == "lot" else ""


def is_complete(games: Iterable[Pairing], results: Results) -> bool:
    """Whether every game has a result; byes need none."""
    return all(game.bye or game.id in results for game in games)


def points_in(name: str, games: Iterable[Pairing], results: Results) -> float:
    """Points of one player in these games; void games and byes give none."""
    total = 0.0
    for game in games:
        score = results.get(game.id)
        if game.black is not None and score and score.points is not None and name in (game.white, game.black):
            total += game.points_of(name, score.points)
    return total


def points_by_player(games: Iterable[Pairing], results: Results) -> dict[str, float]:
    """Adds up each player's points; every game needs a result, byes are skipped, a void game counts 0."""
    total: dict[str, float] = {}
    for game in games:
        if game.black is not None:
            points = results[game.id].points
            for name in (game.white, game.black):
                earned = 0.0 if points is None else game.points_of(name, points)
                total[name] = total.get(name, 0.0) + earned
    return total


def disqualified_players(games: Iterable[Pairing], results: Results) -> set[str]:
    """Players who lost a game because they had been disqualified; they are not paired again."""
    players = set()
    for game in games:
        score = results.get(game.id)
        if score and score.reason == DISQUALIFIED and game.black is not None:
            players |= {
                name
                for name in (game.white, game.black)
                if score.points is None or not game.points_of(name, score.points)
            }
    return players


def pair_count(games: int) -> int:
    """Pairs of games, and so openings, of an encounter with this many games."""
    return (games + 1) // 2
