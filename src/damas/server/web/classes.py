"""Classes for their teachers: pupils, boards, homework and reports. Only a teacher of the class may ask."""

import hmac
from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from damas.arbiter import PRESETS, TimeControl
from damas.errors import UnknownRegulation, UnknownRulebook
from damas.rules.library import builtin_id, rulebook_ids
from damas.server.classes.leaving import end_game, forget_class, forget_pupils
from damas.server.classes.names import MAX_NAME, checked_pupil_name, pasted_names
from damas.server.classes.pairing import shuffled
from damas.server.classes.pins import hashed_pins, new_pin
from damas.server.classes.report import as_csv
from damas.server.learning.course import lessons
from damas.server.learning.puzzle import sheet_of
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import Visitor, visitor_of
from damas.server.services import services_of
from damas.server.store import keys
from damas.server.store.errors import ClassFull, PupilTwice, WriteRefused
from damas.server.store.rows import Homework, SchoolClass
from damas.server.web.endpoints import Endpoints
from damas.server.web.play import count_new_game
from damas.server.web.static_files import file_response
from damas.server.web.streams import Stream
from damas.server.web.work import caller_of
from damas.server.words import language_of
from damas.views import plain
from damas.views.classes import ClassEntryView, ClassReportView, PairedView, PastedView, PinView

endpoints = Endpoints()

MAX_LIST = 20_000
"""Characters of a pasted list."""
TEACHER = b"teacher:"
"""What teachers' links are signed for."""

Short = Annotated[str, Meta(max_length=64)]
"""An id or a key."""
Title = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
"""The title of a class."""


class NewClass(msgspec.Struct, forbid_unknown_fields=True):
    """A new class."""

    title: Title
    rulebook: Short = ""


class Terms(msgspec.Struct, forbid_unknown_fields=True):
    """Title and terms of a class; what is left out stays."""

    title: Title | None = None
    rulebook: Short | None = None
    preset: Short | None = None
    time: Short | None = None
    chat: bool | None = None


class Claim(msgspec.Struct, forbid_unknown_fields=True):
    """A teachers' link."""

    id: Short
    key: Short


class PastedList(msgspec.Struct, forbid_unknown_fields=True):
    """Names of pupils, one a line."""

    text: Annotated[str, Meta(max_length=MAX_LIST)]


class PupilName(msgspec.Struct, forbid_unknown_fields=True):
    """The name of a pupil."""

    name: Annotated[str, Meta(max_length=200)]


class PinsOf(msgspec.Struct, forbid_unknown_fields=True):
    """The pupils who get new PINs; all where it is left out."""

    pupils: Annotated[list[Short], Meta(max_length=200)] | None = None


class Pairing(msgspec.Struct, forbid_unknown_fields=True):
    """Pairs of pupils, or all who are here and do not play in a random order."""

    pairs: Annotated[list[tuple[Short, Short]], Meta(max_length=100)] = []
    shuffle: bool = False


class Notice(msgspec.Struct, forbid_unknown_fields=True):
    """What pupils are shown while their boards are held."""

    notice: Annotated[str, Meta(max_length=200)] = ""


class NewHomework(msgspec.Struct, forbid_unknown_fields=True):
    """Homework for all pupils."""

    kind: Literal["lesson", "puzzles", "game"]
    due: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    lesson: Short = ""
    rulebook: Short = ""
    count: Annotated[int, Meta(ge=0, le=100)] = 0


# Who may


def possible_teacher(request: Request) -> Visitor:
    """The visitor, who may make classes: a person at a page, not a pupil and not a program."""
    visitor = visitor_of(request)
    if visitor.school_class or visitor.bot or "authorization" in request.headers:
        raise ApiError(403, "FORBIDDEN")
    return visitor


async def taught_class(request: Request) -> SchoolClass:
    """The class that the address names. Raises `ApiError` 403 for whoever does not teach it, whether it exists or not."""
    visitor, classes = possible_teacher(request), services_of(request).store.classes
    class_id = request.path_params["id"]
    school_class = await classes.get(class_id)
    if school_class is None or not await classes.teaches(class_id, visitor.id):
        raise ApiError(403, "NOT_TEACHER")
    return school_class


def teacher_key(request: Request, school_class: SchoolClass) -> str:
    """The secret of a class's link for teachers; it is derived, so nothing has to be stored."""
    signed = services_of(request).signature.write(f"{school_class.id}/{school_class.link}", "", TEACHER)
    return signed.rpartition(".")[2]


def _changed(request: Request, school_class: SchoolClass) -> None:
    services_of(request).live.changed(school_class.id)


# Classes


