"""A document to print, as plain values: the page of the browser and the PDF show the same ones."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from damas.board import Color
from damas.drawing import Drawing, svg
from damas.drawing.layout import CANVAS
from damas.drawing.palette import on_paper
from damas.language import sentence
from damas.rules import Rulebook
from damas.rules.about import about
from damas.rules.library import is_builtin

LABEL_SHARE = 0.34
"""Height of the names of squares, in squares."""
QUIET_ZONE = 4
"""White squares around a code, as scanners want them."""
MAX_NAME = 120
"""Characters of a name, event or place that are printed."""


@dataclass(frozen=True)
class Field:
    """A named entry of the head; without a value, a line to write on."""

    label: str
    value: str = ""
    wide: bool = False
    """Whether it has the whole width of the head and not half of it."""


@dataclass(frozen=True)
class Diagram:
    """A picture of a board, as SVG in the colours of paper."""

    kind: ClassVar = "diagram"
    svg: str
    caption: str = ""

    @classmethod
    def of(cls, drawing: Drawing, caption: str = "", **options: Any) -> "Diagram":
        """A drawing on paper, where the names of squares must be read at a few centimetres; options as for `svg`."""
        label = LABEL_SHARE * CANVAS / drawing.geometry.size
        return cls(on_paper(svg(drawing, label=label, **options)), caption)


@dataclass(frozen=True)
class Heading:
    """The title of what follows."""

    kind: ClassVar = "heading"
    text: str


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    kind: ClassVar = "text"
    text: str
    style: Literal["text", "strong", "reading", "small"] = "text"
    label: str = ""
    """Words in bold before it."""


@dataclass(frozen=True)
class Items:
    """A list, an entry each."""

    kind: ClassVar = "items"
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Move:
    """One half of a line of a score sheet: a move and the time on the clock after it."""

    text: str = ""
    time: str = ""


@dataclass(frozen=True)
class MoveLine:
    """A line of a score sheet: number of the move, first and second player."""

    number: int
    first: Move = Move()
    second: Move = Move()


@dataclass(frozen=True)
class NoteLine:
    """A line across a score sheet: what happened between two moves."""

    note: str


@dataclass(frozen=True)
class MoveTable:
    """The moves of a score sheet; `titles` are those of number, first player, second player and clock."""

    kind: ClassVar = "moves"
    titles: tuple[str, str, str, str]
    lines: tuple[MoveLine | NoteLine, ...]
    timed: bool
    """Whether it has columns for the clock."""


@dataclass(frozen=True)
class Grid:
    """A table with a title for each column; a long one goes on with its titles on the next page."""

    kind: ClassVar = "grid"
    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...]
    """Shares of the width."""
    right: tuple[int, ...] = ()
    """Columns aligned to the right."""
    tall: bool = False
    """Whether its rows are high enough to write in by hand."""


@dataclass(frozen=True)
class Code:
    """A QR code that leads to an address, as SVG."""

    kind: ClassVar = "code"
    svg: str

    @classmethod
    def of(cls, address: str) -> "Code":
        """The code of an address; raises `ValueError` where it is too long for one. Needs the extra `web`."""
        import segno

        matrix = segno.make_qr(address, error="m", boost_error=False).matrix
        side = len(matrix) + 2 * QUIET_ZONE
        cells = "".join(
            f"M{x} {y}L{x + 1} {y}L{x + 1} {y + 1}L{x} {y + 1}Z"
            for y, row in enumerate(matrix, start=QUIET_ZONE)
            for x, dark in enumerate(row, start=QUIET_ZONE)
            if dark
        )
        return cls(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}">'
            f'<rect width="{side}" height="{side}" fill="#ffffff"/><path fill="#000000" d="{cells}"/></svg>'
        )


@dataclass(frozen=True)
class Card:
    """A piece of paper to be cut out: a head, beside a code if there is one, and blocks below."""

    head: tuple["Block", ...]
    blocks: tuple["Block", ...] = ()
    code: Code | None = None


@dataclass(frozen=True)
class Cards:
    """Cards of one size that fill pages in columns and rows, with lines to cut along."""

    kind: ClassVar = "cards"
    cards: tuple[Card, ...]
    columns: int
    rows: int


@dataclass(frozen=True)
class Diploma:
    """A page that honours somebody."""

    kind: ClassVar = "diploma"
    event: str
    title: str
    before: str
    """What stands above the name: that it is given to."""
    name: str
    honour: str
    """The place that was reached."""
    where: str
    """Place and date."""
    signatures: tuple[str, ...]


@dataclass(frozen=True)
class Together:
    """Blocks that stay on one page and in one column."""

    kind: ClassVar = "together"
    blocks: tuple["Block", ...]


Block = Heading | Text | Items | MoveTable | Grid | Diagram | Code | Cards | Diploma | Together


@dataclass(frozen=True, kw_only=True)
class Document:
    """What is printed: a head with fields, beside a diagram if there is one, then the body in one or two columns."""

    language: str
    name: str
    """Name of its file without the extension."""
    title: str
    subtitle: str = ""
    fields: tuple[Field, ...] = ()
    diagram: Diagram | None = None
    body: tuple[Block, ...]
    columns: Literal[1, 2] = 1
    signatures: tuple[str, ...] = field(default=())
    """Who signs at the bottom."""
    footer: str
    """Stands at the bottom of every page, beside its number."""
    bare: bool = False
    """Whether the body fills the pages, without head, signatures and footer."""
    landscape: bool = False


def clipped(text: str) -> str:
    """A name as long as the head has room for.

    >>> clipped("Ana"), len(clipped("A" * 1000))
    ('Ana', 120)
    """
    return text if len(text) <= MAX_NAME else text[: MAX_NAME - 1] + "…"


def word(key: str, language: str, **facts: object) -> str:
    """A sentence of `paper.toml`."""
    return sentence(f"paper.{key}", language, **facts)


def side_name(side: Color, language: str) -> str:
    """White or Black, as a heading."""
    return sentence(f"certificate.{side.value}", language)


def rulebook_name(book: Rulebook, language: str) -> str:
    """What people call a rulebook; house rules are called by their id."""
    return about(book.id).name[language] if is_builtin(book) else book.id


def date_words(tag: str, language: str) -> str:
    """The date of a PDN tag as people write it; one that is not known in full keeps its form, with hyphens.

    >>> date_words("2026.11.17", "pt-BR"), date_words("2026.11.??", "pt-BR"), date_words("2026", "pt-BR")
    ('17/11/2026', '2026-11-??', '2026')
    """
    parts = tag.split(".")
    if len(parts) != 3 or not all(part.isdecimal() for part in parts):
        return tag.replace(".", "-")
    year, month, day = parts
    return f"{year}-{month}-{day}" if language == "en" else f"{day}/{month}/{year}"
