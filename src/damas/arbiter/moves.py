"""Moves at a table: the legal ones that a touched piece or an unfinished capture leaves, and where they lead."""

from typing import TYPE_CHECKING

from damas.arbiter.events import (
    AcceptedUnfinished,
    CalledAttention,
    Corrected,
    Event,
    Moved,
    Restored,
    TakeBackGranted,
)
from damas.board import Color, Piece, Setup, Square
from damas.errors import DamasError, IllegalMove
from damas.game import Game, Move, Position
from damas.game.game import rests
from damas.rules import Rulebook

if TYPE_CHECKING:
    from damas.arbiter.table import Table


def read_move(position: Position, text: str) -> Move:
    """The one legal move a text means, by the route it names; raises as `Position.parse` does.

    >>> position = Position.from_fen("W:Wc3:Bd4,f4,f2,d2", "brasileira")
    >>> read_move(position, "c3xe1xg3xe5xc3").text
    'c3xe1xg3xe5xc3'
    """
    move = position.parse(text)
    if not move.is_capture or move.text == text:
        return move
    named = position.read(text)[1]
    return next((routed for routed in position.routes() if routed.route == named and routed == move), move)


def lift_order(move: Move, book: Rulebook) -> tuple[str, ...]:
    """The squares of the captured pieces in the order in which they are lifted: that of the jumps (003-6b).

    >>> from damas.rules import rulebook
    >>> position = Position.from_fen("W:W10:B14,23", "portuguesa")
    >>> lift_order(position.parse("10x19x28"), rulebook("portuguesa"))
    ('14', '23')
    """
    return tuple(book.square_names[square] for square in move.captured)


def playable(table: "Table") -> list[Move]:
    """The legal moves that the obligations of the player to move leave, every route of a begun capture kept apart."""
    position, chain = table.position, table.chain
    if chain and not chain.demanded:
        return []
    if chain:
        return [move for move in position.routes() if move.route[: len(chain.route)] == chain.route]
    moves = table.game.legal_moves
    if table.touched is None:
        return moves
    return [move for move in moves if table.book.square_names[move.origin] == table.touched]


def legal_move(table: "Table", text: str) -> Move | DamasError:
    """The move that a text means and that the rules of the board allow, or the error that says why there is none."""
    try:
        move = read_move(table.position, text)
    except DamasError as why:
        return why.with_traceback(None)  # which would hold the table, and the table holds what was read
    resting = rests(table.game.record, move)
    return IllegalMove(resting) if resting else move


def legal(event: Moved, table: "Table") -> Move | None:
    """The move, if it is made in turn and the rules of the board allow it."""
    if event.by is not table.to_move:
        return None
    move = table.reading(event)
    return None if isinstance(move, DamasError) else move


def allowed(event: Moved, table: "Table") -> Move | None:
    """The move, if it is legal, made in time, and one that the player's obligations leave."""
    if table.clocks.overdue(event.at):
        return None
    move = legal(event, table)
    return move if move and keeps_touched(move, table) and goes_on(move, table) else None


def keeps_touched(move: Move, table: "Table") -> bool:
    """Whether it moves the touched piece, if there is one."""
    return table.touched in (None, table.book.square_names[move.origin])


def goes_on(move: Move, table: "Table") -> bool:
    """Whether it goes on with the capture whose completion was demanded, if there is one."""
    chain = table.chain
    return chain is None or (chain.demanded and move.route[: len(chain.route)] == chain.route)


def begun(position: Position, text: str) -> tuple[tuple[Square, ...], Move] | None:
    """A capture stopped early: the squares of its route so far, and a legal capture it is the beginning of.

    None if it is no such thing; raises `NotationError` if it cannot be read.
    """
    route = position.read(text)[1]
    if route is None:
        position.parse(text)  # says what cannot be read
        raise AssertionError(text)
    for move in position.routes():
        if move.is_capture and 1 < len(route) < len(move.route) and move.route[: len(route)] == route:
            return route, move
    return None


def broken_off(position: Position, route: tuple[Square, ...], whole: Move) -> Position:
    """The position if a capture that stopped after `route` stands: its pieces are taken, the other side plays."""
    book = position.rulebook
    pieces = dict(position.setup.pieces)
    piece = pieces.pop(route[0])
    for square in whole.captured[: len(route) - 1]:
        del pieces[square]
    last_row = book.size.value - 1 if piece.color is Color.WHITE else 0
    on_last_row = [book.geometry.places[square][0] == last_row for square in route[1:]]
    if on_last_row[-1] or (any(on_last_row) and book.promotion.value == "continues"):
        piece = Piece(piece.value.upper())
    pieces[route[-1]] = piece
    return Position.of(Setup(pieces, position.turn.other), book)


def following(event: Event, table: "Table") -> Game | None:
    """The game as it stands after an event that changes it; None if the event does not, or may not."""
    game = table.game
    match event:
        case Moved():
            move = allowed(event, table)
            return game.play(move) if move else None
        case CalledAttention() if event.rule in game.draw_rules:
            return game.call_attention(event.rule)
        case TakeBackGranted() if table.take_back is event.by.other:
            return game.take_back(take_back_plies(table, event.by.other))
        case AcceptedUnfinished() if (
            table.chain and table.awaited is event.by and not table.clocks.overdue(event.at)
        ):
            found = begun(table.position, table.chain.move)
            assert found
            return table.new_game(broken_off(table.position, *found).fen)
        case Corrected():
            return table.new_game(event.fen)
        case Restored():
            stretch = table.stretch_of(event.ply)
            return stretch.game.take_back(stretch.ply + stretch.game.record.length - event.ply)
    return None


def take_back_plies(table: "Table", asker: Color) -> int:
    """So many plies ago the asker was to make the move that is to be taken back."""
    return 2 if table.to_move is asker else 1
