"""The rules over HTTP: rulebooks, positions, explanations, the lens and verdicts, with the internal squares of boards."""

from functools import cache
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from damas.rules import rulebook, rulebooks
from damas.server.analysing.places import book_named
from damas.server.encoding import encode
from damas.server.security.errors import ApiError
from damas.server.web.endpoints import Endpoints
from damas.server.web.fields import EXAMPLE_FEN, EXAMPLE_PDN, Fen, MoveText, Name
from damas.server.web.replies import JudgedGames, RulebookList
from damas.server.web.static_files import cached_json
from damas.server.web.work import answer, answer_slowly
from damas.server.words import Content, language_of
from damas.server.work import questions
from damas.views.explain import BoardExplanationView
from damas.views.lens import LensView
from damas.views.rulebook_pages import ListedRulebookView, RulebookPageView, listed, rulebook_page
from damas.views.table import TableView

endpoints = Endpoints("rules")

MAX_MOVES = 1000
"""Most moves of a request."""

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
def rulebook_entries(language: str) -> list[ListedRulebookView]:
    """Every rulebook as the list has it, the most important first."""
    return [listed(book, language) for book in rulebooks()]


@cache
def rulebook_json(name: str, language: str) -> Content:
    """One rulebook, or the list of them where the name is empty, as JSON; it never changes while the server runs."""
    if name:
        return Content.of(encode(rulebook_page(rulebook(name), language)))
    return Content.of(encode({"rulebooks": rulebook_entries(language)}))


@endpoints.call("GET /api/rulebooks", reply=RulebookList)
async def _rulebooks(request: Request) -> Response:
    return cached_json(request, rulebook_json("", language_of(request)))


@endpoints.call("GET /api/rulebook/{id}", parameters={"id": "faraes"}, reply=RulebookPageView)
async def _rulebook(request: Request) -> Response:
    return cached_json(request, rulebook_json(book_named(request.path_params["id"]).id, language_of(request)))


# Positions


@endpoints.call(
    "POST /api/position",
    example={"rulebook": "brasileira", "moves": ["c3-d4", "f6-g5"]},
    reply=TableView,
)
async def _position(request: Request, query: AskPosition) -> Response:
    arguments = (query.rulebook, query.fen or "", query.moves)
    return await answer(request, questions.position, *arguments, language_of(request))


@endpoints.call(
    "POST /api/explain",
    example={"rulebook": "faraes", "fen": EXAMPLE_FEN, "move": "c3xa5"},
    reply=BoardExplanationView,
)
async def _explain(request: Request, query: AskExplain) -> Response:
    if query.route is not None:
        most = len(book_named(query.rulebook).move_names) - 1
        if max(query.route) > most:
            raise ApiError(400, "NO_SUCH_SQUARE", square=max(query.route), most=most)
    tried = query.move if query.route is None else query.route
    if tried is None or (query.move is not None and query.route is not None):
        raise ApiError(400, "MOVE_OR_ROUTE")
    arguments = (query.rulebook, query.fen or "", tried)
    return await answer(request, questions.explanation, *arguments, language_of(request))


@endpoints.call("POST /api/compare", example={"fen": "W:WKa1:Bd4,g5"}, reply=LensView)
async def _compare(request: Request, query: AskCompare) -> Response:
    arguments = (query.fen, query.rulebook or "")
    return await answer(request, questions.comparison, *arguments, language_of(request))


@endpoints.call("POST /api/judge", example={"pdn": EXAMPLE_PDN}, reply=JudgedGames)
async def _judge(request: Request, query: AskJudge) -> Response:
    arguments = (query.pdn, query.rulebook or "", query.letter)
    return await answer_slowly(request, questions.verdicts, *arguments, language_of(request))
