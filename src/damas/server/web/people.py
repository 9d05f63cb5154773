"""Accounts: a name and a password. The games of a visitor become the account's when they sign up or log in."""

from collections.abc import Hashable
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from damas.server.classes.leaving import leave_classes
from damas.server.security.bodies import Json, read
from damas.server.security.door import LOGIN_COOKIE, VISITOR_COOKIE, cookie_name, set_cookie
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.names import checked_name
from damas.server.security.passwords import weakness
from damas.server.security.visitors import Visitor, new_id, visitor_of
from damas.server.services import Services, services_of
from damas.server.store.errors import NameAlike, NameTaken, TooManyTokens
from damas.server.store.keys import SCOPES, fingerprint, name_key
from damas.server.store.people import Account
from damas.server.web import replies
from damas.server.web.endpoints import Endpoints
from damas.server.web.work import caller_of
from damas.server.workers import Caller

endpoints = Endpoints("people")

KNOWN_COOKIE = "damas_known"
"""Name of the signed cookie of a browser that has logged in to an account; it stays when they log out."""
KNOWN = b"known:"
"""What this cookie is signed for."""

Word = Annotated[str, msgspec.Meta(max_length=1000)]
"""A name or a password before it is checked."""


class Credentials(msgspec.Struct, forbid_unknown_fields=True):
    """To make an account, or to log in to one."""

    name: Annotated[Word, msgspec.Meta(examples=["Ana"])]
    password: Annotated[Word, msgspec.Meta(examples=["um cavalo sem sela"])]


class NewAccount(Credentials, forbid_unknown_fields=True):
    """A new account."""

    bot: bool = False
    """An account for a program: its games show it."""


class NewName(msgspec.Struct, forbid_unknown_fields=True):
    """The name of a visitor without an account."""

    name: Word


class NewPassword(msgspec.Struct, forbid_unknown_fields=True):
    """A change of the password."""

    old: Word
    new: Word


class Password(msgspec.Struct, forbid_unknown_fields=True):
    """The password again, to confirm what cannot be undone."""

    password: Word


class Revoke(msgspec.Struct, forbid_unknown_fields=True):
    """One login by its key; without it every one but this."""

    login: Annotated[str, msgspec.Meta(max_length=100)] | None = None


class NewToken(msgspec.Struct, forbid_unknown_fields=True):
    """What a new token may do."""

    scopes: Annotated[list[str], msgspec.Meta(min_length=1, max_length=len(SCOPES), examples=[["bot:play"]])]
    label: Annotated[str, msgspec.Meta(max_length=60, examples=["my bot"])] = ""


def checked_password(services: Services, password: str, name: str) -> str:
    """A new password of sufficient length that is not weak; raises `ApiError`."""
    least, most = services.settings.limits.password_length
    if len(password) < least:
        raise ApiError(400, "SHORT_PASSWORD", least=least)
    if len(password) > most:
        raise ApiError(400, "LONG_PASSWORD", most=most)
    if weakness(password, name):
        raise ApiError(400, "COMMON_PASSWORD")
    return password


def member(request: Request) -> Visitor:
    """The visitor, who must be logged in; tokens may not manage accounts."""
    visitor = visitor_of(request)
    if visitor.account is None:
        raise ApiError(401, "LOGIN_NEEDED")
    if "authorization" in request.headers:
        raise ApiError(403, "FORBIDDEN")
    return visitor


def set_login(response: Response, services: Services, token: str, seconds: int) -> None:
    """Sets the login cookie, with a new visitor id beside it."""
    secure = services.settings.secure
    login = set_cookie(cookie_name(LOGIN_COOKIE, secure), token, secure=secure, seconds=seconds)
    response.headers.append("set-cookie", login)
    _set_visitor(response, services, new_id())


def _set_known(response: Response, services: Services, account: Account) -> None:
    """Lets the browser show later that it has logged in to this account; it proves nothing else."""
    secure = services.settings.secure
    value = services.signature.write("", name_key(account.name), KNOWN)
    response.headers.append("set-cookie", set_cookie(cookie_name(KNOWN_COOKIE, secure), value, secure=secure))


def _set_visitor(response: Response, services: Services, visitor_id: str, name: str = "") -> None:
    secure, value = services.settings.secure, services.signature.write(visitor_id, name)
    response.headers.append(
        "set-cookie", set_cookie(cookie_name(VISITOR_COOKIE, secure), value, secure=secure)
    )


