"""Write docs/explanation/endings.md, what the endgame tables show: `endgame_study.py [--pieces 5] [--threads N]`.

Builds the tables it needs (`damas tb build`) in their usual folder; all rulebooks up to five pieces take some minutes.
"""

import argparse
import os
import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

from damas import Position, rulebook, rulebooks
from damas.board import Color, Piece, Setup
from damas.rules import DrawRule, Rulebook, parse, rulebook_ids, to_toml
from damas.rules.about import about
from damas.tablebase import Material, Store, build, law_of
from damas.tablebase.stats import Stats, stats
from damas.tablebase.verdict import in_units, plies_of, value_of

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/explanation/endings.md"
PICTURES = ROOT / "docs/explanation/endings"
SEEDS = [book_id for book_id in rulebook_ids() if about(book_id).document]
UNLIMITED, LIMITED, STARTED = 0, 1, 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pieces", type=int, default=5, choices=(4, 5))
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    options = parser.parse_args()
    PICTURES.mkdir(exist_ok=True)
    books = [book for book in rulebooks() if book.size.value == 8 and book.squares.value == "dark"]
    statistics: dict[str, list[Stats]] = {}
    for book in books:
        store = Store(book)
        build(store, options.pieces, threads=options.threads)
        statistics[book.id] = [stats(store, n, options.threads) for n in range(2, options.pieces + 1)]
        print(book.id, flush=True)
    PAGE.write_text("\n".join(page(books, statistics)) + "\n", encoding="utf-8")


def page(books: list[Rulebook], statistics: dict[str, list[Stats]]) -> Iterator[str]:
    """Yield the lines of the whole page."""
    yield "# What the endings hold"
    yield ""
    yield "Written by `make study`, which makes every table named here and reads it; `damas tb verify -r ID --pieces N`"
    yield "derives every position of a table again from its moves. Positions are those with White to move and both sides"
    yield "present, men never on their crown row. Limits are the rulebook's own, with fresh counts; rules of the platform are"
    yield "left out. Lengths are plies: without limits to the end of the game, under limits to the end of the count (a"
    yield "capture, or whatever else resets it)."
    yield ""
    yield from totals(books, statistics)
    yield from cursed(books, statistics)
    yield from longest(statistics)
    yield from three_against_one(books)
    yield from two_against_one()


# --- all rulebooks --------------------------------------------------------------------------


def totals(books: list[Rulebook], statistics: dict[str, list[Stats]]) -> Iterator[str]:
    """Yield the section with the totals of every rulebook."""
    yield "## Every rulebook of the 8x8 board"
    yield ""
    yield "`damas tb stats -r ID --pieces N`"
    yield ""
    yield "| rulebook | pieces | positions | won | drawn | lost | longest | decided, but drawn by a limit |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for book in books:
        for each in statistics[book.id]:
            free, bound = each.total
            drawn = "" if endless(book) else number(bound.draws - free.draws)
            row = [free.positions, free.wins, free.draws, free.losses, free.longest or 0]
            yield f"| {book.id} | {each.pieces} | {' | '.join(map(number, row))} | {drawn} |"
    yield ""
    for book in books:
        if endless(book):
            five = statistics[book.id][-1]
            free, bound = five.total
            yield (
                f"In {book.id} endless play goes to the side with more pieces: of {five.pieces} pieces "
                f"{number(free.draws)} positions are drawn without that rule and {number(bound.draws)} with it "
                f"({number(bound.wins)} won, {number(bound.losses)} lost)."
            )
            yield ""


def endless(book: Rulebook) -> bool:
    """Whether endless play is won by the side with more pieces."""
    return any(rule.decides == "pieces" for rule in book.draws if not rule.platform)


def cursed(books: list[Rulebook], statistics: dict[str, list[Stats]]) -> Iterator[str]:
    """Yield the section on decided positions that a limit draws."""
    yield "## What the limits change"
    yield ""
    yield "Materials in which limits, their counts fresh, draw positions that could be won or lost: `damas tb stats -r ID"
    yield "--pieces N --json`. The limit need not be one of the material itself: a win may lead into an ending whose limit is"
    yield f"too short. Up to {CAUSES} pieces the cause was found by making the tables of the same rulebook with one limit at a"
    yield "time, and the number after each limit is of positions that it draws alone. Where a rulebook runs two counts of"
    yield "which either may end first, the longer is not in the table and is named."
    yield ""
    yield "| rulebook | material | positions | decided, but drawn | by which limit |"
    yield "| --- | --- | ---: | ---: | --- |"
    for book in books:
        if endless(book):
            continue
        for each in (m for level in statistics[book.id] for m in level.materials if m.cursed):
            law = law_of(book, each.material.canonical)
            limits = ", ".join(causes(book, each.material))
            if law.beside:
                limits += f" (not in the table: {', '.join(rule.id for rule in law.beside)})"
            row = f"{number(each.unlimited.positions)} | {number(each.cursed)} | {limits}"
            yield f"| {book.id} | {each.material.name} | {row} |"
    yield ""


