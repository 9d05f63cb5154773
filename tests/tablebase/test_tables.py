"""The tables against what is known: published counts, an independent look at every move, a slow solver."""

from random import Random

import pytest

from damas import Position, _core
from damas.board import Color, Piece, Setup
from damas.game.laws import laws
from damas.game.record import Record
from damas.tablebase import Material, Store, canonical_materials, law_of
from damas.tablebase.laws import plies
from damas.tablebase.material import reached
from damas.tablebase.stats import stats, white_to_move
from damas.tablebase.verdict import value_of
from damas.tablebase.verify import verify
from tablebase.compare import SMALL, TWO, compare
from tablebase.playing import random_position


def test_every_rulebook_of_the_small_board_has_tables():
    assert len(SMALL) == 14


# --- counts ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("pieces", "entries"), [(2, 3488), (3, 196_032), (4, 6_209_316)])
def test_there_are_as_many_positions_as_published(stores, pieces, entries):
    found = stats(stores("brasileira", 4), pieces, 2)
    assert found.total[0].positions == found.total[1].positions == entries


def test_english_king_against_king_is_as_reported(stores):
    """E. Trice: 230 won, 654 drawn, 108 lost, the longest in 11 plies."""
    kings = next(m for m in stats(stores("inglesa", 2), 2, 1).materials if m.material.name == "K-K").unlimited
    assert (kings.wins, kings.draws, kings.losses, kings.longest) == (230, 654, 108, 11)


@pytest.mark.parametrize("book_id", SMALL)
def test_what_is_decided_under_limits_is_decided_so_without(stores, book_id):
    store = stores(book_id, 3)
    rng = Random(book_id)
    decided = 0
    for material in [m for n in (2, 3) for m in canonical_materials(n)]:
        endless = law_of(store.book, material).endless
        for _ in range(400):
            position = random_position(rng, store.book, material)
            free, bound = (value_of(store.code(position, table)) for table in (0, 1))
            assert free == bound or (free == "draw" if endless else bound == "draw"), position.fen
            decided += bound != "draw"
    assert decided > 500


@pytest.mark.parametrize("book_id", ["brasileira", "portuguesa", "brasileira-cbd", "concurso"])
def test_a_position_and_its_mirror_image_have_one_value(stores, book_id):
    store = stores(book_id, 4)
    rng = Random(book_id)
    for material in [m for n in (2, 3, 4) for m in canonical_materials(n)]:
        for _ in range(60):
            position = random_position(rng, store.book, material)
            image = mirrored(position)
            assert image.turn is position.turn.other and mirrored(image) == position
            assert white_to_move(position) == white_to_move(image)
            for table in (0, 1):
                assert store.code(position, table) == store.code(image, table), (position.fen, table)


def mirrored(position: Position) -> Position:
    """Seen from the other side of the board, colours exchanged."""
    other = {"w": "b", "W": "B", "b": "w", "B": "W"}
    last = len(position.diagram) - 1
    pieces = {last - square: Piece(other[piece.value]) for square, piece in position.setup.pieces.items()}
    return Position.of(Setup(pieces, position.turn.other), position.rulebook)


def test_the_longest_is_shown_with_white_to_move(stores):
    for each in stats(stores("brasileira", 3), 3, 2).materials:
        for tally in (each.unlimited, each.limited):
            if tally.where:
                assert tally.where.turn is Color.WHITE
                assert Material(*tally.where.counts) == each.material


# --- the law -------------------------------------------------------------------------------


@pytest.mark.parametrize("book_id", SMALL)
def test_every_limit_that_the_game_counts_is_in_the_table_or_named_or_cannot_come_first(stores, book_id):
    """What a law says of a material, beside what the game counts from a position of it."""
    book = stores(book_id, 2).book
    rng = Random(book_id)
    for material in [m for n in (2, 3, 4, 5) for m in canonical_materials(n)]:
        law = law_of(book, material)
        for _ in range(4):
            record = Record(random_position(rng, book, material))
            for game_law in laws(book):
                found = game_law.progress(record)
                if found is None or game_law.rule.rule != "limit" or game_law.rule.platform:
                    continue
                if found.rule in law.rules or found.rule in law.beside:
                    continue
                shorter = law.count
                assert shorter and plies(shorter) <= plies(found.rule), (material.name, found.rule.id)
                assert set(shorter.resets) <= set(found.rule.resets), (material.name, found.rule.id)


def test_a_move_leads_only_to_the_materials_that_are_brought_to_memory_for_it(stores):
    """What a job needs of seven pieces is far from everything below it."""
    book = stores("brasileira", 2).book
    rng = Random(6)
    met = 0
    for material in [m for n in (3, 4, 5) for m in canonical_materials(n)]:
        for _ in range(30):
            position = random_position(rng, book, material)
            for move in position.legal_moves:
                after = Material(*position.play(move).counts)
                if after.white and after.black and after.canonical != material:
                    assert after.canonical in reached(material), (position.fen, move.text)
                    met += 1
    assert met > 200
    assert Material.of_name("KK-KK") not in reached(Material.of_name("KKKK-KKK"))
    assert len(reached(Material.of_name("KKKK-KKK"))) == 5


# --- derived anew ---------------------------------------------------------------------------


@pytest.mark.parametrize("book_id", SMALL)
def test_every_position_of_three_pieces_follows_from_its_moves(stores, book_id):
    found = verify(stores(book_id, 3), 3, threads=2)
    assert found.looked > 200_000
    assert not found.faults


