"""Accounts: a name and a password. The games of a visitor become the account's when they sign up or log in."""

import re
import unicodedata
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from damas.server.rooms.rooms import Rooms
from damas.server.security.bodies import Json, read
from damas.server.security.door import LOGIN_COOKIE, VISITOR_COOKIE, cookie_name, set_cookie
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.passwords import weakness
from damas.server.security.visitors import Visitor, new_id, visitor_of
from damas.server.services import Services, services_of
from damas.server.store.errors import NameTaken, TooManyTokens
from damas.server.store.keys import SCOPES, fingerprint, name_key
from damas.server.store.people import Account

Word = Annotated[str, msgspec.Meta(max_length=1000)]
NAME = re.compile(r"[^\W_](?:[ ._-]?[^\W_])*")
"""Letters and digits of any alphabet with single signs between them; no invisible or reordering characters."""


class Credentials(msgspec.Struct, forbid_unknown_fields=True):
    """To make an account, or to log in to one."""

    name: Annotated[Word, msgspec.Meta(examples=["Ana"])]
    password: Annotated[Word, msgspec.Meta(examples=["um cavalo sem sela"])]


class NewAccount(Credentials, forbid_unknown_fields=True):
    bot: bool = False
    """An account for a program: its games show it."""


class NewName(msgspec.Struct, forbid_unknown_fields=True):
    name: Word


class NewPassword(msgspec.Struct, forbid_unknown_fields=True):
    old: Word
    new: Word


class Password(msgspec.Struct, forbid_unknown_fields=True):
    password: Word


class Revoke(msgspec.Struct, forbid_unknown_fields=True):
    """One login by its key; without it every one but this."""

    login: Annotated[str, msgspec.Meta(max_length=100)] | None = None


class NewToken(msgspec.Struct, forbid_unknown_fields=True):
    scopes: Annotated[list[str], msgspec.Meta(min_length=1, max_length=len(SCOPES), examples=[["bot:play"]])]
    label: Annotated[str, msgspec.Meta(max_length=60, examples=["my bot"])] = ""


def checked_name(services: Services, name: str) -> str:
    """The normalised name; raises `ApiError`."""
    least, most = services.settings.limits.name_length
    plain = unicodedata.normalize("NFKC", name).strip()
    if not least <= len(plain) <= most or not NAME.fullmatch(plain):
        raise ApiError(400, "BAD_NAME", least=least, most=most)
    return plain


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


def _login_cookie(services: Services, token: str, seconds: int) -> str:
    secure = services.settings.secure
    return set_cookie(cookie_name(LOGIN_COOKIE, secure), token, secure=secure, seconds=seconds)


def _visitor_cookie(services: Services, visitor_id: str, chosen: str = "") -> str:
    secure = services.settings.secure
    return set_cookie(
        cookie_name(VISITOR_COOKIE, secure), services.signature.write(visitor_id, chosen), secure=secure
    )


def keep_seats(rooms: Rooms, visitor_id: str, account_id: str) -> None:
    """Gives a visitor's seats in open rooms to the account, as the store has done with the stored games."""
    for room in rooms:
        room.adopt(visitor_id, account_id)


async def _enter(request: Request, account: Account, status: int) -> Response:
    """Logs in with a new token; the visitor's games become the account's."""
    services, visitor = services_of(request), visitor_of(request)
    if visitor.account is None:
        await services.store.people.adopt(visitor.id, account.id)
        keep_seats(services.rooms, visitor.id, account.id)
    elif (old := request.cookies.get(cookie_name(LOGIN_COOKIE, services.settings.secure))) is not None:
        await services.store.people.close_login(visitor.account, fingerprint(old))
        await services.logins.changed(visitor.account)
    token = await services.store.people.open_login(account.id, request.headers.get("user-agent", ""))
    answer = Json({"id": account.id, "name": account.name, "bot": account.bot}, status)
    answer.headers.append(
        "set-cookie", _login_cookie(services, token, services.settings.limits.login_absolute_s)
    )
    answer.headers.append("set-cookie", _visitor_cookie(services, new_id()))
    return answer


async def _sign_up(request: Request) -> Response:
    services = services_of(request)
    services.rates.spend("login", (address_of(request), "sign-up"))
    body = await read(request, NewAccount)
    name = checked_name(services, body.name)
    password = checked_password(services, body.password, name)
    try:
        account = await services.store.people.create_account(name, password, bot=body.bot)
    except NameTaken:
        raise ApiError(409, "NAME_TAKEN", name=name) from None
    return await _enter(request, account, 201)


async def _log_in(request: Request) -> Response:
    services, given = services_of(request), await read(request, Credentials)
    key = (address_of(request), name_key(given.name.strip()))
    services.rates.spend("login", key)
    account = await services.store.people.check_password(given.name.strip(), given.password)
    if account is None:
        raise ApiError(401, "WRONG_LOGIN")
    services.rates.give_back("login", key)
    return await _enter(request, account, 200)