@endpoints.route("GET /api/classes")
async def _classes(request: Request) -> dict[str, object]:
    taught = await services_of(request).store.classes.taught_by(possible_teacher(request).id)
    entries = [ClassEntryView(each.id, each.title, each.code, pupils) for each, pupils in taught]
    return {"classes": plain(entries)}


@endpoints.route("POST /api/classes", access=possible_teacher, status=201)
async def _new_class(request: Request, visitor: Visitor, wanted: NewClass) -> dict[str, str]:
    services, language = services_of(request), language_of(request)
    services.rates.spend("accounts of an address", address_of(request))
    title = checked_pupil_name(wanted.title) or wanted.title.strip()
    if not title.isprintable() or not title:
        raise ApiError(400, "BAD_PUPIL_NAME", most=MAX_NAME)
    terms = {"rulebook": _book(wanted.rulebook), "preset": "school", "time_control": "none"}
    try:
        school_class = await services.store.classes.create(visitor.id, title, language, terms)
    except ClassFull as full:
        raise ApiError(409, "TOO_MANY_CLASSES", most=full.most) from None
    return {"id": school_class.id, "url": f"/class/{school_class.id}"}


def _book(name: str) -> str:
    book = builtin_id(name)
    if not book:
        raise UnknownRulebook(name, rulebook_ids())
    return book


@endpoints.route("POST /api/classes/claim", access=possible_teacher)
async def _claim(request: Request, visitor: Visitor, claim: Claim) -> dict[str, str]:
    """Whoever has the teachers' link of a class becomes its teacher."""
    services = services_of(request)
    with services.rates.attempt(("failed pins of an address", address_of(request))) as attempt:
        school_class = await services.store.classes.get(claim.id)
        key = "" if school_class is None else teacher_key(request, school_class)
        attempt.failed = not key or not hmac.compare_digest(key.encode(), claim.key.encode())
    if school_class is None or attempt.failed:
        raise ApiError(403, "TEACHER_LINK")
    try:
        await services.store.classes.add_teacher(school_class.id, visitor.id, school_class.link)
    except WriteRefused:
        raise ApiError(403, "TEACHER_LINK") from None
    except ClassFull as full:
        raise ApiError(409, "TOO_MANY_TEACHERS", most=full.most) from None
    return {"id": school_class.id, "url": f"/class/{school_class.id}"}


@endpoints.route("GET /api/classes/{id}")
async def _class(request: Request) -> object:
    school_class = await taught_class(request)
    return plain(await services_of(request).live.view(school_class.id))


@endpoints.route("POST /api/classes/{id}")
async def _change(request: Request, terms: Terms) -> None:
    school_class = await taught_class(request)
    changes: dict[str, object] = {}
    if terms.title is not None:
        title = " ".join(terms.title.split())
        if not title or not title.isprintable():
            raise ApiError(400, "BAD_PUPIL_NAME", most=MAX_NAME)
        changes["title"] = title
    if terms.rulebook is not None:
        changes["rulebook"] = _book(terms.rulebook)
    if terms.preset is not None:
        if terms.preset not in PRESETS:
            raise UnknownRegulation(terms.preset, PRESETS)
        changes["preset"] = terms.preset
    if terms.time is not None:
        changes["time_control"] = str(TimeControl.parse(terms.time))
    if terms.chat is not None:
        changes["chat"] = terms.chat
    if changes:
        await services_of(request).store.classes.change(school_class.id, **changes)
        _changed(request, school_class)


@endpoints.route("DELETE /api/classes/{id}")
async def _delete(request: Request) -> None:
    """Forgets the class with everything about its pupils; games stay, and nobody knows whose they were."""
    await forget_class(services_of(request), await taught_class(request))


@endpoints.route("POST /api/classes/{id}/link")
async def _link(request: Request) -> dict[str, str]:
    school_class = await taught_class(request)
    return {"path": f"/class#teacher={school_class.id}.{teacher_key(request, school_class)}"}


@endpoints.route("DELETE /api/classes/{id}/link")
async def _renew_link(request: Request) -> None:
    """A new link for teachers: the old one is worthless, and other teachers no longer teach the class."""
    school_class = await taught_class(request)
    await services_of(request).store.classes.renew_link(school_class.id, visitor_of(request).id)
    _changed(request, school_class)


# Pupils


