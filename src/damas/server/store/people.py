"""Stored facts about people: accounts, logins, tokens, progress.

A *person* in the tables of `learning` and in the seats of games is the id of an account, or of a
visitor who has none. Passwords and tokens are kept only as hashes.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any, Protocol

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Delete,
    Insert,
    Row,
    RowMapping,
    Select,
    Update,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from damas.server.settings import Limits
from damas.server.store import keys, schema
from damas.server.store.database import Database
from damas.server.store.dialects import byte_length, put
from damas.server.store.errors import (
    NameAlike,
    NameTaken,
    StoreBusy,
    StoreFailed,
    TooManyTokens,
    TooMuchProgress,
    WriteRefused,
)
from damas.server.store.learning import forget_learning
from damas.server.store.lookalikes import looks
from damas.server.store.merging import merged_json
from damas.server.store.openings import adopt_openings
from damas.server.store.puzzles import adopt_puzzles
from damas.server.store.repertoires import adopt_repertoire
from damas.server.store.report_jobs import adopt_report_jobs
from damas.server.store.reviews import adopt_reviews
from damas.server.store.rows import is_text
from damas.server.store.writer import Writer
from damas.server.work import passwords
from damas.server.workers import ANYBODY, Caller

_account, _login, _token = schema.account, schema.login, schema.api_token
_game, _progress, _study = schema.game, schema.progress, schema.study

_SEEN_EVERY_MS = 60_000
"""A login's last use is written once a minute at most."""


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """An open account."""

    id: str
    name: str
    bot: bool
    created_ms: int


class Login(msgspec.Struct, frozen=True, kw_only=True):
    """One browser that is logged in. `key` names it in lists; it is not the token."""

    key: str
    account: Account
    agent: str
    created_ms: int
    seen_ms: int


class ApiToken(msgspec.Struct, frozen=True, kw_only=True):
    """A program's token, without its secret."""

    id: str
    account: Account
    label: str
    scopes: frozenset[str]
    created_ms: int
    used_ms: int | None


class Hashing(Protocol):
    """Runs a function of `work.passwords` outside the event loop, for a caller."""

    async def __call__(self, function: Callable[..., Any], *arguments: Any, caller: Caller) -> Any: ...


async def _in_thread(function: Callable[..., Any], *arguments: Any, caller: Caller) -> Any:  # noqa: ARG001
    return await asyncio.to_thread(function, *arguments)


