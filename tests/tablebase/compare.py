"""The tables beside the slow solver: every value, every distance, every count."""

import numpy as np

from damas import Position, rulebooks
from damas.board import Color, Piece, Setup
from damas.tablebase import Store, canonical_materials
from damas.tablebase.verdict import in_units, plies_of
from tablebase.slow import NEVER, Endings, ThreeKings

SMALL = [book.id for book in rulebooks() if book.size.value == 8 and book.squares.value != "all"]

STRONG = ["faraes", "pool", "portuguesa", "espanhola", "portuguesa-fpd"]
"""Rulebooks that count only the stronger side's moves, of three kings against one."""

TWO = ["M-M", "K-M", "K-K"]
THREE = [*TWO, *(m.name for m in canonical_materials(3))]


def codes_of(
    store: Store, endings: Endings, table: int, which: np.ndarray | slice = slice(None)
) -> np.ndarray:
    """What the tables say of every position of the slow solver, or of some of them."""
    kinds = {1: Piece.WHITE_MAN, 2: Piece.WHITE_KING, -1: Piece.BLACK_MAN, -2: Piece.BLACK_KING}
    codes = []
    for row, turn in zip(endings.codes[which].tolist(), endings.turns[which].tolist(), strict=True):
        pieces = {square: kinds[code] for square, code in enumerate(row) if code}
        position = Position.of(Setup(pieces, Color.BLACK if turn else Color.WHITE), store.book)
        codes.append(store.code(position, table))
    return np.array(codes)


def compare(store: Store, names: list[str]) -> int:
    """Every value, every distance, and under a limit every count that may have been reached."""
    book = store.book
    endings = Endings(book, names)
    value, plies = endings.unlimited()
    codes = codes_of(store, endings, 0)
    assert (_signs(codes) == value[:-1]).all()
    assert [NEVER if code == 0 else plies_of(code) for code in codes] == plies[:-1].tolist()

    limited = codes_of(store, endings, 1)
    if any(rule.decides == "pieces" for rule in book.draws if not rule.platform):
        assert (_signs(limited) == endings.by_pieces()[:-1]).all()
        return len(codes)
    rules = [
        rule
        for rule in book.draws
        if rule.rule == "limit" and not rule.platform and endings.applies(rule).any()
    ]
    counted = endings.limited(rules)
    signs = _signs(limited)
    needed = np.array([plies_of(code) or 0 for code in limited])
    assert (signs == counted.fresh[:-1]).all()
    for rule in rules:
        need = rule.limit * 2
        for count in range(need):
            values, in_force = counted.at(rule, count)
            wrong = in_force & (np.where(count + needed <= need, signs, 0) != values)
            assert not wrong.any(), (
                rule.id,
                count,
                endings.codes[wrong][0].tolist(),
                endings.turns[wrong][0],
            )
    return len(codes)


def compare_three_kings(store: Store) -> int:
    """Three kings against one with every count of the three kings' moves, by explicit states."""
    slow = ThreeKings(store.book)
    starts = slow.rule.starts != "entry"
    assert slow.plies < 40, "what follows is decided within every other limit"
    which = np.flatnonzero(slow.here)
    white = slow.white[which]
    counted = codes_of(store, slow.endings, 2 if starts else 1, which)
    signs, plies = _signs(counted), (counted - 1) // 2
    example = {
        turn: Position.from_fen(f"{turn}:W{kings}:B{lone}", store.book)
        for turn in "WB"
        for kings, lone in [_any_three(store)]
    }
    table = np.array(
        [[in_units(slow.rule, example[turn], ply) for ply in range(int(plies.max()) + 1)] for turn in "WB"]
    )
    needed = np.where(counted == 0, 0, table[np.where(white, 0, 1), np.maximum(plies, 0)])
    for count, values in enumerate(slow.values[:-1]):
        _same(slow, which, np.where(count + needed <= slow.rule.limit, signs, 0), values, count)
    if starts:
        waiting = codes_of(store, slow.endings, 1, which)
        signs, plies = _signs(waiting), np.where(slow.on_diagonal[which], 0, (waiting - 1) // 2)
        need = slow.before.limit * 2 if slow.before else 0
        for count, values in enumerate(slow.waiting()[: max(1, need)]):
            late = (count + plies > need) if slow.before else np.zeros(len(which), bool)
            _same(slow, which, np.where(late, 0, signs), values, count)
    return len(which)


def _signs(codes: np.ndarray) -> np.ndarray:
    return np.where(codes == 0, 0, np.where(codes % 2 == 0, 1, -1))


def _same(slow: ThreeKings, which: np.ndarray, expected: np.ndarray, values: np.ndarray, count: int) -> None:
    wrong = which[expected != values[which]]
    assert not len(wrong), (
        f"{slow.endings.book.id}: {len(wrong)} of {len(which)} with {count} counted",
        slow.endings.codes[wrong[0]].tolist(),
        bool(slow.white[wrong[0]]),
    )


def _any_three(store: Store) -> tuple[str, str]:
    names = store.book.square_names
    return ",".join(f"K{names[square]}" for square in range(3)), f"K{names[-1]}"