def test_every_position_of_four_pieces_follows_from_its_moves(stores):
    """One rulebook; `make soak` verifies five pieces of all."""
    found = verify(stores("portuguesa", 4), 4, threads=2)
    assert found.looked == 7_413_212
    assert not found.faults


@pytest.mark.parametrize(
    "material", [m for n in (2, 3) for m in canonical_materials(n)], ids=lambda m: m.name
)
def test_an_error_planted_in_any_slice_is_found(stores, material: Material):
    store = stores("brasileira", 3)
    for other in (m for n in (2, 3) for m in canonical_materials(n)):
        store.open(other)
        store.core.load(other.counts, 1)
    try:
        (_, halves) = store.core.tally(material.counts, Position)[0]
        for table, half in enumerate(halves):
            where = half[4]
            true = store.core.probe(where, table)
            for wrong in (0, true + 2, true + 1):
                store.core.spoil(where, table, wrong)
                _, faults = store.core.verify(material.counts, 0, 1, _core.TableProgress(), Position)
                assert faults, (material.name, table, true, wrong)
            store.core.spoil(where, table, true)
        assert not store.core.verify(material.counts, 0, 1, _core.TableProgress(), Position)[1]
    finally:
        for other in (m for n in (2, 3) for m in canonical_materials(n)):
            store.core.release(other.counts)


PLANTED = [
    ("faraes", "KKK-K", (1,)),
    ("portuguesa", "KKK-K", (1, 2)),
    ("portuguesa-fpd", "KKK-K", (1, 2)),
    ("brasileira-cbd", "KKK-K", (1, 3, 7, 11)),
    ("brasileira-cbd", "KKM-K", (1, 5)),
    ("concurso", "KK-KK", (1,)),
    ("concurso", "KKM-K", (1,)),
    ("brasileira-64", "KKM-K", (1,)),
]


@pytest.mark.parametrize(("book_id", "name", "tables"), PLANTED)
def test_errors_planted_in_tables_of_every_kind_are_found(stores, book_id, name, tables):
    """A count once it has started, a diagonal held, endless play: each has its own table, or its own values."""
    store, material = stores(book_id, 4), Material.of_name(name)
    rng = Random(f"{book_id} {name}")
    endless = law_of(store.book, material).endless
    for other in (m for n in (2, 3, 4) for m in canonical_materials(n)):
        store.load(other, 2)
    try:
        for table in tables:
            planted: list[tuple[Position, int]] = []
            while len(planted) < 3:
                position = white_is_stronger(random_position(rng, store.book, material))
                if table > 2 and store.book.geometry.main_diagonal.isdisjoint(position.black_kings):
                    continue  # its place in such a table is never asked for
                true = store.core.probe(position, table)
                wrong = rng.choice([0, 2, 3] if endless else [0, true + 1, true + 2])
                if (value_of(wrong), wrong if not endless else 0) == (
                    value_of(true),
                    true if not endless else 0,
                ):
                    continue
                store.core.spoil(position, table, wrong)
                planted.append((position, true))
            _, faults = store.core.verify(material.counts, 0, 2, _core.TableProgress(), Position)
            told = {position for position, which, _, _ in faults if which == table}
            assert told & {position for position, _ in planted}, (book_id, name, table)
            assert len(faults) >= 100 or told >= {position for position, _ in planted}
            for position, true in planted:
                store.core.spoil(position, table, true)
        assert not store.core.verify(material.counts, 0, 2, _core.TableProgress(), Position)[1]
    finally:
        release(store, 4)


def white_is_stronger(position: Position) -> Position:
    material = Material(*position.counts)
    return position if material.canonical == material else mirrored(position)


def release(store: Store, pieces: int) -> None:
    for material in (m for n in range(2, pieces + 1) for m in canonical_materials(n)):
        store.core.release(material.counts)


def test_a_ring_of_positions_that_agree_on_a_value_none_of_them_reaches_is_found(stores):
    """concurso 4.3: a draw by endless play looks right to each position in it; it goes to the side with more pieces."""
    store = stores("concurso", 3)
    materials = [m for n in (2, 3) for m in canonical_materials(n)]
    for material in materials:
        store.load(material, 1)
    try:
        changed = 0
        kings = Material.of_name("KK-K")
        squares = range(len(store.book.square_names))
        for black in squares:
            for one in squares:
                for other in range(one + 1, len(squares)):
                    if black in (one, other):
                        continue
                    pieces = {one: Piece.WHITE_KING, other: Piece.WHITE_KING, black: Piece.BLACK_KING}
                    for turn in Color:
                        position = Position.of(Setup(pieces, turn), store.book)
                        free = value_of(store.core.probe(position, 0))
                        if free != value_of(store.core.probe(position, 1)):
                            store.core.spoil(position, 1, {"draw": 0, "win": 2, "loss": 3}[free])
                            changed += 1
        assert changed
        _, faults = store.core.verify(kings.counts, 0, 2, _core.TableProgress(), Position)
        assert faults
    finally:
        release(store, 3)


# --- against the slow solver ----------------------------------------------------------------


@pytest.mark.parametrize("book_id", SMALL)
def test_two_pieces_are_as_a_slow_solver_finds_them(stores, book_id):
    """`make soak` goes on to three pieces and to three kings against one: `tests/tablebase/soak.py`."""
    assert compare(stores(book_id, 2), TWO) == 2 * 3488
