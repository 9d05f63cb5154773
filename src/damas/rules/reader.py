"""Reads a rulebook from TOML, the built-in ones and a user's own alike, and reports everything wrong with it."""

import hashlib
import json
import re
from typing import Any

from damas.errors import BadRulebook
from damas.rules import schema
from damas.rules.clause import Clause
from damas.rules.ruleset import DrawRule, Rulebook

REQUIRED_OF_EVERY_DRAW = ("id", "rule", "limit", "claim", "decides")
LIMIT_KEYS: dict[str, tuple[str, ...]] = {
    "counts": schema.COUNTS,
    "starts": schema.STARTS,
    "while": schema.WHILE,
}
LONGEST_SHOWN = 200
OPTIONAL_LIMIT_KEYS = ("pieces", "pieces_a_side", "kings", "unless", "off_during")


class _Problems:
    def __init__(self) -> None:
        self.found: list[tuple[str, str, str]] = []

    def add(self, key: str, got: object, allowed: str) -> None:
        self.found.append((key, "nothing" if got is None else _shown(got), allowed))


def _shown(got: object) -> str:
    try:
        text = json.dumps(got, default=str)
    except ValueError:  # Python writes no number of thousands of digits, which TOML can hold in hexadecimal
        return "a number beyond all reason"
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def _listed(values: tuple[object, ...]) -> str:
    return ", ".join(json.dumps(value) for value in values)


def _same(value: object, allowed: object) -> bool:
    # True == 1 in Python, never in a rulebook.
    return type(value) is type(allowed) and value == allowed


def read(data: dict[str, Any]) -> Rulebook:
    """A rulebook from parsed TOML, or `BadRulebook` with every problem found."""
    problems = _Problems()
    known = {"id", "aliases", "notation", "statements", "draw", "platform", *schema.SECTIONS}
    for key, value in data.items():
        if key not in known:
            problems.add(key, value, f"no such key; known are {', '.join(sorted(known))}")
    rulebook_id = data.get("id")
    if not isinstance(rulebook_id, str) or not re.fullmatch(r"[a-z0-9][a-z0-9-]*", rulebook_id):
        problems.add("id", rulebook_id, "a short name in small letters, digits and hyphens")
    aliases = data.get("aliases", [])
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        problems.add("aliases", aliases, "a list of names")

    clauses: dict[str, Clause[Any]] = {}
    for section, questions in schema.SECTIONS.items():
        table = _table(data, section, {q.key for q in questions}, problems)
        for question in questions:
            clauses[question.key] = _clause(section, question, table.get(question.key), problems)
    notation = _table(data, "notation", {*schema.NOTATION, "gametype"}, problems)
    for key, allowed in schema.NOTATION.items():
        if notation.get(key) not in allowed:
            problems.add(f"notation.{key}", notation.get(key), _listed(allowed))
    if not isinstance(notation.get("gametype", ""), str):
        problems.add("notation.gametype", notation["gametype"], 'a PDN GameType such as "26,W,8,8,A0,0"')
    statements = _table(data, "statements", set(schema.STATEMENTS), problems, required=False)
    for key, article in statements.items():
        if not isinstance(article, str):
            problems.add(f"statements.{key}", article, "the article, as text")

    draws = [
        draw
        for group, platform in (("draw", False), ("platform", True))
        for draw in _draws(data, group, platform, problems)
    ]
    ids = [draw.id for draw in draws]
    for name in sorted({name for name in ids if ids.count(name) > 1}):
        problems.add("draw.id", name, "each rule needs an id of its own")
    if not problems.found:
        _fits_together(clauses, problems)
    if problems.found:
        raise BadRulebook(rulebook_id if isinstance(rulebook_id, str) else "rules", problems.found)
    return Rulebook(
        id=str(rulebook_id),
        aliases=tuple(aliases),
        hash=_hash(clauses, notation, draws),
        fen_squares=notation["squares"],
        first_number=notation["first_number"],
        move_text="rows-columns" if notation["moves"] == "rows-columns" else notation["squares"],
        gametype=notation.get("gametype", ""),
        statements=statements,
        draws=tuple(draws),
        source=data,
        **clauses,
    )


