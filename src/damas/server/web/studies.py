"""Studies over HTTP: made, read, changed chapter by chapter, and taken in and out as PDN."""

import re
import secrets
from time import time
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from damas.notation.study import clean_title
from damas.server.analysing import chapters, trees
from damas.server.analysing.chapters import ChapterBody, MadeChapter, Title
from damas.server.analysing.measure import TooMuch
from damas.server.analysing.places import book_named
from damas.server.security.bodies import Json, read
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import Visitor, visitor_of
from damas.server.services import services_of
from damas.server.store import keys
from damas.server.store.errors import LastChapter, StaleStudy, TooManyChapters, TooManyStudies, UnknownStudy
from damas.server.store.rows import ChapterRow, Study
from damas.server.store.studies import ListedStudy
from damas.server.web import replies
from damas.server.web.endpoints import Endpoints
from damas.server.web.fields import EXAMPLE_PDN, NameOrNothing
from damas.server.web.static_files import ASK_AGAIN, file_response
from damas.server.web.work import caller_of
from damas.server.words import language_of
from damas.views import plain
from damas.views.plain import view_of
from damas.views.studies import ChapterEntryView, ListedStudyView, StudyListView, StudyView

endpoints = Endpoints("studies")

ID = re.compile(r"[A-Za-z0-9_-]{16}")
"""Ids of studies."""
CHAPTER_ID_BYTES = 6
"""Random bytes of the id of a chapter; nobody needs to guess it who knows the study's."""
MAX_DEPTH = 256
"""Nesting of the JSON of a chapter: each variation within another takes three levels."""

Visibility = Literal["private", "link", "public"]
"""Who may read a study: its owner, whoever has its address, or anybody, with the study listed."""
Version = Annotated[int, Meta(ge=1)]
Place = Annotated[int, Meta(ge=0, le=10_000)]


class NewStudy(msgspec.Struct, forbid_unknown_fields=True):
    """A study with its first chapter."""

    chapter: ChapterBody
    title: Title = ""
    visibility: Visibility = "private"


class NewChapter(ChapterBody, forbid_unknown_fields=True):
    """A chapter for a study; `at` is its place, the last one where it is left out."""

    at: Place | None = None


class ChapterChange(ChapterBody, forbid_unknown_fields=True):
    """A chapter as it shall be, and the version that was changed."""

    version: Version = 1


class StudyChange(msgspec.Struct, forbid_unknown_fields=True):
    """A change of title or visibility, and the version that was changed."""

    version: Version
    title: Title | None = None
    visibility: Visibility | None = None


class ChapterPlace(msgspec.Struct, forbid_unknown_fields=True):
    """The place of a chapter, counted from 0."""

    to: Place


class StudyPdn(msgspec.Struct, forbid_unknown_fields=True):
    """Games as PDN, each to be a chapter; `rulebook` is for those that name none."""

    pdn: str
    title: Title = ""
    rulebook: NameOrNothing = ""


# Who may


def author(request: Request) -> Visitor:
    """The visitor, who may change studies: a person at a page, no program. Counts the change."""
    visitor, rates = visitor_of(request), services_of(request).rates
    if visitor.bot or "authorization" in request.headers:
        raise ApiError(403, "FORBIDDEN")
    rates.spend("studies of an address", address_of(request))
    rates.spend("studies", visitor.id)
    return visitor


async def readable_study(request: Request) -> Study:
    """The study that the address names. Raises `ApiError` 404 where there is none, or none for this visitor."""
    study_id = request.path_params["id"]
    study = await services_of(request).store.studies.get(study_id) if ID.fullmatch(study_id) else None
    if study is None or not (study.public or study.by_link or study.owner == visitor_of(request).id):
        raise ApiError(404, "NOT_FOUND")
    return study


async def readable_chapter(request: Request, study: Study) -> ChapterRow:
    """The chapter that the address names."""
    chapter = await services_of(request).store.studies.chapter(study.id, request.path_params["chapter"])
    if chapter is None:
        raise ApiError(404, "NOT_FOUND")
    return chapter


