"""Reads a rulebook from TOML, the built-in ones and a user's own alike, and reports everything wrong with it."""

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any

from damas.errors import BadRulebook, Mistake, wanted
from damas.language import Saying
from damas.rules import schema
from damas.rules.clause import Clause, Statement
from damas.rules.ruleset import DrawRule, RestRule, Rulebook

REQUIRED_OF_EVERY_DRAW = ("id", "rule", "limit", "claim", "decides")
"""Keys that every draw rule has."""
LIMIT_KEYS: dict[str, tuple[str, ...]] = {
    "counts": schema.COUNTS,
    "starts": schema.STARTS,
    "while": schema.WHILE,
}
"""Keys that every limit has besides, and their allowed values."""
MAX_LIMIT = 10_000
"""The greatest number of moves or occurrences of a draw rule."""
MAX_DRAWS, MAX_LIMITS = 64, 16
"""How many draw rules, and how many limits among them, the core can count."""
MAX_PIECES = 144
"""Pieces on the largest board with all its squares in use."""
OPTIONAL_LIMIT_KEYS = ("pieces", "pieces_a_side", "kings", "unless")
"""Keys that a limit may have."""


LATER_ANSWERS = ("unavoidable",)
"""Answers younger than the first games: in the hash only where they are given, so that earlier games keep their rules."""


def _add(mistakes: list[Mistake], key: str, got: object, allowed: Saying) -> None:
    mistakes.append(Mistake.of(key, got, allowed))


def _listed(values: Iterable[object]) -> str:
    return ", ".join(json.dumps(value) for value in values)


def _one_of(values: Iterable[object]) -> Saying:
    return wanted("one_of", values=_listed(values))


def _one_of_keys(keys: Iterable[str]) -> Saying:
    return wanted("known_key", known=", ".join(sorted(keys)))


def _same(value: object, allowed: object) -> bool:
    # True == 1 in Python, never in a rulebook.
    return type(value) is type(allowed) and value == allowed


def read(data: dict[str, Any], name: str = "") -> Rulebook:
    """A rulebook from parsed TOML, or `BadRulebook` with every mistake in it; `name` is the name of the file."""
    mistakes: list[Mistake] = []
    keys = {"id", "aliases", "notation", "statements", "rest", "draw", "platform", *schema.SECTIONS}
    for key, value in data.items():
        if key not in keys:
            _add(mistakes, key, value, _one_of_keys(keys))
    rulebook_id = data.get("id")
    if not isinstance(rulebook_id, str) or not re.fullmatch(r"[a-z0-9][a-z0-9-]*", rulebook_id):
        _add(mistakes, "id", rulebook_id, wanted("short_name"))
    aliases = data.get("aliases", [])
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        _add(mistakes, "aliases", aliases, wanted("names"))

    clauses: dict[str, Clause[Any]] = {}
    for section, questions in schema.SECTIONS.items():
        table = _table(data, section, {q.key for q in questions}, mistakes)
        for question in questions if section in data else ():
            clauses[question.key] = _clause(section, question, table.get(question.key), mistakes)
    notation = _table(data, "notation", {*schema.NOTATION, "gametype"}, mistakes)
    for key, allowed in schema.NOTATION.items() if "notation" in data else ():
        if notation.get(key) not in allowed:
            _add(mistakes, f"notation.{key}", notation.get(key), _one_of(allowed))
    if not isinstance(notation.get("gametype", ""), str):
        _add(mistakes, "notation.gametype", notation["gametype"], wanted("gametype"))
    statements = {
        key: Statement(_articles(f"statements.{key}", named, mistakes, "man_king", parts=2))
        for key, named in _table(data, "statements", set(schema.STATEMENTS), mistakes, required=False).items()
    }

    draws = [
        draw
        for group, platform in (("draw", False), ("platform", True))
        for draw in _draws(data, group, platform, mistakes)
    ]
    rests = _rests(data, mistakes)
    ids = [draw.id for draw in draws] + [rest.id for rest in rests]
    for rule_id in sorted({rule_id for rule_id in ids if ids.count(rule_id) > 1}):
        _add(mistakes, "draw.id", rule_id, wanted("own_id"))
    for code, most, rules in (
        ("max_draws", MAX_DRAWS, draws),
        ("max_limits", MAX_LIMITS, [draw for draw in draws if draw.rule == "limit"]),
    ):
        if len(rules) > most:
            _add(mistakes, "draw", len(rules), wanted(code, most=most))
    if not mistakes:
        _fits_together(clauses, mistakes)
    if mistakes:
        raise BadRulebook(name or str(rulebook_id), mistakes)
    return Rulebook(
        id=str(rulebook_id),
        aliases=tuple(aliases),
        hash=_hash(clauses, notation, draws, rests),
        fen_squares=notation["squares"],
        first_number=notation["first_number"],
        move_text="rows-columns" if notation["moves"] == "rows-columns" else notation["squares"],
        gametype=notation.get("gametype", ""),
        statements=statements,
        draws=tuple(draws),
        rests=tuple(rests),
        source=data,
        **clauses,
    )


