"""Opens an engine from the text that names it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from damas.client.dxp import DxpClient
from damas.client.engine import TIMEOUT_S, EngineClient, OptionValue
from damas.client.hub import HubClient
from damas.client.local import LocalClient
from damas.errors import BadEntrant, BadOption
from damas.matches.box.plan import program_in
from damas.matches.entrant import Entrant
from damas.rules import Rulebook


def open_engine(
    engine: str | Sequence[str],
    book: Rulebook | str,
    *,
    options: Mapping[str, OptionValue] | None = None,
    timeout: float = TIMEOUT_S,
    cwd: str | Path | None = None,
) -> EngineClient:
    """Opens an engine for games under a rulebook, from the text by which `damas match` names it, or a Hub command.

    | engine                            | what it is                                                            |
    |-----------------------------------|-----------------------------------------------------------------------|
    | `damas`, `material`               | our own, in this process, with its network or counting men            |
    | `hub:COMMAND`, or a list of words | a program that speaks Hub; `cwd` is the folder in which it runs       |
    | `dxp:HOST:PORT`                   | a program that listens there; `dxp:PORT:COMMAND` starts it first      |

    A command with a slash, as `./scan`, is one of the folder `cwd`; engines that are no Hub program have no `cwd`.

    Raises `BadEntrant` for another text, `BadOption` for options that it does not have, and another `EngineError` if it
    does not get ready within `timeout` seconds.

    >>> import damas
    >>> from damas.engine import Limits
    >>> with open_engine("damas", "brasileira", options={"tt-size": 1}) as engine:
    ...     engine.play(damas.Position.from_fen("W:Wc3:Bd4,f6", "brasileira"), Limits(depth=4)).move.text
    'c3xe5xg7'
    """
    if not isinstance(engine, str):
        if not isinstance(engine, Sequence) or not all(isinstance(word, str) for word in engine):
            raise TypeError(
                f"an engine is named by a text, or by a command as a list of words, not {engine!r}"
            )
        return HubClient(
            _known(list(engine), " ".join(engine), cwd), book, options=options, timeout=timeout, cwd=cwd
        )
    if cwd is not None and (text := Entrant(engine.strip(), "")).kind == "hub":
        return HubClient(_known(text.command, engine, cwd), book, options=options, timeout=timeout, cwd=cwd)
    entrant = Entrant.parse(engine)
    if cwd is not None:
        raise ValueError(f"only a Hub program runs in a folder of its own, not {engine}")
    match entrant.kind:
        case "damas" | "material":
            network = entrant.kind == "damas"
            return LocalClient(book, options=options, timeout=timeout, network=network)
        case "hub":
            return HubClient(entrant.command, book, options=options, timeout=timeout)
        case "dxp":
            if options:
                raise BadOption(entrant.name, "option", next(iter(options)))
            assert entrant.address
            host, port, command_line = entrant.address
            return DxpClient(host, port, book, command=command_line, timeout=timeout)
    raise BadEntrant(engine, "engine")


def _known(command: list[str], text: str, cwd: str | Path | None) -> list[str]:
    """The command, if there is such a program; raises `BadEntrant`."""
    if not command or any("\0" in word for word in command) or not program_in(cwd, command[0]):
        raise BadEntrant(text, "unknown")
    return command