def _knows(request: Request, account: str) -> bool:
    """Whether this browser has logged in to an account of that key before."""
    services = services_of(request)
    cookie = request.cookies.get(cookie_name(KNOWN_COOKIE, services.settings.secure), "")
    signed = services.signature.read(cookie, KNOWN)
    return signed is not None and signed[1] == account


def login_token(request: Request) -> str | None:
    """The token in the login cookie."""
    return request.cookies.get(cookie_name(LOGIN_COOKIE, services_of(request).settings.secure))


async def _enter(request: Request, account: Account, status: int) -> Response:
    """Logs in with a new token; the visitor's games become the account's."""
    services, visitor = services_of(request), visitor_of(request)
    if visitor.known is None:
        await services.store.people.adopt(visitor.id, account.id)
        await services.store.classes.adopt(visitor.id, account.id)
        change = (visitor.id, account.id)
        services.rooms.adopt(change)
        services.bus.publish("adopt", change)
    else:
        await end_login(request)
    token = await services.store.people.open_login(account.id, request.headers.get("user-agent", ""))
    await services.logins.changed(account.id)  # it may have ended the oldest
    response = Json({"id": account.id, "name": account.name, "bot": account.bot}, status)
    set_login(response, services, token, services.settings.limits.login_absolute_s)
    _set_known(response, services, account)
    return response


async def end_login(request: Request) -> None:
    """Ends the login of this browser, of an account or a pupil."""
    services, visitor = services_of(request), visitor_of(request)
    if (old := login_token(request)) is None or visitor.known is None:
        return
    if visitor.school_class:
        await services.store.classes.close_login(fingerprint(old))
    else:
        await services.store.people.close_login(visitor.id, fingerprint(old))
    await services.logins.changed(visitor.id)


def logged_out(services: Services) -> Response:
    response = Json({"ok": True}, headers={"Clear-Site-Data": '"cache"'})
    set_login(response, services, "", 0)
    return response


@endpoints.call("GET /api/account", reply=replies.WhoAmI)
async def _whoami(request: Request) -> dict[str, object]:
    services, visitor = services_of(request), visitor_of(request)
    view: dict[str, object] = {
        "id": visitor.id,
        "name": visitor.name,
        "account": visitor.account is not None,
        "bot": visitor.bot,
        "scopes": sorted(visitor.scopes),
    }
    if visitor.account and "authorization" not in request.headers:
        people = services.store.people
        view["logins"] = [
            {
                "key": login.key,
                "agent": login.agent,
                "created_ms": login.created_ms,
                "seen_ms": login.seen_ms,
                "here": login.key == visitor.login,
            }
            for login in await people.logins(visitor.account)
        ]
        view["tokens"] = [
            {
                "id": token.id,
                "label": token.label,
                "scopes": sorted(token.scopes),
                "created_ms": token.created_ms,
                "used_ms": token.used_ms,
            }
            for token in await people.tokens(visitor.account)
        ]
    return view


EXAMPLE_ACCOUNT = {"name": "NEW", "password": "um cavalo sem sela"}
"""Example for `sign_up` and `log_in`."""


@endpoints.call(
    "POST /api/account", body=NewAccount, example=EXAMPLE_ACCOUNT, reply=replies.Account, status=201
)
async def _sign_up(request: Request) -> Response:
    services = services_of(request)
    services.rates.spend("accounts of an address", address_of(request))
    body = await read(request, NewAccount)
    name = checked_name(body.name, *services.settings.limits.name_length)
    password = checked_password(services, body.password, name)
    try:
        account = await services.store.people.create_account(
            name, password, bot=body.bot, caller=caller_of(request)
        )
    except NameTaken as taken:
        raise _name_taken(taken, name) from None
    return await _enter(request, account, 201)


def _name_taken(taken: NameTaken, name: str) -> ApiError:
    return ApiError(409, "NAME_ALIKE" if isinstance(taken, NameAlike) else "NAME_TAKEN", name=name)


@endpoints.call("POST /api/account/login", example=EXAMPLE_ACCOUNT, reply=replies.Account)
async def _log_in(request: Request, body: Credentials) -> Response:
    account = await _checked(request, body.name.strip(), body.password)
    if account is None:
        raise ApiError(401, "WRONG_LOGIN")
    return await _enter(request, account, 200)


