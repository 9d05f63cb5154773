"""SVG pictures of `damas.drawing` as vectors in a PDF.

It paints what those pictures consist of, groups, rectangles, circles, straight paths and short texts with plain attributes,
and raises `ValueError` for anything else: a new shape in `damas.drawing` must not be missing on paper unnoticed.
"""

import re
from collections.abc import Mapping
from xml.etree import ElementTree

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

FONT = "damas-bold"
"""Font of the names of squares."""
INHERITED = (
    "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "font-size",
    "text-anchor",
)  # fmt: skip
"""Attributes that a group gives to what it contains."""
CAPS = {"butt": 0, "round": 1}
JOINS = {"miter": 0, "round": 1}

Style = Mapping[str, str]


class Picture(Flowable):
    """A picture of a board with a side of so many points."""

    def __init__(self, svg: str, side: float) -> None:
        super().__init__()
        self._root = ElementTree.fromstring(svg)
        self.width = self.height = side

    def wrap(self, *_: float) -> tuple[float, float]:
        """Its size, whatever room there is."""
        return self.width, self.height

    def draw(self) -> None:
        """Paint it, with the origin in the upper left corner and y downwards as in SVG."""
        canvas: Canvas = self.canv
        box = [float(number) for number in self._root.attrib["viewBox"].split()]
        scale = self.width / box[2]
        canvas.saveState()
        canvas.translate(0, self.height)
        canvas.scale(scale, -scale)
        for element in self._root:
            _paint(canvas, element, {})
        canvas.restoreState()


def _paint(canvas: Canvas, element: ElementTree.Element, inherited: Style) -> None:
    name = element.tag.rpartition("}")[2]
    if name in ("title", "desc"):
        return
    style = {**inherited, **{key: element.attrib[key] for key in INHERITED if key in element.attrib}}
    if name == "g":
        for inner in element:
            _paint(canvas, inner, style)
        return
    canvas.saveState()
    fill, stroke = _set(canvas, style)
    number = {
        key: float(element.attrib.get(key, "0"))
        for key in ("x", "y", "width", "height", "rx", "cx", "cy", "r")
    }
    if name == "rect":
        size = number["x"], number["y"], number["width"], number["height"]
        if number["rx"]:
            canvas.roundRect(*size, number["rx"], stroke=stroke, fill=fill)
        else:
            canvas.rect(*size, stroke=stroke, fill=fill)
    elif name == "circle":
        canvas.circle(number["cx"], number["cy"], number["r"], stroke=stroke, fill=fill)
    elif name == "path":
        _path(canvas, element.attrib["d"], fill, stroke)
    elif name == "text":
        _text(canvas, number["x"], number["y"], element.text or "", style)
    else:
        raise ValueError(f"<{name}> is no element of a picture that can be printed")
    canvas.restoreState()


def _set(canvas: Canvas, style: Style) -> tuple[int, int]:
    """Set the colours and the pen; return whether to fill and whether to stroke."""
    fill, stroke = style.get("fill", "none"), style.get("stroke", "none")
    if fill != "none":
        canvas.setFillColor(HexColor(fill))
    if stroke != "none":
        canvas.setStrokeColor(HexColor(stroke))
        canvas.setLineWidth(float(style.get("stroke-width", "1")))
        canvas.setLineCap(CAPS[style.get("stroke-linecap", "butt")])
        canvas.setLineJoin(JOINS[style.get("stroke-linejoin", "miter")])
        if dashes := style.get("stroke-dasharray"):
            canvas.setDash([float(length) for length in dashes.split()])
    return int(fill != "none"), int(stroke != "none")


def _path(canvas: Canvas, data: str, fill: int, stroke: int) -> None:
    """A path of straight lines: M and L with absolute places, and Z."""
    steps = re.findall(r"([MLZ])([^MLZ]*)", data)
    if "".join(letter + places for letter, places in steps) != data:
        raise ValueError(f"{data!r} is no path of straight lines")
    path = canvas.beginPath()
    for letter, places in steps:
        if letter == "Z":
            path.close()
            continue
        x, y = (float(place) for place in places.split())
        if letter == "M":
            path.moveTo(x, y)
        else:
            path.lineTo(x, y)
    canvas.drawPath(path, stroke=stroke, fill=fill)


def _text(canvas: Canvas, x: float, y: float, text: str, style: Style) -> None:
    size = float(style["font-size"])
    canvas.translate(x, y)
    canvas.scale(1, -1)
    canvas.setFont(FONT, size)
    if style.get("text-anchor") == "middle":
        canvas.drawCentredString(0, 0, text)
    else:
        canvas.drawString(0, 0, text)