def visibility_of(study: Study) -> Visibility:
    """Who may read a study."""
    return "public" if study.public else "link" if study.by_link else "private"


def _columns(request: Request, visibility: Visibility) -> dict[str, bool]:
    """The columns of a visibility. Pupils' studies are listed nowhere."""
    if visibility == "public" and visitor_of(request).account is None:
        raise ApiError(403, "STUDY_ACCOUNT")
    return {"public": visibility == "public", "by_link": visibility != "private"}


async def author_name(request: Request, study: Study) -> str | None:
    """The name of the account that owns a study."""
    account = await services_of(request).store.people.account(study.owner)
    return account.name if account else None


async def study_view(request: Request, study: Study) -> StudyView:
    """A study as the visitor may see it."""
    heads = await services_of(request).store.studies.chapters(study)
    return view_of(
        StudyView,
        study,
        visibility=visibility_of(study),
        author=await author_name(request, study),
        mine=study.owner == visitor_of(request).id,
        chapters=[view_of(ChapterEntryView, head) for head in heads],
    )


# Reading


@endpoints.call("GET /api/studies", query={"by": ""})
async def _studies(request: Request) -> StudyListView:
    """The visitor's studies; with `by` the public ones of an account."""
    store, name = services_of(request).store, request.query_params.get("by", "")
    if not name:
        return StudyListView(None, list(map(_listed, await store.studies.listed(visitor_of(request).id))))
    account = await store.people.account_named(name[:100])
    if account is None:
        raise ApiError(404, "NOT_FOUND")
    listed = await store.studies.listed(account.id, public=True)
    return StudyListView(account.name, list(map(_listed, listed)))


def _listed(entry: ListedStudy) -> ListedStudyView:
    return view_of(
        ListedStudyView,
        entry.study,
        visibility=visibility_of(entry.study),
        chapters=entry.chapters,
        rulebook=entry.rulebook,
    )


@endpoints.call("GET /api/studies/{id}", parameters={"id": "STUDY"})
async def _study(request: Request) -> StudyView:
    return await study_view(request, await readable_study(request))


@endpoints.call(
    "GET /api/studies/{id}/chapters/{chapter}",
    parameters={"id": "STUDY", "chapter": "CHAPTER"},
    id="study_chapter",
    reply=replies.StudyChapter,
)
async def _chapter(request: Request) -> Response:
    chapter = await readable_chapter(request, await readable_study(request))
    return Json(chapter_json(chapter))


def chapter_json(chapter: ChapterRow) -> bytes:
    """A chapter with its game, as `replies.StudyChapter`."""
    entry = plain(view_of(ChapterEntryView, chapter))
    return msgspec.json.encode({**entry, "game": msgspec.Raw(chapter.data.encode())})


@endpoints.call("GET /api/studies/{id}/pdn", parameters={"id": "STUDY"}, media="text/x-pdn", id="study_pdn")
async def _pdn(request: Request) -> Response:
    """The study as a file; with `chapter` only that one."""
    study = await readable_study(request)
    rows = await services_of(request).store.studies.whole_chapters(study)
    wanted = request.query_params.get("chapter")
    if wanted is not None:
        rows = [row for row in rows if row.id == wanted]
    if not rows:
        raise ApiError(404, "NOT_FOUND")
    fields = MadeChapter.__struct_fields__
    stored = [MadeChapter(**{name: getattr(row, name) for name in fields}) for row in rows]
    files, caller = services_of(request).work.files, caller_of(request)
    text = await files.run(chapters.pdn, study.title, stored, caller=caller)
    name = f"damas-{study.id}{f'-{wanted}' if wanted else ''}.pdn"
    return file_response(text.encode(), "text/x-pdn; charset=utf-8", name, cache=ASK_AGAIN)


# Changes


