"""`damas rules`: the rulebooks, one of them article by article, or what parts two of them."""

import argparse
from itertools import groupby

from damas.cli import page, words
from damas.cli.answers import move_object, print_json
from damas.cli.arguments import BadInput
from damas.cli.compare import cause_objects, clause_object, move_line
from damas.game import Position
from damas.game.core import rules_of
from damas.game.lens import Witness, differing_switches, same_board, witnesses
from damas.language import sentence
from damas.rules import Article, DrawRule, Rulebook, articles, cite, rulebook, rulebooks, to_toml
from damas.rules.library import is_builtin
from damas.rules.schema import SECTIONS


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id", nargs="?", metavar="ID", help="a rulebook: id, English name, or your own rules.toml"
    )
    parser.add_argument(
        "--toml", action="store_true", help="write the rulebook out as the start of your own rules"
    )
    parser.add_argument("--diff", nargs=2, metavar=("A", "B"), help="in what two rulebooks part")


def run(options: argparse.Namespace) -> int:
    language = options.language
    if options.diff:
        if options.id or options.toml:
            raise BadInput(
                "--diff takes two rulebooks and nothing else, as in: damas rules --diff brasileira oficial"
            )
        first, second = (rulebook(name) for name in options.diff)
        difference = Difference(first, second)
        if options.json:
            print_json(difference.answer(language))
        else:
            print(difference.text(language))
    elif options.id is None:
        if options.toml:
            raise BadInput("--toml needs a rulebook, as in: damas rules brasileira --toml")
        if options.json:
            print_json({"rulebooks": [_entry(book, language) for book in rulebooks()]})
        else:
            print(_list(language))
    else:
        book = rulebook(options.id)
        if options.toml and options.json:
            print_json({"id": book.id, "toml": to_toml(book)})
        elif options.toml:
            print(to_toml(book), end="")
        elif options.json:
            print_json(_book_answer(book, language))
        else:
            print(_book_text(book, language))
    return 0


# All of them


def _special(book: Rulebook, language: str) -> str:
    return sentence(f"cli.special.{book.id}" if is_builtin(book) else "cli.rules.house", language)


def _entry(book: Rulebook, language: str) -> dict[str, object]:
    return {
        "id": book.id,
        "aliases": list(book.aliases),
        "hash": book.hash,
        "board": {"size": book.size.value, "squares": book.squares.value, "corner": book.corner.value},
        "starter": book.starter.value,
        "gametype": book.gametype,
        "source": articles(book).source,
        "special": _special(book, language),
        "lang": language,
    }


def _list(language: str) -> str:
    lines = []
    for book in rulebooks():
        name = page.heading(book.id) + " " * max(1, 16 - len(book.id))
        lines.append(f"{name}{', '.join(book.aliases):16}{words.board(book, language)}".rstrip())
        lines.append(page.paragraph(_special(book, language), indent=4))
    return "\n".join([*lines, "", page.paragraph(sentence("cli.rules.use", language))])


# One of them


def _draw_object(book: Rulebook, rule: DrawRule, language: str) -> dict[str, object]:
    citation = cite(book, rule.article)
    return {
        "id": rule.id,
        "rule": rule.rule,
        "limit": rule.limit,
        "claim": rule.claim,
        "decides": rule.decides,
        "platform": rule.platform,
        "text": words.draw(rule, language),
        "article": citation.article,
        "article_id": citation.id,
    }


def _book_answer(book: Rulebook, language: str) -> dict[str, object]:
    text = articles(book)
    entries = text.by_id.values()
    return {
        **_entry(book, language),
        "sha256": text.sha256,
        "articles": [
            {
                "id": article.id,
                "cite": article.cite,
                "tags": list(article.tags),
                "text": article.text[language],
                "readings": [reading.id for reading in entries if article.id in reading.about],
            }
            for article in entries
            if not article.is_reading
        ],
        "readings": [
            {"id": reading.id, "about": list(reading.about), "text": reading.text[language]}
            for reading in entries
            if reading.is_reading
        ],
        "switches": [
            {
                "section": section,
                "key": question.key,
                "question": words.question(question.key, language),
                **clause_object(book, question.key, language),
            }
            for section, questions in SECTIONS.items()
            for question in questions
        ],
        "statements": dict(book.statements),
        "draws": [_draw_object(book, rule, language) for rule in book.draws],
    }


