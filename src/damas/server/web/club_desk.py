"""What is done to tournaments of people over the web: making them, entering by a link, the desk, the links."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from secrets import randbelow
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from damas.errors import DamagedTournament, TournamentRefused
from damas.server.club.actions import AnyAction, Draft, Play, Undo, check_seat
from damas.server.club.guest import Guest, cookie_of, guest
from damas.server.club.roles import COMPETITORS, ROLES
from damas.server.club.tournament import Tournament, rows_of_file
from damas.server.club.tournaments import competitor_keys, new_key
from damas.server.security.bodies import Json, read_bytes
from damas.server.security.door import set_cookie
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import visitor_of
from damas.server.services import services_of
from damas.server.store.rows import TournamentKey
from damas.server.web.endpoints import Endpoints
from damas.server.web.work import ask
from damas.server.words import language_of
from damas.server.work import club as work
from damas.tournaments.hall.bounds import check_text
from damas.tournaments.hall.conditions import read_boards, with_readable_time
from damas.tournaments.hall.events import Event, Place
from damas.tournaments.hall.state import State
from damas.tournaments.hall.templates import conditions_of, template, template_names

endpoints = Endpoints("club")

Text = Annotated[str, Meta(max_length=80)]


class NewTournament(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A tournament by a template, and what is different in it."""

    template: Text
    title: Annotated[str, Meta(min_length=2, max_length=80)]
    rulebook: Text = ""
    system: Literal["", "swiss", "round-robin", "knockout", "groups"] = ""
    rounds: Annotated[int, Meta(ge=0, le=99)] = 0
    control: Annotated[str, Meta(max_length=40)] = ""
    place: Text = ""
    date: Annotated[str, Meta(max_length=10)] = ""
    arbiter: Text = ""
    check_in: bool = False
    clubs_apart: bool = False
    """Whether players of one club do not meet while that can be avoided."""
    boards: Annotated[str, Meta(max_length=200)] = ""
    """In a league, the number of boards of a match, or who may sit at each: open, f, m, 11, 11f."""
    squad: Annotated[int, Meta(ge=0, le=99)] = 0
    min_boards: Annotated[int, Meta(ge=0, le=30)] = 0
    public: bool = True


_CHANGES = (
    "title",
    "rulebook",
    "system",
    "rounds",
    "control",
    "place",
    "arbiter",
    "check_in",
    "clubs_apart",
    "squad",
    "min_boards",
)
"""What is different from the template, unless it is empty."""


class Secret(Struct, forbid_unknown_fields=True):
    """What opens a tournament: the secret of a link, or a PIN, for a player with the name."""

    key: Annotated[str, Meta(max_length=100)] = ""
    pin: Annotated[str, Meta(max_length=12)] = ""
    name: Text = ""


class NewLink(Struct, forbid_unknown_fields=True):
    """A link for somebody of the staff or for spectators."""

    role: Literal["chief", "arbiter", "desk", "spectator"]
    name: Annotated[str, Meta(max_length=60)] = ""


# Making


def _spend(request: Request) -> None:
    rates = services_of(request).rates
    rates.spend("tournaments", visitor_of(request).id)
    rates.spend("tournaments of an address", address_of(request))


@endpoints.route("POST /api/club", status=201)
async def _create(request: Request, wanted: NewTournament) -> Response:
    if wanted.template not in template_names():
        raise ApiError(404, "NOT_FOUND")
    _spend(request)
    changes: dict[str, Any] = {name: value for name in _CHANGES if (value := getattr(wanted, name))}
    if wanted.boards:
        boards = changes["boards"] = read_boards(wanted.boards)
        least = template(wanted.template).get("min_boards", 1)
        changes = {"min_boards": min(least, len(boards)), "bye_boards": float(len(boards)), **changes}
    date = wanted.date or f"{datetime.now(UTC):%Y-%m-%d}"
    conditions = conditions_of(wanted.template, **changes, date=date, seed=randbelow(10**6))
    conditions = work.checked(with_readable_time(conditions))
    visitor = visitor_of(request)
    tournament, chief = await services_of(request).tournaments.create(
        conditions, owner=visitor.id, who=visitor.name, public=wanted.public, now_ms=_now_ms(request)
    )
    return _made(request, tournament, chief)