def _table(
    data: dict[str, Any], section: str, keys: set[str], problems: _Problems, required: bool = True
) -> dict[str, Any]:
    table = data.get(section, None if required else {})
    if not isinstance(table, dict):
        problems.add(section, table, f"a table [{section}]")
        return {}
    for key in table:
        if key not in keys:
            problems.add(f"{section}.{key}", table[key], f"no such key; known are {', '.join(sorted(keys))}")
    return table


def _clause(section: str, question: schema.Question, answer: Any, problems: _Problems) -> Clause[Any]:
    key = f"{section}.{question.key}"
    value, article = answer, None
    if isinstance(answer, dict):
        for extra in answer.keys() - {"value", "article"}:
            problems.add(f"{key}.{extra}", answer[extra], "no such key; known are article, value")
        value, article = answer.get("value"), answer.get("article")
    articles = [article] if isinstance(article, str) else [] if article is None else article
    if not isinstance(articles, list) or not all(isinstance(item, str) for item in articles):
        problems.add(
            f"{key}.article", article, "the article, as text, or a list with one for each item of the value"
        )
        articles = []
    named = tuple(item for item in articles if item)
    if question.many:
        if (
            not isinstance(value, list)
            or not all(any(_same(item, allowed) for allowed in question.allowed) for item in value)
            or len(set(value)) != len(value)
        ):
            problems.add(key, value, f"a list, no item twice, out of {_listed(question.allowed)}")
            return Clause((), named)
        return Clause(tuple(value), named)
    if not any(_same(value, allowed) for allowed in question.allowed):
        problems.add(key, value, _listed(question.allowed))
    return Clause(value, named)