@endpoints.call(
    "POST /api/studies",
    access=author,
    id="new_study",
    body=NewStudy,
    reply=replies.CreatedStudy,
    example={"title": "Tiros", "chapter": {"rulebook": "brasileira", "moves": [{"text": "c3-d4"}]}},
    status=201,
)
async def _new_study(request: Request, visitor: Visitor) -> Response:
    sent = await _read(request, NewStudy)
    return await _create(request, visitor, sent.title, [await _made(request, sent.chapter)], sent.visibility)


@endpoints.call(
    "POST /api/studies/pdn",
    access=author,
    id="import_study",
    body=StudyPdn,
    reply=replies.CreatedStudy,
    example={"pdn": EXAMPLE_PDN},
    status=201,
)
async def _import(request: Request, visitor: Visitor) -> Response:
    """A study from PDN: each game is a chapter."""
    services, limits = services_of(request), services_of(request).settings.limits
    services.rates.spend("imports of an address", address_of(request))
    services.rates.spend("import", visitor.id)
    sent = await read(request, StudyPdn, most=limits.pdn_bytes)
    book = book_named(sent.rulebook) if sent.rulebook else None
    arguments = (sent.pdn.encode("utf-8", "replace"), book, language_of(request), limits)
    try:
        title, made, bad = await services.imports.run(request, chapters.made_of_pdn, *arguments)
    except TooMuch as much:
        raise ApiError(413, much.limit.upper(), most=much.most, game=much.game) from None
    if not made:
        raise ApiError(400, "STUDY_EMPTY", bad=bad)
    return await _create(request, visitor, sent.title or title, made, "private", bad)


async def _create(
    request: Request,
    visitor: Visitor,
    title: str,
    made: list[MadeChapter],
    visibility: Visibility,
    bad: list[dict[str, Any]] | None = None,
) -> Response:
    now, study_id = _now(), keys.new_id()
    study = Study(
        id=study_id,
        owner=visitor.id,
        title=clean_title(title),
        data="",
        created_ms=now,
        updated_ms=now,
        version=1,
        **_columns(request, visibility),
    )
    try:
        await services_of(request).store.studies.create(study, [_row(chapter) for chapter in made])
    except TooManyStudies as many:
        raise ApiError(409, "TOO_MANY_STUDIES", most=many.most) from None
    created: replies.CreatedStudy = {
        "id": study_id,
        "url": f"/study/{study_id}",
        "chapters": len(made),
        "bad": bad or [],
    }
    return Json(created, 201)


@endpoints.call(
    "POST /api/studies/{id}",
    access=author,
    parameters={"id": "STUDY"},
    id="change_study",
    example={"version": 1, "title": "Golpes", "visibility": "link"},
)
async def _change(request: Request, visitor: Visitor, change: StudyChange) -> replies.ChangedStudy:
    """Changes title and visibility, unless somebody has changed them since."""
    changes: dict[str, object] = {}
    if change.title is not None:
        changes["title"] = clean_title(change.title)
    if change.visibility is not None:
        changes |= _columns(request, change.visibility)
    store = services_of(request).store.studies
    version = await _stored(store.change(request.path_params["id"], visitor.id, change.version, **changes))
    return {"version": version}


@endpoints.call(
    "DELETE /api/studies/{id}", access=author, parameters={"id": "SPARE_STUDY"}, id="delete_study"
)
async def _delete(request: Request, visitor: Visitor) -> None:
    await _stored(services_of(request).store.studies.delete(request.path_params["id"], visitor.id))


@endpoints.call(
    "POST /api/studies/{id}/chapters",
    access=author,
    parameters={"id": "STUDY"},
    id="new_chapter",
    body=NewChapter,
    reply=replies.CreatedChapter,
    example={"rulebook": "internacional", "title": "Coup royal", "at": 0},
    status=201,
)
async def _new_chapter(request: Request, visitor: Visitor) -> Response:
    sent = await _read(request, NewChapter)
    chapter = _row(await _made(request, sent))
    store = services_of(request).store.studies
    await _stored(store.add_chapter(request.path_params["id"], visitor.id, chapter, sent.at))
    return Json({"id": chapter.id, "version": chapter.version}, 201)


