"""`damas tb`: build, list, verify and probe endgame tables."""

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path

from damas.cli import page
from damas.cli.answers import answer_positions, print_answer, print_json, to_json
from damas.cli.arguments import add_cluster, add_common, add_integer, add_position, add_rulebook, book_of
from damas.cli.moves import header
from damas.cli.progress import ProgressBar
from damas.errors import NoTable
from damas.game import Position
from damas.language import sentence
from damas.language.numbers import number
from damas.rules import Rulebook
from damas.tablebase.build import build
from damas.tablebase.laws import law_of
from damas.tablebase.material import Material, canonical_materials
from damas.tablebase.stats import Tally, stats
from damas.tablebase.store import MAX_PIECES, ON_DEMAND_PIECES, Store
from damas.tablebase.verdict import MoveVerdict, probe
from damas.tablebase.verify import verify
from damas.views.endgames import probe_view

SUGGESTED_PIECES = {8: 5, 10: 4}
"""Number of pieces suggested for a first build, by board size; it takes well under a minute."""

_ACTIONS: dict[str, str] = {
    "build": "build the tables of a rulebook up to a number of pieces",
    "info": "list the existing tables",
    "verify": "recompute every position from its moves",
    "probe": "show the verdict on a position and on each of its moves",
    "stats": "count wins, draws and losses of every material, without and with limits",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    for name, text in _ACTIONS.items():
        action = actions.add_parser(
            name, help=text, description=text[0].upper() + text[1:] + ".", allow_abbrev=False
        )
        (add_position if name == "probe" else add_rulebook)(action)
        if name in ("build", "verify", "stats"):
            add_integer(action, "--pieces", 2, MAX_PIECES, "pieces on the board", required=True)
        if name != "info":
            every = os.cpu_count() or 1
            place = action.add_mutually_exclusive_group()
            add_integer(place, "--threads", 1, 256, "processors to use (default: all)", default=every)
            if name == "build":
                add_cluster(place)
        action.add_argument(
            "--folder",
            type=Path,
            metavar="DIR",
            help="folder of the tables (default: DAMAS_TABLEBASES, or your cache)",
        )
        add_common(action)


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    store = Store(book_of(options), options.folder)
    store.threads = getattr(options, "threads", None)
    store.possible(getattr(options, "pieces", 2))
    action: Callable[[argparse.Namespace, Store], int] = globals()[f"_{options.action}"]
    return action(options, store)


def _build(options: argparse.Namespace, store: Store) -> int:
    started = time.monotonic()
    report = ProgressBar("", 0).report
    if options.cluster:
        from damas.tablebase.cluster import build_on_cluster

        built = build_on_cluster(store, options.pieces, options.cluster, report=report)
    else:
        built = build(store, options.pieces, threads=options.threads, report=report)
    seconds = time.monotonic() - started
    files = [store.path(m) for n in range(2, options.pieces + 1) for m in canonical_materials(n)]
    facts = {
        "rulebook": store.book.id,
        "pieces": options.pieces,
        "made": built,
        "seconds": round(seconds, 3),
        "bytes": _size(files),
        "folder": str(store.folder),
    }
    language = options.language
    shown = {
        "seconds": number(seconds, language, 1),
        "size": _kib(facts["bytes"], language),
        "files": len(files),
    }
    key = "cli.tb.built" if built else "cli.tb.there"
    print_answer(options, lambda: facts, lambda: sentence(key, language, **facts | shown))
    return 0


def _size(files: list[Path]) -> int:
    """The size of some files in bytes."""
    return sum(path.stat().st_size for path in files)


def _kib(size: int, language: str) -> str:
    """A size in bytes as a number of KiB."""
    return number(size / 1024, language)


def _info(options: argparse.Namespace, store: Store) -> int:
    rows = []
    for pieces in range(2, MAX_PIECES + 1):
        materials = list(canonical_materials(pieces))
        missing = store.missing(materials)
        existing = [store.path(m) for m in materials if m not in missing]
        if existing:
            counts = {"pieces": pieces, "materials": len(materials), "there": len(existing)}
            rows.append({**counts, "bytes": _size(existing)})
    book, folder = store.book.id, str(store.folder)
    if options.json:
        print_json({"rulebook": book, "key": store.key.hex(), "folder": folder, "tables": rows})
        return 0
    print(f"{page.heading(book)}: {folder}")
    if not rows:
        first = SUGGESTED_PIECES[store.book.size.value]
        print(sentence("cli.tb.none", options.language, book=book, pieces=first))
    for row in rows:
        print(
            "  " + sentence("cli.tb.row", options.language, **row, size=_kib(row["bytes"], options.language))
        )
    return 0


def _verify(options: argparse.Namespace, store: Store) -> int:
    _ensure_tables(store, options.pieces)
    started = time.monotonic()
    report = verify(store, options.pieces, threads=options.threads, report=ProgressBar("", 0).report)
    seconds = time.monotonic() - started
    faults = report.faults
    if options.json:
        print_json(
            {
                "rulebook": store.book.id,
                "pieces": options.pieces,
                "derived": report.looked,
                "sampled": report.sampled,
                "seconds": round(seconds, 3),
                "faults": [
                    {"fen": at.position.fen, "table": at.table, "stored": at.stored, "derived": at.derived}
                    for at in faults
                ],
            }
        )
    else:
        language = options.language
        looked, taken = number(report.looked, language), number(seconds, language, 1)
        key = "cli.tb.faults" if faults else "cli.tb.verified"
        print(sentence(key, language, count=looked, faults=len(faults), seconds=taken))
        for at in faults[:10]:
            print(f"  {at.position.fen}  {at.stored} / {at.derived}")
    return 3 if faults else 0


def _ensure_tables(store: Store, pieces: int) -> None:
    """Build small tables if they are missing; raises `NoTable` for missing large ones."""
    if all(store.complete(number) for number in range(2, pieces + 1)):
        return
    if pieces > ON_DEMAND_PIECES[store.book.size.value]:
        raise NoTable(store.book.id, pieces)
    build(store, pieces, threads=store.threads)


# --- probe ---------------------------------------------------------------------------------


def _probe(options: argparse.Namespace, store: Store) -> int:
    language = options.language

    def text(position: Position) -> str:
        result = probe(position, store=store)
        lines = [*header(position, language), page.paragraph(result.verdict.sentence(language))]
        rows = [_row(move, language) for move in result.moves]
        return "\n".join([*lines, "", page.table(rows, indent=2)] if rows else lines)

    return answer_positions(
        options, lambda position: to_json(probe_view(probe(position, store=store), language)), text
    )


def _row(verdict: MoveVerdict, language: str) -> tuple[str, str, str]:
    length = sentence("cli.tb.plies", language, plies=verdict.plies) if verdict.plies is not None else ""
    if verdict.after is None and verdict.value != "draw":
        length = sentence("cli.tb.at_once", language)
    return (verdict.move.text, sentence(f"tablebase.name.{verdict.name}", language), length)


# --- stats ---------------------------------------------------------------------------------


def _stats(options: argparse.Namespace, store: Store) -> int:
    _ensure_tables(store, options.pieces)
    result = stats(store, options.pieces, options.threads)
    unlimited, limited = result.total
    if options.json:
        print_json(
            {
                "rulebook": store.book.id,
                "pieces": options.pieces,
                "materials": [
                    _material_json(store.book, each.material) | _tallies(each.unlimited, each.limited)
                    for each in result.materials
                ],
                "total": _tallies(unlimited, limited),
            }
        )
        return 0
    words = [
        sentence(f"cli.tb.{key}", options.language) for key in ("material", "win", "draw", "loss", "longest")
    ]
    limit_words = [f"{word}*" for word in words[1:]]
    rows = [[*words, *limit_words]]
    tallies = {each.material.name: (each.unlimited, each.limited) for each in result.materials}
    tallies[sentence("cli.tb.total", options.language)] = (unlimited, limited)
    rows += [_cells(name, options.language, *pair) for name, pair in tallies.items()]
    print(page.table(rows, right=range(1, 9)))
    print(page.paragraph(sentence("cli.tb.note", options.language)))
    return 0


def _material_json(book: Rulebook, material: Material) -> dict[str, object]:
    law = law_of(book, material.canonical)
    return {
        "material": material.name,
        "white": {"men": material.white_men, "kings": material.white_kings},
        "black": {"men": material.black_men, "kings": material.black_kings},
        "limits": [rule.id for rule in law.rules],
        "left_out": [rule.id for rule in law.beside],
    }


def _tallies(unlimited: Tally, limited: Tally) -> dict[str, object]:
    return {"positions": unlimited.positions, "unlimited": _tally(unlimited), "limited": _tally(limited)}


def _tally(tally: Tally) -> dict[str, object]:
    return {
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "longest": tally.longest,
        "where": tally.where.fen if tally.where else None,
    }


def _cells(name: str, language: str, *tallies: Tally) -> list[str]:
    cells = [name]
    for tally in tallies:
        cells += [number(count, language) for count in (tally.wins, tally.draws, tally.losses)]
        cells.append("" if tally.longest is None else str(tally.longest))
    return cells
