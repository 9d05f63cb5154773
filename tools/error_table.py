"""Write docs/reference/errors.md, every code damas refuses with: `error_table.py [--check]`.

Run (`make docs`) after a change of codes or sentences; a test runs it with --check, which writes nothing and
exits 1 if the page is stale.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping

from generated import ROOT, write_or_check

import damas.errors
from damas.game.explain import CODES, RECORD_CODES
from damas.language import entries

PAGE = ROOT / "docs/reference/errors.md"
TITLES = {
    "record": "What is wrong with the record of a game: `BadRecord.reason`",
    "why": "why",
    "reason": "How a game ends: `Outcome.reason`",
    "procedure": "What the arbiter does not allow: `ProcedureRefused.code`",
    "judge": "What `damas judge` finds: `Judgement.verdict`",
    "verdict": "What a program forfeits a game by: `GameResult.reason`, `damas repro`",
}
"""Tables of the catalogue whose codes are listed, and their headings."""
HEAD = """\
# Codes and sentences

Written by `make docs` from the catalogue; a test says when it is stale. Codes are stable and never translated:
programs read them. Sentences are for people, in pt-BR, pt-PT, es and en; two of the four are shown here. Words in
braces are filled with facts of the position, and a refusal ends with its article and the moves that are legal.

```
{tree}
```
"""


def table(sentences: Mapping[str, Mapping[str, str]], codes: Iterable[str]) -> Iterator[str]:
    """Yield the table of some codes of the catalogue."""
    yield "| code | English | português (Brasil) |"
    yield "| --- | --- | --- |"
    for code in codes:
        english, brazilian = (sentences[code][language] for language in ("en", "pt-BR"))
        yield f"| `{code}` | {cell(english)} | {cell(brazilian)} |"


def cell(text: str) -> str:
    """Return a text that fits into a cell of a Markdown table."""
    return text.replace("|", "\\|").replace("\n", "<br>")


def page() -> str:
    """Return the whole page."""
    doc = damas.errors.__doc__ or ""
    tree = doc[doc.index("DamasError") : doc.index("\n\nEach carries")]
    lines = [HEAD.replace("{tree}", tree)]
    lines += ["## Refused moves: `IllegalMove.code`, `damas explain`\n"]
    lines += [
        "Where an attempt breaks several rules, the first in this order names the refusal and the others"
    ]
    lines += ["stand beside it under `also`.\n"]
    lines += table(entries("refusal"), (*CODES, *RECORD_CODES))
    lines += ["\n## What cannot be read or set up: `Problem.code`\n"]
    lines += ["Carried, all at once, by `NotationError` and `IllegalSetup`.\n"]
    lines += table(entries("problem"), entries("problem"))
    for name, title in TITLES.items():
        # Codes are in capitals; what else is said to people has no code of its own.
        codes = [code for code in entries(name) if code.isupper() and len(code) > 1]
        lines += [f"\n## {title}\n", *table(entries(name), codes)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(write_or_check({PAGE: page()}))