def _table(
    data: dict[str, Any], section: str, keys: set[str], mistakes: list[Mistake], required: bool = True
) -> dict[str, Any]:
    table = data.get(section, None if required else {})
    if not isinstance(table, dict):
        _add(mistakes, section, table, wanted("table", name=section))
        return {}
    for key in table:
        if key not in keys:
            _add(mistakes, f"{section}.{key}", table[key], _one_of_keys(keys))
    return table


def _clause(section: str, question: schema.Question, answer: Any, mistakes: list[Mistake]) -> Clause[Any]:
    key = f"{section}.{question.key}"
    value, article = answer, None
    if isinstance(answer, dict):
        for extra in answer.keys() - {"value", "article"}:
            _add(mistakes, f"{key}.{extra}", answer[extra], _one_of_keys(("article", "value")))
        value, article = answer.get("value"), answer.get("article")
    named = _articles(f"{key}.article", article, mistakes)
    if question.many:
        if (
            not isinstance(value, list)
            or not all(any(_same(item, allowed) for allowed in question.allowed) for item in value)
            or len(set(value)) != len(value)
        ):
            _add(mistakes, key, value, wanted("list_of", values=_listed(question.allowed)))
            return Clause((), named)
        return Clause(tuple(value), named)
    if not any(_same(value, allowed) for allowed in question.allowed):
        _add(mistakes, key, value, _one_of(question.allowed))
    return Clause(value, named)


def _articles(
    key: str, named: object, mistakes: list[Mistake], code: str = "articles", parts: int | None = None
) -> tuple[str, ...]:
    """The articles of an answer: one for all of it, or one for each of its `parts`; `code` says what is allowed."""
    articles = [named] if isinstance(named, str) else [] if named is None else named
    if (
        not isinstance(articles, list)
        or not all(isinstance(item, str) for item in articles)
        or (parts is not None and len(articles) not in (0, 1, parts))
    ):
        _add(mistakes, key, named, wanted(code))
        return ()
    return tuple(item for item in articles if item)


def _entries(data: dict[str, Any], group: str, mistakes: list[Mistake]) -> list[tuple[str, dict[str, Any]]]:
    """The tables of a group such as `[[draw]]`, each with its name for errors: `draw[1]`."""
    entries = data.get(group, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        _add(mistakes, group, entries, wanted("tables", name=group))
        return []
    return [(f"{group}[{number}]", entry) for number, entry in enumerate(entries, start=1)]


def _draws(data: dict[str, Any], group: str, platform: bool, mistakes: list[Mistake]) -> list[DrawRule]:
    return [
        draw
        for where, entry in _entries(data, group, mistakes)
        if (draw := _draw(where, entry, platform, mistakes))
    ]


def _rests(data: dict[str, Any], mistakes: list[Mistake]) -> list[RestRule]:
    rests = []
    for where, entry in _entries(data, "rest", mistakes):
        before = len(mistakes)
        articles = _rule(where, entry, {"id", "article", "limit"}, mistakes, least=1)
        if len(mistakes) == before:
            rests.append(RestRule(id=entry["id"], articles=articles, limit=entry["limit"]))
    return rests


def _rule(
    where: str, entry: dict[str, Any], keys: set[str], mistakes: list[Mistake], *, least: int, parts: int = 1
) -> tuple[str, ...]:
    """Check the keys that every rule with a limit has; returns its articles."""
    if not isinstance(entry.get("id"), str) or not entry["id"]:
        _add(mistakes, f"{where}.id", entry.get("id"), wanted("name"))
    limit = entry.get("limit")
    if type(limit) is not int or not least <= limit <= MAX_LIMIT:
        _add(mistakes, f"{where}.limit", limit, wanted("whole", least=least, most=MAX_LIMIT))
    for key in entry.keys() - keys:
        _add(mistakes, f"{where}.{key}", entry[key], _one_of_keys(keys))
    code = "article" if parts == 1 else "ending_articles"
    return _articles(f"{where}.article", entry.get("article"), mistakes, code, parts)


def _draw(where: str, entry: dict[str, Any], platform: bool, mistakes: list[Mistake]) -> DrawRule | None:
    before = len(mistakes)
    is_limit = entry.get("rule") == "limit"
    allowed: dict[str, tuple[str, ...]] = {
        "rule": schema.RULES,
        "claim": schema.CLAIMS,
        "decides": schema.DECIDES,
        **(LIMIT_KEYS if is_limit else {}),
    }
    for key, values in allowed.items():
        if entry.get(key) not in values:
            _add(mistakes, f"{where}.{key}", entry.get(key), _one_of(values))
    keys = {*REQUIRED_OF_EVERY_DRAW, "article", "off_during"}
    if not isinstance(entry.get("off_during", ""), str):
        _add(mistakes, f"{where}.off_during", entry["off_during"], wanted("limit_id"))
    parts = 1
    if is_limit:
        keys |= {*LIMIT_KEYS, *OPTIONAL_LIMIT_KEYS, "endings", "resets"}
        _limit_lists(where, entry, mistakes)
        endings = entry.get("endings")
        parts = max(1, len(endings)) if isinstance(endings, list) else 1
    articles = _rule(where, entry, keys, mistakes, least=0, parts=parts)
    if len(mistakes) > before:
        return None
    same_name: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in entry.items()
        if key not in ("article", "while", "kings", "unless")
    }
    return DrawRule(
        **same_name,
        articles=articles,
        platform=platform,
        lasts=entry.get("while", "always"),
        kings_on_both_sides=entry.get("kings") == "both",
        unless_capture="unless" in entry,
        unavoidable=entry.get("unless") == "capture_unavoidable",
    )


