"""Every public value is pickled, copied and sent to another process without a change."""

import copy
import inspect
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import damas
from damas import Game, Position, Record, errors, rulebook
from damas.errors import DamasError, IllegalMove, NotationError
from damas.game import LETTER, pickling
from damas.language import Saying
from damas.notation.pdn.game import BadGame, PdnGame
from damas.notation.pdn.reader import read_games
from damas.rules import parse, to_toml
from properties.strategies import books

ANNOTATED = """[Event "x"]
[GameType "26"]
[Result "*"]

1. c3-d4 {a comment} b6-c5 $1 (1... f6-e5 {another} 2. d4xf6) 2. d4xb6 *

[GameType "26"]

1. c3-c5 *
"""
"""A game with everything that PDN can say of it, and one that cannot be played."""


def copies(value: Any) -> list[Any]:
    """What comes out of every way to copy it."""
    protocols = range(2, pickle.HIGHEST_PROTOCOL + 1)
    return [
        *(pickle.loads(pickle.dumps(value, protocol)) for protocol in protocols),
        copy.copy(value),
        copy.deepcopy(value),
    ]


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game some plies long, with a claim now and then."""
    game = Game.start(draw(books), recorded=draw(st.booleans()))
    for choice in draw(st.lists(st.integers(0, 60), max_size=60)):
        if game.outcome:
            break
        game = game.play(game.legal_moves[choice % len(game.legal_moves)])
        if choice % 7 == 0 and game.draw_rules:
            game = game.call_attention(next(iter(game.draw_rules)))
    return game


@given(games())
def test_games_records_and_moves_stay_what_they_are(game: Game) -> None:
    for again in copies(game):
        assert again == game
        assert type(again) is Game
        assert again.record.moves == game.record.moves
        assert [move.route for move in again.record.moves] == [move.route for move in game.record.moves]
        assert again.record.claims == game.record.claims
        assert again.record.recorded is game.record.recorded
        assert again.progress() == game.progress()
        assert again.position.rulebook is game.position.rulebook
        assert [move.text for move in again.legal_moves] == [move.text for move in game.legal_moves]
    for moves in copies(game.position.legal_moves):
        assert repr(moves) == repr(game.position.legal_moves)


@pytest.mark.parametrize("fen", ["W:WKa1:Bb2,d2,d4,f4,f6", "W:Wb6:Bc7,e7", "B:Ba3,Kc3:Wd4,f6"])
def test_a_move_keeps_its_route_and_its_pieces(fen: str) -> None:
    """Every order of taking is a route of its own, which is kept for drawing."""
    position = Position.from_fen(fen, "brasileira")
    moves = list(position.routes())
    assert any(move.is_capture for move in moves)
    for move in moves:
        for again in copies(move):
            assert (again, hash(again), again.text) == (move, hash(move), move.text)
            for name in ("route", "captured", "promotes", "by_king"):
                assert getattr(again, name) == getattr(move, name)
            assert position.play(again) == position.play(move)


def samples() -> dict[type, Any]:
    """A value of every public class."""
    book = rulebook("faraes")
    game = Game.start(book, fen="W:WKg1,Kc1,Ka3:BKb8").play("g1-h2")
    over = Game.start(book, fen="W:Wc3:Bd4").play("c3xe5")
    illegal = refused(lambda: Position.from_fen("W:Wc3,h4:Bd4,d6,g5", book).play("h4xf6"))
    values: list[Any] = [
        game,
        game.record,
        game.position,
        game.position.setup,
        game.record.moves[0],
        game.position.legal_moves,
        over.outcome,
        illegal,
        illegal.refusal,
        book,
        book.geometry,
        book.size,
        damas.Color.WHITE,
        damas.Piece.BLACK_KING,
        refused(lambda: game.play("b8-a7").play("a7-b8")),
        refused(lambda: over.play("e5-f6")),
        refused(lambda: Position.from_fen("W:Wzz:B", book)),
        refused(lambda: Position.from_fen("W:Wa1,a1:Bb8", book)),
        refused(lambda: game.play("zz")),
        refused(lambda: rulebook("no such")),
        refused(lambda: parse("[rulebook]")),
        errors.TooManyCaptures(),
    ]
    return {type(value): value for value in values}


def refused(action: Any) -> Any:
    """The error that an action raises."""
    with pytest.raises(DamasError) as caught:
        action()
    return caught.value


def test_every_public_class_can_be_copied_and_pickled() -> None:
    made = samples()
    public = {getattr(damas, name) for name in damas.__all__ if inspect.isclass(getattr(damas, name))}
    missing = {kind.__name__ for kind in public - made.keys()}
    assert missing <= {"DamasError", "AmbiguousMove", "NotYourTurn", "GameOver"}
    for value in made.values():
        for again in copies(value):
            assert type(again) is type(value)
            if isinstance(value, Exception):
                assert (str(again), vars(again), again.args) == (str(value), vars(value), value.args)
            elif not isinstance(value, damas.LegalMoves):
                assert again == value


@pytest.mark.parametrize("kind", [damas.AmbiguousMove, damas.NotYourTurn, damas.GameOver])
def test_every_refusal_of_a_move_is_pickled(kind: type[IllegalMove]) -> None:
    citation = errors.Citation("faraes", "Art. 7", "002-7")
    error = kind(damas.Refusal("MUST_CAPTURE", "c3-d4", citation, {"square": errors.SquareName("c3", "c3")}))
    for again in copies(error):
        assert (type(again), again.refusal, again.code) == (kind, error.refusal, "MUST_CAPTURE")


def test_an_error_made_with_keywords_is_pickled() -> None:
    error = NotationError(text="zz", problems=())
    bad = errors.BadRulebook(name="x", problems=[errors.Mistake("a", None, Saying("wanted.nothing"))])
    for value in (error, bad):
        for again in copies(value):
            assert vars(again) == vars(value)


def test_games_of_a_pdn_file_are_pickled_with_their_variations() -> None:
    read = list(read_games(ANNOTATED.splitlines()))
    assert [type(game) for game in read] == [PdnGame, BadGame]
    for game in read:
        for again in copies(game):
            assert type(again) is type(game)
            if isinstance(game, PdnGame):
                assert again == game
            else:
                assert str(again.error) == str(game.error)


def play_on(game: Game) -> tuple[Game, Record]:
    """One ply further, in whatever process."""
    longer = game.play(game.legal_moves[0])
    return longer, longer.record


def test_a_pool_of_processes_plays_on() -> None:
    book = parse(to_toml(rulebook("oficial")).replace('id = "oficial"', 'id = "our-house"', 1))
    here = [Game.start(book), Game.start("frisia", customs=LETTER)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        there = list(pool.map(play_on, here))
    assert there == [play_on(game) for game in here]


def test_a_pickle_of_a_later_format_is_refused_by_name() -> None:
    function, values = Game.start("brasileira").__reduce__()
    assert values[0] == pickling.VERSION  # type: ignore[index]
    with pytest.raises(ValueError, match="update damas"):
        function(pickling.VERSION + 1, *values[1:])  # type: ignore[operator, index]
