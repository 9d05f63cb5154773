"""Equal positions have equal hashes however they arose; others differ."""

from itertools import combinations, islice

from hypothesis import given
from hypothesis import strategies as st

from damas import Color, Move, Piece, Position, Setup, rulebook
from damas.game.core import core_rules
from properties.strategies import books, positions, positions_of

MAX_PAIRS = 60
"""Pairs of moves tried in one position."""


def rebuilt(position: Position) -> Position:
    """From its pieces, in another order."""
    pieces = dict(reversed(position.setup.pieces.items()))
    return Position.of(Setup(pieces, position.turn), position.rulebook)


@given(positions)
def test_the_hash_is_that_of_the_position_set_up_anew(position: Position) -> None:
    for played in (position, *(position.play(move) for move in position.legal_moves)):
        again = rebuilt(played)
        assert played == again
        assert (played.key, hash(played)) == (again.key, hash(again))
        assert 0 <= played.key < 2**64


def reply_between(position: Position, first: Move, second: Move) -> tuple[Move, Position] | None:
    """The first quiet reply to `first`, and the position after `second`; None unless all three can be played."""
    after = position.play(first)
    if not after.legal_moves or after.must_capture():
        return None
    reply = after.legal_moves[0]
    then = after.play(reply)
    return (reply, then.play(second)) if second in then.legal_moves else None


def test_the_order_of_independent_moves_does_not_matter() -> None:
    """Two quiet moves of one side with the same reply between them lead to one position in either order."""
    compared = 0

    @given(positions)
    def both_orders_meet(position: Position) -> None:
        nonlocal compared
        for first, second in islice(combinations(position.legal_moves, 2), MAX_PAIRS):
            squares = {first.origin, first.destination, second.origin, second.destination}
            if len(squares) < 4 or position.must_capture():
                continue
            one, other = reply_between(position, first, second), reply_between(position, second, first)
            if one and other and one[0] == other[0]:
                assert one[1] == other[1]
                assert one[1].key == other[1].key
                compared += 1

    both_orders_meet()
    assert compared > 100


def test_two_ways_to_one_position() -> None:
    one = Position.start("brasileira").play("c3-d4").play("b6-a5").play("g3-h4").play("d6-c5")
    other = Position.start("brasileira").play("g3-h4").play("d6-c5").play("c3-d4").play("b6-a5")
    assert one == other
    assert (one.key, hash(one)) == (other.key, hash(other))
    assert len({one, other}) == 1


@given(books.flatmap(lambda book: st.lists(positions_of(book), min_size=2, max_size=8)))
def test_unequal_positions_differ(some: list[Position]) -> None:
    for one in some:
        for other in some:
            same = one.setup == other.setup
            assert (one == other) is same
            assert (one.key == other.key) is same


@given(positions, st.data())
def test_any_one_change_changes_the_position(position: Position, data: st.DataObject) -> None:
    pieces = position.setup.pieces
    square = data.draw(st.sampled_from(sorted(pieces)))
    changed = dict(pieces)
    piece = pieces[square]
    other = Piece(piece.value.swapcase())
    rows = {"w": position.rulebook.size.value - 1, "b": 0}
    if position.rulebook.geometry.places[square][0] == rows.get(other.value):
        del changed[square]
    else:
        changed[square] = other
    for setup in (Setup(changed, position.turn), Setup(pieces, position.turn.other)):
        if setup.pieces:
            different = Position.of(setup, position.rulebook)
            assert different != position
            assert different.key != position.key


def test_successors_of_one_position_have_different_keys() -> None:
    """Thousands of positions, no two keys alike."""
    by_key: dict[int, Position] = {}
    front = [Position.start("internacional")]
    for _ in range(4):
        front = [position.play(move) for position in front for move in position.legal_moves]
        for position in front:
            assert by_key.setdefault(position.key, position) == position
    assert len(by_key) > 2000


def test_the_rulebook_is_part_of_the_position() -> None:
    fen = "W:WKa1:Bd4"
    assert Position.from_fen(fen, "brasileira") != Position.from_fen(fen, "oficial")
    same = Position.from_fen(fen, "brasileira")
    assert same.under(core_rules(rulebook("brasileira"), capture_priority=())) != same
    assert same != "W:WKa1:Bd4"
    assert Position.from_fen("W:WKa1:Bd4", "brasileira").turn is Color.WHITE
