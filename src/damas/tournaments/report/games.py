"""The games of a tournament: as one PDN, and as the few bytes that a page needs to show them."""

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase, digits

from damas.notation import BadGame, read_games
from damas.tournaments.journal import pdn_of
from damas.tournaments.standings import Standings

SQUARES = digits + ascii_uppercase + ascii_lowercase + "-_.!~*()$@"
"""A letter for each square of the largest board."""


def all_pdn(folder: Path, standings: Standings) -> str:
    """The games that count, in the order of the plan."""
    texts = (pdn_of(folder, game.id) for game in standings.plan if game.id in standings.games)
    return "\n".join(text for text in texts if text)


def different_games(folder: Path, standings: Standings) -> int:
    """How many games are not the same as another, move by move."""
    seen = set()
    for name in standings.games:
        text = re.sub(r"\{[^}]*\}", " ", pdn_of(folder, name).partition("\n\n")[2])
        moves = " ".join(word for word in text.split() if not word.endswith("."))
        seen.add(sha256(moves.encode()).digest())
    return len(seen)


@dataclass(frozen=True)
class Reel:
    """A game as a page replays it: no rules, only which squares change.

    `start` has a letter for each square: w W b B or a point. Each ply is its text and the squares that change, two
    letters each: the square's (see `SQUARES`) and what stands there now.
    """

    start: str
    texts: tuple[str, ...]
    changes: tuple[str, ...]
    trails: tuple[str, ...]
    """The squares that each move names, first to last."""


def reel(pdn: str) -> Reel | None:
    """None for a game of which nothing can be shown."""
    game = next(iter(read_games(pdn)), None)
    if game is None or isinstance(game, BadGame):
        return None
    before = game.start.diagram
    position = game.start
    texts, changes, trails = [], [], []
    for node in game.moves:
        position = position.play(node.move)
        now = position.diagram
        changes.append(
            "".join(
                SQUARES[square] + new
                for square, (old, new) in enumerate(zip(before, now, strict=True))
                if old != new
            )
        )
        texts.append(node.move.text)
        trails.append("".join(SQUARES[square] for square in node.move.route))
        before = now
    return Reel(game.start.diagram, tuple(texts), tuple(changes), tuple(trails))
