"""Writes a rulebook as a TOML file, from which a user can start house rules."""

import json
from typing import Any

from damas.rules import schema
from damas.rules.library import is_builtin
from damas.rules.ruleset import Rulebook


def to_toml(rulebook: Rulebook) -> str:
    """The whole rulebook as TOML with every question explained; reading it gives the same answers."""
    data = rulebook.source
    lines = [f"id = {_value(data['id'])}", f"aliases = {_value(data.get('aliases', []))}"]
    for section, questions in schema.SECTIONS.items():
        lines += ["", f"[{section}]"]
        for question in questions:
            lines += [f"# {question.meaning}: {_choices(question)}"]
            lines += [f"{question.key} = {_value(data[section][question.key])}"]
    lines += ["", "[notation]"]
    for key, allowed in schema.NOTATION.items():
        lines += [f"{key} = {_value(data['notation'][key])}  # {' | '.join(allowed)}"]
    # House rules may not bear the GameType of a built-in rulebook: see library.parse.
    number = "" if is_builtin(rulebook) else data["notation"].get("gametype", "")
    lines += [f"gametype = {_value(number)}  # PDN's number of the game, if it has one"]
    if data.get("statements"):
        lines += [
            "",
            "# Where the text says what every draughts game has: one article, or the man's and the king's.",
        ]
        lines += ["[statements]", *_pairs(data["statements"])]
    for group in ("rest", "draw", "platform"):
        for entry in data.get(group, []):
            lines += ["", f"[[{group}]]", *_pairs(entry)]
    return "\n".join(lines) + "\n"


def _choices(question: schema.Question) -> str:
    words = " | ".join(_value(choice) for choice in question.allowed)
    return f"a list out of {words}" if question.many else words


def _pairs(table: dict[str, Any]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in table.items()]


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(_pairs(value)) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    # TOML writes strings, numbers and booleans as JSON does.
    return json.dumps(value, ensure_ascii=False)
