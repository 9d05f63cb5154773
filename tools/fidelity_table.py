"""Write docs/reference/fidelity.md: every statement of the five documents, what keeps it, shows it, teaches it and proves it.

    fidelity_table.py [--check]

Run (`make docs`) after a change of a document's rules, articles, cases or lessons, or of a test that names an article; a
test runs it with --check, which writes nothing and exits 1 if the page is stale. It exits 1, too, for a statement that
nothing keeps, teaches or proves and that has no reason in its rulebook's `[no_case]`.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby

from generated import ROOT, write_or_check
from rulebook_tables import table, words

from damas.rules import Article, Rulebook, articles, rulebook_ids, rulebooks
from damas.rules.about import about
from damas.rules.cases import cases
from damas.rules.schema import NOTATION, SECTIONS, STATEMENTS
from damas.server.learning.course import lessons
from damas.server.learning.example import examples

PAGE = ROOT / "docs/reference/fidelity.md"
PACKAGE = ROOT / "src/damas"
TOPICS = {
    "attention": "arbiter/procedures/draws.py",
    "aids": "arbiter/procedures/hand.py",
    "adjusting": "arbiter/procedures/hand.py",
    "crowning": "arbiter/procedures/board.py",
    "blowing": "arbiter/procedures/board.py",
    "promotion": "arbiter/procedures/board.py",
    "two_tempi": "arbiter/procedures/hand.py",
    "hands": "arbiter/conduct.py",
    "holding": "arbiter/conduct.py",
}
"""Where each matter of procedure is ruled on."""
CONDUCT_ADVICE = {"CON", "ADV"}
"""Tags of statements such as silence and modesty, which a lesson's board teaches but cannot prove."""
HEAD = """\
# Fidelity: every statement of the five documents

Written by `make docs` from `src/damas/rulebooks/*`, the lessons and the tests; a test says when it is stale. For every
statement of a document, in the order and with the citation of its text:

- **kept by**: the answer of the rulebook (`moves.promotion`), the law (`draw.threefold`) or the part of damas that obeys
  it, perhaps through our reading (`B.001-3`) of what the text leaves open;
- **shown and taught**: boards beside it on the page of the rulebook, and steps of lessons;
- **proved by**: cases of `cases.toml`, which `tests/conformance` plays against the rules and the oracle; steps of lessons
  that a board can show (`tests/server/learning` holds them against the rulebook and against a contrary answer); tests
  that name it. Where nothing can prove it, silence or modesty for example, the reason stands here in italics.
"""


@dataclass
class Row:
    """What damas makes of one statement."""

    article: Article
    kept: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    proofs: list[str] = field(default_factory=list)
    reason: str = ""


# What keeps it


def citing(book: Rulebook) -> dict[str, list[str]]:
    """By article or reading: the answers and laws that cite it."""
    by_article: dict[str, list[str]] = {}
    for section, questions in SECTIONS.items():
        for question in questions:
            clause = getattr(book, question.key)
            for article in clause.articles:
                by_article.setdefault(article, []).append(f"`{section}.{question.key}` {words(clause.value)}")
    for key, given in book.statements.items():
        for article in given.articles:
            by_article.setdefault(article, []).append(f"`statements.{key}`")
    for rule in book.draws:
        for article in rule.articles:
            by_article.setdefault(article, []).append(f"`draw.{rule.id}`")
    return by_article


def keeper(book: Rulebook, name: str) -> str:
    """A name of `kept_by` as the page shows it; raises `SystemExit` where nothing is called so."""
    section, _, key = name.partition(".")
    if section in SECTIONS and key in {question.key for question in SECTIONS[section]}:
        return f"`{name}` {words(getattr(book, key).value)}"
    known = {
        "statements": set(STATEMENTS) & set(book.statements),
        "draw": {rule.id for rule in book.draws},
        "notation": set(NOTATION),
        "rulebook": set(rulebook_ids()),
    }
    if key in known.get(section, ()) or (PACKAGE / name).is_file():
        return f"`{name}`"
    raise SystemExit(f"{book.id}: kept_by names {name!r}, which there is not")


def kept(book: Rulebook, article: Article, cited: dict[str, list[str]]) -> Iterator[str]:
    """What obeys a statement; answers that cite only a reading of it where nothing else does."""
    direct = [*cited.get(article.id, ()), *(keeper(book, name) for name in article.kept_by)]
    if article.topic:
        direct.append(f"`{TOPICS[article.topic]}`")
    yield from direct
    for reading in articles(book).by_id.values():
        if not direct and reading.is_reading and article.id in reading.about:
            yield from (f"{each} (`{reading.id}`)" for each in cited.get(reading.id, ()))


