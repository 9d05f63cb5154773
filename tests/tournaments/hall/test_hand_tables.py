"""Twelve small tables that were computed by hand; the computation stands beside each."""

import pytest

from damas.tournaments.hall import (
    Conditions,
    Created,
    Drafted,
    Entered,
    Pair,
    Person,
    Published,
    Rest,
    Scored,
    State,
    replay,
    table,
)
from damas.tournaments.hall.table import meetings
from damas.tournaments.tie_breaks import TIE_BREAKS, ranking


def played(names: str, rounds: list[str], **conditions: object) -> State:
    """Rounds such as `A-B 1, C-D =, E bye`: the signs of the games for the first of each two."""
    state = replay([Created(Conditions("Hand", "brasileira", order="entry", **conditions))])  # type: ignore[arg-type]
    state = state.decide(Entered(tuple(Person(name) for name in names)))
    for number, text in enumerate(rounds, start=1):
        pairs, resting, signs = [], [], []
        for part in text.split(", "):
            who, what = part.split(" ")
            if "-" in who:
                pairs.append(Pair(len(pairs) + 1, *who.split("-")))
                signs.append(what)
            else:
                resting.append(Rest(who, what))
        state = state.decide(Drafted(number, tuple(pairs), tuple(resting), "hand"))
        state = state.decide(Published(number))
        for board, games in enumerate(signs, start=1):
            state = state.decide(Scored(number, board, games))
    return state


Expected = dict[str, tuple[float, ...]]
"""Rank, points and the tie-breaks in their order, by name."""
TWO_ONE_ZERO = {"win": 2.0, "draw": 1.0, "bye": 2.0, "requested_bye": 1.0}

