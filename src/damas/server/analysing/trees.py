"""Trees of the library as JSON for pages, and back."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import msgspec

from damas.board import Color, Geometry
from damas.game import Position, Record
from damas.game.game import refused_move
from damas.notation import BadGame, Clock, Mark, Node, PdnGame, Result, Variation, clean_comment, read_games
from damas.notation.pdn.commands import commands_text, take_commands
from damas.rules import Rulebook
from damas.server.analysing.measure import MAX_GAMES, first_games
from damas.server.analysing.places import book_named
from damas.server.encoding import encode
from damas.server.settings import Limits

MAX_NODES = 5000
"""Most moves of a tree that is written."""


class Branch(msgspec.Struct, forbid_unknown_fields=True):
    """A `Node` of the library as pages send and read it: a move with its annotations and alternatives."""

    text: str
    nags: list[int] = []
    comments: list[str] = []
    variations: list[list["Branch"]] = []
    commands: str = ""
    """Clocks and marks, as comments of PDN have them."""
    before: list[str] = []
    """Comments before the move, where it begins a variation."""


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
            bad.append(bad_view(game, language))
        else:
            games.append(game_view(game))
    return {"games": games, "bad": bad, "more": more}


def read_as_json(source: str | bytes, book: Rulebook | None, language: str, limits: Limits) -> bytes:
    """The same as JSON, for a worker process."""
    return encode(read(source, book, language, limits))


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
        "moves": _branches(game.moves, game.rulebook),
    }


def _branches(nodes: tuple[Node, ...], book: Rulebook, before: tuple[str, ...] = ()) -> list[Branch]:
    branches = []
    for node in nodes:
        variations = [
            _branches(variation.moves, book, variation.comments)
            for variation in node.variations
            if variation.moves
        ]
        commands = commands_text(node.clock, node.marks, book.geometry.algebraic)
        comments = [*node.comments, *_remarks(node)]
        branches.append(Branch(node.move.text, list(node.nags), comments, variations, commands, list(before)))
        before = ()
    return branches


def _remarks(node: Node) -> list[str]:
    """The comments of variations without moves, of which pages know nothing."""
    return [text for variation in node.variations if not variation.moves for text in variation.comments]


def bad_view(game: BadGame, language: str) -> dict[str, Any]:
    """What can be shown of a game that breaks off: its moves up to the mistake, and what the mistake is."""
    return {
        "game": game.game,
        "line": game.line,
        "column": game.column,
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
    return pdn_game(tree).pdn(tree.numbering or None)


def pdn_game(tree: Tree) -> PdnGame:
    """The game of a tree. Raises `DamasError` for a bad move."""
    book = book_named(tree.rulebook)
    start = Position.from_fen(tree.fen, book) if tree.fen else Position.start(book)
    left = iter(range(MAX_NODES))
    line = _line(tree.moves, Record(start), left)
    return PdnGame(tree.tags, start, line.moves, Result(tree.result), _cleaned(tree.comments) + line.comments)


def _line(branches: list[Branch], record: Record, left: Iterator[int]) -> Variation:
    """A line of play and the comments before its first move; those before a later move go to the move before it."""
    nodes: list[Node] = []
    leading: tuple[str, ...] = ()
    for branch in branches:
        if next(left, None) is None:
            raise TreeTooLarge
        move = record.position.parse(branch.text)
        following = record.after(move, True)
        if following is None:
            raise refused_move(record, move)
        before = _cleaned(branch.before)
        if nodes:
            nodes[-1] = replace(nodes[-1], comments=nodes[-1].comments + before)
        else:
            leading = before
        variations = tuple(_line(line, record, left) for line in branch.variations if line)
        comments, clock, marks = _annotations(branch, record.rulebook.geometry)
        nags = tuple(nag for nag in branch.nags if 0 <= nag <= 255)
        nodes.append(Node(move, nags, comments, clock, variations, marks))
        record = following
    return Variation(tuple(nodes), leading)


def _annotations(
    branch: Branch, geometry: Geometry
) -> tuple[tuple[str, ...], Clock | None, tuple[Mark, ...]]:
    """Comments, clock and marks; commands in comments are taken out of them, as in reading."""
    rest, clock, marks = take_commands(branch.commands, None, geometry)
    comments = []
    for comment in (*branch.comments, rest):
        text, clock, more = take_commands(comment, clock, geometry)
        comments.append(text)
        marks += more
    return _cleaned(comments), clock, marks


def _cleaned(comments: list[str]) -> tuple[str, ...]:
    return tuple(filter(None, map(clean_comment, comments)))


class TreeTooLarge(Exception):
    """The tree has more than `MAX_NODES` moves."""
