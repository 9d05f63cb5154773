"""A PDF file as the tests read it: text and size of every page, its fonts, its pixels."""

import ctypes
import re

import pypdfium2
from PIL import Image
from pypdfium2 import raw

A4_MM = (210, 297)


class Printed:
    """The pages of a PDF file."""

    def __init__(self, data: bytes) -> None:
        self._document = pypdfium2.PdfDocument(data)
        self.texts = [page.get_textpage().get_text_bounded() for page in self._document]

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def sizes_mm(self) -> set[tuple[int, int]]:
        points = (page.get_size() for page in self._document)
        return {(round(width / 72 * 25.4), round(height / 72 * 25.4)) for width, height in points}

    @property
    def squeezed(self) -> str:
        """All text without spaces, line breaks and footers: a sentence is found wherever its lines and pages end."""
        return squeezed("".join(text.rpartition("damas · ")[0] or text for text in self.texts))

    def edges_mm(self) -> list[tuple[float, float, float, float]]:
        """Left, bottom, right and top of all text of each page, from its lower left corner."""
        edges = []
        for page in self._document:
            text = page.get_textpage()
            boxes = [text.get_charbox(place) for place in range(text.count_chars())]
            real = [box for box in boxes if box[2] > box[0]]
            edges.append(
                tuple(
                    pick(box[side] for box in real) / 72 * 25.4
                    for side, pick in enumerate((min, min, max, max))
                )
            )
        return edges

    def contents(self) -> tuple[set[int], dict[str, bool]]:
        """The types of what stands on the pages; and every font in which there is text, whether it is in the file."""
        kinds, fonts = set(), {}
        for page in self._document:
            for thing in page.get_objects():
                kinds.add(thing.type)
                if thing.type == raw.FPDF_PAGEOBJ_TEXT:
                    font = raw.FPDFTextObj_GetFont(thing.raw)
                    name = ctypes.create_string_buffer(200)
                    raw.FPDFFont_GetBaseFontName(font, name, 200)
                    fonts[name.value.decode()] = bool(raw.FPDFFont_GetIsEmbedded(font))
        return kinds, fonts

    def picture(self, page: int = 0, scale: float = 1.0) -> Image.Image:
        return self._document[page].render(scale=scale).to_pil().convert("RGB")


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text.replace("\u00a0", ""))


def letters(text: str) -> str:
    """Letters and digits alone: the reader of PDF files turns a hyphen at the end of a line into another sign."""
    return re.sub(r"\W+", "", text)
