"""Every way to change one answer of a rulebook, in the core or in the oracle."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise, product
from typing import Any

from damas import BadRulebook, Position, Rulebook, rulebook
from damas.game.core import core_rules
from damas.rules import rulebook_ids
from damas.rules.reader import read
from damas.rules.schema import MOVES, NOTATION, PRIORITIES
from differential import competing
from differential.compare import DUTY, Boards, Expected, move_difference
from oracle import hostile
from oracle.books import AHEAD_AND_SIDEWAYS, BOOKS, DIAGONAL, FORWARD, FRISIAN, ORTHOGONAL, Book

SEED = 2026


@dataclass(frozen=True)
class Mutant:
    """One rulebook with one answer changed."""

    side: str
    """Where it is changed: "core" or "oracle"."""
    book: str
    switch: str
    value: object


# --- which there are ------------------------------------------------------------


def core_mutants(book: Rulebook) -> Iterator[Mutant]:
    """Every other value of every switch of the board, the moves and the names of the squares."""
    for question in MOVES:
        was = getattr(book, question.key).value
        others = edits(was, PRIORITIES) if question.many else [v for v in question.allowed if v != was]
        for value in others:
            yield Mutant("core", book.id, question.key, value)
    for key, values in {"size": (8, 10, 12), "squares": ("dark", "all"), "corner": ("left", "right")}.items():
        for value in values:
            if value != getattr(book, key).value:
                yield Mutant("core", book.id, key, value)
    yield Mutant("core", book.id, "starter", "black" if book.starter.value == "white" else "white")
    yield Mutant("core", book.id, "men_rows", book.men_rows.value[:-1])
    yield Mutant("core", book.id, "men_rows", (*book.men_rows.value, book.men_rows.value[-1] + 1))
    for key, was in (("squares", book.fen_squares), ("first_number", book.first_number)):
        for value in NOTATION[key]:
            if value != was:
                yield Mutant("core", book.id, f"notation.{key}", value)


DIRECTIONS = {
    "forward": FORWARD,
    "diagonal": DIAGONAL,
    "frisian": FRISIAN,
    "ahead-and-sideways": AHEAD_AND_SIDEWAYS,
    "orthogonal": ORTHOGONAL,
}


def oracle_mutants(book: Book) -> Iterator[Mutant]:
    """The same for the oracle, which has other switches."""
    others: dict[str, tuple[object, ...]] = {
        "size": (8, 10, 12),
        "corner": ("left", "right", "all"),
        "starter": ("W", "B"),
        "numbers": ("top left", "bottom right"),
        "written": ("algebraic", "numbers"),
        "king_flies": (True, False),
        "king_lands": ("any", "behind", "onward"),
        "king_turns_about": (True, False),
        "man_takes_king": (True, False),
        "crowning": ("passes", "stops", "continues"),
        "lifting": ("end", "at once"),
    }
    for field, values in others.items():
        for value in values:
            if value != getattr(book, field):
                yield Mutant("oracle", book.id, field, value)
    for field in ("man_steps", "man_jumps", "king_steps", "king_jumps"):
        for name, directions in DIRECTIONS.items():
            if directions != getattr(book, field):
                yield Mutant("oracle", book.id, field, name)
    yield Mutant("oracle", book.id, "men_rows", book.men_rows[:-1])
    yield Mutant("oracle", book.id, "men_rows", (*book.men_rows, book.men_rows[-1] + 1))
    for duty in edits(book.duty, competing.LAWS):
        yield Mutant("oracle", book.id, "duty", duty)


def edits(items: tuple[str, ...], allowed: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Every list one edit away: an item removed, a new one inserted, or two neighbours exchanged."""
    lists = [items[:i] + items[i + 1 :] for i in range(len(items))]
    for new in allowed:
        if new not in items:
            lists += [(*items[:i], new, *items[i:]) for i in range(len(items) + 1)]
    for i, (one, other) in enumerate(pairwise(items)):
        lists.append((*items[:i], other, one, *items[i + 2 :]))
    return list(dict.fromkeys(lists))


ALL = [
    mutant
    for book_id in rulebook_ids()
    for mutant in (*core_mutants(rulebook(book_id)), *oracle_mutants(BOOKS[book_id]))
]


# --- what they do ---------------------------------------------------------------

SECTION = {
    **{question.key: ("moves", question.key) for question in MOVES},
    **{key: ("board", key) for key in ("size", "squares", "corner", "men_rows", "starter")},
    "notation.squares": ("notation", "squares"),
    "notation.first_number": ("notation", "first_number"),
}


def rewritten(book: Rulebook, switch: str, value: object) -> Rulebook:
    """The rulebook from its own file with one answer changed; raises `BadRulebook` if the reader refuses it."""
    data: dict[str, Any] = deepcopy(book.source)
    section, key = SECTION[switch]
    plain = list(value) if isinstance(value, tuple) else value
    if section == "notation":
        data[section][key] = plain
    else:
        data[section][key] = {**data[section][key], "value": plain}
        data[section][key].pop("article")
    data["id"] = f"{book.id}-mutant"
    return read(data)


def refused_by_reader(mutant: Mutant) -> bool:
    """Whether the reader refuses the changed rulebook."""
    try:
        rewritten(rulebook(mutant.book), mutant.switch, mutant.value)
    except BadRulebook:
        return True
    return False


