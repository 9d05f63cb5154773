"""Who may do what in a tournament: one table, asked by every request."""

from typing import Literal

Role = Literal["chief", "arbiter", "desk", "captain", "player", "spectator", "visitor"]
"""What a link makes of whoever opens it; `visitor` is everybody without one."""

CHIEF: Role = "chief"
STAFF: frozenset[Role] = frozenset({"chief", "arbiter", "desk"})
_ARBITERS: frozenset[Role] = frozenset({"chief", "arbiter"})
_CHIEF: frozenset[Role] = frozenset({"chief"})
_PLAYERS: frozenset[Role] = frozenset({"player"})
_CAPTAINS: frozenset[Role] = frozenset({"captain"})
COMPETITORS: frozenset[Role] = _PLAYERS | _CAPTAINS
"""Whoever has a link that the desk does not have to make: players, and captains of the teams of a league."""
_INVITED: frozenset[Role] = STAFF | COMPETITORS | {"spectator"}

ROLES: tuple[Role, ...] = ("chief", "arbiter", "desk", "captain", "player", "spectator", "visitor")
"""All roles, the one that may most first."""

ALLOWED: dict[str, frozenset[Role]] = {
    "look": _INVITED | {"visitor"},
    "look_private": _INVITED,
    "drafts": STAFF,
    "log": STAFF,
    "papers": STAFF,
    "export": _ARBITERS,
    "enter": _ARBITERS,
    "import": _ARBITERS,
    "check_in": STAFF,
    "arrive": COMPETITORS,
    "bye": _ARBITERS,
    "withdraw": _ARBITERS,
    "disqualify": _ARBITERS,
    "forbid": _ARBITERS,
    "squad": _ARBITERS,
    "rename": _ARBITERS,
    "ratings": _ARBITERS,
    "draft": _ARBITERS,
    "meet": _ARBITERS,
    "announce": _ARBITERS,
    "lineup": STAFF | _CAPTAINS,
    "publish": _ARBITERS,
    "score": STAFF,
    "overrule": _ARBITERS,
    "report": COMPETITORS,
    "play": _PLAYERS,
    "undo": _ARBITERS,
    "player_links": STAFF,
    "staff_links": _CHIEF,
}
"""Each action and the roles that may take it. A player acts only for the own name and at the own board, a captain
only for the own team."""


def may(role: Role, action: str) -> bool:
    """Whether a role may take an action."""
    return role in ALLOWED[action]
