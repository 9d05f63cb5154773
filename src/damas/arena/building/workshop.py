"""Runs a compiler inside the box and hands out what it made, as lines of JSON. It imports nothing of damas.

`workshop.py SOURCE`; the order is the first line of its input: {"command", "env", "out", "log_bytes"}. It answers with
{"log": TEXT, "exit": CODE}, then {"file": NAME, "data": BASE64} piece by piece, then {"done": true}.
"""

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

PIECE_BYTES = 45_000
"""Bytes of a file in one line."""


def main() -> None:
    """Compiles, and writes what was made."""
    order = json.loads(sys.stdin.readline())
    out = Path(order["out"])
    out.mkdir()
    log = Path("/tmp/log")
    with log.open("wb") as file:
        code = subprocess.run(
            order["command"],
            cwd=sys.argv[1],
            env={**os.environ, **order["env"]},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            check=False,
        ).returncode
    with log.open("rb") as file:
        send(log=file.read(order["log_bytes"]).decode("utf-8", "replace"), exit=code)
    if code == 0:
        for path in sorted(out.rglob("*")):
            if path.is_file() and not path.is_symlink():
                send_file(path, path.relative_to(out).as_posix())
    send(done=True)


def send_file(path: Path, name: str) -> None:
    """Writes a file piece by piece."""
    with path.open("rb") as file:
        while True:
            piece = file.read(PIECE_BYTES)
            send(file=name, data=base64.b64encode(piece).decode())
            if len(piece) < PIECE_BYTES:
                return


def send(**facts: object) -> None:
    """Writes one line."""
    print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    main()
