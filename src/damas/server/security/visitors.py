"""Visitors: anonymous with a signed cookie, logged in to an account, or a program with a token.

A visitor's id is random and its cookie is signed, so nobody can become another visitor by writing a cookie. Logins and
tokens are opaque and only their hashes are stored (`damas.server.store.people`).
"""

import hmac
import os
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from starlette.requests import HTTPConnection

from damas.server.store.files import make_private, written_whole

SECRET_BYTES = 32
"""Random bytes of a secret."""
SECRET = re.compile(rb"[0-9a-f]{64}")
"""A secret as it is written in its file."""
YEAR = 365 * 24 * 3600
"""Seconds of a year."""


@dataclass(frozen=True)
class Visitor:
    """Who makes a request. `scopes` say what a token may do; a person has all but those of a bot."""

    id: str
    name: str
    account: str | None = None
    bot: bool = False
    scopes: frozenset[str] = field(default=frozenset({"board:play"}))
    login: str | None = None
    """Id of the login or token of the request; when it ends, what it opened is closed."""
    school_class: str | None = None
    """Id of the class of a pupil, whose name here is that of anybody: only the class knows the real one."""

    @property
    def known(self) -> str | None:
        """The id of an account or a pupil; None for a visitor who is neither."""
        return self.account or (self.id if self.school_class else None)


def visitor_of(connection: HTTPConnection) -> Visitor:
    """The visitor who makes a request, as identified by the `Door`."""
    visitor: Visitor = connection.scope["visitor"]
    return visitor


def person_of(connection: HTTPConnection) -> str:
    """Under whose id is kept what the visitor learns."""
    visitor = visitor_of(connection)
    return visitor.account or visitor.id


def anonymous(visitor_id: str, name: str, unnamed: str) -> Visitor:
    """A visitor without an account, with a chosen name or else a constant number in the name.

    >>> anonymous("3f" * 16, "", "Player {number}").name, anonymous("3f" * 16, "Zé", "Player {number}").name
    ('Player 3190', 'Zé')
    """
    if name:
        return Visitor(visitor_id, name)
    number = int.from_bytes(sha256(visitor_id.encode()).digest()[:4], "big") % 9000 + 1000
    return Visitor(visitor_id, unnamed.format(number=number))


class Signature:
    """Signs visitors' cookies, which hold an id and a chosen name, and arbiters' links with the server's secret.

    >>> signature = Signature(b"k" * 32)
    >>> signature.read(signature.write("abc", "Zé")), signature.read("abc..forged")
    (('abc', 'Zé'), None)
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def write(self, visitor_id: str, name: str = "", purpose: bytes = b"visitor:") -> str:
        """The cookie of a visitor; one for another purpose cannot be used as theirs."""
        content = f"{visitor_id}.{urlsafe_b64encode(name.encode()).decode().rstrip('=')}"
        return f"{content}.{self._signature(content, purpose)}"

    def read(self, cookie: str, purpose: bytes = b"visitor:") -> tuple[str, str] | None:
        """The id and the chosen name in a cookie, or None unless this server has signed it for this purpose."""
        content, _, signature = cookie[:500].rpartition(".")
        wanted = self._signature(content, purpose).encode()
        if not hmac.compare_digest(signature.encode("utf-8", "replace"), wanted):
            return None
        visitor_id, _, name = content.partition(".")
        return visitor_id, urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode()

    def arbiter_key(self, game: str) -> str:
        """The secret of the arbiter's link of a game; it is derived, so nothing has to be stored."""
        return self._signature(game, b"arbiter:")

    def is_arbiter_key(self, game: str, key: str) -> bool:
        """Whether a key is that of the game's arbiter."""
        return hmac.compare_digest(key.encode("utf-8", "replace"), self.arbiter_key(game).encode())

    def tournament_key(self, tournament: str, key: str) -> str:
        """The secret in a link to a tournament of people."""
        return f"{key}.{self._signature(f'{tournament}:{key}', b'tournament:')}"

    def is_tournament_key(self, tournament: str, key: str, secret: str) -> bool:
        """Whether a secret is that of a link to the tournament."""
        return hmac.compare_digest(
            secret.encode("utf-8", "replace"), self.tournament_key(tournament, key).encode()
        )

    def derived(self, purpose: str) -> bytes:
        """Bytes that nobody can know without the secret, the same for the same purpose."""
        return hmac.new(self._secret, f"derived:{purpose}".encode(), sha256).digest()

    def tournament_pin(self, tournament: str, key: str, digits: int) -> str:
        """Digits that open the same as the link, for whoever cannot scan it."""
        digest = self.derived(f"pin:{tournament}:{key}")
        return f"{int.from_bytes(digest[:8], 'big') % 10**digits:0{digits}}"

    def _signature(self, content: str, purpose: bytes = b"visitor:") -> str:
        digest = hmac.new(self._secret, purpose + content.encode("utf-8", "replace"), sha256).digest()
        return urlsafe_b64encode(digest[:24]).decode()


def given_secret() -> bytes | None:
    """The secret of this server that its operator has chosen: `DAMAS_SECRET`."""
    given = os.environ.get("DAMAS_SECRET")
    return sha256(given.encode()).digest() if given else None


class BadSecret(Exception):
    """A file that should hold a secret does not."""


def secret_in(path: Path) -> bytes:
    """The secret in a file, which only its owner can read and which is created if missing. Raises `BadSecret`.

    The file gets its name only when its content is on disk.
    """
    try:
        secret = path.read_bytes().strip()
        make_private(path)
    except FileNotFoundError:
        secret = secrets.token_hex(SECRET_BYTES).encode()
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with written_whole(path) as new:
            new.write_bytes(secret)
        return secret
    except OSError as error:
        raise BadSecret(f"{path}: {error.strerror or error}") from None
    if not SECRET.fullmatch(secret):
        raise BadSecret(
            f"{path}: not {2 * SECRET_BYTES} hexadecimal digits; restore it, or delete it for a new one"
        )
    return secret


def new_id() -> str:
    """A new visitor's id: 128 random bits."""
    return secrets.token_hex(16)