async def _checked(request: Request, name: str, password: str) -> Account | None:
    """The account, if the password is right. Raises `ApiError` 429 where too many were wrong.

    Failures are counted for the account at this address, and for the address: nobody elsewhere is locked out. A browser
    that has logged in to the account before counts by itself, so that its owner gets in whatever their neighbours try.
    """
    services, address, account = services_of(request), address_of(request), name_key(name)
    known = _knows(request, account)
    keys: list[tuple[str, Hashable]] = [("login", ("known", account) if known else (address, account))]
    if not known:
        keys.append(("failed logins of an address", address))
    with services.rates.attempt(*keys) as attempt:
        caller = caller_of(request)
        if known:  # one place more for the account's own browsers, however many they are
            caller = Caller(account, address, apart=account)
        checked = await services.store.people.check_password(name, password, caller)
        attempt.failed = checked is None
    return checked


@endpoints.route("POST /api/account/logout", access=member)
async def _log_out(request: Request, visitor: Visitor) -> Response:
    """Ends this login and gives the browser a new visitor id."""
    services = services_of(request)
    await services.store.people.close_login(visitor.id, fingerprint(login_token(request) or ""))
    await services.logins.changed(visitor.id)
    return logged_out(services)


@endpoints.route("POST /api/account/name")
async def _rename(request: Request) -> Response:
    """Sets the name of a visitor without an account."""
    services, visitor = services_of(request), visitor_of(request)
    if visitor.known is not None:
        raise ApiError(403, "FORBIDDEN")
    name = checked_name((await read(request, NewName)).name, *services.settings.limits.name_length)
    try:
        await services.store.people.check_name(name)
    except NameTaken as taken:
        raise _name_taken(taken, name) from None
    response = Json({"ok": True, "name": name})
    _set_visitor(response, services, visitor.id, name)
    return response


@endpoints.route("POST /api/account/revoke", access=member)
async def _revoke(request: Request, visitor: Visitor, body: Revoke) -> None:
    services = services_of(request)
    if body.login is None:
        await services.store.people.close_logins(visitor.id, keep=login_token(request))
    elif not await services.store.people.close_login(visitor.id, body.login):
        raise ApiError(404, "NOT_FOUND")
    await services.logins.changed(visitor.id)


async def _confirm(request: Request, visitor: Visitor, password: str) -> None:
    """Checks the password again, for changes that cannot be undone."""
    if await _checked(request, visitor.name, password) is None:
        raise ApiError(403, "WRONG_PASSWORD")


@endpoints.route("POST /api/account/password", access=member)
async def _change_password(request: Request, visitor: Visitor, body: NewPassword) -> None:
    services = services_of(request)
    await _confirm(request, visitor, body.old)
    password = checked_password(services, body.new, visitor.name)
    keep = login_token(request)
    await services.store.people.change_password(visitor.id, password, keep=keep, caller=caller_of(request))
    await services.logins.changed(visitor.id)


@endpoints.route("POST /api/account/close", access=member)
async def _close(request: Request, visitor: Visitor, body: Password) -> Response:
    """Closes the account; its games stay, and its name stays taken. Classes that nobody else teaches are forgotten: no one
    could ever delete them.
    """
    services = services_of(request)
    await _confirm(request, visitor, body.password)
    await leave_classes(services, visitor.id)
    await services.store.people.close_account(visitor.id)
    await services.logins.changed(visitor.id)
    return logged_out(services)


@endpoints.call(
    "POST /api/account/tokens",
    access=member,
    example={"label": "my bot", "scopes": ["bot:play"]},
    status=201,
    scopes=(),
)
async def _new_token(request: Request, visitor: Visitor, body: NewToken) -> replies.Token:
    services = services_of(request)
    if unknown := sorted(set(body.scopes) - set(SCOPES)):
        raise ApiError(400, "UNKNOWN_SCOPE", scope=unknown[0][:40], known=", ".join(SCOPES))
    try:
        token, stored = await services.store.people.create_token(visitor.id, body.label, body.scopes)
    except TooManyTokens:
        raise ApiError(409, "TOO_MANY_TOKENS", most=services.settings.limits.tokens_per_account) from None
    return {"token": token, "id": stored.id, "label": stored.label, "scopes": sorted(stored.scopes)}


@endpoints.route("DELETE /api/account/tokens/{id}", access=member)
async def _revoke_token(request: Request, visitor: Visitor) -> None:
    services = services_of(request)
    if not await services.store.people.revoke_token(visitor.id, request.path_params["id"]):
        raise ApiError(404, "NOT_FOUND")
    await services.logins.changed(visitor.id)
