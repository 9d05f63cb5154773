"""A server in a process of its own, to be killed: `python server_process.py DATA PORT`. It says when it is ready."""

import sys
from pathlib import Path

from damas.server.serve import listening_socket, run
from damas.server.settings import Limits, Settings

MANY = 1_000_000


UNLIMITED = Limits(
    connections_per_address=MANY,
    sockets_per_address=MANY,
    socket_frames=MANY,
    socket_bytes=MANY,
    socket_frames_of_address=MANY,
    socket_bytes_of_address=MANY,
    socket_messages=MANY,
    requests_per_second=MANY,
    requests_per_minute=MANY,
    replays_per_minute=MANY,
    games_open=MANY,
    games_per_day=MANY,
    games_per_hour_of_address=MANY,
)


def main() -> None:
    settings = Settings(data=Path(sys.argv[1]), port=int(sys.argv[2]), limits=UNLIMITED, log_level="warning")
    listener = listening_socket(settings)
    run(settings, listener, lambda: print(listener.getsockname()[1], flush=True))


if __name__ == "__main__":
    main()
