"""Every way to change one answer of a law that ends games, in the core's file or in the oracle's book."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from damas import Rulebook, rulebook
from damas.rules import IDS
from damas.rules.reader import read
from damas.rules.schema import RESETS, STARTS, WHILE
from differential.games import RULES, Line, difference, lines
from oracle.books import BOOKS, Book
from oracle.draws import judge

FOREIGN_ENDINGS = ("KKK-K", "KM-KM", "KK-K", "K-K", "KKM-K", "KMM-K", "KM-K", "KK-KK", "K{4,}-K")


@dataclass(frozen=True)
class DrawMutant:
    """One law of one rulebook with one answer changed; `value` None means without it."""

    side: str
    book: str
    law: str
    key: str
    value: object

    def __str__(self) -> str:
        value = self.value
        if isinstance(value, tuple):
            value = "+".join(map(str, value)) or "nothing"
        return f"{self.side}-{self.book}-{self.law}-{self.key}={value}".replace(" ", "_")


def core_mutants(book: Rulebook) -> Iterator[DrawMutant]:
    for entry in book.source.get("draw", ()):
        for key, value in changes(entry):
            yield DrawMutant("core", book.id, entry["id"], key, value)


def changes(entry: dict[str, Any]) -> Iterator[tuple[str, object]]:
    """Every answer of one law, changed."""
    yield "law", None
    yield "limit", entry["limit"] + 1
    if entry["limit"]:
        yield "limit", entry["limit"] - 1
    yield "decides", "pieces" if entry["decides"] == "draw" else "draw"
    for claim in ("automatic", "player", "unrecorded"):
        if claim != entry["claim"]:
            yield "claim", claim
    if entry["rule"] != "limit":
        return
    yield "counts", "strong" if entry["counts"] == "each" else "each"
    for values, key in ((STARTS, "starts"), (WHILE, "while")):
        yield from ((key, value) for value in values if value != entry[key])
    endings, resets = tuple(entry["endings"]), tuple(entry["resets"])
    yield from (("endings", tuple(e for e in endings if e != gone)) for gone in endings if len(endings) > 1)
    yield from (("endings", (*endings, new)) for new in FOREIGN_ENDINGS if new not in endings)
    yield from (("resets", tuple(r for r in resets if r != gone)) for gone in resets)
    yield from (("resets", (*resets, new)) for new in RESETS if new not in resets)
    if pieces := entry.get("pieces"):
        fewest, most = pieces
        ranges = ((fewest - 1, most), (fewest + 1, most), (fewest, most - 1), (fewest, most + 1))
        yield from (("pieces", new) for new in ranges)
        yield "pieces", None
    if each := entry.get("pieces_a_side"):
        yield from (("pieces_a_side", new) for new in (each - 1, each + 1, None))
    yield "kings", None if "kings" in entry else "both"
    yield "unless", None if "unless" in entry else "capture_pending"
    if "off_during" in entry:
        yield "off_during", None


def oracle_mutants(book: Book) -> Iterator[DrawMutant]:
    for rule, limit in book.draws.items():
        yield DrawMutant("oracle", book.id, rule, "law", None)
        if rule != "duel":  # its number is not looked at: the law is at once or not at all
            yield DrawMutant("oracle", book.id, rule, "limit", limit - 1)
            yield DrawMutant("oracle", book.id, rule, "limit", limit + 1)


ALL = [
    mutant
    for book_id in IDS
    for mutant in (*core_mutants(rulebook(book_id)), *oracle_mutants(BOOKS[book_id]))
]


def rewritten(mutant: DrawMutant) -> Rulebook:
    """The rulebook's own file with that law changed."""
    data: dict[str, Any] = deepcopy(rulebook(mutant.book).source)
    entry = next(entry for entry in data["draw"] if entry["id"] == mutant.law)
    if mutant.key == "law":
        data["draw"].remove(entry)
        for other in data["draw"]:
            if other.get("off_during") == mutant.law:
                del other["off_during"]
    elif mutant.value is None:
        del entry[mutant.key]
    else:
        entry[mutant.key] = list(mutant.value) if isinstance(mutant.value, tuple) else mutant.value
    data["id"] = f"{mutant.book}-mutant"
    return read(data)


# --- killing ----------------------------------------------------------------------


class Pool:
    """Games of one rulebook on which both programs agree; a changed law must part them."""

    def __init__(self, book_id: str, seed: int, count: int) -> None:
        self.lines = list(lines(book_id, seed, count))

    def ordered(self, law: str) -> list[Line]:
        """Those that this law ended first, then those that it nearly did."""
        return sorted(self.lines, key=lambda line: law not in line.complete[-1])

    def kill(self, mutant: DrawMutant) -> str | None:
        """What gives the mutant away; None if it lives."""
        law = mutant.law
        if mutant.side == "oracle":
            return next((found for line in self.ordered(law) if (found := replayed(mutant, line))), None)
        names = {core: oracle for oracle, core in RULES[mutant.book].items()}
        changed = rewritten(mutant)
        return next((found for line in self.ordered(names[law]) if (found := difference(line, changed))), None)


def replayed(mutant: DrawMutant, line: Line) -> str | None:
    """Where the changed oracle parts from the results of a game (on which the core agrees, as another test shows)."""
    book = BOOKS[mutant.book]
    draws = {rule: limit for rule, limit in book.draws.items() if rule != mutant.law or mutant.value is not None}
    if mutant.value is not None:
        draws[mutant.law] = int(str(mutant.value))
    verdicts = judge(replace(book, draws=draws), line.fen, list(line.moves), line.recorded)
    for ply, ((result, _), expected) in enumerate(zip(verdicts, line.results[1:], strict=True), start=1):
        if result != expected:
            return f"{line.fen}: {result} instead of {expected} after ply {ply}"
    return None


@cache
def pool(book_id: str) -> Pool:
    return Pool(book_id, seed=5, count=100)
