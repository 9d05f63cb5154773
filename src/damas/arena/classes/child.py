"""The process of one class: makes a player of it and answers for it, until nobody asks any more.

    python -P -u -m damas.arena.classes.child FILE CLASS

Questions come in as pickles, answers go out as lines of JSON. What the class prints goes to its errors, and it has
nothing to read: the way to the referee is not its own.
"""

import importlib.util
import inspect
import json
import os
import pickle
import sys
import threading
import time
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO

from damas.arena.classes.question import ClassQuestion
from damas.arena.verdicts import MOST_RAW, trace_of
from damas.game import Move

PATIENCE = 0.5
"""Seconds that a class may take to leave once nobody asks any more, even where it is still thinking."""


def load(file: str, name: str) -> Any:
    """A new object of a class in a file."""
    path = Path(file).resolve()
    module_name = f"damas_entrant_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is no Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    return getattr(module, name)()


def answer(player: Any, question: ClassQuestion) -> dict[str, str]:
    """What `choose(game)` or `choose(game, limits)` gives: a move, its text, or something that is neither."""
    asked = (question.game, question.limits)
    chosen = player.choose(*asked[: len(inspect.signature(player.choose).parameters)])
    if chosen is None or isinstance(chosen, str | Move):
        text = "" if chosen is None else str(chosen) if isinstance(chosen, str) else chosen.text
        return {"move": text[:MOST_RAW]}
    return {"garbage": type(chosen).__name__, "shown": repr(chosen)[:200]}


def _hear(questions: BinaryIO, asked: "SimpleQueue[ClassQuestion | None]") -> None:
    """Hears the end even while the class thinks, however the referee's process may have ended."""
    try:
        while True:
            asked.put(pickle.load(questions))
    except (EOFError, OSError, pickle.UnpicklingError):  # the last, where a question was cut short
        asked.put(None)
    time.sleep(PATIENCE)
    os._exit(1)


def main() -> int:
    questions = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)

    def tell(**said: str) -> None:
        print(json.dumps(said), file=answers, flush=True)

    asked: SimpleQueue[ClassQuestion | None] = SimpleQueue()
    threading.Thread(target=_hear, args=(questions, asked), daemon=True).start()
    try:
        player = load(*sys.argv[1:])
        tell(ready="")
        while question := asked.get():
            tell(**answer(player, question))
        if close := getattr(player, "close", None):
            close()
    except BaseException as why:  # noqa: BLE001 (it may raise anything, and loses its game by it)
        print(trace_of(why), file=sys.stderr)
        tell(crash=f"{type(why).__name__}: {why}"[:200])
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
