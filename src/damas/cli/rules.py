"""`damas rules`: list the rulebooks, show one article by article, or compare two."""

import argparse
from itertools import groupby

from damas.cli import page
from damas.cli.answers import print_answer
from damas.cli.arguments import BadInput, add_flag
from damas.cli.compare import move_line
from damas.language import language_of, rulebook_word, sentence
from damas.rules import Article, DrawRule, Rulebook, articles, rulebook, rulebooks, to_toml
from damas.rules.readings import folder_of
from damas.views import words
from damas.views.rulebooks import (
    Difference,
    agreement_note,
    label_note,
    other_reading_views,
    rulebook_entry,
    rulebook_view,
    special,
)


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "id", nargs="?", metavar="ID", help="a rulebook: id, English name, or your own rules.toml"
    )
    add_flag(parser, "--toml", "print the rulebook as a starting point for your own rules")
    parser.add_argument("--diff", nargs=2, metavar=("A", "B"), help="compare two rulebooks")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    language = options.language
    if options.diff:
        if options.id or options.toml:
            raise BadInput("cli.bad.diff")
        difference = Difference(*(rulebook(name) for name in options.diff))
        print_answer(options, lambda: difference.view(language), lambda: _difference(difference, language))
    elif options.id is None:
        if options.toml:
            raise BadInput("cli.bad.toml")
        entries = [rulebook_entry(book, language) for book in rulebooks()]
        print_answer(options, lambda: {"rulebooks": entries}, lambda: _list(language))
    else:
        book = rulebook(options.id)
        if options.toml:
            text = to_toml(book)
            print_answer(options, lambda: {"id": book.id, "toml": text}, lambda: text.rstrip("\n"))
        else:
            print_answer(options, lambda: rulebook_view(book, language), lambda: _book_text(book, language))
    return 0


# All rulebooks


def _list(language: str) -> str:
    lines = []
    for book in rulebooks():
        name = page.heading(book.id) + " " * max(1, 16 - len(book.id))
        lines.append(f"{name}{', '.join(book.aliases):16}{words.board(book, language)}".rstrip())
        lines.append(page.paragraph(special(book, language), indent=4))
        others = other_reading_views(book, language)
        lines += [page.paragraph(f"{other.id}: {other.answer}.", indent=4, hang=2) for other in others]
    return "\n".join([*lines, "", page.paragraph(sentence("cli.rules.use", language))])


# One rulebook


def _book_text(book: Rulebook, language: str) -> str:
    text = articles(book)
    name = rulebook_word(book.id, language)
    ids = ", ".join([*([book.id] if name != book.id else []), *book.aliases])
    title = f"{name} ({ids})" if ids else name
    lines = [page.heading(title), page.paragraph(special(book, language)), words.board(book, language)]
    if text.source:
        lines.append(page.paragraph(sentence("cli.rules.source", language, source=text.source), hang=2))
    if text.authors:
        names = ", ".join(text.authors)
        lines.append(page.paragraph(sentence("cli.rules.authors", language, names=names), hang=2))
    if label := label_note(book, language):
        lines.append(page.paragraph(label))
    if text.by_id:
        lines += ["", page.heading(sentence("cli.rules.articles", language)), *_articles(book, language)]
    lines += ["", page.heading(sentence("cli.rules.switches", language)), _switches(book, language)]
    lines += [
        "",
        page.heading(sentence("cli.rules.draws", language)),
        *(
            [page.paragraph(f"- {note}", indent=2, hang=2)]
            if (note := agreement_note(book, language))
            else []
        ),
        *_draws(book, list(book.draws), language),
        "",
        page.paragraph(sentence("cli.rules.hash", language, hash=book.hash)),
    ]
    return "\n".join(lines)


def _articles(book: Rulebook, language: str) -> list[str]:
    """List the statements in the order of the text, grouped by citation, each followed by our readings.

    A reading of several statements is printed after the first of them; the others refer to it by its number.
    """
    entries = list(articles(book).by_id.values())
    cited = {article.id: article.cite for article in entries}
    readings = [reading for reading in entries if reading.is_reading]
    printed: dict[str, tuple[int, str]] = {}  # id of a reading: its number, the heading it stands under
    lines: list[str] = []
    for heading, group in groupby(
        (article for article in entries if not article.is_reading), key=lambda article: article.cite
    ):
        lines += ["", page.heading(heading)]
        for article in group:
            lines.append(page.paragraph(f"- {article.text[language]}", indent=2, hang=2))
            mine = [reading for reading in readings if article.id in reading.about]
            elsewhere = []
            for reading in mine:
                if reading.id not in printed:
                    printed[reading.id] = len(printed) + 1, heading
                    places = dict.fromkeys(cited[about] for about in reading.about if about in cited)
                    also = [each for each in places if each != heading]
                    lines += _reading(book, reading, len(printed), also, language)
                elif printed[reading.id][1] != heading:
                    elsewhere.append("{} ({})".format(*printed[reading.id]))
            if elsewhere:
                see = sentence("cli.rules.see_reading", language, places="; ".join(elsewhere))
                lines.append(page.paragraph(see, indent=6))
    if rest := [reading for reading in readings if reading.id not in printed]:
        lines += ["", page.heading(sentence("cli.rules.other_readings", language))]
        for number, reading in enumerate(rest, start=len(printed) + 1):
            lines += _reading(book, reading, number, [], language)
    return lines