# What teaches and proves it


@dataclass(frozen=True)
class LessonStep:
    """A step of a lesson and the articles that it names."""

    lesson: str
    number: int
    articles: frozenset[str]
    is_proof: bool
    """Whether a test holds it against the rules and against other answers; a question of conduct only teaches."""


def listed(steps: Iterable[LessonStep]) -> Iterator[str]:
    """Steps lesson by lesson."""
    for lesson, group in groupby(steps, key=lambda step: step.lesson):
        yield f"lesson `{lesson}` {', '.join(str(step.number) for step in group)}"


@cache
def lesson_steps() -> list[LessonStep]:
    """Every step of every course, lesson by lesson."""
    return [
        LessonStep(lesson.id, number, frozenset(step.articles), bool(step.flip))
        for lesson in lessons().values()
        for number, step in enumerate(lesson.step, start=1)
    ]


@cache
def all_tests() -> list[tuple[str, str]]:
    """Address and source of every test."""
    by_article = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                source = "\n".join(lines[first - 1 : node.end_lineno])
                by_article.append((f"{path.relative_to(ROOT)}::{node.name}", source))
    return by_article


def proving_tests(article: str) -> Iterator[str]:
    """The tests in which the id of an article stands, but not as an address on a page (#002-9)."""
    name = re.compile(rf"(?<![\w.#-]){re.escape(article)}(?![\w-]|\.\d)")
    return (address for address, source in all_tests() if article in source and name.search(source))


# The page


def rows(book: Rulebook) -> Iterator[Row]:
    """Every statement of a document."""
    cited, known = citing(book), cases(book.id)
    boards = [example.case.article for example in examples(book.id)]
    for article in articles(book).by_id.values():
        if article.is_reading:
            continue
        row = Row(article, list(dict.fromkeys(kept(book, article, cited))))
        if count := boards.count(article.id):
            row.shown.append(f"{count} board{'s' if count > 1 else ''}")
        steps = [step for step in lesson_steps() if article.id in step.articles]
        row.shown += listed(steps)
        shows = (case for case in known.cases if case.claim and article.id in (case.article, *case.also))
        row.proofs += (f"case `{case.name}`" for case in shows)
        if not set(article.tags) >= CONDUCT_ADVICE:
            row.proofs += listed(step for step in steps if step.is_proof)
        row.proofs += (f"`{address}`" for address in proving_tests(article.id))
        row.reason = known.no_case.get(article.id, "")
        yield row


def problems(document: Iterable[Row]) -> list[str]:
    """The statements with an empty place and no reason for it."""
    wrong = []
    for row in document:
        if row.reason:
            continue
        if not row.kept and not row.shown:
            wrong.append(f"{row.article.id}: nothing keeps, shows or teaches it")
        elif not row.proofs:
            wrong.append(f"{row.article.id}: nothing proves it")
        elif not row.kept and not {"ADV", "DEF"} & set(row.article.tags):
            wrong.append(f"{row.article.id}: nothing keeps it; name what does in kept_by")
    return wrong


def cells(row: Row) -> list[str]:
    """A line of the table."""
    article = row.article
    nothing = "advice" if "ADV" in article.tags else "background" if "DEF" in article.tags else "the players"
    proofs = row.proofs or [f"*{row.reason}*"]
    return [
        f"`{article.id}`<br>{article.cite}",
        article.text["en"],
        "<br>".join(row.kept) or nothing,
        "<br>".join(row.shown) or "the text",
        "<br>".join(proofs),
    ]


def page() -> str:
    """The whole page; raises `SystemExit` where a statement is empty without a reason."""
    lines, wrong = [HEAD.rstrip()], []
    for book in rulebooks():
        if not about(book.id).document:
            continue
        document = list(rows(book))
        wrong += problems(document)
        proved = sum(bool(row.proofs) for row in document)
        lines += [
            f"\n## {book.id}: {articles(book).source}\n",
            f"{len(document)} statements, {proved} of them proved, {len(document) - proved} with a reason.\n",
            *table(["statement", "says", "kept by", "shown and taught", "proved by"], map(cells, document)),
        ]
    if wrong:
        raise SystemExit("\n".join(wrong))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(write_or_check({PAGE: page()}))
