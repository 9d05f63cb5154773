"""The interface of a procedure."""

from typing import ClassVar, Protocol, TypeAlias

from damas.arbiter.events import Event
from damas.arbiter.table import Table
from damas.game import Outcome

Ruling: TypeAlias = Outcome
"""A ruling ends the game; an event that is only not allowed is refused."""


class Procedure(Protocol):
    """A stateless rule about events: it looks at an event and at the table before it."""

    name: ClassVar[str]

    def rule_on(self, event: Event, table: Table) -> Ruling | None:
        """How the event ends the game, or None. Raises `ProcedureRefused` if the event is not allowed."""
