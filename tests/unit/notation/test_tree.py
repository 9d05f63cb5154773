"""The tree of a game: looking around, walking and editing."""

import pytest

from damas import Color, IllegalMove, Move, NotationError, Position
from damas.notation import Clock, Cursor, Mark, PdnGame, read_game
from damas.notation.pdn.game import MAX_NESTED_VARIATIONS

TREE = """1. c3-d4 {main} ( {leading} 1. g3-f4 f6-g5 ( 1... h6-g5 2. f4xh6 ) 2. f2-g3 )
( 1. e3-d4 ) ( {a remark} ) 1... f6-g5 2. b2-c3 *"""


def moves_of(game: PdnGame) -> str:
    return game.pdn().partition("\n\n")[2].replace("\n", " ").strip()


def tree() -> PdnGame:
    return read_game(TREE, "brasileira")


def place(game: PdnGame, *moves: str) -> Cursor:
    """The place after these moves, which the tree has."""
    cursor = game.root.add(*moves)
    assert cursor.game == game
    return cursor


def texts(cursors) -> list[str]:
    return [cursor.move.text for cursor in cursors]


# Looking around


def test_the_start_of_a_game() -> None:
    root = tree().root
    assert (root.ply, root.path, root.parent, root.is_main) == (0, (), None, True)
    assert (root.position, root.turn, root.comments) == (tree().start, Color.WHITE, ())
    with pytest.raises(ValueError, match="start of a game"):
        _ = root.move
    with pytest.raises(ValueError, match="start of a game"):
        root.delete()


def test_continuations_and_their_order() -> None:
    root = tree().root
    assert texts(root.continuations) == ["c3-d4", "g3-f4", "e3-d4"]
    main, flank, _ = root.continuations
    assert texts(flank.continuations) == ["f6-g5", "h6-g5"]
    assert main.is_main and not flank.is_main
    assert main.comments == ("main",)
    assert texts(root.line()) == ["c3-d4", "f6-g5", "b2-c3"]
    assert texts([flank.end, root.end, tree().end]) == ["f2-g3", "b2-c3", "b2-c3"]
    assert tree().end.next is None and tree().end.continuations == ()


def test_a_place_knows_its_way_back() -> None:
    deep = place(tree(), "g3-f4", "h6-g5", "f4xh6")
    assert (deep.path, deep.ply) == ((1, 1, 0), 3)
    assert [move.text for move in deep.record.moves] == ["g3-f4", "h6-g5", "f4xh6"]
    back = deep.parent.parent  # type: ignore[union-attr]
    assert back == place(tree(), "g3-f4")
    assert back.parent == tree().root  # type: ignore[union-attr]
    assert tree().at(deep.path) == deep
    assert len({deep, tree().at(deep.path)}) == 1
    assert repr(deep) == "<Cursor brasileira ply 3: g3-f4 h6-g5 f4xh6>"
    with pytest.raises(ValueError, match="no continuation 3 after ply 0: there are 3"):
        tree().at([3])


def test_walking_goes_in_the_order_of_writing() -> None:
    order = ["c3-d4", "g3-f4", "f6-g5", "h6-g5", "f4xh6", "f2-g3", "e3-d4", "f6-g5", "b2-c3"]
    assert texts(tree().walk()) == order
    for cursor in tree().walk():
        assert cursor.position == cursor.parent.position.play(cursor.move)  # type: ignore[union-attr]
    assert texts(place(tree(), "g3-f4").walk()) == ["f6-g5", "h6-g5", "f4xh6", "f2-g3"]


# Editing


def test_a_move_that_is_there_is_not_added_again() -> None:
    game = tree()
    assert game.root.add("c3-d4", "f6-g5").game is game
    assert game.root.add().game is game


def test_moves_are_added_at_the_end_or_as_a_variation() -> None:
    game = PdnGame.of("brasileira").root.add("c3-d4", "f6-g5").game
    other = game.root.add("g3-f4", "f6-g5")
    again = other.parent.add("h6-g5")  # type: ignore[union-attr]
    assert moves_of(again.game) == "1. c3-d4 ( 1. g3-f4 f6-g5 ( 1... h6-g5 ) ) 1... f6-g5 *"
    assert moves_of(game) == "1. c3-d4 f6-g5 *", "the game before is as it was"
    assert again.move.text == "h6-g5"


def test_what_is_not_legal_is_not_added() -> None:
    with pytest.raises(IllegalMove):
        tree().root.add("c3-d4", "c3-d4")
    resting = read_game('[Rulebook "frisia"]\n[FEN "W:W47,K36:BK5,15"]\n*').root
    third = resting.add("36-22", "5-10", "22-36", "10-5", "36-22", "15-20")
    with pytest.raises(IllegalMove) as refused:
        third.add("22-36")
    assert refused.value.code == "KING_RESTS"


