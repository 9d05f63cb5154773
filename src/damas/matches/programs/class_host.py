"""The process of one Python class: makes an object of it and answers for it.

    python -P -u -m damas.matches.programs.class_host FILE CLASS

Questions come in as pickles, answers go out as JSON lines. What the class prints goes to its standard error, and its
standard input is empty: the pipes to the referee are not its own.
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

from damas.game import Move
from damas.matches.faults import MAX_RAW_BYTES, trace_of
from damas.matches.programs.python_class import ClassQuestion

EXIT_TIMEOUT_S = 0.5
"""How long a class may take to end after the last question, even if it is still thinking."""


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
    """The result of `choose(game)` or `choose(game, limits)`: a move, its text, or something that is neither."""
    arguments = (question.game, question.limits)
    choice = player.choose(*arguments[: len(inspect.signature(player.choose).parameters)])
    if choice is None or isinstance(choice, str | Move):
        text = "" if choice is None else str(choice) if isinstance(choice, str) else choice.text
        return {"move": text[:MAX_RAW_BYTES]}
    return {"garbage": type(choice).__name__, "shown": repr(choice)[:200]}


def _read_questions(pipe: BinaryIO, questions: "SimpleQueue[ClassQuestion | None]") -> None:
    """Puts the referee's questions into the queue; when the pipe closes, ends the process even while the class thinks."""
    try:
        while True:
            questions.put(pickle.load(pipe))
    except (EOFError, OSError, pickle.UnpicklingError):  # the last if a question was cut short
        questions.put(None)
    time.sleep(EXIT_TIMEOUT_S)
    os._exit(1)


def main() -> int:
    """Answers questions until the pipe is closed."""
    pipe = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)

    def send(**message: str) -> None:
        print(json.dumps(message), file=answers, flush=True)

    questions: SimpleQueue[ClassQuestion | None] = SimpleQueue()
    threading.Thread(target=_read_questions, args=(pipe, questions), daemon=True).start()
    try:
        player = load(*sys.argv[1:])
        send(ready="")
        while question := questions.get():
            send(**answer(player, question))
        if close := getattr(player, "close", None):
            close()
    except BaseException as error:  # noqa: BLE001 (it may raise anything, and loses its game by it)
        print(trace_of(error), file=sys.stderr)
        send(crash=f"{type(error).__name__}: {error}"[:200])
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
