"""Swiss: players with equal points meet, nobody meets the same opponent twice, colours stay balanced.

After the Dutch system: within a group of equal points the upper half meets the lower half in order; a player left over
goes down to the next group and meets its first. Avoided as long as there is another way: a rematch, a difference of more
than two games between colours, a second bye. From the top down each player gets the preferred opponent among those that
leave a complete pairing for everybody below, so no choice is ever undone.

Tournaments of people pair several games an encounter by the same `pair_players`, without colours. With one game an encounter
they follow the letter of the Dutch system (`damas.tournaments.hall.dutch`), because players and arbiters check their
pairings by it. Programs do not: the library alone, which has no dependencies, must pair them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil, log2
from random import Random

from damas.tournaments.formats.matching import Graph, can_all_be_paired
from damas.tournaments.formats.pairing import (
    Pairing,
    color_lot,
    disqualified_players,
    encounter,
    is_complete,
    pair_count,
    points_in,
)
from damas.tournaments.result import Results
from damas.tournaments.settings import Settings

Choice = tuple[int | None, Graph]
"""Who has the bye, as an index among the players, and who may meet whom."""


@dataclass
class SwissPlayer:
    """A player as pairing sees one."""

    name: str
    rank: int
    points: float = 0.0
    last_colors: str = ""
    """The colours of the last two games, w or b, the latest last."""
    color_balance: int = 0
    """Games with White minus games with Black."""
    required_color: str = ""
    """w or b if the other colour would break the balance, else empty."""
    preferred_color: str = ""
    """w, b, or empty if the player has not played."""
    meetings: Counter[str] = field(default_factory=Counter)
    """How often each opponent was met."""
    byes: int = 0

    def add_game(self, color: str) -> None:
        """Counts a game with this colour. Pairing asks for the colours once for every two players."""
        self.last_colors = (self.last_colors + color)[-2:]
        self.color_balance += 1 if color == "w" else -1
        balance = self.color_balance
        if balance > 1 or self.last_colors == "ww":
            self.required_color = "b"
        else:
            self.required_color = "w" if balance < -1 or self.last_colors == "bb" else ""
        other = "b" if (balance or (color == "w") - (color == "b")) > 0 else "w"
        self.preferred_color = self.required_color or other


def round_count(settings: Settings) -> int:
    """One round more than a knock-out would need, but never so many that a rematch or a second bye is needed.

    As long as nobody has met half of the field there is always a way to pair everybody anew (Dirac's theorem).
    """
    return settings.rounds or usual_rounds(len(settings.names))


def usual_rounds(count: int) -> int:
    """One round more than a knock-out of so many players would need, but never so many that a rematch is needed.

    >>> [usual_rounds(count) for count in (2, 8, 24, 100)]
    [1, 4, 6, 8]
    """
    return max(1, min(ceil(log2(max(2, count))) + 1, (count + 1) // 2))


def pairings(results: Results, settings: Settings) -> list[Pairing]:
    """Every game and bye known by now."""
    players = {name: SwissPlayer(name, rank) for rank, name in enumerate(settings.names)}
    plan: list[Pairing] = []
    out: set[str] = set()
    for number in range(1, round_count(settings) + 1):
        playing = [player for name, player in players.items() if name not in out]
        if len(playing) < 2:
            break
        games = _round(number, playing, settings)
        plan += games
        if not is_complete(games, results):
            break
        out |= disqualified_players(games, results)
        for player in playing:
            _add_round(player, games, results, settings)
    return plan


def _round(round: int, playing: list[SwissPlayer], settings: Settings) -> list[Pairing]:
    playing = sorted(playing, key=lambda player: (-player.points, player.rank))
    pairs, bye = pair_players(playing, _choices(playing))
    opening = (round - 1) * pair_count(settings.games)
    games: list[Pairing] = []
    for board, (upper, lower) in enumerate(pairs, start=1):
        white, black = _colors(upper, lower, f"{color_lot('lot', settings.seed)}/{round}/{board}")
        games += encounter(round, board, white.name, black.name, settings.games, opening=opening)
    if bye:
        games.append(Pairing(round, len(pairs) + 1, 1, bye.name, None))
    return games


def _add_round(player: SwissPlayer, games: list[Pairing], results: Results, settings: Settings) -> None:
    """Adds a finished round to a player's points, colours and opponents."""
    own = [game for game in games if player.name in (game.white, game.black)]
    player.points += points_in(player.name, own, results)
    for game in own:
        if game.black is None:
            player.byes += 1
            player.points += settings.games
            continue
        white = game.white == player.name
        player.add_game("w" if white else "b")
        if game.game == 1:
            player.meetings[game.black if white else game.white] += 1


def _colors(one: SwissPlayer, other: SwissPlayer, lot: str) -> tuple[SwissPlayer, SwissPlayer]:
    """White and Black: by the required colour, the balance, the last colour; else by a draw seeded with `lot`."""
    for first, second in ((one, other), (other, one)):
        if first.required_color == "w" and second.required_color != "w":
            return first, second
        if first.required_color == "b" and second.required_color != "b":
            return second, first
    if one.color_balance != other.color_balance:
        return (one, other) if one.color_balance < other.color_balance else (other, one)
    one_last, other_last = one.last_colors[-1:], other.last_colors[-1:]
    if one_last != other_last:
        return (one, other) if one_last == "b" or other_last == "w" else (other, one)
    return (one, other) if Random(lot).random() < 0.5 else (other, one)


def pair_players(
    players: list[SwissPlayer], choices: Iterable[Choice]
) -> tuple[list[tuple[SwissPlayer, SwissPlayer]], SwissPlayer | None]:
    """The pairs of a round and the player with a bye, by the first of the choices that leaves nobody over.

    `players` are in the order of the standings. Raises `ValueError` where no choice pairs everybody.
    """
    for bye, graph in choices:
        unpaired = [index for index in range(len(players)) if index != bye]
        if can_all_be_paired(unpaired, graph):
            pairs = _pair_from_the_top(unpaired, players, graph)
            named = [(players[one], players[other]) for one, other in pairs]
            return named, None if bye is None else players[bye]
    raise ValueError("no choice pairs everybody")


def _choices(players: Sequence[SwissPlayer]) -> Iterator[Choice]:
    """For programs: who has the bye and who may meet whom, best first: a second bye is worse than colours, a rematch than both."""
    loose = [opponent_graph(players, meetings) for meetings in range(most_meetings(players) + 1)]
    last_first = sorted(range(len(players)), key=lambda index: (players[index].byes, -index))
    byes: list[int | None] = [*last_first] if len(players) % 2 else [None]
    fewest = min(player.byes for player in players)
    preferred = [bye for bye in byes if bye is None or players[bye].byes == fewest]
    strict = _with_colors(players, loose[0])
    yield from ((bye, graph) for graph in (strict, loose[0]) for bye in preferred)
    yield from ((bye, graph) for graph in loose for bye in byes)


def opponent_graph(players: Sequence[SwissPlayer], max_meetings: int) -> Graph:
    """Who may meet whom if nobody may have met more often than this."""
    everybody = set(range(len(players)))
    index = {player.name: index for index, player in enumerate(players)}
    return [
        everybody
        - {here}
        - {index[name] for name, count in player.meetings.items() if count > max_meetings and name in index}
        for here, player in enumerate(players)
    ]


def _with_colors(players: Sequence[SwissPlayer], graph: Graph) -> Graph:
    """The graph without the pairs of players who require the same colour."""
    same: dict[str, set[int]] = {"": set(), "w": set(), "b": set()}
    for index, player in enumerate(players):
        if player.required_color:
            same[player.required_color].add(index)
    return [opponents - same[player.required_color] for player, opponents in zip(players, graph, strict=True)]


def most_meetings(players: Sequence[SwissPlayer]) -> int:
    """How often the two players met who met most often."""
    return max((count for player in players for count in player.meetings.values()), default=0)


def _pair_from_the_top(
    unpaired: list[int], players: Sequence[SwissPlayer], graph: Graph
) -> list[tuple[int, int]]:
    pairs = []
    while unpaired:
        top, *rest = unpaired
        group = [index for index in unpaired if players[index].points == players[top].points]
        target = group[len(group) // 2] if len(group) > 1 else rest[0]

        def preference(index: int, top: int = top, target: int = target) -> tuple[float, bool, int, int]:
            clash = players[top].preferred_color == players[index].preferred_color != ""
            return (
                players[top].points - players[index].points,
                clash,
                abs(index - target),
                index,
            )

        for other in sorted((index for index in rest if index in graph[top]), key=preference):
            after = [index for index in rest if index != other]
            if can_all_be_paired(after, graph):
                pairs.append((top, other))
                unpaired = after
                break
        else:
            raise AssertionError("the caller has checked that everybody can be paired")
    return pairs


def total_games(settings: Settings) -> int:
    """Games of all rounds if nobody is disqualified."""
    return round_count(settings) * (len(settings.names) // 2) * settings.games
