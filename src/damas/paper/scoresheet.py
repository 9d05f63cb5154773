"""The score sheet on paper: filled in from a game, or blank to be written by hand."""

from collections.abc import Iterator, Mapping, Sequence

from damas.arbiter.table import Table
from damas.drawing import Drawing
from damas.game import Position
from damas.judging.scoresheet import scored_nodes
from damas.judging.stretches import beginning, stretches
from damas.judging.wording import control_words, position_words
from damas.notation import Node, PdnGame
from damas.paper.document import (
    Diagram,
    Document,
    Field,
    Move,
    MoveLine,
    MoveTable,
    NoteLine,
    clipped,
    date_words,
    rulebook_name,
    side_name,
    word,
)
from damas.rules import Rulebook

BLANK_MOVES = 66
"""Lines of a blank sheet: they fill one page."""
UNKNOWN_RESULT = "*"
"""The result of a game that is not over."""


def scoresheet_paper(game: PdnGame, language: str, *, name: str, table: Table | None = None) -> Document:
    """The score sheet of a game, with what its tags say about the event; `name` is that of the file.

    If a position was set up at the `table`, the sheet also has the moves before it, and a line that says so. Without a
    table, comments before the first move stand above it.
    """
    book, tags = game.rulebook, game.tags
    start = table.stretches[0].game.record.start if table else game.start
    lines = _table_lines(table, language) if table else _game_lines(game)
    result = "" if game.result.text == UNKNOWN_RESULT else game.result.text
    last_move = tuple(game.moves[-1].move.route) if game.moves else ()
    players = " – ".join(filter(None, (tags.get("White", ""), tags.get("Black", ""))))
    return _sheet(
        book,
        language,
        name=name,
        tags=tags,
        result=result,
        lines=tuple(lines),
        diagram=Diagram.of(game.final.draw(), word("final", language), last_move=last_move),
        timed=any(_time(node) for node in game.moves),
        footer=players or rulebook_name(book, language),
        start="" if start == Position.start(book) else position_words(start, language),
    )


def blank_scoresheet(book: Rulebook, language: str, tags: Mapping[str, str] | None = None) -> Document:
    """A sheet with empty lines, and an empty board that names the squares; `tags` are what is known of the game."""
    empty = Drawing(book.geometry, book.move_names, {})
    return _sheet(
        book,
        language,
        name=f"damas-{word('scoresheet.file', language)}-{book.id}",
        tags=tags or {},
        result="",
        lines=tuple(MoveLine(number) for number in range(1, BLANK_MOVES + 1)),
        diagram=Diagram.of(empty),
        timed=True,
        footer=rulebook_name(book, language),
    )


def _sheet(
    book: Rulebook,
    language: str,
    *,
    name: str,
    tags: Mapping[str, str],
    result: str,
    lines: tuple[MoveLine | NoteLine, ...],
    diagram: Diagram,
    timed: bool,
    footer: str,
    start: str = "",
) -> Document:
    tags = {name: clipped(value) for name, value in tags.items()}
    first = book.first_to_move
    sides = (first, first.other)
    players = {
        side: Field(side_name(side, language), tags.get(side.value.capitalize(), ""), wide=True)
        for side in sides
    }
    fields = [
        Field(word("event", language), tags.get("Event", ""), wide=True),
        *players.values(),
        Field(word("round", language), tags.get("Round", "")),
        Field(word("table", language), tags.get("Board", "")),
        Field(word("date", language), date_words(tags.get("Date", ""), language)),
        Field(word("time_control", language), control_words(tags.get("TimeControl", ""), language)),
        Field(word("game", language), rulebook_name(book, language)),
        Field(word("result", language), result),
        Field(word("place", language), _place(tags.get("Site", "")), wide=True),
    ]
    if start:
        fields.append(Field(word("start", language), start, wide=True))
    titles = (
        word("number", language),
        *(side_name(side, language) for side in sides),
        word("clock", language),
    )
    return Document(
        language=language,
        name=name,
        title=word("scoresheet.title", language),
        fields=tuple(fields),
        diagram=diagram,
        body=(MoveTable((titles[0], titles[1], titles[2], titles[3]), lines, timed),),
        columns=2,
        signatures=(*(side_name(side, language) for side in sides), word("arbiter", language)),
        footer=footer,
    )


def _place(site: str) -> str:
    """The place of a game; empty, so that it can be filled in by hand, where the tag is only the address of a page."""
    return "" if site.startswith(("http://", "https://")) else site


def _table_lines(table: Table, language: str) -> Iterator[MoveLine | NoteLine]:
    """The moves of every stretch, and a line across the sheet for each position that was set up."""
    for (stretch, following), nodes in zip(stretches(table), scored_nodes(table), strict=True):
        if stretch.begun_by:
            position = position_words(stretch.game.record.start, language)
            yield NoteLine(f"{beginning(stretch, language)}. {position}")
        halves = _halves(nodes)
        if following and following.broken_off:
            halves.append(Move(following.broken_off))
        yield from _lines(halves, stretch.game.record.start, stretch.move)


def _game_lines(game: PdnGame) -> Iterator[MoveLine | NoteLine]:
    """The moves of a record; across the sheet, above them, what it tells of what came before."""
    yield from map(NoteLine, game.foreword)
    yield from _lines(_halves(game.moves), game.start, game.first_number)


def _halves(nodes: Sequence[Node]) -> list[Move]:
    return [Move(node.move.text, _time(node)) for node in nodes]


def _lines(halves: list[Move], start: Position, first_number: int) -> list[MoveLine]:
    """The moves two by two; where the second player begins, the first half of the first line stays empty."""
    if halves and start.turn is not start.rulebook.first_to_move:
        halves.insert(0, Move("…"))
    if len(halves) % 2:
        halves.append(Move())
    pairs = zip(halves[::2], halves[1::2], strict=True)
    return [
        MoveLine(number, first, second) for number, (first, second) in enumerate(pairs, start=first_number)
    ]


def _time(node: Node) -> str:
    """The time left to the player who moved; where none was recorded, the time the move took, with a plus sign."""
    clock = node.clock
    if clock is None:
        return ""
    if clock.left is not None:
        return clock_text(clock.left)
    return f"+{clock_text(clock.spent)}" if clock.spent else ""


def clock_text(ms: int) -> str:
    """A time as a clock shows it.

    >>> clock_text(598_000), clock_text(3_605_999)
    ('9:58', '1:00:05')
    """
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
