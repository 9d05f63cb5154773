"""A node in a process of its own: `python node_process.py DATA PORT DATABASE NAME`. It says when it is ready."""

import sys
from pathlib import Path

import msgspec

from damas.server.serve import listening_socket, run
from damas.server.settings import Settings
from server.protocol.server_process import UNLIMITED


def main() -> None:
    data, port, database, name = sys.argv[1:]
    settings = Settings(
        data=Path(data),
        port=int(port),
        database_url=database,
        node=name,
        limits=msgspec.structs.replace(UNLIMITED, connect_s=5),
        log_level="warning",
    )
    listener = listening_socket(settings)
    run(settings, listener, lambda: print(listener.getsockname()[1], flush=True))


if __name__ == "__main__":
    main()
