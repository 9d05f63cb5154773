"""Whatever is done to a tree, nothing is lost or invented, and PDN gives it back."""

import pickle
from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from damas.notation import SKIP, Cursor, PdnGame, Visitor, read_game, visit_games
from unit.notation.games import annotated_games

edits = st.lists(
    st.tuples(st.sampled_from(["add", "promote", "main", "delete"]), st.integers(0, 999)), max_size=6
)
quick = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


def places(game: PdnGame) -> Counter[tuple[str, ...]]:
    """How often the tree has each sequence of moves."""
    return Counter(way(cursor) for cursor in game.walk())


def way(cursor: Cursor) -> tuple[str, ...]:
    return tuple(move.text for move in cursor.record.moves)


def comments(game: PdnGame) -> Counter[str]:
    """Every comment of the tree."""
    lines = [(game.comments, game.moves)]
    every: Counter[str] = Counter()
    while lines:
        leading, nodes = lines.pop()
        every.update(leading)
        for node in nodes:
            every.update(node.comments)
            lines += [(variation.comments, variation.moves) for variation in node.variations]
    return every


@quick
@given(annotated_games(), edits)
def test_edits_change_what_they_say_and_nothing_else(game: PdnGame, todo: list[tuple[str, int]]) -> None:
    for kind, number in todo:
        all_places = [game.root, *game.walk()]
        cursor = all_places[number % len(all_places)]
        before, text = places(game), game.pdn()
        if kind == "add":
            legal = list(cursor.record.legal_moves)
            if not legal:
                continue
            changed = cursor.add(legal[number % len(legal)])
            assert way(changed)[:-1] == way(cursor)
            assert places(changed.game) - before in (Counter(), Counter([way(changed)]))
            assert before - places(changed.game) == Counter()
        elif kind == "delete":
            if not cursor.ply:
                continue
            changed = cursor.delete()
            assert way(changed) == way(cursor)[:-1]
            gone = Counter([way(cursor), *map(way, cursor.walk())])
            assert places(changed.game) == before - gone
        else:
            changed = cursor.promote() if kind == "promote" else cursor.promote_to_main()
            assert way(changed) == way(cursor)
            assert places(changed.game) == before
            assert comments(changed.game) == comments(game)
            assert kind == "promote" or changed.is_main
        assert game.pdn() == text, "the game before is as it was"
        game = changed.game
        assert game.at(changed.path) == changed
        assert pickle.loads(pickle.dumps(changed)) == changed
        assert read_game(game.pdn()) == game


class Order(Visitor[list[str]]):
    """The moves in the order of the text."""

    def __init__(self, variations: bool) -> None:
        self.variations = variations

    def begin_game(self, tags: object) -> None:
        self.moves: list[str] = []

    def visit_move(self, position: object, move) -> None:  # type: ignore[no-untyped-def]
        self.moves.append(move.text)

    def begin_variation(self):  # type: ignore[no-untyped-def]
        return None if self.variations else SKIP

    def end_game(self, result: object, terminator: object) -> list[str]:
        return self.moves


@quick
@given(annotated_games())
def test_a_walk_a_visitor_and_the_main_line_agree(game: PdnGame) -> None:
    text = game.pdn()
    assert list(visit_games(text, Order(True))) == [[cursor.move.text for cursor in game.walk()]]
    main = [cursor.move.text for cursor in game.root.line()]
    assert list(visit_games(text, Order(False))) == [main] == [[node.move.text for node in game.moves]]
