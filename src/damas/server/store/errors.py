"""Errors of the store.

StoreError
├─ CannotOpen          the database cannot be used: the message says why and what to do
│  ├─ InUse            another server holds the file
│  └─ TooNew           written by a later version of damas
├─ WriteRefused        this write, and no other of its transaction; nothing of it was written
│  ├─ UnknownGame
│  ├─ StaleOwner       another process owns the game now: the epoch is higher
│  ├─ GameTaken        another node owns the game and is alive
│  ├─ DuplicateEvent   its number, its ply or its client id is there already
│  ├─ BrokenChain      it does not follow the last event on disk
│  ├─ SeatTaken
│  ├─ NameTaken
│  ├─ TooManyTokens
│  └─ BadValue         no database can hold it: a NUL, half a character, a number beyond 64 bits
├─ StoreBusy           too many writes wait; try again in `retry_ms`. Nothing was written
├─ StoreFailed         the write failed, or its outcome is unknown: see `unknown`
└─ BadBackup           a backup that is damaged or incomplete

The messages are for logs and operators.
"""


class StoreError(Exception):
    """Anything that goes wrong in the store."""


class CannotOpen(StoreError):
    """The database cannot be used; the message says why and what to do."""


class InUse(CannotOpen):
    """Another server holds the file."""


class TooNew(CannotOpen):
    """A later version of damas has written the database."""


class WriteRefused(StoreError):
    """One write was refused; nothing of it was written."""


class UnknownGame(WriteRefused):
    def __init__(self, game: str) -> None:
        super().__init__(f"there is no game {game}")
        self.game = game


class StaleOwner(WriteRefused):
    def __init__(self, game: str, epoch: int, current: int) -> None:
        super().__init__(f"game {game} is at epoch {current}; epoch {epoch} may no longer write")
        self.game = game
        self.epoch = epoch
        self.current = current


class GameTaken(WriteRefused):
    def __init__(self, game: str, node: str) -> None:
        super().__init__(f"game {game} belongs to node {node}, which is alive")
        self.game = game
        self.node = node


class DuplicateEvent(WriteRefused):
    """An event with this number, ply or client id exists; read it back by its client id."""

    def __init__(self, game: str, seq: int) -> None:
        super().__init__(f"game {game}: event {seq}, its ply or its client id is there already")
        self.game = game
        self.seq = seq


class BrokenChain(WriteRefused):
    """The owner's memory and the disk disagree: the owner must load the game again."""

    def __init__(self, game: str, seq: int, last: int) -> None:
        super().__init__(f"game {game}: event {seq} does not follow event {last} on disk")
        self.game = game
        self.seq = seq
        self.last = last


class SeatTaken(WriteRefused):
    """Somebody else has this seat."""


class NameTaken(WriteRefused):
    """Another account has or had this name."""


class TooManyTokens(WriteRefused):
    """The account has as many tokens as it may have."""


class BadValue(WriteRefused):
    """No database can hold this value, or be searched for it."""


class StoreBusy(StoreError):
    def __init__(self, retry_ms: int) -> None:
        super().__init__(f"too many writes are waiting; try again in {retry_ms} ms")
        self.retry_ms = retry_ms


class StoreFailed(StoreError):
    """Nothing may be acknowledged. With `unknown`, read the event back by its client id first."""

    def __init__(self, reason: str, *, unknown: bool) -> None:
        outcome = "it is not known whether it was written" if unknown else "nothing was written"
        super().__init__(f"{reason}; {outcome}")
        self.reason = reason
        self.unknown = unknown


class BadBackup(StoreError):
    """The backup is damaged or incomplete."""
