"""A record is a value: playing on, taking back and branching never disturb what others hold."""

import pytest

from damas import Color, Game, IllegalMove, Position, Record


def played(*moves: str) -> Record:
    record = Record(Position.start("brasileira"))
    for move in moves:
        record = record.play(move)
    return record


def test_playing_on_leaves_the_old_record_as_it_was() -> None:
    first = played("c3-d4")
    second = first.play("f6-g5")
    assert [move.text for move in first.moves] == ["c3-d4"]
    assert [move.text for move in second.moves] == ["c3-d4", "f6-g5"]
    assert first.position != second.position


def test_two_continuations_of_one_record_part_ways() -> None:
    stem = played("c3-d4")
    left, right = stem.play("f6-g5"), stem.play("d6-c5")
    assert [move.text for move in left.moves] == ["c3-d4", "f6-g5"]
    assert [move.text for move in right.moves] == ["c3-d4", "d6-c5"]
    assert left.play("g3-h4").position != right.position


def test_an_earlier_record_forgets_later_claims_with_the_moves() -> None:
    record = played("c3-d4").claim("thirteen-moves").play("f6-g5").claim("thirteen-moves")
    assert record.until(1).claims == ((1, "thirteen-moves"),)
    assert record.until(0).claims == ()
    assert record.until(1).play("d6-c5").moves[-1].text == "d6-c5"
    assert record.length == 2


def test_records_are_equal_by_what_they_say() -> None:
    assert played("c3-d4", "f6-g5") == played("c3-d4").play("f6-g5")
    assert played("c3-d4") != played("e3-d4")
    assert played("c3-d4") != played("c3-d4").claim("thirteen-moves")


def test_move_numbers_count_pairs_of_turns_from_the_starter() -> None:
    record = played("c3-d4", "f6-g5", "g3-h4")
    assert [record.move_number(ply) for ply in (1, 2, 3)] == [1, 1, 2]
    assert [record.mover(ply) for ply in (1, 2, 3)] == [Color.WHITE, Color.BLACK, Color.WHITE]
    black_first = Record(Position.from_fen("B:Wc3:Bf6", "brasileira")).play("f6-g5").play("c3-d4")
    assert [black_first.move_number(ply) for ply in (1, 2)] == [1, 2]


def test_an_illegal_move_changes_nothing() -> None:
    record = played("c3-d4")
    with pytest.raises(IllegalMove):
        record.play("f6-f4")
    assert record.length == 1


def test_a_game_can_be_taken_back_across_its_end_and_not_beyond_its_start() -> None:
    game = Game.start("brasileira", fen="W:We5:Bd4").play("e5xc3")
    assert game.outcome and game.outcome.reason == "NO_PIECES"
    assert game.take_back().outcome is None
    with pytest.raises(ValueError, match="2 plies cannot be taken back"):
        game.take_back(2)
