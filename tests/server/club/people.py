"""A tournament on a real server, and people who open its links."""

from typing import Any

import httpx

from server.rooms.clients import Person, Server

NAMES = ("Ana", "Bruno", "Carla", "Davi", "Elisa", "Fábio", "Gabi", "Hugo")


SQUADS = """equipe;nome;nascimento;sexo
Norte;Ana;1990;f
Norte;Bia;1985;f
Norte;Caio;2016;m
Norte;Davi;1979;m
Sul;Eva;1992;f
Sul;Fabio;1988;m
Sul;Gabi;2015;f
"""


class Hall:
    """A tournament and everybody in it, each with a browser of their own."""

    def __init__(self, server: Server, tournament: str, chief: Person) -> None:
        self.server = server
        self.id = tournament
        self.chief = chief
        self.people: dict[str, Person] = {}

    @classmethod
    async def open(cls, server: Server, players: int = 4, **terms: Any) -> "Hall":
        chief = await server.person()
        wanted = {"template": "escola", "title": "Open", **terms}
        made = (await chief.http.post("/api/club", json=wanted)).raise_for_status().json()
        hall = cls(server, made["id"], chief)
        if players:
            await hall.do(chief, "import", text="\n".join(NAMES[:players]))
        return hall

    @classmethod
    async def league(cls, server: Server, **terms: Any) -> "Hall":
        """A league of two teams with three boards, the last for players under eleven."""
        wanted = {
            "template": "liga",
            "title": "Liga",
            "boards": "open,open,11",
            "date": "2026-11-19",
            **terms,
        }
        hall = await cls.open(server, players=0, **wanted)
        await hall.do(hall.chief, "import", text=SQUADS)
        return hall

    async def act(self, who: Person, do: str, **fields: Any) -> httpx.Response:
        return await who.http.post(f"/api/club/{self.id}/actions", json={"do": do, **fields})

    async def do(self, who: Person, do: str, **fields: Any) -> dict[str, Any]:
        answer = await self.act(who, do, **fields)
        assert answer.status_code == 200, answer.text
        reply: dict[str, Any] = answer.json()
        return reply

    async def look(self, who: Person) -> dict[str, Any]:
        view: dict[str, Any] = (await who.http.get(f"/api/club/{self.id}")).raise_for_status().json()
        return view

    async def links(self) -> list[dict[str, str]]:
        answer = await self.chief.http.get(f"/api/club/{self.id}/links")
        links: list[dict[str, str]] = answer.raise_for_status().json()["links"]
        return links

    async def enter(self, path: str) -> Person:
        """Somebody new opens a link."""
        person = await self.server.person()
        key = path.partition("#key=")[2]
        (await person.http.post(f"/api/club/{self.id}/enter", json={"key": key})).raise_for_status()
        return person

    async def player(self, name: str) -> Person:
        if name not in self.people:
            path = next(each["path"] for each in await self.links() if each["name"] == name)
            self.people[name] = await self.enter(path)
        return self.people[name]

    async def staff(self, role: str) -> Person:
        answer = await self.chief.http.post(f"/api/club/{self.id}/links", json={"role": role, "name": role})
        return await self.enter(answer.raise_for_status().json()["path"])

    async def captain(self, team: str) -> Person:
        if team not in self.people:
            links = await self.links()
            path = next(each["path"] for each in links if (each["role"], each["name"]) == ("captain", team))
            self.people[team] = await self.enter(path)
        return self.people[team]

    async def start(self) -> list[dict[str, Any]]:
        """The boards of the next round, which is drafted and published."""
        await self.do(self.chief, "draft")
        number = len((await self.look(self.chief))["tournament"]["played"])
        await self.do(self.chief, "publish", round=number)
        boards: list[dict[str, Any]] = (await self.look(self.chief))["tournament"]["played"][-1]["boards"]
        return boards
