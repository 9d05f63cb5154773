"""Puzzles: their lines are legal and show the motifs they are listed under; nothing else wins, or saves the draw."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from choose_puzzles import candidate, write_sheet

from damas import Position, rulebook
from damas.engine import Engine, Limits
from damas.engine.analysis import chance
from damas.server.learning.motif import MOTIFS, SHOTS
from damas.server.learning.puzzle import FOLDER, Puzzle, load, rulebooks_with_puzzles
from damas.server.learning.puzzle_motifs import is_bound_by_priority, motifs_of
from damas.server.learning.puzzle_proof import by_tables, confirm
from damas.server.learning.views import puzzle_view
from damas.tablebase import build, store_of

DOCUMENTS = ("brasileira", "oficial", "faraes", "portuguesa", "concurso")
BOOKS = (*DOCUMENTS, "internacional")
LEAST = {**dict.fromkeys(DOCUMENTS, 2000), "internacional": 1400}
OLD = {
    "brasileira": "e085100a",
    "oficial": "bc34528f",
    "faraes": "097bc434",
    "portuguesa": "c161cda3",
    "concurso": "015c9cac",
    "internacional": "448bbb53",
}
"""Puzzles that had their address before there were many."""
SAMPLE, ENGINE_SAMPLE = 40, 25
"""Puzzles of a rulebook that `make test` replays, and that it has the engine search."""
NODES, PROOF_NODES = (20_000, 200_000), 500_000
"""For every move that is refuted; more where few do not show it, at last as many as when it was mined."""
MARGIN, SHARE = 70, 0.12
"""Hundredths of a man and chance to win by which every other move is worse, seen with less depth than when mined."""
QUICK_PIECES = 3
"""Endings of so many pieces are checked in `make test`: their tables are made in no time."""

every_book = pytest.mark.parametrize("book", BOOKS)
quick_or_whole = pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.soak)])


def some(puzzles: Iterable[Puzzle], count: int, *, whole: bool) -> list[Puzzle]:
    """So many puzzles from all parts of a sheet, or all."""
    puzzles = list(puzzles)
    return puzzles if whole else puzzles[:: len(puzzles) // count]


@cache
def engine_of(book: str) -> Engine:
    return Engine(book, hash_mb=8, tables=False)


def test_every_sheet_is_checked() -> None:
    assert rulebooks_with_puzzles() == sorted(BOOKS)


@every_book
def test_there_are_enough_of_every_kind(book: str) -> None:
    sheet = load(book)
    assert len(sheet) >= LEAST[book]
    assert all(name == entry.puzzle.id for name, entry in sheet.entries.items())
    assert len(sheet) == (FOLDER / f"{book}.txt").read_text(encoding="utf-8").count("\n"), "an id twice"
    assert OLD[book] in sheet.entries
    assert (FOLDER / f"{book}.txt").stat().st_size < 300_000
    grades = Counter(puzzle.grade for puzzle in sheet)
    assert set(grades) == {1, 2, 3, 4, 5}
    assert all(count >= 15 for count in grades.values())
    assert set(MOTIFS) - set(sheet.motifs) <= ({"majority"} if book == "concurso" else set())
    assert set(sheet.motifs) <= set(MOTIFS)


def test_a_motif_is_what_the_line_shows() -> None:
    position = Position.from_fen("W:Wa1,b2,a3,c3:Ba5,c5,c7", "brasileira")
    assert motifs_of(position, ["c3-b4", "a5xc3", "b2xd4xb6xd8"]) == ["three", "crown", "clear"]
    assert is_bound_by_priority(Position.from_fen("W:Wc3:Bb4,d4,f6", "faraes"))
    assert not is_bound_by_priority(Position.from_fen("W:Wc3:Bb4,d4,f6", "concurso")), "its captures are free"


def test_a_sheet_is_written_as_it_is_read(tmp_path: Path) -> None:
    write_sheet(tmp_path / "sheet.txt", list(load("concurso")))
    assert (tmp_path / "sheet.txt").read_bytes() == (FOLDER / "concurso.txt").read_bytes()


@every_book
@quick_or_whole
def test_every_solution_is_legal_and_shows_its_motifs(book: str, whole: bool) -> None:
    for puzzle in some(load(book), SAMPLE, whole=whole):
        check(book, puzzle)


def check(book: str, puzzle: Puzzle) -> None:
    start = position = Position.from_fen(puzzle.fen, book)
    assert position.fen == puzzle.fen
    assert position.count_moves() >= 2, "there is nothing to choose"
    before = position
    for number, text in enumerate(puzzle.line):
        move = position.parse(text)
        assert move.text == text
        if number % 2 == 0:
            before = position
        elif number == len(puzzle.line) - 1:
            assert position.count_moves() == 1, "the line ends with a reply that is not forced"
        position = position.play(move)
    proof = "search" if puzzle.goal == "gain" else puzzle.goal
    assert list(puzzle.motifs) == motifs_of(start, puzzle.line, proof)
    assert sum(motif in (*SHOTS, "ending", "saved") for motif in puzzle.motifs) == 1
    if puzzle.goal == "gain":
        assert not position.count_moves() or not position.must_capture(), "the exchange is not over yet"
    solution = before.parse(puzzle.line[2 * puzzle.own_moves - 2])
    for other in puzzle.also:
        assert len(before.parse(other).captured) == len(solution.captured)


@every_book
@quick_or_whole
def test_no_two_are_nearly_the_same(book: str, whole: bool) -> None:
    sheet = load(book)
    everything = [candidate(book, puzzle) for puzzle in sheet]
    names = {puzzle.id for puzzle in some(sheet, SAMPLE, whole=whole)}
    for each in everything:
        if each.puzzle.id in names:
            like = [other.puzzle.id for other in everything if each.placement.is_like(other.placement)]
            assert like == [each.puzzle.id]


@every_book
@quick_or_whole
def test_nothing_else_wins_as_much(book: str, whole: bool) -> None:
    engine = engine_of(book)
    weak = []
    if whole:
        build_tables(book)
    shots = [puzzle for puzzle in load(book) if puzzle.goal == "gain"]
    for puzzle in some(shots, ENGINE_SAMPLE, whole=whole):
        position = Position.from_fen(puzzle.fen, book)
        if any(stands(engine, position, puzzle, nodes) for nodes in NODES):
            continue
        with_tables = Engine(book, hash_mb=16)  # as when it was mined: some end where the tables begin
        if not confirm(with_tables, position, list(puzzle.line), list(puzzle.also), PROOF_NODES):
            weak.append(puzzle.fen)
    assert weak == []


def build_tables(book: str) -> None:
    """The endgame tables that proved the endings."""
    build(store_of(rulebook(book)), 5 if rulebook(book).size.value == 8 else 4)


def stands(engine: Engine, position: Position, puzzle: Puzzle, nodes: int) -> bool:
    """Whether every other move of the solver is worse than what the line leads to."""
    steps = [position]
    for text in puzzle.line:
        steps.append(steps[-1].play(text))
    engine.forget()
    end = engine.search(steps[-1], Limits(nodes=nodes)).score
    gained = end if len(puzzle.line) % 2 == 0 else -end
    for number in range(0, len(puzzle.line), 2):
        accepted = {puzzle.line[number], *(puzzle.also if number // 2 == puzzle.own_moves - 1 else ())}
        rest = [move for move in steps[number].legal_moves if move.text not in accepted]
        if rest:
            engine.forget()
            other = engine.search(steps[number], Limits(nodes=nodes), only=rest).score
            if gained - other < MARGIN or chance(gained) - chance(other) < SHARE:
                return False
    return True


@every_book
@quick_or_whole
def test_the_tables_know_no_other_way(book: str, whole: bool) -> None:
    checked = 0
    if whole:
        build_tables(book)
    for puzzle in load(book):
        position = Position.from_fen(puzzle.fen, book)
        if puzzle.goal == "gain" or (
            not whole and (sum(position.counts) > QUICK_PIECES or checked == SAMPLE)
        ):
            continue
        proof = by_tables(store_of(rulebook(book)), position)
        assert proof is not None
        assert (proof.goal, [move.text for move in proof.moves]) == (puzzle.goal, list(puzzle.line))
        checked += 1
    assert checked


def test_a_puzzle_for_the_page_has_every_position() -> None:
    sheet = load("internacional")
    puzzle = next(puzzle for puzzle in sheet if len(puzzle.line) % 2 == 0)  # it ends with a forced reply
    view = puzzle_view("internacional", puzzle, "pt-BR")
    assert [frame.last.text for frame in view.frames[1:] if frame.last] == list(puzzle.line)
    assert view.moves == len(puzzle.line) // 2
    assert view.taken > view.given > 0 or "even" in view.motifs


def test_a_sheet_is_searched_by_motif_and_rating() -> None:
    sheet = load("portuguesa")
    matching = sheet.matching("majority", 900, 1200, near=1000)
    assert matching
    assert all("majority" in entry.motifs and 900 <= entry.rating <= 1200 for entry in matching)
    distances = [abs(entry.rating - 1000) for entry in matching]
    assert distances == sorted(distances)
    others = len(sheet.matching("majority", 0, 899)) + len(sheet.matching("majority", 1201))
    assert len(matching) + others == sheet.motifs["majority"]


@every_book
def test_what_a_device_keeps_is_of_every_kind(book: str) -> None:
    sample = load(book).sample()
    assert len({puzzle.id for puzzle in sample}) == 100
    assert {puzzle.motifs[0] for puzzle in sample} >= {*SHOTS, "ending"} - (
        {"even"} if book == "concurso" else set()
    )
    assert {puzzle.grade for puzzle in sample} >= {1, 2, 3, 4}
