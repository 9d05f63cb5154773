"""Annotation signs such as !? and their numbers, the NAGs."""

import re

SIGNS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
FORCED = 7
"""NAG of the only move, written as a star directly after it."""

_NUMBERS = {sign: number for number, sign in SIGNS.items()}
_PAIR = re.compile(r"[!?]{1,2}")


def nags_of(signs: str) -> list[int]:
    """The NAGs of a sequence of signs, in brackets or not: `!?` is 5, `!?!!` is 5 and 3."""
    return [_NUMBERS[sign] for sign in _PAIR.findall(signs)]


def glyph_text(nags: tuple[int, ...]) -> tuple[str, list[str]]:
    """The sign written directly after the move, and the NAGs written as `$n` after it."""
    if nags and nags[0] in SIGNS:
        return SIGNS[nags[0]], [f"${number}" for number in nags[1:]]
    return "", [f"${number}" for number in nags]