TABLES: dict[str, tuple[str, list[str], dict[str, object], Expected]] = {
    # A beat C and D, B beat A and D, C beat B and drew with D. Between A and B (2 each) B won: direct 1 to 0.
    # SB: A = C 1½ + D ½; B = A 2 + D ½; C = B 2 + half of D's ½; D = half of C's 1½.
    "direct encounter": (
        "ABCD",
        ["A-D 1, B-C 0", "D-C =, A-B 0", "B-D 1, C-A 0"],
        {"system": "round-robin", "tie_breaks": ("direct", "wins", "sonneborn")},
        {"B": (1, 2, 1, 2, 2.5), "A": (2, 2, 0, 2, 2), "C": (3, 1.5, 0, 1, 2.25), "D": (4, 0.5, 0, 0, 0.75)},
    ),
    # A beat B, B beat C, C beat A, and all three beat D: nothing separates them. SB: one opponent with 2, and D with 0.
    "a circle shares the first rank": (
        "ABCD",
        ["A-D 1, B-C 1", "D-C 0, A-B 1", "B-D 1, C-A 1"],
        {"system": "round-robin", "tie_breaks": ("direct", "wins", "sonneborn")},
        {"A": (1, 2, 1, 2, 2), "B": (1, 2, 1, 2, 2), "C": (1, 2, 1, 2, 2), "D": (4, 0, 0, 0, 0)},
    ),
    # Micro-matches 2-1-0, as in Itapeva: C beat B 2-0, A beat B 1½-½, C and A won a game each.
    # Progressive: A 0 + 2 + 3, C 2 + 2 + 3. Buchholz: A = nobody 0 + B 0 + C 3. Median of B: nobody 0, C 3, A 3 leaves 3.
    "micro-matches by match": (
        "ABC",
        ["B-C 00, A absent", "A-B 1=, C absent", "C-A 10, B absent"],
        {
            "system": "round-robin",
            "games": 2,
            **TWO_ONE_ZERO,
            "tie_breaks": ("direct", "progressive", "buchholz", "median"),
        },
        {"C": (1, 3, 1, 7, 3, 0), "A": (2, 3, 1, 5, 3, 0), "B": (3, 0, 0, 0, 6, 3)},
    ),
    # The same kind of matches, but every game counts: A-B 1½-½, B-C 1-1, C-A 1½-½.
    # SB a game at a time: A = 1½ × B 1½ + ½ × C 2½ = 2¼ + 1¼; B = ½ × 2 + 1 × 2½; C = 1 × 1½ + 1½ × 2.
    "micro-matches by game": (
        "ABC",
        ["A-B 1=, C absent", "B-C ==, A absent", "C-A 1=, B absent"],
        {"system": "round-robin", "games": 2, "scored_by": "game", "tie_breaks": ("wins", "sonneborn")},
        {"C": (1, 2.5, 1, 4.5), "A": (2, 2, 1, 3.5), "B": (3, 1.5, 0, 3.5)},
    ),
    # Swiss with byes. Points: A 1 + 1 + ½, B 0 + 0 + bye 1, C ½ + 1 + ½, D ½ + bye 1 + 0, E bye 1 + 0 + 1.
    # Buchholz: A = B 1 + E 2 + C 2; B = A 2½ + C 2 + 0; C = D 1½ + B 1 + A 2½; D = C 2 + 0 + E 2; E = 0 + A 2½ + D 1½.
    # Cut 1 takes the least away, the median also the greatest. SB: A = B 1 + E 2 + half of C; C = ¾ + 1 + 1¼.
    "Buchholz, cut and median with byes": (
        "ABCDE",
        ["A-B 1, C-D =, E bye", "E-A 0, B-C 0, D bye", "A-C =, D-E 0, B bye"],
        {"tie_breaks": ("buchholz", "buchholz-cut1", "median", "sonneborn")},
        {
            "A": (1, 2.5, 5, 4, 2, 4),
            "C": (2, 2, 5, 4, 1.5, 3),
            "E": (3, 2, 4, 4, 1.5, 1.5),
            "D": (4, 1.5, 4, 4, 2, 1),
            "B": (5, 1, 4.5, 4.5, 2, 0),
        },
    ),
    # B did not come against A; neither B nor D came in round 2. A walkover is a win, but no opponent for Buchholz and SB:
    # A = nobody 0 + C 3, C = D 0 + A 3; SB = half of 3 for both, so A and C share the first rank. D met C: 3, B met nobody.
    "walkovers and a double forfeit": (
        "ABCD",
        ["A-B +, C-D 1", "A-C =, B-D n"],
        {**TWO_ONE_ZERO, "tie_breaks": ("direct", "wins", "buchholz", "sonneborn")},
        {
            "A": (1, 3, 1, 1, 3, 1.5),
            "C": (1, 3, 1, 1, 3, 1.5),
            "D": (3, 0, 0, 0, 3, 0),
            "B": (4, 0, 0, 0, 0, 0),
        },
    ),
    # Four games an encounter: A-B 2½-1½, B-C 4-0, C-A 2-2, and each has a bye of 4 once.
    # Solkoff: A = B 9½ + 0 + C 6, B = A 8½ + C 6 + 0, C = 0 + B 9½ + A 8½. Everybody had Black in 2 games of each encounter.
    "four games an encounter": (
        "ABC",
        ["A-B 11=0, C bye", "B-C 1111, A bye", "C-A ====, B bye"],
        {"games": 4, "scored_by": "game", "bye": 4.0, "tie_breaks": ("solkoff", "wins", "blacks")},
        {"B": (1, 9.5, 14.5, 5, 4), "A": (2, 8.5, 15.5, 2, 4), "C": (3, 6, 18, 0, 4)},
    ),
    # Circuito: points after each round A 2 2 2, B 0 2 4, C 2 4 4, D 0 0 2; progressive adds them, corrected leaves out round 1.
    "progressive and corrected": (
        "ABCD",
        ["A-B 11, C-D 1=", "A-C 0=, B-D 11", "A-D 0=, B-C 11"],
        {"games": 2, **TWO_ONE_ZERO, "tie_breaks": ("progressive", "corrected")},
        {"C": (1, 4, 10, 8), "B": (2, 4, 6, 6), "A": (3, 2, 6, 4), "D": (4, 2, 2, 2)},
    ),
    # Three draws: everything is equal but the colours. A had White twice, B once, C never.
    "most blacks": (
        "ABC",
        ["A-B =, C absent", "B-C =, A absent", "A-C =, B absent"],
        {"system": "round-robin", "tie_breaks": ("direct", "wins", "sonneborn", "blacks")},
        {"C": (1, 1, 1, 0, 1, 2), "B": (2, 1, 1, 0, 1, 1), "A": (3, 1, 1, 0, 1, 0)},
    ),
    # C asked for round 1 off (1 point), D was not there (0). B and C have 2 points and Buchholz 3: B = A 3 + D 0, C = 0 + A 3.
    # Progressive: C 1 + 2, B 0 + 2.
    "requested bye and absence": (
        "ABCD",
        ["A-B 1, C requested, D absent", "C-A =, B-D 1"],
        {**TWO_ONE_ZERO, "tie_breaks": ("buchholz", "progressive")},
        {"A": (1, 3, 4, 5), "C": (2, 2, 3, 3), "B": (3, 2, 3, 2), "D": (4, 0, 2, 0)},
    ),
    # Everybody won one, drew one and lost one: 1½ each, SB 1½ × 1½. All four share the first rank.
    "four players share a rank": (
        "ABCD",
        ["A-B 1, C-D 1", "A-C =, B-D =", "A-D 0, B-C 1"],
        {"system": "round-robin", "tie_breaks": ("direct", "wins", "sonneborn")},
        dict.fromkeys("ABCD", (1, 1.5, 1.5, 1, 2.25)),
    ),
    # Six players, micro-matches 2-1-0. Match points: A 2 2 1 0 2, B 0 2 2 1 2, C 0 0 2 2 1, D 1 0 0 2 2, E 2 1 0 0 2, F 0 0 1 0 0.
    # A beat B; C beat D and E, D beat E. SB: A = B 7 + C 5 + D 2½ + F 1, B = C 5 + D 5 + E 2½ + F 1, C = D 5 + E 5 + F ½,
    # D = A 3½ + E 5 + F 1, E = A 7 + B 3½ + F 1, F = C 2½. Black once in each of five encounters.
    "micro-match round robin of six": (
        "ABCDEF",
        [
            "A-F 11, B-E 10, C-D 11",
            "F-D 00, E-C 0=, A-B 1=",
            "B-F 11, C-A 00, D-E 1=",
            "F-E 0=, A-D ==, B-C 1=",
            "C-F ==, D-B 0=, E-A =1",
        ],
        {
            "system": "round-robin",
            "games": 2,
            **TWO_ONE_ZERO,
            "tie_breaks": ("direct", "wins", "sonneborn", "blacks"),
        },
        {
            "A": (1, 7, 2, 3, 15.5, 5),
            "B": (2, 7, 0, 3, 13.5, 5),
            "C": (3, 5, 4, 2, 10.5, 5),
            "D": (4, 5, 2, 2, 9.5, 5),
            "E": (5, 5, 0, 2, 11.5, 5),
            "F": (6, 1, 0, 0, 2.5, 5),
        },
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_the_table_is_the_one_computed_by_hand(name: str) -> None:
    names, rounds, conditions, expected = TABLES[name]
    rows = table(played(names, rounds, **conditions))
    assert {
        row.name: (row.rank, row.standing.points, *(each.value for each in row.standing.tie_breaks.values()))
        for row in rows
    } == expected
    assert [row.name for row in rows] == list(expected)


def test_there_are_twelve_tables() -> None:
    assert len(TABLES) == 12


@pytest.mark.parametrize("name", TABLES)
def test_every_tie_break_is_the_sum_that_it_shows(name: str) -> None:
    names, rounds, conditions, _ = TABLES[name]
    state = played(names, rounds, **conditions)
    for standing in ranking(list(names), meetings(state), TIE_BREAKS, seed=3):
        assert list(standing.tie_breaks) == list(TIE_BREAKS)
        for key, each in standing.tie_breaks.items():
            if key != "lot":
                assert each.value == sum(term.value for term in each.terms if not term.cut)


def test_a_walkover_is_no_opponent_for_buchholz_and_sonneborn() -> None:
    """B did not come against A and then beat C; A drew with D, who had beaten C. Points: A 1½, B 1, C 0, D 1½."""
    state = played("ABCD", ["A-B +, D-C 1", "B-C 1, A-D ="], tie_breaks=("buchholz", "sonneborn"))
    values = {row.name: [each.value for each in row.standing.tie_breaks.values()] for row in table(state)}
    # A met D alone: 1½, of which the draw gives half; B met C alone, who has 0; C met D and B; D met C and A.
    assert values == {"A": [1.5, 0.75], "B": [0, 0], "C": [2.5, 0], "D": [1.5, 0.75]}


def test_a_lot_separates_everybody_and_follows_the_seed() -> None:
    names, rounds, conditions, _ = TABLES["a circle shares the first rank"]
    orders = set()
    for seed in range(20):
        rows = table(played(names, rounds, **{**conditions, "tie_breaks": ("lot",), "seed": seed}))
        assert [row.rank for row in rows] == [1, 2, 3, 4]
        assert sorted(row.standing.tie_breaks["lot"].value for row in rows) == [1, 2, 3, 4]
        orders.add("".join(row.name for row in rows))
    assert len(orders) > 2 and all(order.endswith("D") for order in orders)
