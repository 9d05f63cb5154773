"""A class for its pupils: they log in by its code, their name and their PIN, and see what there is to do."""

from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from damas.server.classes.pins import is_pin
from damas.server.security.bodies import Json
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import Visitor, visitor_of
from damas.server.services import services_of
from damas.server.store.classes import pupil_key
from damas.server.store.errors import WriteRefused
from damas.server.store.rows import Pupil
from damas.server.web.endpoints import Endpoints
from damas.server.web.people import end_login, logged_out, set_login
from damas.server.web.streams import Stream
from damas.server.web.work import caller_of
from damas.server.words import language_of
from damas.views import plain

endpoints = Endpoints()

Field = Annotated[str, Meta(max_length=100)]
"""What a pupil types."""


class PupilCredentials(msgspec.Struct, forbid_unknown_fields=True):
    """A pupil's login."""

    code: Field
    """Of the class."""
    name: Field
    """Or the number on the card."""
    pin: Field


def pupil(request: Request) -> Visitor:
    """The visitor, who must be logged in as a pupil."""
    visitor = visitor_of(request)
    if visitor.school_class is None:
        raise ApiError(401, "PUPIL_LOGIN_NEEDED")
    return visitor


@endpoints.route("POST /api/class/login")
async def _log_in(request: Request, body: PupilCredentials) -> Response:
    """Whatever is wrong, the answer is the same, so that nobody learns who is in a class."""
    services, address = services_of(request), address_of(request)
    code = "".join(filter(str.isalnum, body.code)).upper()
    school_class = await services.store.classes.with_code(code)
    counted: list[tuple[str, str]] = [("failed pins of an address", address)]
    if school_class is not None:
        counted.append(("failed pins of a place", school_class.id))
    with services.rates.attempt(*counted) as attempt:
        found = None
        if school_class is not None:
            found = _named(await services.store.classes.pupils(school_class.id), body.name)
        stored = found.pin if found else None
        pin = "".join(filter(str.isalnum, body.pin))
        attempt.failed = not await is_pin(services, stored, pin, caller_of(request))
    if found is None or attempt.failed:
        raise ApiError(401, "WRONG_PIN")
    try:
        token = await services.store.classes.open_login(found.id, found.pin)
    except WriteRefused:
        raise ApiError(401, "WRONG_PIN") from None
    await end_login(request)
    await services.logins.changed(found.id)
    response = Json({"ok": True, "url": "/class"})
    set_login(response, services, token, services.settings.limits.login_absolute_s)
    return response


def _named(pupils: list[Pupil], text: str) -> Pupil | None:
    """The pupil of that name or number; a first name is enough where only one has it."""
    key = pupil_key(text)
    if key.isdecimal():
        return next((each for each in pupils if each.number == int(key)), None)
    if whole := next((each for each in pupils if pupil_key(each.name) == key), None):
        return whole
    first = [each for each in pupils if pupil_key(each.name).split()[:1] == [key]]
    return first[0] if len(first) == 1 else None


@endpoints.route("POST /api/class/logout", access=pupil)
async def _log_out(request: Request, _: Visitor) -> Response:
    """The next pupil at this device begins anew."""
    await end_login(request)
    return logged_out(services_of(request))


@endpoints.route("GET /api/class", access=pupil)
async def _class(request: Request, visitor: Visitor) -> object:
    view = await services_of(request).live.pupil_view(visitor.id, language_of(request))
    if view is None:
        raise ApiError(401, "PUPIL_LOGIN_NEEDED")
    return plain(view)


@endpoints.route("GET /api/class/stream", access=pupil)
async def _stream(request: Request, visitor: Visitor) -> Response:
    """The class now, and whenever it has changed for this pupil."""
    assert visitor.school_class
    live = services_of(request).live
    return Stream.events(live.watch_pupil(visitor.id, visitor.school_class, language_of(request)))
