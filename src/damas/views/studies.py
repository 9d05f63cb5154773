"""Studies as pages and programs read them."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChapterEntryView:
    """A chapter in the list of its study."""

    id: str
    title: str
    rulebook: str
    mode: str
    """read, guess or practice."""
    orientation: str
    """The side at the lower edge, whose moves are guessed."""
    version: int
    """Number of its last change."""


@dataclass(frozen=True, slots=True)
class StudyView:
    """A study without the games of its chapters."""

    id: str
    title: str
    visibility: str
    """private, link (whoever has the address may read it) or public (it is listed too)."""
    version: int
    """Number of the last change of title or visibility."""
    author: str | None
    """The name of its owner's account."""
    mine: bool
    """Whether the reader may change it."""
    updated_ms: int
    chapters: Sequence[ChapterEntryView]


@dataclass(frozen=True, slots=True)
class ListedStudyView:
    """A study in a list."""

    id: str
    title: str
    visibility: str
    chapters: int
    rulebook: str
    """Empty where its chapters have several."""
    updated_ms: int


@dataclass(frozen=True, slots=True)
class StudyListView:
    """The visitor's own studies, or the public ones of an account, last changed first."""

    author: str | None
    """The account whose public studies these are; null for one's own."""
    studies: Sequence[ListedStudyView]
