"""Fair play: whoever is playing a game gets no help with it until it is over."""

from damas.game import Position, Record
from damas.server.services import Services
from damas.server.store.rows import Filter, GameRow

MOST_PLAYED = 50
"""Games in progress of one visitor that are looked at, the last played first."""


async def forbidden_by(services: Services, visitor: str, record: Record, game: str = "") -> str | None:
    """The visitor's game in progress that this question is about, if there is one.

    It is about a game if it names it, or if it asks about the position there, one that came before it in the same
    line of play, or one a move ahead. The opening position is nobody's secret.
    """
    for head in await _in_progress(services, visitor):
        if head.id == game or _concerns(record, head.rulebook, head.fen):
            return str(head.id)
    return None


async def _in_progress(services: Services, visitor: str) -> list[GameRow]:
    return await services.store.games.search(Filter(person=visitor, status="playing", limit=MOST_PLAYED))


def _concerns(record: Record, rulebook: str, fen: str) -> bool:
    if record.rulebook.id != rulebook or not fen:
        return False
    there = Position.from_fen(fen, record.rulebook)
    if there == Position.start(record.rulebook):
        return False
    asked = record.position
    return there in record.positions or any(there.play(move) == asked for move in there.legal_moves)