def _reading(book: Rulebook, reading: Article, number: int, also: list[str], language: str) -> list[str]:
    """A numbered reading of ours and, where the other one can be played too, how; `also` are the other places that it is about."""
    tail = " " + sentence("cli.rules.also_about", language, places="; ".join(also)) if also else ""
    label = sentence("cli.rules.reading", language)
    lines = [page.paragraph(f"{label} {number}: {reading.text[language]}{tail}", indent=6, hang=2)]
    for other in other_reading_views(book, language):
        if other.reading == reading.id:
            key = "this_reading" if other.id == book.id else "other_reading"
            facts = {"answer": other.answer, "id": other.id, "rulebook": folder_of(book.id)}
            line = sentence(f"cli.rules.{key}", language, **facts)
            lines.append(page.paragraph(line, indent=8, hang=2))
    return lines


def _switches(book: Rulebook, language: str) -> str:
    own = language_of(book.id, language)
    rows = [(words.question(key, own), *words.answer_row(book, key, language)[1:]) for key in words.QUESTIONS]
    return page.table(rows, indent=2)


def _draws(book: Rulebook, rules: list[DrawRule], language: str) -> list[str]:
    lines = []
    for rule in rules:
        where = words.written(book, rule, language)
        if rule.platform:
            where = f"{sentence('cli.rules.platform', language)}; {where}"
        lines.append(page.paragraph(f"- {words.draw(book, rule, language)} ({where})", indent=2, hang=2))
    return lines or [page.paragraph(sentence("cli.rules.no_draws", language), indent=2)]


# Two rulebooks


def _difference(difference: Difference, language: str) -> str:
    title = sentence(
        "cli.diff.title",
        language,
        first=rulebook_word(difference.first.id, language),
        second=rulebook_word(difference.second.id, language),
    )
    lines = [page.heading(title)]
    if not difference.switches and not difference.first_draws and not difference.second_draws:
        return "\n".join([*lines, sentence("cli.diff.same", language)])
    if difference.switches:
        lines += ["", page.heading(sentence("cli.diff.switches", language))]
    for key in difference.switches:
        lines.append(page.paragraph(words.question(key, language), indent=2))
        rows = [words.answer_row(book, key, language) for book in (difference.first, difference.second)]
        lines.append(page.table(rows, indent=4))
    draws = ((difference.first, difference.first_draws), (difference.second, difference.second_draws))
    if any(rules for _, rules in draws):
        lines += ["", page.heading(sentence("cli.diff.draws", language))]
    for book, rules in draws:
        if rules:
            lines.append(
                "  " + sentence("cli.diff.only", language, rulebook=rulebook_word(book.id, language))
            )
            lines += _draws(book, rules, language)
    lines.append("")
    if difference.verdict:
        lines.append(page.paragraph(sentence(f"cli.diff.{difference.verdict}", language)))
    else:
        lines += _positions(difference, language)
    return "\n".join(lines)


def _positions(difference: Difference, language: str) -> list[str]:
    lines = [page.heading(sentence("cli.diff.positions", language))]
    for witness in {witness.position: witness for witness in difference.witnesses.values()}.values():
        sides = (
            (difference.first, witness.position),
            (difference.second, difference.under_second(witness.position)),
        )
        rows = [
            (rulebook_word(book.id, language), position.fen, move_line(position.legal_moves))
            for book, position in sides
        ]
        reasons = (" + ".join(words.question(key, language) for key in keys) for keys in witness.causes)
        lines += [page.paragraph(" / ".join(reasons), indent=2), page.table(rows, indent=4)]
    if missing := [key for key in difference.matters if key not in difference.witnesses]:
        questions = "; ".join(words.question(key, language) for key in missing)
        lines.append(
            page.paragraph(sentence("cli.diff.no_position", language, switches=f"“{questions}”"), indent=2)
        )
    return lines
