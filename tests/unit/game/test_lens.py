import random

import pytest

import damas as library
from damas.game import lens
from damas.game.core import core_rules, rules_of
from damas.game.lens import MOVE_SWITCHES, causes, compare, differing_switches, same_board, witnesses

# Rulebooks whose legal moves differ somewhere; several of ours share all the answers that matter here.
BOOKS = list(
    {
        (book.size.value, *(getattr(book, key).value for key in MOVE_SWITCHES)): book
        for book in reversed(library.rulebooks())
    }.values()
)
PAIRS = [(a, b) for a in BOOKS for b in BOOKS if a is not b and same_board(a, b)]


@pytest.fixture(autouse=True)
def short_search(monkeypatch):
    monkeypatch.setattr(lens, "SMALL_POSITIONS", 2000)
    monkeypatch.setattr(lens, "GAMES", 10)


def random_position(book, rng):
    position = library.Position.start(book)
    for _ in range(rng.randrange(10, 60)):
        moves = position.legal_moves
        if not moves:
            break
        position = position.play(moves[rng.randrange(len(moves))])
    return position


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=lambda book: book.id)
def test_causes_are_enough_and_no_smaller_set_is(first, second):
    """Taking the named answers gives the other rulebook's moves; leaving one out does not."""
    rng = random.Random(f"{first.id}/{second.id}")
    result = witnesses(first, second)
    assert result, "rulebooks that differ in an answer about moves have a position that shows it"
    assert result.keys() <= set(differing_switches(first, second))
    for witness in result.values():
        assert witness.causes
        positions = [witness.position, random_position(first, rng)]
        for position in positions:
            there = set(position.under(rules_of(second)).legal_moves)
            why = causes(position, second)
            assert bool(why) == (set(position.legal_moves) != there)
            for keys in why:
                answers = {key: getattr(second, key).value for key in keys}
                assert set(position.under(core_rules(first, **answers)).legal_moves) == there
                for left_out in keys:
                    fewer = {key: value for key, value in answers.items() if key != left_out}
                    assert set(position.under(core_rules(first, **fewer)).legal_moves) != there


def test_every_pair_is_tried():
    assert len(PAIRS) > 70


def test_the_search_is_seeded():
    first, second = library.rulebook("brasileira"), library.rulebook("italiana")
    result = [
        {key: witness.position.fen for key, witness in witnesses(first, second).items()} for _ in range(2)
    ]
    assert result[0] == result[1]


def test_a_position_with_one_cause_is_better_than_one_with_company(monkeypatch):
    monkeypatch.undo()
    result = witnesses(library.rulebook("brasileira"), library.rulebook("concurso"))
    assert result["promotion"].causes == (("promotion",),)
    assert result["capture_priority"].causes == (("capture_priority",),)
    result = witnesses(library.rulebook("brasileira"), library.rulebook("russa"))
    assert result["king_landing"].causes == (("king_landing", "capture_priority"),), "never by itself"


def test_rulebooks_with_the_same_answers_have_no_witness():
    assert witnesses(library.rulebook("brasileira"), library.rulebook("faraes")) == {}


def test_other_boards_are_refused():
    position = library.Position.start("brasileira")
    with pytest.raises(ValueError, match="boards"):
        compare(position, [library.rulebook("internacional")])


def test_changing_answers_does_not_change_whose_position_it_is():
    position = library.Position.from_fen("W:WKa1:Bd4", "brasileira")
    [view] = compare(position, [library.rulebook("portuguesa")])
    assert view.position.rulebook.id == "portuguesa"
    assert view.position.fen == "W:WK1:B14"
    assert position.rulebook.id == "brasileira"
