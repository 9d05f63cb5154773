"""Endgame tables for the search: which of its counters each table counts."""

from damas import _core
from damas.rules import DrawRule, Rulebook
from damas.tablebase import Material, Store, canonical_materials, law_of
from damas.tablebase.store import MAX_PIECES_BY_SIZE

Counted = tuple[tuple[int, int, int, int], int, int, int, int]


def pieces_in(store: Store) -> int:
    """The most pieces for which every table is there, and for all fewer."""
    pieces = 1
    while pieces < MAX_PIECES_BY_SIZE[store.book.size.value] and store.complete(pieces + 1):
        pieces += 1
    return pieces if pieces > 1 else 0


def join(core: _core.Engine, store: Store, pieces: int) -> None:
    """Lets the search ask the tables of up to so many pieces, whose files are there."""
    materials: list[Counted] = []
    for number in range(2, pieces + 1):
        for material in canonical_materials(number):
            store.open(material)
            counted, rests = counted_by(store.book, material)
            if not rests:  # which king must rest is not in the tables: such endings are searched
                materials.append((material.counts, *counted))
    core.use_tables(store.core, pieces, materials)


def counted_by(book: Rulebook, material: Material) -> tuple[tuple[int, int, int, int], bool]:
    """The limits that the tables of a material count, as the search takes them, and whether a king may have to rest."""
    limits = [rule for rule in book.draws if rule.rule == "limit"]
    law = law_of(book, material)
    inside = sum(1 << _place(limits, rule) for rule in law.rules if rule in limits)
    places = (_place(limits, law.count), _place(limits, law.started), _place(limits, law.diagonal))
    return (*places, inside), bool(law.rests)


def _place(limits: list[DrawRule], rule: DrawRule | None) -> int:
    return limits.index(rule) if rule in limits else -1


def possible(book: Rulebook) -> bool:
    """Whether tables exist for this board at all."""
    return book.squares.value != "all" and book.size.value in (8, 10)
