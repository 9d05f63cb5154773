"""Shows a game in the terminal: a board with notes, plain lines for a pipe, or text only for screen readers."""

import re
import shutil
import textwrap
from collections.abc import Iterator
from itertools import islice, zip_longest

from damas.arbiter import Table
from damas.arbiter.conduct import whole_capture
from damas.board import Color, Piece
from damas.cli import page
from damas.cli.playing.commands import command_words
from damas.drawing import unicode_board
from damas.drawing.view import View
from damas.judging.history import is_shown
from damas.language import rulebook_word, sentence

_ANSI = re.compile(r"\033\[[0-9;]*[A-Za-z]")
_CLEAR = "\033[H\033[J"
_SIGNS = {"white": "○", "black": "●", "turn": "◂", "item": "·"}
LETTERS = {"white": "w", "black": "b", "turn": "<", "item": "*"}
"""Replacements for terminals that cannot display them."""
_ITEMS = tuple(f"{signs['item']} " for signs in (_SIGNS, LETTERS))
MIN_NOTES_WIDTH = 26
"""Columns needed to print the notes beside the board; otherwise they go below it."""
_MAX_COUNTS = 3
_PROMPT_ROWS = 2


class Screen:
    """Displays a table. `style` is `full` (a terminal, redrawn each time), `lines` (scrolling text) or `words`."""

    def __init__(self, style: str, language: str, bottom: Color) -> None:
        self.style = style
        self.language = language
        self.bottom = bottom
        self.names: dict[Color, str] = {}
        """Display names of the players."""
        self._commands = command_words(language)
        self._plain = not page.can_show("│○●◂·")
        self._signs = LETTERS if self._plain else _SIGNS
        self._drawn: object = None

    def word(self, key: str, **facts: object) -> str:
        """Return a sentence of the catalogue; `{say[accept]}` in it becomes the word to type."""
        return sentence(f"play.{key}", self.language, say=self._commands, **facts)

    def color(self, color: Color) -> str:
        """The word for a colour."""
        return sentence(f"color.{color.value}", self.language)

    def show(self, table: Table, now: int, message: str) -> None:
        """Print the table and a message."""
        paragraphs = _paragraphs(message)
        if self.style == "words":
            print("\n".join([*paragraphs, *map(page.paragraph, self._news(table, now))]))
            return
        picture = list(self._beside(self._board(table), list(self._notes(table, now))))
        lines = ["", *picture, *(["", *paragraphs] if paragraphs else [])]
        too_long = self.style == "full" and len(lines) + _PROMPT_ROWS > page.rows()
        drawn = self._is_drawn(table, picture)
        if paragraphs and (too_long or drawn):
            lines = ["", *paragraphs]
        print((_CLEAR if self.style == "full" else "") + "\n".join(lines))

    def _is_drawn(self, table: Table, picture: list[str]) -> bool:
        """Whether scrolling output has just shown this state, ignoring clocks."""
        now = picture if table.clocks.control.budget is None else (table.position, table.events[-1])
        drawn, self._drawn = self._drawn, now
        return self.style != "full" and drawn == now

    def say(self, message: str) -> None:
        """Print a message without the board."""
        if message:
            print("\n".join(["", *_paragraphs(message)]))

    def prompt(self, table: Table) -> str:
        """The text before what the player types."""
        if table.outcome or table.suspended:
            return "\n> "
        return f"\n{table.move_number}. {self.color(table.awaited)}> "

    # The board

    def _board(self, table: Table) -> list[str]:
        record = table.game.record
        last_route = record.move(record.length).route if record.length else ()
        color = self.style == "full" and page.is_terminal()
        picture = unicode_board(
            table.position.draw(),
            orientation=self.bottom,
            ascii=self._plain,
            color=color,
            last_move=last_route,
        )
        return picture.split("\n")

    def _beside(self, board: list[str], notes: list[str]) -> Iterator[str]:
        board_width = max(_width(line) for line in board)
        columns = shutil.get_terminal_size((80, 24)).columns - board_width - 4
        if columns < MIN_NOTES_WIDTH:
            yield from (f" {line}" for line in board)
            yield from ("", *(f" {line}" for line in _wrapped(notes, page.width() - 2)))
            return
        beside = _wrapped(notes, min(columns, 60))
        for left, right in zip_longest(board, beside, fillvalue=""):
            yield f" {left}{' ' * (board_width - _width(left))}   {right}".rstrip()

    def _notes(self, table: Table, now: int) -> Iterator[str]:
        """Yield the lines beside the board."""
        yield (
            page.heading(rulebook_word(table.book.id, self.language))
            + f" {self._signs['item']} {self.word('move', number=table.move_number)}"
        )
        yield ""
        for side in (self.bottom.other, self.bottom):
            turn = f" {self._signs['turn']}" if table.awaited is side and not table.outcome else ""
            yield f"{self._signs[side.value]} {self._player(table, side, now)}{turn}"
        yield ""
        yield from self._state(table)

    def _player(self, table: Table, side: Color, now: int) -> str:
        left = table.clock(now).remaining(side)
        clock = f"  {_time(left)}" if left is not None else ""
        white_men, white_kings, black_men, black_kings = table.position.counts
        men, kings = (white_men, white_kings) if side is Color.WHITE else (black_men, black_kings)
        pieces = self.word("pieces", men=men, kings=kings) if kings else self.word("men", men=men)
        return f"{self.color(side)}, {self.names.get(side, '')}  {pieces}{clock}"

    def _state(self, table: Table) -> Iterator[str]:
        """Yield the last move, running counts, open offers and obligations."""
        record = table.game.record
        if record.length:
            number = table.stretches[-1].move_number(record.length)
            starts = record.mover(record.length) is table.book.first_to_move
            move = f"{number}{'.' if starts else '...'} {record.move(record.length).text}"
            yield self.word("last", move=move)
        if not table.outcome:
            yield from (f"{self._item}{text}" for text in self._pending_lines(table))

    @property
    def _item(self) -> str:
        return "" if self.style == "words" else f"{self._signs['item']} "

    def _pending_lines(self, table: Table) -> Iterator[str]:
        """Yield running counts, open claims and offers, a touched piece, what is done by hand, an unfinished capture."""
        for count in islice(filter(is_shown, table.progress()), _MAX_COUNTS):
            yield count.sentence(self.language)
        yield from self.claims(table)
        if table.offer:
            yield self.word("offered", color=self.color(table.offer))
        if table.take_back:
            yield self.word("take_back", color=self.color(table.take_back))
        if table.touched:
            yield self.word("touched", square=table.book.shown(table.touched))
        for side in sorted(table.adjusting, key=lambda side: side.value):
            yield self.word("adjusting", color=self.color(side))
        if table.lifting:
            yield self.word("lifting", color=self.color(table.awaited), count=len(table.lifting))
        elif table.crowning:
            square = table.book.shown(table.crowning)
            yield self.word("crowning", color=self.color(table.to_move), square=square)
        if table.chain:
            key = "must_complete" if table.chain.demanded else "unfinished"
            cited = (whole_capture(table, table.chain.route[0]), table.regulation.cite("unfinished_chain"))
            article = "; ".join(citation.sentence(self.language) for citation in cited)
            yield self.word(key, color=self.color(table.chain.by), move=table.chain.move, article=article)

    def claims(self, table: Table) -> Iterator[str]:
        """Yield each limit that can be claimed, or attention called to, with the command that does so."""
        for claim in table.claims_open():
            yield f"{claim.sentence(self.language)}: {self._commands[claim.kind]}"

    # In words

    def _news(self, table: Table, now: int) -> Iterator[str]:
        if self._is_drawn(table, list(self._state(table))):
            return
        yield from self._state(table)
        if not table.outcome:
            yield self.word("turn", number=table.move_number, color=self.color(table.awaited))
        left = None if table.outcome else table.clock(now).remaining(table.awaited)
        if left is not None:
            yield self.word("time", time=_time(left))

    def pieces(self, table: Table) -> str:
        """List the squares of every piece."""
        view = View.of(table.position.draw(), self.bottom, "rulebook")
        lines = []
        for side in Color:
            groups = []
            for kind, piece in (("men_on", Piece(side.letter.lower())), ("kings_on", Piece(side.letter))):
                squares = view.in_order(
                    square for square, here in view.drawing.pieces.items() if here is piece
                )
                if squares:
                    listed = ("; " if "," in squares[0] else ", ").join(squares)
                    groups.append(self.word(kind, count=len(squares), squares=listed))
            text = "; ".join(groups) or self.word("nothing")
            lines.append(f"{self.color(side)[0].upper()}{self.color(side)[1:]}: {text}.")
        return "\n".join(lines)


def _paragraphs(message: str) -> list[str]:
    """Wrap a message; its line breaks are kept, and indented lines are not wrapped."""
    lines = []
    for line in message.split("\n") if message else ():
        lines += [line] if line.startswith("  ") else page.paragraph(line).split("\n")
    return lines


def _width(line: str) -> int:
    return len(_ANSI.sub("", line))


def _wrapped(lines: list[str], width: int) -> list[str]:
    wrapped: list[str] = []
    for line in lines:
        if _width(line) <= width:
            wrapped.append(line)
        else:
            indent = "  " if line.startswith(_ITEMS) else ""
            wrapped += textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False)
    return wrapped


def _time(ms: int) -> str:
    seconds = ms // 1000
    if seconds < 10:
        return f"0:{seconds:02}.{ms % 1000 // 100}"
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"
