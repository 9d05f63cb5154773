"""Roles of a tournament of people: every action, by everybody, on the real server."""

from collections.abc import Awaitable, Callable
from typing import Any, get_args

import httpx
import pytest
from starlette.routing import Route

from damas.server.club.actions import AnyAction
from damas.server.club.roles import ALLOWED, ROLES, Role
from damas.server.settings import Limits
from damas.server.web import club, club_desk, club_screen
from damas.server.work.club import PAPERS
from server.club.people import Hall
from server.conftest import PATIENT
from server.rooms.clients import Person, Server

Ask = Callable[[Hall, Person], Awaitable[httpx.Response]]


def action(do: str, **fields: Any) -> Ask:
    return lambda hall, who: hall.act(who, do, **fields)


def get(path: str) -> Ask:
    return lambda hall, who: who.http.get(path.format(id=hall.id))


def at_board(do: str, **fields: Any) -> Ask:
    """Something at the first board, in a league that of the first match."""

    async def ask(hall: Hall, who: Person) -> httpx.Response:
        match_board = int(bool((await hall.look(hall.chief))["tournament"]["boards"]))
        return await hall.act(who, do, round=1, board=1, match_board=match_board, **fields)

    return ask


async def send_ratings(hall: Hall, who: Person) -> httpx.Response:
    return await who.http.post(f"/api/club/{hall.id}/ratings", content="nome;rating\nAna;1800\n")


async def overrule(hall: Hall, who: Person) -> httpx.Response:
    is_league = bool((await hall.look(hall.chief))["tournament"]["boards"])
    place = {"board": 1, "match_board": 2} if is_league else {"board": 2}
    return await hall.act(who, "score", round=1, **place, result="0-1", why="the players were mistaken")


async def new_link(hall: Hall, who: Person) -> httpx.Response:
    return await who.http.post(f"/api/club/{hall.id}/links", json={"role": "spectator"})


def stream(path: str) -> Ask:
    async def ask(hall: Hall, who: Person) -> httpx.Response:
        async with who.http.stream("GET", path.format(id=hall.id)) as answer:
            return answer

    return ask


def revoke(role: str) -> Ask:
    """Revokes a link of a role that nobody here uses, or the last one."""

    async def ask(hall: Hall, who: Person) -> httpx.Response:
        links = await hall.links()
        wanted = [link for link in links if link["role"] == role and link["name"] not in hall.people]
        return await who.http.delete(f"/api/club/{hall.id}/links/{wanted[-1]['id']}")

    return ask


ASKED: dict[str, Ask] = {
    "look": get("/api/club/{id}"),
    "log": get("/api/club/{id}/log"),
    "papers": get("/club/{id}/papers/cross.pdf"),
    "export": get("/club/{id}/files/tournament.damas"),
    "player_links": get("/api/club/{id}/links"),
    "staff_links": new_link,
    "check_in": action("check_in", names=["Ana"]),
    "arrive": action("arrive"),
    "report": at_board("report", games="1"),
    "play": at_board("play"),
    "score": at_board("score", result="1-0"),
    "overrule": overrule,
    "bye": action("bye", player="Davi", round=3),
    "forbid": action("forbid", one="Ana", other="Bruno"),
    "draft": action("draft"),
    "meet": action("meet", one="Ana", other="Carla", why="friends"),
    "squad": action("squad", team="Norte", names=["Ana"], before=["Ana"]),
    "rename": action("rename", player="Davi", to="Davi Rocha", why="typing"),
    "ratings": send_ratings,
    "announce": action("announce", round=2),
    "lineup": action("lineup", round=1, team="Norte", names=["Ana"]),
    "publish": action("publish", round=2),
    "undo": action("undo", entry=2, why="a mistake"),
    "enter": action("enter", player={"name": "Zeca"}),
    "import": action("import", text="Zuleica"),
    "withdraw": action("withdraw", player="Davi"),
    "disqualify": action("disqualify", player="Davi", why="a blow"),
}
"""A request for each action of the table; whoever is refused gets 403, whoever is not something else."""


