"""The caller's end of a Hub conversation: what is written to an engine, and how its greeting is read."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from damas.engine.hub import NORMAL
from damas.engine.limits import Limits
from damas.game import Record
from damas.matches.faults import Fault
from damas.matches.supervisor.program import Program
from damas.notation import hub
from damas.notation.hub import Arguments, Option, read_line, write_line
from damas.rules import Rulebook


@dataclass(frozen=True)
class Greeting:
    """What an engine says of itself."""

    id: dict[str, str]
    """Its name, version, author and country, as far as it gives them."""
    options: dict[str, Option]


def greet(program: Program, deadline: float) -> Greeting:
    """Greets a program that was just started; raises `Fault` if it does not answer as an engine does."""
    identity: dict[str, str] = {}
    options: dict[str, Option] = {}
    for word, arguments in _lines_until(program, b"hub\n", "wait", deadline):
        if word == "id":
            identity |= {name: value or "" for name, value in arguments.items()}
        elif word == "param" and arguments.get("name"):
            option = Option.read(arguments)
            options[option.name] = option
    return Greeting(identity, options)


def set_options(program: Program, values: Mapping[str, str], deadline: float) -> str:
    """Sets options and waits until the engine is ready; returns what it says is wrong with them, or nothing."""
    lines = [write_line("set-param", name=name, value=value) for name, value in values.items()]
    error = ""
    for word, arguments in _lines_until(program, encoded([*lines, "init"]), "ready", deadline):
        if word == "error":
            error = error or arguments.get("message") or "error"
    return error


def _lines_until(
    program: Program, data: bytes, last: str, deadline: float
) -> Iterator[tuple[str, Arguments]]:
    """Sends data and yields the lines before the one with the word `last`."""
    began = time.monotonic()
    while True:
        word, arguments = read_reply(program.ask(data, deadline, began))
        data = b""
        if word == last:
            return
        if time.monotonic() >= deadline:
            raise Fault("TIMEOUT", f"no {last}", b"", time.monotonic() - began)
        yield word, arguments


def read_reply(line: bytes) -> tuple[str, Arguments]:
    """The word and the arguments of a line that an engine wrote."""
    return read_line(line.decode("utf-8", "replace"))


def encoded(lines: Iterable[str]) -> bytes:
    """Lines as they are sent."""
    return "".join(f"{line}\n" for line in lines).encode()


def search_lines(record: Record, limits: Limits, mode: str = "think") -> list[str]:
    """The three lines that begin a search; the mode is think, ponder or analyze."""
    return [position_line(record), level_line(limits), f"go {mode}"]


def rulebook_option(option: Option, book: Rulebook) -> dict[str, str]:
    """The value of an option for a game under this rulebook; empty if the option is about something else.

    >>> from damas.rules import rulebook
    >>> scan = Option("variant", "enum", "normal", values=("normal", "brazilian"))
    >>> rulebook_option(scan, rulebook("brasileira")), rulebook_option(scan, rulebook("turca"))
    ({'variant': 'brazilian'}, {})
    """
    if option.name == "rulebook":
        names = [book.id]
    elif option.name == "variant":
        names = [theirs for theirs, ours in NORMAL.items() if ours == book.id] + [book.id]
    else:
        return {}
    return next(({option.name: name} for name in names if name in option.values), {})


def with_rulebook(options: Iterable[Option], wanted: Mapping[str, str], book: Rulebook) -> dict[str, str]:
    """The options to set for games under a rulebook: the engine is told to play by it, unless `wanted` decides that."""
    if wanted.keys() & {"rulebook", "variant"}:
        return dict(wanted)
    chosen: dict[str, str] = {}
    for option in options:
        chosen |= rulebook_option(option, book)
    return chosen | dict(wanted)


def position_line(record: Record) -> str:
    """The `pos` line: where the game began, and the moves since."""
    moves = hub.write_moves(record.start, record.moves)
    history = {"moves": " ".join(moves)} if moves else {}
    return write_line("pos", pos=hub.write_position(record.start), **history)


def level_line(limits: Limits) -> str:
    """The `level` line.

    >>> level_line(Limits(movetime=0.5)), level_line(Limits(clock=60, increment=1)), level_line(Limits(depth=9))
    ('level move-time=0.5', 'level time=60.000 inc=1', 'level depth=9')
    """
    arguments: dict[str, object] = {}
    if limits.clock is not None:
        arguments = {} if limits.moves is None else {"moves": limits.moves}
        arguments |= {"time": f"{limits.clock:.3f}", "inc": limits.increment}
    bounds = {"move_time": limits.movetime, "depth": limits.depth, "nodes": limits.nodes}
    arguments |= {name: value for name, value in bounds.items() if value is not None}
    return write_line("level", **arguments) if arguments else "level infinite"