@endpoints.route("POST /api/club/file", status=201)
async def _take_over(request: Request) -> Response:
    """A tournament that began in the terminal goes on here: the body is its file."""
    _spend(request)
    services = services_of(request)
    data = await read_bytes(request, services.settings.limits.tournament_file_bytes)
    try:
        state, good = await ask(request, work.read_file, data)
    except DamagedTournament as damaged:
        raise ApiError(400, "CLUB_FILE", what=damaged.what) from None
    visitor = visitor_of(request)
    tournament, chief = await services.tournaments.adopt(
        state, rows_of_file(data[:good]), owner=visitor.id, now_ms=_now_ms(request)
    )
    return _made(request, tournament, chief)


def _made(request: Request, tournament: Tournament, chief: TournamentKey) -> Response:
    response = Json({"id": tournament.id, "url": f"/club/{tournament.id}/desk"}, 201)
    _enter(request, response, tournament, chief)
    return response


def _now_ms(request: Request) -> int:
    return services_of(request).rooms.time.wall_ms()


# Entering


@endpoints.route("POST /api/club/{id}/enter")
async def _open_link(request: Request, secret: Secret) -> Response:
    """Makes this browser what the link or the PIN says. Wrong PINs are counted."""
    services = services_of(request)
    tournament = await services.tournaments.find(request.path_params["id"])
    place = f"{tournament.id}/{'players' if secret.name else 'staff'}"
    counted = [("failed pins of an address", address_of(request)), ("failed pins of a place", place)]
    # Nobody guesses the secret of a link, so it is never counted, and opens also where PINs were tried too often.
    with services.rates.attempt(*([] if secret.key else counted)) as attempt:
        if secret.key:
            key = tournament.key_of(secret.key)
        else:
            key = tournament.key_of_pin(secret.name, secret.pin.replace(" ", ""))
        attempt.failed = key is None
    if key is None:
        raise ApiError(403, "CLUB_KEY")
    response = Json({"role": key.role, "name": tournament.name_of(key)})
    _enter(request, response, tournament, key)
    return response


@endpoints.route("POST /api/club/{id}/leave")
async def _leave(request: Request) -> Response:
    """This browser is a visitor like everybody else again."""
    response = Json({"ok": True})
    name, secure = cookie_of(request, request.path_params["id"][:40]), services_of(request).settings.secure
    response.headers.append("set-cookie", set_cookie(name, "", secure=secure, seconds=0))
    return response


def _enter(request: Request, response: Response, tournament: Tournament, key: TournamentKey) -> None:
    secure = services_of(request).settings.secure
    cookie = set_cookie(cookie_of(request, tournament.id), tournament.secret(key), secure=secure)
    response.headers.append("set-cookie", cookie)


# The desk

TERMINAL_REASONS = (
    "why",
    "no_entry",
    "no_player",
    "scored_already",
    "tie",
    "not_drafted",
    "not_published",
    "no_pairing",
    "match_begun",
    "empty_board",
    "no_team",
    "which_board",
)
"""Why something is refused, where the sentence for the terminal names a command."""


@endpoints.route("POST /api/club/{id}/actions")
async def _act(request: Request, action: AnyAction) -> dict[str, Any]:
    """Does something to the tournament; when this is answered, it is on disk. A request with a known id does no more."""
    visitor = await guest(request)
    tournament = visitor.tournament
    client_id = f"{visitor.role}:{visitor.name}:{action.id}" if action.id else None
    if client_id not in tournament.client_ids:
        with _in_page_words():
            visitor.need(action.needed(tournament.state))
            if isinstance(action, Play):
                return await _play(request, visitor, action)
            pairs = isinstance(action, Draft)
            drafted = [await ask(request, work.pair_round, tournament.state)] if pairs else []

            def events(state: State) -> Sequence[Event]:
                visitor.need(action.needed(state))  # again: somebody may have been quicker
                return drafted or action.events(state, visitor.asker)

            await tournament.add(
                events,
                who=_name_of(request, visitor),
                why=" ".join(action.why.split()),
                client_id=client_id,
                keys=lambda state: competitor_keys(state, tournament.keys, _now_ms(request)),
                now_ms=_now_ms(request),
            )
    if isinstance(action, Undo):
        services_of(request).app_boards.follow(tournament)
    return {"version": tournament.version}