READ_REQUESTS: dict[str, list[tuple[str, Ask]]] = {
    "GET /api/club/{id}": [("look", get("/api/club/{id}"))],
    "GET /api/club/{id}/stream": [("look", stream("/api/club/{id}/stream"))],
    "GET /api/club/{id}/screen/stream": [("look", stream("/api/club/{id}/screen/stream"))],
    "GET /api/club/{id}/tables/{category}": [("look", get("/api/club/{id}/tables/none"))],
    "GET /api/club/{id}/players/{number:int}": [("look", get("/api/club/{id}/players/1"))],
    "GET /api/club/{id}/teams/{number:int}/lineup": [("lineup", get("/api/club/{id}/teams/1/lineup"))],
    "GET /api/club/{id}/log": [("log", get("/api/club/{id}/log"))],
    "GET /api/club/{id}/links": [("player_links", get("/api/club/{id}/links"))],
    "POST /api/club/{id}/links": [("staff_links", new_link)],
    "DELETE /api/club/{id}/links/{key}": [
        ("player_links", revoke("player")), ("staff_links", revoke("spectator")), ("staff_links", revoke("chief")),
    ],
    "GET /club/{id}/papers/{kind}.pdf": [("papers", get(f"/club/{{id}}/papers/{kind}.pdf")) for kind in PAPERS],
    "POST /api/club/{id}/ratings": [("ratings", send_ratings)],
    "GET /club/{id}/files/{name}": [
        ("export", get(f"/club/{{id}}/files/{name}")) for name in ("tournament.damas", "tournament.trf", "ratings.csv")
    ],
}  # fmt: skip
"""A request for each address that belongs to a tournament, and the action of the table that it needs."""
OPEN_ADDRESSES = {
    "GET /club", "POST /api/club", "POST /api/club/file",  # no tournament yet
    "POST /api/club/{id}/enter", "POST /api/club/{id}/leave",  # how somebody becomes something
    "GET /club/{id}", "GET /club/{id}/desk", "GET /club/{id}/tv", "GET /club/{id}/teams/{number:int}",  # pages, which ask for the tournament themselves
    "POST /api/club/{id}/actions",  # every action of the table
}  # fmt: skip


async def begun(server: Server, *, is_league: bool, **terms: Any) -> tuple[Hall, str]:
    """A hall with a published round and a result, and who sits first at a board without one."""
    if not is_league:
        hall = await Hall.open(server, **terms)
        first = (await hall.start())[0]["first"]
        await hall.do(hall.chief, "score", round=1, board=2, result="1-0")
        return hall, str(first)
    hall = await Hall.league(server, **terms)
    match = (await hall.start())[0]
    await hall.do(hall.chief, "score", round=1, board=1, match_board=2, result="1-0")
    return hall, str(match["match_boards"][0]["first"])


async def everybody(hall: Hall, player: str, *, is_league: bool = False) -> dict[Role, Person]:
    """Somebody in each role; captains are in leagues alone."""
    people: dict[Role, Person] = {
        "chief": hall.chief,
        "arbiter": await hall.staff("arbiter"),
        "desk": await hall.staff("desk"),
        "player": await hall.player(player),
        "spectator": await hall.staff("spectator"),
        "visitor": await hall.server.person(),
    }
    if is_league:
        people["captain"] = await hall.captain("Norte")
    assert set(people) == set(ROLES) - (set() if is_league else {"captain"})
    return people


@pytest.mark.parametrize("is_league", [False, True])
async def test_every_action_is_for_its_roles_alone(server: Server, is_league: bool) -> None:
    assert set(ASKED) == set(ALLOWED) - {"look_private", "drafts"}
    actions = {each.__struct_config__.tag for each in get_args(AnyAction)}
    assert actions <= set(ASKED)
    hall, first = await begun(server, is_league=is_league)
    people = await everybody(hall, first, is_league=is_league)
    found = {}
    for name, ask in ASKED.items():
        allowed = set()
        for role in (
            role for role in reversed(ROLES) if role in people
        ):  # who may least asks first: refused, no change
            answer = await ask(hall, people[role])
            assert answer.status_code < 500, (name, role, answer.text)
            if answer.status_code != 403:
                allowed.add(role)
        found[name] = allowed
    assert found == {name: ALLOWED[name] & set(people) for name in ASKED}


