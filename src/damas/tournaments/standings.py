"""The table of a tournament: it depends on the plan and the set of results, never on the order of results."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from damas.tournaments.elo import Rating, difference, elo
from damas.tournaments.formats import Pairing, final_order, pairings
from damas.tournaments.formats.trial import Trial
from damas.tournaments.result import GameEntry, Results
from damas.tournaments.settings import Settings
from damas.tournaments.sprt import Sample
from damas.tournaments.tie_breaks import Meeting, Standing, ranking

FORMAT_TIE_BREAKS = {
    "swiss": ("buchholz", "sonneborn", "wins"),
    "round-robin": ("direct", "sonneborn", "wins"),
    "gauntlet": ("sonneborn", "wins"),
    "knockout": (),
    "ladder": (),
}
"""Tie-breaks of each format, in the order in which they are applied."""


@dataclass
class Row:
    """One player of the table."""

    name: str
    points: float = 0.0
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    """Games lost by what the player did, not on the board: too late, not legal, crashed."""
    walkovers: int = 0
    """Games not played because one of the two was disqualified: they count in `games` and points, not for ratings."""
    voids: int = 0
    byes: int = 0
    disqualified: str | None = None
    """Why the player was disqualified; None if not."""
    team: str = ""
    rating: Rating = field(default_factory=Rating)
    tie_breaks: dict[str, float] = field(default_factory=dict)

    @property
    def rated(self) -> int:
        """Number of games that the rating is based on."""
        return self.games - self.walkovers

    @property
    def score(self) -> float:
        """Points per game, without byes."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    def as_json(self) -> dict[str, Any]:
        """All fields; of the rating Elo and error, each tie-break of the format by its name, and the team if it has one."""
        row = asdict(self)
        if not self.team:
            del row["team"]
        rating, tie_breaks = row.pop("rating"), row.pop("tie_breaks")
        row |= {name: round(value, 1) for name, value in rating.items()}
        return row | {name: round(value, 2) for name, value in tie_breaks.items()}


@dataclass(frozen=True)
class Standings:
    """The players from first to last, and the games behind the table."""

    rows: tuple[Row, ...]
    plan: tuple[Pairing, ...]
    """Every game and bye known by now."""
    games: Results
    """The games that count, by id: finished and in the plan."""
    trial: Trial | None = None
    pairs: Sample | None = None
    """With two players: their pairs of games, scored for the first one entered."""

    @property
    def due(self) -> int:
        """Number of games in the plan that are not finished."""
        return sum(not game.bye and game.id not in self.games for game in self.plan)

    @property
    def walkovers(self) -> int:
        """Number of games that gave points without being played."""
        return sum(row.walkovers for row in self.rows) // 2

    @property
    def difference(self) -> tuple[float, float, float] | None:
        """Elo of the first of two players above the second, and its 95 % interval."""
        return difference(self.pairs) if self.pairs else None


def standings(
    settings: Settings,
    played: Results,
    disqualified: Mapping[str, str] | None = None,
    *,
    ratings: bool = True,
) -> Standings:
    """The table after the games `played`, by id. `disqualified` gives reasons by name.

    `ratings=False` leaves ratings out: they take long with hundreds of players.
    """
    plan = tuple(pairings(played, settings))
    counted = {game.id: played[game.id] for game in plan if game.id in played}
    rows = {
        entry.name: Row(entry.name, disqualified=(disqualified or {}).get(entry.name), team=entry.team)
        for entry in settings.entries
    }
    for game in plan:
        if game.black is None:
            rows[game.white].byes += settings.games
            rows[game.white].points += settings.games if settings.format == "swiss" else 0
        elif game.id in counted:
            _add_game(rows[game.white], rows[game.black], counted[game.id])
    ranked = _ranking(plan, counted, settings)
    for standing in ranked:
        values = {name: tie_break.value for name, tie_break in standing.tie_breaks.items()}
        rows[standing.name].tie_breaks = values
    if ratings:
        _rate(rows, counted.values())
    order = final_order(played, settings) or tuple(standing.name for standing in ranked)
    order = tuple(sorted(order, key=lambda name: rows[name].disqualified is not None))
    trial = Trial.of(settings).judge(plan, played) if settings.sprt else None
    pairs = _pairs(plan, counted, settings.names[0]) if len(settings.names) == 2 else None
    return Standings(tuple(rows[name] for name in order), plan, counted, trial, pairs)


def _add_game(white: Row, black: Row, game: GameEntry) -> None:
    if game.points is None:
        white.voids += 1
        black.voids += 1
        return
    for row, points in ((white, game.points), (black, 1 - game.points)):
        row.games += 1
        row.points += points
        row.wins += points == 1
        row.draws += points == 0.5
        row.losses += points == 0
        row.walkovers += game.rated is None
    if game.offender:
        {"white": white, "black": black}[game.offender].forfeits += 1


def _ranking(plan: Sequence[Pairing], games: Results, settings: Settings) -> list[Standing]:
    """The players by points and the tie-breaks of the format, with one meeting for each game.

    A bye is no opponent, but its points count in the scores of opponents; games without points are left out.
    """
    meetings: dict[str, list[Meeting]] = {name: [] for name in settings.names}
    for pairing in plan:
        if pairing.black is None:
            points = float(settings.games) if settings.format == "swiss" else 0.0
            meetings[pairing.white].append(Meeting(pairing.round, None, points, played=False))
        elif pairing.id in games:
            game = games[pairing.id]
            if game.points is not None:
                for name, other, points in (
                    (game.white, game.black, game.points),
                    (game.black, game.white, 1 - game.points),
                ):
                    black = int(name == game.black)
                    meetings[name].append(
                        Meeting(pairing.round, other, points, points, int(points == 1), black)
                    )
    return ranking(settings.names, meetings, FORMAT_TIE_BREAKS[settings.format], direct_if_incomplete=True)


def _rate(rows: Mapping[str, Row], games: Iterable[GameEntry]) -> None:
    """Sets the Elo of each row from the games that were played; a walkover says nothing about strength."""
    index = {name: number for number, name in enumerate(rows)}
    rated = [(index[game.white], index[game.black], game.rated) for game in games if game.rated is not None]
    for row, rating in zip(rows.values(), elo(len(index), rated), strict=True):
        row.rating = rating


def _pairs(plan: Sequence[Pairing], counted: Results, first: str) -> Sample | None:
    """Pairs of games on one opening; pairs with a missing, void or unplayed game are left out."""
    points_by_pair: dict[tuple[int, int, int], list[float]] = {}
    for game in plan:
        played = counted.get(game.id)
        if played and played.rated is not None:
            key = (game.round, game.board, (game.game - 1) // 2)
            points_by_pair.setdefault(key, []).append(played.points_of(first) or 0.0)
    pairs = [0] * 5
    for points in points_by_pair.values():
        if len(points) == 2:
            pairs[round(2 * sum(points))] += 1
    return Sample(tuple(pairs)) if sum(pairs) else None
