"""Reads the games of a PDN file one by one, in one pass and with the memory of one game."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

from damas.errors import NotationError, Problem
from damas.notation.pdn.builder import TreeBuilder, Where
from damas.notation.pdn.game import BadGame, PdnGame
from damas.notation.pdn.parser import Parser
from damas.notation.pdn.result import UNKNOWN, Result
from damas.notation.pdn.source import Source
from damas.notation.pdn.tags import book_of
from damas.notation.pdn.tokens import FILE_NAME
from damas.notation.pdn.visitor import SKIP, Skip, Visitor
from damas.rules import Rulebook

T = TypeVar("T")


def read_games(
    source: Source, rulebook: Rulebook | str | None = None, *, where: Where | None = None
) -> Iterator[PdnGame | BadGame]:
    """The games of a PDN file, in order; a game with a mistake is a `BadGame`, and the others are not lost.

    `source` is a `Path`, an open file, a list of lines, or the text itself as `str` or `bytes`. `rulebook` is used for
    games that name no rulebook, or only a GameType that it shares. `where` chooses games by their tags; the others are
    passed over without a look at their moves.

    >>> [game] = read_games('[GameType "26"] 1. c3-d4 f6-g5 2. b2-c3 *')
    >>> game.rulebook.id, len(game.moves), game.result.text
    ('brasileira', 3, '*')
    >>> list(read_games('[White "Ana"] 1. c3-d4 *', "brasileira", where=lambda tags: tags.get("White") == "Eva"))
    []
    """
    games = visit_games(source, TreeBuilder(where), rulebook)
    return (game for game in games if game is not None)


def read_game(source: Source, rulebook: Rulebook | str | None = None) -> PdnGame:
    """The first game of a PDN file; raises its mistake, with the line and column as a note, or that there is none.

    >>> read_game("1. c3-d4 f6-g5 *", "brasileira").end.position.turn
    <Color.WHITE: 'white'>
    """
    game = next(read_games(source, rulebook), None)
    if game is None:
        raise NotationError("PDN", (Problem("PDN_EMPTY", "", 0),))
    if isinstance(game, BadGame):
        game.error.add_note(f"line {game.line}, column {game.column}")
        raise game.error
    return game


def read_tags(source: Source) -> Iterator[dict[str, str] | BadGame]:
    """The tags of each game as the file has them, with its Result; moves are passed over and not checked.

    >>> list(read_tags('[White "Ana"] 1. c3-d4 f6-g5 1-0'))
    [{'White': 'Ana', 'Result': '1-0'}]
    """
    return visit_games(source, _Tags())


def visit_games(
    source: Source, visitor: Visitor[T], rulebook: Rulebook | str | None = None
) -> Iterator[T | BadGame]:
    """Reads games as `read_games` does, but leaves what to make of them to a visitor: no tree is built.

    >>> from damas.notation import Visitor
    >>> class Captures(Visitor[int]):
    ...     def begin_game(self, tags):
    ...         self.count = 0
    ...     def visit_move(self, position, move):
    ...         self.count += move.is_capture
    ...     def end_game(self, result, terminator):
    ...         return self.count
    >>> list(visit_games("1. c3-d4 f6-e5 2. d4xf6 g7xe5 * 1. c3-d4 *", Captures(), "brasileira"))
    [2, 0]
    """
    parser = Parser(visitor, book_of(rulebook))
    if isinstance(source, str) and FILE_NAME.fullmatch(source):
        error = NotationError(source, (Problem("PDN_FILE_NAME", source, 0),))
        return iter((visitor.bad_game(BadGame(1, 1, error, {}, column=1)),))
    return parser.games(source)


class _Tags(Visitor[dict[str, str]]):
    """Keeps the tags of a game and passes over its moves."""

    def begin_game(self, tags: Mapping[str, str]) -> Skip:
        self.tags = dict(tags)
        return SKIP

    def end_game(self, result: Result, terminator: Result | None) -> dict[str, str]:  # noqa: ARG002
        if result != UNKNOWN:
            self.tags["Result"] = result.text
        return self.tags
