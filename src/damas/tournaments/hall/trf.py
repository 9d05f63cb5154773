"""TRF, the tournament report of FIDE: written for other programs, and read into a tournament.

TRF has one result a round for each player. Several games an encounter are written as a round each where points are given by
game, and as one round where they are given by encounter. A comment (`# damas`) that other programs skip keeps what TRF has
no place for, so that what damas wrote is read back whole.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from damas.errors import TournamentRefused
from damas.tournaments.hall.bounds import MAX_TEXT, check_date
from damas.tournaments.hall.conditions import Conditions, Person
from damas.tournaments.hall.dutch import first_colour, history, point_system
from damas.tournaments.hall.events import (
    ABSENT,
    BYE,
    REQUESTED,
    Created,
    Drafted,
    Entered,
    Event,
    Pair,
    Published,
    Rest,
    Scored,
)
from damas.tournaments.hall.league import individuals
from damas.tournaments.hall.pairing import total_rounds
from damas.tournaments.hall.rounds import OPPOSITE, PLAYED, SHARES, Round
from damas.tournaments.hall.state import State
from damas.tournaments.hall.table import encounter_share, meetings, table

COMMENT = "# damas "
RESULTS = 91
"""Column of the first round, from 0; each round has ten."""
Cell = tuple[int, str, str]
"""Opponent's number or 0, colour, sign."""


# --- writing ------------------------------------------------------------------------------------


def to_trf(state: State) -> str:
    """The rounds that are complete, and the players; of a league the games of its players, with the teams as lines 013."""
    if state.conditions.boards:
        return _league(state)
    conditions, numbers = state.conditions, state.numbers
    complete = sum(each.is_complete for each in state.rounds)
    state = replace(state, rounds=state.rounds[:complete])
    columns = _columns(state)
    ranks = {row.name: row.rank for row in table(state)}
    met = meetings(state)
    rounds = total_rounds(state)
    if conditions.scored_by == "game":
        rounds *= conditions.games
    kept = {
        **asdict(replace(conditions, order="entry")),
        "players": [asdict(_person(state, n)) for n in state.by_number],
        "rounds": [_kept_round(each) for each in state.rounds],
    }
    lines = [
        f"012 {conditions.title}",
        *([f"022 {conditions.place}"] if conditions.place else []),
        *([f"042 {conditions.date.replace('-', '/')}"] if conditions.date else []),
        f"062 {len(numbers)}",
        f"072 {sum(bool(each.person.rating) for each in state.players.values())}",
        f"092 {conditions.system}",
        *([f"102 {conditions.arbiter}"] if conditions.arbiter else []),
        *([f"122 {conditions.control}"] if conditions.control else []),
    ]
    for name in state.by_number:
        cells = "  ".join(f"{number:04} {color} {sign}" for number, color, sign in columns[name])
        points = sum(each.points for each in met[name])
        lines.append(_player_line(_person(state, name), numbers[name], points, ranks[name]) + cells)
    lines.append(f"XXR {max(rounds, *(len(cells) for cells in columns.values()), 1)}")
    lines.append("XXS " + " ".join(f"{code}={points:.1f}" for code, points in point_system(state)))
    lines.append(f"XXC {first_colour(state)}1")
    for one, other in sorted(sorted(numbers[name] for name in pair) for pair in state.forbidden):
        lines.append(f"XXP {one} {other}")
    lines.append(COMMENT + json.dumps(kept, ensure_ascii=False, sort_keys=True))
    return "\n".join(lines) + "\n"


def _league(state: State) -> str:
    """TRF knows teams by name and by the numbers of their players alone: read again, it is an individual tournament."""
    complete = tuple(each for each in state.rounds if each.is_complete)
    single = individuals(replace(state, rounds=complete))
    numbers = single.numbers
    teams = [
        f"013 {team[:31]:31} {' '.join(f'{numbers[person.name]:4}' for person in state.players[team].squad)}"
        for team in state.by_number
        if state.players[team].squad
    ]
    *lines, kept = to_trf(single).splitlines()
    return "\n".join([*lines, *teams, kept]) + "\n"


def _kept_round(played: Round) -> dict[str, Any]:
    """What TRF has no place for: order of boards, edition, opening, and who goes on in a knock-out."""
    return {
        "edition": played.edition,
        "ballot": played.ballot,
        "phase": played.phase,
        "boards": {pair.first: pair.board for pair in played.pairs},
        "games": {pair.first: played.results[pair.board].games for pair in played.pairs},
        "advance": {pair.first: played.results[pair.board].advance for pair in played.pairs},
        "resting": {rest.name: [rest.kind, rest.board] for rest in played.resting},
    }


def _person(state: State, name: str) -> Person:
    return state.players[name].person