class People:
    """`store.people`. Passwords are hashed in threads until `hash_in` names something better."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer
        self._limits = database.settings.limits
        self._hashing: Hashing = _in_thread

    def hash_in(self, hashing: Hashing) -> None:
        """Passwords are hashed there from now on."""
        self._hashing = hashing

    # Those without an account

    async def adopt(self, visitor_id: str, account_id: str) -> None:
        """Gives the games, progress, attempts, reviews, openings and studies of a visitor to an account.

        Where both have the same progress, both are merged; what would be too much progress is forgotten.
        """

        def work(connection: Connection) -> None:
            for side in (_game.c.white_id, _game.c.black_id):
                connection.execute(update(_game).where(side == visitor_id).values({side.name: account_id}))
            adopt_puzzles(connection, visitor_id, account_id)
            connection.execute(update(_study).where(_study.c.owner == visitor_id).values(owner=account_id))
            adopt_report_jobs(connection, visitor_id, account_id)
            account = _progress_of(connection, account_id)
            for key, value in _progress_of(connection, visitor_id).items():
                both = merged_json(value, account[key], _now()) if key in account else value
                with suppress(TooMuchProgress):
                    self._merge_progress(connection, account_id, {key: both})
            connection.execute(delete(_progress).where(_progress.c.person == visitor_id))
            adopt_openings(connection, visitor_id, account_id)
            adopt_repertoire(connection, visitor_id, account_id, self._limits.repertoire_lines)
            adopt_reviews(connection, visitor_id, account_id, self._limits.reviews_per_person)

        await self._writer.do(work)

    # Accounts

    async def create_account(
        self, name: str, password: str, *, bot: bool = False, caller: Caller = ANYBODY
    ) -> Account:
        """Raises `NameTaken`, also for a name that differs only in case, and `NameAlike`."""
        look, upper = await asyncio.to_thread(looks, name)
        account = Account(id=keys.new_id(), name=name, bot=bot, created_ms=_now())
        values = msgspec.structs.asdict(account) | {
            "name_key": keys.name_key(name),
            "password": await self._hashing(passwords.hash_password, password, passwords.COST, caller=caller),
            "look": look,
            "look_upper": upper,
        }

        def work(connection: Connection) -> None:
            _check_name(connection, name, (look, upper))
            try:
                connection.execute(insert(_account).values(values))
            except IntegrityError as error:
                raise NameTaken(f"the name {name} is taken") from error

        await self._writer.do(work)
        return account

    async def account(self, account_id: str) -> Account | None:
        """The open account of that id."""
        row = await self._account_row(_account.c.id == account_id)
        return None if row is None else _account_of(row._mapping)

    async def check_name(self, name: str) -> None:
        """Raises `NameTaken` or `NameAlike` where an account has or had this name, or one that looks like it."""
        alike = await asyncio.to_thread(looks, name)
        await self._database.read(lambda connection: _check_name(connection, name, alike))

    async def account_named(self, name: str) -> Account | None:
        """The open account of that name, in any case."""
        row = await self._account_row(_account.c.name_key == keys.name_key(name))
        return None if row is None else _account_of(row._mapping)

    async def _account_row(self, condition: ColumnElement[bool]) -> Row[Any] | None:
        return await self._database.row(select(_account).where(condition, _account.c.closed_ms.is_(None)))

    async def check_password(self, name: str, password: str, caller: Caller = ANYBODY) -> Account | None:
        """The account, if the password is right. A wrong name takes as long as a wrong password."""
        row = await self._account_row(_account.c.name_key == keys.name_key(name))
        stored = None if row is None else row.password
        right = await self._hashing(passwords.check_password, stored, password, passwords.COST, caller=caller)
        if not right or row is None:
            return None
        account = _account_of(row._mapping)
        if passwords.is_outdated(row.password):
            await self._set_password(account.id, password, caller)
        return account

    async def change_password(
        self, account_id: str, password: str, *, keep: str | None = None, caller: Caller = ANYBODY
    ) -> None:
        """Also ends every login but the one whose token is `keep`."""
        await self._set_password(account_id, password, caller)
        await self.close_logins(account_id, keep=keep)

    async def close_account(self, account_id: str) -> None:
        """Ends its logins and tokens, forgets what was learnt and deletes its studies; the name stays taken, the games stay."""

        def work(connection: Connection) -> None:
            connection.execute(
                update(_account).where(_account.c.id == account_id).values(closed_ms=_now(), password="")
            )
            connection.execute(delete(_login).where(_login.c.account == account_id))
            connection.execute(delete(_token).where(_token.c.account == account_id))
            forget_learning(connection, account_id)
            connection.execute(delete(_study).where(_study.c.owner == account_id))
            adopt_report_jobs(connection, account_id, None)

        await self._writer.do(work)

    async def _set_password(self, account_id: str, password: str, caller: Caller) -> None:
        hashed = await self._hashing(passwords.hash_password, password, passwords.COST, caller=caller)
        await self._execute(update(_account).where(_account.c.id == account_id).values(password=hashed))

    # Logins

    async def open_login(self, account_id: str, agent: str = "") -> str:
        """A new token for a cookie. It is not kept; only its hash is.

        Beyond `logins_per_account` the logins that were unused for longest end.
        """
        token, now = keys.new_login_token(), _now()
        row = {
            "token_hash": keys.fingerprint(token),
            "account": account_id,
            "agent": agent[:200],
            "created_ms": now,
            "seen_ms": now,
        }

        def work(connection: Connection) -> None:
            connection.execute(delete(_login).where(_expired(self._limits, now)))
            mine = select(_login.c.token_hash).where(_login.c.account == account_id)
            newest = mine.order_by(_login.c.seen_ms.desc(), _login.c.created_ms.desc())
            kept = (
                connection.execute(newest.limit(max(0, self._limits.logins_per_account - 1))).scalars().all()
            )
            connection.execute(
                delete(_login).where(_login.c.account == account_id, _login.c.token_hash.not_in(kept))
            )
            connection.execute(insert(_login).values(row))

        await self._writer.do(work)
        return token

    async def login(self, token: str) -> Login | None:
        """The login of a token, unless it was revoked, was unused for too long or is too old."""
        key, now = keys.fingerprint(token), _now()
        row = await self._database.row(_logins(self._limits, now).where(_login.c.token_hash == key))
        if row is None:
            return None
        if now - row.seen_ms >= _SEEN_EVERY_MS:
            await self._touch(update(_login).where(_login.c.token_hash == key).values(seen_ms=now))
        return _login_of(row._mapping)

    async def logins(self, account_id: str) -> list[Login]:
        """Every browser that is logged in to an account, last used first."""
        query = (
            _logins(self._limits, _now())
            .where(_login.c.account == account_id)
            .order_by(_login.c.seen_ms.desc(), _login.c.token_hash)
        )
        return [_login_of(row._mapping) for row in await self._database.rows(query)]

    async def close_login(self, account_id: str, key: str) -> bool:
        """Ends one login, named by its `key` (of a token: `keys.fingerprint(token)`); False if there was none."""
        return await self._execute(
            delete(_login).where(_login.c.account == account_id, _login.c.token_hash == key)
        )

    async def close_logins(self, account_id: str, *, keep: str | None = None) -> None:
        """Ends all logins of an account, but for the one whose token is `keep`."""
        condition = _login.c.account == account_id
        if keep is not None:
            condition &= _login.c.token_hash != keys.fingerprint(keep)
        await self._execute(delete(_login).where(condition))

    # Tokens for programs

    async def create_token(
        self, account_id: str, label: str, scopes: Collection[str]
    ) -> tuple[str, ApiToken]:
        """A new token and its stored form. Raises `TooManyTokens` beyond `tokens_per_account`."""
        unknown = sorted(set(scopes) - set(keys.SCOPES))
        if unknown or not scopes:
            raise WriteRefused(
                f"a token needs scopes among {', '.join(keys.SCOPES)}; not {', '.join(unknown) or 'none'}"
            )
        token = keys.new_api_token()
        row = {
            "id": keys.new_id(),
            "token_hash": keys.fingerprint(token),
            "account": account_id,
            "label": label,
            "scopes": " ".join(sorted(set(scopes))),
            "created_ms": _now(),
            "used_ms": None,
        }

        def work(connection: Connection) -> ApiToken:
            held = connection.scalar(
                select(func.count()).select_from(_token).where(_token.c.account == account_id)
            )
            if (held or 0) >= self._limits.tokens_per_account:
                raise TooManyTokens(f"an account has {self._limits.tokens_per_account} tokens at most")
            connection.execute(insert(_token).values(row))
            inserted = connection.execute(_tokens().where(_token.c.id == row["id"]))
            return _token_of(inserted.one()._mapping)

        return token, await self._writer.do(work)

    async def token(self, token: str) -> ApiToken | None:
        """The stored form of a token; None if it does not exist."""
        key, now = keys.fingerprint(token), _now()
        row = await self._database.row(_tokens().where(_token.c.token_hash == key))
        if row is None:
            return None
        if row.used_ms is None or now - row.used_ms >= _SEEN_EVERY_MS:
            await self._touch(update(_token).where(_token.c.token_hash == key).values(used_ms=now))
        return _token_of(row._mapping)

    async def tokens(self, account_id: str) -> list[ApiToken]:
        """The tokens of an account, oldest first."""
        query = _tokens().where(_token.c.account == account_id).order_by(_token.c.created_ms, _token.c.id)
        return [_token_of(row._mapping) for row in await self._database.rows(query)]

    async def revoke_token(self, account_id: str, token_id: str) -> bool:
        """False if there was none."""
        return await self._execute(
            delete(_token).where(_token.c.account == account_id, _token.c.id == token_id)
        )

    # Learning

    async def progress(self, person: str) -> dict[str, str]:
        """JSON by key (a lesson, a course), but for damaged texts."""
        query = select(_progress.c.key, _progress.c.value).where(_progress.c.person == person)
        rows = await self._database.rows(query.order_by(_progress.c.key))
        return {row.key: row.value for row in rows if is_text(row.key) and is_text(row.value)}

    async def add_progress(self, person: str, values: Mapping[str, str]) -> None:
        """Merges JSON by key with what is stored, all or nothing: what was done on one device and on another is kept, and the
        same sent twice changes nothing. Raises `TooMuchProgress` beyond `kept_bytes` of one value or `progress_bytes` of
        all that the person has.
        """
        await self._writer.do(lambda connection: self._merge_progress(connection, person, values))

    def _merge_progress(self, connection: Connection, person: str, values: Mapping[str, str]) -> None:
        stored, now = _progress_of(connection, person), _now()
        new = {key: merged_json(stored.get(key), value, now) for key, value in values.items()}
        sizes = {key: len(value.encode()) for key, value in new.items()}
        if max(sizes.values(), default=0) > self._limits.kept_bytes:
            raise TooMuchProgress(self._limits.kept_bytes)
        if sum((_progress_bytes(connection, person) | sizes).values()) > self._limits.progress_bytes:
            raise TooMuchProgress(self._limits.progress_bytes)
        for key, value in new.items():
            put(connection, _progress, {"person": person, "key": key, "value": value, "updated_ms": now})

    async def _touch(self, statement: Update) -> None:
        """Writes when something was used. A database that cannot write now logs nobody out."""
        with suppress(StoreBusy, StoreFailed):
            await self._execute(statement)

    async def _execute(self, statement: Update | Insert | Delete) -> bool:
        """Whether the statement has changed any row."""
        return await self._writer.do(lambda connection: connection.execute(statement).rowcount > 0)


def _check_name(connection: Connection, name: str, alike: tuple[str, str]) -> None:
    key = keys.name_key(name)
    same = or_(_account.c.look.in_(alike), _account.c.look_upper.in_(alike), _account.c.name_key == key)
    taken = connection.execute(select(_account.c.name_key).where(same)).scalars().all()
    if key in taken:
        raise NameTaken(f"the name {name} is taken")
    if taken:
        raise NameAlike(f"the name {name} looks like one that is taken")


def _progress_of(connection: Connection, person: str) -> dict[str, str]:
    """A person's progress, which nobody else changes before the transaction ends."""
    query = select(_progress.c.key, _progress.c.value).where(_progress.c.person == person)
    rows = connection.execute(query.order_by(_progress.c.key).with_for_update())
    return {row.key: row.value for row in rows if is_text(row.key) and is_text(row.value)}


