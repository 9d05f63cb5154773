"""Pairings: equal to py4swiss with one game, never again while that can be avoided with several, and the other systems."""

from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import TrfParser

from damas.errors import TournamentRefused
from damas.tournaments.formats.matching import can_all_be_paired
from damas.tournaments.hall import (
    ByeRequested,
    CheckedIn,
    Drafted,
    Entered,
    Forbidden,
    Person,
    Published,
    Scored,
    State,
    Withdrawn,
    draft,
    table,
)
from damas.tournaments.hall.dutch import first_colour
from damas.tournaments.hall.pairing import BERGER, SWISS, had_bye, is_over, warnings
from damas.tournaments.hall.table import categories, category_table, group_rounds, groups
from tournaments.hall.simulate import play_all, play_round, start


def trf_by_hand(state: State, drafted: Drafted, rounds: int) -> str:
    """The tournament before a draft as TRF, written without the exporter: from pairs and signs alone."""
    numbers = {name: place for place, name in enumerate(state.by_number, start=1)}
    cells: dict[str, list[str]] = {name: [] for name in numbers}
    points = dict.fromkeys(numbers, 0.0)
    value = {"1": 2, "=": 1, "0": 0, "+": 2, "-": 0}
    for played in state.rounds:
        row = dict.fromkeys(numbers, "0000 - Z")
        for pair in played.pairs:
            sign = played.results[pair.board].games
            other = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+", "n": "-"}[sign]
            sign = sign.replace("n", "-")
            row[pair.first] = f"{numbers[pair.second]:4} w {sign}"
            row[pair.second] = f"{numbers[pair.first]:4} b {other}"
            points[pair.first] += value[sign]
            points[pair.second] += value[other]
        for rest in played.resting:
            row[rest.name] = {"bye": "0000 - U", "requested": "0000 - H"}.get(rest.kind, "0000 - Z")
            points[rest.name] += {"bye": 2, "requested": 1}.get(rest.kind, 0)
        for name, cell in row.items():
            cells[name].append(cell)
    for rest in drafted.resting:
        if rest.kind != "bye":
            cells[rest.name].append("0000 - Z")
    lines = [
        f"001 {numbers[name]:4}      {name:33} {'':31} {points[name]:4.1f} {numbers[name]:4}  {'  '.join(own)}"
        for name, own in cells.items()
    ]
    lines += [f"XXR {rounds}", "XXS W=2.0 D=1.0 L=0.0 HPB=1.0 PAB=2.0", f"XXC {first_colour(state)}1"]
    lines += (f"XXP {numbers[one]} {numbers[other]}" for one, other in map(sorted, state.forbidden))
    return "\n".join(lines) + "\n"


def compare_with_py4swiss(seed: int, path: Path) -> int:
    """Plays a random tournament; each round must be what py4swiss pairs. Returns the rounds compared."""
    random = Random(seed)
    rounds = random.randrange(3, 8)
    scores = {"win": 2.0, "draw": 1.0, "bye": 2.0, "requested_bye": 1.0}
    state = start(random.randrange(4, 17), rounds=rounds, seed=seed, **scores)
    names = list(state.players)
    for _ in range(random.randrange(3)):
        state = state.decide(Forbidden(*random.sample(names, 2)))
    compared = 0
    while not is_over(state):
        number = len(state.rounds) + 1
        if random.random() < 0.2:
            state = state.decide(ByeRequested(random.choice(names), number))
        if random.random() < 0.1 and len(state.rounds) > 1:
            state = state.decide(Entered((Person(f"Late{number}"),)))
        active = [name for name in state.players if not state.out(name)]
        if random.random() < 0.1 and len(active) > 6:
            state = state.decide(Withdrawn(random.choice(active)))
        try:
            drafted = draft(state)
        except TournamentRefused:
            return compared
        path.write_text(trf_by_hand(state, drafted, rounds), encoding="utf-8")
        try:
            expected = DutchEngine.generate_pairings(TrfParser.parse(path, strict=True))
        except PairingError:
            assert drafted.edition == SWISS
            return compared
        order = state.by_number
        assert [(order[pair.white - 1], order[pair.black - 1]) for pair in expected if pair.black] == [
            (pair.first, pair.second) for pair in drafted.pairs
        ]
        assert [order[pair.white - 1] for pair in expected if not pair.black] == [
            rest.name for rest in drafted.resting if rest.kind == "bye"
        ]
        assert "Dutch" in drafted.edition and "py4swiss" in drafted.edition
        compared += 1
        state = state.decide(drafted).decide(Published(number))
        for pair in drafted.pairs:
            sign = random.choice("11==00+-n" if random.random() < 0.2 else "1=0")
            state = state.decide(Scored(number, pair.board, sign))
    return compared


