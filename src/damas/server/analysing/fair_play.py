"""Fair play: nobody gets help with a game that they are playing."""

from damas.game import Position, Record
from damas.server.services import Services
from damas.server.store.rows import Filter, GameRow

MAX_GAMES = 50
"""Games in progress of one visitor that are checked, the latest first."""


async def forbidden_by(services: Services, visitor: str, record: Record, game: str = "") -> str | None:
    """The id of the visitor's game in progress that a request is about, if there is one.

    A request is about a game if it names it, or concerns its position, a continuation through it, or a position one move
    ahead. The opening position does not count.
    """
    for head in await _in_progress(services, visitor):
        if head.id == game or _concerns(record, head.rulebook, head.fen):
            return str(head.id)
    return None


async def _in_progress(services: Services, visitor: str) -> list[GameRow]:
    return await services.store.games.search(Filter(person=visitor, status="playing", limit=MAX_GAMES))


def _concerns(record: Record, rulebook: str, fen: str) -> bool:
    if record.rulebook.id != rulebook or not fen:
        return False
    there = Position.from_fen(fen, record.rulebook)
    if there == Position.start(record.rulebook):
        return False
    position = record.position
    return there in record.positions or any(there.play(move) == position for move in there.legal_moves)