def _player_line(person: Person, number: int, points: float, rank: int) -> str:
    sex = {"m": "m", "f": "w"}.get(person.sex, " ")
    birth = person.birth.replace("-", "/") if len(person.birth) == 10 else ""
    rating = str(person.rating) if person.rating else ""
    number_in_list = person.id if person.id.isdecimal() else ""
    return (
        f"001 {number:4} {sex}    {person.name[:33]:33} {rating:>4} {person.federation[:3]:3} {number_in_list[:11]:>11} "
        f"{birth:10} {points:4.1f} {rank:4}  "
    )


def _columns(state: State) -> dict[str, list[Cell]]:
    """The results of each player: a column a round, or a column a game."""
    numbers = state.numbers
    by_game = state.conditions.scored_by == "game" and state.conditions.games > 1
    columns: dict[str, list[Cell]] = {name: [] for name in state.players}
    if not by_game:
        match_signs = _match_signs(state)
        for name, cells in history(state).items():
            for place, (other, color, sign) in enumerate(cells):
                shown = match_signs.get((name, place), sign)
                columns[name].append((numbers[other] if other else 0, color, shown))
        return columns
    for played in state.rounds:
        for pair in played.pairs:
            signs = played.results[pair.board].games[: state.conditions.games]
            for place, sign in enumerate(signs):
                first, second = ("w", "b") if place % 2 == 0 else ("b", "w")
                columns[pair.first].append((numbers[pair.second], first, sign.replace("n", "-")))
                columns[pair.second].append((numbers[pair.first], second, OPPOSITE[sign].replace("n", "-")))
        for rest in played.resting:
            sign = {BYE: "U", REQUESTED: "H" if state.conditions.requested_bye else "Z"}.get(rest.kind, "Z")
            columns[rest.name] += [(0, "-", sign), *[(0, "-", "Z")] * (state.conditions.games - 1)]
        for name, own in columns.items():
            missing = played.number * state.conditions.games - len(own)
            columns[name] += [(0, "-", "Z")] * missing
    return columns


def _match_signs(state: State) -> dict[tuple[str, int], str]:
    """With several games an encounter, scored by encounter: the sign of the whole encounter, by player and round."""
    signs: dict[tuple[str, int], str] = {}
    if state.conditions.games == 1:
        return signs
    for played in state.rounds:
        for pair in played.pairs:
            for name in (pair.first, pair.second):
                own = played.results[pair.board].signs(pair, name)[: state.conditions.games]
                share = encounter_share(own)
                at_board = share == 0.5 or any(sign in PLAYED for sign in own)
                sign = {1.0: "1" if at_board else "+", 0.5: "="}.get(share, "0" if at_board else "-")
                signs[(name, played.number - 1)] = sign
    return signs


# --- reading ------------------------------------------------------------------------------------


def from_trf(text: str, rulebook: str = "brasileira") -> list[Event]:
    """The events of a tournament in TRF; `rulebook` is for files of other programs. Raises `TournamentRefused`."""
    lines = text.splitlines()
    rows = [_read_player(line, place) for place, line in enumerate(lines, 1) if line.startswith("001")]
    rows.sort(key=lambda row: row.number)
    if not rows or [row.number for row in rows] != list(range(1, len(rows) + 1)):
        raise TournamentRefused("trf_numbers", {})
    comment = next((place for place, line in enumerate(lines, 1) if line.startswith(COMMENT)), 0)
    if not comment:
        return _events(rows, tuple(row.person for row in rows), _conditions(lines, rulebook))
    try:
        kept = json.loads(lines[comment - 1][len(COMMENT) :])
        persons = tuple(Person(**each) for each in kept.pop("players"))
        kept_rounds = kept.pop("rounds")
        events = _events(rows, persons, Conditions.from_json(kept))
        return [*events[:2], *_kept_events(events[2:], kept_rounds)] if kept_rounds else events
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):  # somebody has written in it
        raise TournamentRefused("trf_line", {"line": comment}) from None


def _events(rows: list["_Row"], persons: tuple[Person, ...], conditions: Conditions) -> list[Event]:
    if len(persons) != len(rows):
        raise TournamentRefused("trf_numbers", {})
    names = [each.name for each in persons]
    return [Created(conditions), Entered(persons), *_rounds(names, rows, conditions)]


def _kept_events(events: list[Event], kept: list[dict[str, Any]]) -> Iterator[Event]:
    """The events of rounds with what the comment keeps; what it says of games goes further than one sign a round."""
    boards: dict[tuple[int, int], str] = {}
    for event in events:
        more = kept[event.round - 1] if isinstance(event, Drafted | Scored) else {}
        if isinstance(event, Drafted):
            boards |= {(event.round, pair.board): pair.first for pair in event.pairs}
            pairs = sorted(
                (Pair(more["boards"][pair.first], pair.first, pair.second) for pair in event.pairs),
                key=lambda pair: pair.board,
            )
            resting = tuple(Rest(name, kind, board) for name, (kind, board) in more["resting"].items())
            facts = {key: more[key] for key in ("edition", "ballot", "phase")}
            yield replace(event, pairs=tuple(pairs), resting=resting, **facts)
        elif isinstance(event, Scored):
            first = boards[event.round, event.board]
            yield replace(
                event, board=more["boards"][first], games=more["games"][first], advance=more["advance"][first]
            )
        else:
            yield event


