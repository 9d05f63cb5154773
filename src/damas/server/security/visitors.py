"""Who is asking: a visitor with a signed cookie from the first page on, an account, or a program with a token.

A visitor's id is random and its cookie carries our signature, so nobody can become another by writing a cookie. Logins
and tokens are opaque and only their hashes are stored; what is stored about them is `damas.server.store.people`.
"""

import hmac
import os
import re
import secrets
import tempfile
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from starlette.requests import HTTPConnection

SECRET_BYTES = 32
SECRET = re.compile(rb"[0-9a-f]{64}")
YEAR = 365 * 24 * 3600


@dataclass(frozen=True)
class Visitor:
    """Somebody at the door. `scopes` bind a token; a person at a page has them all but those of a bot."""

    id: str
    name: str
    account: str | None = None
    bot: bool = False
    scopes: frozenset[str] = field(default=frozenset({"board:play"}))
    login: str | None = None
    """The id of the login or token that was shown, whose end closes what it opened."""


def visitor_of(connection: HTTPConnection) -> Visitor:
    """Who is asking. The middleware has found out before any handler runs."""
    visitor: Visitor = connection.scope["visitor"]
    return visitor


def anonymous(visitor_id: str, name: str, unnamed: str) -> Visitor:
    """Somebody without an account, called by the name they chose, or as the unnamed are, by a number that stays.

    >>> anonymous("3f" * 16, "", "Player {number}").name, anonymous("3f" * 16, "Zé", "Player {number}").name
    ('Player 3190', 'Zé')
    """
    if name:
        return Visitor(visitor_id, name)
    number = int.from_bytes(sha256(visitor_id.encode()).digest()[:4], "big") % 9000 + 1000
    return Visitor(visitor_id, unnamed.format(number=number))


class Signature:
    """Signs what a visitor's cookie says, an id and a chosen name, with a secret of this server's.

    >>> signature = Signature(b"k" * 32)
    >>> signature.read(signature.write("abc", "Zé")), signature.read("abc..forged")
    (('abc', 'Zé'), None)
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def write(self, visitor_id: str, name: str = "") -> str:
        told = f"{visitor_id}.{urlsafe_b64encode(name.encode()).decode().rstrip('=')}"
        return f"{told}.{self._mark(told)}"

    def read(self, cookie: str) -> tuple[str, str] | None:
        told, _, mark = cookie[:500].rpartition(".")
        if not hmac.compare_digest(mark.encode("utf-8", "replace"), self._mark(told).encode()):
            return None
        visitor_id, _, name = told.partition(".")
        return visitor_id, urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode()

    def _mark(self, told: str) -> str:
        digest = hmac.new(self._secret, b"visitor:" + told.encode("utf-8", "replace"), sha256).digest()
        return urlsafe_b64encode(digest[:24]).decode()


def secret_of(folder: Path) -> bytes:
    """The secret of this server: `DAMAS_SECRET`, else a file of its own."""
    if given := os.environ.get("DAMAS_SECRET"):
        return sha256(given.encode()).digest()
    return kept_secret(folder / "secret")


class BadSecret(Exception):
    """A file that should hold a secret and does not. Going on with it would let anybody in."""


def kept_secret(path: Path) -> bytes:
    """A secret in a file that only its owner reads, made when first asked for. Raises `BadSecret`.

    The file is never there without its secret: it gets its name once it is whole and on the disk.
    """
    try:
        kept = path.read_bytes().strip()
    except FileNotFoundError:
        return _made_secret(path)
    except OSError as error:
        raise BadSecret(f"{path}: {error.strerror or error}") from None
    if not SECRET.fullmatch(kept):
        raise BadSecret(
            f"{path}: not {2 * SECRET_BYTES} hexadecimal digits; restore it, or delete it for a new one"
        )
    return kept


def _made_secret(path: Path) -> bytes:
    secret = secrets.token_hex(SECRET_BYTES).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    made, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)  # read by its owner alone
    try:
        with os.fdopen(made, "wb") as file:
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    if os.name == "posix":  # elsewhere a folder cannot be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return secret


def new_id() -> str:
    return secrets.token_hex(16)
