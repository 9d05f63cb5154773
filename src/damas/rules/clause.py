"""One answer of a rulebook, with the article that gives it."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Clause(Generic[T]):
    value: T
    articles: tuple[str, ...]
    """Ids of the statements or readings that give it, in the order of a list of answers; empty where a house file
    names none."""

    @property
    def article(self) -> str:
        """The first of them."""
        return self.article_of(0)

    def article_of(self, index: int) -> str:
        """The article of one item of a list of answers."""
        return self.articles[min(index, len(self.articles) - 1)] if self.articles else ""
