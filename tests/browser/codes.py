"""QR codes: the one an address ought to have, and the one a picture shows."""

import re
from xml.etree import ElementTree

import segno


def drawn(address: str) -> list[list[int]]:
    code = segno.make_qr(address, error="m", boost_error=False)
    return [[int(cell) for cell in row] for row in code.matrix_iter(scale=1, border=4)]


def matrix(svg: str) -> list[list[int]]:
    """The modules of a code, from the strokes of its picture."""
    root = ElementTree.fromstring(svg)
    strokes = next(
        path.get("d") for path in root.iter("{http://www.w3.org/2000/svg}path") if path.get("stroke")
    )
    size = round(float(root.get("width")) / 8)
    cells = [[0] * size for _ in range(size)]
    x = y = 0.0
    for command, numbers in re.findall(r"([Mmh])([^Mmh]*)", strokes):
        first, *second = (float(number) for number in re.findall(r"-?[\d.]+", numbers))
        if command == "h":
            for step in range(round(first)):
                cells[int(y)][int(x) + step] = 1
            x += first
        else:
            x, y = (first, second[0]) if command == "M" else (x + first, y + second[0])
    return cells
