"""One declaration for each endpoint: the decorator of its handler makes the route and the entry in the API's description.

What a call of the API reads and answers with are the types in its handler's signature. Its summary is the sentence
`api.call.<id>` of the catalogue, its id the handler's name. Its examples work: a test makes each call with them, the
names in capitals filled in.
"""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from damas.server.security.bodies import Json, read
from damas.server.web.replies import Ok

Handler = TypeVar("Handler", bound=Callable[..., Awaitable[Any]])
"""A request handler."""

JSON, NDJSON, EVENTS = "application/json", "application/x-ndjson", "text/event-stream"
"""Media types of replies and streams."""
TAGS = ("rules", "analysis", "studies", "files", "learning", "people", "games", "play", "arena")
"""Groups of calls, in the order of the page `/api`."""
BOT = "/api/bot/"
"""Calls under this path exist under `/api/board/` as well, there by the scope `board:play`."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """A call of the API that is described to programmers."""

    method: str
    path: str
    id: str
    tag: str
    reply: Any
    """Type of the answer, or of each value of a stream; None where it is no JSON."""
    body: Any
    """Type of the request's JSON; None without one."""
    parameters: dict[str, str] = field(default_factory=dict)
    """Example of each parameter of the path."""
    query: dict[str, str] = field(default_factory=dict)
    """Examples of query parameters."""
    example: Any = None
    """Example of the body."""
    status: int = 200
    media: str = JSON
    scopes: tuple[str, ...] | None = None
    """Scopes of the token it needs; empty where an account is enough, None where anybody may ask."""

    @property
    def for_boards(self) -> bool:
        """Whether the call exists under `/api/board/` as well."""
        return self.path.startswith(BOT)


CALLS: list[Call] = []
"""Every described call; complete once `damas.server.app` is imported."""


class Endpoints:
    """The endpoints of one module; `tag` is the group of its calls unless they name another."""

    def __init__(self, tag: str = "") -> None:
        self.routes: list[BaseRoute] = []
        self._tag = tag

    def route(
        self, target: str, *, access: Callable[[Request], object] | None = None, status: int = 200
    ) -> Callable[[Handler], Handler]:
        """Decorates the handler of a target such as `GET /games`; it returns a response, or what is sent as JSON
        (nothing: `{"ok": true}`).

        `access` is called first, raises `ApiError` for whoever may not ask, and gives the second argument. The last
        parameter, if there is one more, is the body: its annotation says what is read.
        """

        def add(handler: Handler) -> Handler:
            method, path = target.split()
            body = _body(handler, access)

            async def endpoint(request: Request) -> Response:
                arguments = [access(request)] if access else []
                if body:
                    arguments.append(await read(request, body))
                reply = await handler(request, *arguments)
                if isinstance(reply, Response):
                    return reply
                return Json({"ok": True} if reply is None else reply, status)

            self.routes.append(Route(path, endpoint, methods=[method]))
            if path.startswith(BOT):
                self.routes.append(Route(path.replace("/bot/", "/board/", 1), endpoint, methods=[method]))
            return handler

        return add

    def call(
        self,
        target: str,
        *,
        access: Callable[[Request], object] | None = None,
        status: int = 200,
        **description: Any,
    ) -> Callable[[Handler], Handler]:
        """As `route`, for a call of the API; `description` has further fields of `Call`.

        Of these `id`, `tag`, `reply` and `body` are given only where the handler and the module do not say them.
        """

        def add(handler: Handler) -> Handler:
            method, path = target.split()
            reply = handler.__annotations__["return"] or Ok
            no_json = inspect.isclass(reply) and issubclass(reply, Response)
            derived = {
                "id": handler.__name__.strip("_"),
                "tag": self._tag,
                "reply": None if no_json else reply,
                "body": _body(handler, access),
            }
            CALLS.append(Call(method=method, path=path, status=status, **derived | description))
            return self.route(target, access=access, status=status)(handler)

        return add


def _body(handler: Callable[..., object], access: object) -> Any:
    """The type of the request's body: the annotation of the handler's last parameter."""
    parameters = list(inspect.signature(handler).parameters.values())[2 if access else 1 :]
    return parameters[0].annotation if parameters else None
