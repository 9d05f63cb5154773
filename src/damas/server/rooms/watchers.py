"""Who watches a game, and the messages each of them is still to be sent.

Sending never waits, so a slow connection cannot delay a move: a message goes into the outbox of each watcher, and whoever
leaves too many unread is disconnected and may come back.
"""

from collections.abc import Sequence

from damas.board import Color
from damas.server.waiting import Outbox

TOO_FAR_BEHIND = 1013
"""Close code: try again later. The page reconnects and resumes."""


class Watcher(Outbox[str]):
    """One socket or stream of a player or viewer. Iterate over it for its messages; it ends after `close`."""

    def __init__(self, visitor: str, name: str, language: str, max_unread: int, address: str = "") -> None:
        super().__init__()
        self.visitor = visitor
        self.name = name
        self.language = language
        self.address = address
        self.sides: frozenset[Color] = frozenset()
        """The sides it moves for; a newer socket of the same player takes them over."""
        self.takes_no_side = False
        """Whether it only watches, or arbitrates, even if its visitor plays in another window."""
        self.page, self.attempt = "", 0
        """The page that opened it, and how many sockets that page had opened before."""
        self.is_arbiter = False
        """Whether it has shown the key of the arbiter's link."""
        self.computes = False
        """Whether its page computes the moves of the level that its visitor plays against."""
        self.closing: tuple[int, str] | None = None
        """Close code and reason, once it must go."""
        self.max_unread = max_unread
        """Messages it may leave unread, besides what it missed before it came."""
        self._missed = 0
        """Messages it missed before it came, which it may leave unread besides."""

    def precedes(self, other: "Watcher") -> bool:
        """Whether the same page opened the other one later, and has given this one up."""
        return bool(self.page) and self.page == other.page and self.attempt < other.attempt

    def send(self, message: str) -> None:
        """Puts a message into the outbox, or disconnects a watcher that has left too many unread."""
        if self.closing:
            return
        if self.unread >= self.max_unread + self._missed:
            self._messages.clear()
            self.disconnect(TOO_FAR_BEHIND, "too far behind")
            return
        self.add(message)

    def send_missed(self, messages: Sequence[str], *, again: bool = False) -> None:
        """Earlier events, however many: a long game is not the watcher's fault.

        Only a watcher who asks `again` without having read them is held to the limit.
        """
        if not (again and self._missed):
            self._missed += len(messages)
        for message in messages:
            self.send(message)

    def disconnect(self, code: int, reason: str) -> None:
        """Closes it after the messages that are already in the outbox."""
        self.closing = self.closing or (code, reason)
        self.close()

    def take(self) -> str | None:
        """The next message; of what was missed, no more than is unread still counts."""
        message = super().take()
        self._missed = min(self._missed, self.unread)
        return message