def _limit_lists(where: str, entry: dict[str, Any], mistakes: list[Mistake]) -> None:
    endings = entry.get("endings")
    if not isinstance(endings, list) or not all(_is_pattern(pattern) for pattern in endings):
        _add(mistakes, f"{where}.endings", endings, wanted("patterns"))
    resets = entry.get("resets")
    if not isinstance(resets, list) or not all(reset in schema.RESETS for reset in resets):
        _add(mistakes, f"{where}.resets", resets, wanted("list_of", values=_listed(schema.RESETS)))
    pieces = entry.get("pieces")
    if pieces is not None and not (
        isinstance(pieces, list) and len(pieces) == 2 and all(_is_count(number) for number in pieces)
    ):
        _add(mistakes, f"{where}.pieces", pieces, wanted("fewest_most"))
    if not _is_count(entry.get("pieces_a_side", 0)):
        _add(
            mistakes,
            f"{where}.pieces_a_side",
            entry["pieces_a_side"],
            wanted("whole", least=0, most=MAX_PIECES),
        )
    for key, allowed in (("kings", ("both",)), ("unless", schema.UNLESS)):
        if key in entry and entry[key] not in allowed:
            _add(mistakes, f"{where}.{key}", entry[key], _one_of(allowed))


_RANGE = r"\{(\d{1,2})(?:,(\d{0,2}))?\}"
_SIDE = rf"(?=[KM])(?:K{_RANGE}|K{{0,36}})(?:M{_RANGE}|M{{0,36}})"
_PATTERN = re.compile(f"{_SIDE}-{_SIDE}", re.ASCII)


def _is_count(number: object) -> bool:
    """Whether it is a number of pieces that some board can hold."""
    return type(number) is int and 0 <= number <= MAX_PIECES


def _is_pattern(pattern: object) -> bool:
    """Whether it is a pattern of an ending: `KKK-K`, `K{3,}-KM`; kings before men, the strong side before the weak one.

    Each letter has one count: several flexible counts in a row could take exponential time to match.
    """
    match = _PATTERN.fullmatch(pattern) if isinstance(pattern, str) else None
    ranges = zip(match.groups()[::2], match.groups()[1::2], strict=True) if match else ()
    return match is not None and all(not most or int(fewest) <= int(most) for fewest, most in ranges)


def _fits_together(clauses: dict[str, Clause[Any]], mistakes: list[Mistake]) -> None:
    """Note answers that are allowed by themselves but not together."""
    value = {key: clause.value for key, clause in clauses.items()}
    section = {question.key: name for name, questions in schema.SECTIONS.items() for question in questions}

    def must(key: str, allowed: tuple[object, ...], because: str) -> None:
        """Note that an answer is not one of those that another answer, `because`, leaves."""
        if value[key] not in allowed:
            why = {"key": f"{section[because]}.{because}", "other": json.dumps(value[because])}
            _add(
                mistakes,
                f"{section[key]}.{key}",
                value[key],
                wanted("because", values=_listed(allowed), **why),
            )

    everywhere = value["squares"] == "all"
    must("lines", ("orthogonal",) if everywhere else ("diagonal",), "squares")
    straight = value["lines"] == "orthogonal"
    must("capture_lines", ("orthogonal",) if straight else ("diagonal", "all"), "lines")
    if everywhere:
        must("size", (8,), "squares")
        must("corner", ("left",), "squares")
    if not value["flying_king"]:
        must("king_landing", ("behind",), "flying_king")
    rows = value["men_rows"]
    if not rows or max(rows) * 2 > value["size"]:
        _add(mistakes, "board.men_rows", list(rows), wanted("men_rows"))


def _hash(
    clauses: dict[str, Clause[Any]], notation: dict[str, Any], draws: list[DrawRule], rests: list[RestRule]
) -> str:
    answers = {
        "clauses": {key: clause.value for key, clause in clauses.items()},
        "notation": {key: notation[key] for key in schema.NOTATION},
        "draws": [
            {
                key: value
                for key, value in vars(draw).items()
                if key not in ("id", "articles") and (value or key not in LATER_ANSWERS)
            }
            for draw in draws
        ],
        **({"rests": [rest.limit for rest in rests]} if rests else {}),
    }
    return hashlib.sha256(json.dumps(answers, sort_keys=True).encode()).hexdigest()[:16]
