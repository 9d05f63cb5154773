"""Runs in the environment of another library and measures it on positions read as JSON from stdin.

It imports nothing of damas: `bench.peers` starts it with the other library's Python. Both libraries are called
`draughts`, so each has an environment of its own.
"""

import json
import sys
import time
from typing import Any


def py_draughts(board: str) -> Any:
    """Return how py-draughts reads a FEN and lists legal moves."""
    import draughts

    kind = {"8x8": draughts.BrazilianBoard, "10x10": draughts.StandardBoard}[board]
    return kind.from_fen, lambda place: place.legal_moves


def pydraughts(board: str) -> Any:
    """Return how pydraughts reads a FEN and lists legal moves."""
    import draughts

    variant = {"8x8": "brazilian", "10x10": "standard"}[board]
    return lambda fen: draughts.Board(variant=variant, fen=fen), lambda place: place.legal_moves()


def timed(task: Any, at_least: float) -> float:
    """Return the seconds of one call, best of three rounds, which favours the other library."""
    calls, times = 1, list[float]()
    while len(times) < 3:
        started = time.thread_time()
        for _ in range(calls):
            task()
        taken = time.thread_time() - started
        if taken < at_least and not times:
            calls *= 4
        else:
            times.append(taken)
    return min(times) / calls


def perft(place: Any, moves_of: Any, depth: int) -> int:
    """Count the leaves of the tree of moves."""
    moves = moves_of(place)
    if depth == 1:
        return len(moves)
    leaves = 0
    for move in moves:
        place.push(move)
        leaves += perft(place, moves_of, depth - 1)
        place.pop()
    return leaves


def main() -> None:
    request = json.load(sys.stdin)
    answer: dict[str, Any] = {}
    for board, fens in request["boards"].items():
        read, moves_of = {"py-draughts": py_draughts, "pydraughts": pydraughts}[request["library"]](board)
        places = [read(fen) for fen in fens]
        firsts = [(place, moves_of(place)[0]) for place in places]

        def all_moves(places: Any = places, moves_of: Any = moves_of) -> None:
            for place in places:
                moves_of(place)

        def make_and_undo(firsts: Any = firsts) -> None:
            for place, move in firsts:
                place.push(move)
                place.pop()

        def all_fens(fens: Any = fens, read: Any = read) -> None:
            for fen in fens:
                read(fen)

        start = read(request["starts"][board])
        began = time.thread_time()
        leaves = perft(start, moves_of, request["depth"])
        perft_s = time.thread_time() - began
        answer[board] = {
            "counts": [len(moves_of(place)) for place in places],
            "legal_us": timed(all_moves, 0.05) / len(places) * 1e6,
            "make_us": timed(make_and_undo, 0.05) / len(places) * 1e6,
            "fen_us": timed(all_fens, 0.05) / len(places) * 1e6,
            "perft": leaves,
            "perft_s": perft_s,
        }
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
