"""Error responses: one JSON object for every refusal, in the visitor's language, or a page for a person."""

import logging
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import Receive, Send

from damas.arbiter import ProcedureRefused
from damas.errors import DamasError, NoTable, UnknownRegulation, UnknownRulebook
from damas.server.security.bodies import Json
from damas.server.security.headers import EMBEDDED, fixed_headers, policy
from damas.server.services import services_of
from damas.server.store.errors import BadValue, DamagedGame, StoreBusy, UnknownGame
from damas.server.words import language_of
from damas.views.errors import ErrorView, error_view
from damas.views.table import procedure_view

log = logging.getLogger("damas")


class ApiError(Exception):
    """A request that the server refuses. `code` is stable and never translated; its sentence is `errors.<code>`.

    `facts` fill the sentence and are fields of the object; `retry_s` becomes the header Retry-After.
    """

    def __init__(self, status: int, code: str, /, *, retry_s: float | None = None, **facts: Any) -> None:
        super().__init__(status, code, facts)
        self.status = status
        self.code = code
        self.retry_s = retry_s
        self.facts = facts


MISSING = (UnknownRulebook, UnknownRegulation, NoTable)
"""Errors of what is not there: status 404."""
CONFLICTS = {"GAME_OVER", "NOT_YOUR_TURN", "FLAG"}
"""Refused because the game has moved on: status 409."""

CODES = {
    400: "BAD_REQUEST",
    401: "LOGIN_NEEDED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "METHOD",
}
"""Codes of the router's refusals, by status."""


def status_of(error: DamasError) -> int:
    """404 for what is not there, 409 for what came too late, else 400."""
    if isinstance(error, MISSING):
        return HTTPStatus.NOT_FOUND
    return HTTPStatus.CONFLICT if error.code in CONFLICTS else HTTPStatus.BAD_REQUEST


def api_error_view(connection: HTTPConnection, error: ApiError) -> ErrorView:
    """A refusal of the server in the visitor's language."""
    language = language_of(connection)
    message = services_of(connection).words.say(f"errors.{error.code}", language, **error.facts)
    return ErrorView(code=error.code, message=message, lang=language, more=error.facts)


def refused(connection: HTTPConnection, error: ApiError) -> Response:
    """The response to a refused request: a page if a browser opened one, else the object."""
    headers = {} if error.retry_s is None else {"Retry-After": str(max(1, round(error.retry_s + 0.49)))}
    return _page_or_json(connection, api_error_view(connection, error), error.status, headers)


def _page_or_json(
    connection: HTTPConnection, view: ErrorView, status: int, headers: dict[str, str]
) -> Response:
    if not _reads_pages(connection):
        return Json({"error": view}, status, headers)
    from damas.server.web.pages import page

    words, language = services_of(connection).words, language_of(connection)
    title = words.say(f"errors.title.{view.code}", language)
    if title.startswith("errors."):
        title = words.say("errors.title.other", language)
    template = "embed.html" if connection.url.path.startswith(EMBEDDED) else "error.html"
    shown = page(Request(connection.scope), template, status=status, title=title, message=view.message)
    shown.headers.update(headers)
    return shown


async def refuse(connection: HTTPConnection, receive: Receive, send: Send, error: ApiError) -> None:
    """Sends the refusal of a middleware; a socket that is not open yet gets it as the answer to its request."""
    await refused(connection, error)(connection.scope, receive, send)


def _reads_pages(connection: HTTPConnection) -> bool:
    if connection.scope["type"] != "http":
        return False
    if connection.scope["method"] not in ("GET", "HEAD") and connection.url.path != "/play":
        return False
    if "visitor" not in connection.scope:  # refused before the visitor was identified
        return False
    accept = connection.headers.get("accept", "")
    return "text/html" in accept and not connection.url.path.startswith(("/api/", "/static/"))


async def handle_api_error(request: Request, error: Exception) -> Response:
    """The response to a refusal."""
    assert isinstance(error, ApiError)
    return refused(request, error)


async def handle_damas_error(request: Request, error: Exception) -> Response:
    """The response to an error of the rules library."""
    assert isinstance(error, DamasError)
    language = language_of(request)
    view = procedure_view if isinstance(error, ProcedureRefused) else error_view
    return _page_or_json(request, view(error, language), status_of(error), {})


async def handle_store_error(request: Request, error: Exception) -> Response:
    """The database is slow or gone and the request may be repeated, unless a value in it is at fault."""
    if isinstance(error, StoreBusy):
        return refused(request, ApiError(503, "BUSY", retry_s=error.retry_ms / 1000))
    if isinstance(error, BadValue):
        return refused(request, ApiError(400, "BAD_VALUE"))
    if isinstance(error, DamagedGame):
        return refused(request, ApiError(500, "DAMAGED_GAME", game=error.game[:40]))
    if isinstance(error, UnknownGame):
        return refused(request, ApiError(404, "NO_GAME", game=error.game[:40]))
    log.error("the store failed: %s", error)
    return refused(request, ApiError(503, "STORE_FAILED", retry_s=1))


async def handle_http_error(request: Request, error: Exception) -> Response:
    """Refusals of the router: no such page, no such method."""
    assert isinstance(error, HTTPException)
    code = CODES.get(error.status_code, "BAD_REQUEST")
    answer = refused(request, ApiError(error.status_code, code))
    for name, value in (error.headers or {}).items():
        answer.headers[name] = value
    return answer


async def handle_gone(_: Request, __: Exception) -> Response:
    """The client left before its request had come: nobody reads this, and nothing is logged."""
    return Response(status_code=HTTPStatus.BAD_REQUEST)


async def handle_our_fault(request: Request, _: Exception) -> Response:
    """An unexpected exception: its text goes to the log, not to the client."""
    answer = refused(request, ApiError(500, "OUR_FAULT"))
    # This response does not pass through the middleware that adds them.
    answer.headers.update(fixed_headers(secure=services_of(request).settings.secure))
    answer.headers["Content-Security-Policy"] = policy("")
    return answer
