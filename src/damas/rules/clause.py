"""One answer of a rulebook, with the article that gives it."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


class Cited:
    """Whatever rests on articles: one for all of it, or one for each of its parts in their order."""

    articles: tuple[str, ...]
    """Ids of the statements or readings that give it; empty where a house file names none."""

    @property
    def article(self) -> str:
        """The first of them."""
        return self.article_of(0)

    def article_of(self, index: int) -> str:
        """The article of one part, or the one for all."""
        return self.articles[min(index, len(self.articles) - 1)] if self.articles else ""


@dataclass(frozen=True)
class Clause(Cited, Generic[T]):
    """Its parts are the items of a list of answers, or the man (0) and the king (1)."""

    value: T
    articles: tuple[str, ...]


@dataclass(frozen=True)
class Statement(Cited):
    """What every draughts game has, and where this rulebook says it: for the man (0) and the king (1)."""

    articles: tuple[str, ...]
