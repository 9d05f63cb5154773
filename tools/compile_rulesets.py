"""Write the C++ constants of the built-in rulebooks: `compile_rulesets.py RULEBOOKS_FOLDER OUTPUT.hpp [ID ...]`.

Run by CMake. The rulebooks' TOML files are the only place where a rule is written; this turns the
answers that decide which moves are legal into constants, so that each becomes its own generator. The
rulebooks whose about.toml says `search = true`, or those named after the output instead, get a search of
their own too; rulebooks that move alike share it, and all others share one for each board.
"""

import sys
import tomllib
from pathlib import Path


def camel(word: str) -> str:
    return "".join(part.capitalize() for part in word.split("_"))


def boolean(value: bool) -> str:
    return "true" if value else "false"


def constant(rules: dict) -> str:
    board = {key: clause["value"] for key, clause in rules["board"].items()}
    moves = {key: clause["value"] for key, clause in rules["moves"].items()}
    priorities = ", ".join(f"Priority::{camel(word)}" for word in moves["capture_priority"])
    return (
        f"{{{board['size']}, {boolean(board['squares'] == 'all')}, "
        f"CaptureLines::{camel(moves['capture_lines'])}, {boolean(moves['men_capture_backward'])}, "
        f"{boolean(moves['men_capture_kings'])}, {boolean(moves['flying_king'])}, "
        f"Landing::{camel(moves['king_landing'])}, Promotion::{camel(moves['promotion'])}, "
        f"Removal::{camel(moves['removal'])}, {{{priorities}}}}}"
    )


def main(folder: Path, output: Path, searched: list[str]) -> None:
    names_by_constant: dict[str, list[str]] = {}
    with_search = set(searched)
    for path in sorted(folder.glob("*/rules.toml")):
        rules = tomllib.loads(path.read_text(encoding="utf-8"))
        names_by_constant.setdefault(constant(rules), []).append(rules["id"])
        about = tomllib.loads(path.with_name("about.toml").read_text(encoding="utf-8"))
        if not searched and about.get("search"):
            with_search.add(rules["id"])

    def listed(wanted: set[str]) -> list[str]:
        return [
            f"    {text},  // {', '.join(names)}"
            for text, names in names_by_constant.items()
            if wanted.intersection(names)
        ]

    known = {name for names in names_by_constant.values() for name in names}
    if unknown := with_search - known:
        sys.exit(f"no such rulebook: {', '.join(sorted(unknown))}")
    header = "\n".join(
        [
            "// Generated from the rulebooks by tools/compile_rulesets.py.",
            "#pragma once",
            '#include "damas/ruleset.hpp"',
            "",
            "namespace damas {",
            "inline constexpr Ruleset kBuiltin[] = {",
            *listed(known),
            "};",
            "inline constexpr Ruleset kSearched[] = {",
            *listed(with_search),
            "};",
            "}  // namespace damas",
            "",
        ]
    )
    if not output.exists() or output.read_text(encoding="utf-8") != header:
        output.write_text(header, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