def test_one_game_a_round_is_paired_as_py4swiss_does(tmp_path: Path) -> None:
    compared = [compare_with_py4swiss(seed, tmp_path / "x.trf") for seed in range(40)]
    assert sum(compared) > 120


@pytest.mark.soak
def test_a_thousand_tournaments_are_paired_as_py4swiss_does(tmp_path: Path) -> None:
    compared = [compare_with_py4swiss(seed, tmp_path / "x.trf") for seed in range(1000, 2000)]
    assert sum(compared) > 3000


def could_avoid_rematches(state: State, playing: list[str], rested: set[str]) -> bool:
    """Whether a round without a rematch and without a second bye exists, by brute force over the bye."""
    met = Counter(
        frozenset((pair.first, pair.second))
        for played in state.rounds
        for pair in played.pairs
        if set(played.results[pair.board].games) <= set("1=0")
    )
    index = {name: place for place, name in enumerate(playing)}
    graph = [{index[b] for b in playing if a != b and not met[frozenset((a, b))]} for a in playing]
    if len(playing) % 2 == 0:
        return can_all_be_paired(list(index.values()), graph)
    return any(
        can_all_be_paired([place for place in index.values() if place != index[bye]], graph)
        for bye in playing
        if bye not in rested
    )


@given(st.integers(3, 12), st.integers(2, 9), st.sampled_from([2, 4]), st.integers(0, 10**6))
def test_several_games_an_encounter_repeat_nobody_while_that_can_be_avoided(
    players: int, rounds: int, games: int, seed: int
) -> None:
    state = start(players, rounds=min(rounds, players + 2), games=games, bye=2.0, seed=seed)
    random = Random(seed)
    while not is_over(state):
        rested = {name for name in state.players if had_bye(state, name)}
        try:
            drafted = draft(state)
        except TournamentRefused:  # everybody has had the bye
            break
        playing = list(state.players)
        before = {frozenset((pair.first, pair.second)) for played in state.rounds for pair in played.pairs}
        repeated = [pair for pair in drafted.pairs if frozenset((pair.first, pair.second)) in before]
        assert not repeated or not could_avoid_rematches(state, playing, rested)
        assert not rested & {rest.name for rest in drafted.resting}  # never a second bye
        state = play_round(state, random)
    over = is_over(state)
    assert over or (players % 2 and all(had_bye(state, name) for name in state.players))


@given(st.integers(2, 6), st.integers(0, 10**6))
def test_the_bye_goes_to_the_last_who_has_had_none(half: int, seed: int) -> None:
    """As long as the others can be paired anew, which half as many rounds as players always leave possible."""
    state = start(2 * half + 1, rounds=half, games=2, bye=2.0, seed=seed)
    random = Random(seed)
    while not is_over(state):
        points = {row.name: row.standing.points for row in table(state)}
        last_first = sorted(state.by_number, key=lambda name: (points[name], -state.numbers[name]))
        unrested = [name for name in last_first if not had_bye(state, name)]
        assert [rest.name for rest in draft(state).resting] == unrested[:1]
        state = play_round(state, random)


@given(st.integers(4, 15), st.integers(0, 10**6))
def test_one_game_a_round_gives_no_second_bye_and_no_three_colours_in_a_row(players: int, seed: int) -> None:
    state = play_all(start(players, seed=seed), seed, forfeits=0.1)
    byes = Counter(rest.name for played in state.rounds for rest in played.resting if rest.kind == "bye")
    assert max(byes.values(), default=0) <= 1
    last = len(state.rounds)
    for name in state.players:
        colors = "".join(
            "w" if pair.first == name else "b"
            for played in state.rounds[: last - 1]  # the last round may break the rule for top scorers
            for pair in played.pairs
            if name in (pair.first, pair.second) and played.results[pair.board].games in "1=0"
        )
        if all("Dutch" in played.edition for played in state.rounds):
            assert "www" not in colors and "bbb" not in colors


@given(st.integers(2, 7), st.integers(0, 10**6))
def test_equal_points_meet_in_the_second_round(half: int, seed: int) -> None:
    """Floats: with decisive games and even halves, nobody floats in round 2 as long as the score groups are even."""
    state = start(4 * half, games=2, bye=2.0, seed=seed)
    state = state.decide(draft(state)).decide(Published(1))
    for pair in state.rounds[0].pairs:
        state = state.decide(Scored(1, pair.board, Random(seed + pair.board).choice(["11", "00"])))
    points = {row.name: row.standing.points for row in table(state)}
    assert all(points[pair.first] == points[pair.second] for pair in draft(state).pairs)


