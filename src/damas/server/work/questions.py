"""Questions about rules and positions, answered in a worker process: each function returns JSON.

All raise `DamasError` for a text, a position or a move that is wrong.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, pairwise

from damas.arbiter import Table, regulation
from damas.board import Square
from damas.engine.analysis import record_of
from damas.errors import DamasError
from damas.game import Position, Record
from damas.notation import BadGame, read_games
from damas.server.analysing.places import book_named
from damas.server.encoding import encode
from damas.views.boards import GameView, last_move, position_fields
from damas.views.errors import error_view
from damas.views.explain import Explanation
from damas.views.lens import lens_view, read_under, readers
from damas.views.outcomes import count_view, outcome_view
from damas.views.table import table_view
from damas.views.verdicts import verdict_views

MAX_JUDGED_GAMES = 200
"""Games of a text that are judged; the others are left out."""
ANALYSIS = replace(regulation("casual"), platform_rules=False)
"""Regulation of analysed lines: only the rulebook ends a game."""


def position(rulebook: str, fen: str, moves: Sequence[str], language: str) -> bytes:
    """A table after these moves, from the opening position where no FEN is given."""
    table = Table.start(book_named(rulebook), "casual", fen=fen or None)
    for ply, move in enumerate(moves, start=1):
        table = table.play(move, at=ply)
    return encode(table_view(table, language))


def explanation(rulebook: str, fen: str, tried: str | Sequence[Square], language: str) -> bytes:
    """Whether a move may be played, given as text or by its squares, and if not, why."""
    book = book_named(rulebook)
    place = Position.from_fen(fen, book) if fen else Position.start(book)
    text = tried if isinstance(tried, str) else written(place, tried)
    return encode(Explanation(place, text).board_view(language))


def written(position: Position, route: Sequence[Square]) -> str:
    """An attempt by squares, as one would write it under the rulebook.

    >>> written(Position.from_fen("W:Wc3:Bb4,d4,f6", "faraes"), [9, 16])
    'c3xa5'
    """
    book = position.rulebook
    names = [book.move_names[square] for square in route]
    if book.move_text == "rows-columns":
        return " ".join(names)
    own = position.turn
    jumps = any(
        (piece := position.piece_at(passed)) and piece.color is not own
        for start, end in pairwise(route)
        for passed in (book.geometry.line(start, end) or ())[1:-1]
    )
    return ("x" if jumps else "-").join(names)


def comparison(fen: str, rulebook: str, language: str) -> bytes:
    """A position under every rulebook of its board; it is read under the named one, or the first that can."""
    books = [book_named(rulebook)] if rulebook else readers()
    return encode(lens_view(read_under(fen, books), language))


def verdicts(pdn: str, rulebook: str, letter: bool, language: str) -> bytes:
    """Verdicts on recorded games, and whether all hold."""
    book = book_named(rulebook) if rulebook else None
    games = list(islice(verdict_views(pdn, book, language, letter=letter), MAX_JUDGED_GAMES))
    return encode({"games": games, "holds": all(game.holds for game in games)})


def first_game(pdn: str, rulebook: str) -> Record | None:
    """The first game of a PDN; None where there is none."""
    game = next(read_games(pdn, book_named(rulebook) if rulebook else None), None)
    if isinstance(game, BadGame):
        raise game.error
    return None if game is None else record_of(game)


def line(rulebook: str, fen: str, moves: Sequence[str], since: int, language: str) -> bytes:
    """The positions of a line from ply `since` on. Where a move cannot be played it ends, and `error` says why.

    Only the rulebook ends a line, not the platform; and where players went on after that, so does the board.
    """
    table = Table.start(book_named(rulebook), ANALYSIS, fen=fen or None)
    record, views = table.game.record, []
    error = None
    try:
        for ply in range(len(moves) + 1):
            if ply:
                record = record.play(moves[ply - 1])
                if table.outcome is None:
                    table = table.play(moves[ply - 1], at=ply)
            if ply >= since:
                views.append(_view(table, record, language))
    except DamasError as refused:
        error = error_view(refused, language)
    return encode({"views": views, "error": error})


def _view(table: Table, record: Record, language: str) -> GameView:
    """The game at the table; beyond its end, the position as it stands on the board."""
    ended = table.ply < record.length
    return GameView(
        **position_fields(record.position, None if ended else table.playable),
        ply=record.length,
        last=last_move(record.move(record.length)) if record.length else None,
        counts=() if ended else tuple(count_view(count, language) for count in table.progress()),
        outcome=None if ended else outcome_view(table.outcome, language),
    )


def ready() -> None:
    """Does nothing: calling it has a process import everything that answers need."""
