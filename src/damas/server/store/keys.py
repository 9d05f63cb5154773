"""Tokens, ids and keys of names, and the hashes that are stored of tokens."""

import hashlib
import secrets
import unicodedata

from damas.server.settings import Settings

SCOPES = ("board:play", "bot:play", "tournament:write", "arbiter:write")
"""What a program's token may allow."""

NODES = "nodes"
"""Name of the stored secret by which nodes know each other."""
VISITORS = "visitors"
"""Name of the stored secret that signs visitors' cookies."""


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


def earlier_secret(settings: Settings) -> bytes | None:
    """The secret that an earlier damas kept in a file beside its SQLite database; now it is in the database."""
    path = settings.data / "secret"
    if settings.sqlite_path is None or not path.is_file():
        return None
    return path.read_bytes().strip()


def name_key(name: str) -> str:
    """Names with the same key cannot both be taken.

    >>> name_key("Álvaro") == name_key("ÁLVARO"), name_key("ﬁm") == name_key("FIM")
    (True, True)
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
