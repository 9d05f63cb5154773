"""One game that is to be played, and what is known of it when it has been."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from damas.arbiter import draw_lots
from damas.board import Color

DISQUALIFIED = "DISQUALIFIED"


@dataclass(frozen=True)
class Score:
    """White's points: 1, 0.5, 0. None: the game is void, or both players had been put out."""

    points: float | None
    reason: str = ""

    @property
    def rated(self) -> float | None:
        """The points as far as they say who is stronger: nothing where nobody played, as against one who was put out."""
        return None if self.reason == DISQUALIFIED else self.points


@dataclass(frozen=True)
class Pairing:
    """A game, or a bye where nobody has the black pieces."""

    round: int
    board: int
    game: int
    """Within its encounter, from 1."""
    white: str
    black: str | None
    opening: int = 0
    lot: int | None = None
    """By which the colours of a pair were drawn, told with its first game: `damas.arbiter.draw_lots` repeats it."""

    @property
    def id(self) -> str:
        return f"{self.round:03}-{self.board:03}-{self.game:02}"

    @property
    def bye(self) -> bool:
        return self.black is None

    def seed(self, seed: int) -> int:
        """Of whatever is left to chance in this game, and in no other."""
        return _number(f"{seed}/{self.id}")

    def points_of(self, name: str, points: float) -> float:
        return points if name == self.white else 1 - points


def _number(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:4])


Results = Mapping[str, Score]


def encounter(
    round: int,
    board: int,
    first: str,
    second: str,
    games: int,
    *,
    opening: int,
    lot: str = "",
    begin: int = 1,
) -> Iterator[Pairing]:
    """Games of two players, an opening for each pair of them with colours changed.

    `first` has White in the first game of each pair, unless a `lot` is named that decides it anew.
    """
    for number in range(games):
        pair = number // 2
        changed = number % 2 == 1
        drawn = None
        if lot:
            drawn = _number(f"{lot}/{round}/{board}/{begin + 2 * pair}")
            changed = changed != (draw_lots(drawn) is Color.BLACK)
        white, black = (second, first) if changed else (first, second)
        drawn = drawn if number % 2 == 0 else None
        yield Pairing(round, board, begin + number, white, black, opening + pair, drawn)


def lot_of(colours: str, seed: int) -> str:
    return f"{seed}/colours" if colours == "lot" else ""


def complete(games: Iterable[Pairing], results: Results) -> bool:
    return all(game.bye or game.id in results for game in games)


def points_in(name: str, games: Iterable[Pairing], results: Results) -> float:
    """Of one player, void games left aside."""
    total = 0.0
    for game in games:
        score = results.get(game.id)
        if game.black is not None and score and score.points is not None and name in (game.white, game.black):
            total += game.points_of(name, score.points)
    return total


def points_of_all(games: Iterable[Pairing], results: Results) -> dict[str, float]:
    found: dict[str, float] = {}
    for game in games:
        if game.black is not None:
            points = results[game.id].points
            for name in (game.white, game.black):
                mine = 0.0 if points is None else game.points_of(name, points)
                found[name] = found.get(name, 0.0) + mine
    return found


def put_out(games: Iterable[Pairing], results: Results) -> set[str]:
    """Players who lost a game because they had been disqualified: they are paired no more."""
    gone = set()
    for game in games:
        score = results.get(game.id)
        if score and score.reason == DISQUALIFIED and game.black is not None:
            gone |= {
                name
                for name in (game.white, game.black)
                if score.points is None or not game.points_of(name, score.points)
            }
    return gone


def pairs_of(games: int) -> int:
    return (games + 1) // 2
