"""The app: routes, middleware, and the server that opens and closes with it."""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from damas.errors import DamasError
from damas.server.analysing import Analysing
from damas.server.arena.arena import Arena
from damas.server.player_events import PlayerEvents
from damas.server.rooms.commands import CommandRefused
from damas.server.rooms.ledger import Busy
from damas.server.rooms.lobby import Lobby
from damas.server.rooms.rooms import Rooms
from damas.server.security.bodies import Bodies
from damas.server.security.door import Door
from damas.server.security.errors import (
    ApiError,
    handle_api_error,
    handle_damas_error,
    handle_http_error,
    handle_our_fault,
    handle_store_error,
)
from damas.server.security.headers import Headers
from damas.server.security.hosts import Hosts
from damas.server.security.logins import Logins
from damas.server.security.origin import Origin
from damas.server.security.rates import Rates, RequestRate
from damas.server.security.visitors import Signature, secret_in, secret_of
from damas.server.services import Services
from damas.server.settings import Settings
from damas.server.shares import Shares
from damas.server.store import Store
from damas.server.store.errors import StoreError
from damas.server.web import (
    analysis,
    archive,
    arena,
    board_api,
    challenges,
    learn,
    openapi,
    operations,
    pages,
    paper,
    people,
    play,
    rules,
    share,
    static_files,
)
from damas.server.web.long_requests import LongRequests
from damas.server.workers import Workers

# Pages come last: what has a route of its own takes it before the plain page of that address.
MODULES = (
    static_files,
    rules,
    play,
    learn,
    analysis,
    archive,
    arena,
    share,
    paper,
    people,
    board_api,
    challenges,
    openapi,
    operations,
    pages,
)
"""Where routes are declared, in the order in which they are tried."""

FILMS, IMPORTS, PAPERS = 2, 2, 2
"""Films rendered, PDN files read and PDF files written at once: each needs a processor and some megabytes."""


def create_app(settings: Settings) -> Starlette:
    """A server that is ready to be run by uvicorn; it opens its store when it starts."""
    services = Services(settings, Rates(settings.limits))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            try:
                await _open(services, stack)
            except Exception as trouble:
                services.trouble = trouble
                raise
            yield

    app = Starlette(
        routes=[route for module in MODULES for route in module.endpoints.routes],
        middleware=[
            Middleware(Headers, secure=settings.secure),
            Middleware(Hosts, settings=settings),
            Middleware(RequestRate, services=services),
            Middleware(Origin, settings=settings),
            Middleware(Bodies, limits=settings.limits),
            Middleware(Door, services=services),
        ],
        exception_handlers={
            ApiError: handle_api_error,
            DamasError: handle_damas_error,
            StoreError: handle_store_error,
            CommandRefused: play.handle_refused_command,
            Busy: play.handle_busy_room,
            HTTPException: handle_http_error,
            Exception: handle_our_fault,
        },
        lifespan=lifespan,
    )
    app.state.services = services
    return app


async def _open(services: Services, stack: AsyncExitStack) -> None:
    """Store, engines, rooms, what concerns players: each stands on the one before and is closed before it."""
    settings = services.settings
    services.store = await Store.open(settings)
    stack.push_async_callback(services.store.close)
    services.signature = Signature(await _secret(services))
    secret_in(settings.data / operations.OPERATOR)  # made now, so that whoever needs it finds it
    services.logins = Logins(services.store)
    services.logins.start()
    stack.push_async_callback(services.logins.close)
    services.films = LongRequests("film", FILMS, services.closing)
    services.downloads = Shares(1)
    services.papers = Workers("paper", PAPERS)
    services.imports = LongRequests("import", IMPORTS, services.closing)
    services.analysing = Analysing(settings.limits, services.store.studies)
    stack.push_async_callback(services.analysing.close)
    services.arena = await Arena.open(settings)
    stack.push_async_callback(services.arena.close)
    services.rooms = await Rooms.open(services.store, settings)
    stack.push_async_callback(services.stop_playing)
    services.lobby = Lobby(services.rooms)
    services.player_events = PlayerEvents(services.rooms)
    await services.player_events.load_challenges(services.store, settings.node)
    stack.callback(services.player_events.close)


async def _secret(services: Services) -> bytes:
    """`DAMAS_SECRET`, else a file beside the SQLite database, else what the nodes of one PostgreSQL share."""
    if services.settings.sqlite_path is None and not os.environ.get("DAMAS_SECRET"):
        return await services.store.secret("visitors")
    return secret_of(services.settings.data)
