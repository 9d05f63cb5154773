"""Compiles a program in the box, without network and with bounded memory, processes, output and time."""

import base64
import json
import re
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from damas.arbiter import TimeControl
from damas.arena.building.languages import (
    COMPILE_ENVIRONMENT,
    LANGUAGES,
    compile_command,
    main_class,
    runtime_of,
)
from damas.arena.building.program import START, BuiltProgram
from damas.arena.building.source import BadSource, Source
from damas.errors import NoContainment
from damas.matches.box.limits import MIB, BoxLimits
from damas.matches.box.plan import launch_for
from damas.matches.box.tiers import tier_for
from damas.matches.entrant import Entrant
from damas.matches.faults import Fault
from damas.matches.supervisor.program import Program

WORKSHOP = Path(__file__).with_name("workshop.py")
"""The program that runs the compiler in the box."""
COMPILE_LIMITS = BoxLimits(
    memory=1024 * MIB,
    processes=24,
    threads=160,
    file_size=48 * MIB,
    disk=160 * MIB,
    open_files=256,
    turn_output=56 * MIB,
)
"""What a compiler may use; its output is what it has made."""
COMPILE_TIMEOUT_S = 120.0
"""The time for compiling a program."""
MAX_BUILT_BYTES = 32 * MIB
"""Bytes of a compiled program."""
MAX_BUILT_FILES = 1000
"""Files of a compiled program: each class of Java is one."""
MAX_LOG_BYTES = 16_384
"""How much of the compiler's output is kept: the first errors explain the rest."""
BUILT_NAME = re.compile(r"[\w$-][\w$.-]*(?:/[\w$-][\w$.-]*)*")
"""Name of a file that a compiler makes."""
FAULT_REASONS = {"TIMEOUT": "slow", "MEMORY": "memory", "PROCESSES": "memory", "TOO_MUCH_OUTPUT": "built"}
"""The reason of a refusal for each way in which compiling fails."""

TWICE = (FileExistsError, NotADirectoryError, IsADirectoryError)
"""What the system says where a file and a folder want the same name."""


def build(source: Source, folder: Path, *, tier: str = "auto") -> tuple[BuiltProgram, str]:
    """Makes a program in an empty folder; returns it and the compiler's log.

    Raises `BadSource`, whose `log` has the compiler's output, and `NoContainment` where nothing can be compiled safely.
    """
    language = LANGUAGES.get(source.ending)
    log, main = "", ""
    if language and language.compiled:
        log = _compile(source, folder, tier)
        if source.ending == ".java":
            text = (source.folder / source.main).read_text(encoding="utf-8", errors="replace")
            main = main_class(text, Path(source.main).stem)
        rest = [name for name in source.files if not name.endswith(source.ending)]
        data = source.zipped and bool(rest)
        for name in rest if data else ():
            _place(source.folder / name, folder / name)
        return BuiltProgram(folder, source.ending, main, data), log
    if not source.zipped:
        path = folder / source.main
        shutil.copyfile(source.folder / source.main, path)
        return BuiltProgram(path, source.ending, "", data=False), ""
    for name in source.files:
        _place(source.folder / name, folder / name)
    if source.ending == ".py" and source.main != "__main__.py":
        _check_free(folder / "__main__.py")
        (folder / "__main__.py").write_text(START.format(main=source.main), encoding="utf-8")
    elif source.ending == ".js" and source.main != "index.js":
        _check_free(folder / "index.js")
        (folder / "index.js").write_text(f"import({json.dumps('./' + source.main)});\n", encoding="utf-8")
    elif not source.ending and source.main != "program":
        _check_free(folder / "program")
        (folder / source.main).rename(folder / "program")
    return BuiltProgram(folder, source.ending, "", data=not source.ending), ""


def _place(path: Path, target: Path) -> None:
    """Copies a file to where nothing else stands."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except TWICE:  # a file stands where a folder should be
        raise BadSource("twice", name=target.parent.name) from None
    _check_free(target)
    shutil.copyfile(path, target)


def _check_free(target: Path) -> None:
    """Raises `BadSource` where something stands in the place of a file that is made here."""
    if target.exists():
        raise BadSource("twice", name=target.name)


def _compile(source: Source, folder: Path, tier: str) -> str:
    language = LANGUAGES[source.ending]
    command = [sys.executable, str(WORKSHOP), str(source.folder)]
    tier = tier_for(Entrant(f"{sys.executable} {WORKSHOP}", "compiler"), tier)
    if not tier.startswith("bubblewrap"):  # the other tier has no folder that a compiler may write to
        raise NoContainment("compiler", {tier: "cannot compile"})
    control = TimeControl("move", extra=round(COMPILE_TIMEOUT_S * 1000))
    launch = launch_for(command, tier, COMPILE_LIMITS, control, 1, runtime=runtime_of(language))
    program = Program(replace(launch, nice=10), COMPILE_LIMITS)
    order = {
        "command": compile_command(language, source.main, list(source.files), "/tmp/out"),
        "env": COMPILE_ENVIRONMENT,
        "out": "/tmp/out",
        "log_bytes": MAX_LOG_BYTES,
    }
    try:
        return _collect(program, json.dumps(order).encode() + b"\n", folder)
    except Fault as fault:
        bad = BadSource(FAULT_REASONS.get(fault.code, "failed"), seconds=round(COMPILE_TIMEOUT_S))
        bad.log = f"{fault.code} {fault.detail}\n{_text(program.stderr())}".strip()
        raise bad from None
    except (
        ValueError,
        KeyError,
        TypeError,
        RecursionError,
        *TWICE,
    ) as error:  # the compiler has taken over the output
        if isinstance(error, BadSource):
            raise
        raise BadSource("failed") from None
    finally:
        program.close()


def _collect(program: Program, order: bytes, folder: Path) -> str:
    """Reads what the workshop writes, and puts the files into the folder; returns the log."""
    deadline = time.monotonic() + COMPILE_TIMEOUT_S
    program.begin_turn()
    message = _message(program.ask(order, deadline))
    log = str(message["log"])[:MAX_LOG_BYTES]
    if message["exit"] != 0:
        bad = BadSource("compile")
        bad.log = log
        raise bad
    size, names = 0, set()
    while not (message := _message(program.ask(b"", deadline))).get("done"):
        name, data = str(message["file"]), base64.b64decode(message["data"], validate=True)
        size += len(data)
        names.add(name)
        if size > MAX_BUILT_BYTES or len(names) > MAX_BUILT_FILES or not BUILT_NAME.fullmatch(name):
            raise BadSource("built")
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(data)
    if not names:
        raise BadSource("failed")
    return log


def _message(line: bytes) -> dict[str, Any]:
    message = json.loads(line)
    if not isinstance(message, dict):
        raise TypeError
    return message


def _text(output: bytes) -> str:
    return output[-2000:].decode("utf-8", "replace")
