"""The table of a tournament of people: points, ranks and tie-breaks, whole or of one category."""

from collections.abc import Callable
from dataclasses import dataclass
from string import ascii_uppercase

from damas.tournaments.hall.conditions import Conditions
from damas.tournaments.hall.events import BYE, REQUESTED, Pair
from damas.tournaments.hall.rounds import OPPOSITE, PLAYED, SHARES, Result, Round, reversed_signs, winner
from damas.tournaments.hall.state import DISQUALIFIED, State
from damas.tournaments.tie_breaks import Meeting, Standing, ranking

GROUP = "group:"
"""What the categories of groups begin with."""
LAST = 10**6
"""Rank of a disqualified player before ranks are numbered: below everybody."""


@dataclass(frozen=True)
class Row:
    """One player of the table."""

    rank: int
    standing: Standing
    wins: int
    draws: int
    losses: int
    """Games played on the board, by their results; in a league of teams, matches."""
    out: str = ""

    @property
    def name(self) -> str:
        """The player."""
        return self.standing.name


def meetings(state: State, rounds: int | None = None) -> dict[str, list[Meeting]]:
    """What each player got in each round, up to a round, in the order of rounds."""
    conditions = state.conditions
    each: dict[str, list[Meeting]] = {name: [] for name in state.players}
    for played in state.rounds[:rounds]:
        if not played.published:
            continue
        for pair in played.pairs:
            result = played.results.get(pair.board)
            if result:
                each[pair.first].append(_meeting(conditions, played, pair, result, pair.first))
                each[pair.second].append(_meeting(conditions, played, pair, result, pair.second))
        named = {name for pair in played.pairs for name in (pair.first, pair.second)}
        named |= {rest.name for rest in played.resting}
        for name in state.players:
            if name not in named:  # entered later, or left out by hand
                each[name].append(Meeting(played.number, None, 0.0, played=False))
        for rest in played.resting:
            points = {BYE: conditions.bye, REQUESTED: conditions.requested_bye}.get(rest.kind, 0.0)
            boards = conditions.bye_boards if rest.kind == BYE else 0.0
            each[rest.name].append(Meeting(played.number, None, points, played=False, board_points=boards))
    return each


def _meeting(conditions: Conditions, played: Round, pair: Pair, result: Result, name: str) -> Meeting:
    if conditions.boards:
        return _match(conditions, played, pair, result, name)
    signs = result.signs(pair, name)[: conditions.games]
    share = sum(SHARES[sign] for sign in signs)
    first = name == pair.first
    blacks = sum(sign in PLAYED and (place % 2 == 0) != first for place, sign in enumerate(signs))
    if conditions.scored_by == "game":
        points = sum(_value(conditions, SHARES[sign]) for sign in signs)
        wins = sum(SHARES[sign] == 1 for sign in signs)
    else:
        share = encounter_share(signs)
        points = _value(conditions, share)
        wins = int(share == 1)
    opponent = pair.second if first else pair.first
    at_board = any(sign in PLAYED for sign in signs)
    return Meeting(played.number, opponent, points, share, wins, blacks, at_board)


def _match(conditions: Conditions, played: Round, pair: Pair, result: Result, name: str) -> Meeting:
    """What a team got from a match: match points by comparing board points."""
    signs = result.signs(pair, name)
    own, other = (sum(board_points(conditions, games)) for games in (signs, reversed_signs(signs)))
    share = 0.5 if own == other and own else 1.0 if own > other else 0.0
    opponent = pair.second if name == pair.first else pair.first
    at_board = any(sign in PLAYED for sign in signs)
    points = _value(conditions, share)
    return Meeting(played.number, opponent, points, share, int(share == 1), 0, at_board, own)


def board_points(conditions: Conditions, signs: str) -> list[float]:
    """The points of a team at each board of a match, from the signs of all its games."""
    games = conditions.games
    values = {1.0: conditions.board_win, 0.5: conditions.board_draw, 0.0: conditions.board_loss}
    boards = [signs[start : start + games] for start in range(0, len(signs), games)]
    if conditions.scored_by == "game":
        return [sum(values[SHARES[sign]] for sign in board) for board in boards]
    return [values[encounter_share(board)] for board in boards]


def encounter_share(signs: str) -> float:
    """Whether these games win an encounter (1), draw it (a half) or lose it (0), as if it were one game.

    >>> encounter_share("1="), encounter_share("10"), encounter_share("nn")
    (1.0, 0.5, 0.0)
    """
    own = sum(SHARES[sign] for sign in signs)
    other = sum(SHARES[OPPOSITE[sign]] for sign in signs)
    return 0.5 if own == other and own else 1.0 if own > other else 0.0


