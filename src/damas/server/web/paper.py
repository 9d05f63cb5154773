"""Certificates, score sheets and leaflets: pages to be printed by the browser, and the same as PDF."""

from datetime import UTC, datetime
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from damas.rules.library import builtin_id
from damas.server.addresses import public_address
from damas.server.rooms.seats import Seats
from damas.server.security.errors import ApiError
from damas.server.services import services_of
from damas.server.web.archive import pdn_tags, players, stored_game
from damas.server.web.endpoints import Endpoints
from damas.server.web.pages import page
from damas.server.web.recent import Recent
from damas.server.web.static_files import ASK_AGAIN, file_response
from damas.server.web.work import ask, caller_of
from damas.server.words import language_of
from damas.server.work import files

endpoints = Endpoints("files")

_papers_of_rulebooks = Recent[tuple[str, bytes]](64)
"""File name and PDF, by kind, rulebook and language."""


@endpoints.call(
    "GET /paper/{kind}/{id}.pdf", parameters={"kind": "scoresheet", "id": "GAME"}, media="application/pdf"
)
async def _paper_pdf(request: Request) -> Response:
    """`/paper/{kind}/{id}.pdf`: a certificate or scoresheet of a game, a leaflet or blank sheet of a rulebook."""
    make, *arguments = await _maker(request)
    lane = services_of(request).work.files
    pdf = partial(lane.run, files.as_pdf, make, *arguments, caller=caller_of(request))
    if make is files.paper_of_rulebook:
        name, data = await _papers_of_rulebooks.get(tuple(arguments), pdf)
    else:
        name, data = await pdf()
    return file_response(data, "application/pdf", f"{name}.pdf", cache=ASK_AGAIN)


@endpoints.route("GET /paper/{kind}/{id}")
async def _paper_page(request: Request) -> Response:
    """The same paper as a page, for the printer of the browser."""
    kind, name = request.path_params["kind"], request.path_params["id"]
    document = await ask(request, *await _maker(request))
    of_rulebook = kind in files.OF_RULEBOOKS
    return page(
        request,
        "paper.html",
        here="rules" if of_rulebook else "games",
        kind=kind,
        paper=document,
        pdf_address=f"/paper/{kind}/{name}.pdf",
        back_address=f"/rules/{_book(request)}" if of_rulebook else f"/game/{name}",
    )


def _book(request: Request) -> str:
    name = builtin_id(request.path_params["id"])
    if not name:
        raise ApiError(404, "NOT_FOUND")
    return name


async def _maker(request: Request) -> tuple[Any, ...]:
    """The function that makes the requested document, and its arguments. Raises `ApiError` 404 where there is none."""
    kind, name, language = request.path_params["kind"], request.path_params["id"], language_of(request)
    if kind in files.OF_RULEBOOKS:
        return files.paper_of_rulebook, kind, _book(request), language
    if kind not in ("certificate", "scoresheet"):
        raise ApiError(404, "NOT_FOUND")
    head, stored = await stored_game(request, name)
    unnamed = Seats.of(head).shared  # two people at one device, whose names nobody knows
    if kind == "certificate":
        if head.status not in ("over", "aborted"):
            raise ApiError(409, "NOT_OVER")
        address = f"{public_address(request)}/api/games/{name}/certificate"
        date = f"{datetime.fromtimestamp(head.created_ms / 1000, UTC):%Y.%m.%d}"
        return files.certificate_of, stored, language, f"damas-{name}-certificate", address, date, unnamed
    tags = pdn_tags(request, head)
    del tags["Event"]
    if unnamed:
        tags |= {"White": "", "Black": ""}
    else:
        names = players(request, head)
        tags |= {"White": names["white"]["name"], "Black": names["black"]["name"]}
    return files.scoresheet_of, stored, language, f"damas-{name}", tags
