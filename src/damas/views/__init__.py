"""Views: what damas answers, as typed structs. The command line, HTTP, sockets, bots, OpenAPI and the JavaScript types
all take their JSON from them.

A view is a frozen dataclass whose fields are the JSON fields. A field without a default is always there; one that is
None by default is left out while it is None. `plain` turns any view into dictionaries and lists.
"""

from damas.views.moves import MoveView, move_view
from damas.views.plain import plain

__all__ = ["MoveView", "move_view", "plain"]
