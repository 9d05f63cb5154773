"""A document as PDF: A4, real text in embedded fonts, boards as vectors, numbered pages."""

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER, TA_RIGHT
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfmetrics import getFont, registerFont, registerFontFamily, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    FrameBreak,
    KeepInFrame,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

from damas.paper.document import (
    Block,
    Card,
    Cards,
    Code,
    Diagram,
    Diploma,
    Document,
    Field,
    Grid,
    Heading,
    Items,
    MoveTable,
    NoteLine,
    Text,
    Together,
    word,
)
from damas.paper.vector import FONT as BOLD
from damas.paper.vector import Picture

PLAIN = "damas-plain"
"""Name of the font for running text."""
FONTS = {PLAIN: "DejaVuSansCondensed.ttf", BOLD: "DejaVuSansCondensed-Bold.ttf"}
WRITING = threading.Lock()
"""Held while a file is written: the library's fonts are shared, and remember which signs a file uses."""
MARGIN, TOP, BOTTOM = 15 * mm, 13 * mm, 15 * mm
"""Margins of a page; the footer stands in the bottom one."""
GAP = 6 * mm
"""Space between two columns, and between fields and diagram."""
HEAD_DIAGRAM, DIAGRAM = 46 * mm, 33 * mm
"""Side of the diagram in the head, and of one in the body."""
SMALLER_DIAGRAMS = (30 * mm, 27 * mm)
"""Other sides of diagrams in the body."""
FEW_LINES = 100 * mm
"""A last page that is filled no further down than this should be saved."""
SIGNING = 13 * mm
"""Height of the lines to sign on."""
MOVE_LINE = 5.75 * mm
"""Height of a line of a score sheet: enough to write in by hand."""
CODE = 26 * mm
"""Side of a QR code."""
CARD_MARGIN = 4 * mm
DIPLOMA_MARGIN = 28 * mm
CROWDED_COLUMNS = 16
"""A table with more columns is written smaller."""
GREY, FAINT, INK = HexColor("#555555"), HexColor("#999999"), HexColor("#222222")

for _name, _file in FONTS.items():
    registerFont(TTFont(_name, str(Path(__file__).parent / "fonts" / _file)))
registerFontFamily(PLAIN, normal=PLAIN, bold=BOLD, italic=PLAIN, boldItalic=BOLD)


EAST_ASIAN = (
    ("HYSMyeongJo-Medium", re.compile("[\\u1100-\\u11ff\\u3130-\\u318f\\uac00-\\ud7af]+")),
    ("HeiseiMin-W3", re.compile("[\\u3040-\\u30ff\\u31f0-\\u31ff\\uff66-\\uff9f]+")),
    ("STSong-Light", re.compile("[\\u2e80-\\u303f\\u3400-\\u9fff\\uf900-\\ufaff\\uff01-\\uff65]+")),
)
"""Fonts that every reader of PDF supplies for Korean, Japanese and Chinese; embedding them would take megabytes."""
BOX = "\u25a1"
"""Printed in place of a letter that none of the fonts has."""
for _name, _ in EAST_ASIAN:
    registerFont(UnicodeCIDFont(_name))


def markup(text: str) -> str:
    """A text as the markup of a paragraph: East Asian letters in their own fonts, a box for a letter in no font."""
    written = escape(text)
    if written.isascii():
        return written
    for name, letters in EAST_ASIAN:
        written = letters.sub(rf'<font name="{name}">\g<0></font>', written)
    return "".join(letter if _is_known(letter) else BOX for letter in written)


def _is_known(letter: str) -> bool:
    return _is_embedded(letter) or any(letters.fullmatch(letter) for _, letters in EAST_ASIAN)


def _is_embedded(letter: str) -> bool:
    font: Any = getFont(PLAIN)  # reportlab declares no type with a `face`
    return letter.isspace() or ord(letter) in font.face.charToGlyph


def _style(name: str, size: float, **options: Any) -> ParagraphStyle:
    return ParagraphStyle(
        name, fontName=options.pop("font", PLAIN), fontSize=size, leading=1.28 * size, **options
    )


