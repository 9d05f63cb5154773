"""The cards by which pupils log in: ten on a sheet of A4, with lines to cut along."""

from io import BytesIO

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from damas.language import sentence
from damas.paper import pdf
from damas.paper.cards import Card, Cards

COLUMNS, ROWS = 2, 5
"""Cards beside and below each other."""
WIDTH, HEIGHT = 90 * mm, 54 * mm
"""A card, as large as a visiting card."""
CODE = 34 * mm
"""Side of the QR code, with its quiet zone."""


def cards_pdf(sheet: Cards) -> bytes:
    """The cards as a PDF file; the same cards give the same bytes."""
    data = BytesIO()
    canvas = Canvas(data, pagesize=A4, invariant=1, lang=sheet.language)
    canvas.setTitle(_word("title", sheet.language, title=sheet.title))
    canvas.setAuthor("damas")
    left, top = (A4[0] - COLUMNS * WIDTH) / 2, A4[1] - (A4[1] - ROWS * HEIGHT) / 2
    with pdf.WRITING:
        for place, card in enumerate(sheet.cards):
            row, column = divmod(place % (COLUMNS * ROWS), COLUMNS)
            if place and not row and not column:
                canvas.showPage()
            _draw(canvas, sheet, card, left + column * WIDTH, top - (row + 1) * HEIGHT)
        canvas.save()
    return data.getvalue()


def _draw(canvas: Canvas, sheet: Cards, card: Card, x: float, y: float) -> None:
    canvas.saveState()
    canvas.setDash(2, 2)
    canvas.setStrokeColor(pdf.FAINT)
    canvas.rect(x, y, WIDTH, HEIGHT)
    canvas.restoreState()
    _draw_code(canvas, card.link, x + WIDTH - CODE - 2 * mm, y + HEIGHT - CODE - 2 * mm)
    room = WIDTH - CODE - 8 * mm
    below = y + HEIGHT - 4 * mm
    lines = [
        (f"{sheet.title} · {_word('number', sheet.language, n=card.number)}", "small", 8 * mm),
        (card.name, "strong", 13 * mm),
        (f"{_word('code', sheet.language)}: {sheet.code}", "text", 6 * mm),
        (f"{_word('pin', sheet.language)}: {card.spaced_pin}", "strong", 7 * mm),
    ]
    for text, style, height in lines:
        below = _write(canvas, text, style, x + 4 * mm, below, room, height)
    foot = f"{_word('scan', sheet.language)} {sheet.address}"
    _write(canvas, foot, "small", x + 4 * mm, y + 15 * mm, WIDTH - 8 * mm, 13 * mm)


def _write(canvas: Canvas, text: str, style: str, x: float, top: float, width: float, height: float) -> float:
    """Writes a paragraph that is cut off where it has no room; where the next one begins."""
    paragraph = Paragraph(pdf.markup(text), pdf.STYLES[style])
    while paragraph.wrap(width, height)[1] > height and len(text) > 1:
        text = text[:-2].rstrip() + "…"
        paragraph = Paragraph(pdf.markup(text), pdf.STYLES[style])
    used = paragraph.wrap(width, height)[1]
    paragraph.drawOn(canvas, x, top - used)
    return top - used - 1.5 * mm


def _draw_code(canvas: Canvas, link: str, x: float, y: float) -> None:
    import segno

    matrix = [list(row) for row in segno.make_qr(link, error="m", boost_error=False).matrix_iter(border=2)]
    module = CODE / len(matrix)
    canvas.setFillColorRGB(0, 0, 0)
    for row, dots in enumerate(matrix):
        for column, dark in enumerate(dots):
            if dark:  # a hair wider than a module, so that no line shows between two
                canvas.rect(
                    x + column * module, y + CODE - (row + 1) * module, 1.02 * module, 1.02 * module, 0, 1
                )


def _word(key: str, language: str, **facts: object) -> str:
    return sentence(f"pages.school.cards.{key}", language, **facts)
