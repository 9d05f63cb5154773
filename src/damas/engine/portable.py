"""A rulebook as a text for the core that runs in a browser: the same values that the core gets here, and its articles."""

from dataclasses import astuple

from damas.board import Color
from damas.engine import opponent
from damas.engine.analysis import KINDS, MAX_LINE_MOVES, MIN_LOSS, SCALE, WORST_MOVES
from damas.engine.endings import counted_by
from damas.engine.engine import DECIDED, TABLE_WIN, WIN
from damas.engine.levels import CONVERSION_LIMITS, CONVERSION_PIECES, KING_VALUE, MAX_LINES, TABLE
from damas.engine.networks import name_for
from damas.errors import NoTablesForRules
from damas.game.core import settings_of
from damas.game.laws import law_settings
from damas.notation.pdn.tags import families_by_gametype, gametype
from damas.notation.schemes import SCHEMES
from damas.rules import Rulebook, rulebook, rulebooks
from damas.rules.readings import other_readings
from damas.rules.schema import MOVE_SWITCHES, STATEMENTS
from damas.tablebase import canonical_materials
from damas.tablebase.store import ON_DEMAND_PIECES, declaration

NO_ARTICLE = "-"


def rulebook_text(book: Rulebook) -> str:
    """One line for each fact, its words apart by spaces; `cpp/wasm/book.cpp` reads it."""
    given = settings_of(book)
    lines = [
        ("id", book.id),
        ("board", given["size"], given["all_squares"]),
        ("moves", *(given[key] for key in MOVE_SWITCHES if key != "capture_priority")),
        ("priority", *given["capture_priority"]),
        ("algebraic", *given["algebraic"]),
        ("numbers", *given["numbers"]),
        ("rows_columns", *given["rows_columns"]),
        ("text", given["fen"], given["moves"]),
        ("white", *book.start_squares(Color.WHITE)),
        ("black", *book.start_squares(Color.BLACK)),
        ("starter", given["black_starts"]),
        *(_law(book, number) for number in range(len(book.draws))),
        *(("rest", rest.limit) for rest in book.rests),
        *(_article(key, book.statements[key].articles) for key in STATEMENTS if key in book.statements),
        *(_article(key, getattr(book, key).articles) for key in ("lines", *MOVE_SWITCHES)),
        *(_article(f"draw:{rule.id}", rule.articles) for rule in book.draws),
        _article("rest", tuple(rest.article for rest in book.rests)),
        *_tables(book),
    ]
    return "\n".join(" ".join(str(int(w) if isinstance(w, bool) else w) for w in line) for line in lines)


def _law(book: Rulebook, number: int) -> tuple[object, ...]:
    given = law_settings(book, number)
    head = [given[key] for key in ("need", "by_pieces", "claim", "platform", "off_during")]
    if "endings" not in given:
        return ("law", given["id"], given["kind"], *head)
    flags = ("strong_only", "starts", "while_weak", "capture", "man_move", "promotion", "unless")
    material = (*given["pieces"], given["a_side"], given["kings_on_both_sides"])
    endings = [number for ending in given["endings"] for pair in ending for number in pair]
    return ("limit", given["id"], 0, *head, *(given[key] for key in flags), *material, *endings)


def _article(key: str, articles: tuple[str, ...]) -> tuple[str, ...]:
    return ("article", key, *(article or NO_ARTICLE for article in articles))


def _tables(book: Rulebook) -> list[tuple[object, ...]]:
    lines: list[tuple[object, ...]] = []
    if book.squares.value == "all" or book.size.value not in ON_DEMAND_PIECES:
        return lines
    for pieces in range(2, ON_DEMAND_PIECES[book.size.value] + 1):
        for material in canonical_materials(pieces):
            try:
                count, starts, started, *rest = declaration(book, material)
            except NoTablesForRules:
                return []
            counted, rests = counted_by(book, material)
            lines.append(("table", *material.counts, *count, starts, *started, *rest, *counted, rests))
    return lines


def module_text() -> str:
    """The JavaScript module with all built-in rulebooks, their other readings, the levels and what scores mean."""
    import json

    books = [*rulebooks(), *map(rulebook, other_readings())]
    facts = {
        book.id: {
            "network": name_for(book),
            "aliases": list(book.aliases),
            "gametypes": {scheme: gametype(book, scheme) for scheme in SCHEMES},
            "tablePieces": ON_DEMAND_PIECES.get(book.size.value, 0) if _tables(book) else 0,
            "text": rulebook_text(book),
        }
        for book in books
    }
    families = {number: books[0].id for number, books in families_by_gametype().items()}
    levels = [astuple(level) for level in TABLE]
    play = {
        "levels": levels,
        "conversionPieces": CONVERSION_PIECES,
        "conversionNodes": CONVERSION_LIMITS.nodes,
        "drawPieces": opponent.CONVERSION_PIECES,
        "kingValue": KING_VALUE,
        "maxLines": MAX_LINES,
    }
    scores = {
        "scale": SCALE,
        "decided": DECIDED,
        "win": WIN,
        "tableWin": TABLE_WIN,
        "kinds": [[kind, least] for kind, least, _ in KINDS],
        "worstMoves": WORST_MOVES,
        "minLoss": MIN_LOSS,
        "lineMoves": MAX_LINE_MOVES,
    }
    return "\n".join(
        [
            "// Written by `make docs` from the rulebooks: what the core needs to know of each.",
            "",
            "/** @type {Record<string, import('./types').RulebookData>} */",
            "export const RULEBOOKS = {",
            *(
                f"{json.dumps(name)}: {json.dumps(facts[name], ensure_ascii=False)},"
                for name in sorted(facts)
            ),
            "};",
            "",
            "/** Nodes, noise, horizon, share of the network and window of each level: src/damas/engine/levels.py. */",
            f"export const LEVELS = {json.dumps(play)};",
            "",
            "/** The first rulebook of each GameType of PDN. @type {Record<string, string>} */",
            f"export const GAMETYPES = {json.dumps(families)};",
            "",
            "/** What scores mean and what is called a mistake: src/damas/engine/analysis.py. */",
            "/** @type {import('./types').ScoreData} */",
            f"export const SCORES = {json.dumps(scores)};",
            "",
        ]
    )
