"""Changing any one answer of a law that ends games, in the core's file or in the oracle, makes the comparison fail."""

from collections import Counter

import pytest

from damas import Game, Position, rulebook
from damas.game import LETTER
from damas.rules import rulebook_ids
from differential.draw_mutants import ALL, DrawMutant, harmless, noticed
from differential.games import RULES, difference, stored

KINDS = {mutant: "harmless" if harmless(mutant) else "meaningful" for mutant in ALL}


def of_kind(kind: str, book_id: str) -> list[DrawMutant]:
    return [mutant for mutant, its_kind in KINDS.items() if its_kind == kind and mutant.book == book_id]


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_core_and_oracle_agree_on_the_stored_games(book_id: str) -> None:
    for line in stored(book_id):
        assert difference(line, rulebook(book_id)) is None


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_a_game_made_at_once_ends_as_one_played_move_by_move(book_id: str) -> None:
    """`Game.of` checks a law only once its limit can be reached; it must not check too late."""
    for line in stored(book_id):
        if "claim" in line.moves:
            continue
        start = Position.from_fen(line.fen, book_id)
        game, moves = Game.start(book_id, fen=line.fen, recorded=line.recorded, customs=LETTER), []
        for text in line.moves:
            moves.append(game.position.parse(text))
            game = game.play(moves[-1])
        at_once = Game.of(start, moves, recorded=line.recorded, customs=LETTER)
        assert at_once == game


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_every_meaningful_change_is_noticed(book_id: str) -> None:
    alive = [str(mutant) for mutant in of_kind("meaningful", book_id) if not noticed(mutant)]
    assert not alive


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("book_id", rulebook_ids())
def test_a_change_that_is_called_harmless_changes_nothing(book_id: str, step: int) -> None:
    """Every eighth of them here: each compares all stored games to their end."""
    mutants = of_kind("harmless", book_id)[::step]
    assert not {str(mutant): harmless(mutant) for mutant in mutants if noticed(mutant)}


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_the_stored_games_end_by_every_law_and_on_the_board(book_id: str) -> None:
    ends = {name for line in stored(book_id) for name in line.complete[-1]}
    assert ends >= set(RULES[book_id])


def test_most_changes_are_meaningful() -> None:
    kinds = Counter(KINDS.values())
    assert len(KINDS) == len(ALL) > 1000
    assert kinds["meaningful"] > 0.7 * len(ALL), kinds
