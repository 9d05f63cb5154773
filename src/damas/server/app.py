"""The app: routes, middleware, and the server that opens and closes with it."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from types import ModuleType

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.types import Lifespan

from damas.errors import DamasError
from damas.server.analysing.analysing import Analysing
from damas.server.arena.arena import Arena
from damas.server.classes.boards import Boards
from damas.server.classes.live import Live
from damas.server.classes.report import Reports
from damas.server.club.app_boards import AppBoards
from damas.server.club.tournaments import Tournaments
from damas.server.nodes.bus import bus_of
from damas.server.nodes.listener import NodeListener
from damas.server.nodes.lobbies import NodeLobbies
from damas.server.nodes.passing import Passing, PassOn
from damas.server.nodes.shared_rates import share_rates
from damas.server.openings.counting import OpeningCounter
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
    handle_gone,
    handle_http_error,
    handle_our_fault,
    handle_store_error,
)
from damas.server.security.headers import Headers
from damas.server.security.hosts import Hosts
from damas.server.security.logins import Logins
from damas.server.security.origin import Origin
from damas.server.security.rates import Rates, RequestRate
from damas.server.security.visitors import Signature, given_secret, secret_in
from damas.server.services import Services
from damas.server.settings import Settings
from damas.server.shares import Shares
from damas.server.store import Store
from damas.server.store.errors import StoreError
from damas.server.store.keys import NODES, VISITORS, earlier_secret
from damas.server.web import (
    analysis,
    arbiter,
    archive,
    arena,
    board_api,
    challenges,
    class_pages,
    classes,
    club,
    club_desk,
    club_screen,
    embed,
    learn,
    local_files,
    local_games,
    mistakes,
    nodes,
    openapi,
    openings,
    operations,
    pages,
    paper,
    people,
    play,
    pupils,
    puzzles,
    repertoire,
    reviews,
    rules,
    share,
    static_files,
    studies,
    study_pages,
)
from damas.server.web.work import LongRequests
from damas.server.work.lanes import Work

# Pages come last: what has a route of its own takes it before the plain page of that address.
MODULES = (
    static_files,
    rules,
    play,
    local_games,
    arbiter,
    learn,
    puzzles,
    mistakes,
    reviews,
    analysis,
    openings,
    repertoire,
    studies,
    study_pages,
    archive,
    arena,
    club,
    club_desk,
    club_screen,
    share,
    embed,
    paper,
    people,
    board_api,
    challenges,
    classes,
    pupils,
    class_pages,
    openapi,
    operations,
    local_files,
    pages,
)
"""Where routes are declared, in the order in which they are tried."""


def create_app(settings: Settings) -> Starlette:
    """A server that is ready to be run by uvicorn; it opens its store when it starts."""
    services = Services(settings, Rates(settings.limits))
    by_nodes = _app(services, [], (nodes, *MODULES))
    """What other nodes reach: they have done what the middleware does."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            try:
                await _open(services, by_nodes, stack)
            except Exception as trouble:
                services.trouble = trouble
                raise
            yield

    middleware = [
        Middleware(Headers, secure=settings.secure),
        Middleware(Hosts, settings=settings),
        Middleware(RequestRate, services=services),
        Middleware(Origin, settings=settings),
        Middleware(Bodies, limits=settings.limits),
        Middleware(Door, services=services),
    ]
    if settings.sqlite_path is None:
        middleware.append(Middleware(PassOn, services=services))
    return _app(services, middleware, MODULES, lifespan)


def _app(
    services: Services,
    middleware: list[Middleware],
    modules: Sequence[ModuleType],
    lifespan: Lifespan[Starlette] | None = None,
) -> Starlette:
    """The routes of these modules behind this middleware."""
    app = Starlette(
        routes=[route for module in modules for route in module.endpoints.routes],
        middleware=middleware,
        exception_handlers={
            ApiError: handle_api_error,
            DamasError: handle_damas_error,
            StoreError: handle_store_error,
            CommandRefused: play.handle_refused_command,
            Busy: play.handle_busy_room,
            HTTPException: handle_http_error,
            ClientDisconnect: handle_gone,
            Exception: handle_our_fault,
        },
        lifespan=lifespan,
    )
    app.state.services = services
    return app


async def _open(services: Services, by_nodes: Starlette, stack: AsyncExitStack) -> None:
    """Store, engines, rooms, what concerns players: each stands on the one before and is closed before it."""
    settings = services.settings
    services.store = await Store.open(settings)
    stack.push_async_callback(services.store.close)
    services.signature = Signature(await _secret(services))
    secret_in(settings.data / operations.OPERATOR)  # made now, so that whoever needs it finds it
    services.bus = bus_of(settings, services.store.database)
    stack.push_async_callback(services.bus.close)
    share_rates(services.rates, services.bus)
    services.logins = Logins(services.store, services.bus)
    services.logins.start()
    stack.push_async_callback(services.logins.close)
    services.work = Work(settings.limits)
    stack.callback(services.work.close)
    services.store.people.hash_in(services.work.passwords.run)
    services.films = LongRequests(services.work.files, services.closing)
    services.imports = LongRequests(services.work.files, services.closing)
    services.proofs = LongRequests(services.work.files, services.closing)
    services.downloads = Shares(1)
    services.analysing = Analysing(
        settings,
        services.store,
        services.bus,
        services.work.reports,
        await services.store.secret("report_holders"),
    )
    services.analysing.start()
    stack.push_async_callback(services.analysing.close)
    counter = OpeningCounter(services.store, services.work.files)
    counter.start()
    stack.push_async_callback(counter.close)
    services.arena = await Arena.open(settings)
    stack.push_async_callback(services.arena.close)
    listener = None if settings.sqlite_path else NodeListener(by_nodes, settings)
    services.rooms = await Rooms.open(
        services.store, settings, address=listener.address if listener else None
    )
    stack.push_async_callback(services.stop_playing)
    node_secret = await services.store.secret(NODES) if listener else b""
    services.passing = Passing(services.rooms, node_secret)
    services.lobby = Lobby(services.rooms, NodeLobbies(services.passing, services.bus) if listener else None)
    services.bus.subscribe("adopt", services.rooms.adopt)
    services.boards = Boards(services.store, services.rooms)
    if listener:
        services.boards.ask_others = services.passing.ask_all
    services.live = Live(services.store, services.rooms, services.signature)
    services.reports = Reports(services.store)
    services.player_events = PlayerEvents(services.rooms, services.store, services.bus)
    await services.player_events.load_challenges()
    stack.callback(services.player_events.close)
    services.tournaments = Tournaments(services.store, settings, services.signature)
    services.app_boards = AppBoards(services.tournaments, services.rooms, services.signature)
    stack.push_async_callback(services.app_boards.close)
    if listener:
        stack.push_async_callback(listener.close)
        listener.on_leaving = services.rooms.ownership.adopt_from
        await listener.open(node_secret)
    services.bus.open()


async def _secret(services: Services) -> bytes:
    """`DAMAS_SECRET`, else what the database has; the file of an earlier damas is taken over into the database."""
    if (given := given_secret()) is not None:
        return given
    known = None
    if earlier_secret(services.settings) is not None:
        known = secret_in(services.settings.data / "secret")
    secret = await services.store.secret(VISITORS, known)
    if secret == known:
        (services.settings.data / "secret").unlink()
    return secret
