"""What workers are: they take pieces of work and give back results, wherever they run."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, Self

Send = Callable[[Any], None]
"""Sends a message about the piece in progress."""


class Work(Protocol):
    """What each worker opens once and then does for one piece after the other. It must be picklable."""

    def open(self, send: Send | None) -> AbstractContextManager[Callable[[Any], Any]]:
        """Prepares a worker; yields the function that turns a piece into its result.

        `send` is None where nobody listens to messages.
        """


@dataclass(frozen=True)
class Calls:
    """Work that is a plain function of a piece."""

    function: Callable[[Any], Any]

    @contextmanager
    def open(self, send: Send | None) -> Iterator[Callable[[Any], Any]]:  # noqa: ARG002 (a function sends nothing)
        """Yields the function."""
        yield self.function


@dataclass(frozen=True)
class Done:
    """A piece is finished."""

    piece: Any
    result: Any


@dataclass(frozen=True)
class Message:
    """A worker has sent something about a piece in progress."""

    piece: Any
    content: Any


@dataclass(frozen=True)
class Lost:
    """A piece has no result: every process that tried it ended."""

    piece: Any
    reason: str


Event = Done | Message | Lost
"""What comes from workers."""


class Workers(Protocol):
    """Workers of one kind of work; a context manager that ends them."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    @property
    def has_room(self) -> bool:
        """Whether another piece would be begun now."""

    @property
    def in_progress(self) -> list[Any]:
        """The pieces that were given and are not finished."""

    def give(self, piece: Any) -> None:
        """Begins a piece."""

    def receive(self, timeout_s: float) -> list[Event]:
        """What has happened, after at most this time. Raises an error that a piece has raised."""
