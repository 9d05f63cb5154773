"""The pages of studies: the list, the board that reads and edits one, its picture, and a chapter in a frame of another site."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from damas.server.analysing.chapters import StoredLine
from damas.server.security.errors import ApiError
from damas.server.services import services_of
from damas.server.store.rows import ChapterRow, Study
from damas.server.web import previews
from damas.server.web.embed import SIDES, embedded
from damas.server.web.endpoints import Endpoints
from damas.server.web.pages import page
from damas.server.web.share import look_of, picture
from damas.server.web.studies import chapter_json, readable_chapter, readable_study, study_view
from damas.server.web.work import ask
from damas.server.words import language_of
from damas.server.work import files
from damas.views import plain

endpoints = Endpoints()


@endpoints.route("GET /studies")
async def _list(request: Request) -> Response:
    return page(request, "studies.html", here="analyse")


@endpoints.route("GET /study/{id}")
@endpoints.route("GET /study/{id}/{chapter}")
async def _study(request: Request) -> Response:
    """The study with its chapter in the page, so that a reader asks once."""
    study, chapter = await _shown(request)
    view = await study_view(request, study)
    return page(
        request,
        "study.html",
        here="analyse",
        preview=previews.of_study(request, study, chapter),
        study=_in_page(msgspec.json.encode(plain(view))),
        chapter=_in_page(chapter_json(chapter)),
        study_title=study.title or services_of(request).words.say("study.untitled", language_of(request)),
        mine=view.mine,
    )


async def _shown(request: Request) -> tuple[Study, ChapterRow]:
    """The study that the address names, and its chapter: the first one where the address names none."""
    study = await readable_study(request)
    if "chapter" in request.path_params:
        return study, await readable_chapter(request, study)
    store = services_of(request).store.studies
    first = (await store.chapters(study))[0]
    chapter = await store.chapter(study.id, first.id)
    if chapter is None:  # deleted in between
        raise ApiError(404, "NOT_FOUND")
    return study, chapter


def _in_page(data: bytes) -> str:
    return data.decode().replace("<", "\\u003c")


@endpoints.route("GET /study/export/{id}/{chapter}.{kind}")
async def _picture(request: Request) -> Response:
    """A position of a chapter: the first one where its moves are to be guessed or it begins with pieces set up."""
    kind = request.path_params["kind"]
    if kind not in ("png", "svg"):
        raise ApiError(404, "NOT_FOUND")
    chapter = await readable_chapter(request, await readable_study(request))
    look = {**look_of(request, kind), "orientation": chapter.orientation}
    is_start = chapter.mode != "read" or '"standard":false' in chapter.data
    return await picture(request, StoredLine(chapter.data), 0 if is_start else None, kind, look)


@endpoints.route("GET /embed/study/{id}")
@endpoints.route("GET /embed/study/{id}/{chapter}")
async def _embed(request: Request) -> Response:
    """The main line of a chapter, as everybody with the address may see it."""
    study, chapter = await _shown(request)
    if not (study.public or study.by_link):
        raise ApiError(404, "NOT_FOUND")
    words, language = services_of(request).words, language_of(request)
    replay, _ = await ask(request, files.replay, StoredLine(chapter.data), language)
    return embedded(
        request,
        replay,
        [words.say(f"board.side.{side}", language) for side in SIDES],
        result=" · ".join(filter(None, (study.title, chapter.title))),
        picture=f"/study/export/{study.id}/{chapter.id}.svg",
        address=f"/study/{study.id}/{chapter.id}",
        link=words.say("study.open", language),
    )
