"""What annotators write behind a move: signs such as !? and their numbers, the NAGs."""

import re

SIGNS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
FORCED = 7
"""A star glued to a move: "the only move"."""

_NUMBERS = {sign: number for number, sign in SIGNS.items()}
_PAIR = re.compile(r"[!?]{1,2}")


def nags_of(signs: str) -> list[int]:
    """The numbers of a run of signs, in brackets or not: `!?` is 5, `!?!!` is 5 and 3."""
    return [_NUMBERS[sign] for sign in _PAIR.findall(signs)]


def glyph_text(nags: tuple[int, ...]) -> tuple[str, list[str]]:
    """What is glued to the move and what follows it."""
    if nags and nags[0] in SIGNS:
        return SIGNS[nags[0]], [f"${number}" for number in nags[1:]]
    return "", [f"${number}" for number in nags]
