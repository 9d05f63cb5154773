"""A game to be played, its score, and what all formats do with them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256

from damas.arbiter import draw_lots
from damas.board import Color
from damas.tournaments.result import DISQUALIFIED, Results


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
        """Round, board and game: unique in a tournament."""
        return f"{self.round:03}-{self.board:03}-{self.game:02}"

    @property
    def bye(self) -> bool:
        """Whether the player rests."""
        return self.black is None

    def seed(self, seed: int) -> int:
        """The random seed of this game in a tournament with this seed."""
        return _hash(f"{seed}/{self.id}")


def _hash(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:4])


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
    played = (results[game.id] for game in games if game.id in results and name in (game.white, game.black))
    return sum(entry.points_of(name) or 0.0 for entry in played)


def disqualified_players(games: Iterable[Pairing], results: Results) -> set[str]:
    """Players who lost a game because they had been disqualified; they are not paired again."""
    played = (results[game.id] for game in games if game.id in results)
    out = (entry for entry in played if entry.reason == DISQUALIFIED)
    return {name for entry in out for name in (entry.white, entry.black) if not entry.points_of(name)}


def pair_count(games: int) -> int:
    """Pairs of games, and so openings, of an encounter with this many games."""
    return (games + 1) // 2
