"""Certificates, score sheets and leaflets: pages to be printed by the browser, and the same as PDF."""

from collections.abc import Callable
from functools import lru_cache

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from damas.judging.scoresheet import to_pdn
from damas.paper.certificate import certificate_paper
from damas.paper.document import Document
from damas.paper.leaflet import leaflet
from damas.paper.pdf import pdf
from damas.paper.scoresheet import blank_scoresheet, scoresheet_paper
from damas.rules import rulebook
from damas.rules.library import builtin_id
from damas.server.rooms.seats import Seats
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import visitor_of
from damas.server.services import services_of
from damas.server.web.archive import pdn_tags, players, table_of_game
from damas.server.web.endpoints import Endpoints
from damas.server.web.pages import page
from damas.server.web.share import public_address
from damas.server.web.static_files import ASK_AGAIN, file_response
from damas.server.words import language_of
from damas.server.workers import Caller

endpoints = Endpoints("files")

OF_RULEBOOKS = {"leaflet": leaflet, "blank": blank_scoresheet}
"""Papers of a rulebook; they never change while the server runs."""
KEPT = 64
"""Papers of rulebooks that are kept in memory."""


@lru_cache(KEPT)
def _rulebook_pdf(kind: str, name: str, language: str) -> tuple[str, bytes]:
    """The file name and the PDF of a paper of a rulebook."""
    document = OF_RULEBOOKS[kind](rulebook(name), language)
    return document.name, pdf(document)


@endpoints.call(
    "GET /paper/{kind}/{id}.pdf", parameters={"kind": "scoresheet", "id": "GAME"}, media="application/pdf"
)
async def _paper_pdf(request: Request) -> Response:
    """`/paper/{kind}/{id}.pdf`: a certificate or scoresheet of a game, a leaflet or blank sheet of a rulebook."""
    build = await _builder(request)
    kind, language = request.path_params["kind"], language_of(request)

    def make() -> tuple[str, bytes]:
        if kind in OF_RULEBOOKS:
            return _rulebook_pdf(kind, _book(request), language)
        document = build()
        return document.name, pdf(document)

    caller = Caller(visitor_of(request).id, address_of(request))
    name, data = await services_of(request).papers.run(lambda _: make(), caller)
    return file_response(data, "application/pdf", f"{name}.pdf", cache=ASK_AGAIN)


@endpoints.route("GET /paper/{kind}/{id}")
async def _paper_page(request: Request) -> Response:
    """The same paper as a page, for the printer of the browser."""
    kind, name = request.path_params["kind"], request.path_params["id"]
    document = await run_in_threadpool(await _builder(request))
    of_rulebook = kind in OF_RULEBOOKS
    return page(
        request,
        "paper.html",
        here="rules" if of_rulebook else "games",
        paper=document,
        pdf_address=f"/paper/{kind}/{name}.pdf",
        back_address=f"/rules/{_book(request)}" if of_rulebook else f"/game/{name}",
    )


def _book(request: Request) -> str:
    name = builtin_id(request.path_params["id"])
    if not name:
        raise ApiError(404, "NOT_FOUND")
    return name


async def _builder(request: Request) -> Callable[[], Document]:
    """What makes the requested document, off the event loop. Raises `ApiError` 404 where there is none."""
    kind, name, language = request.path_params["kind"], request.path_params["id"], language_of(request)
    if kind in OF_RULEBOOKS:
        book = rulebook(_book(request))
        return lambda: OF_RULEBOOKS[kind](book, language)
    if kind not in ("certificate", "scoresheet"):
        raise ApiError(404, "NOT_FOUND")
    head, table = await table_of_game(request, name)
    if kind == "certificate":
        if table.outcome is None:
            raise ApiError(409, "NOT_OVER")
        address = f"{public_address(request)}/api/games/{name}/certificate"
        return lambda: certificate_paper(table, language, name=f"damas-{name}-certificate", address=address)
    tags = pdn_tags(request, head)
    del tags["Event"]
    if Seats.of(head).shared:  # two people at one device, whose names nobody knows
        tags |= {"White": "", "Black": ""}
    else:
        names = players(request, head)
        tags |= {"White": names["white"]["name"], "Black": names["black"]["name"]}
    return lambda: scoresheet_paper(to_pdn(table, tags), language, name=f"damas-{name}")