class Comparison:
    """A rulebook with the moves of core and oracle in the hostile positions, computed once."""

    def __init__(self, book_id: str) -> None:
        self.book, self.oracle = rulebook(book_id), BOOKS[book_id]
        self.boards = Boards(self.book, self.oracle)
        self.sources = {
            "hostile": (hostile.positions(self.oracle, SEED, 1_000_000), []),
            "competing": (iter(competing.stored()[book_id]), []),
        }

    def cases(self, mutant: Mutant, count: int) -> Iterator[tuple[Position, Expected]]:
        """`count` hostile positions and the stored competing ones, which come first where a capture law is changed."""
        laws_first = mutant.switch in ("capture_priority", "duty")
        sources = [("hostile", count), ("competing", len(competing.stored()[self.book.id]))]
        for source, number in reversed(sources) if laws_first else sources:
            fens, compared = self.sources[source]
            for i in range(number):
                if i == len(compared):
                    fen = next(fens)
                    compared.append(
                        (Position.from_fen(fen, self.book), Expected(self.boards, self.oracle, fen))
                    )
                yield compared[i]

    def kill(self, mutant: Mutant, count: int) -> str | None:
        """The difference that shows the mutant within `count` positions; None if nothing does."""
        return self.kill_core(mutant, count) if mutant.side == "core" else self.kill_oracle(mutant, count)

    def kill_core(self, mutant: Mutant, count: int) -> str | None:
        if SECTION[mutant.switch][0] != "moves":
            return board_difference(rewritten(self.book, mutant.switch, mutant.value), self.oracle)
        changed = core_rules(self.book, **{mutant.switch: mutant.value})
        for position, expected in self.cases(mutant, count):
            if difference := move_difference(self.boards, position.under(changed), expected):
                return difference
        return None

    def kill_oracle(self, mutant: Mutant, count: int) -> str | None:
        value = DIRECTIONS[str(mutant.value)] if mutant.switch.endswith(("steps", "jumps")) else mutant.value
        changed = replace(self.oracle, **{mutant.switch: value})
        if difference := board_difference(self.book, changed):
            return difference
        for position, expected in self.cases(mutant, count):
            if difference := move_difference(
                self.boards, position, Expected(self.boards, changed, expected.fen)
            ):
                return difference
        return None


def board_difference(book: Rulebook, oracle: Book) -> str | None:
    try:
        return Boards(book, oracle).difference()
    except ValueError as error:
        return str(error)


@cache
def comparison(book_id: str) -> Comparison:
    return Comparison(book_id)


# --- changes that change nothing --------------------------------------------------


def harmless(mutant: Mutant) -> str | None:
    """Why this change can change no move of this rulebook, or None: the test asserts that it does not."""
    book, oracle = rulebook(mutant.book), BOOKS[mutant.book]
    switch, value = mutant.switch, mutant.value
    flies = book.flying_king.value
    if switch in ("king_landing", "king_lands"):
        if not flies:
            return "a king that does not fly lands right behind in any case"
        anywhere = {book.king_landing.value, value} in ({"any", "continuing"}, {"any", "onward"})
        if anywhere and oracle.duty[:1] in (("quantity",), ("value",)):
            return "stopping where the capture could go on takes less, which the first law forbids already"
    if switch == "king_turns_about":
        if oracle.lifting == "end":
            return "the piece just taken still stands in the way back"
        if not flies:
            return (
                "a short king that turns back finds the square beside it empty: it took that piece just now"
            )
    if switch in ("promotion", "crowning"):
        ends_or_not = {book.promotion.value, value} == {"stops", "passes"}
        if ends_or_not and oracle.man_jumps == FORWARD:
            return "a man that captures forwards only has nothing to take from the last row"
    if switch in ("removal", "lifting") and not flies:
        return "short jumps never come back to the rows and files of the pieces they take (B.004-7)"
    if switch in ("capture_priority", "duty"):
        laws = value if switch == "duty" else tuple(DUTY[law] for law in value)  # type: ignore[attr-defined]
        if same_order(oracle.duty, laws, book.men_capture_kings.value):  # type: ignore[arg-type]
            return "both orders of the laws rank any two captures alike"
    if mutant.book == "turca" and (switch, value) in (
        ("notation.first_number", "bottom-right"),
        ("numbers", "top left"),
    ):
        return "the text gives the squares no numbers, so there are none to compare"
    return None


def same_order(one: tuple[str, ...], other: tuple[str, ...], men_capture_kings: bool) -> bool:
    """Whether two lists of laws rank every two captures alike: all captures of up to five pieces are tried.

    (Longer ones add nothing: a value of 100 a man and 199 a king tells number and kings apart up to 99 kings.)
    """
    captures = [
        (with_king, kings)
        for number in range(1, 6)
        for kings in product((False, True), repeat=number)
        for with_king in (False, True)
        if with_king or men_capture_kings or not any(kings)
    ]
    ranks = [
        (tuple(measure(law, *capture) for law in one), tuple(measure(law, *capture) for law in other))
        for capture in captures
    ]
    return all((a[0] > b[0]) == (a[1] > b[1]) for a in ranks for b in ranks)


def measure(law: str, with_king: bool, kings: tuple[bool, ...]) -> object:
    """How a law of the oracle ranks a capture."""
    return {
        "quantity": len(kings),
        "value": 100 * len(kings) + 99 * sum(kings),
        "with king": with_king,
        "kings taken": sum(kings),
        "kings first": kings,
    }[law]


def impossible(mutant: Mutant) -> bool:
    """Whether it is a change of the board that the reader refuses; move switches are changed in the core itself."""
    return (
        mutant.side == "core"
        and (SECTION[mutant.switch][0] != "moves" or mutant.switch == "lines")
        and refused_by_reader(mutant)
    )
