"""A rulebook's answers and draw rules in words of the four languages."""

from collections.abc import Iterable

from damas.board import Square
from damas.errors import Citation
from damas.language import language_of, rulebook_word, sentence
from damas.rules import Clause, DrawRule, Rulebook, articles, cite
from damas.rules.clause import Cited
from damas.rules.limits import LimitName, ending_name
from damas.rules.schema import SECTIONS

QUESTIONS = tuple(question.key for questions in SECTIONS.values() for question in questions)
"""Keys of all questions that a rulebook answers."""


def question(key: str, language: str) -> str:
    """A question of a rulebook in words."""
    return sentence(f"cli.question.{key}", language)


def clause(book: Rulebook, key: str) -> Clause[object]:
    """A rulebook's answer to a question, with its articles."""
    answer: Clause[object] = getattr(book, key)
    return answer


def answer(key: str, value: object, language: str) -> str:
    """An answer in words.

    >>> answer("capture_priority", ("most_pieces", "most_kings"), "en")
    'the one taking most pieces, then the one taking most kings'
    """
    if isinstance(value, bool):
        return sentence("cli.answer.yes" if value else "cli.answer.no", language)
    if key == "capture_priority" and isinstance(value, tuple):
        laws = [sentence(f"cli.answer.{key}.{law}", language) for law in value or ("none",)]
        return sentence("cli.answer.then", language).join(laws)
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value}×{value}" if key == "size" else sentence(f"cli.answer.{key}.{value}", language)


def squares(book: Rulebook, named: Iterable[Square]) -> str:
    """A list of squares, as the rulebook's moves name them.

    >>> from damas.rules import rulebook
    >>> squares(rulebook("brasileira"), (9, 13)), squares(rulebook("concurso"), (9, 13))
    ('c3, d4', '2,2; 3,3')
    """
    names = [book.move_names[square] for square in named]
    return ("; " if any("," in name for name in names) else ", ").join(names)


def board(book: Rulebook, language: str) -> str:
    """The board of a rulebook in words."""
    kind = "all" if book.squares.value == "all" else book.corner.value
    return sentence(f"cli.board.{kind}", language, size=book.size.value)


def article(citation: Citation, language: str) -> str:
    """An article as people cite it: by its place in the text, or as a reading of ours."""
    if citation.id and not citation.article:
        return sentence("cli.rules.reading", language)
    return citation.article or "–"


def answer_row(book: Rulebook, key: str, language: str) -> tuple[str, str, str]:
    """A rulebook's answer as a line of a table: who, what, where it is written."""
    given = clause(book, key)
    own = language_of(book.id, language)
    name = rulebook_word(book.id, language)
    return name, answer(key, given.value, own), _listed(answer_citations(book, key), language)


def written(book: Rulebook, given: Cited, language: str) -> str:
    """Where something is written: every article of it, those cited alike once."""
    return _listed(citations(book, given), language)


def _listed(places: list[Citation], language: str) -> str:
    """Some citations in a line, those cited alike once."""
    cited = dict.fromkeys(article(citation, language) for citation in places)
    ours = sentence("cli.rules.reading", language)
    return (
        ", ".join(ours[0].lower() + ours[1:] if n and text == ours else text for n, text in enumerate(cited))
        or "–"
    )


def answer_citations(book: Rulebook, key: str) -> list[Citation]:
    """Where an answer is written; a reading of ours that gives it stands after the statement it reads."""
    readings = (entry.id for entry in articles(book).by_id.values() if key in entry.answers)
    return [*citations(book, clause(book, key)), *(cite(book, name) for name in readings)]


def citations(book: Rulebook, given: Cited) -> list[Citation]:
    """Where something is written: one article, or one for each part of it."""
    return [cite(book, article_id) for article_id in given.articles if article_id]


def article_text(book: Rulebook, article_id: str, language: str) -> str:
    """What an article says, in our words; empty where the rulebook has no such article."""
    entry = articles(book).by_id.get(article_id)
    return entry.text[language] if entry else ""


def draw(book: Rulebook, rule: DrawRule, language: str) -> str:
    """A draw rule of a rulebook as a sentence."""

    def word(key: str, **facts: object) -> str:
        return sentence(f"cli.draw.{key}", language, **facts)

    facts = {"result": word(rule.decides), "claim": word(rule.claim)}
    first = next((other for other in book.draws if other.id == rule.off_during), None)
    off = word("off_during", name=LimitName(book, first)) if first else ""
    if rule.rule != "limit":
        return word(rule.rule, limit=rule.limit, off=off, **facts)
    situation = [ending_name(pattern, language) for pattern in rule.endings]
    listed = "; ".join(situation)
    held = [listed] if listed else []
    if rule.pieces:
        held.append(word("on_board", fewest=rule.pieces[0], most=rule.pieces[1]))
    if rule.pieces_a_side is not None:
        held.append(word("a_side", most=rule.pieces_a_side))
    if rule.kings_on_both_sides:
        held.append(word("both_kings"))
    resets = word("or").join(sentence(f"limit.resets.{reset}", language) for reset in rule.resets)
    conditions = [
        word("without", resets=resets) if resets else "",
        word("starts_strong") if rule.starts == "strong_king_on_diagonal" else "",
        word("while_weak") if rule.lasts == "weak_king_on_diagonal" else "",
        word("starts_weak") if rule.starts == "weak_king_on_diagonal" and rule.lasts == "always" else "",
        word("unless_unavoidable" if rule.unavoidable else "unless") if rule.unless_capture else "",
        off,
    ]
    text = word(
        "limit",
        situation=word("endings", endings=", ".join(held)) if held else "",
        count=word(rule.counts, limit=rule.limit) if rule.limit else word("now"),
        conditions="".join(conditions),
        **facts,
    )
    return text[0].upper() + text[1:]
