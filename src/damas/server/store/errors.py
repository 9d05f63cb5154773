"""Errors of the store. Their messages are for logs, in English, and for operators, in their own language."""

from damas.language import Saying


class StoreError(Exception):
    """Anything that goes wrong in the store."""

    def sentence(self, language: str) -> str:  # noqa: ARG002 (only what operators meet is translated)
        """What went wrong, in a language where an operator can meet it."""
        return str(self)


class _Translated(StoreError):
    """An error with a sentence of the catalogue: its key and its facts."""

    def __init__(self, key: str, /, **facts: object) -> None:
        self._saying = Saying(key, facts)
        super().__init__(self._saying.sentence("en"))

    def sentence(self, language: str) -> str:
        """What went wrong, in any language."""
        return self._saying.sentence(language)


class CannotOpen(_Translated):
    """The database cannot be used; the message says why and what to do."""


class InUse(CannotOpen):
    """Another server holds the file."""


class TooNew(CannotOpen):
    """A later version of damas has written the database."""


class DamagedGame(_Translated):
    """What is stored of one game cannot be trusted; all other games are sound."""

    def __init__(self, key: str, /, game: str, **facts: object) -> None:
        super().__init__(key, game=game, **facts)
        self.game = game


class WriteRefused(StoreError):
    """One write was refused; nothing of it was written."""


class UnknownGame(WriteRefused):
    """There is no game of this id."""

    def __init__(self, game: str) -> None:
        super().__init__(f"there is no game {game}")
        self.game = game


class StaleOwner(WriteRefused):
    """Another process owns the game now: its epoch is higher."""

    def __init__(self, game: str, epoch: int, current: int) -> None:
        super().__init__(f"game {game} is at epoch {current}; epoch {epoch} may no longer write")


class DuplicateEvent(WriteRefused):
    """An event with this number, ply or client id exists; read it back by its client id."""

    def __init__(self, game: str, seq: int) -> None:
        super().__init__(f"game {game}: event {seq}, its ply or its client id is there already")


class BrokenChain(WriteRefused):
    """The owner's memory and the disk disagree: the owner must load the game again."""

    def __init__(self, game: str, seq: int, last: int) -> None:
        super().__init__(f"game {game}: event {seq} does not follow event {last} on disk")


class Overtaken(WriteRefused):
    """Somebody else has written to the tournament meanwhile: load what is new and decide again."""


class DuplicateRequest(WriteRefused):
    """A request with this client id has been carried out already."""


class SeatTaken(WriteRefused):
    """Somebody else has this seat."""


class NameTaken(WriteRefused):
    """Another account has or had this name."""


class NameAlike(NameTaken):
    """Another account has or had a name that looks like this one."""


class TooManyTokens(WriteRefused):
    """The account has as many tokens as it may have."""


class TooMuchProgress(WriteRefused):
    """The progress in one lesson, or all progress of a person, would be longer than `most` bytes."""

    def __init__(self, most: int) -> None:
        super().__init__(f"progress would be longer than {most} bytes")
        self.most = most


class TooManyReviews(WriteRefused):
    """A person would learn more than `most` items by repetition."""

    def __init__(self, most: int) -> None:
        super().__init__(f"a person learns {most} items at most")
        self.most = most


class RepertoireFull(WriteRefused):
    """A person would keep more than `most` lines of openings."""

    def __init__(self, most: int) -> None:
        super().__init__(f"a person keeps {most} lines of openings at most")
        self.most = most


class TooManyPuzzles(WriteRefused):
    """A person would have more than `most` puzzles of their own mistakes."""

    def __init__(self, most: int) -> None:
        super().__init__(f"a person keeps {most} puzzles at most")
        self.most = most


class ClassFull(WriteRefused):
    """The class would have more pupils, or its teacher more classes, than `most`."""

    def __init__(self, most: int) -> None:
        super().__init__(f"more than {most}")
        self.most = most


class PupilTwice(WriteRefused):
    """The class has a pupil of this name."""


class TooManyStudies(WriteRefused):
    """The person would have more studies than `most`."""

    def __init__(self, most: int) -> None:
        super().__init__(f"a person keeps {most} studies at most")
        self.most = most


class TooManyReports(WriteRefused):
    """Too many reports wait: of the address, or `of_all`."""

    def __init__(self, *, of_all: bool) -> None:
        super().__init__("too many reports wait")
        self.of_all = of_all


class TooManyChapters(WriteRefused):
    """The study would have more chapters than `most`."""

    def __init__(self, most: int) -> None:
        super().__init__(f"a study has {most} chapters at most")
        self.most = most


class UnknownStudy(WriteRefused):
    """The person has no such study, or it has no such chapter."""


class StaleStudy(WriteRefused):
    """The study or chapter was changed meanwhile: read it again and decide."""


class LastChapter(WriteRefused):
    """A study keeps at least one chapter."""


class BadValue(WriteRefused):
    """No database can hold this value, or be searched for it: a NUL, half a character, a number beyond 64 bits."""


class StoreBusy(StoreError):
    """Too many writes wait, and nothing was written; try again in `retry_ms`."""

    def __init__(self, retry_ms: int) -> None:
        super().__init__(f"too many writes are waiting; try again in {retry_ms} ms")
        self.retry_ms = retry_ms


class StoreFailed(_Translated):
    """Nothing may be acknowledged. With `unknown`, read the event back by its client id first."""

    def __init__(self, reason: str | Saying, *, unknown: bool) -> None:
        super().__init__("store.unknown_written" if unknown else "store.nothing_written", reason=reason)
        self.reason = reason if isinstance(reason, str) else reason.sentence("en")
        self.unknown = unknown


class BadBackup(_Translated):
    """The backup is damaged or incomplete."""
