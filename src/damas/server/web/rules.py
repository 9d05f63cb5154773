"""The rules over HTTP: rulebooks, positions, explanations, the lens and verdicts, with the internal squares of boards."""

from functools import cache
from itertools import islice, pairwise
from typing import Annotated

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from damas.arbiter import Table
from damas.board import Square
from damas.game import Position
from damas.rules import Rulebook, rulebook, rulebooks
from damas.server.analysing.places import book_named
from damas.server.security.bodies import Json, encode, read
from damas.server.security.errors import ApiError
from damas.server.web.fields import Fen, MoveText, Name
from damas.server.web.static_files import ASK_AGAIN, sent
from damas.server.words import Sent, language_of
from damas.views.explain import Explanation
from damas.views.lens import lens_view, read_under, readers
from damas.views.rulebook_pages import listed, rulebook_page
from damas.views.table import TableView, table_view
from damas.views.verdicts import VerdictView, verdict_views

MAX_MOVES = 1000
MAX_JUDGED_GAMES = 200

Index = Annotated[int, msgspec.Meta(ge=0, le=143)]


class AskPosition(msgspec.Struct, forbid_unknown_fields=True):
    """A position, and moves played from it; the opening position where no FEN is given."""

    rulebook: Name
    fen: Fen | None = None
    moves: Annotated[list[MoveText], msgspec.Meta(max_length=MAX_MOVES)] = []


class AskExplain(msgspec.Struct, forbid_unknown_fields=True):
    """A move somebody tried: by its text in any scheme, or by the squares of a board."""

    rulebook: Name
    fen: Fen | None = None
    move: MoveText | None = None
    route: Annotated[list[Index], msgspec.Meta(min_length=2, max_length=60)] | None = None


class AskCompare(msgspec.Struct, forbid_unknown_fields=True):
    """A position for the lens, in the notation of the rulebook, or of the first that can read it."""

    fen: Fen
    rulebook: Name | None = None


class AskJudge(msgspec.Struct, forbid_unknown_fields=True):
    """Recorded games. `rulebook` is for games that name none; `letter` leaves platform rules out."""

    pdn: Annotated[str, msgspec.Meta(min_length=1)]
    rulebook: Name | None = None
    letter: bool = False


# Rulebooks


@cache
def _kept(name: str, language: str) -> Sent:
    """The answer about one rulebook, or all of them where no name is given: it never changes, so it is written once."""
    if name:
        return Sent.of(encode(rulebook_page(rulebook(name), language)))
    return Sent.of(encode({"rulebooks": [listed(book, language) for book in rulebooks()]}))


def _keep(request: Request, name: str) -> Response:
    answer = sent(request, *_kept(name, language_of(request)), "application/json", ASK_AGAIN)
    answer.headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
    return answer


async def _rulebooks(request: Request) -> Response:
    return _keep(request, "")


async def _rulebook(request: Request) -> Response:
    return _keep(request, book_named(request.path_params["id"]).id)


# Positions


def position_of(book: Rulebook, fen: str | None) -> Position:
    return Position.from_fen(fen, book) if fen else Position.start(book)


async def _position(request: Request) -> Response:
    query = await read(request, AskPosition)
    book = book_named(query.rulebook)

    def answer() -> TableView:
        table = Table.start(book, "casual", fen=query.fen or None)
        for ply, move in enumerate(query.moves, start=1):
            table = table.play(move, at=ply)
        return table_view(table, language_of(request))

    return Json(await run_in_threadpool(answer))


def written(position: Position, route: list[Square]) -> str:
    """An attempt by squares, as one would write it under the rulebook.

    >>> written(Position.from_fen("W:Wc3:Bb4,d4,f6", "faraes"), [9, 16])
    'c3xa5'
    """
    book = position.rulebook
    if any(square >= len(book.move_names) for square in route):
        raise ApiError(400, "NO_SUCH_SQUARE", square=max(route), most=len(book.move_names) - 1)
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


async def _explain(request: Request) -> Response:
    query = await read(request, AskExplain)
    if (query.move is None) == (query.route is None):
        raise ApiError(400, "MOVE_OR_ROUTE")
    position = position_of(book_named(query.rulebook), query.fen)
    tried = query.move if query.move is not None else written(position, query.route or [])
    language = language_of(request)
    return Json(await run_in_threadpool(lambda: Explanation(position, tried).board_view(language)))


async def _compare(request: Request) -> Response:
    query = await read(request, AskCompare)
    books = [book_named(query.rulebook)] if query.rulebook else readers()

    language = language_of(request)
    return Json(await run_in_threadpool(lambda: lens_view(read_under(query.fen, books), language)))


async def _judge(request: Request) -> Response:
    query = await read(request, AskJudge)
    book = book_named(query.rulebook) if query.rulebook else None

    def answer() -> list[VerdictView]:
        games = verdict_views(query.pdn, book, None, language_of(request), letter=query.letter)
        return list(islice(games, MAX_JUDGED_GAMES))

    games = await run_in_threadpool(answer)
    return Json({"games": games, "holds": all(game.holds for game in games)})


routes: list[BaseRoute] = [
    Route("/api/rulebooks", _rulebooks),
    Route("/api/rulebook/{id}", _rulebook),
    Route("/api/position", _position, methods=["POST"]),
    Route("/api/explain", _explain, methods=["POST"]),
    Route("/api/compare", _compare, methods=["POST"]),
    Route("/api/judge", _judge, methods=["POST"]),
]
