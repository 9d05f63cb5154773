"""What the store refuses.

StoreError
├─ CannotOpen          the database cannot be used: the message says why and what to do
│  ├─ InUse            another server holds the file
│  └─ TooNew           written by a later version of damas
├─ WriteRefused        this write, and no other of its transaction; nothing of it was written
│  ├─ UnknownGame
│  ├─ StaleOwner       somebody has taken the game since: the epoch has moved on
│  ├─ GameTaken        its owner is alive
│  ├─ DuplicateEvent   its number, its ply or its client id is there already
│  ├─ BrokenChain      it does not follow the last event on disk
│  ├─ SeatTaken
│  ├─ NameTaken
│  ├─ TooManyTokens
│  └─ BadValue         no database can hold it: a NUL, half a character, a number beyond 64 bits
├─ StoreBusy           too many writes wait; try again in `retry_ms`. Nothing was written
├─ StoreFailed         the database did not do it, or it is not known whether it did: see `unknown`
└─ BadBackup           a backup that is not what it should be

`code` is stable; the messages are for logs and operators.
"""


class StoreError(Exception):
    code = "STORE"


class CannotOpen(StoreError):
    code = "STORE_CANNOT_OPEN"


class InUse(CannotOpen):
    code = "STORE_IN_USE"


class TooNew(CannotOpen):
    code = "STORE_TOO_NEW"


class WriteRefused(StoreError):
    code = "STORE_REFUSED"


class UnknownGame(WriteRefused):
    code = "UNKNOWN_GAME"

    def __init__(self, game: str) -> None:
        super().__init__(f"there is no game {game}")
        self.game = game


class StaleOwner(WriteRefused):
    code = "STALE_OWNER"

    def __init__(self, game: str, epoch: int, current: int) -> None:
        super().__init__(f"game {game} is at epoch {current}; epoch {epoch} may no longer write")
        self.game = game
        self.epoch = epoch
        self.current = current


class GameTaken(WriteRefused):
    code = "GAME_TAKEN"

    def __init__(self, game: str, node: str) -> None:
        super().__init__(f"game {game} belongs to node {node}, which is alive")
        self.game = game
        self.node = node


class DuplicateEvent(WriteRefused):
    """Read the event back by its client id: it is there, or another took its place."""

    code = "DUPLICATE_EVENT"

    def __init__(self, game: str, seq: int) -> None:
        super().__init__(f"game {game}: event {seq}, its ply or its client id is there already")
        self.game = game
        self.seq = seq


class BrokenChain(WriteRefused):
    """The owner's memory and the disk disagree: the owner must load the game again."""

    code = "BROKEN_CHAIN"

    def __init__(self, game: str, seq: int, last: int) -> None:
        super().__init__(f"game {game}: event {seq} does not follow event {last} on disk")
        self.game = game
        self.seq = seq
        self.last = last


class SeatTaken(WriteRefused):
    code = "SEAT_TAKEN"


class NameTaken(WriteRefused):
    code = "NAME_TAKEN"


class TooManyTokens(WriteRefused):
    code = "TOO_MANY_TOKENS"


class BadValue(WriteRefused):
    """Also when looking for such a value."""

    code = "BAD_VALUE"


class StoreBusy(StoreError):
    code = "BUSY"

    def __init__(self, retry_ms: int) -> None:
        super().__init__(f"too many writes are waiting; try again in {retry_ms} ms")
        self.retry_ms = retry_ms


class StoreFailed(StoreError):
    """Nothing may be acknowledged. With `unknown`, read back by client id before saying anything."""

    code = "STORE_FAILED"

    def __init__(self, reason: str, *, unknown: bool) -> None:
        outcome = "it is not known whether it was written" if unknown else "nothing was written"
        super().__init__(f"{reason}; {outcome}")
        self.reason = reason
        self.unknown = unknown


class BadBackup(StoreError):
    code = "BAD_BACKUP"
