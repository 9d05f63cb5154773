"""Every route of a class with every role: only its teachers get in, and nobody else changes anything."""

import json
from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import Connection
from starlette.routing import Route

from damas.server.store import schema
from damas.server.web import classes, pupils
from server.classes.lesson import Lesson, lesson, sound
from server.rooms.clients import Person, Server

FOR_ALL_TEACHERS = ("/api/classes", "/api/classes/claim")
"""Routes that name no class."""
BODIES = {
    "/api/classes/{id}": {"title": "Taken over"},
    "/api/classes/{id}/pupils": {"text": "Intruder"},
    "/api/classes/{id}/pins": {},
    "/api/classes/{id}/pupils/{pupil}": {"name": "Other name"},
    "/api/classes/{id}/games": {"shuffle": True},
    "/api/classes/{id}/hold": {"notice": "x"},
    "/api/classes/{id}/homework": {"kind": "game", "rulebook": "faraes", "count": 1, "due": "2099-01-01"},
}
ROLES = ("stranger", "pupil", "teacher of another class", "pupil of another class", "account", "program")


async def somebody(role: str, here: Lesson, other: Lesson) -> Person:
    if role == "pupil":
        return here.pupils[0]
    if role == "teacher of another class":
        return other.teacher
    if role == "pupil of another class":
        return other.pupils[0]
    person = await here.server.person()
    if role in ("account", "program"):
        account = {"name": f"Rui {role}", "password": "um cavalo sem sela"}
        sound(await person.http.post("/api/account", json=account), 201)
    if role == "program":
        scopes = {"scopes": ["board:play", "arbiter:write", "tournament:write"]}
        token = sound(await person.http.post("/api/account/tokens", json=scopes), 201)["token"]
        person.http.headers["Authorization"] = f"Bearer {token}"
    return person


def stored(connection: Connection) -> list[str]:
    names = ("school_class", "class_teacher", "pupil", "pupil_login", "class_game", "homework")
    tables = [table for table in schema.metadata.sorted_tables if table.name in names]
    seen = schema.pupil_login.c.seen_ms.name
    return sorted(
        repr({key: value for key, value in row.items() if key != seen})
        for table in tables
        for row in connection.execute(table.select()).mappings().all()
    )


def routes() -> list[tuple[str, str]]:
    return [
        (method, route.path)
        for route in classes.endpoints.routes
        if isinstance(route, Route)
        for method in sorted((route.methods or set()) - {"HEAD"})
    ]


async def test_nobody_but_a_teacher_of_the_class_gets_in(server: Server) -> None:
    here, other = await lesson(server), await lesson(server, "Um", "Dois")
    homework = await here.ask("/homework", 201, **BODIES["/api/classes/{id}/homework"])
    before = await server.services.store.database.read(stored)
    for role in ROLES:
        await try_everything(await somebody(role, here, other), here, homework["id"])
    assert await server.services.store.database.read(stored) == before


async def try_everything(person: Person, here: Lesson, homework: str) -> None:
    tried = 0
    for method, path in routes():
        if path in FOR_ALL_TEACHERS:
            continue
        address = path.format(id=here.id, pupil=here.pins[1]["id"], homework=homework)
        body = {"json": BODIES.get(path, {})} if method == "POST" else {}
        answer = await person.http.request(method, address, **body)
        assert answer.status_code == 403, (method, path, answer.text)
        assert answer.json()["error"]["code"] in ("NOT_TEACHER", "FORBIDDEN")
        tried += 1
    assert tried >= 18
    for form in ("/class/{id}/cards", "/class/{id}/cards.pdf"):
        answer = await person.http.post(form.format(id=here.id), data={"pins": "{}"})
        assert answer.status_code == 403, form
    assert (await person.http.get(f"/class/{here.id}")).status_code == 403


async def test_what_pupils_programs_and_other_teachers_cannot_do(server: Server) -> None:
    here, other = await lesson(server), await lesson(server, "Um")
    key = (await other.ask("/link"))["path"].rpartition(".")[2]
    for role in ("pupil", "program"):
        person = await somebody(role, here, other)
        for path, body in (("", {"title": "x"}), ("/claim", {"id": other.id, "key": key})):
            assert (await person.http.post(f"/api/classes{path}", json=body)).status_code == 403
        assert (await person.http.get("/api/classes")).status_code == 403
    await from_inside(server, here)
    await across_classes(server, here, other)
    await with_an_account(here)


async def from_inside(server: Server, here: Lesson) -> None:
    """Only pupils see the class from inside."""
    paths = [route.path for route in pupils.endpoints.routes if isinstance(route, Route)]
    assert "/api/class" in paths
    for person in (await server.person(), here.teacher):
        assert (await person.http.get("/api/class")).status_code == 401
        assert (await person.http.get("/api/class/stream")).status_code == 401
        assert (await person.http.post("/api/class/logout", json={})).status_code == 401
    ana = here.pupils[0]
    for path, body in (("/name", {"name": "Ana Secreta"}), ("/tokens", {"scopes": ["board:play"]})):
        assert (await ana.http.post(f"/api/account{path}", json=body)).status_code in (401, 403)


async def across_classes(server: Server, here: Lesson, other: Lesson) -> None:
    """A teacher reaches no pupil of another class."""
    foreign = other.pins[0]["id"]
    before = await server.services.store.database.read(stored)
    teacher = here.teacher.http
    answers = [
        await teacher.post(f"{here.path}/pupils/{foreign}", json={"name": "Other"}),
        await teacher.delete(f"{here.path}/pupils/{foreign}"),
        await teacher.post(f"{here.path}/pins", json={"pupils": [foreign]}),
        await teacher.post(f"{here.path}/games", json={"pairs": [[foreign, here.pins[0]["id"]]]}),
    ]
    assert [answer.status_code for answer in answers] == [404, 404, 404, 400]
    assert await server.services.store.database.read(stored) == before


async def with_an_account(here: Lesson) -> None:
    """A pupil who gets an account leaves the games behind."""
    game = await here.pair()
    ana = here.pupils[0]
    account = {"name": "Ana com conta", "password": "um cavalo sem sela"}
    sound(await ana.http.post("/api/account", json=account), 201)
    assert (await ana.look(game))["you"] == "viewer"
    assert (await ana.http.get("/api/class")).status_code == 401


async def test_a_page_of_a_teacher_whose_link_was_renewed_hears_no_more(server: Server) -> None:
    here, other = await lesson(server), await server.person()
    class_id, key = (await here.ask("/link"))["path"].partition("=")[2].split(".")
    sound(await other.http.post("/api/classes/claim", json={"id": class_id, "key": key}))
    async with other.http.stream("GET", f"{here.path}/stream") as stream:
        views = moments(stream.aiter_lines())
        assert len((await anext(views))["pupils"]) == 3
        sound(await here.teacher.http.delete(f"{here.path}/link"))
        await here.ask("/pupils", 201, text="Zuleica Nova")
        assert [len(view["pupils"]) async for view in views] == []  # it has ended


async def moments(lines: AsyncIterator[str]) -> AsyncIterator[dict[str, Any]]:
    async for line in lines:
        if line.startswith("data: "):
            yield json.loads(line[6:])
