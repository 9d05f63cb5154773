"""A server that can be killed, and a line to it that can be cut, held silent and mended, as networks are."""

import os
import re
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path


def start_server(folder: Path, port: int = 0) -> tuple[subprocess.Popen[str], str]:
    """`damas serve` on a free port; it says where it is."""
    command = [sys.executable, "-m", "damas", "serve", "--port", str(port), "--open=false", "--lang", "en"]
    server = subprocess.Popen(
        [*command, "--data", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert server.stdout is not None
    for line in server.stdout:
        if found := re.search(r"https?://[\w.\[\]:-]+\d", line):
            return server, found[0]
    raise AssertionError(f"damas serve ended with {server.wait()} and told no address")


def stopped(server: subprocess.Popen[str]) -> None:
    """Waits until it is gone."""
    server.wait(10)
    assert server.stdout is not None
    server.stdout.close()


class Line:
    """Forwards TCP from a port of its own. `cut` closes everything and lets nobody in until `mend`.

    `lose_answers` lets what the browser sends reach the server while nothing comes back.
    """

    def __init__(self, address: str) -> None:
        host, _, port = address.removeprefix("http://").partition(":")
        self._target = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._whole = True
        self._answers = True
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def lose_answers(self) -> None:
        self._answers = False

    def cut(self) -> None:
        self._whole = False
        with self._lock:
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._whole = self._answers = True

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if not self._whole:
                near.close()
                continue
            far = socket.create_connection(self._target)
            for source, sink, answers in ((near, far, False), (far, near, True)):
                threading.Thread(target=self._carry, args=(source, sink, answers), daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:
        with self._lock:
            self._open.add(source)
        with suppress(OSError):
            while data := source.recv(65536):
                if self._whole and (self._answers or not answers):
                    sink.sendall(data)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._open.discard(source)
        source.close()