STYLES = {
    "title": _style("title", 17, font=BOLD, spaceAfter=2 * mm),
    "subtitle": _style("subtitle", 10, spaceAfter=2 * mm, textColor=GREY),
    "heading": _style("heading", 9.5, font=BOLD, spaceBefore=2.4 * mm, spaceAfter=0.8 * mm),
    "text": _style("text", 8.8, spaceAfter=1.2 * mm),
    "strong": _style("strong", 10.5, font=BOLD, spaceAfter=1.5 * mm),
    "reading": _style("reading", 8, leftIndent=3 * mm, spaceAfter=1.4 * mm, textColor=HexColor("#333333")),
    "small": _style("small", 7.5, spaceAfter=1 * mm, wordWrap="CJK"),
    "caption": _style("caption", 8, textColor=GREY),
    "label": _style("label", 7.5, textColor=GREY),
    "value": _style("value", 9.5),
}


def pdf(document: Document, *more: Document) -> bytes:
    """One document, or several one after the other, as a PDF file; the same documents give the same bytes.

    Diagrams are a little smaller where that saves a last page with only a few lines.
    """
    documents = (document, *more)
    first, pages, filled = built(documents, DIAGRAM)
    if pages > 1 and filled < FEW_LINES and not more:
        for side in SMALLER_DIAGRAMS:
            smaller, fewer, _ = built(documents, side)
            if fewer < pages:
                return smaller
    return first


def built(documents: Sequence[Document], diagram: float) -> tuple[bytes, int, float]:
    """The file, its pages, and how far down the last one is filled, in points; a second column counts as full."""
    data = BytesIO()
    template = _Template(data, documents)
    flowables: list[Flowable] = []
    for number, document in enumerate(documents):
        if number:
            flowables += [NextPageTemplate(f"first {number}"), PageBreak()]
        if not document.bare:
            flowables += _head(document)
        flowables += [*template.after_head(number), *_body(document, diagram)]
        if not all(map(_is_embedded, "".join(each.value for each in document.fields))):
            flowables.append(Paragraph(markup(word("no_glyphs", document.language)), STYLES["small"]))
    with WRITING:
        template.build(flowables, canvasmaker=_NumberedCanvas)
    return data.getvalue(), template.page, template.filled


class _NumberedCanvas(Canvas):
    """Keeps the pages until their number is known, then writes the footer of each."""

    document: Document

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._pages: list[dict[str, Any]] = []

    def showPage(self) -> None:  # noqa: N802 (the library's name)
        self._pages.append(dict(self.__dict__))
        self._startPage()  # type: ignore[attr-defined]

    def save(self) -> None:
        for number, page in enumerate(self._pages, start=1):
            self.__dict__.update(page)
            self._footer(number)
            super().showPage()
        super().save()

    def _footer(self, number: int) -> None:
        document, y = self.document, 8 * mm
        if document.bare:
            return
        self.setFont(PLAIN, 7.5)
        self.setFillColor(GREY)
        self.drawString(MARGIN, y, _shortened(f"damas · {document.footer}", 7.5, _width(document) - 35 * mm))
        pages = word("page", document.language, page=number, pages=len(self._pages))
        self.drawRightString(MARGIN + _width(document), y, pages)


