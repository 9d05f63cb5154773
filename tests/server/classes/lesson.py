"""A teacher and pupils at a real server."""

from dataclasses import dataclass
from typing import Any

import httpx

from server.rooms.clients import Person, Server

NAMES = ("Ana Secreta", "Beatriz Oculta", "Caetano Íntimo")


def sound(answer: httpx.Response, status: int = 200) -> Any:
    assert answer.status_code == status, answer.text
    return answer.json()


@dataclass
class Lesson:
    """A class with everybody in it."""

    server: Server
    teacher: Person
    pupils: list[Person]
    id: str
    code: str
    pins: list[dict[str, Any]]

    @property
    def path(self) -> str:
        return f"/api/classes/{self.id}"

    async def ask(self, path: str = "", status: int = 200, **body: Any) -> Any:
        """What the teacher asks of the class."""
        return sound(await self.teacher.http.post(self.path + path, json=body), status)

    async def view(self) -> Any:
        return sound(await self.teacher.http.get(self.path))

    async def pair(self, first: int = 0, second: int = 1) -> str:
        """A game of two pupils that has begun."""
        pairs = [[self.pins[first]["id"], self.pins[second]["id"]]]
        game = (await self.ask("/games", 201, pairs=pairs))["games"][0]
        await self.ask("/start")
        return str(game)


async def log_in(person: Person, code: str, name: str, pin: str) -> httpx.Response:
    return await person.http.post("/api/class/login", json={"code": code, "name": name, "pin": pin})


async def lesson(server: Server, *names: str) -> Lesson:
    """A new class whose pupils have logged in."""
    teacher = await server.person()
    made = sound(
        await teacher.http.post("/api/classes", json={"title": "5.º A", "rulebook": "brasileira"}), 201
    )
    path = f"/api/classes/{made['id']}"
    pasted = sound(await teacher.http.post(f"{path}/pupils", json={"text": "\n".join(names or NAMES)}), 201)
    code = sound(await teacher.http.get(path))["code"]
    pupils = []
    for pin in pasted["added"]:
        pupils.append(await server.person())
        sound(await log_in(pupils[-1], code, pin["name"], pin["pin"]))
    return Lesson(server, teacher, pupils, made["id"], code, pasted["added"])
