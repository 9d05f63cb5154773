"""Nobody gets help in a game that goes on: what every address asks that searches, knows tables or plays for somebody."""

from collections.abc import Sequence

from starlette.requests import Request

from damas.game import Record
from damas.server.analysing.places import game_concerned, record_of
from damas.server.security.errors import ApiError
from damas.server.security.visitors import visitor_of
from damas.server.services import services_of
from damas.server.store.rows import Filter, GameRow
from damas.server.web.work import ask

MAX_GAMES_IN_PROGRESS = 50
"""Games in progress of one visitor that are checked for fair play, the latest first."""


async def games_in_progress(request: Request) -> list[GameRow]:
    """The games that the visitor is playing."""
    playing = Filter(person=visitor_of(request).id, status="playing", limit=MAX_GAMES_IN_PROGRESS)
    return await services_of(request).store.games.search(playing)


async def check_fair_play(request: Request, record: Record, game: str = "") -> None:
    """Refuses help with a game that the visitor is playing: the named one, or one that the record is about."""
    heads = await games_in_progress(request)
    if any(head.id == game for head in heads):
        raise ApiError(403, "FAIR_PLAY", game=game)
    await _check_positions(request, record, heads)


async def check_fair_play_with_people(
    request: Request, book: str, fen: str, moves: Sequence[str] = ()
) -> None:
    """The same for a game against other people only: practice may begin twice at one position."""
    heads = [head for head in await games_in_progress(request) if _is_between_people(head)]
    if heads:
        await _check_positions(request, await ask(request, record_of, book, fen, moves), heads)


async def _check_positions(request: Request, record: Record, heads: list[GameRow]) -> None:
    positions = {head.id: (head.rulebook, head.fen) for head in heads if head.fen}
    if positions and (concerned := await ask(request, game_concerned, record, positions)):
        raise ApiError(403, "FAIR_PLAY", game=concerned)


def _is_between_people(head: GameRow) -> bool:
    kinds = (head.white_kind, head.black_kind)
    return head.white_id != head.black_id and not any(kind.startswith("level") for kind in kinds)
