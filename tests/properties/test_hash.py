"""Equal positions have equal hashes however they arose; others differ."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from damas import Color, Piece, Position, Setup, rulebook
from damas.game.core import core_rules
from properties.strategies import books, positions, positions_of


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


@given(positions)
def test_the_order_of_independent_moves_does_not_matter(position: Position) -> None:
    """Two moves of one side with one reply between: both orders meet if all are legal in both."""
    met = 0
    for first, second in permutations(position.legal_moves, 2):
        if len({first.origin, first.destination, second.origin, second.destination}) < 4:
            continue
        ends = []
        for one, other in ((first, second), (second, first)):
            after = position.play(one)
            reply = after.legal_moves[0] if after.legal_moves else None
            if reply is None or reply.is_capture or one.is_capture or other.is_capture:
                break
            then = after.play(reply)
            if other not in then.legal_moves:
                break
            ends.append((reply, then.play(other)))
        if len(ends) == 2 and ends[0][0] == ends[1][0]:
            assert ends[0][1] == ends[1][1]
            assert ends[0][1].key == ends[1][1].key
            met += 1
        if met > 3:
            return


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
    known: dict[int, Position] = {}
    front = [Position.start("internacional")]
    for _ in range(4):
        front = [position.play(move) for position in front for move in position.legal_moves]
        for position in front:
            assert known.setdefault(position.key, position) == position
    assert len(known) > 2000


def test_the_rulebook_is_part_of_the_position() -> None:
    fen = "W:WKa1:Bd4"
    assert Position.from_fen(fen, "brasileira") != Position.from_fen(fen, "oficial")
    same = Position.from_fen(fen, "brasileira")
    assert same.under(core_rules(rulebook("brasileira"), capture_priority=())) != same
    assert same != "W:WKa1:Bd4"
    assert Position.from_fen("W:WKa1:Bd4", "brasileira").turn is Color.WHITE
