"""A rulebook as data: every question answered, each answer beside its article."""

from dataclasses import dataclass
from functools import cached_property
from os.path import dirname, join
from typing import Any

from damas.board import Color, Geometry
from damas.rules.clause import Cited, Clause, Statement

FOLDER = join(dirname(dirname(__file__)), "rulebooks")
"""One folder a built-in rulebook."""


@dataclass(frozen=True, kw_only=True)
class DrawRule(Cited):
    """A limit, repetition, cycle or length that ends the game; the record decides when.

    Its parts are its endings, where the text has an article for each of them.
    """

    id: str
    rule: str
    articles: tuple[str, ...]
    limit: int
    claim: str
    decides: str
    platform: bool
    """True where the platform, not the rulebook, ends the game."""
    counts: str = ""
    endings: tuple[str, ...] = ()
    starts: str = "entry"
    lasts: str = "always"
    """`while` in the files."""
    resets: tuple[str, ...] = ()
    pieces: tuple[int, int] | None = None
    pieces_a_side: int | None = None
    kings_on_both_sides: bool = False
    unless_capture: bool = False
    off_during: str = ""


@dataclass(frozen=True, kw_only=True)
class RestRule(Cited):
    """How many simple moves in a row one king may make while its side has men; the record decides which must rest."""

    id: str
    articles: tuple[str, ...]
    limit: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Rulebook:
    """The questions every rulebook must answer. No defaults: silence is not an answer.

    Rulebooks compare by identity; `hash` says whether two say the same.
    """

    id: str
    aliases: tuple[str, ...]
    hash: str
    """Over every answer; a certificate, a table or a network names the rules it obeys by it."""

    size: Clause[int]
    squares: Clause[str]
    corner: Clause[str]
    men_rows: Clause[tuple[int, ...]]
    starter: Clause[str]

    lines: Clause[str]
    capture_lines: Clause[str]
    men_capture_backward: Clause[bool]
    men_capture_kings: Clause[bool]
    flying_king: Clause[bool]
    king_landing: Clause[str]
    promotion: Clause[str]
    removal: Clause[str]
    capture_priority: Clause[tuple[str, ...]]

    agreement: Clause[bool]
    touch_move: Clause[bool]
    invalid_move: Clause[str]
    time_out: Clause[str]
    colours_by_lot: Clause[bool]

    fen_squares: str
    first_number: str
    move_text: str
    gametype: str

    statements: dict[str, Statement]
    """Where the text says what every draughts game has: see `schema.STATEMENTS`."""
    draws: tuple[DrawRule, ...]
    """The rulebook's own, then the platform's."""
    rests: tuple[RestRule, ...]
    """Moves that the moves before them forbid."""
    source: dict[str, Any]
    """The file as it was read."""

    @cached_property
    def geometry(self) -> Geometry:
        return Geometry(self.size.value, self.squares.value == "all", self.corner.value, self.first_number)

    @cached_property
    def square_names(self) -> tuple[str, ...]:
        """As FEN and JSON write the squares."""
        return self.geometry.numbers if self.fen_squares == "numbers" else self.geometry.algebraic

    @cached_property
    def move_names(self) -> tuple[str, ...]:
        """As moves write the squares, and everything said to people."""
        return self.geometry.rows_columns if self.move_text == "rows-columns" else self.square_names

    def shown(self, name: str) -> str:
        """The square of that name in FEN, as people are told of it; any other text as it is."""
        return self.move_names[self.square_names.index(name)] if name in self.square_names else name

    def statement(self, key: str, *, king: bool = False) -> str:
        """The article of what every draughts game has, of the man or of the king; empty where the text has none."""
        found = self.statements.get(key)
        return found.article_of(int(king)) if found else ""

    @property
    def first_to_move(self) -> Color:
        return Color(self.starter.value)

    def start_squares(self, color: Color) -> list[int]:
        """Where the men of one side stand at the start."""
        last = self.size.value - 1
        rows = {row - 1 if color is Color.WHITE else last - row + 1 for row in self.men_rows.value}
        return [square for square, (row, _) in enumerate(self.geometry.places) if row in rows]

    def __reduce__(self) -> tuple[object, ...]:
        from damas.rules.library import again

        return (again, (self.source,))

    def __repr__(self) -> str:
        return f"<Rulebook {self.id}>"
