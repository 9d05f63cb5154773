"""The squads of a league of teams: who may sit at which board of a match, and in which order."""

from collections.abc import Iterator, Sequence

from damas.errors import TournamentRefused
from damas.tournaments.hall.conditions import BOARD, Conditions, Person


def fits(board: str, person: Person, year: int) -> bool:
    """Whether a player may sit at such a board in a year; an age or sex that is not known fits none that asks for it.

    >>> ana = Person("Ana", birth="2015-03-01", sex="f")
    >>> [fits(board, ana, 2026) for board in ("open", "11f", "11", "f", "m", "10f")]
    [True, True, True, True, False, False]
    """
    parts = BOARD.fullmatch(board)
    assert parts, board
    age, sex = parts.groups()
    young = not age or bool(person.birth_year and year - person.birth_year <= int(age))
    return young and sex in (None, person.sex)


def usual_lineup(conditions: Conditions, squad: Sequence[Person]) -> tuple[str, ...]:
    """The line-up of a team that names none: the first of the squad for whom there are boards, in their order."""
    boards, year = conditions.boards, conditions.year
    seats: dict[int, int] = {}

    def seated(place: int, tried: set[int]) -> bool:
        """Finds a board for a player, if need be by giving others another one."""
        for board, kind in enumerate(boards):
            if board in tried or not fits(kind, squad[place], year):
                continue
            tried.add(board)
            if board not in seats or seated(seats[board], tried):
                seats[board] = place
                return True
        return False

    for place in range(len(squad)):
        seated(place, set())
    while swap := next(_inversions(conditions, squad, seats), None):
        one, other = swap
        seats[one], seats[other] = seats[other], seats[one]
    return tuple(squad[seats[board]].name if board in seats else "" for board in range(len(boards)))


def check_lineup(
    conditions: Conditions, team: str, squad: Sequence[Person], names: tuple[str, ...]
) -> tuple[str, ...]:
    """A line-up with a name or an empty one for each board; raises `TournamentRefused` if the team may not sit like this."""
    boards, year = conditions.boards, conditions.year
    if len(names) > len(boards):
        raise TournamentRefused("many_boards", {"team": team, "count": len(names), "boards": len(boards)})
    names += ("",) * (len(boards) - len(names))
    places = {person.name: place for place, person in enumerate(squad)}
    for board, name in enumerate(names):
        if not name:
            continue
        if name not in places:
            raise TournamentRefused("not_in_squad", {"name": name, "team": team})
        if names.count(name) > 1:
            raise TournamentRefused("twice", {"name": name})
        if not fits(boards[board], squad[places[name]], year):
            raise TournamentRefused(
                "not_at_this_board", {"name": name, "board": board + 1, "kind": boards[board]}
            )
    if conditions.fixed_order:
        seats = {board: places[name] for board, name in enumerate(names) if name}
        for board, later in _inversions(conditions, squad, seats):
            raise TournamentRefused("board_order", {"name": names[later], "other": names[board]})
    return names


def _inversions(
    conditions: Conditions, squad: Sequence[Person], seats: dict[int, int]
) -> Iterator[tuple[int, int]]:
    """Boards whose players might change places, where the one who comes first in the squad has the higher board."""
    boards, year = conditions.boards, conditions.year
    for board, place in sorted(seats.items()):
        for later, other in sorted(seats.items()):
            if board < later and place > other:
                may = fits(boards[board], squad[other], year) and fits(boards[later], squad[place], year)
                if may:
                    yield board, later
