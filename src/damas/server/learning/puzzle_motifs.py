"""Finds what a puzzle is about, by its line of moves; `choose_puzzles.py` writes it into the sheets."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from damas.game import Move, Position
from damas.rules import Rulebook, to_toml
from damas.rules.reader import read
from damas.server.learning.motif import MOTIFS

DEEP = 4
"""A puzzle with at least this many moves of the solver is `deep`."""


@dataclass
class Walk:
    """What happens in a line of moves: pieces given and taken, kings taken and made, captures bound by a law."""

    given: int = 0
    taken: int = 0
    takes_king: bool = False
    crowns_by_capture: bool = False
    crowns_quietly: bool = False
    uses_majority: bool = False

    def own(self, position: Position, move: Move) -> None:
        """Note a move of the solver."""
        self.taken += len(move.captured)
        self.takes_king |= any(position.diagram[square].isupper() for square in move.captured)
        if move.promotes and move.is_capture:
            self.crowns_by_capture = True
        elif move.promotes:
            self.crowns_quietly = True

    def reply(self, position: Position, move: Move) -> None:
        """Note a move of the opponent."""
        self.given += len(move.captured)
        self.uses_majority |= is_bound_by_priority(position)


def is_bound_by_priority(position: Position) -> bool:
    """Whether the law of the majority, or of quality, forbids a capture that free choice would allow."""
    book = position.rulebook
    if not position.must_capture() or not book.source["moves"]["capture_priority"]["value"]:
        return False
    allowed = {(move.origin, frozenset(move.captured)) for move in position.legal_moves}
    free = Position.from_fen(position.fen, free_choice(book)).legal_moves
    return any((move.origin, frozenset(move.captured)) not in allowed for move in free)


@cache
def free_choice(book: Rulebook) -> Rulebook:
    """The same rules without an order among captures."""
    data = tomllib.loads(to_toml(book))
    data["moves"]["capture_priority"]["value"] = []
    data["id"], data["aliases"] = "free-choice", []
    return read(data, "free-choice")


def motifs_of(position: Position, line: Sequence[str], proof: str = "search") -> list[str]:
    """The motifs of a solution, in the order of `MOTIFS`; `proof` is `search`, or what the tables keep: `win`, `draw`."""
    walk = Walk()
    for number, text in enumerate(line):
        move = position.parse(text)
        (walk.reply if number % 2 else walk.own)(position, move)
        position = position.play(move)
    turn_is_solvers = len(line) % 2 == 0
    is_blocked = not turn_is_solvers and not position.count_moves()
    theirs = sum(position.counts[2:] if position.black_to_move else position.counts[:2])
    gain = walk.taken - walk.given
    shot = proof == "search"
    fits = {
        "two": shot and (walk.given, walk.taken) == (1, 2),
        "three": shot and walk.given > 0 and gain >= 2,
        "more": shot and walk.given > 1 and gain == 1,
        "even": shot and walk.given > 0 and gain <= 0,
        "free": shot and not walk.given,
        "ending": proof == "win",
        "saved": proof == "draw",
        "majority": walk.uses_majority,
        "king": walk.takes_king,
        "crown": walk.crowns_by_capture,
        "breakthrough": walk.crowns_quietly,
        "block": is_blocked and theirs > 0,
        "clear": is_blocked and not theirs,
        "deep": len(line) >= 2 * DEEP - 1,
    }
    return [motif for motif in MOTIFS if fits[motif]]