def _name_of(request: Request, visitor: Guest) -> str:
    """Who it was, for the log: a name, the captain of a team, or the role of a link without a name."""
    role = services_of(request).words.say(f"club.role.{visitor.role}", language_of(request))
    if visitor.role == "captain":
        return f"{role}, {visitor.name}"
    return visitor.name or role


@contextmanager
def _in_page_words() -> Iterator[None]:
    """Refusals that name commands of the terminal name buttons instead."""
    try:
        yield
    except TournamentRefused as refused:
        if refused.reason not in TERMINAL_REASONS:
            raise
        facts: dict[str, Any] = dict(refused.facts)
        raise ApiError(400, f"CLUB_{refused.reason.upper()}", **facts) from None


async def _play(request: Request, visitor: Guest, action: Play) -> dict[str, Any]:
    tournament = visitor.tournament
    place = Place(action.board, action.match_board)
    player = check_seat(tournament.state, visitor.asker, action.round, place)
    game = await services_of(request).app_boards.want(
        tournament, player, visitor_of(request), action.round, place
    )
    return {"version": tournament.version, "game": game}


@endpoints.route("POST /api/club/{id}/ratings")
async def _rate(request: Request) -> dict[str, Any]:
    """Gives everybody the rating of a federation's list, which is the body: by the number in it, or by name."""
    visitor = await guest(request, "ratings")
    tournament = visitor.tournament
    data = await read_bytes(request, services_of(request).settings.limits.tournament_file_bytes)
    rated, missing = await ask(request, work.read_ratings, tournament.state, data)
    await tournament.add(lambda _: rated, who=_name_of(request, visitor), now_ms=_now_ms(request))
    return {"changed": len(rated), "missing": missing}


# Links


@endpoints.route("GET /api/club/{id}/links")
async def _links(request: Request) -> dict[str, Any]:
    """The links that still open something: of the players, and for the chief arbiter of everybody."""
    visitor = await guest(request, "player_links")
    tournament = visitor.tournament
    shown = [
        key
        for key in tournament.keys.values()
        if tournament.opens(key) and (key.role in COMPETITORS or visitor.may("staff_links"))
    ]
    numbers = {name: number for number, name in enumerate(tournament.state.people)}
    ranks = {str(role): place for place, role in enumerate(ROLES)}
    shown.sort(
        key=lambda key: (ranks[key.role], numbers.get(tournament.name_of(key), 0), key.created_ms, key.id)
    )
    return {"links": [_link(tournament, key) for key in shown]}


def _link(tournament: Tournament, key: TournamentKey) -> dict[str, Any]:
    page = f"/club/{tournament.id}" + ("" if key.role in COMPETITORS | {"spectator"} else "/desk")
    return {
        "id": key.id,
        "role": key.role,
        "name": tournament.name_of(key),
        "path": f"{page}#key={tournament.secret(key)}",
        "pin": tournament.pin(key),
    }


@endpoints.route("POST /api/club/{id}/links", status=201)
async def _new_link(request: Request, wanted: NewLink) -> dict[str, Any]:
    tournament = (await guest(request, "staff_links")).tournament
    most = services_of(request).settings.limits.tournament_links
    if sum(key.role not in COMPETITORS for key in tournament.keys.values()) >= most:
        raise ApiError(400, "CLUB_LINKS", most=most)
    name = " ".join(wanted.name.split())
    check_text("name", name)
    key = new_key(wanted.role, name, _now_ms(request))
    await tournament.add_key(key)
    return _link(tournament, key)


@endpoints.route("DELETE /api/club/{id}/links/{key}")
async def _revoke(request: Request) -> None:
    """The link opens nothing any more; a player gets a new one at once. The last chief arbiter's link stays."""
    visitor = await guest(request, "player_links")
    tournament, key = visitor.tournament, visitor.tournament.keys.get(request.path_params["key"])
    if key is None or not tournament.opens(key):
        raise ApiError(404, "NOT_FOUND")
    if key.role not in COMPETITORS:
        visitor.need("staff_links")
    chiefs = [each for each in tournament.keys.values() if each.role == "chief" and tournament.opens(each)]
    if chiefs == [key]:
        raise ApiError(409, "CLUB_LAST_CHIEF")
    now_ms = _now_ms(request)
    await tournament.revoke_key(key.id, now_ms)
    if key.role in COMPETITORS:
        await tournament.add_key(new_key(key.role, tournament.name_of(key), now_ms))