def _book_text(book: Rulebook, language: str) -> str:
    text = articles(book)
    names = f"{book.id} ({', '.join(book.aliases)})" if book.aliases else book.id
    lines = [page.heading(names), page.paragraph(_special(book, language)), words.board(book, language)]
    if text.source:
        lines.append(page.paragraph(sentence("cli.rules.source", language, source=text.source), hang=2))
    lines.append(sentence("cli.rules.hash", language, hash=book.hash))
    if text.by_id:
        lines += ["", page.heading(sentence("cli.rules.articles", language)), *_articles(book, language)]
    lines += ["", page.heading(sentence("cli.rules.switches", language)), _switches(book, language)]
    lines += [
        "",
        page.heading(sentence("cli.rules.draws", language)),
        *_draws(book, list(book.draws), language),
    ]
    return "\n".join(lines)


def _articles(book: Rulebook, language: str) -> list[str]:
    """The statements in the order of the text, those cited alike together, each with our readings beneath.

    A reading of several statements stands beneath the first of them; the others point to it.
    """
    entries = list(articles(book).by_id.values())
    readings = [entry for entry in entries if entry.is_reading]
    told: set[str] = set()
    lines: list[str] = []
    for heading, group in groupby(
        (entry for entry in entries if not entry.is_reading), key=lambda entry: entry.cite
    ):
        lines += ["", page.heading(heading)]
        for article in group:
            lines.append(
                page.paragraph(f"{article.id}  {article.text[language]}", indent=2, hang=len(article.id) + 2)
            )
            mine = [reading for reading in readings if article.id in reading.about]
            for reading in mine:
                if reading.id not in told:
                    lines.append(_reading(reading, article.id, language))
            if known := [reading.id for reading in mine if reading.id in told]:
                ids = ", ".join(known)
                lines.append(page.paragraph(sentence("cli.rules.see_reading", language, ids=ids), indent=6))
            told.update(reading.id for reading in mine)
    if rest := [reading for reading in readings if reading.id not in told]:
        lines += ["", page.heading(sentence("cli.rules.other_readings", language))]
        lines += [_reading(reading, "", language) for reading in rest]
    return lines


def _reading(reading: Article, beneath: str, language: str) -> str:
    others = ", ".join(about for about in reading.about if about != beneath)
    tail = " " + sentence("cli.rules.also_about", language, ids=others) if others else ""
    label = sentence("cli.rules.reading", language)
    return page.paragraph(f"{label} {reading.id}: {reading.text[language]}{tail}", indent=6, hang=2)


def _switches(book: Rulebook, language: str) -> str:
    rows = [
        (words.question(key, language), *words.answer_row(book, key, language)[1:]) for key in words.QUESTIONS
    ]
    return page.table(rows, indent=2)


def _draws(book: Rulebook, rules: list[DrawRule], language: str) -> list[str]:
    lines = []
    for rule in rules:
        where = words.article(cite(book, rule.article), language)
        if rule.platform:
            where = f"{sentence('cli.rules.platform', language)}; {where}"
        lines.append(page.paragraph(f"- {words.draw(rule, language)} ({where})", indent=2, hang=2))
    return lines or [page.paragraph(sentence("cli.rules.no_draws", language), indent=2)]


# Two of them


def _said(rule: DrawRule) -> str:
    """What a draw rule says, whatever it is called and wherever it is written."""
    return repr({key: value for key, value in vars(rule).items() if key not in ("id", "article")})


