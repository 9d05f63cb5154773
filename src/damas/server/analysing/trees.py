"""Games with variations: as JSON for pages, and as PDN."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from damas.board import Color
from damas.game import Position
from damas.notation import BadGame, Node, PdnGame, Result, Variation, clean_comment, read_games, write_game
from damas.rules import Rulebook
from damas.server.analysing.measure import MAX_GAMES, first_games
from damas.server.analysing.places import book_named
from damas.server.settings import Limits

MAX_NODES = 5000
"""Most moves of a tree that is written."""


class Branch(msgspec.Struct, forbid_unknown_fields=True):
    """A move of a tree with its annotations and alternatives."""

    text: str
    nags: list[int] = []
    comments: list[str] = []
    variations: list[list["Branch"]] = []


class Tree(msgspec.Struct, forbid_unknown_fields=True):
    """A game as a page sends it."""

    rulebook: str
    fen: str = ""
    moves: list[Branch] = []
    comments: list[str] = []
    tags: dict[str, str] = {}
    result: str = "*"
    numbering: str = ""
    """algebraic, numbers or rows-columns; empty: the rulebook's own."""


# From PDN


def read(
    source: str | bytes,
    book: Rulebook | None,
    language: str,
    limits: Limits | None = None,
    check: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """The games of a text, and those that could not be read, each with its line and the reason.

    Raises `TooMuch` before any move is played, and whatever `check` raises between two games.
    """
    games: list[dict[str, Any]] = []
    bad: list[dict[str, Any]] = []
    text = source.encode("utf-8", "replace") if isinstance(source, str) else source
    first, more = first_games(text, limits or Limits(), check)
    for game in read_games(first, book):
        check()
        if len(games) + len(bad) >= MAX_GAMES:
            more = True
            break
        if isinstance(game, BadGame):
            bad.append(_bad_view(game, language))
        else:
            games.append(game_view(game))
    return {"games": games, "bad": bad, "more": more}


def game_view(game: PdnGame) -> dict[str, Any]:
    """A game as pages read it."""
    return {
        "rulebook": game.rulebook.id,
        "fen": game.start.fen,
        "standard": game.start == Position.start(game.rulebook),
        "tags": dict(game.tags),
        "result": game.result.text,
        "winner": game.winner.value if isinstance(game.winner, Color) else None,
        "comments": list(game.comments),
        "moves": _branches(game.moves),
    }


def _branches(nodes: tuple[Node, ...]) -> list[dict[str, Any]]:
    return [
        {
            "text": node.move.text,
            "nags": list(node.nags),
            "comments": list(node.comments),
            "variations": [_branches(variation.moves) for variation in node.variations],
        }
        for node in nodes
    ]


def _bad_view(game: BadGame, language: str) -> dict[str, Any]:
    """What can be shown of a game that breaks off: its moves up to the mistake, and what the mistake is."""
    return {
        "game": game.game,
        "line": game.line,
        "code": game.error.code,
        "message": game.error.sentence(language),
        "hint": game.hint.sentence(language) if game.hint else None,
        "tags": dict(game.tags),
        "rulebook": game.rulebook.id if game.rulebook else None,
        "fen": game.start.fen if game.start else None,
        "moves": [{"text": move.text} for move in game.moves],
    }


# To PDN


def write(tree: Tree) -> str:
    """The tree as PDN 3.0; raises `DamasError` for a bad move."""
    return write_game(pdn_game(tree), tree.numbering or None)


def pdn_game(tree: Tree) -> PdnGame:
    """The game of a tree. Raises `DamasError` for a bad move."""
    book = book_named(tree.rulebook)
    start = Position.from_fen(tree.fen, book) if tree.fen else Position.start(book)
    left = iter(range(MAX_NODES))
    comments = tuple(filter(None, map(clean_comment, tree.comments)))
    return PdnGame(tree.tags, start, _nodes(tree.moves, start, left), Result(tree.result), comments)


def _nodes(branches: list[Branch], position: Position, left: Iterator[int]) -> tuple[Node, ...]:
    nodes = []
    for branch in branches:
        if next(left, None) is None:
            raise TreeTooLarge
        move = position.parse(branch.text)
        variations = tuple(Variation(_nodes(line, position, left)) for line in branch.variations if line)
        comments = tuple(filter(None, map(clean_comment, branch.comments)))
        nags = tuple(nag for nag in branch.nags if 0 <= nag <= 255)
        nodes.append(Node(move, nags, comments, None, variations))
        position = position.play(move)
    return tuple(nodes)


class TreeTooLarge(Exception):
    """The tree has more than `MAX_NODES` moves."""