class _Template(BaseDocTemplate):
    """The pages: on the first, the head over the columns; on the others, columns alone; lines to sign at the bottom."""

    def __init__(self, data: BytesIO, documents: Sequence[Document]) -> None:
        first = documents[0]
        super().__init__(
            data,
            pagesize=_page(first),
            title=f"{first.title} · {first.footer}",
            author="damas",
            creator="damas",
            lang=first.language,
            invariant=1,
        )
        self.filled = 0.0
        for number, document in enumerate(documents):
            self.addPageTemplates(list(self._pages(document, number)))

    def _pages(self, document: Document, number: int) -> Iterator[PageTemplate]:
        """The first page of a document and the later ones."""
        size, sign = _page(document), partial(_sign, document)
        floor = BOTTOM + (SIGNING if document.signatures else 0)
        room = size[1] - TOP - floor
        if document.bare:
            frames = [Frame(MARGIN, MARGIN, _width(document), size[1] - 2 * MARGIN, *(0,) * 4)]
            yield PageTemplate(f"first {number}", frames, onPage=sign, pagesize=size)
            yield PageTemplate(f"later {number}", frames, onPage=sign, pagesize=size)
            return
        head = min(room / 2, _height(_head(document), _width(document)))
        top = Frame(MARGIN, size[1] - TOP - head, _width(document), head, *(0,) * 4, id="head")
        first = [top, *self._columns(document, floor, room - head - 2 * mm)]
        later = self._columns(document, floor, room)
        yield PageTemplate(f"first {number}", first, onPage=sign, pagesize=size)
        yield PageTemplate(f"later {number}", later, onPage=sign, pagesize=size)

    def _columns(self, document: Document, floor: float, height: float) -> list[Frame]:
        count = document.columns
        width = (_width(document) - (count - 1) * GAP) / count
        return [Frame(MARGIN + n * (width + GAP), floor, width, height, *(0,) * 4) for n in range(count)]

    def afterPage(self) -> None:  # noqa: N802 (the library's name)
        frame: Any = self.frame  # only private names say where it is and how full
        in_first_column = self.frame is self.pageTemplate.frames[0]
        self.filled = frame._y2 - frame._y if in_first_column else A4[1]

    def after_head(self, number: int) -> list[Flowable]:
        """What leads from the head of a document to its first column."""
        bare = self.pageTemplates[2 * number].frames[0].id != "head"
        return [NextPageTemplate(f"later {number}"), *([] if bare else [FrameBreak()])]


def _sign(document: Document, canvas: Canvas, _: Any) -> None:
    """The lines to sign on; the canvas is told whose page it is."""
    canvas.document = document  # type: ignore[attr-defined]
    names = document.signatures
    if not names:
        return
    width = (_width(document) - (len(names) - 1) * GAP) / len(names)
    canvas.saveState()
    canvas.setFont(PLAIN, 7.5)
    canvas.setFillColor(GREY)
    canvas.setLineWidth(0.5)
    for n, name in enumerate(names):
        x, y = MARGIN + n * (width + GAP), BOTTOM + 3.5 * mm
        canvas.line(x, y, x + width, y)
        canvas.drawString(x, y - 3 * mm, name)
    canvas.restoreState()


def _page(document: Document) -> tuple[float, float]:
    """Width and height of the pages of a document."""
    return landscape(A4) if document.landscape else A4


def _width(document: Document) -> float:
    """Width between the margins."""
    return _page(document)[0] - 2 * MARGIN


def _height(flowables: Iterable[Flowable], width: float) -> float:
    return sum(
        flowable.wrap(width, A4[1])[1] + flowable.getSpaceBefore() + flowable.getSpaceAfter()
        for flowable in flowables
    )


# Head


def _head(document: Document) -> list[Flowable]:
    flowables: list[Flowable] = [Paragraph(markup(document.title), STYLES["title"])]
    if document.subtitle:
        flowables.append(Paragraph(markup(document.subtitle), STYLES["subtitle"]))
    if document.diagram is None:
        flowables.append(_fields(document.fields, A4[0] - 2 * MARGIN))
        return flowables
    width = A4[0] - 2 * MARGIN - HEAD_DIAGRAM - GAP
    picture: list[Flowable] = [Picture(document.diagram.svg, HEAD_DIAGRAM)]
    if document.diagram.caption:
        picture.append(Paragraph(markup(document.diagram.caption), STYLES["caption"]))
    columns = [width + GAP, HEAD_DIAGRAM]
    flowables.append(
        Table(
            [[_fields(document.fields, width), picture]],
            columns,
            style=[*_TIGHT, ("VALIGN", (0, 0), (-1, -1), "TOP")],
        )
    )
    return flowables


_TIGHT = [(f"{side}PADDING", (0, 0), (-1, -1), 0) for side in ("LEFT", "RIGHT", "TOP", "BOTTOM")]


def _fields(fields: Iterable[Field], width: float) -> Table:
    """The fields, two narrow ones side by side, each over a line."""
    rows: list[list[Any]] = []
    style: list[tuple[Any, ...]] = [*_TIGHT, ("VALIGN", (0, 0), (-1, -1), "BOTTOM")]
    gap = 3 * mm
    half = (width - gap) / 2
    for field in fields:
        if field.wide or not rows or rows[-1][2] is not None or rows[-1][1] is None:
            rows.append([_field(field), "", None])
        else:
            rows[-1][2] = _field(field)
        last = len(rows) - 1
        if field.wide:
            style += [("SPAN", (0, last), (-1, last)), ("LINEBELOW", (0, last), (-1, last), 0.4, FAINT)]
            rows[-1][2] = ""
        else:
            column = 0 if rows[-1][2] is None else 2
            style.append(("LINEBELOW", (column, last), (column, last), 0.4, FAINT))
    cells = [["" if cell is None else cell for cell in row] for row in rows]
    style.append(("TOPPADDING", (0, 0), (-1, -1), 1.0 * mm))
    return Table(cells, [half, gap, half], style=style)