class Difference:
    """In what two rulebooks part: answers, draw rules, and positions that show it."""

    def __init__(self, first: Rulebook, second: Rulebook) -> None:
        self.first, self.second = first, second
        self.switches = [
            key
            for key in words.QUESTIONS
            if words.clause(first, key).value != words.clause(second, key).value
        ]
        theirs = ({_said(rule) for rule in second.draws}, {_said(rule) for rule in first.draws})
        self.first_draws = [rule for rule in first.draws if _said(rule) not in theirs[0]]
        self.second_draws = [rule for rule in second.draws if _said(rule) not in theirs[1]]
        self.shares_board = same_board(first, second)
        self.matters = differing_switches(first, second) if self.shares_board else ()
        self.witnesses = witnesses(first, second)

    @property
    def _verdict(self) -> str:
        """Key of the sentence that says what becomes of the legal moves; empty if positions show it."""
        if not self.shares_board:
            return "other_boards"
        if self.matters:
            return ""
        only_draws = (self.first_draws or self.second_draws) and set(self.switches) <= {"agreement"}
        return "only_draws" if only_draws else "same_moves"

    def _there(self, position: Position) -> Position:
        return position.under(rules_of(self.second))

    def answer(self, language: str) -> dict[str, object]:
        return {
            "first": self.first.id,
            "second": self.second.id,
            "lang": language,
            "shared_board": self.shares_board,
            "same_moves": self.shares_board and not self.matters,
            "switches": [
                {
                    "key": key,
                    "question": words.question(key, language),
                    "first": clause_object(self.first, key, language),
                    "second": clause_object(self.second, key, language),
                }
                for key in self.switches
            ],
            "draws": {
                "first": [_draw_object(self.first, rule, language) for rule in self.first_draws],
                "second": [_draw_object(self.second, rule, language) for rule in self.second_draws],
            },
            "positions": [
                self._position_object(key, witness, language) for key, witness in self.witnesses.items()
            ],
            "without_position": [key for key in self.matters if key not in self.witnesses],
        }

    def _position_object(self, key: str, witness: Witness, language: str) -> dict[str, object]:
        sides = {"first": witness.position, "second": self._there(witness.position)}
        return {
            "switch": key,
            "causes": cause_objects(self.first, self.second, witness.causes, language),
            **{
                name: {
                    "rulebook": book.id,
                    "fen": position.fen,
                    "moves": [move_object(move, book.square_names) for move in position.legal_moves],
                }
                for (name, position), book in zip(sides.items(), (self.first, self.second), strict=True)
            },
        }

    def text(self, language: str) -> str:
        title = sentence("cli.diff.title", language, first=self.first.id, second=self.second.id)
        lines = [page.heading(title)]
        if not self.switches and not self.first_draws and not self.second_draws:
            return "\n".join([*lines, sentence("cli.diff.same", language)])
        if self.switches:
            lines += ["", page.heading(sentence("cli.diff.switches", language))]
        for key in self.switches:
            lines.append(page.paragraph(words.question(key, language), indent=2))
            lines.append(
                page.table(
                    [words.answer_row(book, key, language) for book in (self.first, self.second)], indent=4
                )
            )
        if self.first_draws or self.second_draws:
            lines += ["", page.heading(sentence("cli.diff.draws", language))]
        for book, rules in ((self.first, self.first_draws), (self.second, self.second_draws)):
            if rules:
                lines += [
                    "  " + sentence("cli.diff.only", language, rulebook=book.id),
                    *_draws(book, rules, language),
                ]
        lines.append("")
        if self._verdict:
            lines.append(page.paragraph(sentence(f"cli.diff.{self._verdict}", language)))
        else:
            lines += self._positions(language)
        return "\n".join(lines)

    def _positions(self, language: str) -> list[str]:
        lines = [page.heading(sentence("cli.diff.positions", language))]
        for witness in {witness.position: witness for witness in self.witnesses.values()}.values():
            sides = ((self.first, witness.position), (self.second, self._there(witness.position)))
            rows = [(book.id, position.fen, move_line(position.legal_moves)) for book, position in sides]
            reasons = (" + ".join(words.question(key, language) for key in keys) for keys in witness.causes)
            lines += [page.paragraph(" / ".join(reasons), indent=2), page.table(rows, indent=4)]
        if missing := [key for key in self.matters if key not in self.witnesses]:
            asked = "; ".join(words.question(key, language) for key in missing)
            lines.append(
                page.paragraph(sentence("cli.diff.no_position", language, switches=f"“{asked}”"), indent=2)
            )
        return lines
