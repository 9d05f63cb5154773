"""Who may do what in a tournament: one table, asked by every request."""

from typing import Literal

Role = Literal["chief", "arbiter", "desk", "player", "spectator", "visitor"]
"""What a link makes of whoever opens it; `visitor` is everybody without one."""

CHIEF: Role = "chief"
STAFF: frozenset[Role] = frozenset({"chief", "arbiter", "desk"})
_ARBITERS: frozenset[Role] = frozenset({"chief", "arbiter"})
_CHIEF: frozenset[Role] = frozenset({"chief"})
_PLAYERS: frozenset[Role] = frozenset({"player"})
_INVITED: frozenset[Role] = STAFF | {"player", "spectator"}

ROLES: tuple[Role, ...] = ("chief", "arbiter", "desk", "player", "spectator", "visitor")
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
    "arrive": _PLAYERS,
    "bye": _ARBITERS,
    "withdraw": _ARBITERS,
    "disqualify": _ARBITERS,
    "forbid": _ARBITERS,
    "draft": _ARBITERS,
    "meet": _ARBITERS,
    "publish": _ARBITERS,
    "score": STAFF,
    "overrule": _ARBITERS,
    "report": _PLAYERS,
    "play": _PLAYERS,
    "undo": _ARBITERS,
    "player_links": STAFF,
    "staff_links": _CHIEF,
}
"""Each action and the roles that may take it. A player acts only for the own name and at the own board."""


def may(role: Role, action: str) -> bool:
    """Whether a role may take an action."""
    return role in ALLOWED[action]
