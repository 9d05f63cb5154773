"""Runs the app with uvicorn, and stops it within two seconds."""

import asyncio
import logging
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from damas.server import gc_tuning
from damas.server.app import create_app
from damas.server.logs import configure
from damas.server.nodes.listener import NoNodeAddress
from damas.server.security.visitors import BadSecret
from damas.server.services import Services
from damas.server.settings import Settings
from damas.server.transport.files import raise_file_limit
from damas.server.transport.gate import Gate
from damas.server.transport.websocket import GuardedSocket
from damas.server.web.caches import fill_caches
from damas.server.work import questions
from damas.server.work.processes import IDLE
from damas.tablebase.store import root

BACKLOG = 4096
"""Connections that may wait to be accepted."""
KERNEL_BUFFER_BYTES = 128 * 1024
"""Of each connection and direction, where systems would give a slow client megabytes."""
SWITCH_INTERVAL_S = 0.001
"""How long another thread may keep Python's lock from the event loop."""
CLIENTS_MISTAKES = (
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
    "Invalid UTF-8 sequence received from client.",
)
"""What uvicorn would log of every stranger who sends rubbish, one of them with a traceback."""
log = logging.getLogger("damas")


class CannotStart(Exception):
    """Why a server cannot start; `why` is the key of a sentence under `cli.serve`, filled with `facts`."""

    def __init__(self, why: str, **facts: object) -> None:
        super().__init__(why, facts)
        self.why = why
        self.facts = facts


def listening_socket(settings: Settings) -> socket.socket:
    """The socket to listen on; port 0 takes any free port."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":  # there it would let two servers share a port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    for direction in (socket.SO_RCVBUF, socket.SO_SNDBUF):  # accepted connections inherit them
        listener.setsockopt(socket.SOL_SOCKET, direction, KERNEL_BUFFER_BYTES)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        why = "port_taken" if error.errno in (48, 98, 10048) else "no_address"
        text = error.strerror or str(error)
        raise CannotStart(why, host=settings.host, port=settings.port, text=text) from None
    listener.listen(BACKLOG)
    return listener


class _Server(uvicorn.Server):
    """Calls `ready` when it is, and stops the games before sockets are closed."""

    def __init__(
        self,
        config: uvicorn.Config,
        services: Services,
        ready: Callable[[], None],
        prepare: Callable[[Services], Awaitable[None]] | None,
    ) -> None:
        super().__init__(config)
        self._services = services
        self._prepare = prepare
        self._ready = ready
        self._collecting: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._prepare and self.started and not self.should_exit:
            try:
                await self._prepare(self._services)
            except Exception as trouble:  # noqa: BLE001 (the caller of `run` gets it)
                self._services.trouble = trouble
                self.should_exit = True
        if self.started and not self.should_exit:
            gc_tuning.freeze_startup_objects()

            def idle() -> bool:
                return self._services.rooms.quiet

            collector = gc_tuning.IdleCollector(idle, time.monotonic())
            self._collecting = asyncio.create_task(collector.run())
            self._ready()
            threading.Thread(target=IDLE.warm_up, args=(questions.ready,), daemon=True).start()
            threading.Thread(target=fill_caches, args=(self._services.words,), daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._collecting:
            self._collecting.cancel()
        await self._services.stop_playing()
        await super().shutdown(sockets)


def run(
    settings: Settings,
    listener: socket.socket,
    ready: Callable[[], None],
    *,
    json_logs: bool = False,
    prepare: Callable[[Services], Awaitable[None]] | None = None,
) -> None:
    """Serves until SIGINT or SIGTERM. Raises `CannotStart` where the server could not be opened.

    `prepare` is called before `ready`, with everything open; what it raises stops the server and is raised here.
    """
    configure(settings.log_level, as_json=json_logs)
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    set_tablebase_folder(settings)
    app = create_app(settings)
    services: Services = app.state.services
    server = _Server(_config(app, settings), services, ready, prepare)
    # The caller reports why the server did not open; uvicorn would print the whole traceback.
    logging.getLogger("uvicorn.error").addFilter(
        lambda record: services.trouble is None and record.msg not in CLIENTS_MISTAKES
    )
    try:
        server.run(sockets=[listener])
    except SystemExit:
        if services.trouble is None:
            raise
    if isinstance(services.trouble, BadSecret):
        raise CannotStart("setting", text=str(services.trouble))
    if isinstance(services.trouble, NoNodeAddress):
        raise CannotStart("no_address", **services.trouble.facts)
    if services.trouble is not None:
        raise services.trouble
    log.info("stopped")


def set_tablebase_folder(settings: Settings) -> None:
    """Puts endgame tables into the data folder if the user's cache cannot be written.

    The whole process, engines included, finds them by the environment variable DAMAS_TABLEBASES.
    """
    if not os.environ.get("DAMAS_TABLEBASES") and not _writable(root()):
        chosen = settings.data / "tablebases"
        os.environ["DAMAS_TABLEBASES"] = str(chosen)
        log.info("the cache cannot be written: endgame tables lie in %s", chosen)


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _config(app: Starlette, settings: Settings) -> uvicorn.Config:
    gate = Gate(settings, raise_file_limit())
    return uvicorn.Config(
        app,
        loop="uvloop" if find_spec("uvloop") else "asyncio",
        http=type("Http", (_http_protocol(),), {"gate": gate}),
        h11_max_incomplete_event_size=settings.limits.head_bytes,
        ws=type("WebSocket", (GuardedSocket,), {"gate": gate}),
        ws_max_size=settings.limits.frame_bytes,
        ws_per_message_deflate=False,
        ws_ping_interval=None,  # one kind of ping only: the protocol's own
        backlog=BACKLOG,
        log_config=None,
        access_log=False,
        proxy_headers=False,  # security.proxies believes only those that the settings name
        server_header=False,
        date_header=True,
        lifespan="on",
        timeout_graceful_shutdown=max(1, int(settings.limits.stop_s) - 1),
        timeout_keep_alive=settings.limits.keep_alive_s,
    )


def _http_protocol() -> type[asyncio.Protocol]:
    if find_spec("httptools"):
        from damas.server.transport.by_httptools import GuardedHttp

        return GuardedHttp
    from damas.server.transport.by_h11 import GuardedH11

    return GuardedH11
