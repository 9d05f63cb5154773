"""The tables against what is known: published counts, an independent look at every move, a slow solver."""

import shutil
from pathlib import Path
from random import Random

import pytest

from damas import Position, Rulebook, _core
from damas.board import Color, Piece, Setup
from damas.game.laws import progress_of
from damas.game.record import Record
from damas.tablebase import Material, Store, canonical_materials, law_of
from damas.tablebase.laws import plies
from damas.tablebase.material import reached
from damas.tablebase.stats import stats, white_to_move
from damas.tablebase.verdict import value_of
from damas.tablebase.verify import verify
from tablebase.compare import SMALL, TWO, compare, compare_three_kings
from tablebase.playing import random_position
from tablebase.table_file import TableFile


def test_every_rulebook_of_the_small_board_has_tables():
    assert len(SMALL) == 14


# --- counts ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("pieces", "entries"), [(2, 3488), (3, 196_032), (4, 6_209_316)])
def test_there_are_as_many_positions_as_published(stores, pieces, entries):
    result = stats(stores("brasileira", 4), pieces, 2)
    assert result.total[0].positions == result.total[1].positions == entries


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
            own = [rule for rule in book.draws if rule.rule == "limit" and not rule.platform]
            for rule in (progress.rule for progress in progress_of(record, own)):
                if rule in law.rules or rule in law.beside:
                    continue
                shorter = law.count
                assert shorter and plies(shorter) <= plies(rule), (material.name, rule.id)
                assert set(shorter.resets) <= set(rule.resets), (material.name, rule.id)


def test_a_move_leads_only_to_the_materials_that_are_brought_to_memory_for_it(stores):
    """What a job needs of seven pieces is far from everything below it."""
    book = stores("brasileira", 2).book
    rng = Random(6)
    seen = 0
    for material in [m for n in (3, 4, 5) for m in canonical_materials(n)]:
        for _ in range(30):
            position = random_position(rng, book, material)
            for move in position.legal_moves:
                after = Material(*position.play(move).counts)
                if after.white and after.black and after.canonical != material:
                    assert after.canonical in reached(material), (position.fen, move.text)
                    seen += 1
    assert seen > 200
    assert Material.of_name("KK-KK") not in reached(Material.of_name("KKKK-KKK"))
    assert len(reached(Material.of_name("KKKK-KKK"))) == 5


# --- derived anew ---------------------------------------------------------------------------


@pytest.mark.parametrize("book_id", SMALL)
def test_every_position_of_three_pieces_follows_from_its_moves(stores, book_id):
    result = verify(stores(book_id, 3), 3, threads=2)
    assert result.looked > 200_000
    assert not result.faults


def test_every_position_of_four_pieces_follows_from_its_moves(stores):
    """One rulebook; `make soak` verifies five pieces of all."""
    result = verify(stores("portuguesa", 4), 4, threads=2)
    assert result.looked == 7_413_212
    assert not result.faults


def materials_up_to(pieces: int) -> list[Material]:
    return [material for n in range(2, pieces + 1) for material in canonical_materials(n)]


def faults_of(book: Rulebook, folder: Path, material: Material) -> list[tuple[Position, int, int, int]]:
    """What a check of one material finds in a folder of tables."""
    store = Store(book, folder)
    for needed in (material, *reached(material)):
        store.load(needed, 2)
    _, faults = store.core.verify(material.counts, 0, 2, _core.Progress(), Position)
    return faults


def copied(store: Store, folder: Path, pieces: int) -> Store:
    """The same tables in a folder of their own."""
    copy = Store(store.book, folder)
    copy.folder.mkdir(parents=True)
    for material in materials_up_to(pieces):
        shutil.copy(store.path(material), copy.path(material))
    return copy


@pytest.mark.parametrize("material", materials_up_to(3), ids=lambda m: m.name)
def test_an_error_planted_in_any_slice_is_found(stores, material: Material, tmp_path: Path):
    store = copied(stores("brasileira", 3), tmp_path, 3)
    path, whole = store.path(material), TableFile(store.path(material))
    for table in (0, 1):
        true = whole.codes(table, False, 0)
        at = true.index(max(true))
        for wrong in {0, true[at] + 2, true[at] + 1} - {true[at]}:
            file = TableFile(path)
            file.put(table, False, 0, [*true[:at], wrong, *true[at + 1 :]])
            file.write(path)
            assert faults_of(store.book, tmp_path, material), (material.name, table, true[at], wrong)
            whole.write(path)
    assert not faults_of(store.book, tmp_path, material)


