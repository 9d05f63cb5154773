"""Names that people give themselves and their programs."""

import re
import unicodedata

from confusable_homoglyphs.categories import unique_aliases

from damas.server.security.errors import ApiError

NAME = re.compile(r"[^\W_](?:[ ._-]?[^\W_])*")
"""Letters and digits of any alphabet with single signs between them; no invisible or reordering characters."""
COMMON = {"COMMON", "INHERITED"}
"""What belongs to every script."""
TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "HANGUL"},
    {"LATIN", "HAN", "BOPOMOFO"},
)
"""Scripts that are written together (Unicode's technical standard 39, "highly restrictive")."""


def checked_name(name: str, least: int, most: int) -> str:
    """The normalised name; raises `ApiError` where it has fewer or more characters, others than `NAME` allows, or mixes
    alphabets whose letters look alike.
    """
    normalised = unicodedata.normalize("NFKC", name).strip()
    if not least <= len(normalised) <= most or not NAME.fullmatch(normalised):
        raise ApiError(400, "BAD_NAME", least=least, most=most)
    if _is_mixed(normalised):
        raise ApiError(400, "MIXED_NAME")
    return normalised


def _is_mixed(name: str) -> bool:
    """Whether a name mixes scripts, or digits of several.

    >>> [_is_mixed(name) for name in ("Álvaro 2", "Анна", "Аnna", "田中 Ken", "Ana ٣3")]
    [False, False, True, False, True]
    """
    scripts = unique_aliases(name) - COMMON
    zeros = {
        ord(letter) - digit for letter in name if (digit := unicodedata.decimal(letter, None)) is not None
    }
    return len(zeros) > 1 or (len(scripts) > 1 and not any(scripts <= together for together in TOGETHER))
