"""An answer of a rulebook with the articles that give it."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


class Cited:
    """Something that articles of the text give: one article for all of it, or one for each of its parts in order."""

    articles: tuple[str, ...]
    """Ids of the statements or readings; empty where a file of house rules names none."""

    @property
    def article(self) -> str:
        """The first article, or an empty string."""
        return self.article_of(0)

    def article_of(self, index: int) -> str:
        """The article of one part: its own, or the one for all."""
        return self.articles[min(index, len(self.articles) - 1)] if self.articles else ""


@dataclass(frozen=True)
class Clause(Cited, Generic[T]):
    """The answer to one question. Its parts are the items of a list, or the man (0) and the king (1)."""

    value: T
    articles: tuple[str, ...]


@dataclass(frozen=True)
class Statement(Cited):
    """Where a rulebook says what every draughts game has. Its parts are the man (0) and the king (1)."""

    articles: tuple[str, ...]
