"""Let the engine of py-draughts be consulted by Hub: run it with a Python that has py-draughts, which need not have damas.

    open_engine([".venv-py-draughts/bin/python", "py_draughts_hub.py"], "internacional")

An engine in Python becomes a Hub program by such a loop over its input; `go` thinks, `done` answers.
"""

import shlex
import sys

import draughts
from draughts.engines import SimpleEngine
from draughts.engines.hub import move_to_hub_notation, parse_hub_move

BOARDS = {"normal": draughts.StandardBoard, "brazilian": draughts.BrazilianBoard}
"""The boards by the names that Hub engines give them."""


def say(line: str) -> None:
    """Send a line at once."""
    print(line, flush=True)


def fen_of(pos: str) -> str:
    """The FEN of a position of Hub: the side to move, then one letter for each square."""
    squares = {"w": list[str](), "b": list[str]()}
    for number, letter in enumerate(pos[1:], 1):
        if letter != "e":
            squares[letter.lower()].append(("K" if letter.isupper() else "") + str(number))
    return f"{pos[0]}:W{','.join(squares['w'])}:B{','.join(squares['b'])}"


def main() -> None:
    """Answer line by line until `quit`, or until nobody asks any more."""
    variant, board, limits = "normal", draughts.StandardBoard(), dict[str, float]()
    for line in sys.stdin:
        command, *words = shlex.split(line)
        arguments = dict(word.partition("=")[::2] for word in words)
        if command == "hub":
            say(f"id name=py-draughts version={draughts.__version__}")
            say('param name=variant value=normal type=enum values="normal brazilian"')
            say("wait")
        elif command == "set-param":
            variant = arguments["value"]
        elif command == "init":
            say("ready")
        elif command == "ping":
            say("pong")
        elif command == "pos":
            board = BOARDS[variant].from_fen(fen_of(arguments["pos"]))
            for text in arguments.get("moves", "").split():
                board.push(parse_hub_move(text, board.legal_moves))
        elif command == "level":
            limits = {name: float(value) for name, value in arguments.items() if value}
        elif command == "go":
            seconds = limits.get("move-time") or limits.get("time", 30.0) / 30
            engine = SimpleEngine(int(limits.get("depth", 20)), None if "depth" in limits else seconds)
            move, score = engine.get_best_move(board, with_evaluation=True)
            text = move_to_hub_notation(move)
            say(f"info score={score:.2f} nodes={engine.nodes} pv={text}")
            say(f"done move={text}")
        elif command == "quit":
            break


if __name__ == "__main__":
    main()
