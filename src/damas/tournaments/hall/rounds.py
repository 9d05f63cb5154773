"""A round of a tournament of people, and what the results of its boards mean. Pure values."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from damas.tournaments.hall.events import Pair, Place, Rest

OPPOSITE = {"1": "0", "=": "=", "0": "1", "+": "-", "-": "+", "n": "n"}
"""The sign of a game for the other player."""
SHARES = {"1": 1.0, "=": 0.5, "0": 0.0, "+": 1.0, "-": 0.0, "n": 0.0}
"""The part of a game's points that each sign gives."""
PLAYED = "1=0"
"""Signs of games that were played."""
NO_SHOW = "-n"
"""Signs of games to which the player did not come."""


@dataclass(frozen=True)
class Result:
    """The result of a board, for the player named first."""

    games: str
    advance: str = ""

    def signs(self, pair: Pair, name: str) -> str:
        """The signs of the games for one of the two players."""
        return self.games if name == pair.first else reversed_signs(self.games)


def reversed_signs(games: str) -> str:
    """The signs of games for the other player."""
    return "".join(OPPOSITE[sign] for sign in games)


@dataclass(frozen=True)
class Round:
    """A round: drafted, then published, then scored board by board."""

    number: int
    pairs: tuple[Pair, ...]
    resting: tuple[Rest, ...]
    edition: str
    ballot: str = ""
    by_hand: bool = False
    phase: str = ""
    announced: bool = False
    """In a league of teams, whether everybody sees which teams meet while the boards are not published."""
    published: bool = False
    results: Mapping[int, Result] = field(default_factory=dict)
    """By board; in a league of teams by match, once all its boards have a result."""
    lineups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """In a league of teams, who sits at the boards of each team: what it named, and from the publication on everybody's."""
    match_boards: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """In a league of teams, the signs of each board of a match for the first team; empty without a result."""
    reports: Mapping[Place, Mapping[str, str]] = field(default_factory=dict)
    """What players of a board without a result say, by board and name: the signs of the games."""
    app_games: Mapping[Place, tuple[str, ...]] = field(default_factory=dict)
    """The games of boards that are played in the app."""
    order: tuple[str, ...] = ()
    """Of the first round, the players in the order for which it was drafted: schedule, bracket and numbers follow from it."""

    @property
    def is_complete(self) -> bool:
        """Whether every board has a result."""
        return self.published and len(self.results) == len(self.pairs)

    def pair_at(self, board: int) -> Pair | None:
        """The encounter of a board."""
        return next((pair for pair in self.pairs if pair.board == board), None)

    def pair_of(self, name: str) -> Pair | None:
        """The encounter of a player, or the match of a team."""
        return next((pair for pair in self.pairs if name in (pair.first, pair.second)), None)

    def seats_at(self, place: Place) -> Pair | None:
        """Who sits at a board, in a match with an empty name where nobody does; None if there is no such board."""
        pair = self.pair_at(place.board)
        if pair is None or not self.match_boards:
            return None if place.match_board else pair
        if not 1 <= place.match_board <= len(self.match_boards.get(pair.board, ())):
            return None
        first, second = (self.lineups[team][place.match_board - 1] for team in (pair.first, pair.second))
        return Pair(pair.board, first, second)

    def signs_at(self, place: Place) -> str:
        """The signs of the games of a board, for whoever is named first; empty without a result."""
        if place.match_board:
            return self.match_boards[place.board][place.match_board - 1]
        result = self.results.get(place.board)
        return result.games if result else ""

    @property
    def places(self) -> list[Place]:
        """The boards at which players sit; in a league of teams those of all matches, once they are published."""
        if not self.match_boards:
            return [Place(pair.board) for pair in self.pairs]
        return [
            Place(pair.board, board)
            for pair in self.pairs
            for board in range(1, 1 + len(self.match_boards.get(pair.board, ())))
        ]


def winner(pair: Pair, result: Result) -> str:
    """Who won an encounter, by games or because the arbiter says who goes on; empty for a tie."""
    if result.advance:
        return result.advance
    own = sum(SHARES[sign] for sign in result.games)
    other = sum(SHARES[OPPOSITE[sign]] for sign in result.games)
    return "" if own == other else pair.first if own > other else pair.second


def open_boards(played: Round) -> str:
    """The boards without a result, as a list."""
    return ", ".join(boards_without_result(played))


def boards_without_result(played: Round) -> list[str]:
    """The boards that wait for a result: 3, or in a league of teams 1.3."""
    boards: list[str] = []
    for pair in played.pairs:
        if pair.board in played.match_boards:
            signs = played.match_boards[pair.board]
            boards += [f"{pair.board}.{place}" for place, each in enumerate(signs, start=1) if not each]
        elif pair.board not in played.results:
            boards.append(str(pair.board))
    return boards
