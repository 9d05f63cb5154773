"""The pieces of the web board and of tournament reports: shaded discs as SVG symbols, coloured by CSS variables.

A square measures 100 units and a piece is centred on the origin. The page gets the symbols as a generated module
(`tools/board_shapes.py`), a report as markup.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from math import sqrt

_RADIUS = 39
_CROWN = "M-20 13V-12L-9-1 0-19 9-1 20-12V13Z"
VIEW_BOX = "-50 -50 100 100"
"""The view box of a symbol: one square, with the origin in its centre."""
_SIDES = {"w": "white", "b": "black"}


@dataclass(frozen=True)
class Element:
    """An SVG element."""

    tag: str
    attributes: Mapping[str, str | float]
    children: tuple["Element", ...]

    def markup(self) -> str:
        """The element as SVG text."""
        attributes = "".join(
            f' {name}="{escape(str(value), quote=True)}"' for name, value in self.attributes.items()
        )
        inside = "".join(child.markup() for child in self.children)
        return f"<{self.tag}{attributes}>{inside}</{self.tag}>" if inside else f"<{self.tag}{attributes}/>"


def element(tag: str, *children: Element, **attributes: str | float) -> Element:
    """An element; `stroke_width=2` is the attribute stroke-width."""
    return Element(tag, {name.replace("_", "-"): value for name, value in attributes.items()}, children)


def gradients() -> Element:
    """The shading of both colours, which the pieces refer to by id."""
    return element("defs", *(_gradient(side) for side in _SIDES.values()))


def piece(code: str) -> tuple[Element, ...]:
    """The layers of a piece; `code` is w, W, b or B, a king in upper case."""
    side = _SIDES[code.lower()]
    if code.islower():
        return (_shadow(8), *_disc(side, -2), _rim(side, -2, 30), _groove(side, -2, 21))
    crown = element(
        "g",
        element("path", d=_CROWN, fill=f"var(--{side}-crown)"),
        element("path", d="M-20 8H20", stroke=f"var(--{side}-face)", stroke_width=2.5),
        transform="translate(0 -8) scale(1.12)",
    )
    return (_shadow(11), *_disc(side, 6), *_disc(side, -9), _rim(side, -9, 32), crown)


def hatching() -> tuple[Element, ...]:
    """Slanting lines and a ring over a piece that is being captured."""
    lines = []
    for offset in (-24, -8, 8, 24):
        along, across = sqrt((_RADIUS**2 - offset**2) / 2), offset * sqrt(0.5)
        lines.append(f"M{across - along:.1f} {across + along:.1f}L{across + along:.1f} {across - along:.1f}")
    red = "var(--board-taken)"
    return (
        element("circle", r=_RADIUS, fill="none", stroke="var(--board-halo)", stroke_width=9),
        element("path", d="".join(lines), fill="none", stroke=red, stroke_width=5),
        element("circle", r=_RADIUS, fill="none", stroke=red, stroke_width=5),
    )


def page_shapes() -> tuple[Element, ...]:
    """Everything that the boards of the web app use: `#damas-w`, `#damas-W`, `#damas-b`, `#damas-B`, `#damas-hatch`."""
    symbols = {code: piece(code) for code in "wbWB"} | {"hatch": hatching()}
    return (
        gradients(),
        *(
            element("symbol", *layers, id=f"damas-{name}", overflow="visible")
            for name, layers in symbols.items()
        ),
    )


def _gradient(side: str) -> Element:
    stops = (
        element("stop", offset=offset, stop_color=f"var(--{side}-{name})")
        for offset, name in (("0", "top"), ("0.75", "face"), ("1", "side"))
    )
    return element("radialGradient", *stops, id=f"damas-face-{side}", cx="0.38", cy="0.3", r="0.85")


def _shadow(y: float) -> Element:
    return element("ellipse", cx=2, cy=y, rx=_RADIUS + 2, ry=_RADIUS, fill="#000", opacity=0.26)


def _disc(side: str, y: float) -> tuple[Element, Element]:
    """The edge of a disc and its face."""
    line = f"var(--{side}-line)"
    return (
        element("circle", cy=y + 6, r=_RADIUS, fill=f"var(--{side}-side)", stroke=line, stroke_width=2),
        element("circle", cy=y, r=_RADIUS, fill=f"url(#damas-face-{side})", stroke=line, stroke_width=2.2),
    )


def _rim(side: str, y: float, radius: float) -> Element:
    """A groove of this radius around a white piece, teeth around a black one."""
    if side == "white":
        return _groove(side, y, radius)
    return element(
        "circle",
        cy=y,
        r=32.5,
        fill="none",
        stroke=f"var(--{side}-groove)",
        stroke_width=6.5,
        stroke_dasharray="5.1 7.66",
        opacity=0.75,
    )


def _groove(side: str, y: float, radius: float) -> Element:
    width, opacity = (3, 1) if side == "white" else (2, 0.6)
    color = f"var(--{side}-groove)"
    return element("circle", cy=y, r=radius, fill="none", stroke=color, stroke_width=width, opacity=opacity)
