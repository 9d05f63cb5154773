"""The draft of the next round, and what an arbiter should know about a pairing made by hand."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import ceil, log2
from random import Random
from string import ascii_uppercase

from damas.errors import TournamentRefused
from damas.language import Saying
from damas.tournaments.formats.knockout import bracket
from damas.tournaments.formats.round_robin import berger
from damas.tournaments.formats.swiss import (
    Choice,
    SwissPlayer,
    most_meetings,
    opponent_graph,
    pair_players,
    usual_rounds,
)
from damas.tournaments.hall import dutch
from damas.tournaments.hall.events import ABSENT, BYE, REQUESTED, Drafted, Pair, Rest, Scored
from damas.tournaments.hall.rounds import Round, open_boards, winner
from damas.tournaments.hall.state import State, active_entries
from damas.tournaments.hall.table import group_rounds, groups, meetings, table

BERGER = "Berger tables, FIDE C.05 annex 1"
BRACKET = "damas bracket 1"
SWISS = "damas Swiss 1, without colours"
BY_HAND = "by hand"
"""Editions of the rules by which a round is paired, stored with it."""


def draft(state: State, ballot: str = "") -> Drafted:
    """The pairing of the next round, by the system of the tournament; raises `TournamentRefused` if there is none."""
    number = next_round(state)
    entered = len(state.players if state.conditions.system == "swiss" else state.starters)
    if entered < 2:
        raise TournamentRefused("too_few", {"count": entered})
    last = state.rounds[number - 2] if number > 1 else None
    if last and not last.is_complete:
        raise TournamentRefused("round_open", {"round": last.number, "boards": open_boards(last)})
    if number > total_rounds(state):
        raise TournamentRefused("over", {"rounds": number - 1})
    system = state.conditions.system
    if system == "swiss":
        return _swiss(state, number, ballot)
    if system == "knockout" or (system == "groups" and number > group_rounds(state)):
        return _knockout(state, number, last, ballot)
    return _round_robin(state, number, ballot)


def next_round(state: State) -> int:
    """The number of the round that a draft would be for: a new one, or the last if it is not published."""
    return sum(each.published for each in state.rounds) + 1


def total_rounds(state: State) -> int:
    """Rounds of the whole tournament, as far as the players are known."""
    conditions, count = state.conditions, len(state.starters)
    if conditions.system == "swiss":
        return conditions.rounds or usual_rounds(len(state.players))
    if conditions.system == "knockout":
        return ceil(log2(max(2, count)))
    if conditions.system == "groups":
        return group_rounds(state) + ceil(log2(max(2, len(_seeds(state)))))
    return conditions.cycles * max(0, count + count % 2 - 1)


def is_over(state: State) -> bool:
    """Whether every round has been played to its last board."""
    return len(state.rounds) >= total_rounds(state) > 0 and state.rounds[-1].is_complete


# --- Swiss --------------------------------------------------------------------------------------


def _swiss(state: State, number: int, ballot: str) -> Drafted:
    playing, resting = _present(state, number)
    if len(playing) < 2:
        raise TournamentRefused("too_few", {"count": len(playing)})
    if state.conditions.games == 1 and not state.conditions.boards:
        exact = dutch.pair(state, number, playing, total_rounds(state), kept_apart(state, playing))
        pairs, bye, edition = exact or _without_colours(state, number, playing)
    else:
        pairs, bye, edition = _without_colours(state, number, playing)
    if bye:
        resting.append(Rest(bye, BYE))
    listed = tuple(Pair(board, first, second) for board, (first, second) in enumerate(pairs, start=1))
    return Drafted(number, listed, tuple(resting), edition, ballot)


def _present(state: State, number: int) -> tuple[list[str], list[Rest]]:
    """Who is to be paired, by number, and who rests: by request, or not there."""
    playing, resting = [], []
    for name in state.by_number:
        player = state.players[name]
        if number in player.requested and not state.out(name):
            resting.append(Rest(name, REQUESTED))
        elif state.out(name) or not state.is_there(name):
            resting.append(Rest(name, ABSENT))
        else:
            playing.append(name)
    return playing, resting


def swiss_players(state: State, playing: list[str]) -> list[SwissPlayer]:
    """The players in the order of the standings, with whom they met; a game that was not played is no meeting."""
    numbers = state.numbers
    met = meetings(state)
    players = [
        SwissPlayer(
            name,
            numbers[name],
            sum(each.points for each in met[name]),
            meetings=Counter(each.opponent for each in met[name] if each.opponent and each.played),
            byes=had_bye(state, name),
        )
        for name in playing
    ]
    return sorted(players, key=lambda player: (-player.points, player.rank))


def had_bye(state: State, name: str) -> int:
    """How often a player had the pairing bye, or points because the opponent did not come."""
    byes = sum(
        rest.name == name and rest.kind == BYE
        for each in state.rounds
        for rest in each.resting
        if each.published
    )
    walkovers = sum(
        set(result.signs(pair, name)) == {"+"}
        for each in state.rounds
        for pair in each.pairs
        if name in (pair.first, pair.second) and (result := each.results.get(pair.board))
    )
    return byes + walkovers


def kept_apart(state: State, playing: list[str]) -> list[set[frozenset[str]]]:
    """Pairs that must not be made, the strictest set first: with club mates, then without."""
    strict = set(state.forbidden)
    if not state.conditions.clubs_apart:
        return [strict]
    clubs = {name: state.players[name].person.club for name in playing}
    mates = {
        frozenset((one, other))
        for one, other in combinations(playing, 2)
        if clubs[one] and clubs[one] == clubs[other]
    }
    return [strict | mates, strict]


def _without_colours(
    state: State, number: int, playing: list[str]
) -> tuple[list[tuple[str, str]], str | None, str]:
    """Pairs by points alone, for encounters in which everybody has both colours."""
    players = swiss_players(state, playing)
    try:
        pairs, bye = pair_players(players, _choices(state, players))
    except ValueError:
        raise TournamentRefused("no_pairing", {"round": number}) from None
    lot = Random(f"{state.conditions.seed}/colours/{number}")
    named = [(one.name, other.name) if lot.random() < 0.5 else (other.name, one.name) for one, other in pairs]
    return named, bye.name if bye else None, SWISS


def _choices(state: State, players: list[SwissPlayer]) -> Iterator[Choice]:
    """For people: club mates meet before anybody meets twice, and nobody ever has a second bye."""
    index = {player.name: place for place, player in enumerate(players)}
    unrested = [place for place in reversed(range(len(players))) if not players[place].byes]
    byes: list[int | None] = [*unrested] if len(players) % 2 else [None]
    for meetings_allowed in range(most_meetings(players) + 1):
        for apart in kept_apart(state, list(index)):
            graph = [set(opponents) for opponents in opponent_graph(players, meetings_allowed)]
            for one, other in map(tuple, apart):
                if one in index and other in index:
                    graph[index[one]].discard(index[other])
                    graph[index[other]].discard(index[one])
            yield from ((bye, graph) for bye in byes)


# --- Round robin and groups ---------------------------------------------------------------------


def _round_robin(state: State, number: int, ballot: str) -> Drafted:
    pairs: list[tuple[str, str]] = []
    resting: list[Rest] = []
    for group in groups(state):
        size = len(group) + len(group) % 2
        rounds = list(berger(size)) if size else []
        if number > state.conditions.cycles * len(rounds):
            resting += (Rest(name, ABSENT) for name in group)
            continue
        cycle, place = divmod(number - 1, len(rounds))
        for one, other in rounds[place]:
            if max(one, other) >= len(group):
                resting.append(Rest(group[min(one, other)], ABSENT))
                continue
            white, black = (one, other) if cycle == 0 else (other, one)
            pairs.append((group[white], group[black]))
    listed = tuple(Pair(board, first, second) for board, (first, second) in enumerate(pairs, start=1))
    return Drafted(number, listed, tuple(resting), BERGER, ballot)


# --- Knock-out ----------------------------------------------------------------------------------


def _seeds(state: State) -> list[str]:
    """The players of a knock-out by seed: everybody by number, or the best of each group who have not left."""
    if state.conditions.system != "groups":
        return state.starters
    rounds = group_rounds(state)
    begun = next((each for each in state.rounds if each.phase == "knockout" and each.published), None)
    if begun:
        return [name for pair in begun.pairs for name in (pair.first, pair.second)] + [
            rest.name for rest in begun.resting
        ]
    ranked = [[row.name for row in table(state, rounds, group) if not row.out] for group in groups(state)]
    return [
        group[place] for place in range(state.conditions.advance) for group in ranked if place < len(group)
    ]


def _knockout(state: State, number: int, last: Round | None, ballot: str) -> Drafted:
    slots: list[str | None]
    if last and last.phase == "knockout":
        slots = list(_winners(last, 2 ** (total_rounds(state) - last.number)))
    else:
        seeds = _seeds(state)
        size = 2 ** ceil(log2(max(2, len(seeds))))
        slots = [seeds[seed] if seed < len(seeds) else None for seed in bracket(size)]
    pairs: list[Pair] = []
    resting: list[Rest] = []
    lot = Random(f"{state.conditions.seed}/colours/{number}")
    for board, (one, other) in enumerate(zip(slots[::2], slots[1::2], strict=True), start=1):
        if one and other:
            first, second = (one, other) if lot.random() < 0.5 else (other, one)
            pairs.append(Pair(board, first, second))
        elif one or other:
            resting.append(Rest(one or other or "", ABSENT, board))
    return Drafted(number, tuple(pairs), tuple(resting), BRACKET, ballot, phase="knockout")


def _winners(last: Round, places: int) -> Iterator[str | None]:
    """Who goes on, in the order of the bracket; None from a place that a pairing by hand left empty."""
    through = {rest.board: rest.name for rest in last.resting if rest.board}
    for pair in last.pairs:
        through[pair.board] = winner(pair, last.results[pair.board])
    return (through.get(board) for board in range(1, places + 1))


# --- By hand ------------------------------------------------------------------------------------


def swapped(state: State, one: str, other: str) -> Drafted:
    """The draft of the last round with two players brought to one board; whom they were to meet change over."""
    current = state.last
    if current is None or current.published:
        raise TournamentRefused("not_drafted", {"round": len(state.rounds) + 1})
    for name in (one, other):
        state.player(name)
    if one == other:
        raise TournamentRefused("two_players", {})
    boards = {name: pair.board for pair in current.pairs for name in (pair.first, pair.second)}
    pairs = {pair.board: [pair.first, pair.second] for pair in current.pairs}
    resting = {rest.name: rest for rest in current.resting}
    if one not in boards:
        one, other = other, one
    if one not in boards:
        # Neither has a board: they get one of their own, in a knock-out the place of one of them.
        rests = (resting.pop(name, None) for name in (one, other))
        places = [rest.board for rest in rests if rest and rest.board]
        if current.phase and not places:
            raise TournamentRefused("no_place", {"one": one, "other": other})
        pairs[places[0] if places else max(pairs, default=0) + 1] = [one, other]
    elif boards[one] != boards.get(other):
        own = pairs[boards[one]]
        left = own[1 - own.index(one)]
        own[own.index(left)] = other
        if other in boards:
            theirs = pairs[boards[other]]
            theirs[theirs.index(other)] = left
        else:
            rest = resting.pop(other, None)
            if rest:
                resting[left] = Rest(left, rest.kind, rest.board)
            elif not current.phase:
                # Who was not in the draft takes the place; in a bracket there is no other.
                resting[left] = Rest(left, ABSENT)
    listed = tuple(Pair(board, *names) for board, names in sorted(pairs.items()))
    return Drafted(
        current.number,
        listed,
        tuple(resting.values()),
        BY_HAND,
        current.ballot,
        by_hand=True,
        phase=current.phase,
    )


def warnings(state: State, drafted: Drafted) -> list[Saying]:
    """What is unusual about a pairing: it may still be published."""
    notes: list[Saying] = []
    met = meetings(state)
    for pair in drafted.pairs:
        names = {"one": pair.first, "other": pair.second}
        rounds = [each.round for each in met[pair.first] if each.opponent == pair.second and each.played]
        if rounds and state.conditions.system == "swiss":
            notes.append(Saying("club.warning.again", {**names, "round": rounds[-1]}))
        if frozenset((pair.first, pair.second)) in state.forbidden:
            notes.append(Saying("club.warning.forbidden", names))
        clubs = {state.players[name].person.club for name in (pair.first, pair.second)}
        if state.conditions.clubs_apart and len(clubs) == 1 and clubs != {""}:
            notes.append(Saying("club.warning.club", {**names, "club": clubs.pop()}))
    notes += _absences(state, drafted)
    for rest in drafted.resting:
        if rest.kind == BYE and had_bye(state, rest.name):
            notes.append(Saying("club.warning.second_bye", {"name": rest.name}))
    for name in (name for pair in drafted.pairs for name in (pair.first, pair.second)):
        count = len(state.players[name].squad)
        if state.conditions.boards and count < state.conditions.min_boards:
            facts = {"name": name, "count": count, "min": state.conditions.min_boards}
            notes.append(Saying("club.warning.small_squad", facts))
    if drafted.edition == SWISS and state.conditions.games == 1 and not state.conditions.boards:
        notes.append(Saying("club.warning.not_dutch", {}))
    notes += _shared_places(state, drafted)
    if _result_changed(state, drafted):
        notes.append(Saying("club.warning.changed", {}))
    return notes


def _absences(state: State, drafted: Drafted) -> Iterator[Saying]:
    """Who is paired and should not be, or could be and is not: by hand, or because of what happened since the draft."""
    swiss = state.conditions.system == "swiss"
    paired = [name for pair in drafted.pairs for name in (pair.first, pair.second)]
    resting = {rest.name: rest.kind for rest in drafted.resting}
    for name in paired:
        if state.out(name) and (swiss or drafted.by_hand):
            yield Saying("club.warning.out", {"name": name})
        elif drafted.round in state.players[name].requested:
            yield Saying("club.warning.requested", {"name": name})
        elif not state.is_there(name):
            yield Saying("club.warning.absent", {"name": name})
    if not swiss and drafted.round == 1:
        for name in state.by_number:
            if not state.is_there(name) and not state.out(name) and name not in paired:
                yield Saying("club.warning.no_place", {"name": name})
    if not swiss and (drafted.phase or not drafted.by_hand):
        return
    playing = _present(state, drafted.round)[0] if swiss else state.starters
    for name in playing:
        idle = resting.get(name, ABSENT) == ABSENT if swiss else name not in resting
        if name not in paired and not state.out(name) and idle:
            yield Saying("club.warning.left_out", {"name": name})


def _shared_places(state: State, drafted: Drafted) -> Iterator[Saying]:
    """The groups in which nothing but the start number says who goes on to the knock-out."""
    first = drafted.phase == "knockout" and drafted.round == group_rounds(state) + 1 and not drafted.by_hand
    for letter, group in zip(ascii_uppercase, groups(state) if first else (), strict=False):
        rows = [row for row in table(state, group_rounds(state), group) if not row.out]
        advance = state.conditions.advance
        if len(rows) > advance and rows[advance - 1].rank == rows[advance].rank:
            tied = [row.name for row in rows if row.rank == rows[advance].rank]
            yield Saying("club.warning.shared_place", {"names": ", ".join(tied), "group": letter})


def _result_changed(state: State, drafted: Drafted) -> bool:
    """Whether a result of an earlier round was corrected after a draft that follows from results."""
    follows = state.conditions.system == "swiss" or drafted.phase
    if not follows or drafted.by_hand:
        return False
    for _, entry in reversed(active_entries(state.entries)):
        if isinstance(entry.event, Drafted):
            return False
        if isinstance(entry.event, Scored):
            return entry.event.round < drafted.round and state.last is not None and not state.last.published
    return False
