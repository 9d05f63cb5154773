"""PDF files: embedded fonts, boards as vectors and not as pixels, the same bytes for the same document."""

import pytest
from pypdfium2 import raw
from reportlab.pdfgen.canvas import Canvas

from damas.arbiter import Resigned, Table
from damas.board import Color, Piece
from damas.drawing.layout import CANVAS, Layout
from damas.drawing.palette import PAPER, on_paper
from damas.drawing.view import View
from damas.game import Position
from damas.paper.certificate import certificate_paper
from damas.paper.document import word
from damas.paper.leaflet import leaflet
from damas.paper.pdf import pdf
from damas.paper.vector import Picture
from damas.rules import rulebook
from paper.printed import Printed


def painted(svg: str) -> Printed:
    """A page that a picture fills: a point of the page is a unit of the picture."""
    canvas = Canvas("", pagesize=(CANVAS, CANVAS))
    Picture(svg, CANVAS).drawOn(canvas, 0, 0)
    return Printed(canvas.getpdfdata())


def colour(text: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(text[1:]))


def test_text_is_text_in_embedded_fonts_and_boards_are_vectors():
    printed = Printed(pdf(leaflet(rulebook("portuguesa"), "pt-PT")))
    kinds, fonts = printed.contents()
    assert len(fonts) == 2 and all("DejaVu" in name for name in fonts) and all(fonts.values())
    assert raw.FPDF_PAGEOBJ_PATH in kinds and raw.FPDF_PAGEOBJ_IMAGE not in kinds


def test_a_name_in_another_script_is_text_or_boxes_and_the_paper_says_so():
    table = Table.start("faraes", "casual", ("王小明", "محمد Ana")).apply(Resigned(5, Color.BLACK))
    text = Printed(pdf(certificate_paper(table, "pt-BR", name="game"))).texts[0]
    assert "王小明" in text and "□□□□ Ana" in text
    assert word("no_glyphs", "pt-BR") in text
    usual = Table.start("faraes", "casual", ("Zoë Łuczak", "Ωmega Жуков")).apply(Resigned(5, Color.BLACK))
    assert "letras" not in Printed(pdf(certificate_paper(usual, "pt-BR", name="game"))).texts[0]


def test_the_same_document_gives_the_same_bytes():
    document = leaflet(rulebook("concurso"), "es")
    assert pdf(document) == pdf(document)


@pytest.mark.parametrize(
    ("book", "fen"),
    [
        ("brasileira", "W:Wa1,Kc3:Bh8,Kf6"),
        ("portuguesa", "W:W1,K11:B32,K18"),
        ("internacional", "W:W46,K32:B5,K14"),
    ],
)
@pytest.mark.parametrize("side", ["white", "black"])
def test_pieces_stand_where_the_drawing_puts_them(book, fen, side):
    """A corner of brasileira is dark at the left, of portuguesa at the right."""
    position = Position.from_fen(fen, book)
    drawing = position.draw()
    picture = painted(on_paper(position.svg(orientation=side, numbering="none"))).picture()
    layout = Layout(View.of(drawing, side, "none"))
    for square in drawing.geometry.squares:
        x, y = layout.centre(square)
        piece = drawing.pieces.get(square)
        if piece is None:
            expected = PAPER["dark-square"]
        else:
            name = "white" if piece in (Piece.WHITE_MAN, Piece.WHITE_KING) else "black"
            expected = PAPER[f"{name}-{'crown' if piece.is_king else 'piece'}"]
        assert picture.getpixel((round(x), round(y))) == colour(expected), square
    light = [(x, y) for y in range(layout.view.size) for x in range(layout.view.size)]
    for x, y in set(light) - set(layout.view.places):
        middle = (
            round(layout.left + (x + 0.5) * layout.square),
            round(layout.top + (y + 0.5) * layout.square),
        )
        assert picture.getpixel(middle) == colour(PAPER["light-square"])


def test_every_option_of_a_picture_can_be_printed():
    position = Position.from_fen("W:Wc3,Ka1:Bd4,Kf6", "brasileira")
    options = {
        "last_move": ["a1", "b2"], "arrows": [("c3", "e5", "red"), ("a1", "c1", "blue")], "route": ["c3", "e5", "g7"],
        "captured": ["d4", "f6"], "marks": ["h8"], "numbering": "numbers",
    }  # fmt: skip
    [text] = painted(on_paper(position.svg(**options))).texts
    assert {"1", "2", "32", "29"} <= set(text.split()), "jumps and squares are numbered"
    painted(on_paper(Position.start("turca").svg()))


def test_a_shape_that_cannot_be_printed_is_an_error():
    for inside in ("<ellipse/>", '<path d="M0 0C1 1 2 2 3 3"/>'):
        with pytest.raises(ValueError, match="no"):
            painted(f'<svg viewBox="0 0 400 400">{inside}</svg>')
