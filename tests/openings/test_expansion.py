"""Opening books: built the same way each time, read back, and played from."""

from pathlib import Path
from random import Random

import pytest

from damas import Position, rulebook
from damas.engine import Engine, Limits
from damas.engine.levels import LevelPlayer, opening_move
from damas.engine.opening_book import FOLDER, OpeningBook, book_for, read_opening_book
from damas.errors import BadBook
from damas.game import Game, Record
from damas.openings.expansion import Expansion, Parameters

SHIPPED = sorted(FOLDER.glob("*.book"))
MAX_BYTES = 300_000


def build(path: Path, positions: int, **settings: int) -> bytes:
    Expansion(rulebook("brasileira"), path, Parameters(nodes=200, positions=positions, **settings)).run()
    return path.read_bytes()


def test_the_same_parameters_make_the_same_book(tmp_path):
    whole = build(tmp_path / "whole.book", 30)
    build(tmp_path / "parts.book", 12)
    scores = tmp_path / "parts.book.scores"
    scores.write_bytes(scores.read_bytes()[:-9])  # the last line was being written
    assert build(tmp_path / "parts.book", 30) == whole
    assert build(tmp_path / "other.book", 30, seed=2) != whole


def test_a_position_is_worth_what_its_best_move_is(tmp_path):
    book = OpeningBook(build(tmp_path / "out.book", 40))
    assert len(book) == book.header.positions == 40
    position = Position.start("brasileira")
    while position in book:
        best = book.moves(position)[0]
        following = position.play(best.move)
        if following in book:
            assert best.score == -book.moves(following)[0].score
        position = following


def test_a_damaged_book_is_refused(tmp_path):
    data = build(tmp_path / "out.book", 3)
    for bad in (data[:-1], data[:-1] + b"!", b"", b"{}\n", data.replace(b"damas book 1", b"damas book 9")):
        with pytest.raises(BadBook):
            OpeningBook(bad, "out.book")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_book_is_small_and_of_its_rulebook(path):
    book = read_opening_book(path)
    assert book.size < MAX_BYTES and len(book) > 1000
    rules = rulebook(book.header.rulebook)
    assert book.serves(rules) and book_for(rules) is not None
    assert len(book.moves(Position.start(rules))) >= 3


def test_the_rulebooks_of_the_documents_have_books():
    for name in ("brasileira", "faraes", "oficial", "portuguesa", "concurso", "internacional"):
        assert book_for(rulebook(name)), name


def test_the_engine_plays_from_its_book_only_if_asked():
    start = Position.start("brasileira")
    with Engine("brasileira", hash_mb=1) as plain, Engine("brasileira", hash_mb=1, opening_book=True) as read:
        assert plain.search(start, Limits(nodes=50)).nodes > 0
        result = read.search(start, Limits(nodes=50))
        assert result.nodes == 0 and result.lines[0].from_book
        assert result == read.search(start, Limits(nodes=50))
        assert read.search(start, Limits(nodes=50, lines=2)).nodes > 0
        assert read.search(start, Limits(nodes=50), only=[next(iter(start.legal_moves))]).nodes > 0
    moves = set()
    for seed in range(12):
        with Engine("brasileira", hash_mb=1, opening_book=True, seed=seed) as engine:
            moves.add(engine.search(start, Limits(nodes=50)).best)
    assert len(moves) > 1


def test_weaker_levels_leave_the_book_sooner_and_choose_among_more():
    book = book_for(rulebook("brasileira"))
    assert book
    record = Record(Position.start("brasileira"))
    choices = {level: {opening_move(book, record, level, seed) for seed in range(60)} for level in (1, 10)}
    assert len(choices[1]) > len(choices[10]) >= 1
    for ply in range(4):
        known = book.choose(record.position, Random(ply))
        assert known
        record = record.play(known.move)
    assert opening_move(book, record, 1, 0) is None
    player = LevelPlayer("brasileira", 1, seed=3, opening_book=book)
    start = Game.start("brasileira")
    assert player.choose(start) == opening_move(book, start.record, 1, 3)
    player.close()
