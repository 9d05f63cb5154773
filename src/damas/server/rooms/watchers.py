"""Who looks on at a game, and what each of them is still to be sent.

Sending never waits: a message goes into the outbox of each watcher, and whoever leaves too many there is let go and may
come back. So nobody's slow line can hold up a move.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, field

from damas.board import Color

TOO_FAR_BEHIND = 1013
"""Close code: try again later. The page comes back and resumes."""


@dataclass(eq=False)
class Watcher:
    """One socket, or one stream. Iterate over it for its messages; it ends when it is let go."""

    visitor: str
    name: str
    language: str
    most: int
    """Messages it may leave unread, besides what it missed before it came."""
    address: str = ""
    """Whence it comes."""
    sides: frozenset[Color] = frozenset()
    """The seats it moves for; a newer socket of the same player takes them over."""
    closing: tuple[int, str] | None = None
    """Close code and reason, once it is to go."""
    _outbox: deque[tuple[str, bool]] = field(default_factory=deque)
    """Messages, and whether each counts."""
    _unread: int = 0
    """How many of them count."""
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def send(self, message: str, *, counts: bool = True) -> None:
        if self.closing:
            return
        if counts and self._unread >= self.most:
            self._outbox.clear()
            self.close(TOO_FAR_BEHIND, "too far behind")
            return
        self._outbox.append((message, counts))
        self._unread += counts
        self._wake.set()

    def send_missed(self, messages: Iterable[str], *, again: bool = False) -> None:
        """What happened before, however long it is: a long game is no fault of who opens it. But whoever asks `again`
        without having read it is held to the limit.
        """
        counts = again and self._unread < len(self._outbox)
        for message in messages:
            self.send(message, counts=counts)

    def close(self, code: int, reason: str) -> None:
        """No more after what is already in the outbox."""
        self.closing = self.closing or (code, reason)
        self._wake.set()

    def take(self) -> str | None:
        """The next message out of the outbox; None while there is none."""
        if not self._outbox:
            return None
        message, counts = self._outbox.popleft()
        self._unread -= counts
        return message

    async def __aiter__(self) -> AsyncIterator[str]:
        while True:
            while (message := self.take()) is not None:
                yield message
            if self.closing:
                return
            self._wake.clear()
            await self._wake.wait()


class Watchers:
    """Everybody who looks on at one game."""

    def __init__(self) -> None:
        self._all: set[Watcher] = set()
        self._holders: dict[Color, Watcher] = {}

    def __iter__(self) -> Iterator[Watcher]:
        return iter(tuple(self._all))

    def __len__(self) -> int:
        return len(self._all)

    def add(self, watcher: Watcher, sides: frozenset[Color]) -> set[Watcher]:
        """Lets somebody in. A player's newest socket moves; those it takes over from are given back (item 13)."""
        self._all.add(watcher)
        watcher.sides = sides
        replaced = set()
        for side in sides:
            older = self._holders.get(side)
            if older and older is not watcher:
                older.sides = frozenset()
                replaced.add(older)
            self._holders[side] = watcher
        return replaced

    def remove(self, watcher: Watcher) -> frozenset[Color]:
        """Somebody has gone; the sides that nobody holds now."""
        self._all.discard(watcher)
        left = frozenset(side for side, holder in self._holders.items() if holder is watcher)
        for side in left:
            del self._holders[side]
        return left

    def holds(self, side: Color) -> bool:
        """Whether a player's socket is open."""
        return side in self._holders

    def of(self, visitor: str) -> int:
        """How many sockets one visitor has here."""
        return sum(1 for watcher in self._all if watcher.visitor == visitor)

    @property
    def viewers(self) -> int:
        """Those who only look on; an older window of a player's is nobody else."""
        players = {holder.visitor for holder in self._holders.values()}
        return sum(1 for watcher in self._all if not watcher.sides and watcher.visitor not in players)