def _progress_bytes(connection: Connection, person: str) -> dict[str, int]:
    """How long each stored text of a person's progress is."""
    size = byte_length(connection, _progress.c.value).label("length")
    rows = connection.execute(select(_progress.c.key, size).where(_progress.c.person == person))
    return {row.key: row.length for row in rows}


def _now() -> int:
    return time.time_ns() // 1_000_000


_OWNER = [_account.c[name].label(f"account_{name}") for name in Account.__struct_fields__]


def _logins(limits: Limits, now: int) -> Select[Any]:
    return (
        select(_login, *_OWNER)
        .join(_account, _account.c.id == _login.c.account)
        .where(~_expired(limits, now), _account.c.closed_ms.is_(None))
    )


def _expired(limits: Limits, now: int) -> ColumnElement[bool]:
    idle = _login.c.seen_ms <= now - limits.login_idle_s * 1000
    old = _login.c.created_ms <= now - limits.login_absolute_s * 1000
    return or_(idle, old)


def _tokens() -> Select[Any]:
    return (
        select(_token, *_OWNER)
        .join(_account, _account.c.id == _token.c.account)
        .where(_account.c.closed_ms.is_(None))
    )


def _account_of(row: RowMapping, prefix: str = "") -> Account:
    return Account(**{name: row[prefix + name] for name in Account.__struct_fields__})


def _login_of(row: RowMapping) -> Login:
    return Login(
        key=row["token_hash"],
        account=_account_of(row, "account_"),
        agent=row["agent"],
        created_ms=row["created_ms"],
        seen_ms=row["seen_ms"],
    )


def _token_of(row: RowMapping) -> ApiToken:
    return ApiToken(
        id=row["id"],
        account=_account_of(row, "account_"),
        label=row["label"],
        scopes=frozenset(row["scopes"].split()),
        created_ms=row["created_ms"],
        used_ms=row["used_ms"],
    )
