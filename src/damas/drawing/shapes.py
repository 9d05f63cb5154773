"""The shapes of a picture as SVG text.

No shape needs an id (no markers, patterns or symbols), so any number of pictures can share a page.
"""

from collections.abc import Iterable, Sequence
from math import hypot, pi, sqrt

from damas.board import Piece
from damas.drawing.layout import Point
from damas.drawing.palette import paint
from damas.drawing.pieces import TEETH, TOOTH_SHARE, Crown, Disc, piece_layers


def number(value: float) -> str:
    """A number with at most two decimals and without trailing zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def path(places: Sequence[Point], *, closed: bool = False) -> str:
    """The data of an SVG path through some points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in places) + ("Z" if closed else "")


def box(x: float, y: float, width: float, height: float, *, round: float = 0) -> str:
    """A rectangle; `round` is the radius of its corners."""
    corner = f' rx="{number(round)}"' if round else ""
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"{corner}/>'
    )


def circle(centre: Point, radius: float) -> str:
    """A circle."""
    return f'<circle cx="{number(centre[0])}" cy="{number(centre[1])}" r="{number(radius)}"/>'


def text(place: Point, words: str) -> str:
    """A text at a place, which is on its base line."""
    return f'<text x="{number(place[0])}" y="{number(place[1])}">{words}</text>'


def group(attributes: str, content: Iterable[str]) -> str:
    """A group of elements; empty if there are none."""
    inside = "".join(content)
    return f"<g{attributes}>{inside}</g>" if inside else ""


def pieces(kind: Piece, centres: Sequence[Point], square: float, radius: float) -> str:
    """All pieces of one kind, layer by layer."""
    layers = []
    for layer in piece_layers(kind, square, radius) if centres else ():
        if isinstance(layer, Crown):
            corners = (path([(x + a, y + b) for a, b in layer.points], closed=True) for x, y in centres)
            layers.append(group(paint(fill=layer.color), [f'<path d="{"".join(corners)}"/>']))
            continue
        teeth = ""
        if isinstance(layer, Disc):
            colours = paint(fill=layer.fill, stroke=layer.outline)
        else:
            colours = paint(stroke=layer.color)
            if layer.teeth:
                tooth = 2 * pi * layer.radius / TEETH
                lengths = number(TOOTH_SHARE * tooth), number((1 - TOOTH_SHARE) * tooth)
                teeth = f' stroke-dasharray="{" ".join(lengths)}"'
        circles = (circle((x, y + layer.y), layer.radius) for x, y in centres)
        layers.append(group(f'{colours} stroke-width="{number(layer.width)}"{teeth}', circles))
    name = kind.name.lower().replace("_", "-")
    return group(f' class="damas-{name}"', layers)


def hatching(centre: Point, radius: float) -> str:
    """Slanting lines across a disc."""
    x, y = centre
    half = sqrt(0.5)
    strokes = []
    for offset in (-0.66, -0.22, 0.22, 0.66):
        across, along = offset * radius * half, sqrt(1 - offset**2) * radius * half
        strokes.append(
            path([(x + across - along, y + across + along), (x + across + along, y + across - along)])
        )
    return "".join(strokes)


def brackets(x: float, y: float, square: float, *, first: bool) -> str:
    """Brackets at the corners of a square; `first=False` leaves the top left corner to the name of the square."""
    inset, arm = 0.06 * square, 0.24 * square
    near, far = inset, square - inset
    corners = [
        [(near, near + arm), (near, near), (near + arm, near)],
        [(far - arm, near), (far, near), (far, near + arm)],
        [(far, far - arm), (far, far), (far - arm, far)],
        [(near + arm, far), (near, far), (near, far - arm)],
    ]
    return "".join(path([(x + a, y + b) for a, b in corner]) for corner in corners[not first :])


def towards(start: Point, end: Point, distance: float) -> Point:
    """The point at a distance from `start` on the way to `end`."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    share = distance / length
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def arrow(places: Sequence[Point], square: float, colour: str, dashes: Sequence[float]) -> str:
    """A line through some points with an arrowhead at the last, and a light outline to show on any square."""
    width, edge = 0.1 * square, 0.07 * square
    before = places[-2]
    tip = towards(places[-1], before, 0.08 * square)
    neck = towards(tip, before, 0.3 * square)
    line = path(
        [towards(places[0], places[1], 0.16 * square), *places[1:-1], towards(tip, before, 0.25 * square)]
    )
    wing = ((neck[1] - tip[1]) * 0.55, (tip[0] - neck[0]) * 0.55)
    head = path(
        [tip, (neck[0] + wing[0], neck[1] + wing[1]), (neck[0] - wing[0], neck[1] - wing[1])], closed=True
    )
    pattern = f' stroke-dasharray="{" ".join(number(dash * width) for dash in dashes)}"' if dashes else ""
    return group(
        f' class="damas-arrow damas-{colour}" stroke-linejoin="round"',
        (
            f'<path d="{line}"{paint(stroke="halo")} stroke-width="{number(width + edge)}" stroke-linecap="round"/>',
            f'<path d="{head}"{paint(fill="halo", stroke="halo")} stroke-width="{number(edge)}"/>',
            f'<path d="{line}"{paint(stroke=colour)} stroke-width="{number(width)}"{pattern}/>',
            f'<path d="{head}"{paint(fill=colour)}/>',
        ),
    )
