"""Swiss: players with equal points meet, nobody twice, colours in balance.

After the Dutch system: within a group of equal points the upper half meets the lower half in order; who is left over
goes down to the next group and meets its first. What is never done, as long as there is another way: a rematch, a third
game more with one colour than with the other, a second bye. From the top down everybody gets the opponent wanted most
among those that leave everybody below an opponent too, so nothing is ever taken back.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil, log2
from random import Random

from damas.tournaments.formats.matching import Graph, can_all_be_paired
from damas.tournaments.formats.pairing import (
    Pairing,
    Results,
    complete,
    encounter,
    lot_of,
    pairs_of,
    points_in,
    put_out,
)
from damas.tournaments.settings import Settings


@dataclass
class _Player:
    name: str
    rank: int
    points: float = 0.0
    whites: int = 0
    blacks: int = 0
    last: str = ""
    """The colours of the last two rounds, the latest last."""
    met: list[str] = field(default_factory=list)
    byes: int = 0

    @property
    def lead(self) -> int:
        """Games more with White than with Black."""
        return self.whites - self.blacks

    @property
    def must(self) -> str:
        """The colour that alone keeps the balance, or nothing."""
        if self.lead > 1 or self.last == "ww":
            return "b"
        return "w" if self.lead < -1 or self.last == "bb" else ""

    @property
    def wants(self) -> str:
        if self.must or not self.lead:
            return self.must or {"w": "b", "b": "w"}.get(self.last[-1:], "")
        return "b" if self.lead > 0 else "w"


def rounds_of(settings: Settings) -> int:
    """One more than a knock-out would need; but never so many that there could be a rematch or a second bye.

    As long as nobody has met half of the field there is always a way to pair everybody anew (Dirac).
    """
    count = len(settings.names)
    return settings.rounds or min(ceil(log2(count)) + 1, (count + 1) // 2)


def pairings(results: Results, settings: Settings) -> list[Pairing]:
    players = {name: _Player(name, rank) for rank, name in enumerate(settings.names)}
    found: list[Pairing] = []
    out: set[str] = set()
    for number in range(1, rounds_of(settings) + 1):
        playing = [player for name, player in players.items() if name not in out]
        if len(playing) < 2:
            break
        games = _round(number, playing, settings)
        found += games
        if not complete(games, results):
            break
        out |= put_out(games, results)
        for player in playing:
            _note(player, games, results, settings)
    return found


def _round(round: int, playing: list[_Player], settings: Settings) -> list[Pairing]:
    playing = sorted(playing, key=lambda player: (-player.points, player.rank))
    pairs, bye = _pair(playing)
    opening = (round - 1) * pairs_of(settings.games)
    found: list[Pairing] = []
    for board, (upper, lower) in enumerate(pairs, start=1):
        white, black = _colours(upper, lower, f"{lot_of('lot', settings.seed)}/{round}/{board}")
        found += encounter(round, board, white.name, black.name, settings.games, opening=opening)
    if bye:
        found.append(Pairing(round, len(pairs) + 1, 1, bye.name, None))
    return found


def _note(player: _Player, games: list[Pairing], results: Results, settings: Settings) -> None:
    mine = [game for game in games if player.name in (game.white, game.black)]
    player.points += points_in(player.name, mine, results)
    for game in mine:
        if game.black is None:
            player.byes += 1
            player.points += settings.games
            continue
        white = game.white == player.name
        player.whites += white
        player.blacks += not white
        player.last = (player.last + ("w" if white else "b"))[-2:]
        if game.game == 1:
            player.met.append(game.black if white else game.white)


def _colours(one: _Player, other: _Player, lot: str) -> tuple[_Player, _Player]:
    """Who has White: the one who is owed it most; the lot, if both are owed the same."""
    for first, second in ((one, other), (other, one)):
        if first.must == "w" and second.must != "w":
            return first, second
        if first.must == "b" and second.must != "b":
            return second, first
    if one.lead != other.lead:
        return (one, other) if one.lead < other.lead else (other, one)
    if one.last[-1:] != other.last[-1:]:
        return (one, other) if one.last[-1:] == "b" or other.last[-1:] == "w" else (other, one)
    return (one, other) if Random(lot).random() < 0.5 else (other, one)


def _pair(players: list[_Player]) -> tuple[list[tuple[_Player, _Player]], _Player | None]:
    """Players from first to last in the standings."""
    everybody = list(range(len(players)))
    for bye, graph in _choices(players):
        left = [index for index in everybody if index != bye]
        if can_all_be_paired(left, graph):
            pairs = _from_the_top(left, players, graph)
            told = [(players[one], players[other]) for one, other in pairs]
            return told, None if bye is None else players[bye]
    raise AssertionError("with every rematch allowed everybody can be paired")


def _choices(players: Sequence[_Player]) -> Iterator[tuple[int | None, Graph]]:
    """Who rests and who may meet whom, the best first: a second bye is worse than colours, a rematch than both."""
    strict, *loose = _graphs(players)
    last_first = sorted(range(len(players)), key=lambda index: (players[index].byes, -index))
    byes: list[int | None] = [*last_first] if len(players) % 2 else [None]
    least = min(player.byes for player in players)
    fresh = [bye for bye in byes if bye is None or players[bye].byes == least]
    yield from ((bye, graph) for graph in (strict, loose[0]) for bye in fresh)
    yield from ((bye, graph) for graph in loose for bye in byes)


def _graphs(players: Sequence[_Player]) -> list[Graph]:
    """Who may meet whom, ever more freely: nobody twice and colours kept, nobody twice, nobody thrice, all."""

    def graph(meetings: int, *, colours: bool) -> list[set[int]]:
        return [
            {
                there
                for there, other in enumerate(players)
                if there != here
                and one.met.count(other.name) <= meetings
                and not (colours and one.must and one.must == other.must)
            }
            for here, one in enumerate(players)
        ]

    most = max((player.met.count(name) for player in players for name in player.met), default=0)
    return [graph(0, colours=True), *(graph(meetings, colours=False) for meetings in range(most + 1))]


def _from_the_top(left: list[int], players: Sequence[_Player], graph: Graph) -> list[tuple[int, int]]:
    pairs = []
    while left:
        top, *rest = left
        group = [index for index in left if players[index].points == players[top].points]
        target = group[len(group) // 2] if len(group) > 1 else rest[0]

        def wish(index: int, top: int = top, target: int = target) -> tuple[float, bool, int, int]:
            clash = players[top].wants == players[index].wants != ""
            return (
                players[top].points - players[index].points,
                clash,
                abs(index - target),
                index,
            )

        for other in sorted((index for index in rest if index in graph[top]), key=wish):
            after = [index for index in rest if index != other]
            if can_all_be_paired(after, graph):
                pairs.append((top, other))
                left = after
                break
        else:
            raise AssertionError("it was looked up before that everybody can be paired")
    return pairs


def total(settings: Settings) -> int:
    return rounds_of(settings) * (len(settings.names) // 2) * settings.games
