"""What may follow what, what each event changes, and that every event can be undone."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from damas.errors import TournamentRefused
from damas.language import LANGUAGES, entries
from damas.tournaments.hall import (
    ByeRequested,
    CheckedIn,
    Conditions,
    Created,
    Disqualified,
    Drafted,
    Entered,
    Event,
    Forbidden,
    Person,
    Published,
    Rated,
    Scored,
    State,
    Undone,
    Withdrawn,
    draft,
    replay,
    table,
    warnings,
)
from damas.tournaments.hall.pairing import is_over, swapped
from damas.tournaments.hall.table import category_table, group_rounds, groups, meetings
from tournaments.hall.simulate import play_all, play_round, start


def reason(state: State, event: Event, why: str = "") -> str:
    """The code by which an event is refused."""
    with pytest.raises(TournamentRefused) as refused:
        state.decide(event, why=why)
    for language in LANGUAGES:
        assert refused.value.sentence(language)
    return refused.value.reason


def kinds_of(state: State, event: Event) -> dict[str, list[str]]:
    """Who rests in the next draft, by kind."""
    resting: dict[str, list[str]] = {}
    for rest in draft(state.decide(event)).resting:
        resting.setdefault(rest.kind, []).append(rest.name)
    return resting


def without_entries(state: State) -> State:
    return replace(state, entries=())


def test_every_event_can_be_undone_and_redone() -> None:
    state = play_round(start(7), Random(1))
    state = state.decide(draft(state))
    pair = state.rounds[-1].pairs[0]
    other = state.rounds[-1].pairs[1].second
    events: list[Event] = [
        Entered((Person("Late"),)),
        CheckedIn(("P01", "P02")),
        ByeRequested("P03", 3),
        Rated("P03", 2222, "77"),
        Withdrawn("P04"),
        Disqualified("P05"),
        Forbidden("P01", "P06"),
        draft(state),
        swapped(state, pair.first, other),
        Published(2),
    ]
    for event in events:
        after = state.decide(event, who="Ana", why="test")
        number = len(after.entries)
        undone = after.decide(Undone(number), why="mistake")
        assert without_entries(undone) == without_entries(state), event
        assert without_entries(undone.decide(Undone(number + 1))) == without_entries(after), event
        assert len(undone.entries) == number + 1  # nothing leaves the log
    published = state.decide(Published(2))
    scored = published.decide(Scored(2, 1, "1"))
    undone = scored.decide(Undone(len(scored.entries)))
    assert without_entries(undone) == without_entries(published)
    corrected = scored.decide(Scored(2, 1, "0"), why="wrong slip")
    assert without_entries(corrected.decide(Undone(len(corrected.entries)))) == without_entries(scored)


def test_a_whole_tournament_can_be_undone_backwards() -> None:
    state = play_all(start(5), 3)
    for number in range(len(state.entries), 2, -1):
        state = state.decide(Undone(number))
    assert not state.rounds and len(state.players) == 5


def test_what_later_entries_need_is_not_undone() -> None:
    state = play_round(start(4), Random(1))
    assert reason(state, Undone(2)) == "undo_later_first"  # the players
    assert reason(state, Undone(1)) == "no_entry"
    assert reason(state, Undone(99)) == "no_entry"
    once = state.decide(Undone(len(state.entries)))
    assert reason(once, Undone(len(state.entries))) == "undone_already"


@pytest.mark.parametrize("system", ["round-robin", "knockout", "swiss"])
def test_nothing_that_is_undone_changes_the_numbers_of_a_draft(system: str) -> None:
    """They are the schedule: with others, the next rounds would bring those together who have met."""
    state = start(4, system=system).decide(Rated("P04", 2400))
    state = play_round(state, Random(1))
    assert reason(state, Undone(3)) == "undo_later_first"  # the rating
    if system != "swiss":
        state = play_round(start(4, system=system).decide(Withdrawn("P04")), Random(1))
        assert reason(state, Undone(3)) == "undo_later_first"


@pytest.mark.parametrize("event", [Rated("P04", 2400), Withdrawn("P04"), Entered((Person("P05"),))])
def test_a_schedule_is_published_for_the_players_for_whom_it_was_drafted(event: Event) -> None:
    state = start(4, system="round-robin")
    state = state.decide(draft(state)).decide(event)
    assert reason(state, Published(1)) == "old_draft"
    state = state.decide(draft(state)).decide(Published(1))
    assert state.rounds[0].order == tuple(state.starters)


def test_the_order_of_a_round() -> None:
    state = start(4)
    assert reason(state, Published(1)) == "not_drafted"
    assert reason(state, Scored(1, 1, "1")) == "no_round"
    state = state.decide(draft(state))
    assert reason(state, Scored(1, 1, "1")) == "not_published"
    state = state.decide(Published(1))
    assert reason(state, Published(1)) == "not_drafted"
    assert reason(state, Scored(1, 3, "1")) == "no_board"
    assert reason(state, Scored(1, 1, "11")) == "games"
    assert reason(state, Scored(1, 1, "?")) == "games"
    state = state.decide(Scored(1, 1, "1"))
    assert reason(state, Scored(1, 1, "0")) == "scored_already"
    with pytest.raises(TournamentRefused, match="boards 2"):
        draft(state)
    assert state.decide(Scored(1, 1, "0"), why="wrong slip").rounds[0].results[1].games == "0"


def test_entries() -> None:
    state = start(4)
    assert reason(state, Entered((Person("P01"),))) == "same_name"
    assert reason(state, Entered((Person(" "),))) == "empty_name"
    assert reason(state, Entered((Person("Eva\x1b[31m"),))) == "empty_name"
    assert reason(state, Created(Conditions("Again", "faraes"))) == "created_first"
    assert reason(state, Withdrawn("Nobody")) == "no_player"
    assert reason(state, Disqualified("P01")) == "why"
    assert reason(state, Forbidden("P01", "P01")) == "two_players"
    robin = play_round(start(4, system="round-robin"), Random(1))
    assert reason(robin, Entered((Person("Late"),))) == "late_entry"
    assert reason(robin, ByeRequested("P01", 3)) == "only_swiss"


ESCAPE = "\x1b[31m"


@pytest.mark.parametrize(
    ("person", "code"),
    [
        (Person("A" * 81), "too_long"),
        (Person("Eva", club="C" * 121), "too_long"),
        (Person("Eva", club=ESCAPE), "unprintable"),
        (Person("Eva", series="A\nB"), "unprintable"),
        (Person("Eva", birth="2014-13-01"), "date"),
        (Person("Eva", birth="yesterday"), "date"),
        (Person("Eva", birth="0001"), "date"),
        (Person("Eva", rating=10000), "condition"),
        (Person("Eva", rating=-1), "condition"),
        (Person("Eva", sex="x"), "condition"),
    ],
)
def test_a_player_who_cannot_be_entered(person: Person, code: str) -> None:
    state = start(2)
    assert reason(state, Entered((person,))) == code
    with pytest.raises(TournamentRefused) as refused:
        state.decide(Entered((person,)))
    assert refused.value.sentence("en").isprintable()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"title": ESCAPE}, "unprintable"),
        ({"title": "T" * 121}, "too_long"),
        ({"place": ESCAPE}, "unprintable"),
        ({"date": "2026-02-30"}, "date"),
        ({"date": "2026-W47-4"}, "date"),
        ({"date": "soon"}, "date"),
        ({"bye": float("nan")}, "condition"),
        ({"bye": -1.0}, "condition"),
        ({"requested_bye": 1e9}, "condition"),
        ({"rounds": 100}, "condition"),
        ({"ages": (8, 1000)}, "condition"),
    ],
)
def test_conditions_that_no_tournament_has(changes: dict[str, object], code: str) -> None:
    conditions = Conditions(**{"title": "Open", "rulebook": "faraes", **changes})  # type: ignore[arg-type]
    assert reason(State(), Created(conditions)) == code


def test_who_and_why_are_texts_that_can_be_shown() -> None:
    for facts in ({"who": ESCAPE}, {"why": ESCAPE}, {"why": "w" * 501}):
        with pytest.raises(TournamentRefused) as refused:
            start(2).decide(CheckedIn(("P01",)), **facts)
        assert refused.value.reason in ("unprintable", "too_long")


def test_a_bye_is_asked_for_a_round_that_will_be_played() -> None:
    assert reason(start(4, rounds=3), ByeRequested("P01", 4)) == "no_such_round"
    assert reason(start(4, rounds=3), ByeRequested("P01", 0)) == "no_such_round"
    early = start(2).decide(ByeRequested("P01", 5))  # others may still enter, and there will be more rounds
    assert early.players["P01"].requested == {5}
    begun = play_round(start(8), Random(1))
    assert reason(begun, ByeRequested("P01", 9)) == "no_such_round"
    assert reason(begun, ByeRequested("P01", 1)) == "round_begun"


@pytest.mark.parametrize("text", ["P02", "2", "p02"])
def test_a_player_is_found_by_name_and_number(text: str) -> None:
    assert start(4).find(text) == "P02"


def test_names_need_no_accents() -> None:
    state = replay([Created(Conditions("Open", "faraes")), Entered((Person("Fábio Nunes"), Person("Ana")))])
    assert state.find("fabio") == state.find("NUNES") == "Fábio Nunes"
    with pytest.raises(TournamentRefused, match="may be Fábio Nunes, Ana"):
        state.find("n")
    with pytest.raises(TournamentRefused, match="Nobody"):
        state.find("x")


def test_a_late_entry_gets_the_last_number_and_no_points_for_rounds_before() -> None:
    state = play_round(start(6), Random(1)).decide(Entered((Person("Late", rating=2500),)))
    assert state.numbers["Late"] == 7
    drafted = draft(state)
    assert "Late" in {name for pair in drafted.pairs for name in (pair.first, pair.second)} | {
        rest.name for rest in drafted.resting
    }
    final = play_all(state, 2)
    assert len(final.rounds) > 1 and sum(row.standing.points for row in table(final)) > 0


def test_who_is_not_paired() -> None:
    state = play_round(start(8), Random(1))
    assert kinds_of(state, ByeRequested("P01", 2)) == {
        "requested": ["P01"],
        "bye": [draft(state.decide(ByeRequested("P01", 2))).resting[-1].name],
    }
    assert kinds_of(state, Withdrawn("P02"))["absent"] == ["P02"]
    out = state.decide(Disqualified("P03"), why="conduct")
    assert draft(out).resting[0].name == "P03"
    assert table(out)[-1].name == "P03"


def test_only_those_who_are_checked_in_are_paired() -> None:
    state = start(6, check_in=True)
    with pytest.raises(TournamentRefused, match="checked in"):
        draft(state)
    state = state.decide(CheckedIn(("P01", "P03", "P05", "P06")))
    paired = {name for pair in draft(state).pairs for name in (pair.first, pair.second)}
    assert paired == {"P01", "P03", "P05", "P06"}
    state = state.decide(CheckedIn(("P05", "P06"), present=False))
    assert [{pair.first, pair.second} for pair in draft(state).pairs] == [{"P01", "P03"}]


def test_the_second_no_show_eliminates() -> None:
    state = start(6, no_show_limit=2, games=2)
    for _ in range(2):
        state = state.decide(draft(state))
        state = state.decide(Published(len(state.rounds)))
        for pair in state.rounds[-1].pairs:
            signs = "--" if pair.first == "P06" else "++" if pair.second == "P06" else "10"
            state = state.decide(Scored(len(state.rounds), pair.board, signs))
        assert state.out("P06") == ("eliminated" if len(state.rounds) == 2 else "")
    assert "P06" in [rest.name for rest in draft(state).resting]


def test_those_who_left_lose_the_rest_of_a_round_robin() -> None:
    state = play_round(start(4, system="round-robin"), Random(1)).decide(Withdrawn("P04"))
    state = state.decide(draft(state)).decide(Published(2))
    board = next(pair.board for pair in state.rounds[1].pairs if "P04" in (pair.first, pair.second))
    pair = state.rounds[1].pair_at(board)
    assert pair and state.rounds[1].results[board].signs(pair, "P04") == "-"


def test_a_pairing_by_hand_needs_a_reason_and_warns() -> None:
    state = play_round(start(6, clubs_apart=True), Random(1))
    first = state.rounds[0].pairs[0]
    state = state.decide(Forbidden("P01", "P02")).decide(draft(state))
    again = swapped(state, first.first, first.second)
    assert reason(state, again) == "why"
    assert "again" in [note.key.rpartition(".")[2] for note in warnings(state, again)]
    clubs = swapped(state, "P01", "P04")
    assert "club" in [note.key.rpartition(".")[2] for note in warnings(state, clubs)]
    forbidden = swapped(state, "P01", "P02")
    assert "forbidden" in [note.key.rpartition(".")[2] for note in warnings(state, forbidden)]
    assert state.decide(again, why="the hall's wish").rounds[-1].by_hand
    everybody = {name for pair in again.pairs for name in (pair.first, pair.second)}
    assert len(everybody) == 6


def test_a_pairing_by_hand_that_forgets_somebody_says_so() -> None:
    state = start(5)
    whole = draft(state)
    part = replace(whole, pairs=whole.pairs[:1], by_hand=True)
    forgotten = {whole.pairs[1].first, whole.pairs[1].second}
    notes = [note for note in warnings(state, part) if note.key == "club.warning.left_out"]
    assert {note.facts["name"] for note in notes} == forgotten


def test_by_hand_a_resting_player_is_brought_to_a_board() -> None:
    state = start(5)
    state = state.decide(draft(state))
    resting = state.rounds[0].resting[0].name
    changed = swapped(state, resting, "P01")
    assert {"P01", resting} in [{pair.first, pair.second} for pair in changed.pairs]
    assert len(changed.resting) == 1 and changed.resting[0].kind == "bye"


def keys(state: State, drafted: Drafted) -> list[str]:
    """What is said of a draft: kinds, with the names of players."""
    notes = warnings(state, drafted)
    return [
        " ".join(filter(None, (note.key.rpartition(".")[2], str(note.facts.get("name", "")))))
        for note in notes
    ]


def test_what_happens_after_a_draft_is_said_of_it() -> None:
    state = play_round(start(5), Random(1))
    drafted = draft(state)
    state = state.decide(drafted)
    assert keys(state, drafted) == []
    names = [pair.first for pair in drafted.pairs]
    state = state.decide(Entered((Person("Late"),)))
    state = state.decide(Withdrawn(names[0])).decide(ByeRequested(names[1], 2))
    assert keys(state, drafted) == [f"out {names[0]}", f"requested {names[1]}", "left_out Late"]
    published = state.decide(Published(2))  # the arbiter may: the entries stand in the log
    assert published.rounds[-1].published
    again = draft(state)
    assert keys(state.decide(again), again) == []


def test_who_comes_after_a_draft_is_said_of_it() -> None:
    state = start(4, check_in=True).decide(CheckedIn(("P01", "P02", "P03", "P04")))
    state = state.decide(CheckedIn(("P04",), present=False))
    drafted = draft(state)
    state = state.decide(drafted)
    assert keys(state, drafted) == []
    assert keys(state.decide(CheckedIn(("P04",))), drafted) == ["left_out P04"]


def test_a_result_that_is_corrected_after_a_draft_is_said_of_it() -> None:
    state = play_round(start(6), Random(1))
    drafted = draft(state)
    assert keys(state, drafted) == []
    signs = "0" if state.rounds[0].results[1].games == "1" else "1"
    state = state.decide(drafted).decide(Scored(1, 1, signs), why="slip")
    assert keys(state, drafted) == ["changed"]
    again = draft(state)
    assert keys(state.decide(again), again) == []


def test_a_round_without_a_player_counts_as_one_without_an_opponent() -> None:
    """Late was entered between the draft and the publication of round 1: that round is cut, and no opponent is."""
    state = start(4, rounds=3, tie_breaks=("buchholz-cut1", "corrected"))
    state = state.decide(draft(state)).decide(Entered((Person("Late"),))).decide(Published(1))
    for board in (1, 2):
        state = state.decide(Scored(1, board, "1"))
    assert [(each.round, each.opponent) for each in meetings(state)["Late"]] == [(1, None)]
    state = state.decide(draft(state)).decide(Published(2))
    pair = next((pair for pair in state.rounds[1].pairs if "Late" in (pair.first, pair.second)), None)
    assert pair or "Late" in [rest.name for rest in state.rounds[1].resting]
    for each in state.rounds[1].pairs:
        state = state.decide(Scored(2, each.board, "="))
    late = next(row.standing for row in table(state) if row.name == "Late")
    assert [term.round for term in late.tie_breaks["corrected"].terms if term.cut] == [1]
    assert [term.round for term in late.tie_breaks["buchholz-cut1"].terms if term.cut] == [1]


def test_by_hand_somebody_who_was_not_in_the_draft_is_brought_to_a_board() -> None:
    state = start(5)
    state = state.decide(draft(state)).decide(Entered((Person("Late"), Person("Later"))))
    bye = state.rounds[0].resting[0].name
    with_bye = swapped(state, "Late", bye)
    assert {"Late", bye} in [{pair.first, pair.second} for pair in with_bye.pairs] and not with_bye.resting
    assert len(swapped(state, "Late", "Later").pairs) == 3
    one, other = state.rounds[0].pairs[0].first, state.rounds[0].pairs[0].second
    in_place = swapped(state, one, "Late")
    assert {one, "Late"} in [{pair.first, pair.second} for pair in in_place.pairs]
    assert [rest.kind for rest in in_place.resting if rest.name == other] == ["absent"]
    assert f"left_out {other}" in keys(state, in_place)
    assert state.decide(in_place, why="he is here").rounds[-1].by_hand


def test_by_hand_a_bracket_keeps_its_places() -> None:
    """With six players the first two rest; brought together they play for one place, and the other stays empty."""
    state = start(6, system="knockout")
    state = state.decide(draft(state))
    state = state.decide(swapped(state, "P01", "P02"), why="they wish it")
    assert [pair.board for pair in state.rounds[0].pairs] == [2, 3, 4] and not state.rounds[0].resting
    state = play_all(score_first(state.decide(Published(1))), 1)
    assert [len(each.pairs) for each in state.rounds] == [3, 1, 1] and is_over(state)
    assert [row.rank for row in table(state)][:2] == [1, 2]


@pytest.mark.parametrize("system", ["knockout", "round-robin", "groups"])
def test_a_change_by_hand_makes_no_place_for_who_came_after_the_draft(system: str) -> None:
    """It was published, with a round too many for whom nobody had a place: the final was followed by a failure."""
    state = start(7, system=system)
    state = state.decide(draft(state)).decide(Entered((Person("Late"), Person("Later"))))
    one, other = (pair.second for pair in state.rounds[0].pairs[:2])
    state = state.decide(swapped(state, one, other), why="they wish it")
    assert reason(state, Published(1)) == "old_draft"
    state = state.decide(draft(state))
    assert is_over(play_all(score_first(state.decide(Published(1))), 2))


def test_a_game_with_another_group_does_not_count_in_the_own() -> None:
    state = start(8, system="groups", groups=2, advance=1)
    state = state.decide(draft(state))
    one, other = (group[0] for group in groups(state))
    state = state.decide(swapped(state, one, other), why="the only table with a ramp").decide(Published(1))
    state = score_first(state)
    for key in ("group:A", "group:B"):
        rows = category_table(state, key)
        assert (
            len(rows) == 4 and sum(row.standing.points for row in rows) == 1.0
        )  # of the board among its own
    assert len(table(state)) == 8


def score_first(state: State) -> State:
    """The published round with every game won by the first."""
    for pair in state.rounds[-1].pairs:
        state = state.decide(Scored(len(state.rounds), pair.board, "1"))
    return state


def test_somebody_else_takes_a_place_in_the_bracket() -> None:
    """Three of a group are equal: it is said, and by hand another one goes on; nobody counts as having been there."""
    state = start(6, system="groups", groups=2, advance=1)
    while not state.rounds or len(state.rounds) < group_rounds(state):
        state = state.decide(draft(state)).decide(Published(len(state.rounds) + 1))
        for pair in state.rounds[-1].pairs:
            state = state.decide(Scored(len(state.rounds), pair.board, "1"))
    drafted = draft(state)
    assert keys(state, drafted) == ["shared_place", "shared_place"]
    state = state.decide(drafted)
    pair = drafted.pairs[0]
    third = next(
        name
        for group in groups(state)
        for name in group
        if pair.second in group and name not in (pair.first, pair.second)
    )
    assert reason_of(lambda: swapped(state, third, next(iter(outside(state, third))))) == "no_place"
    by_lot = swapped(state, pair.first, third)
    assert [{each.first, each.second} for each in by_lot.pairs] == [
        {pair.first, third}
    ] and not by_lot.resting
    state = score_first(state.decide(by_lot, why="by lot").decide(Published(by_lot.round)))
    assert is_over(state) and {row.name for row in table(state)[:2]} == {pair.first, third}


def outside(state: State, name: str) -> list[str]:
    """Others who are not in the last round."""
    paired = {each for pair in state.rounds[-1].pairs for each in (pair.first, pair.second)}
    return [each for each in state.players if each not in paired and each != name]


def reason_of(action: Callable[[], object]) -> str:
    with pytest.raises(TournamentRefused) as refused:
        action()
    for language in LANGUAGES:
        assert refused.value.sentence(language)
    return refused.value.reason


def test_a_correction_where_nobody_went_on_is_refused_in_a_whole_sentence() -> None:
    state = start(8, system="knockout", games=2)
    state = state.decide(draft(state)).decide(Published(1))
    for board in (1, 2, 3, 4):
        state = state.decide(Scored(1, board, "11"))
    gone, other = draft(state).pairs
    state = state.decide(Withdrawn(gone.first)).decide(Withdrawn(gone.second))
    state = state.decide(draft(state)).decide(Published(2))  # neither of the two wins
    state = state.decide(Scored(2, other.board, "11"))
    state = state.decide(draft(state))
    with pytest.raises(TournamentRefused) as refused:
        state.decide(Scored(2, gone.board, "11"), why="they came back")
    assert refused.value.sentence("en").startswith("Round 3 has been paired")


def test_who_has_gone_on_is_not_put_out_by_a_correction() -> None:
    state = start(4, system="knockout", games=2)
    state = state.decide(draft(state)).decide(Published(1))
    for board in (1, 2):
        state = state.decide(Scored(1, board, "11"))
    corrected = state.decide(Scored(1, 1, "00"), why="slip")  # nobody has been paired with the winner
    state = state.decide(draft(state))
    assert reason(state, Scored(1, 1, "00"), why="slip") == "went_on"
    assert state.decide(Scored(1, 1, "1="), why="slip").rounds[0].results[1].games == "1="
    assert reason(state.decide(Published(2)), Scored(1, 1, "00"), why="slip") == "went_on"
    undone = state.decide(Undone(len(state.entries))).decide(Scored(1, 1, "00"), why="slip")
    assert {draft(undone).pairs[0].first, draft(undone).pairs[0].second} == {
        draft(corrected).pairs[0].first,
        draft(corrected).pairs[0].second,
    }


def test_a_knock_out_needs_a_winner() -> None:
    state = start(4, system="knockout", games=2)
    state = state.decide(draft(state)).decide(Published(1))
    assert reason(state, Scored(1, 1, "==")) == "tie"
    pair = state.rounds[0].pairs[0]
    assert reason(state, Scored(1, 1, "11", pair.second)) == "no_tie"
    assert reason(state, Scored(1, 1, "==", "Nobody")) == "not_at_board"
    assert state.decide(Scored(1, 1, "==1=")).rounds[0].results[1].games == "==1="  # two more games
    assert state.decide(Scored(1, 1, "==", pair.second)).rounds[0].results[1].advance == pair.second


def test_every_refusal_has_its_sentence() -> None:
    import re
    from pathlib import Path

    import damas

    source = "".join(
        path.read_text(encoding="utf-8")
        for path in (Path(damas.__file__).parent / "tournaments/hall").glob("*.py")
    )
    used = set(re.findall(r'TournamentRefused\(\s*"(\w+)"', source))
    assert len(used) > 25
    assert used <= set(entries("club.refused"))
