"""Moves at a table: the legal moves left by a touched piece or an unfinished capture, and the games after them."""

from dataclasses import replace
from typing import TYPE_CHECKING

from damas.arbiter import events
from damas.arbiter.events import Event
from damas.board import Color, Piece, Setup, Square
from damas.errors import DamasError, IllegalMove, NotYourTurn
from damas.game import Game, Move, Position
from damas.game.game import rests

if TYPE_CHECKING:
    from damas.arbiter.table import Table


def read_move(position: Position, text: str) -> Move:
    """The legal move that a text means, with the route it names; raises as `Position.parse` does.

    >>> position = Position.from_fen("W:Wc3:Bd4,f4,f2,d2", "brasileira")
    >>> read_move(position, "c3xe1xg3xe5xc3").text
    'c3xe1xg3xe5xc3'
    """
    move = position.parse(text)
    if not move.is_capture or move.text == text:
        return move
    named = position.read(text)[1]
    return next((routed for routed in position.routes() if routed.route == named and routed == move), move)


def playable(table: "Table") -> list[Move]:
    """The legal moves left by the obligations of the player to move; routes of an unfinished capture are kept apart."""
    position, chain = table.position, table.chain
    if (chain and not chain.demanded) or table.lifting or table.crowning:
        return []
    if chain:
        return [move for move in position.routes() if move.route[: len(chain.route)] == chain.route]
    moves = table.game.legal_moves
    if table.touched is None:
        return moves
    return [move for move in moves if table.book.square_names[move.origin] == table.touched]


def legal_move(table: "Table", text: str) -> Move | DamasError:
    """The move that a text of the player to move means and the rules of the board allow, or the error that says why
    there is none.
    """
    try:
        move = read_move(table.position, text)
    except NotYourTurn as why:  # the turn is right, the piece is not
        return IllegalMove(replace(why.refusal, code="NOT_YOUR_PIECE"))
    except DamasError as why:
        return why.with_traceback(None)  # which would hold the table, and the table holds what was read
    resting = rests(table.game.record, move)
    return IllegalMove(resting) if resting else move


def legal(event: events.Moved, table: "Table") -> Move | None:
    """The move of an event if it is in turn and legal on the board, else None."""
    if event.by is not table.to_move:
        return None
    move = table.reading(event)
    return None if isinstance(move, DamasError) else move


def allowed(event: events.Moved, table: "Table") -> Move | None:
    """The move of an event if it is legal, in time and allowed by the player's obligations, else None."""
    if table.clocks.overdue(event.at) or table.lifting or table.crowning:
        return None
    move = legal(event, table)
    return move if move and keeps_touched(move, table) and continues_capture(move, table) else None


def keeps_touched(move: Move, table: "Table") -> bool:
    """Whether the move is by the touched piece, or no piece was touched."""
    return table.touched in (None, table.book.square_names[move.origin])


def continues_capture(move: Move, table: "Table") -> bool:
    """Whether the move continues the capture whose completion was demanded, or none was."""
    chain = table.chain
    return chain is None or (chain.demanded and move.route[: len(chain.route)] == chain.route)


def squares_to_lift(table: "Table", by: Color) -> tuple[str, ...]:
    """The squares of the pieces that the last move captured, in order, if the player has to lift them by hand."""
    move = table.game.record.move(table.game.record.length)
    if table.player(by).bot or not table.regulation.two_tempi_under(table.book):
        return ()
    return tuple(table.book.square_names[square] for square in move.captured)


def square_to_crown(table: "Table", by: Color) -> str | None:
    """The square of the man that the last move brought to the last row, if `by` has to crown it by hand."""
    move = table.game.record.move(table.game.record.length)
    by_hand = not table.player(by).bot and table.regulation.crowning_by_hand_under(table.book)
    return table.book.square_names[move.destination] if move.promotes and by_hand else None


def unfinished_capture(position: Position, text: str) -> tuple[tuple[Square, ...], Move] | None:
    """For a capture stopped early: its route so far, and a legal capture that starts with it.

    None if no capture starts so; raises `NotationError` if the text cannot be read.
    """
    route = position.read(text)[1]
    if route is None:
        position.parse(text)  # raises with what cannot be read
        raise AssertionError(text)
    for move in position.routes():
        if move.is_capture and 1 < len(route) < len(move.route) and move.route[: len(route)] == route:
            return route, move
    return None


def after_unfinished(position: Position, route: tuple[Square, ...], whole: Move) -> Position:
    """The position if a capture that stopped after `route` is accepted: its pieces are gone, the other side moves."""
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
    """The game after an event; None if the event does not or may not change it."""
    game = table.game
    match event:
        case events.Moved():
            move = allowed(event, table)
            return game.play(move) if move else None
        case events.CalledAttention() if event.rule in game.draw_rules:
            return game.call_attention(event.rule)
        case events.TakeBackGranted() if table.take_back is event.by.other:
            return game.take_back(take_back_plies(table, event.by.other))
        case events.AcceptedUnfinished() if (
            table.chain and table.awaited is event.by and not table.clocks.overdue(event.at)
        ):
            unfinished = unfinished_capture(table.position, table.chain.move)
            assert unfinished
            return table.new_game(after_unfinished(table.position, *unfinished).fen)
        case events.Corrected():
            return table.new_game(event.fen)
        case events.Restored():
            stretch = table.stretch_of(event.ply)
            return stretch.game.take_back(stretch.ply + stretch.game.record.length - event.ply)
    return None


def take_back_plies(table: "Table", asker: Color) -> int:
    """How many plies a take-back asked for by `asker` removes."""
    return 2 if table.to_move is asker else 1
