"""What a procedure is."""

from typing import ClassVar, Protocol, TypeAlias

from damas.arbiter.events import Event
from damas.arbiter.table import Table
from damas.game import Outcome

Ruling: TypeAlias = Outcome
"""A ruling ends the game. (What merely may not be done is refused.)"""


class Procedure(Protocol):
    """One idea of the arbiter's, without memory: it looks at an event and at the table before it."""

    name: ClassVar[str]

    def rule_on(self, event: Event, table: Table) -> Ruling | None:
        """How the event ends the game, or None. Raises `ProcedureRefused` if the event is not allowed."""