CAUSES = 4
"""Pieces up to which tables with a single limit are built."""


def causes(book: Rulebook, material: Material) -> Iterator[str]:
    """Yield the limits that draw decided positions of a material."""
    own = [rule for rule in book.draws if rule.rule == "limit" and not rule.platform]
    if len(own) == 1:
        yield own[0].id
    elif material.pieces > CAUSES:
        yield "not looked for"
    else:
        for rule in own:
            if count := drawn_by(book, rule).get(material, 0):
                yield f"{rule.id} ({number(count)})"


@cache
def drawn_by(book: Rulebook, rule: DrawRule) -> dict[Material, int]:
    """Return how many positions one limit draws alone, from tables of a rulebook without the others."""
    head, *draws = to_toml(book).split("[[draw]]")
    others = [each.id for each in book.draws if each.rule == "limit" and each.id != rule.id]
    own = [text for text in draws if not any(f'id = "{other}"\n' in text for other in others)]
    own = [re.sub(r'off_during = "[^"]*"\n', "", text) for text in own]  # no other is left
    alone = parse("[[draw]]".join([head.replace(f'id = "{book.id}"', 'id = "casa"', 1), *own]))
    with TemporaryDirectory() as folder:
        store = Store(alone, Path(folder))
        build(store, CAUSES)
        return {
            each.material: each.cursed
            for pieces in range(2, CAUSES + 1)
            for each in stats(store, pieces, os.cpu_count() or 1).materials
        }


def longest(statistics: dict[str, list[Stats]]) -> Iterator[str]:
    """Yield the section on the longest wins."""
    yield "## The longest wins of the five documents"
    yield ""
    for book_id in SEEDS:
        yield f"### {book_id}"
        yield ""
        yield "| material, White to move | without limits | where | under the limits |"
        yield "| --- | ---: | --- | ---: |"
        for level in statistics[book_id]:
            for each in level.materials:
                if each.unlimited.longest:
                    where = each.unlimited.where.fen if each.unlimited.where else ""
                    bound = each.limited.longest if each.limited.longest is not None else ""
                    yield f"| {each.material.name} | {each.unlimited.longest} | `{where}` | {bound} |"
        best = max(
            (m for level in statistics[book_id] for m in level.materials),
            key=lambda m: m.unlimited.longest or 0,
        )
        yield ""
        if best.unlimited.where:
            yield picture(f"longest-{book_id}", best.unlimited.where, f"{best.unlimited.longest} plies")
            yield ""


# --- three kings against one ------------------------------------------------------------------


def three_against_one(books: list[Rulebook]) -> Iterator[str]:
    """Yield the section on three kings against one."""
    yield "## Three kings against one"
    yield ""
    yield "All positions with three white kings against one black king, White or Black to move. *On the diagonal*: the lone"
    yield "king stands on the main diagonal (the Rio). *To win*: the most moves of the three kings that any won position needs"
    yield "to the end of the game. *Of the count*: the most that any needs while the count runs, which ends as soon as a king is"
    yield "taken. Where only the moves of the three kings are counted this is the least limit under which every won position"
    yield "stays won: a capture that the lone king must make has to come before one more of them, for the game is drawn right"
    yield "after the last. `damas tb stats -r ID --pieces 4` has the totals, and `damas tb probe -r ID -f FEN` each position."
    yield ""
    yield "| rulebook | to move | lone king | positions | won | to win | of the count | the limit | won under it |"
    yield "| --- | --- | --- | ---: | ---: | ---: | ---: | --- | ---: |"
    hardest: list[str] = []
    suffices: list[str] = []
    for book in books:
        store = Store(book)
        rules = law_of(book, Material.of_name("KKK-K")).rules
        limits = ", ".join(f"{rule.id} ({rule.limit})" for rule in rules)
        tallies: dict[tuple[str, bool], list[int]] = {}
        most: tuple[int, Position | None] = (0, None)
        needing: dict[int, int] = {}
        examples: dict[int, Position] = {}
        for position in three_kings(book):
            lone = next(iter(position.black_kings))
            here = tallies.setdefault((position.turn.value, lone in book.geometry.main_diagonal), [0] * 5)
            free, bound = store.code(position, UNLIMITED), store.code(position, LIMITED)
            here[0] += 1
            if winner(position, free) is Color.WHITE:
                moves = strong_moves(position, plies_of(free) or 0)
                here[1] += 1
                here[2] = max(here[2], moves)
                if winner(position, bound) is Color.WHITE:
                    here[3] += 1
                    needs = of_count(book, position, plies_of(bound) or 0)
                    if count_runs(book, position):
                        here[4] = max(here[4], needs)
                        needing[needs] = needing.get(needs, 0) + 1
                        examples.setdefault(needs, position)
                if moves > most[0]:
                    most = (moves, position)
        suffices += enough(book, tallies, needing, examples)
        for (turn, on), (count, wins, to_win, limited, needed) in sorted(tallies.items(), reverse=True):
            where = "on the diagonal" if on else "elsewhere"
            counted = "" if endless(book) else needed
            row = f"{turn} | {where} | {number(count)} | {number(wins)} | {to_win} | {counted} | {limits}"
            yield f"| {book.id} | {row} | {number(limited)} |"
        if book.id in SEEDS and most[1]:
            hardest.append(picture(f"three-{book.id}", most[1], f"{book.id}: {most[0]} moves"))
    yield ""
    yield "### Do 12 and 13 moves suffice?"
    yield ""
    yield from suffices
    yield "### The longest ways to win"
    yield ""
    yield from hardest
    yield ""


