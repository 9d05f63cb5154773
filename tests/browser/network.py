"""A server in a process of its own, and a network connection to it that a test can cut, silence and restore."""

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from ports import lasting_port

WITH_OTHER_FILES = """
from pathlib import Path
from damas.server.web import static_files
static_files.FOLDER = Path({!r})
"""
LIMITS = {"DAMAS_LIMIT_SILENT_S": "600", "DAMAS_LIMIT_REQUESTS_PER_MINUTE": "1000000"}
"""Pages send pings, but players who are moved by a test may have to wait for a busy machine; and all visitors of a quick one
have one address.
"""
DYING = """
import os, signal
from damas.server.web import local_games
local_games.created_game = lambda game: os.kill(os.getpid(), signal.SIGKILL)
"""
"""Kills the server when it has stored a game of a browser, before it answers."""


def start_server(
    folder: Path, port: int = 0, *, static: Path | None = None, first: str = ""
) -> tuple[subprocess.Popen[str], str]:
    """Starts `damas serve`, where no port is given on a free one, and returns the process and its address.

    `static` is the folder of its scripts and styles, where it is not that of the package; `first` is run before it starts.
    """
    first += WITH_OTHER_FILES.format(str(static)) if static else ""
    program = ["-c", f"{first}\nimport runpy\nrunpy.run_module('damas', run_name='__main__')"]
    command = [
        sys.executable,
        *program,
        "serve",
        "--port",
        str(port or lasting_port()),
        "--open=false",
        "--lang",
        "en",
    ]
    server = subprocess.Popen(
        [*command, "--data", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **LIMITS},
    )
    assert server.stdout is not None
    for line in server.stdout:
        if match := re.search(r"https?://[\w.\[\]:-]+\d", line):
            return server, match[0]
    raise AssertionError(f"damas serve ended with {server.wait()} and printed no address")


def wait_until_stopped(server: subprocess.Popen[str]) -> None:
    server.wait(60)
    assert server.stdout is not None
    server.stdout.close()


@contextmanager
def serving(folder: Path, *, static: Path | None = None) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server that ends with the test, whatever becomes of it."""
    server, address = start_server(folder, static=static)
    try:
        yield server, address
    finally:
        server.kill()
        wait_until_stopped(server)


class BadGateway(BaseHTTPRequestHandler):
    """Answers every request as a proxy does whose server is away."""

    def refuse(self) -> None:
        body = b"<h1>502 Bad Gateway</h1>"
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(502)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def __getattr__(self, name: str) -> Callable[[], None]:
        if name.startswith("do_"):
            return self.refuse
        raise AttributeError(name)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def bad_gateway(address: str) -> Iterator[None]:
    """A proxy at the address of a server that has ended."""
    proxy = ThreadingHTTPServer(("127.0.0.1", int(address.rpartition(":")[2])), BadGateway)
    thread = threading.Thread(target=proxy.serve_forever)
    thread.start()
    try:
        yield
    finally:
        proxy.shutdown()
        proxy.server_close()
        thread.join()


class Connection:
    """Forwards TCP connections from a port of its own. `cut` closes all and accepts none until `restore`.

    After `lose_answers` the browser still reaches the server, but nothing comes back.
    """

    def __init__(self, address: str) -> None:
        host, _, port = address.removeprefix("http://").partition(":")
        self._target = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: set[socket.socket] = set()
        self._connected = True
        self._answers = True
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def lose_answers(self) -> None:
        self._answers = False

    def cut(self) -> None:
        self._connected = False
        with self._lock:
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def restore(self) -> None:
        self._connected = self._answers = True

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if not self._connected:
                near.close()
                continue
            try:
                far = socket.create_connection(self._target)
            except OSError:  # the server is away
                near.close()
                continue
            for source, sink, answers in ((near, far, False), (far, near, True)):
                threading.Thread(target=self._carry, args=(source, sink, answers), daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:
        with self._lock:
            self._open.add(source)
            if not self._connected:  # cut since it was accepted
                with suppress(OSError):
                    source.shutdown(socket.SHUT_RDWR)
        with suppress(OSError):
            while data := source.recv(65536):
                if self._connected and (self._answers or not answers):
                    sink.sendall(data)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._open.discard(source)
        source.close()
