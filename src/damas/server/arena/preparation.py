"""The process that makes a program of what was sent: it unpacks, compiles and checks with low priority.

It reads its order from the command line and reports as JSON lines: `state` while it works, at the end `ready` or
`refused`. It ends when its input is closed, which happens however the server may end; nothing it did stays then but a
program that nobody uses.
"""

import json
import os
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from damas.arbiter import TimeControl
from damas.arena.building import BadSource, BuiltProgram, SourceLimits, build, unpack
from damas.arena.building.program import store
from damas.arena.check import Report, examine
from damas.errors import DamasError
from damas.matches.entrant import Entrant
from damas.server.arena.child import yield_processors
from damas.server.arena.contest import PREPARING

CHECK_TIME_S = 90.0
"""How long a check goes on; a slow program is asked fewer questions."""
POSITIONS_EACH = 1
"""Positions of each kind that a program is asked about."""


class Preparation:
    """Prepares one program in the folder of the arena, where the process runs."""

    def __init__(self, order: dict[str, Any]) -> None:
        self._order = order
        self._log = ""

    def run(self) -> dict[str, Any]:
        """Prepares the program; returns the last message."""
        with tempfile.TemporaryDirectory(prefix=PREPARING, dir=".") as place:
            try:
                return self._prepare(Path(place).resolve())
            except BadSource as error:
                facts = {key: str(fact) for key, fact in error.facts.items()}
                return {
                    "kind": "refused",
                    "reason": error.reason,
                    "facts": facts,
                    "log": error.log or self._log,
                }
            except DamasError as error:
                return {"kind": "refused", "reason": "box", "facts": {"why": str(error)}, "log": self._log}

    def _prepare(self, place: Path) -> dict[str, Any]:
        order = self._order
        source_folder, built_folder = place / "source", place / "built"
        source_folder.mkdir()
        built_folder.mkdir()
        limits = SourceLimits(order["bytes"], order["files"])
        source = unpack(Path(order["upload"]), order["file_name"], source_folder, limits)
        send(kind="state", state="compiling", language=source.language)
        program, self._log = build(source, built_folder)
        size = _size(program.path)
        if size > order["bytes"]:
            raise BadSource("large", most=order["bytes"] >> 20)
        send(kind="state", state="checking", language=source.language)
        file = store(program.path, Path("programs"), ".d" if program.path.is_dir() else program.ending)
        message = {"language": source.language, "log": self._log, "file": file, "size": size}
        if order["check"]:
            report = self._check(program, file)
            message["tried"] = sum(check.tried > 0 for check in report.checks)
            if not report.passed:
                troubles = [
                    {"check": check.name, **vars(check.trouble)} for check in report.checks if check.trouble
                ]
                return {**message, "kind": "refused", "reason": "check", "facts": {}, "troubles": troubles}
        return {
            **message,
            "kind": "ready",
            "ending": source.ending,
            "main": program.main,
            "data": program.data,
        }

    def _check(self, program: BuiltProgram, file: str) -> Report:
        order = self._order
        command = program.command(f"programs/{file}")
        entrant = Entrant.parse(f"text:{command}" if order["mode"] == "text" else command, name=order["name"])
        control = TimeControl("move", extra=order["time_ms"])
        return examine(
            entrant,
            order["rulebook"],
            control,
            legal=order["legal"],
            each=POSITIONS_EACH,
            time_limit_s=CHECK_TIME_S,
        )


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def send(**facts: Any) -> None:
    """Writes one message to the server."""
    print(json.dumps(facts), file=_out, flush=True)


def _leave_with_the_server() -> None:
    while os.read(0, 4096):
        pass
    os._exit(1)  # the keepers end what runs in the box


_out = sys.stdout


def main() -> int:
    """Prepares the program that the command line names; returns the exit code."""
    global _out  # noqa: PLW0603 (what a library might print goes to the log, not into our messages)
    _out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    yield_processors()
    threading.Thread(target=_leave_with_the_server, daemon=True).start()
    send(**Preparation(json.loads(sys.argv[1])).run())
    return 0


if __name__ == "__main__":
    sys.exit(main())
