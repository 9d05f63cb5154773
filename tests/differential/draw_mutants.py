"""Every way to change one answer of a law that ends games, in the core's file or in the oracle's book."""

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from damas import Rulebook, rulebook
from damas.rules import rulebook_ids
from damas.rules.reader import read
from damas.rules.schema import RESETS, STARTS, UNLESS, WHILE
from differential.games import RULES, TextGame, difference, stored
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
    others = (None, *UNLESS) if "unless" in entry else UNLESS[:1]
    yield from (("unless", new) for new in others if new != entry.get("unless"))
    if "off_during" in entry:
        yield "off_during", None


def oracle_mutants(book: Book) -> Iterator[DrawMutant]:
    for rule, limit in book.draws.items():
        yield DrawMutant("oracle", book.id, rule, "law", None)
        if rule != "duel":  # its number is how far it looks ahead
            yield DrawMutant("oracle", book.id, rule, "limit", limit - 1)
            yield DrawMutant("oracle", book.id, rule, "limit", limit + 1)


ALL = [
    mutant
    for book_id in rulebook_ids()
    for mutant in (*core_mutants(rulebook(book_id)), *oracle_mutants(BOOKS[book_id]))
]


@cache
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
    if mutant.key == "endings" and isinstance(entry["article"], list):
        entry["article"] = entry["article"][0]  # one for each ending no longer fits
    data["id"] = f"{mutant.book}-mutant"
    return read(data)


# --- noticing them ------------------------------------------------------------------


def noticed(mutant: DrawMutant) -> str | None:
    """The difference that shows the mutant in the stored games; None if nothing does."""
    return next((shown for line in ordered(mutant) if (shown := shows(mutant, line))), None)


def shows(mutant: DrawMutant, line: TextGame) -> str | None:
    """The difference that shows the mutant in one game; None if nothing does."""
    return replayed(mutant, line) if mutant.side == "oracle" else difference(line, rewritten(mutant))


def ordered(mutant: DrawMutant) -> list[TextGame]:
    """The stored games, those that end by this law first."""
    names = {core: oracle for oracle, core in RULES[mutant.book].items()}
    law = names.get(mutant.law, mutant.law)
    return sorted(stored(mutant.book), key=lambda line: law not in line.complete[-1])


def replayed(mutant: DrawMutant, line: TextGame) -> str | None:
    """How the changed oracle differs from the results of a game, on which core and oracle agree."""
    book = BOOKS[mutant.book]
    draws = {
        rule: limit for rule, limit in book.draws.items() if rule != mutant.law or mutant.value is not None
    }
    if mutant.value is not None:
        draws[mutant.law] = int(str(mutant.value))
    verdicts = judge(replace(book, draws=draws), line.fen, list(line.moves), line.recorded)
    for ply, ((result, _), expected) in enumerate(zip(verdicts, line.results[1:], strict=True), start=1):
        if result != expected:
            return f"{line.fen}: {result} instead of {expected} after ply {ply}"
    return None


# --- changes that change nothing ----------------------------------------------------


OVER_BEFORE = (
    ("thirty-moves-4-5-pieces", "pieces", (3, 5)),
    ("sixty-moves-6-7-pieces", "pieces", (5, 7)),
    ("three-kings-fifteen", "endings", ("K{3,}-K", "KM-K")),
)
"""FMJD-64: three pieces with kings on both sides, and king and man against king, are over after five moves, and five
pieces after thirty."""


def harmless(mutant: DrawMutant) -> str | None:
    """Why this change can end no game otherwise, or None: the test asserts that it does not."""
    if mutant.side == "oracle":
        return None
    if (mutant.law, mutant.key, mutant.value) in OVER_BEFORE:
        return "another law ends the game first"
    entry = next(entry for entry in rulebook(mutant.book).source["draw"] if entry["id"] == mutant.law)
    key, value = mutant.key, mutant.value
    if key == "claim":
        if "unrecorded" not in (value, entry["claim"]):
            return "by the letter a claim is applied by itself (G3); who must ask is a regulation's matter"
        if entry["rule"] != "limit":
            return "only a limit can be counted from a claim"
    if entry["rule"] != "limit":
        return None
    endings, resets = tuple(entry["endings"]), tuple(entry["resets"])
    men_free = bool(endings) and not any("M" in ending for ending in endings)
    exact = bool(endings) and all("{" not in ending for ending in endings)
    if entry["limit"] == 0 and key in ("counts", "resets"):
        return "a limit of nothing is complete at once, whatever is counted"
    if entry["limit"] == 0 and key == "decides" and endings == ("K-K",):
        return "king against king: both have one piece"
    if mutant.book == "turca" and value == "capture_unavoidable":
        return "on every square a Turkish king alone can avoid another one"
    if key == "resets":
        (change,) = set(value) ^ set(resets)  # type: ignore[call-overload]
        if change == "promotion" and "man_move" in resets:
            return "a promotion is a man's move"
        if change in ("man_move", "promotion") and men_free:
            return (
                "there are no men in these endings, and the move that brings them about is not counted (G2)"
            )
        if change == "capture" and exact and len({len(ending) for ending in endings}) == 1:
            return "a capture leaves the endings in any case, for all have the same number of pieces"
    if key == "kings" and value == "both":
        if endings:
            return "these endings have kings on both sides"
        if {"capture", "man_move"} <= set(resets):
            return "both sides have just moved kings"
    if key == "kings" and value is None and (pieces := entry.get("pieces")):
        # A side without kings moves a man each time, and a man has so many moves before it is crowned.
        steps = rulebook(mutant.book).size.value - 2
        if steps * (pieces[1] - 1) < entry["limit"] and "promotion" in resets:
            return "so few men cannot make so many moves without a promotion"
    if key == "endings" and set(value) > set(endings):  # type: ignore[call-overload]
        (new,) = set(value) - set(endings)  # type: ignore[call-overload]
        sides = new.split("-")
        if any(fits(ending, sides) or fits(ending, sides[::-1]) for ending in endings):
            return "an ending of the list already, the colours either way"
    if key == "starts" and value == "entry" and entry["while"] == entry["starts"]:
        return "it lasts only while the king is there, so that is when it begins"
    return None


def fits(ending: str, sides: list[str]) -> bool:
    """Whether a pattern covers this one."""
    return bool(re.fullmatch(ending, "-".join(sides).replace("{4,}", "KKK")))