@endpoints.call(
    "PUT /api/studies/{id}/chapters/{chapter}",
    access=author,
    parameters={"id": "STUDY", "chapter": "CHAPTER"},
    id="save_chapter",
    body=ChapterChange,
    example={"version": 1, "rulebook": "brasileira", "moves": [{"text": "c3-d4", "comments": ["central"]}]},
    reply=replies.ChangedStudy,
)
async def _save_chapter(request: Request, visitor: Visitor) -> replies.ChangedStudy:
    """Replaces a chapter, unless it was changed since."""
    sent = await _read(request, ChapterChange)
    made = await _made(request, sent)
    row = _row(made, request.path_params["chapter"], sent.version)
    store = services_of(request).store.studies
    return {"version": await _stored(store.save_chapter(request.path_params["id"], visitor.id, row))}


@endpoints.call(
    "POST /api/studies/{id}/chapters/{chapter}/place",
    access=author,
    parameters={"id": "STUDY", "chapter": "CHAPTER"},
    id="move_chapter",
    example={"to": 0},
)
async def _move_chapter(request: Request, visitor: Visitor, place: ChapterPlace) -> None:
    names = request.path_params
    store = services_of(request).store.studies
    await _stored(store.move_chapter(names["id"], visitor.id, names["chapter"], place.to))


@endpoints.call(
    "DELETE /api/studies/{id}/chapters/{chapter}",
    access=author,
    parameters={"id": "STUDY", "chapter": "SPARE_CHAPTER"},
    query={"version": "1"},
    id="delete_chapter",
)
async def _delete_chapter(request: Request, visitor: Visitor) -> None:
    """Deletes a chapter, unless it was changed since `version`."""
    names, version = request.path_params, request.query_params.get("version", "")
    if not version.isdecimal() or len(version) > 9:
        raise ApiError(400, "BAD_BODY", problem="version: a number")
    store = services_of(request).store.studies
    await _stored(store.delete_chapter(names["id"], visitor.id, names["chapter"], int(version)))


async def _read(request: Request, kind: type[Any]) -> Any:
    """A body that may be as long and as deep as a chapter."""
    return await read(
        request, kind, most=services_of(request).settings.limits.chapter_bytes, deepest=MAX_DEPTH
    )


async def _made(request: Request, body: ChapterBody) -> MadeChapter:
    """The checked chapter. Raises `ApiError` and `DamasError`."""
    services = services_of(request)
    limits = services.settings.limits
    try:
        made: MadeChapter = await services.work.files.run(
            chapters.made, body, limits, caller=caller_of(request)
        )
    except trees.TreeTooLarge:
        raise ApiError(413, "CHAPTER_MOVES", most=trees.MAX_NODES, game=1) from None
    except TooMuch as much:
        raise ApiError(413, much.limit.upper(), most=much.most, game=much.game) from None
    except (ValueError, RecursionError) as error:
        raise ApiError(400, "BAD_BODY", problem=str(error)) from None
    return made


def _row(made: MadeChapter, chapter_id: str = "", version: int = 1) -> ChapterRow:
    values = msgspec.structs.asdict(made)
    name = chapter_id or secrets.token_urlsafe(CHAPTER_ID_BYTES)
    return ChapterRow(id=name, version=version, updated_ms=_now(), **values)


async def _stored(change: Any) -> Any:
    """What a change of the store gives; its refusals as errors for the visitor."""
    try:
        return await change
    except UnknownStudy:
        raise ApiError(404, "NOT_FOUND") from None
    except StaleStudy:
        raise ApiError(409, "STUDY_CHANGED") from None
    except TooManyChapters as many:
        raise ApiError(409, "CHAPTERS_PER_STUDY", most=many.most, game=many.most) from None
    except LastChapter:
        raise ApiError(409, "LAST_CHAPTER") from None


def _now() -> int:
    return round(time() * 1000)