def _field(field: Field) -> Flowable:
    """A label and its value on one line, as long as the value fits; a long value takes several lines."""
    label = f'<font size="7.5" color="#555555">{markup(field.label)}</font>' if field.label else ""
    style = STYLES["value"] if field.label else STYLES["caption"]
    breakable = ParagraphStyle("field", style, wordWrap=None, splitLongWords=1)
    return Paragraph(f"{label}&nbsp;&nbsp;{markup(field.value)}" if label else markup(field.value), breakable)


# Body


def _body(document: Document, diagram: float) -> list[Flowable]:
    columns = document.columns
    width = (_width(document) - (columns - 1) * GAP) / columns
    return [flowable for block in document.body for flowable in _block(block, width, diagram)]


def _block(block: Block, width: float, diagram: float) -> Iterator[Flowable]:
    if isinstance(block, Heading):
        yield Paragraph(markup(block.text), ParagraphStyle("kept", STYLES["heading"], keepWithNext=1))
    elif isinstance(block, Text):
        label = f'<font name="{BOLD}">{markup(block.label)}:</font> ' if block.label else ""
        yield Paragraph(label + markup(block.text), STYLES[block.style])
    elif isinstance(block, Items):
        bullet = ParagraphStyle(
            "item", STYLES["text"], leftIndent=4 * mm, bulletIndent=0, bulletFontName=PLAIN
        )
        yield from (Paragraph(markup(text), bullet, bulletText="•") for text in block.texts)
    elif isinstance(block, Diagram):
        yield _diagram(block, width, diagram)
    elif isinstance(block, MoveTable):
        yield _moves(block, width)
    elif isinstance(block, Grid):
        yield _grid(block, width)
    elif isinstance(block, Code):
        yield Picture(block.svg, CODE)
    elif isinstance(block, Cards):
        yield from _cards(block, width, diagram)
    elif isinstance(block, Diploma):
        yield _DiplomaPage(block)
    elif isinstance(block, Together):
        yield KeepTogether([flowable for inner in block.blocks for flowable in _block(inner, width, diagram)])


def _diagram(diagram: Diagram, width: float, side: float) -> Flowable:
    caption = Paragraph(markup(diagram.caption), STYLES["caption"])
    columns = [side + 3 * mm, width - side - 3 * mm]
    style = [*_TIGHT, ("VALIGN", (0, 0), (-1, -1), "MIDDLE"), ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5 * mm)]
    return Table([[Picture(diagram.svg, side), caption]], columns, style=style)


def _moves(table: MoveTable, width: float) -> Flowable:
    """The lines of a score sheet; a long capture is written smaller, then on several lines."""
    number, first, second, clock = table.titles
    narrow, time = 8.5 * mm, 14 * mm if table.timed else 0
    move = (width - narrow - 2 * time) / 2
    rows: list[list[Any]] = [
        [number, first, clock, second, clock] if table.timed else [number, first, second]
    ]
    heights, notes = [MOVE_LINE], []
    for line in table.lines:
        if isinstance(line, NoteLine):
            note = Paragraph(markup(line.note), _style("move", 7.5))
            heights.append(max(MOVE_LINE, note.wrap(width - 2 * mm, A4[1])[1] + 1 * mm))
            notes.append(("SPAN", (0, len(rows)), (-1, len(rows))))
            rows.append([note, *[""] * (len(rows[0]) - 1)])
            continue
        texts = [_move(half.text, move - 2 * mm) for half in (line.first, line.second)]
        heights.append(max(MOVE_LINE, *(text.wrap(move - 2 * mm, A4[1])[1] + 1 * mm for text in texts)))
        times = (line.first.time, line.second.time)
        pairs = zip(texts, times, strict=True)
        rows.append([str(line.number), *(cell for pair in pairs for cell in pair[: 1 + table.timed])])
    style: list[tuple[Any, ...]] = [
        ("GRID", (0, 0), (-1, -1), 0.4, FAINT),
        ("FONT", (0, 0), (-1, 0), BOLD, 7.5),
        ("FONT", (0, 1), (-1, -1), PLAIN, 8),
        ("TEXTCOLOR", (0, 1), (0, -1), GREY),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ("LEFTPADDING", (0, 0), (-1, -1), 1 * mm),
        ("RIGHTPADDING", (0, 0), (-1, -1), 1 * mm),
        ("TOPPADDING", (0, 0), (-1, -1), 0),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 0),
        ("BACKGROUND", (0, 0), (-1, 0), HexColor("#eeeeee")),
        *notes,
    ]
    widths = [narrow, move, time, move, time] if table.timed else [narrow, move, move]
    return Table(rows, widths, heights, style=style, repeatRows=1)