PLANTED = [
    ("faraes", "KKK-K", (1,)),
    ("portuguesa", "KKK-K", (1, 2)),
    pytest.param("portuguesa-fpd", "KKK-K", (1, 2), marks=pytest.mark.soak),
    ("brasileira-cbd", "KKK-K", (1, 7)),
    pytest.param("brasileira-cbd", "KKK-K", (3, 11), marks=pytest.mark.soak),
    pytest.param("brasileira-cbd", "KKM-K", (1, 5), marks=pytest.mark.soak),
    ("concurso", "KK-KK", (1,)),
    pytest.param("concurso", "KKM-K", (1,), marks=pytest.mark.soak),
    pytest.param("brasileira-64", "KKM-K", (1,), marks=pytest.mark.soak),
]


@pytest.mark.parametrize(("book_id", "name", "tables"), PLANTED)
def test_errors_planted_in_tables_of_every_kind_are_found(stores, book_id, name, tables, tmp_path: Path):
    """A count once it has started, a diagonal held, endless play: each has its own table, or its own values."""
    good, material = stores(book_id, 4), Material.of_name(name)
    store = copied(good, tmp_path, 4)
    path, whole = store.path(material), TableFile(store.path(material))
    rng = Random(f"{book_id} {name}")
    endless = law_of(store.book, material).endless
    for table in tables:
        # In a table of a held diagonal only places with a king there are ever asked for: plant more.
        wanted = 3 if table <= 2 else 60
        file, planted = TableFile(path), 0
        block = rng.randrange(file.side)
        codes = file.codes(table, False, block)
        for at in rng.sample(range(len(codes)), len(codes)):
            true = codes[at]
            wrong = rng.choice([0, 2, 3] if endless else [0, true + 1, true + 2])
            if wrong != true and (not endless or value_of(wrong) != value_of(true)):
                codes[at] = wrong
                planted += 1
            if planted == wanted:
                break
        file.put(table, False, block, codes)
        file.write(path)
        bad = Store(store.book, tmp_path)
        bad.open(material)
        faults = faults_of(store.book, tmp_path, material)
        result = {
            position
            for position, which, _, _ in faults
            if which == table and bad.core.probe(position, table) != good.code(position, table)
        }
        assert result, (book_id, name, table)
        assert len(faults) >= 100 or table > 2 or len(result) == planted
        whole.write(path)
    assert not faults_of(store.book, tmp_path, material)


def test_a_ring_of_positions_that_agree_on_a_value_none_of_them_reaches_is_found(stores, tmp_path: Path):
    """concurso 4.3: a draw by endless play looks right to each position in it; it goes to the side with more pieces."""
    store = copied(stores("concurso", 3), tmp_path, 3)
    kings = Material.of_name("KK-K")
    file = TableFile(store.path(kings))
    changed = 0
    for black_to_move in (False, True):
        for block in range(file.side):
            codes = file.codes(1, black_to_move, block)
            for at, code in enumerate(file.codes(0, black_to_move, block)):
                if value_of(code) != value_of(codes[at]):
                    codes[at] = {"draw": 0, "win": 2, "loss": 3}[value_of(code)]
                    changed += 1
            file.put(1, black_to_move, block, codes)
    assert changed
    file.write(store.path(kings))
    assert faults_of(store.book, tmp_path, kings)


# --- against the slow solver ----------------------------------------------------------------


@pytest.mark.parametrize("book_id", SMALL)
def test_two_pieces_are_as_a_slow_solver_finds_them(stores, book_id):
    """`make soak` goes on to three pieces: `tests/tablebase/soak.py`."""
    assert compare(stores(book_id, 2), TWO) == 2 * 3488


def test_three_kings_against_one_are_as_a_slow_solver_finds_them(stores):
    """One rulebook; `make soak` compares all that count so."""
    assert compare_three_kings(stores("faraes", 4)) > 100_000