@given(st.integers(6, 14), st.integers(0, 10**6))
def test_forbidden_pairs_never_meet_and_club_mates_only_if_they_must(players: int, seed: int) -> None:
    for games in (1, 2):
        state = start(players, games=games, clubs_apart=True, seed=seed, rounds=3, bye=2.0)
        state = state.decide(Forbidden("P01", "P02")).decide(Forbidden("P01", "P03"))
        state = play_all(state, seed)
        met = [frozenset((pair.first, pair.second)) for played in state.rounds for pair in played.pairs]
        assert frozenset(("P01", "P02")) not in met and frozenset(("P01", "P03")) not in met
        first = state.rounds[
            0
        ].pairs  # three clubs of nearly equal size: in round 1 nobody must meet a club mate
        clubs = {name: player.person.club for name, player in state.players.items()}
        assert all(clubs[pair.first] != clubs[pair.second] for pair in first)


@pytest.mark.parametrize("players", [2, 3, 6, 9])
@pytest.mark.parametrize("cycles", [1, 2])
def test_a_round_robin_is_complete_and_its_colours_are_balanced(players: int, cycles: int) -> None:
    state = play_all(start(players, system="round-robin", cycles=cycles), 1)
    met = Counter(frozenset((pair.first, pair.second)) for played in state.rounds for pair in played.pairs)
    assert set(met.values()) == {cycles} and len(met) == players * (players - 1) // 2
    for name in state.players:
        firsts = sum(pair.first == name for played in state.rounds for pair in played.pairs)
        seconds = sum(pair.second == name for played in state.rounds for pair in played.pairs)
        assert abs(firsts - seconds) <= (1 if cycles == 1 else 0)
    assert {played.edition for played in state.rounds} == {BERGER}


@pytest.mark.parametrize("players", [2, 3, 5, 8, 13])
def test_a_knock_out_leaves_one(players: int) -> None:
    state = play_all(start(players, system="knockout", games=2), 4)
    assert sum(len(played.pairs) for played in state.rounds) == players - 1
    rows = table(state)
    assert [row.rank for row in rows][:2] == [1, 2]
    sizes = [len(played.pairs) for played in state.rounds]
    assert sizes[-1] == 1 and all(later <= earlier for earlier, later in pairwise(sizes[1:]))


def test_groups_send_their_best_to_the_knock_out() -> None:
    state = start(12, system="groups", groups=4, advance=2)
    filled = groups(state)
    assert [group[0] for group in filled] == ["P01", "P02", "P03", "P04"]
    assert [group[1] for group in filled] == ["P08", "P07", "P06", "P05"]
    state = play_all(state, 6)
    knockout = [played for played in state.rounds if played.phase == "knockout"]
    assert [len(played.pairs) for played in knockout] == [4, 2, 1]
    group_of = {name: place for place, group in enumerate(filled) for name in group}
    assert all(group_of[pair.first] != group_of[pair.second] for pair in knockout[0].pairs)
    through = {name for pair in knockout[0].pairs for name in (pair.first, pair.second)}
    assert Counter(group_of[name] for name in through) == {0: 2, 1: 2, 2: 2, 3: 2}
    tables = {key: category_table(state, key) for key in categories(state) if key.startswith("group:")}
    assert [key[-1] for key in tables] == ["A", "B", "C", "D"] and group_rounds(state) == 3
    assert {row.name for rows in tables.values() for row in rows[:2]} == through
    assert all(len(rows) == 3 for rows in tables.values())


@pytest.mark.parametrize("system", ["round-robin", "knockout", "groups"])
def test_who_has_left_before_the_first_round_is_in_no_schedule(system: str) -> None:
    state = start(8, system=system, groups=2, advance=1).decide(Withdrawn("P03"))
    state = state.decide(draft(state)).decide(Published(1)).decide(Withdrawn("P05"))
    assert "P03" not in state.starters and "P05" in state.starters
    state = play_all(score_all(state), 3)
    named = {name for played in state.rounds for pair in played.pairs for name in (pair.first, pair.second)}
    assert "P03" not in named and {"P01", "P02", "P05"} <= named and is_over(state)
    walkovers = [
        result.signs(pair, "P05")
        for played in state.rounds[1:]
        for pair in played.pairs
        if "P05" in (pair.first, pair.second) and (result := played.results[pair.board])
    ]
    assert set(walkovers) <= {"-"} and (walkovers or system != "round-robin")


