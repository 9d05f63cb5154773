"""The games of a tournament: as one PDN, and in the compact form that the page replays."""

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase, digits

from damas.notation import BadGame, read_games
from damas.tournaments.journal import pdn_of
from damas.tournaments.standings import Standings

SQUARES = digits + ascii_uppercase + ascii_lowercase + "-_.!~*()$@"
"""A letter for each square index, enough for the largest board."""


def all_pdn(folder: Path, standings: Standings) -> str:
    """The games that count, in the order of the plan."""
    texts = (pdn_of(folder, game.id) for game in standings.plan if game.id in standings.games)
    return "\n".join(text for text in texts if text)


def different_games(folder: Path, standings: Standings) -> int:
    """Number of games that differ from each other in their moves."""
    hashes = set()
    for game_id in standings.games:
        text = re.sub(r"\{[^}]*\}", " ", pdn_of(folder, game_id).partition("\n\n")[2])
        moves = " ".join(word for word in text.split() if not word.endswith("."))
        hashes.add(sha256(moves.encode()).digest())
    return len(hashes)


@dataclass(frozen=True)
class Replay:
    """A game as the page replays it, without rules: which squares change with each ply.

    `start` has a character for each square: w W b B or a point. `changes` has for each ply two characters for each
    changed square: its letter in `SQUARES`, and what stands there afterwards.
    """

    start: str
    texts: tuple[str, ...]
    changes: tuple[str, ...]
    routes: tuple[str, ...]
    """The squares that each move visits, as letters of `SQUARES`."""


def replay_of(pdn: str) -> Replay | None:
    """The replay of a game; None if the PDN cannot be read."""
    game = next(iter(read_games(pdn)), None)
    if game is None or isinstance(game, BadGame):
        return None
    before = game.start.diagram
    position = game.start
    texts, changes, routes = [], [], []
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
        routes.append("".join(SQUARES[square] for square in node.move.route))
        before = now
    return Replay(game.start.diagram, tuple(texts), tuple(changes), tuple(routes))
