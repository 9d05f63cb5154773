"""Names that look like one another: the skeletons of Unicode's technical standard 39.

Two names whose skeletons are the same cannot be told apart on a screen. The table is Unicode's own list of confusable
characters, as the library `confusable_homoglyphs` brings it. Accents do not count, beyond that standard: nobody who met
José takes Jose for another player, and a dot under a letter is not seen at all. Spaces and signs between letters do: they
are seen, and v1.2 is not v12.
"""

import re
import unicodedata
from functools import cache

_MARK = "\u200e"
"""A sign of direction with which the table surrounds letters that are written from right to left."""
_ACCENTS = re.compile("[\u0300-\u036f]+")
"""Marks on letters of Latin, Greek and Cyrillic; those of other scripts are letters of their own."""


def looks(name: str) -> tuple[str, str]:
    """How a name looks as it is written, and in capitals. (Letters alike in capitals may differ otherwise: l and I.)

    >>> looks("Ana")[0] == looks("Аnа")[0], looks("Oscar")[1] == looks("0scar")[1], looks("Delia") == looks("Della")
    (True, True, False)
    >>> looks("Paulo") == looks("Paülọ"), looks("Paulo") == looks("Pa ulo")
    (True, False)
    """
    normal = unicodedata.normalize("NFKC", name)
    return _skeleton(normal), _skeleton(normal.upper())


def _skeleton(text: str) -> str:
    table = _prototypes()
    plain = _ACCENTS.sub("", unicodedata.normalize("NFD", text))
    mapped = "".join(table.get(letter, letter) for letter in plain)
    return _ACCENTS.sub("", unicodedata.normalize("NFD", mapped))


@cache
def _prototypes() -> dict[str, str]:
    """For each letter that looks like another, the one letter (or letters) that stands for all of its kind."""
    # Here, not above: it reads a megabyte, which only the making of an account needs.
    from confusable_homoglyphs.confusables import confusables_data

    alike: dict[str, set[str]] = {}
    for text, others in confusables_data.items():
        for other in others:
            one, two = text.strip(_MARK), other["c"].strip(_MARK)
            alike.setdefault(one, set()).add(two)
            alike.setdefault(two, set()).add(one)
    prototypes = {}
    for letter, others in alike.items():
        if len(letter) != 1 or len(others) != 1:
            continue  # several letters, or the prototype itself: it looks like many
        (other,) = others
        if len(other) > 1 or len(alike[other]) > 1 or other < letter:
            prototypes[letter] = other
    return prototypes
