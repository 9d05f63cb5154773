"""The flat pieces of SVG and pixel pictures, as layers from the ground up.

White carries a plain ring and Black a milled rim; a king is two discs, one on the other, with a crown: shapes differ,
not only colours. Colours are names of `damas.drawing.palette`.
"""

from dataclasses import dataclass

from damas.board import Color, Piece

CROWN = ((-0.42, 0.34), (-0.5, -0.2), (-0.21, 0.06), (0, -0.4), (0.21, 0.06), (0.5, -0.2), (0.42, 0.34))
"""Corners of the crown, in radii of the disc."""
TEETH = 16
"""Number of teeth on the rim of a black piece."""
TOOTH_SHARE = 0.32
"""Part of the rim of a black piece that is tooth, the rest is gap."""


@dataclass(frozen=True)
class Disc:
    """A filled circle with an outline, `y` below the centre of the piece."""

    y: float
    radius: float
    fill: str
    outline: str
    width: float


@dataclass(frozen=True)
class Ring:
    """A circle without filling; with teeth, a milled rim: `TEETH` short strokes across the circle."""

    y: float
    radius: float
    color: str
    width: float
    teeth: bool


@dataclass(frozen=True)
class Crown:
    """A filled polygon."""

    points: tuple[tuple[float, float], ...]
    color: str


def piece_layers(kind: Piece, square: float, radius: float) -> list[Disc | Ring | Crown]:
    """The layers of a piece with this radius on a square of this size; places are relative to its centre."""
    side = "white" if kind.color is Color.WHITE else "black"
    line = 0.03 * square
    lift = 0.05 * square if kind.is_king else 0.0
    layers: list[Disc | Ring | Crown] = []
    if kind.is_king:
        layers.append(Disc(1.3 * lift, radius, f"{side}-side", f"{side}-line", line))
    layers.append(Disc(-lift, radius, f"{side}-piece", f"{side}-line", line))
    if kind.color is Color.WHITE:
        layers.append(Ring(-lift, 0.74 * radius, "white-mark", line, teeth=False))
    else:
        layers.append(Ring(-lift, 0.79 * radius, "black-mark", 0.19 * radius, teeth=True))
    if kind.is_king:
        layers.append(Crown(tuple((x * radius, y * radius - lift) for x, y in CROWN), f"{side}-crown"))
    return layers
