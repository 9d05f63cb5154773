"""Write docs/reference/rulebooks.md, every switch of every rulebook, and the lists of rulebooks in both READMEs.

    rulebook_tables.py [--check]

Run (`make docs`) after a change of a rulebook or of the questions; a test runs it with --check, which writes
nothing and exits 1 if a page is stale.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields

from generated import ROOT, write_or_check

from damas.rules import DrawRule, Rulebook, articles, cite, rulebooks
from damas.rules.about import about
from damas.rules.clause import Cited
from damas.rules.schema import NOTATION, SECTIONS, STATEMENTS

REFERENCE = ROOT / "docs/reference/rulebooks.md"
READMES = {
    "README.md": ("en", "mirrored", "all squares"),
    "README.pt.md": ("pt-BR", "espelhado", "todas as casas"),
}
"""Each README with its language and its words for the boards."""
TITLES = {"board": "Board", "moves": "Moves", "procedure": "Procedure"}
HEAD = """\
# Every switch of every rulebook

Written by `make docs` from `src/damas/rulebooks/*/rules.toml`; a test says when it is stale. The questions and
their allowed answers are those of a file of house rules: see [house rules](../how-to/house-rules.md).

Beside each answer stands the article that gives it, as the text itself is cited; an id in this type (`B.001-4`) is
our reading where a text is silent or unclear. `damas rules ID` prints the statement or the reading itself.
"""


def words(value: object) -> str:
    """Return an answer as the page shows it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "free choice"
    return str(value)


def sources(book: Rulebook, given: Cited) -> str:
    """How an answer is cited, all its parts: the text's own words for an article, or the id of our reading."""
    citations = (cite(book, article) for article in given.articles)
    return "; ".join(dict.fromkeys(citation.article or f"`{citation.id}`" for citation in citations))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def texts(books: Sequence[Rulebook]) -> Iterator[str]:
    """Yield the table of the texts: who wrote each, and what in our name for it is not in it."""
    yield "\n## The texts\n"
    rows = [
        [
            f"**{book.id}**",
            articles(book).source,
            ", ".join(articles(book).authors) or "–",
            about(book.id).label.get("en", "–"),
        ]
        for book in books
    ]
    yield from table(["rulebook", "text", "authors it names", "our name for it"], rows)


def section(name: str, books: Sequence[Rulebook]) -> Iterator[str]:
    """Yield the questions of a section and the answers of every rulebook."""
    questions = SECTIONS[name]
    yield f"\n## {TITLES[name]}\n"
    for question in questions:
        allowed = ", ".join(f"`{str(answer).lower()}`" for answer in question.allowed)
        yield f"- `{name}.{question.key}`: {question.meaning} ({'a list out of ' if question.many else ''}{allowed})"
    yield ""
    rows = []
    for book in books:
        clauses = [getattr(book, question.key) for question in questions]
        rows.append([f"**{book.id}**", *(f"{words(c.value)}<br>{sources(book, c)}" for c in clauses)])
    yield from table(["rulebook", *(f"`{question.key}`" for question in questions)], rows)


def notation(books: Sequence[Rulebook]) -> Iterator[str]:
    """Yield the table of notations."""
    yield "\n## Notation\n"
    rows = [
        [f"**{book.id}**", *(book.source["notation"][key] for key in NOTATION), book.gametype or "none"]
        for book in books
    ]
    yield from table(["rulebook", *(f"`{key}`" for key in NOTATION), "`gametype`"], rows)


def statements(books: Sequence[Rulebook]) -> Iterator[str]:
    """Yield the table of articles that say what every draughts game has."""
    yield "\n## What every draughts game has\n"
    yield "No switches, since every rulebook says the same; only the article that says it is each one's own.\n"
    for key, meaning in STATEMENTS.items():
        yield f"- `{key}`: {meaning}"
    yield ""
    rows = []
    for book in books:
        given = book.statements
        rows.append(
            [f"**{book.id}**", *(sources(book, given[key]) if key in given else "–" for key in STATEMENTS)]
        )
    yield from table(["rulebook", *(f"`{key}`" for key in STATEMENTS)], rows)


def draws(books: Sequence[Rulebook], platform: bool) -> Iterator[str]:
    """Yield the table of draw rules, the rulebooks' own or those of the platform."""
    if platform:
        yield "\n## Platform rules\n"
        yield "Never the rulebook's: they end games which its text would let run for ever.\n"
    else:
        yield "\n## Draws and limits\n"
        yield "The rulebook's own. A limit of `n` counts moves of each side, or of the stronger one.\n"
    rows = [
        [
            f"**{book.id}**",
            f"`{rule.id}`",
            rule.rule,
            str(rule.limit),
            details(rule),
            rule.claim,
            sources(book, rule),
        ]
        for book in books
        for rule in book.draws
        if rule.platform is platform
    ]
    yield from table(["rulebook", "id", "rule", "limit", "where", "claim", "article"], rows)


def details(rule: DrawRule) -> str:
    """What is special about a limit; answers that are the plain ones are left out."""
    in_other_columns = {"id", "rule", "limit", "claim", "articles", "platform"}
    names = {
        "lasts": "while",
        "kings_on_both_sides": "kings on both sides",
        "unless_capture": "unless a capture is due",
        "unavoidable": "or cannot be avoided",
    }
    parts = [
        names.get(field.name, field.name.replace("_", " ")) + ("" if value is True else f" {words(value)}")
        for field in fields(rule)
        if field.name not in in_other_columns
        and (value := getattr(rule, field.name)) != field.default
        and value not in ("draw",)
    ]
    return "; ".join(parts)


def reference() -> str:
    """The page of all switches."""
    books = rulebooks()
    lines = [HEAD.rstrip(), *texts(books)]
    for name in SECTIONS:
        lines += section(name, books)
    lines += [
        *notation(books),
        *statements(books),
        *draws(books, platform=False),
        *draws(books, platform=True),
    ]
    return "\n".join(lines) + "\n"


def readme(name: str) -> str:
    """A README with the rows of its list of rulebooks written anew."""
    language, mirrored, all_squares = READMES[name]
    rows = []
    for book in rulebooks():
        shape = f"{book.size.value}×{book.size.value}"
        if book.squares.value == "all":
            shape += f", {all_squares}"
        elif book.corner.value == "right":
            shape += f", {mirrored}"
        alias = f"`{book.aliases[0]}` " if book.aliases else ""
        rows.append(f"| `{book.id}` | {alias}| {shape} | {about(book.id).summary[language].rstrip('.')} |\n")
    text = (ROOT / name).read_text(encoding="utf-8")
    table = re.search(r"(?<=\n\| --- \| --- \| --- \| --- \|\n)(\| `[a-z0-9-]+` \| .*\n)+", text)
    assert table, f"{name} has no table of rulebooks"
    return text[: table.start()] + "".join(rows) + text[table.end() :]


if __name__ == "__main__":
    sys.exit(write_or_check({REFERENCE: reference(), **{ROOT / name: readme(name) for name in READMES}}))