@pytest.mark.parametrize(("public", "is_league"), [(True, False), (False, False), (False, True)])
async def test_every_address_is_for_its_roles_alone(server: Server, public: bool, is_league: bool) -> None:
    """No address that a tournament has can be forgotten here: the application's own list is compared."""
    listed = {
        f"{method} {route.path}"
        for module in (club, club_desk, club_screen)
        for route in module.endpoints.routes
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert listed == set(READ_REQUESTS) | OPEN_ADDRESSES
    hall, first = await begun(server, is_league=is_league, public=public)
    people = await everybody(hall, first, is_league=is_league)
    await hall.staff("spectator")  # the link that is revoked, so that the other one still opens
    for address, requests in READ_REQUESTS.items():
        for name, ask in requests:
            allowed = set()
            for role in people:
                answer = await ask(hall, people[role])
                assert answer.status_code < 500, (address, role)
                if answer.status_code != 403:
                    allowed.add(role)
            assert allowed == ALLOWED[name] & ALLOWED["look" if public else "look_private"] & set(people), (
                address
            )


async def test_a_draft_is_for_the_staff_alone(server: Server) -> None:
    hall = await Hall.open(server)
    people = await everybody(hall, "Ana")

    async def shown() -> dict[Role, object]:
        views = {role: (await hall.look(person))["tournament"] for role, person in people.items()}
        return {role: {**view, "version": ""} for role, view in views.items()}

    before = await shown()
    await hall.do(hall.chief, "draft")
    after = await shown()
    assert {role for role in people if before[role] != after[role]} == set(ALLOWED["drafts"])


async def test_what_is_for_the_staff_is_not_sent_to_others(server: Server) -> None:
    hall = await Hall.open(server, players=0)
    person = {"name": "Ana", "birth": "31/05/2014", "sex": "f", "number": "77"}
    await hall.do(hall.chief, "enter", player=person)
    await hall.do(hall.chief, "enter", player={"name": "Rui"})
    await hall.do(hall.chief, "draft")
    for who, staff in ((hall.chief, True), (await hall.player("Ana"), False), (await server.person(), False)):
        tournament = (await hall.look(who))["tournament"]
        own = tournament["players"][0]
        assert (own["birth"], own["sex"], own["id"]) == (("2014-05-31", "f", "77") if staff else ("", "", ""))
        assert len(tournament["played"]) == staff


async def test_a_private_tournament_is_for_those_with_a_link(server: Server) -> None:
    hall = await Hall.open(server, public=False, title="Copa secreta")
    visitor = await server.person()
    assert (await visitor.http.get(f"/api/club/{hall.id}")).status_code == 403
    assert "Copa secreta" not in (await visitor.http.get(f"/club/{hall.id}")).text
    assert hall.id not in (await visitor.http.get("/club")).text
    visitor.http.cookies.set(f"damas_club_{hall.id}", "forged")
    assert hall.id not in (await visitor.http.get("/club")).text
    assert hall.id in (await hall.chief.http.get("/club")).text
    spectator = await hall.staff("spectator")
    assert (await hall.look(spectator))["you"]["role"] == "spectator"


async def test_a_link_that_is_revoked_opens_nothing_any_more(server: Server) -> None:
    hall = await Hall.open(server)
    ana = await hall.player("Ana")
    before = next(link for link in await hall.links() if link["name"] == "Ana")
    await hall.do(ana, "arrive")
    await hall.chief.http.delete(f"/api/club/{hall.id}/links/{before['id']}")
    assert (await hall.act(ana, "arrive")).status_code == 403
    after = next(link for link in await hall.links() if link["name"] == "Ana")
    assert before["path"] != after["path"]
    unprintable = {"role": "desk", "name": "a\0b"}
    assert (await hall.chief.http.post(f"/api/club/{hall.id}/links", json=unprintable)).status_code == 400
    await hall.do(await hall.enter(after["path"]), "arrive")
    chief = next(link for link in await hall.links() if link["role"] == "chief")
    last = await hall.chief.http.delete(f"/api/club/{hall.id}/links/{chief['id']}")
    assert last.json()["error"]["code"] == "CLUB_LAST_CHIEF"


@pytest.mark.parametrize(
    "limits",
    [
        Limits(failed_pins_of_address=3, commit_s=PATIENT.commit_s),
        Limits(failed_pins_of_place=3, commit_s=PATIENT.commit_s),
    ],
    ids=["of an address", "of many addresses"],
)
async def test_a_pin_opens_what_the_link_opens_and_cannot_be_tried_for_long(server: Server) -> None:
    hall = await Hall.open(server)
    pins = {link["name"] or link["role"]: link["pin"] for link in await hall.links()}
    path = f"/api/club/{hall.id}/enter"
    phone = await server.person()
    entered = await phone.http.post(path, json={"name": "Ana", "pin": pins["Ana"]})
    assert entered.json() == {"role": "player", "name": "Ana"}
    for name in ("ANÁ", "1"):  # as a phone writes it, or the number on the card
        assert (await phone.http.post(path, json={"name": name, "pin": pins["Ana"]})).json() == entered.json()
    assert (await phone.http.post(path, json={"pin": pins["chief"]})).json()["role"] == "chief"
    assert (len(pins["Ana"]), len(pins["chief"])) == (6, 8)
    wrong = {"name": "Bruno", "pin": pins["Ana"]}
    codes = [(await phone.http.post(path, json=wrong)).status_code for _ in range(4)]
    assert codes == [403, 403, 403, 429]
    right = await phone.http.post(path, json={"name": "Bruno", "pin": pins["Bruno"]})
    assert right.status_code == 429
    await hall.player("Bruno")  # his link opens all the same
