"""Openings over HTTP: the explorer, and the lines to choose from."""

from pathlib import Path
from typing import Any, Literal

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from damas.openings.explorer import Results
from damas.rules import rulebook, rulebook_ids
from damas.rules.library import home_rulebooks
from damas.server.analysing.places import book_named, record_of
from damas.server.security.visitors import person_of
from damas.server.services import services_of
from damas.server.web import replies
from damas.server.web.analysis import Looked
from damas.server.web.endpoints import Endpoints
from damas.server.web.fair_play import check_fair_play, games_in_progress
from damas.server.web.pages import page
from damas.server.web.recent import Recent
from damas.server.web.static_files import cached_json
from damas.server.web.work import ask
from damas.server.words import Content, language_of
from damas.server.work import openings as work
from damas.views.rulebook_pages import listed

endpoints = Endpoints("analysis")

EXPLORER_FILE = "explorer.db"
"""File of the data folder in which an operator puts statistics that `damas explorer build` has made."""


class ExplorerRequest(Looked):
    """A place in a game, and whose games are counted there."""

    source: Literal["engine", "server", "mine"] = "engine"
    """Those of the operator's file, of this server, or the visitor's own."""
    side: Literal["", "white", "black"] = ""
    """Of the visitor's own games, only those in which they played this side."""


@endpoints.call(
    "POST /api/explorer",
    example={"rulebook": "brasileira", "moves": ["c3-d4", "f6-g5"], "source": "server"},
)
async def _explorer(request: Request, body: ExplorerRequest) -> replies.Explored:
    """The moves of a position, how often each was played and how those games ended, and its score in the engine's book."""
    services = services_of(request)
    file: Path = services.settings.data / EXPLORER_FILE
    if await games_in_progress(request):
        record = await ask(request, record_of, body.rulebook, body.fen, body.moves)
        await check_fair_play(request, record, body.game)
    place: work.KnownPlace = await ask(request, work.known_place, file, body.rulebook, body.fen, body.moves)
    counted = {move.after: move.results for move in place.moves} if body.source == "engine" else {}
    if body.source != "engine":
        person = person_of(request) if body.source == "mine" else ""
        for row in await services.store.openings.moves(person, place.key):
            if body.side in ("", row.side):
                results = Results(row.white, row.draws, row.black)
                counted[row.after] = counted.get(row.after, Results()) + results
    moves = [_move(move, counted.get(move.after, Results())) for move in place.moves]
    moves.sort(key=lambda move: (-move["games"], -(10**6) if move["score"] is None else -move["score"]))
    return {
        "names": place.names,
        "source": body.source,
        "has_file": place.has_file,
        "games": sum(move["games"] for move in moves),
        "moves": moves,
    }


def _move(move: work.KnownMove, results: Results) -> replies.ExploredMove:
    return {
        "text": move.text,
        "name": move.name,
        "score": move.score,
        "games": results.games,
        "white": results.white,
        "draws": results.draws,
        "black": results.black,
    }


_lines = Recent[Content](24)
"""The lines of a rulebook, encoded and compressed: drawing some by lot takes a second."""


@endpoints.call("GET /api/openings/{id}", parameters={"id": "inglesa"}, reply=replies.OpeningLines)
async def _openings(request: Request) -> Response:
    """Openings to choose from: the ballots of a rulebook, main lines of the engine's book, and some drawn by lot."""
    book = book_named(request.path_params["id"])

    async def content() -> Content:
        return await run_in_threadpool(Content.of, await ask(request, work.lines, book.id))

    return cached_json(request, await _lines.get((book.id,), content))


@endpoints.route("GET /openings")
async def _openings_page(request: Request) -> Response:
    language = language_of(request)
    names = dict.fromkeys([*home_rulebooks(language), *rulebook_ids()])
    books: list[Any] = [listed(rulebook(name), language) for name in names]
    return page(request, "openings.html", here="learn", books=books)