def _grid(grid: Grid, width: float) -> Flowable:
    """A table; a text that is too long for its cell is broken."""
    total = sum(grid.widths)
    widths = [width * share / total for share in grid.widths]
    crowded = len(grid.widths) > CROWDED_COLUMNS
    plain = _style("cell", 6.5 if crowded else 8.8)
    strong = _style("title cell", 6.0 if crowded else 8.0, font=BOLD)
    side = 0.4 * mm if crowded else 1.2 * mm
    right = [ParagraphStyle(f"right {style.name}", style, alignment=TA_RIGHT) for style in (plain, strong)]

    def cells(texts: Iterable[str], styles: tuple[ParagraphStyle, ParagraphStyle]) -> list[Any]:
        return [Paragraph(markup(text), styles[column in grid.right]) for column, text in enumerate(texts)]

    rows = [cells(grid.titles, (strong, right[1])), *(cells(row, (plain, right[0])) for row in grid.rows)]
    padding = 2.6 * mm if grid.tall else 0.9 * mm
    style: list[tuple[Any, ...]] = [
        ("GRID", (0, 0), (-1, -1), 0.4, FAINT),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ("LEFTPADDING", (0, 0), (-1, -1), side),
        ("RIGHTPADDING", (0, 0), (-1, -1), side),
        ("TOPPADDING", (0, 1), (-1, -1), padding),
        ("BOTTOMPADDING", (0, 1), (-1, -1), padding),
        ("BACKGROUND", (0, 0), (-1, 0), HexColor("#eeeeee")),
    ]
    table = Table(rows, widths, style=style, repeatRows=1)
    table.spaceAfter = 2 * mm
    return table


# Cards and diplomas


def _cards(cards: Cards, width: float, diagram: float) -> Iterator[Flowable]:
    """Pages of cards; what is too much for a card is written smaller."""
    height = (A4[1] - 2 * MARGIN - 1) / cards.rows
    share = width / cards.columns
    count = cards.columns * cards.rows
    style: list[tuple[Any, ...]] = [
        *_TIGHT,
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ("INNERGRID", (0, 0), (-1, -1), 0.4, FAINT, None, (2, 2)),
        ("BOX", (0, 0), (-1, -1), 0.4, FAINT, None, (2, 2)),
    ]
    for start in range(0, len(cards.cards), count):
        page: list[Any] = [_card(card, share, height, diagram) for card in cards.cards[start : start + count]]
        page += [""] * (-len(page) % cards.columns)
        rows = [page[place : place + cards.columns] for place in range(0, len(page), cards.columns)]
        yield Table(rows, [share] * cards.columns, [height] * len(rows), style=style, hAlign="LEFT")


def _card(card: Card, width: float, height: float, diagram: float) -> Flowable:
    room = width - 2 * CARD_MARGIN
    own = room - CODE - 2 * mm if card.code else room
    head = [flowable for block in card.head for flowable in _block(block, own, diagram)]
    if card.code:
        style = [*_TIGHT, ("VALIGN", (0, 0), (-1, -1), "MIDDLE"), ("ALIGN", (1, 0), (1, 0), "RIGHT")]
        code = Picture(card.code.svg, CODE)
        head = [Table([[head, code]], [own, room - own], style=style, hAlign="LEFT")]
    blocks = [flowable for block in card.blocks for flowable in _block(block, room, diagram)]
    content = KeepInFrame(room, height - 2 * CARD_MARGIN, [*head, *blocks], mode="shrink")
    margins = [
        (f"{side}PADDING", (0, 0), (-1, -1), CARD_MARGIN) for side in ("LEFT", "RIGHT", "TOP", "BOTTOM")
    ]
    return Table([[content]], [width], style=margins)


