"""The colours of a picture, by day, by night and on paper.

Every colour is written twice into the picture: as a plain attribute, which any program can read, and as a custom
property `--damas-<name>` of the class `damas-board`, which dark mode and a page's own style sheet can change.
"""

import re
from collections.abc import Mapping

DAY = {
    "frame": "#f6f1e7",
    "edge": "#5a4636",
    "coordinate": "#5b4a3b",
    "light-square": "#efe2c9",
    "dark-square": "#846750",
    "number": "#fffaf0",
    "white-piece": "#fdf8ec",
    "white-side": "#d8cbb0",
    "white-line": "#4b3d32",
    "white-mark": "#8a7761",
    "white-crown": "#4b3d32",
    "black-piece": "#2a2522",
    "black-side": "#54493f",
    "black-line": "#0e0c0b",
    "black-mark": "#b5a58b",
    "black-crown": "#e3d5bb",
    "halo": "#fffaf0",
    "last-move": "#ffd24a",
    "shade": "#2a1f16",
    "mark": "#8fe3ff",
    "captured": "#e5403c",
    "route": "#16324f",
    "green": "#1e7a3c",
    "red": "#b8232f",
    "blue": "#1d5fae",
    "yellow": "#a86a00",
}
"""Every colour by its name, as it is written into a picture."""
NIGHT = DAY | {
    "frame": "#1d1a18",
    "edge": "#0f0d0c",
    "coordinate": "#d6cab9",
    "light-square": "#a89880",
    "dark-square": "#5c4a3c",
    "number": "#f1e8da",
    "white-piece": "#efe7d6",
    "white-side": "#bcae95",
    "black-piece": "#1c1917",
    "black-side": "#3a332d",
    "black-line": "#9b8d7b",
}
"""The colours for dark mode."""
PAPER = DAY | {
    "frame": "#ffffff",
    "edge": "#000000",
    "coordinate": "#000000",
    "light-square": "#ffffff",
    "dark-square": "#d2d2d2",
    "number": "#000000",
    "white-piece": "#ffffff",
    "white-side": "#ffffff",
    "white-line": "#000000",
    "white-mark": "#8c8c8c",
    "white-crown": "#000000",
    "black-piece": "#262626",
    "black-side": "#595959",
    "black-line": "#000000",
    "black-mark": "#bfbfbf",
    "black-crown": "#ffffff",
    "halo": "#ffffff",
    "last-move": "#ffffff",
    "shade": "#000000",
    "mark": "#ffffff",
    "captured": "#8a8a8a",
    "route": "#000000",
    "green": "#000000",
}
"""The colours for a printer: greys that a copying machine keeps apart."""

_COLOR = re.compile("#[0-9a-fA-F]{6}")
ARROWS = {"green": (), "red": (2.0, 0.8), "blue": (0.8, 0.8), "yellow": (1.8, 0.7, 0.7, 0.7)}
"""Colours of arrows and their dashes in widths of the line; the dashes differ, so that colour is not needed."""


def style_sheet() -> str:
    """The style sheet of every picture; pictures on one page cannot disturb each other.

    Only programs that support custom properties apply it; the others would paint everything black.
    """
    night = {name: colour for name, colour in NIGHT.items() if DAY[name] != colour}
    uses = "".join(
        f".damas-{kind}-{name}{{{kind}:var(--damas-{name})}}" for name in DAY for kind in ("fill", "stroke")
    )
    return (
        f"@supports (fill:var(--a)){{.damas-board{{{_properties(DAY)}}}{uses}"
        f"@media (prefers-color-scheme:dark){{.damas-board{{{_properties(night)}}}}}}}"
    )


def paint(*, fill: str = "none", stroke: str = "none") -> str:
    """Attributes that fill and stroke with named colours."""
    named = [(kind, name) for kind, name in (("fill", fill), ("stroke", stroke)) if name != "none"]
    classes = " ".join(f"damas-{kind}-{name}" for kind, name in named)
    colours = " ".join(f'{kind}="{DAY[name]}"' for kind, name in named)
    return f' class="{classes}" {colours}' + (' fill="none"' if fill == "none" else "")


def on_paper(picture: str) -> str:
    """An SVG picture in the colours of paper, without its style sheet: it looks the same whatever the screen's theme.

    >>> on_paper(f"<style>{style_sheet()}</style><g{paint(fill='frame', stroke='shade')}/>")
    '<g class="damas-fill-frame damas-stroke-shade" fill="#ffffff" stroke="#000000"/>'
    """
    return _painted(picture.replace(f"<style>{style_sheet()}</style>", ""), PAPER)


def recoloured(picture: str, colors: Mapping[str, str]) -> str:
    """An SVG picture with some colours changed, by day and by night; raises `ValueError` for an unknown name or colour."""
    for name, color in colors.items():
        if name not in DAY:
            raise ValueError(f"no colour is named {name!r}; names: {', '.join(DAY)}")
        if not _COLOR.fullmatch(color):
            raise ValueError(f"{name} is a colour such as #846750, not {color!r}")
    chosen = {name: color.lower() for name, color in colors.items()}
    if not chosen:
        return picture
    # The properties of the element itself come before those of any style sheet, that of dark mode too.
    return _painted(picture, DAY | chosen).replace("<svg", f'<svg style="{_properties(chosen)}"', 1)


def _painted(picture: str, colours: Mapping[str, str]) -> str:
    """A picture whose attributes, as `paint` wrote them, have other colours."""

    def repaint(painted: re.Match[str]) -> str:
        named = re.findall(r"damas-(fill|stroke)-([a-z-]+)", painted[0])
        classes = " ".join(f"damas-{kind}-{name}" for kind, name in named)
        return f' class="{classes}" ' + " ".join(f'{kind}="{colours[name]}"' for kind, name in named)

    return re.sub(
        r' class="damas-(?:fill|stroke)-[^"]*"(?: (?:fill|stroke)="#[0-9a-f]{6}")+', repaint, picture
    )


def _properties(colours: Mapping[str, str]) -> str:
    return ";".join(f"--damas-{name}:{colour}" for name, colour in colours.items())
