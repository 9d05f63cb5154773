"""Passwords and tokens, and the hashes that are stored of them."""

import asyncio
import hashlib
import secrets
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

T = TypeVar("T")

SCOPES = ("board:play", "bot:play", "tournament:write", "arbiter:write")
"""What a program's token may allow."""

_hasher = PasswordHasher()  # argon2id, RFC 9106's second choice: 64 MiB, 3 passes
_threads = ThreadPoolExecutor(2, "damas-passwords")
"""Each hash takes 64 MiB, so only two are computed at once."""


async def hash_password(password: str) -> str:
    """The argon2id hash of a password."""
    return await _in_thread(_hasher.hash, _normal(password))


async def check_password(kept: str | None, password: str) -> bool:
    """Whether it is the password. Takes as long for an account that does not exist (`kept` None)."""
    if kept is None:
        await _in_thread(_hasher.hash, _normal(password))
        return False
    return await _in_thread(_verify, kept, _normal(password))


def is_outdated(kept: str) -> bool:
    """Whether a hash was made with weaker settings than today's."""
    return _hasher.check_needs_rehash(kept)


def new_login_token() -> str:
    """32 random bytes, as a cookie carries them."""
    return secrets.token_urlsafe(32)


def new_api_token() -> str:
    """`dam_` and 43 characters: easy to find when it leaks into a public place."""
    return "dam_" + secrets.token_urlsafe(32)


def new_id() -> str:
    """For accounts, visitors, attempts: 96 random bits, safe in an address."""
    return secrets.token_urlsafe(12)


def fingerprint(token: str) -> str:
    """The hash under which a token is stored; tokens are random and long, so a plain hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def name_key(name: str) -> str:
    """Names with the same key cannot both be taken.

    >>> name_key("Álvaro") == name_key("ÁLVARO"), name_key("ﬁm") == name_key("FIM")
    (True, True)
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


async def _in_thread(work: Callable[..., T], *arguments: str) -> T:
    return await asyncio.get_running_loop().run_in_executor(_threads, work, *arguments)


def _normal(password: str) -> str:
    """The password in one Unicode form, however a keyboard composes accents."""
    return unicodedata.normalize("NFC", password)


def _verify(kept: str, password: str) -> bool:
    try:
        return _hasher.verify(kept, password)
    except (VerificationError, InvalidHashError):
        return False