@endpoints.route("POST /api/classes/{id}/pupils", status=201)
async def _add_pupils(request: Request, pasted: PastedList) -> object:
    """Adds the names of a list; the answer has each new pupil's PIN, which is shown only now."""
    school_class, services = await taught_class(request), services_of(request)
    present = await services.store.classes.pupils(school_class.id)
    read = pasted_names(pasted.text, [pupil.name for pupil in present])
    if not (read.names or read.twice or read.unreadable):
        raise ApiError(400, "NO_NAMES")
    most = services.settings.limits.pupils_per_class
    if len(present) + len(read.names) > most:
        raise ApiError(409, "CLASS_FULL", most=most, n=len(read.names), present=len(present))
    pins = [new_pin() for _ in read.names]
    hashes = await hashed_pins(services, pins, caller_of(request)) if pins else []
    try:
        pupils = await services.store.classes.add_pupils(
            school_class.id, list(zip(read.names, hashes, strict=True))
        )
    except ClassFull as full:
        raise ApiError(409, "CLASS_FULL", most=full.most, n=len(read.names), present=len(present)) from None
    except PupilTwice as twice:  # pasted in two windows at once
        raise ApiError(409, "PUPIL_TWICE", name=str(twice)) from None
    _changed(request, school_class)
    added = [
        PinView(pupil.id, pupil.number, pupil.name, pin) for pupil, pin in zip(pupils, pins, strict=True)
    ]
    return plain(PastedView(added, read.twice, read.unreadable))


@endpoints.route("POST /api/classes/{id}/pins")
async def _new_pins(request: Request, wanted: PinsOf) -> object:
    """New PINs, which are shown only now; the pupils must log in again."""
    school_class, services = await taught_class(request), services_of(request)
    pupils = await services.store.classes.pupils(school_class.id)
    if wanted.pupils is not None:
        chosen = set(wanted.pupils)
        pupils = [pupil for pupil in pupils if pupil.id in chosen]
        if len(pupils) < len(chosen):
            raise ApiError(404, "NO_PUPIL")
    pins = [new_pin() for _ in pupils]
    hashes = await hashed_pins(services, pins, caller_of(request)) if pins else []
    stored = {pupil.id: hash_ for pupil, hash_ in zip(pupils, hashes, strict=True)}
    await services.store.classes.set_pins(school_class.id, stored)
    for pupil in pupils:
        await services.logins.changed(pupil.id)
    views = [
        PinView(pupil.id, pupil.number, pupil.name, pin) for pupil, pin in zip(pupils, pins, strict=True)
    ]
    return {"pins": plain(views)}


@endpoints.route("POST /api/classes/{id}/pupils/{pupil}")
async def _rename(request: Request, body: PupilName) -> None:
    school_class = await taught_class(request)
    name = checked_pupil_name(body.name)
    if name is None:
        raise ApiError(400, "BAD_PUPIL_NAME", most=MAX_NAME)
    classes = services_of(request).store.classes
    try:
        renamed = await classes.rename(school_class.id, request.path_params["pupil"], name)
    except PupilTwice:
        raise ApiError(409, "PUPIL_TWICE", name=name) from None
    if not renamed:
        raise ApiError(404, "NO_PUPIL")
    _changed(request, school_class)


@endpoints.route("DELETE /api/classes/{id}/pupils/{pupil}")
async def _remove(request: Request) -> None:
    school_class, pupil = await taught_class(request), request.path_params["pupil"]
    services = services_of(request)
    for head in await services.boards.unfinished(school_class):
        if pupil in (head.white_id, head.black_id):
            await end_game(services, head.id)
    stand_ins = await services.store.classes.remove_pupil(school_class.id, pupil)
    if not stand_ins:
        raise ApiError(404, "NO_PUPIL")
    await forget_pupils(services, school_class, stand_ins)


# Boards


@endpoints.route("POST /api/classes/{id}/games", status=201)
async def _pair(request: Request, wanted: Pairing) -> object:
    """Starts games, held until the teacher lets them go."""
    async with services_of(request).boards.pairing(request.path_params["id"]):
        return await _paired(request, wanted)


async def _paired(request: Request, wanted: Pairing) -> object:
    school_class, services = await taught_class(request), services_of(request)
    pupils = await services.store.classes.pupils(school_class.id)
    names = {pupil.id: pupil.name for pupil in pupils}
    playing = {
        person
        for head in await services.boards.unfinished(school_class)
        for person in (head.white_id, head.black_id)
    }
    left = None
    if wanted.shuffle:
        free = [pupil for pupil in services.live.here(names) if pupil not in playing]
        pairs, left = shuffled(sorted(free), await _met(request, school_class))
        if not pairs:
            raise ApiError(409, "NOBODY_TO_PAIR")
    else:
        pairs = list(wanted.pairs)
        chosen = [pupil for pair in pairs for pupil in pair]
        if not pairs or any(pupil not in names for pupil in chosen) or len(set(chosen)) < len(chosen):
            raise ApiError(400, "BAD_PAIRS")
        if busy := next((pupil for pupil in chosen if pupil in playing), None):
            raise ApiError(409, "PUPIL_PLAYS", name=names[busy])
    for _ in pairs:
        count_new_game(request)
    if not school_class.held and not playing:
        await services.store.classes.change(school_class.id, held=True, notice="")
        school_class = msgspec.structs.replace(school_class, held=True)
    games = await services.boards.start(school_class, pairs, language_of(request))
    if not school_class.held:  # the others play: who is paired now begins at once
        for game in games:
            await (await services.rooms.room(game)).let_go()
    _changed(request, school_class)
    return plain(PairedView(games, names[left] if left else ""))