def _draws(data: dict[str, Any], group: str, platform: bool, problems: _Problems) -> list[DrawRule]:
    entries = data.get(group, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        problems.add(group, entries, f"tables [[{group}]]")
        return []
    return [
        draw
        for number, entry in enumerate(entries, start=1)
        if (draw := _draw(f"{group}[{number}]", entry, platform, problems))
    ]


def _draw(where: str, entry: dict[str, Any], platform: bool, problems: _Problems) -> DrawRule | None:
    before = len(problems.found)
    is_limit = entry.get("rule") == "limit"
    allowed: dict[str, tuple[str, ...]] = {
        "rule": schema.RULES,
        "claim": schema.CLAIMS,
        "decides": schema.DECIDES,
        **(LIMIT_KEYS if is_limit else {}),
    }
    for key, values in allowed.items():
        if entry.get(key) not in values:
            problems.add(f"{where}.{key}", entry.get(key), _listed(values))
    if not isinstance(entry.get("id"), str) or not entry["id"]:
        problems.add(f"{where}.id", entry.get("id"), "a name")
    if not isinstance(entry.get("article", ""), str):
        problems.add(f"{where}.article", entry["article"], "the article, as text")
    limit = entry.get("limit")
    if not isinstance(limit, int) or isinstance(limit, bool) or not 0 <= limit <= 10_000:
        problems.add(f"{where}.limit", limit, "a whole number from 0 to 10000")
    known = {*REQUIRED_OF_EVERY_DRAW, "article"}
    if is_limit:
        known |= {*LIMIT_KEYS, *OPTIONAL_LIMIT_KEYS, "endings", "resets"}
        _limit_lists(where, entry, problems)
    for key in entry.keys() - known:
        problems.add(f"{where}.{key}", entry[key], f"no such key; known are {', '.join(sorted(known))}")
    if len(problems.found) > before:
        return None
    pieces = entry.get("pieces")
    return DrawRule(
        id=entry["id"],
        rule=entry["rule"],
        article=entry.get("article", ""),
        limit=entry["limit"],
        claim=entry["claim"],
        decides=entry["decides"],
        platform=platform,
        counts=entry.get("counts", ""),
        endings=tuple(entry.get("endings", ())),
        starts=entry.get("starts", "entry"),
        lasts=entry.get("while", "always"),
        resets=tuple(entry.get("resets", ())),
        pieces=(pieces[0], pieces[1]) if pieces else None,
        pieces_a_side=entry.get("pieces_a_side"),
        kings_on_both_sides=entry.get("kings") == "both",
        unless_capture=entry.get("unless") == "capture_pending",
        off_during=entry.get("off_during", ""),
    )


def _limit_lists(where: str, entry: dict[str, Any], problems: _Problems) -> None:
    endings = entry.get("endings")
    if not isinstance(endings, list) or not all(_is_pattern(pattern) for pattern in endings):
        problems.add(
            f"{where}.endings", endings, 'a list of patterns such as "KKK-K" (strong side - weak side)'
        )
    resets = entry.get("resets")
    if not isinstance(resets, list) or not all(reset in schema.RESETS for reset in resets):
        problems.add(f"{where}.resets", resets, f"a list out of {_listed(schema.RESETS)}")
    pieces = entry.get("pieces")
    if pieces is not None and not (
        isinstance(pieces, list) and len(pieces) == 2 and all(_is_count(number) for number in pieces)
    ):
        problems.add(f"{where}.pieces", pieces, "two numbers, fewest and most pieces on the board")
    if not _is_count(entry.get("pieces_a_side", 0)):
        problems.add(f"{where}.pieces_a_side", entry["pieces_a_side"], "a whole number of pieces")
    for key, only in (("kings", "both"), ("unless", "capture_pending")):
        if entry.get(key, only) != only:
            problems.add(f"{where}.{key}", entry[key], _listed((only,)))
    if not isinstance(entry.get("off_during", ""), str):
        problems.add(f"{where}.off_during", entry["off_during"], "the id of another limit")


_RANGE = r"\{(\d{1,2})(?:,(\d{0,2}))?\}"
_SIDE = rf"(?=[KM])(?:K{_RANGE}|K{{0,36}})(?:M{_RANGE}|M{{0,36}})"
_PATTERN = re.compile(f"{_SIDE}-{_SIDE}", re.ASCII)


def _is_count(number: object) -> bool:
    """A number of pieces that some board could hold."""
    return type(number) is int and 0 <= number <= 144


def _is_pattern(pattern: object) -> bool:
    """Kings, then men of the strong side, a hyphen, those of the weak side; `{3,}` after a letter for three or more.

    One number a letter: several in a row, all of them flexible, could be matched in more ways than time allows.
    """
    found = _PATTERN.fullmatch(pattern) if isinstance(pattern, str) else None
    ranges = zip(found.groups()[::2], found.groups()[1::2], strict=True) if found else ()
    return found is not None and all(not most or int(fewest) <= int(most) for fewest, most in ranges)


def _fits_together(clauses: dict[str, Clause[Any]], problems: _Problems) -> None:
    """Answers that each are allowed, but not beside each other."""
    value = {key: clause.value for key, clause in clauses.items()}
    if (value["squares"] == "all") != (value["lines"] == "orthogonal"):
        problems.add(
            "moves.lines", value["lines"], '"orthogonal" with board.squares "all", "diagonal" with "dark"'
        )
    if (value["lines"] == "orthogonal") != (value["capture_lines"] == "orthogonal"):
        problems.add(
            "moves.capture_lines", value["capture_lines"], '"orthogonal" exactly when moves.lines is'
        )
    if value["squares"] == "all" and value["size"] != 8:
        problems.add("board.size", value["size"], '8 with board.squares "all"')
    if value["squares"] == "all" and value["corner"] != "left":
        problems.add("board.corner", value["corner"], '"left" with board.squares "all"')
    rows = value["men_rows"]
    if not rows or max(rows) * 2 > value["size"]:
        problems.add(
            "board.men_rows", list(rows), "at least one row, and none beyond the middle of the board"
        )
    if not value["flying_king"] and value["king_landing"] != "behind":
        problems.add(
            "moves.king_landing",
            value["king_landing"],
            '"behind", the only landing of a king that does not fly',
        )


def _hash(clauses: dict[str, Clause[Any]], notation: dict[str, Any], draws: list[DrawRule]) -> str:
    said = {
        "clauses": {key: clause.value for key, clause in clauses.items()},
        "notation": {key: notation[key] for key in schema.NOTATION},
        "draws": [
            {key: value for key, value in vars(draw).items() if key not in ("id", "article")}
            for draw in draws
        ],
    }
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]