class _DiplomaPage(Flowable):
    """A diploma: a double frame with squares of a board in its corners, and centred lines."""

    def __init__(self, diploma: Diploma) -> None:
        super().__init__()
        self._diploma = diploma

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """The whole page."""
        self.width, self.height = width, height
        return width, height

    def draw(self) -> None:
        """Paint the frame, then the lines in the middle of it, then the signatures."""
        canvas, width, height = self.canv, self.width, self.height
        canvas.saveState()
        canvas.setStrokeColor(INK)
        for inset, line in ((0, 2.2), (2.2 * mm, 0.6)):
            canvas.setLineWidth(line)
            canvas.rect(inset, inset, width - 2 * inset, height - 2 * inset)
        canvas.setFillColor(INK)
        square = 4 * mm
        for right in (False, True):
            for top in (False, True):
                for column, row in ((0, 0), (1, 1), (2, 0), (0, 2)):
                    x, y = 5 * mm + column * square, 5 * mm + row * square
                    canvas.rect(
                        width - x - square if right else x,
                        height - y - square if top else y,
                        square,
                        square,
                        stroke=0,
                        fill=1,
                    )
        canvas.restoreState()
        room = width - 2 * DIPLOMA_MARGIN
        lines = KeepInFrame(room, height - 62 * mm, list(self._lines(room)), mode="shrink")
        _, used = lines.wrapOn(canvas, room, height - 62 * mm)
        lines.drawOn(canvas, DIPLOMA_MARGIN, 40 * mm + (height - 58 * mm - used) / 2)
        self._sign(room)

    def _lines(self, room: float) -> Iterator[Flowable]:
        diploma = self._diploma
        for text, size, smallest, bold, space in (
            (diploma.event, 20, 12, False, 7),
            (diploma.title.upper(), 48, 24, True, 9),
            (diploma.before, 14, 10, False, 5),
            (diploma.name, 38, 18, True, 6),
            (diploma.honour, 22, 12, False, 8),
            (diploma.where, 13, 9, False, 0),
        ):
            if text:
                font = BOLD if bold else PLAIN
                fitting = min(size, max(smallest, size * room / max(1, stringWidth(text, font, size))))
                yield Paragraph(markup(text), _style("centred", fitting, font=font, alignment=TA_CENTER))
                yield Spacer(0, space * mm)

    def _sign(self, room: float) -> None:
        canvas, names = self.canv, self._diploma.signatures
        width = min(80 * mm, (room - (len(names) - 1) * 4 * GAP) / max(1, len(names)))
        step = room / max(1, len(names))
        canvas.saveState()
        canvas.setLineWidth(0.6)
        canvas.setFillColor(GREY)
        canvas.setFont(PLAIN, 9)
        for place, name in enumerate(names):
            middle = DIPLOMA_MARGIN + step * (place + 0.5)
            canvas.line(middle - width / 2, 24 * mm, middle + width / 2, 24 * mm)
            canvas.drawCentredString(middle, 19.5 * mm, _shortened(name, 9, width))
        canvas.restoreState()


def _move(text: str, width: float) -> Paragraph:
    """A move in the largest size that fits a line; one that is still too long is broken after a jump."""
    size = next((size for size in (9.5, 8.5, 7.5, 6.5) if stringWidth(text, PLAIN, size) <= width), 6.5)
    lines = [""]
    for jump in re.findall(r".+?(?:[x-]|\s|$)", text):
        if stringWidth(lines[-1] + jump, PLAIN, size) > width:
            lines.append("")
        lines[-1] += jump
    return Paragraph("<br/>".join(map(markup, lines)), _style("move", size))


def _shortened(text: str, size: float, width: float) -> str:
    """The text, or as much of its beginning as fits."""
    if stringWidth(text, PLAIN, size) <= width:
        return text
    while text and stringWidth(text + "…", PLAIN, size) > width:
        text = text[:-1]
    return text + "…"
