"""How a game begins: the table that its summary describes."""

from damas.arbiter import Table, draw_lots, regulation
from damas.board import Color
from damas.rules import rulebook
from damas.server.rooms.computer_players import seed_of
from damas.server.rooms.seats import Seats
from damas.server.store.rows import GameRow


def opening(head: GameRow) -> Table:
    """The table at which a game begins. Where colours are drawn by lot, the game's id is the lot."""
    seats = Seats.of(head)
    book = rulebook(head.rulebook)
    rules = regulation(head.preset).with_time(head.time_control)
    white, black = seats.white.player, seats.black.player
    if not rules.lot_under(book):
        return Table.start(book, rules, (white, black), fen=head.fen)
    seed = seed_of(head.id)
    players = (white, black) if draw_lots(seed) is Color.WHITE else (black, white)
    return Table.start(book, rules, players, fen=head.fen, lot=seed)
