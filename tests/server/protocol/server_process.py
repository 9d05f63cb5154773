"""A server in a process of its own, to be killed: `python server_process.py DATA PORT`. It says when it is ready."""

import sys
from pathlib import Path

from damas.server.serve import listening_socket, run
from damas.server.settings import Limits, Settings

MANY = 1_000_000


def main() -> None:
    limits = Limits(sockets_per_address=MANY, requests_per_minute=MANY, socket_messages=MANY)
    settings = Settings(data=Path(sys.argv[1]), port=int(sys.argv[2]), limits=limits, log_level="warning")
    listener = listening_socket(settings)
    run(settings, listener, lambda: print(listener.getsockname()[1], flush=True))


if __name__ == "__main__":
    main()
