"""Rulebooks as programs read them: all of them, one article by article, and in what two of them part."""

from damas.answers import words
from damas.answers.lens import cause_objects, clause_object
from damas.answers.moves import move_object
from damas.game import Position
from damas.game.core import rules_of
from damas.game.lens import Witness, differing_switches, same_board, witnesses
from damas.language import sentence
from damas.rules import DrawRule, Rulebook, articles, cite
from damas.rules.about import about
from damas.rules.library import is_builtin
from damas.rules.schema import SECTIONS


def special(book: Rulebook, language: str) -> str:
    """What it has that the others have not, in a line."""
    return about(book.id).summary[language] if is_builtin(book) else sentence("cli.rules.house", language)


def entry(book: Rulebook, language: str) -> dict[str, object]:
    """A rulebook among others."""
    return {
        "id": book.id,
        "aliases": list(book.aliases),
        "hash": book.hash,
        "board": {"size": book.size.value, "squares": book.squares.value, "corner": book.corner.value},
        "starter": book.starter.value,
        "gametype": book.gametype,
        "source": articles(book).source,
        "special": special(book, language),
        "lang": language,
    }


def book_answer(book: Rulebook, language: str) -> dict[str, object]:
    """What `damas rules ID --json` says: every article, reading, switch and draw rule."""
    text = articles(book)
    entries = text.by_id.values()
    return {
        **entry(book, language),
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
        "statements": {key: list(said.articles) for key, said in book.statements.items()},
        "draws": [draw_object(book, rule, language) for rule in book.draws],
    }


def draw_object(book: Rulebook, rule: DrawRule, language: str) -> dict[str, object]:
    citations = words.citations(book, rule)
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
        "articles": [{"article": each.article, "article_id": each.id} for each in citations],
    }


def _said(rule: DrawRule) -> str:
    """What a draw rule says, whatever it is called and wherever it is written."""
    return repr({key: value for key, value in vars(rule).items() if key not in ("id", "articles")})


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
    def verdict(self) -> str:
        """Key of the sentence that says what becomes of the legal moves; empty if positions show it."""
        if not self.shares_board:
            return "other_boards"
        if self.matters:
            return ""
        only_draws = (self.first_draws or self.second_draws) and set(self.switches) <= {"agreement"}
        return "only_draws" if only_draws else "same_moves"

    def there(self, position: Position) -> Position:
        """The position under the second rulebook."""
        return position.under(rules_of(self.second))

    def answer(self, language: str) -> dict[str, object]:
        """What `damas rules --diff --json` says."""
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
                "first": [draw_object(self.first, rule, language) for rule in self.first_draws],
                "second": [draw_object(self.second, rule, language) for rule in self.second_draws],
            },
            "positions": [
                self._position_object(key, witness, language) for key, witness in self.witnesses.items()
            ],
            "without_position": [key for key in self.matters if key not in self.witnesses],
        }

    def _position_object(self, key: str, witness: Witness, language: str) -> dict[str, object]:
        sides = {"first": witness.position, "second": self.there(witness.position)}
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