async def _met(request: Request, school_class: SchoolClass) -> list[frozenset[str]]:
    """Who has played whom in the class."""
    store = services_of(request).store
    heads = await store.games.heads(await store.classes.games(school_class.id))
    return [frozenset((head.white_id or "", head.black_id or "")) for head in heads.values()]


@endpoints.route("POST /api/classes/{id}/hold")
async def _hold(request: Request, body: Notice) -> None:
    """Every clock stops, and pupils are shown a message."""
    school_class, boards = await taught_class(request), services_of(request).boards
    usual = services_of(request).words.say("school.held.usual", school_class.language)
    async with boards.pairing(school_class.id):  # boards that are being paired are held too
        await boards.hold(school_class, " ".join(body.notice.split()) or usual)
    _changed(request, school_class)


@endpoints.route("POST /api/classes/{id}/start")
async def _start(request: Request) -> None:
    school_class, boards = await taught_class(request), services_of(request).boards
    async with boards.pairing(school_class.id):
        await boards.let_go(school_class)
    _changed(request, school_class)


@endpoints.route("POST /api/classes/{id}/stop")
async def _stop(request: Request) -> None:
    school_class, boards = await taught_class(request), services_of(request).boards
    async with boards.pairing(school_class.id):
        await boards.stop(school_class)
    _changed(request, school_class)


@endpoints.route("GET /api/classes/{id}/stream")
async def _stream(request: Request) -> Response:
    """The class now, and whenever it has changed."""
    school_class = await taught_class(request)
    return Stream.events(services_of(request).live.watch_class(school_class.id, visitor_of(request).id))


# What was learnt


async def _report(request: Request) -> ClassReportView:
    school_class = await taught_class(request)
    return await services_of(request).reports.report(school_class, language_of(request))


@endpoints.route("GET /api/classes/{id}/report")
async def _report_view(request: Request) -> object:
    return plain(await _report(request))


@endpoints.route("GET /api/classes/{id}/report.csv")
async def _report_csv(request: Request) -> Response:
    content = as_csv(await _report(request), language_of(request))
    return file_response(content, "text/csv; charset=utf-8", "damas-class.csv", cache="no-store")


@endpoints.route("POST /api/classes/{id}/homework", status=201)
async def _give_homework(request: Request, wanted: NewHomework) -> dict[str, str]:
    school_class, services = await taught_class(request), services_of(request)
    try:
        date.fromisoformat(wanted.due)
    except ValueError:
        raise ApiError(400, "BAD_DAY") from None
    lesson = rulebook = ""
    count = 0
    if wanted.kind == "lesson":
        lesson = wanted.lesson
        if lesson not in lessons():
            raise ApiError(404, "NO_LESSON")
    else:
        rulebook, count = _book(wanted.rulebook), wanted.count
        most = 10
        if wanted.kind == "puzzles":
            most = min(100, len(sheet_of(rulebook)))
            if not most:
                raise ApiError(404, "NO_PUZZLES")
        if not 1 <= count <= most:
            raise ApiError(400, "BAD_COUNT", most=most)
    homework = Homework(
        id=keys.new_id(),
        kind=wanted.kind,
        rulebook=rulebook,
        lesson=lesson,
        count=count,
        due=wanted.due,
        created_ms=services.rooms.time.wall_ms(),
    )
    try:
        await services.store.classes.add_homework(school_class.id, homework)
    except ClassFull as full:
        raise ApiError(409, "TOO_MUCH_HOMEWORK", most=full.most) from None
    _changed(request, school_class)
    return {"id": homework.id}


@endpoints.route("DELETE /api/classes/{id}/homework/{homework}")
async def _take_homework_back(request: Request) -> None:
    school_class = await taught_class(request)
    classes = services_of(request).store.classes
    if not await classes.remove_homework(school_class.id, request.path_params["homework"]):
        raise ApiError(404, "NOT_FOUND")
    _changed(request, school_class)
