"""Names that people give themselves and their programs."""

import re
import unicodedata

from damas.server.security.errors import ApiError

NAME = re.compile(r"[^\W_](?:[ ._-]?[^\W_])*")
"""Letters and digits of any alphabet with single signs between them; no invisible or reordering characters."""


def checked_name(name: str, least: int, most: int) -> str:
    """The normalised name; raises `ApiError` where it has fewer or more characters, or others than `NAME` allows."""
    normalised = unicodedata.normalize("NFKC", name).strip()
    if not least <= len(normalised) <= most or not NAME.fullmatch(normalised):
        raise ApiError(400, "BAD_NAME", least=least, most=most)
    return normalised
