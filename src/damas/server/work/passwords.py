"""Hashes of passwords, computed in a worker process."""

import unicodedata
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError


class Cost(NamedTuple):
    """What a hash costs."""

    passes: int = 3
    memory_kib: int = 65_536
    lanes: int = 4


COST = Cost()
"""The cost of new hashes: argon2id, RFC 9106's second choice."""


def hash_password(password: str, cost: Cost) -> str:
    """The argon2id hash of a password."""
    return _hasher(cost).hash(_normal(password))


def pin_cost() -> Cost:
    """The cost of a PIN's hash: a class gets sixty at once, and nobody may try many."""
    return min(COST, Cost(passes=2, memory_kib=19_456, lanes=1))


def hash_passwords(texts: list[str], cost: Cost) -> list[str]:
    """The hash of each password."""
    return [hash_password(text, cost) for text in texts]


def check_password(kept: str | None, password: str, cost: Cost) -> bool:
    """Whether it is the password. Takes as long for an account that does not exist (`kept` None)."""
    if kept is None:
        hash_password(password, cost)
        return False
    try:
        return _hasher(cost).verify(kept, _normal(password))
    except (VerificationError, InvalidHashError):
        return False


def is_outdated(kept: str) -> bool:
    """Whether a hash was made with weaker settings than today's."""
    return _hasher(COST).check_needs_rehash(kept)


def _hasher(cost: Cost) -> PasswordHasher:
    return PasswordHasher(time_cost=cost.passes, memory_cost=cost.memory_kib, parallelism=cost.lanes)


def _normal(password: str) -> str:
    """The password in one Unicode form, however a keyboard composes accents."""
    return unicodedata.normalize("NFC", password)
