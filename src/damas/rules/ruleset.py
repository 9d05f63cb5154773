"""A rulebook as data: every question answered, each answer beside its article."""

from dataclasses import dataclass
from functools import cached_property
from os.path import dirname, join
from typing import Any

from damas.board import Color, Geometry
from damas.rules.clause import Cited, Clause, Statement

FOLDER = join(dirname(dirname(__file__)), "rulebooks")
"""The folder of the built-in rulebooks, one folder each."""


def built_in_file(rulebook_id: str, name: str) -> dict[str, Any]:
    """A parsed TOML file of a built-in rulebook; raises `FileNotFoundError` where there is none."""
    import tomllib  # imported here to keep `import damas` fast

    with open(join(FOLDER, rulebook_id, name), "rb") as file:
        return tomllib.load(file)


@dataclass(frozen=True, kw_only=True)
class DrawRule(Cited):
    """A rule that ends the game by a limit, a repetition, a cycle or its length.

    Its parts, in the sense of `Cited`, are its endings.
    """

    id: str
    rule: str
    articles: tuple[str, ...]
    limit: int
    claim: str
    decides: str
    platform: bool
    """Whether it is a rule of the platform and not of the rulebook."""
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
    """Silent while the side to move must capture."""
    unavoidable: bool = False
    """Silent also while the side to move cannot avoid being captured next."""
    off_during: str = ""
    """Id of the rule, before this one, that silences it while it counts."""


@dataclass(frozen=True, kw_only=True)
class RestRule(Cited):
    """A limit on the moves without capture that one king may make in a row while its side has men."""

    id: str
    articles: tuple[str, ...]
    limit: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Rulebook:
    """A rulebook: an answer to every question of `schema`, without defaults.

    Rulebooks compare by identity; two with the same answers have the same `hash`.
    """

    id: str
    aliases: tuple[str, ...]
    hash: str
    """Hash of every answer; games and certificates name their rules by it."""

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
    """The articles on what every draughts game has, by the keys of `schema.STATEMENTS`."""
    draws: tuple[DrawRule, ...]
    """The rulebook's own draw rules, then the platform's."""
    rests: tuple[RestRule, ...]
    """Rules by which earlier moves forbid a move."""
    source: dict[str, Any]
    """The parsed TOML file."""

    @cached_property
    def geometry(self) -> Geometry:
        """The board."""
        return Geometry(self.size.value, self.squares.value == "all", self.corner.value, self.first_number)

    @cached_property
    def square_names(self) -> tuple[str, ...]:
        """The name of each square in FEN and JSON."""
        return self.geometry.numbers if self.fen_squares == "numbers" else self.geometry.algebraic

    @cached_property
    def move_names(self) -> tuple[str, ...]:
        """The name of each square in moves and in sentences for people."""
        return self.geometry.rows_columns if self.move_text == "rows-columns" else self.square_names

    def shown(self, name: str) -> str:
        """The name for people of a square that FEN calls `name`; any other text unchanged."""
        return self.move_names[self.square_names.index(name)] if name in self.square_names else name

    def statement(self, key: str, *, king: bool = False) -> str:
        """The article on one of `schema.STATEMENTS`, for the man or the king; empty where the text has none."""
        statement = self.statements.get(key)
        return statement.article_of(int(king)) if statement else ""

    @property
    def first_to_move(self) -> Color:
        """The side that begins."""
        return Color(self.starter.value)

    def start_squares(self, color: Color) -> list[int]:
        """The squares of the men of one side at the start."""
        last = self.size.value - 1
        rows = {row - 1 if color is Color.WHITE else last - row + 1 for row in self.men_rows.value}
        return [square for square, (row, _) in enumerate(self.geometry.places) if row in rows]

    def __reduce__(self) -> tuple[object, ...]:
        from damas.rules.library import from_source

        return (from_source, (self.source,))

    def __repr__(self) -> str:
        return f"<Rulebook {self.id}>"