async def _log_out(request: Request) -> Response:
    """Ends this login and gives the browser a new visitor id."""
    services, visitor = services_of(request), member(request)
    token = request.cookies[cookie_name(LOGIN_COOKIE, services.settings.secure)]
    assert visitor.account
    await services.store.people.close_login(visitor.account, fingerprint(token))
    await services.logins.changed(visitor.account)
    return _out(services)


def _out(services: Services) -> Response:
    answer = Json({"ok": True}, headers={"Clear-Site-Data": '"cache"'})
    answer.headers.append("set-cookie", _login_cookie(services, "", 0))
    answer.headers.append("set-cookie", _visitor_cookie(services, new_id()))
    return answer


async def _whoami(request: Request) -> Response:
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
    return Json(view)


async def _rename(request: Request) -> Response:
    """Sets the name of a visitor without an account."""
    services, visitor = services_of(request), visitor_of(request)
    if visitor.account is not None:
        raise ApiError(403, "FORBIDDEN")
    name = checked_name(services, (await read(request, NewName)).name)
    if await services.store.people.is_taken(name):
        raise ApiError(409, "NAME_TAKEN", name=name)
    answer = Json({"ok": True, "name": name})
    answer.headers.append("set-cookie", _visitor_cookie(services, visitor.id, name))
    return answer


async def _revoke(request: Request) -> Response:
    services, visitor = services_of(request), member(request)
    assert visitor.account
    body = await read(request, Revoke)
    if body.login is None:
        token = request.cookies[cookie_name(LOGIN_COOKIE, services.settings.secure)]
        await services.store.people.close_logins(visitor.account, keep=token)
    elif not await services.store.people.close_login(visitor.account, body.login):
        raise ApiError(404, "NOT_FOUND")
    await services.logins.changed(visitor.account)
    return Json({"ok": True})


async def _confirm(request: Request, visitor: Visitor, password: str) -> None:
    """Checks the password again, for changes that cannot be undone."""
    services = services_of(request)
    key = (address_of(request), name_key(visitor.name))
    services.rates.spend("login", key)
    if await services.store.people.check_password(visitor.name, password) is None:
        raise ApiError(403, "WRONG_PASSWORD")
    services.rates.give_back("login", key)


async def _change_password(request: Request) -> Response:
    services, visitor = services_of(request), member(request)
    assert visitor.account
    body = await read(request, NewPassword)
    await _confirm(request, visitor, body.old)
    password = checked_password(services, body.new, visitor.name)
    token = request.cookies[cookie_name(LOGIN_COOKIE, services.settings.secure)]
    await services.store.people.change_password(visitor.account, password, keep=token)
    await services.logins.changed(visitor.account)
    return Json({"ok": True})


async def _close(request: Request) -> Response:
    """Closes the account; its games stay, and its name stays taken."""
    services, visitor = services_of(request), member(request)
    assert visitor.account
    await _confirm(request, visitor, (await read(request, Password)).password)
    await services.store.people.close_account(visitor.account)
    await services.logins.changed(visitor.account)
    return _out(services)


async def _new_token(request: Request) -> Response:
    services, visitor = services_of(request), member(request)
    assert visitor.account
    body = await read(request, NewToken)
    if unknown := sorted(set(body.scopes) - set(SCOPES)):
        raise ApiError(400, "UNKNOWN_SCOPE", scope=unknown[0][:40], known=", ".join(SCOPES))
    try:
        token, stored = await services.store.people.create_token(visitor.account, body.label, body.scopes)
    except TooManyTokens:
        raise ApiError(409, "TOO_MANY_TOKENS", most=services.settings.limits.tokens_per_account) from None
    return Json(
        {"token": token, "id": stored.id, "label": stored.label, "scopes": sorted(stored.scopes)}, 201
    )


async def _revoke_token(request: Request) -> Response:
    services, visitor = services_of(request), member(request)
    assert visitor.account
    if not await services.store.people.revoke_token(visitor.account, request.path_params["id"]):
        raise ApiError(404, "NOT_FOUND")
    await services.logins.changed(visitor.account)
    return Json({"ok": True})


routes: list[BaseRoute] = [
    Route("/api/account", _whoami, methods=["GET"]),
    Route("/api/account", _sign_up, methods=["POST"]),
    Route("/api/account/login", _log_in, methods=["POST"]),
    Route("/api/account/logout", _log_out, methods=["POST"]),
    Route("/api/account/name", _rename, methods=["POST"]),
    Route("/api/account/revoke", _revoke, methods=["POST"]),
    Route("/api/account/password", _change_password, methods=["POST"]),
    Route("/api/account/close", _close, methods=["POST"]),
    Route("/api/account/tokens", _new_token, methods=["POST"]),
    Route("/api/account/tokens/{id}", _revoke_token, methods=["DELETE"]),
]
