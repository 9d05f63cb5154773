"""One answer of a rulebook, with the article that gives it."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Clause(Generic[T]):
    value: T
    article: str
    """Id of the statement or reading in the rulebook's articles; empty where a house file names none."""