@pytest.mark.parametrize("system", ["round-robin", "knockout", "groups"])
def test_who_is_not_there_for_the_first_round_is_in_no_schedule(system: str) -> None:
    state = start(8, system=system, groups=2, advance=1, check_in=True)
    state = state.decide(CheckedIn(tuple(name for name in state.players if name != "P03")))
    state = state.decide(draft(state))
    assert [note.key for note in warnings(state, drafted(state))] == ["club.warning.no_place"]
    with pytest.raises(TournamentRefused, match="pair the round again"):
        state.decide(CheckedIn(("P03",))).decide(Published(1))
    state = state.decide(Published(1))
    first = state.rounds[0].pairs[0].first
    away = score_all(state).decide(CheckedIn((first,), False))
    away = away.decide(draft(away))
    missed = first in {name for pair in away.rounds[-1].pairs for name in (pair.first, pair.second)}
    assert [note.facts["name"] for note in warnings(away, drafted(away))] == [first] * missed
    state = play_all(score_all(state), 3)
    named = {name for played in state.rounds for pair in played.pairs for name in (pair.first, pair.second)}
    assert "P03" not in named and {"P01", "P02", "P05"} <= named and is_over(state)


@pytest.mark.parametrize("late", [(), ("P05",)], ids=["nobody late", "one late"])
@pytest.mark.parametrize("system", ["round-robin", "knockout", "groups"])
def test_a_log_from_before_check_in_counted_goes_on_as_it_began(system: str, late: tuple[str, ...]) -> None:
    before = start(8, system=system, groups=2, advance=1)
    state = start(8, system=system, groups=2, advance=1, check_in=True)
    state = state.decide(CheckedIn(("P01", "P02", "P03", "P04")))
    first = draft(before)
    state = state.decide(first)
    if late:
        state = state.decide(CheckedIn(late))
    before, state = before.decide(first).decide(Published(1)), state.decide(Published(1))
    while not is_over(before):
        before, state = score_all(before), score_all(state)
        assert is_over(state) == is_over(before) and categories(state) == categories(before)
        if not is_over(before):
            event = draft(before)
            assert draft(state) == event
            before, state = (each.decide(event).decide(Published(event.round)) for each in (before, state))


def drafted(state: State) -> Drafted:
    """The draft of the last round."""
    last = state.rounds[-1]
    return Drafted(last.number, last.pairs, last.resting, last.edition, phase=last.phase)


def score_all(state: State) -> State:
    """The published round with every game won by the first."""
    current = state.rounds[-1]
    for pair in current.pairs:
        if pair.board not in current.results:
            state = state.decide(Scored(current.number, pair.board, "1"))
    return state


def test_who_has_left_a_group_gives_the_place_to_the_next() -> None:
    state = start(8, system="groups", groups=2, advance=2)
    random = Random(6)
    while len(state.rounds) < group_rounds(state):
        state = play_round(state, random)
    first, second, third = [row.name for row in category_table(state, "group:A")][:3]
    state = state.decide(Withdrawn(first))
    paired = {name for pair in draft(state).pairs for name in (pair.first, pair.second)}
    assert first not in paired and {second, third} <= paired
    state = play_all(state, 6)
    assert is_over(state) and [len(each.pairs) for each in state.rounds[-2:]] == [2, 1]


def test_a_tie_in_a_group_is_decided_among_its_players() -> None:
    """P01 and P04 have 1 point each in a group of two; P02 and P03 as well: the direct encounter looks at one group."""
    state = start(4, system="groups", groups=2, advance=1, tie_breaks=("direct", "lot"), cycles=2)
    for signs in ("1", "1"):  # everybody wins once, with White
        state = state.decide(draft(state)).decide(Published(len(state.rounds) + 1))
        for pair in state.rounds[-1].pairs:
            state = state.decide(Scored(len(state.rounds), pair.board, signs))
    rows = category_table(state, "group:A")
    assert [row.standing.tie_breaks["direct"].value for row in rows] == [1.0, 1.0]
    assert {row.standing.tie_breaks["direct"].note for row in rows} == {""}


def test_a_round_that_cannot_be_dutch_says_so() -> None:
    state = start(4, rounds=5)
    for _ in range(3):
        state = play_round(state, Random(2))
    assert draft(state).edition == SWISS  # everybody has met everybody
    with pytest.raises(TournamentRefused, match="over"):
        draft(play_all(state, 1))


def test_one_game_needs_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damas.tournaments.hall.dutch.find_spec", lambda name: None)
    with pytest.raises(TournamentRefused, match=r'pip install "damas\[club\]"'):
        draft(start(4))
    assert draft(start(4, games=2)).pairs
