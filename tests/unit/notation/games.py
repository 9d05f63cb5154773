"""Random positions and games for the tests of this room, plain and annotated."""

from hypothesis import assume
from hypothesis import strategies as st

from damas import Color, IllegalSetup, Piece, Position, Rulebook, Setup, rulebook
from damas.game import Record
from damas.game.game import rests
from damas.notation import Clock, Mark, Node, PdnGame, Result, Variation, clean_comment
from damas.rules import rulebook_ids

BOOKS = [rulebook(name) for name in rulebook_ids()]
books = st.sampled_from(BOOKS)
choices = st.lists(st.integers(0, 255), max_size=90)
times = st.none() | st.integers(0, 9_999_999)
# Without surrogates, which no file can hold. Braces, quotes and brackets are what a reader trips over.
words = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(' "\\[]{}()%;$*!?\n'), max_size=30)
# A clock command would be taken out of a comment, rightly; see the tests of the clock.
comments = words.map(clean_comment).filter(lambda text: text and "[%" not in text)


def played(start: Position, picks: list[int]) -> list[Position]:
    """The start and the positions of a game that picks a legal move by each number."""
    positions = [start]
    for pick in picks:
        moves = positions[-1].legal_moves
        if not len(moves):
            break
        positions.append(positions[-1].play(moves[pick % len(moves)]))
    return positions


@st.composite
def sparse(draw: st.DrawFn, book: Rulebook) -> Position:
    """A few pieces, mostly kings, that mostly can capture each other."""
    squares = draw(st.lists(st.sampled_from(book.geometry.squares), min_size=2, max_size=12, unique=True))
    kinds = draw(st.lists(st.sampled_from(Piece), min_size=len(squares), max_size=len(squares)))
    turn = draw(st.sampled_from(Color))
    try:
        return Position.of(Setup(dict(zip(squares, kinds, strict=True)), turn), book)
    except IllegalSetup:
        assume(False)
        raise


@st.composite
def any_positions(draw: st.DrawFn) -> Position:
    book = draw(books)
    if draw(st.booleans()):
        return draw(sparse(book))
    return played(Position.start(book), draw(choices))[-1]


@st.composite
def clocks(draw: st.DrawFn) -> Clock | None:
    white, black = draw(times), draw(times)
    runs = [None] + [Color.WHITE] * (white is not None) + [Color.BLACK] * (black is not None)
    clock = Clock(draw(times), white, black, draw(st.sampled_from(runs)), draw(times))
    return None if clock == Clock() else clock


def marks(book: Rulebook) -> st.SearchStrategy[tuple[Mark, ...]]:
    squares = st.sampled_from(book.geometry.squares)
    colors = st.sampled_from(["green", "red", "yellow", "blue"])
    return st.lists(st.builds(Mark, squares, st.none() | squares, colors), max_size=4).map(tuple)


@st.composite
def lines(draw: st.DrawFn, record: Record, picks: list[int], depth: int) -> tuple[Node, ...]:
    """A line of play after the moves of a record, in which every move may have annotations."""
    nodes = []
    for pick in picks:
        moves = [move for move in record.position.legal_moves if not rests(record, move)]
        if not moves:
            break
        annotated = draw(st.integers(0, 5)) == 0
        variations = []
        if depth and annotated:
            for _ in range(draw(st.integers(0, 2))):
                inner = draw(lines(record, draw(st.lists(st.integers(0, 255), max_size=4)), depth - 1))
                variations.append(Variation(inner, tuple(draw(st.lists(comments, max_size=2)))))
        move = moves[pick % len(moves)]
        if annotated:
            nags = tuple(draw(st.lists(st.integers(0, 255), max_size=3)))
            remarks = tuple(draw(st.lists(comments, max_size=2)))
            pointed = draw(marks(record.rulebook))
            nodes.append(Node(move, nags, remarks, draw(clocks()), tuple(variations), pointed))
        else:
            nodes.append(Node(move))
        record = record.play(move)
    return tuple(nodes)


results = st.sampled_from(["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*", "1+ - 1-"]).map(Result)
tag_names = st.from_regex(r"[A-Z][A-Za-z0-9_]{0,9}", fullmatch=True)
tags = st.dictionaries(
    st.sampled_from(["Event", "Site", "Date", "White", "Black", "Round"]) | tag_names, words
)


@st.composite
def annotated_games(draw: st.DrawFn) -> PdnGame:
    book = draw(books)
    start = draw(sparse(book)) if draw(st.booleans()) else Position.start(book)
    moves = draw(lines(Record(start), draw(st.lists(st.integers(0, 255), max_size=25)), 2))
    return PdnGame(draw(tags), start, moves, draw(results), tuple(draw(st.lists(comments, max_size=2))))