def test_variations_too_deep_to_be_read_back_are_refused() -> None:
    def branch(cursor: Cursor) -> Cursor:
        def replies(move: Move) -> int:
            return len(cursor.position.play(move).legal_moves)

        *_, first, second = sorted(cursor.position.legal_moves, key=replies)  # so that no capture is forced
        line = cursor.add(first)
        assert line.parent is not None
        return line.parent.add(second)

    start = Position.from_fen("W:WKa1:BKb8", "brasileira")
    cursor = PdnGame.of(start, ["a1-b2"]).end
    for _ in range(MAX_NESTED_VARIATIONS):
        cursor = branch(cursor)
    assert read_game(cursor.game.pdn()) == cursor.game
    with pytest.raises(NotationError):
        branch(cursor)
    other = cursor.game.root.add("a1-c3")
    with pytest.raises(NotationError):
        other.promote()


def test_annotations_are_replaced_one_by_one() -> None:
    cursor = place(tree(), "c3-d4")
    changed = cursor.annotate(nags=[1], clock=Clock(left=1_000), marks=[Mark(21)])
    assert changed.node.comments == ("main",)
    changed = changed.annotate(comments=["{one}", " two ", ""])
    assert (changed.node.comments, changed.node.nags) == (("{one)", "two"), (1,))
    bare = changed.annotate(comments=(), nags=(), clock=None, marks=())
    assert moves_of(bare.game).startswith("1. c3-d4 ( {leading} 1. g3-f4")
    assert tree().root.annotate(comments="a start").game.comments == ("a start",)
    with pytest.raises(ValueError, match="comments"):
        tree().root.annotate(nags=[1])
    with pytest.raises(ValueError, match="0 to 999"):
        cursor.annotate(nags=[1000])


def test_commands_in_comments_become_clocks_and_marks() -> None:
    cursor = place(tree(), "c3-d4").annotate(comments="good [%clk 0:00:01] [%csl Gd4]")
    assert (cursor.comments, cursor.node.clock) == (("good",), Clock(left=1_000))
    assert cursor.node.marks == (Mark(cursor.game.rulebook.geometry.square("d4")),)
    assert read_game(cursor.game.pdn()) == cursor.game


def test_a_variation_is_promoted_by_one_line() -> None:
    deep = place(tree(), "g3-f4", "h6-g5", "f4xh6")
    once = deep.promote()
    assert moves_of(once.game) == (
        "1. c3-d4 {main} ( {leading} 1. g3-f4 h6-g5 ( 1... f6-g5 2. f2-g3 ) 2. f4xh6 )"
        " ( 1. e3-d4 ) ( {a remark} ) 1... f6-g5 2. b2-c3 *"
    )
    assert once.move == deep.move
    main = deep.promote_to_main()
    assert moves_of(main.game) == (
        "{leading} 1. g3-f4 ( 1. c3-d4 {main} 1... f6-g5 2. b2-c3 ) ( 1. e3-d4 ) ( {a remark} )"
        " 1... h6-g5 ( 1... f6-g5 2. f2-g3 ) 2. f4xh6 *"
    )
    assert main.is_main and main.promote() is main


def test_comments_before_a_promoted_move_go_to_the_move_before() -> None:
    game = read_game("1. c3-d4 {x} f6-g5 ( {y} 1... f6-e5 ) *", "brasileira")
    assert (
        moves_of(place(game, "c3-d4", "f6-e5").promote().game)
        == "1. c3-d4 {x} {y} 1... f6-e5 ( 1... f6-g5 ) *"
    )


REST = "( 1. e3-d4 ) ( {a remark} )"


@pytest.mark.parametrize(
    ("moves", "left"),
    [
        (
            ["c3-d4", "f6-g5"],
            f"1. c3-d4 {{main}} ( {{leading}} 1. g3-f4 f6-g5 ( 1... h6-g5 2. f4xh6 ) 2. f2-g3 ) {REST} *",
        ),
        (["c3-d4"], f"{{leading}} 1. g3-f4 {REST} 1... f6-g5 ( 1... h6-g5 2. f4xh6 ) 2. f2-g3 *"),
        (["g3-f4"], f"1. c3-d4 {{main}} {REST} 1... f6-g5 2. b2-c3 *"),
        (
            ["g3-f4", "f6-g5"],
            f"1. c3-d4 {{main}} ( {{leading}} 1. g3-f4 h6-g5 2. f4xh6 ) {REST} 1... f6-g5 2. b2-c3 *",
        ),
        (
            ["g3-f4", "h6-g5"],
            f"1. c3-d4 {{main}} ( {{leading}} 1. g3-f4 f6-g5 2. f2-g3 ) {REST} 1... f6-g5 2. b2-c3 *",
        ),
    ],
)
def test_a_move_is_deleted_with_all_after_it(moves: list[str], left: str) -> None:
    cursor = place(tree(), *moves).delete()
    assert moves_of(cursor.game) == left
    assert cursor == cursor.game.root.add(*moves[:-1])


def test_pictures() -> None:
    cursor = place(tree(), "c3-d4").annotate(marks=[Mark(21), Mark(21, 17, "red")])
    assert "<svg" in cursor._repr_svg_() and cursor._repr_svg_() != place(tree(), "c3-d4")._repr_svg_()
    assert "<svg" in tree().root._repr_svg_()
    assert tree()._repr_svg_() == tree().end._repr_svg_()
