"""The rules over HTTP: rulebooks, positions, explanations, the lens and verdicts, with the internal squares of boards."""

from functools import cache
from itertools import islice, pairwise
from typing import Annotated

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from damas.arbiter import Table
from damas.board import Square
from damas.game import Position
from damas.rules import rulebook, rulebooks
from damas.server.analysing.places import book_named
from damas.server.security.bodies import encode
from damas.server.security.errors import ApiError
from damas.server.web.endpoints import Endpoints
from damas.server.web.fields import EXAMPLE_FEN, EXAMPLE_PDN, Fen, MoveText, Name
from damas.server.web.replies import JudgedGames, RulebookList
from damas.server.web.static_files import cached_json
from damas.server.words import Content, language_of
from damas.views.explain import BoardExplanationView, Explanation
from damas.views.lens import LensView, lens_view, read_under, readers
from damas.views.rulebook_pages import RulebookPageView, listed, rulebook_page
from damas.views.table import TableView, table_view
from damas.views.verdicts import VerdictView, verdict_views

endpoints = Endpoints("rules")

MAX_MOVES = 1000
"""Most moves of a request."""
MAX_JUDGED_GAMES = 200
"""Games of a text that are judged; the others are left out."""

Index = Annotated[int, msgspec.Meta(ge=0, le=143)]
"""Internal index of a square."""


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
def _rulebook_json(name: str, language: str) -> Content:
    """One rulebook, or the list of them where the name is empty, as JSON; it never changes while the server runs."""
    if name:
        return Content.of(encode(rulebook_page(rulebook(name), language)))
    return Content.of(encode({"rulebooks": [listed(book, language) for book in rulebooks()]}))


@endpoints.call("GET /api/rulebooks", reply=RulebookList)
async def _rulebooks(request: Request) -> Response:
    return cached_json(request, _rulebook_json("", language_of(request)))


@endpoints.call("GET /api/rulebook/{id}", parameters={"id": "faraes"}, reply=RulebookPageView)
async def _rulebook(request: Request) -> Response:
    return cached_json(
        request, _rulebook_json(book_named(request.path_params["id"]).id, language_of(request))
    )


# Positions


@endpoints.call("POST /api/position", example={"rulebook": "brasileira", "moves": ["c3-d4", "f6-g5"]})
async def _position(request: Request, query: AskPosition) -> TableView:
    book = book_named(query.rulebook)

    def answer() -> TableView:
        table = Table.start(book, "casual", fen=query.fen or None)
        for ply, move in enumerate(query.moves, start=1):
            table = table.play(move, at=ply)
        return table_view(table, language_of(request))

    return await run_in_threadpool(answer)


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


@endpoints.call("POST /api/explain", example={"rulebook": "faraes", "fen": EXAMPLE_FEN, "move": "c3xa5"})
async def _explain(request: Request, query: AskExplain) -> BoardExplanationView:
    if (query.move is None) == (query.route is None):
        raise ApiError(400, "MOVE_OR_ROUTE")
    book = book_named(query.rulebook)
    position = Position.from_fen(query.fen, book) if query.fen else Position.start(book)
    tried = query.move if query.move is not None else written(position, query.route or [])
    language = language_of(request)
    return await run_in_threadpool(lambda: Explanation(position, tried).board_view(language))


@endpoints.call("POST /api/compare", example={"fen": "W:WKa1:Bd4,g5"})
async def _compare(request: Request, query: AskCompare) -> LensView:
    books = [book_named(query.rulebook)] if query.rulebook else readers()
    language = language_of(request)
    return await run_in_threadpool(lambda: lens_view(read_under(query.fen, books), language))


@endpoints.call("POST /api/judge", example={"pdn": EXAMPLE_PDN})
async def _judge(request: Request, query: AskJudge) -> JudgedGames:
    book = book_named(query.rulebook) if query.rulebook else None

    def answer() -> list[VerdictView]:
        games = verdict_views(query.pdn, book, language_of(request), letter=query.letter)
        return list(islice(games, MAX_JUDGED_GAMES))

    games = await run_in_threadpool(answer)
    return {"games": games, "holds": all(game.holds for game in games)}