def _value(conditions: Conditions, share: float) -> float:
    return conditions.win if share == 1 else conditions.draw if share else conditions.loss


def table(state: State, rounds: int | None = None, group: list[str] | None = None) -> list[Row]:
    """The players from first to last, after so many rounds. In a knock-out, who went on further stands higher.

    `group` are ranked as if there were no other players: what they did against others, paired by hand, does not count.
    """
    names = [name for name in state.by_number if group is None or name in group]
    met = meetings(state, rounds)
    if group is not None:
        met = {
            name: [each for each in met[name] if each.opponent is None or each.opponent in group]
            for name in names
        }
    ranked = ranking(names, met, state.conditions.tie_breaks, seed=state.conditions.seed)
    reached = {name: _reached(state.rounds[:rounds], name) for name in names}
    keys = {
        standing.name: (
            LAST if state.out(standing.name) == DISQUALIFIED else 0,
            -reached[standing.name],
            0 if reached[standing.name] else standing.rank,
        )
        for standing in ranked
    }
    ordered = sorted(ranked, key=lambda standing: keys[standing.name])
    rows: list[Row] = []
    for place, standing in enumerate(ordered, start=1):
        tied = rows and keys[rows[-1].name] == keys[standing.name]
        rank = rows[-1].rank if tied else place
        if state.conditions.boards:
            shares = [each.share for each in met[standing.name] if each.played]
            counts = (shares.count(1.0), shares.count(0.5), shares.count(0.0))
        else:
            games = "".join(
                sign
                for played in state.rounds[:rounds]
                for pair in played.pairs
                if standing.name in (pair.first, pair.second) and (result := played.results.get(pair.board))
                for sign in result.signs(pair, standing.name)
            )
            counts = (games.count("1"), games.count("="), games.count("0"))
        rows.append(Row(rank, standing, *counts, state.out(standing.name)))
    return rows


def _reached(rounds: tuple[Round, ...], name: str) -> int:
    """How many rounds of a knock-out a player was in, and one more for its winner; 0 outside a knock-out."""
    knockout = [each for each in rounds if each.phase == "knockout" and each.published]
    count = 0
    for played in knockout:
        pair = next((pair for pair in played.pairs if name in (pair.first, pair.second)), None)
        if pair is None:
            count += any(rest.name == name for rest in played.resting)
            continue
        count += 1
        result = played.results.get(pair.board)
        final = len(played.pairs) == 1 and not played.resting
        count += bool(final and result and winner(pair, result) == name)
    return count


def groups(state: State) -> list[list[str]]:
    """The groups of a round robin: one, or several that are filled forwards and backwards by number."""
    if state.conditions.system != "groups":
        return [state.starters]
    count = state.conditions.groups
    filled: list[list[str]] = [[] for _ in range(count)]
    for place, name in enumerate(state.starters):
        row, column = divmod(place, count)
        filled[column if row % 2 == 0 else count - 1 - column].append(name)
    return filled


def group_rounds(state: State) -> int:
    """Rounds until every group has played."""
    sizes = (len(group) for group in groups(state))
    return state.conditions.cycles * max(max(size + size % 2 - 1, 0) for size in sizes)


def categories(state: State) -> dict[str, list[str]]:
    """The players of each category: `group:A`, `sex:f`, `series:A`, `age:11`; only those that leave somebody out."""
    year = state.conditions.year
    members: dict[str, list[str]] = {}
    if state.conditions.system == "groups":
        members = {f"{GROUP}{ascii_uppercase[place]}": group for place, group in enumerate(groups(state))}
    for name in state.by_number:
        person = state.players[name].person
        keys = [f"sex:{person.sex}"] if person.sex else []
        keys += [f"series:{person.series}"] if person.series else []
        if year and person.birth_year:
            age = year - person.birth_year
            fitting = [limit for limit in sorted(state.conditions.ages) if age <= limit]
            keys += [f"age:{fitting[0]}"] if fitting else []
        for key in keys:
            members.setdefault(key, []).append(name)
    return {key: names for key, names in sorted(members.items()) if len(names) < len(state.players)}


def category_table(state: State, category: str) -> list[Row]:
    """The table of a category; that of a group has only the rounds in which the groups played."""
    names = categories(state)[category]
    if category.startswith(GROUP):
        return table(state, group_rounds(state), names)
    return part_of(table(state), names.__contains__)


def part_of(rows: list[Row], keep: Callable[[str], bool]) -> list[Row]:
    """The table of some of the players: in the same order, ranked among themselves."""
    kept = [row for row in rows if keep(row.name)]
    return [
        Row(
            1 + sum(other.rank < row.rank for other in kept),
            row.standing,
            row.wins,
            row.draws,
            row.losses,
            row.out,
        )
        for row in kept
    ]
