"""The search: the same on every instruction set, for both colours, and never an illegal move."""

import struct
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


def test_a_score_does_not_depend_on_the_positions_scored_before():
    # The first layer is updated from the last position; after `clear` it is built from nothing.
    network = _core.Network.read(NETWORKS[0].read_bytes())
    book = next(book for book in rulebooks() if _core.rules_fingerprint(rules_of(book)) == network.rules)
    for options in ({}, {"baseline": True}):
        updated, rebuilt = engine_of(book, **options), engine_of(book, **options)
        for engine in (updated, rebuilt):
            engine.use(network)
        for position in positions_of(book, 300):
            rebuilt.clear()
            assert updated.standing(position) == rebuilt.standing(position), position


def with_checksum(data):
    checksum = 0xCBF29CE484222325
    for byte in data:
        checksum = (checksum ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return data + struct.pack("<Q", checksum)


def enlarged(data, first, buckets, seed=1):
    """A network with more outputs of the first layer (of any weights), and the same heads for more buckets."""
    chance = Random(seed)
    inputs, old_first, second, third, old_buckets = struct.unpack_from("<5H", data, 14)
    assert (old_first, old_buckets) == (256, 8)
    more = first - old_first
    crowd = data[32:35] if buckets == 8 else bytes([3, data[32], 10, data[33], 14, data[34], 20])
    name_end = 42 + struct.unpack_from("<H", data, 40)[0]
    out = (
        data[:8]
        + struct.pack("<I", 2)
        + data[12:14]
        + struct.pack("<5H", inputs, first, second, third, buckets)
    )
    out += data[24:32] + crowd + b"\0" + data[36:name_end]
    at = name_end

    def take(size):
        nonlocal at
        at += size
        return data[at - size : at]

    for _ in range(inputs + 1):
        out += take(2 * old_first) + struct.pack(
            f"<{more}h", *(chance.randrange(-300, 301) for _ in range(more))
        )
    heads = []
    for _ in range(old_buckets):
        head = take(4 * second)
        for _ in range(second):
            head += take(old_first) + struct.pack(
                f"<{more}b", *(chance.randrange(-9, 10) for _ in range(more))
            )
        heads.append(head + take(4 * third + 2 * third * second + 4 + 2 * third))
    assert at == len(data) - 8
    out += b"".join(heads[n // 4 * 2 + n % 2 if buckets == 16 else n] for n in range(buckets))
    return with_checksum(out)


@pytest.mark.parametrize("name", ["brasileira", "internacional"])
def test_larger_networks_give_the_same_bits_on_every_path(name):
    book, data = rulebook(name), (FOLDER / f"{name}.net").read_bytes()
    plain, divided, wide = engine_of(book), engine_of(book), engine_of(book)
    wide_baseline = engine_of(book, baseline=True)
    plain.use(_core.Network.read(data))
    divided.use(_core.Network.read(enlarged(data, 256, 16)))
    network = _core.Network.read(enlarged(data, 512, 16))
    for engine in (wide, wide_baseline):
        engine.use(network)
    differ = 0
    for position in positions_of(book, 300):
        assert divided.standing(position) == plain.standing(position), position
        assert wide.standing(position) == wide_baseline.standing(position), position
        differ += wide.standing(position) != plain.standing(position)
    assert differ > 100


@pytest.mark.parametrize(("first", "buckets", "version"), [(384, 8, 2), (512, 8, 1), (256, 12, 2)])
def test_a_network_of_an_unknown_shape_is_refused(first, buckets, version):
    data = bytearray(enlarged((FOLDER / "brasileira.net").read_bytes(), 512, 8)[:-8])
    struct.pack_into("<I", data, 8, version)
    struct.pack_into("<H", data, 16, first)
    struct.pack_into("<H", data, 22, buckets)
    with pytest.raises(ValueError, match="shape"):
        _core.Network.read(with_checksum(bytes(data)))


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
