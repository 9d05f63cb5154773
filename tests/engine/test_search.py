"""The search: the same on every instruction set, for both colours, and never an illegal move."""

from random import Random

import pytest

from damas import _core
from damas.board import Color
from damas.engine import Engine, Limits
from damas.engine.networks import FOLDER
from damas.game import Position, Record
from damas.game.core import rules_of
from damas.game.laws import laws_of
from damas.openings import ballot_line
from damas.rules import rulebook, rulebooks
from engine.rings import ring_from
from properties.strategies import turned

LOST_AT_ONCE = 30_000


def engine_of(book, **options):
    return _core.Engine(rules_of(book), laws_of(book), hash_bytes=1 << 20, threads=1, **options)


def searched(engine, position, **limits):
    report = engine.search(Record(position), **limits)
    line = report.lines[0]
    return report.nodes, report.depth, line.score, [(move.origin, move.destination) for move in line.moves]


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_one_thread_and_fixed_nodes_give_the_same_on_every_path(book):
    start = Position.start(book)
    answers = {
        str(searched(engine_of(book, **options), start, nodes=3000))
        for options in ({}, {}, {"interpreted": True}, {"baseline": True})
    }
    assert len(answers) == 1


def test_both_colours_see_the_same(middle_game):
    book = middle_game.rulebook
    assert turned(middle_game).turn is Color.BLACK
    nodes, depth, score, line = searched(engine_of(book), middle_game, nodes=20_000)
    last = len(book.geometry.squares) - 1
    assert searched(engine_of(book), turned(middle_game), nodes=20_000) == (
        nodes,
        depth,
        score,
        [(last - origin, last - destination) for origin, destination in line],
    )


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_whole_games_are_legal(book):
    # The core itself ends the process if the search plays what the generator does not know.
    records, counts = _core.harvest(
        rules_of(book), laws_of(book), None, nodes=60, seed=1, first=0, games=8, threads=1, fair=2000
    )
    assert counts["games"] == 8
    assert len(records) == counts["positions"] * _core.record_bytes(rules_of(book))


def test_games_do_not_depend_on_threads():
    book = rulebook("brasileira")
    one, two = (
        _core.harvest(
            rules_of(book), laws_of(book), None, nodes=60, seed=1, first=0, games=8, threads=threads
        )
        for threads in (1, 2)
    )
    assert one == two


NETWORKS = sorted(FOLDER.glob("*.net"))


def positions_of(book, count):
    """Of random games, so that kings and few pieces come up too."""
    chance = Random(book.id)
    position = Position.start(book)
    for _ in range(count):
        moves = list(position.legal_moves)
        position = position.play(chance.choice(moves)) if moves else Position.start(book)
        yield position


def test_networks_are_shipped():
    assert len(NETWORKS) >= 5


@pytest.mark.parametrize("path", NETWORKS, ids=lambda path: path.stem)
def test_networks_give_the_same_bits_on_every_path(path):
    network = _core.Network.read(path.read_bytes())
    books = [book for book in rulebooks() if _core.rules_fingerprint(rules_of(book)) == network.rules]
    assert books
    for book in books:
        answers = set()
        engines = [engine_of(book, **options) for options in ({}, {"interpreted": True}, {"baseline": True})]
        for engine in engines:
            engine.use(network)
            answers.add(str(searched(engine, Position.start(book), nodes=10_000)))
        assert len(answers) == 1
        scores = set()
        for position in positions_of(book, 1500):
            standing = {engine.standing(position) for engine in engines}
            assert len(standing) == 1, position
            scores |= standing
        assert len(scores) > 100


def test_a_damaged_network_is_refused():
    for data, problem in ((b"", "magic"), (b"DAMASNET" + bytes(100), "checksum")):
        with pytest.raises(ValueError, match=problem):
            _core.Network.read(data)


def test_whoever_is_stopped_while_looking_again_says_no_more_than_was_proved():
    # Two kings against one with 18 plies left to the limit: the last round promised three men and was not finished.
    start = Position.from_fen("W:WKc1,Ke1:BKh8", "checa")
    record = Record(start)
    for move in ring_from(start) * 3:
        record = record.play(move)
    with Engine("checa", hash_mb=64, tables=False) as engine:
        scores = []
        last = engine.search(
            record, Limits(nodes=4_000_000), watcher=lambda result: scores.append(result.score)
        )
        assert last.depth > len(scores), "it was stopped in the middle of a round"
        assert scores[-1] == 0 and last.score <= 15


def test_whoever_is_stopped_while_looking_again_says_what_was_found():
    """And not that all is lost, which is what a move is worth before it has been looked at."""
    for number in range(6):
        game = ballot_line("brasileira", number)
        with Engine("brasileira", hash_mb=1, tables=False) as engine:
            while not game.outcome and game.record.length < 60:
                line = engine.search(game, Limits(nodes=1000)).lines[0]
                assert line.score > -LOST_AT_ONCE, game.position.fen
                game = game.play(line.moves[0])
