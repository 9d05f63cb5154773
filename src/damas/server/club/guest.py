"""Whoever makes a request about a tournament, and what their link allows."""

from starlette.requests import Request

from damas.server.club.actions import Asker
from damas.server.club.roles import Role, may
from damas.server.club.tournament import Tournament
from damas.server.security.door import cookie_name
from damas.server.security.errors import ApiError
from damas.server.services import services_of

COOKIE = "damas_club_"
"""Name of the cookie with the secret of a link; the tournament's id follows."""


def cookie_of(request: Request, tournament_id: str) -> str:
    """The name of the cookie for a tournament."""
    return cookie_name(COOKIE + tournament_id, services_of(request).settings.secure)


class Guest:
    """A visitor of a tournament, and what the link in the cookie makes of them."""

    def __init__(self, tournament: Tournament, secret: str) -> None:
        self.tournament = tournament
        self.role: Role
        self.name: str
        self.role, self.name = tournament.role_of(secret)

    @property
    def asker(self) -> Asker:
        """For whom the visitor may speak at a board."""
        return Asker(self.name if self.role == "player" else "", self.name if self.role == "captain" else "")

    def may(self, action: str) -> bool:
        """Whether the visitor may take this action."""
        return may(self.role, action)

    def need(self, action: str) -> None:
        """Raises `ApiError` 403 unless the visitor may take this action."""
        if not self.may(action):
            raise ApiError(403, "CLUB_ROLE")


async def guest(request: Request, action: str = "look") -> Guest:
    """The visitor at the tournament in the path, who must be allowed to look at it and to take this action."""
    tournament = await services_of(request).tournaments.find(request.path_params["id"])
    visitor = Guest(tournament, request.cookies.get(cookie_of(request, tournament.id), ""))
    visitor.need("look" if tournament.head.public else "look_private")
    visitor.need(action)
    return visitor
