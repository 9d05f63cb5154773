"""A server in a thread, which outlives the event loop of one test so that many tests may ask it; and its answers."""

import threading
import time

import httpx
import uvicorn

from damas.server.app import create_app
from damas.server.serve import _config, listening_socket
from damas.server.services import Services
from damas.server.settings import Settings


class Thread:
    """Runs from its making until `stop`."""

    def __init__(self, settings: Settings) -> None:
        app, listener = create_app(settings), listening_socket(settings)
        self._server = uvicorn.Server(_config(app, settings))
        self.port: int = listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.services: Services = app.state.services
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listener]})
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive()
            time.sleep(0.01)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()


def code(answer: httpx.Response) -> tuple[int, str]:
    """The status of an answer, and the code of its error."""
    return answer.status_code, answer.json().get("error", {}).get("code", "")
