"""The table of a tournament: a function of its plan and the set of its results, never of their order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from damas.tournaments.elo import Rating, difference, elo
from damas.tournaments.formats import Pairing, Score, order, pairings
from damas.tournaments.formats.trial import Trial
from damas.tournaments.journal import Played
from damas.tournaments.settings import Settings
from damas.tournaments.sprt import Sample

TIE_BREAKS = {
    "swiss": ("buchholz", "sonneborn", "wins"),
    "round-robin": ("direct", "sonneborn", "wins"),
    "gauntlet": ("sonneborn", "wins"),
    "knockout": (),
    "ladder": (),
}


@dataclass
class Row:
    """One player."""

    name: str
    points: float = 0.0
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    """Games lost by what the program did: too late, not legal, crashed."""
    walkovers: int = 0
    """Of the games, those that nobody played as one of the two had been put out: points, and no rating."""
    voids: int = 0
    byes: int = 0
    out: str | None = None
    """Why the player was disqualified."""
    rating: Rating = field(default_factory=Rating)
    tie_breaks: dict[str, float] = field(default_factory=dict)

    @property
    def rated(self) -> int:
        """Games that its rating stands on."""
        return self.games - self.walkovers

    @property
    def score(self) -> float:
        """Points a game, byes left aside."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "points": self.points,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "forfeits": self.forfeits,
            "walkovers": self.walkovers,
            "voids": self.voids,
            "byes": self.byes,
            "disqualified": self.out,
            "elo": round(self.rating.elo, 1),
            "error": round(self.rating.error, 1),
            **{name: round(value, 2) for name, value in self.tie_breaks.items()},
        }


@dataclass(frozen=True)
class Standings:
    """The players from first to last, and what the table is made of."""

    rows: tuple[Row, ...]
    plan: tuple[Pairing, ...]
    """Every game known by now and every bye."""
    games: Mapping[str, Played]
    """Those that count: finished and in the plan."""
    trial: Trial | None = None
    pairs: Sample | None = None
    """Of two players: their pairs of games, for the first one entered."""

    @property
    def due(self) -> int:
        return sum(not game.bye and game.id not in self.games for game in self.plan)

    @property
    def walkovers(self) -> int:
        """Games that gave points and that nobody played."""
        return sum(row.walkovers for row in self.rows) // 2

    @property
    def difference(self) -> tuple[float, float, float] | None:
        """Elo of the first of two players above the second, and its 95 % interval."""
        return difference(self.pairs) if self.pairs else None

    def met(self, one: str, other: str) -> list[tuple[Pairing, Played]]:
        """The games of two players that count."""
        return [
            (game, self.games[game.id])
            for game in self.plan
            if game.id in self.games and {one, other} == {game.white, game.black}
        ]


def standings(
    settings: Settings,
    played: Mapping[str, Played],
    out: Mapping[str, str] | None = None,
    *,
    ratings: bool = True,
) -> Standings:
    """`ratings=False` leaves them out: with a hundred players they are no work for every second."""
    scores = {name: game.score for name, game in played.items()}
    plan = tuple(pairings(scores, settings))
    counted = {game.id: played[game.id] for game in plan if game.id in played}
    rows = {name: Row(name, out=(out or {}).get(name)) for name in settings.names}
    facts = [
        (game.white, game.black, counted[game.id].score, game)
        for game in plan
        if game.id in counted and game.black is not None
    ]
    for game in plan:
        if game.black is None:
            rows[game.white].byes += settings.games
            rows[game.white].points += settings.games if settings.format == "swiss" else 0
        elif game.id in counted:
            _note(rows[game.white], rows[game.black], counted[game.id])
    _break_ties(rows, facts, settings)
    if ratings:
        _rate(rows, facts, settings)
    ranked = order(scores, settings) or sorted(settings.names, key=lambda name: _key(rows[name], settings))
    ranked = sorted(ranked, key=lambda name: rows[name].out is not None)  # whoever was put out wins nothing
    trial = Trial.of(settings).judge(plan, scores) if settings.sprt else None
    pairs = _pairs(plan, counted, settings.names[0]) if len(settings.names) == 2 else None
    return Standings(tuple(rows[name] for name in ranked), plan, counted, trial, pairs)


def _note(white: Row, black: Row, game: Played) -> None:
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
        row.walkovers += game.score.rated is None
    if game.offender:
        {"white": white, "black": black}[game.offender].forfeits += 1


def _key(row: Row, settings: Settings) -> tuple[float, ...]:
    told = (-row.tie_breaks.get(name, 0.0) for name in TIE_BREAKS[settings.format])
    return (row.out is not None, -row.points, *told, settings.names.index(row.name))


Fact = tuple[str, str, Score, Pairing]


def _break_ties(rows: Mapping[str, Row], facts: Sequence[Fact], settings: Settings) -> None:
    """Of each format its own: opponents' points, points of those beaten, the games among equals, games won."""
    wanted = TIE_BREAKS[settings.format]
    if not wanted:
        return
    tied: dict[float, set[str]] = {}
    for row in rows.values():
        tied.setdefault(row.points, set()).add(row.name)
        row.tie_breaks = dict.fromkeys(wanted, 0.0)
        if "wins" in wanted:
            row.tie_breaks["wins"] = row.wins
    for white, black, score, game in facts:
        if score.points is None:
            continue
        for name, other in ((white, black), (black, white)):
            row, mine = rows[name], game.points_of(name, score.points)
            if "buchholz" in wanted:
                row.tie_breaks["buchholz"] += rows[other].points
            if "sonneborn" in wanted:
                row.tie_breaks["sonneborn"] += mine * rows[other].points
            if "direct" in wanted and other in tied[row.points]:
                row.tie_breaks["direct"] += mine


def _rate(rows: Mapping[str, Row], facts: Sequence[Fact], settings: Settings) -> None:
    """Sets the Elo of each row from the games that were played; a walkover says nothing about strength."""
    index = {name: number for number, name in enumerate(settings.names)}
    games = [
        (index[white], index[black], score.rated)
        for white, black, score, _ in facts
        if score.rated is not None
    ]
    for row, rating in zip(rows.values(), elo(len(index), games), strict=True):
        row.rating = rating


def _pairs(plan: Sequence[Pairing], counted: Mapping[str, Played], first: str) -> Sample | None:
    """Both games of an opening; what has no second game yet, or one that is void or not played, is left aside."""
    found: dict[tuple[int, int, int], list[float]] = {}
    for game in plan:
        played = counted.get(game.id)
        if played and played.score.rated is not None:
            key = (game.round, game.board, (game.game - 1) // 2)
            found.setdefault(key, []).append(game.points_of(first, played.score.rated))
    pairs = [0] * 5
    for points in found.values():
        if len(points) == 2:
            pairs[round(2 * sum(points))] += 1
    return Sample(tuple(pairs)) if sum(pairs) else None