def counting_three(book: Rulebook) -> DrawRule | None:
    """Return the rule that counts only the moves of the three kings, if the rulebook has one."""
    rules = law_of(book, Material.of_name("KKK-K")).rules
    return next((rule for rule in rules if rule.counts == "strong"), None)


def count_runs(book: Rulebook, position: Position) -> bool:
    """Whether the count runs: in some rulebooks only once one of the three kings stands on the diagonal."""
    rule = counting_three(book)
    waits = rule is not None and rule.starts != "entry"
    return not waits or not book.geometry.main_diagonal.isdisjoint(position.white_kings)


def of_count(book: Rulebook, position: Position, plies: int) -> int:
    """Return the smallest limit, in moves of the three kings, under which a decision after so many plies is in time."""
    rule = counting_three(book)
    return in_units(rule, position, plies) if rule else strong_moves(position, plies)


def enough(
    book: Rulebook,
    tallies: dict[tuple[str, bool], list[int]],
    needing: dict[int, int],
    examples: dict[int, Position],
) -> Iterator[str]:
    """Yield whether the limit of a rulebook suffices for every won position."""
    rule = counting_three(book)
    if not rule:
        return
    won, won_in_time = (sum(each[place] for each in tallies.values()) for place in (1, 3))
    most = max(needing)
    begins = ", counted from when one of the three stands on the diagonal" if rule.starts != "entry" else ""
    verdict = (
        f"{rule.limit} moves suffice: all {number(won)} won positions stay won when the count is fresh"
        if won == won_in_time
        else f"{rule.limit} moves do not always suffice: of {number(won)} won positions {number(won - won_in_time)} are drawn"
    )
    whose = "of those in which it runs" if begins else "of them"
    yield (
        f"**{book.id}** ({rule.id}, {rule.limit}{begins}): {verdict}. {number(needing[most])} {whose} need "
        f"{most}, and would be drawn with {most - 1}; the first is `{examples[most].fen}`:"
    )
    yield ""
    yield picture(f"count-{book.id}", examples[most], f"{book.id}: {most} moves of the count")
    yield ""
    yield f'    damas tb probe -r {book.id} -f "{examples[most].fen}" --json'
    yield ""


def three_kings(book: Rulebook) -> Iterator[Position]:
    """Yield every position with three white kings against one black king."""
    squares = range(len(book.square_names))
    for black in squares:
        for white in combinations([square for square in squares if square != black], 3):
            pieces = dict.fromkeys(white, Piece.WHITE_KING) | {black: Piece.BLACK_KING}
            for turn in Color:
                yield Position.of(Setup(pieces, turn), book)


def two_against_one() -> Iterator[str]:
    """Yield the section on two kings against one."""
    yield "## Two kings against one"
    yield ""
    yield "It is drawn in principle, but wins exist where the lone king can be caught at once (`damas tb stats -r ID --pieces"
    yield "3`)."
    yield ""
    yield "| rulebook | White to move, won | lost | longest, plies | where |"
    yield "| --- | ---: | ---: | ---: | --- |"
    for book_id in SEEDS:
        store = Store(rulebook(book_id))
        kings = next(m for m in stats(store, 3, 1).materials if m.material.name == "KK-K").unlimited
        where = kings.where.fen if kings.where else ""
        yield f"| {book_id} | {number(kings.wins)} | {number(kings.losses)} | {kings.longest} | `{where}` |"


# --- small things -----------------------------------------------------------------------------


def winner(position: Position, code: int) -> Color | None:
    """Return the side that wins by the code of a table."""
    value = value_of(code)
    return None if value == "draw" else position.turn if value == "win" else position.turn.other


def strong_moves(position: Position, plies: int) -> int:
    """Return how many of the next plies are White's."""
    return (plies + 1) // 2 if position.turn is Color.WHITE else plies // 2


def picture(name: str, position: Position, caption: str) -> str:
    """Draw a position and return the Markdown that shows it."""
    (PICTURES / f"{name}.svg").write_text(position.svg(), encoding="utf-8")
    return f"![{caption}: {position.fen}](endings/{name}.svg)"


def number(value: int) -> str:
    """Return a number with thin spaces between thousands."""
    return f"{value:,}".replace(",", "\u202f")


if __name__ == "__main__":
    main()
