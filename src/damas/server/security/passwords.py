"""Weak passwords: common ones, repetitions, keyboard runs, the account's name."""

import unicodedata
from functools import cache
from pathlib import Path

LIST = Path(__file__).parent / "common_passwords.txt"
"""Common passwords in lower case."""

RUNS = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890123456789",
    "qwertyuiopasdfghjklzxcvbnm",
    "1q2w3e4r5t6y7u8i9o0p",
)
"""Rows of keys and letters in order."""
TRAILING = "0123456789!?.*@#$_-"
"""Signs that people put behind a word."""
WRITTEN_AS = str.maketrans("013457@$", "oieastas")
"""Letters for which digits and signs are written."""


def weakness(password: str, name: str = "") -> str | None:
    """Why a password is weak: common, repeated, run or name; None if it is not.

    >>> weakness("Senha123!"), weakness("xyxyxyxy"), weakness("hgfedcba"), weakness("ana.maria1", "Ana Maria")
    ('common', 'repeated', 'run', 'name')
    >>> weakness("um cavalo sem sela")
    """
    plain = unicodedata.normalize("NFKC", password).casefold()
    core = plain.rstrip(TRAILING)
    common = _common()
    if {plain, core, core.translate(WRITTEN_AS), plain.translate(WRITTEN_AS).rstrip(TRAILING)} & common:
        return "common"
    if len(set(plain)) <= 3 or any(plain == plain[:size] * (len(plain) // size) for size in (2, 3, 4)):
        return "repeated"
    if any(plain in run or plain in run[::-1] for run in RUNS):
        return "run"
    letters = "".join(filter(str.isalnum, plain)).rstrip("0123456789")
    called = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", name).casefold()))
    return "name" if called and letters in (called, called * 2, "damas" + called) else None


@cache
def _common() -> frozenset[str]:
    return frozenset(LIST.read_text("utf-8").split())