@dataclass(frozen=True)
class _Row:
    """A player's line: where it stands, and what it says."""

    line: int
    number: int
    person: Person
    cells: list[Cell]


def _read_player(line: str, place: int) -> _Row:
    try:
        cells = []
        for start in range(RESULTS, len(line.rstrip()), 10):
            cell = line[start : start + 8].ljust(8)
            sign = {"W": "1", "D": "=", "L": "0"}.get(cell[7].upper(), cell[7].upper())
            if sign not in "1=0+-HFUZ ":
                raise ValueError(sign)
            cells.append((int(cell[:4].strip() or 0), cell[5], sign))
        person = Person(
            line[14:47].strip(),
            federation=line[53:56].strip(),
            rating=int(line[48:52].strip() or 0),
            birth=_birth(line[69:79].strip()),
            sex={"w": "f", "f": "f", "m": "m"}.get(line[9].lower(), ""),
            id=line[57:68].strip(),
        )
        return _Row(place, int(line[4:8]), person, cells)
    except (ValueError, IndexError):
        raise TournamentRefused("trf_line", {"line": place}) from None


def _birth(text: str) -> str:
    """A date of birth, or the year where programs write no day (1985/00/00)."""
    return _date(text) or (text[:4] if text[:4].isdecimal() else "")


def _date(text: str) -> str:
    """A date in the form of the calendar; empty for whatever else programs write."""
    text = text.replace("/", "-")
    try:
        check_date(text)
    except TournamentRefused:
        return ""
    return text


def _conditions(lines: list[str], rulebook: str) -> Conditions:
    """The conditions of a file of another program: what TRF says, and one game a round."""
    values = {line[:3]: line[4:].strip() for line in reversed(lines) if not line.startswith("001")}
    points = {"W": 1.0, "D": 0.5, "L": 0.0, "PAB": 1.0, "HPB": 0.5}
    try:
        for part in values.get("XXS", "").split():
            code, _, value = part.partition("=")
            points[{"WW": "W", "WD": "D", "WL": "L"}.get(code, code)] = float(value)
        return Conditions(
            values.get("012", "")[:MAX_TEXT] or "TRF",
            rulebook,
            rounds=int(values.get("XXR", "0") or 0),
            win=points["W"],
            draw=points["D"],
            loss=points["L"],
            bye=points["PAB"],
            requested_bye=points["HPB"],
            order="entry",
            place=values.get("022", "")[:MAX_TEXT],
            date=_date(values.get("042", "")),
            arbiter=values.get("102", "")[:MAX_TEXT],
        )
    except ValueError:
        raise TournamentRefused("trf_line", {"line": 1}) from None


def _rounds(names: list[str], rows: list[_Row], conditions: Conditions) -> Iterator[Event]:
    """The rounds; one without results may stand at the end, as programs write it once it is paired."""
    games = conditions.games if conditions.scored_by == "game" else 1
    count = max(len(row.cells) for row in rows) // games
    missing = [(0, "-", "Z")] * games * count
    for number in range(1, count + 1):
        place = (number - 1) * games
        cells = [(row.cells + missing)[place : place + games] for row in rows]
        pairs: list[Pair] = []
        resting: list[Rest] = []
        scores: list[str] = []
        for row, name, own in zip(rows, names, cells, strict=True):
            opponent, color, sign = own[0]
            if not opponent:
                resting.append(Rest(name, {"U": BYE, "F": BYE, "H": REQUESTED}.get(sign, ABSENT)))
                continue
            if not 0 < opponent <= len(rows) or cells[opponent - 1][0][0] != row.number:
                raise TournamentRefused("trf_line", {"line": row.line})
            _, other_color, other = cells[opponent - 1][0]
            if SHARES.get(sign, 0) + SHARES.get(other, 0) > 1:
                raise TournamentRefused("trf_line", {"line": row.line})
            decided = (color == "w") != (other_color == "w")  # of walkovers some programs write no colour
            if color == "w" if decided else row.number < opponent:
                signs = "".join(each[2] for each in own).strip()
                if set(signs) == {"-"} and other == "-":
                    signs = "n" * games
                pairs.append(Pair(len(pairs) + 1, name, names[opponent - 1]))
                scores.append(signs * (conditions.games // games))
        yield Drafted(number, tuple(pairs), tuple(resting), "TRF")
        yield Published(number)
        for pair, signs in zip(pairs, scores, strict=True):
            if signs:
                yield Scored(number, pair.board, signs)
