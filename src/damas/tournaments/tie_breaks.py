"""Points and tie-breaks from what each player got in each round, for programs and people alike.

A tie-break is a sum of terms that can be shown: who or which round gave how much, and what was cut.

| name | the sum of |
| --- | --- |
| `direct` | points against the players who are still tied, if all of them have met |
| `wins` | games won, on the board or because the opponent did not come; a bye is none |
| `sonneborn` | the points of opponents: whole for each game won against them, half for each drawn |
| `buchholz`, `solkoff` | the points of all opponents: two names of one sum |
| `buchholz-cut1`, `buchholz-cut2` | the same without the lowest one or two |
| `median`, `median2` | the same without the lowest and highest one or two |
| `progressive` | the points after each round |
| `corrected` | the same without the first round |
| `blacks` | games played with Black |
| `board-points` | in a league of teams, the points of the boards of all matches |
| `lot` | the number drawn: a permutation of the players that the seed gives |

A round without an opponent at the board (a bye, an absence, a game not played) counts as an opponent with 0 points, and
so is cut first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

TIE_BREAKS = (
    "direct",
    "wins",
    "sonneborn",
    "buchholz",
    "buchholz-cut1",
    "buchholz-cut2",
    "solkoff",
    "median",
    "median2",
    "progressive",
    "corrected",
    "blacks",
    "board-points",
    "lot",
)
"""Names of the tie-breaks."""
_CUTS = {"buchholz-cut1": (1, 0), "buchholz-cut2": (2, 0), "median": (1, 1), "median2": (2, 2)}
"""How many of the lowest and of the highest opponents each one leaves out."""


@dataclass(frozen=True)
class Meeting:
    """What one player got from a game, an encounter of several games, a bye or an absence."""

    round: int
    opponent: str | None
    points: float
    share: float = 0.0
    """Games won, with a drawn one as a half."""
    wins: int = 0
    blacks: int = 0
    played: bool = True
    """Whether the two sat at the board; only then is the opponent one of the player's opponents."""
    board_points: float = 0.0
    """In a league of teams, the points of the boards of the match."""


@dataclass(frozen=True)
class Term:
    """A part of the sum: from an opponent, or from a round."""

    value: float
    opponent: str | None = None
    round: int = 0
    cut: bool = False
    """Shown, and not added."""


@dataclass(frozen=True)
class TieBreak:
    """The value of a tie-break for one player, and the terms it is the sum of."""

    value: float
    terms: tuple[Term, ...] = ()
    note: str = ""
    """Why a direct encounter is 0 without terms: `alone` if nobody is tied, `not-met` if some have not met."""


@dataclass
class Standing:
    """One player of a table."""

    name: str
    points: float
    rank: int = 0
    """From 1; players whom nothing separates share it."""
    tie_breaks: dict[str, TieBreak] = field(default_factory=dict)


Meetings = Mapping[str, Sequence[Meeting]]
"""The meetings of each player, in the order of rounds."""


def ranking(
    names: Sequence[str],
    meetings: Meetings,
    tie_breaks: Iterable[str],
    *,
    seed: int = 0,
    direct_if_incomplete: bool = False,
) -> list[Standing]:
    """The players from first to last. Those whom points and all tie-breaks leave tied share a rank, in the order of `names`.

    `direct_if_incomplete` counts the direct encounter also where some of the tied players have not met.
    """
    points = {name: sum(meeting.points for meeting in meetings.get(name, ())) for name in names}
    table = {name: Standing(name, points[name]) for name in names}
    groups = _split(list(names), points)
    for tie_break in tie_breaks:
        for group in groups:
            for name in group:
                if tie_break == "direct":
                    value = _direct(name, group, meetings, direct_if_incomplete)
                else:
                    value = _value(tie_break, name, meetings, points, seed)
                table[name].tie_breaks[tie_break] = value
        groups = [
            part
            for group in groups
            for part in _split(group, {name: table[name].tie_breaks[tie_break].value for name in group})
        ]
    rank = 1
    ordered = []
    for group in groups:
        for name in group:
            table[name].rank = rank
            ordered.append(table[name])
        rank += len(group)
    return ordered


def _split(names: Sequence[str], values: Mapping[str, float]) -> list[list[str]]:
    """The players in groups of equal values, the greatest first."""
    groups: dict[float, list[str]] = {}
    for name in names:
        groups.setdefault(round(values[name], 6), []).append(name)
    return [groups[value] for value in sorted(groups, reverse=True)]


def _value(tie_break: str, name: str, meetings: Meetings, points: Mapping[str, float], seed: int) -> TieBreak:
    own = meetings.get(name, ())
    if tie_break == "wins":
        return _sum(Term(each.wins, each.opponent, each.round) for each in own if each.wins)
    if tie_break == "blacks":
        return _sum(Term(each.blacks, each.opponent, each.round) for each in own if each.blacks)
    if tie_break == "board-points":
        return _sum(Term(each.board_points, each.opponent, each.round) for each in own if each.board_points)
    if tie_break == "sonneborn":
        return _sum(
            Term(each.share * points[each.opponent], each.opponent, each.round)
            for each in own
            if each.played and each.opponent is not None and each.share
        )
    if tie_break in ("progressive", "corrected"):
        return _progressive(own, first=1 if tie_break == "progressive" else 2)
    if tie_break == "lot":
        order = sorted(points)
        Random(f"{seed}/lot").shuffle(order)
        return TieBreak(len(order) - order.index(name))
    if tie_break in ("buchholz", "solkoff", *_CUTS):
        return _opponents(own, points, *_CUTS.get(tie_break, (0, 0)))
    raise ValueError(f"no tie-break {tie_break!r}; there are: {', '.join(TIE_BREAKS)}")


def _sum(terms: Iterable[Term]) -> TieBreak:
    listed = tuple(terms)
    return TieBreak(sum(term.value for term in listed if not term.cut), listed)


def _opponents(own: Sequence[Meeting], points: Mapping[str, float], lowest: int, highest: int) -> TieBreak:
    met = [
        Term(points[each.opponent], each.opponent, each.round)
        if each.played and each.opponent is not None
        else Term(0.0, None, each.round)
        for each in own
    ]
    order = sorted(range(len(met)), key=lambda place: (met[place].value, place))
    cut = set(order[:lowest]) | set(order[len(order) - highest :] if highest else ())
    return _sum(Term(term.value, term.opponent, term.round, place in cut) for place, term in enumerate(met))


def _progressive(own: Sequence[Meeting], first: int) -> TieBreak:
    by_round: dict[int, float] = {}
    for each in own:
        by_round[each.round] = by_round.get(each.round, 0.0) + each.points
    total = 0.0
    terms: list[Term] = []
    for number in sorted(by_round):
        total += by_round[number]
        terms.append(Term(total, None, number, cut=len(terms) + 1 < first))
    return _sum(terms)


def _direct(name: str, group: Sequence[str], meetings: Meetings, if_incomplete: bool) -> TieBreak:
    others = set(group) - {name}
    if not others:
        return TieBreak(0.0, note="alone")
    if not if_incomplete and not all(
        set(group) - {each} <= {meeting.opponent for meeting in meetings.get(each, ())} for each in group
    ):
        return TieBreak(0.0, note="not-met")
    return _sum(
        Term(each.points, each.opponent, each.round)
        for each in meetings.get(name, ())
        if each.opponent in others
    )
