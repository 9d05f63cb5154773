"""Rulebooks: all of them, one article by article, and in what two of them differ."""

from dataclasses import dataclass

from damas.game import Position
from damas.game.core import rules_of
from damas.game.lens import Witness, differing_switches, same_board, witnesses
from damas.language import language_of, sentence
from damas.rules import DrawRule, Rulebook, articles, cite
from damas.rules.about import about
from damas.rules.library import is_builtin
from damas.rules.readings import folder_of, readings_of
from damas.rules.schema import SECTIONS
from damas.views import words
from damas.views.lens import (
    CauseView,
    CitationView,
    ClauseView,
    cause_view,
    cause_views,
    citation_view,
    clause_view,
)
from damas.views.moves import MoveView, move_view
from damas.views.plain import view_of


@dataclass(frozen=True, slots=True)
class BoardShapeView:
    """Rows of a board, its playing squares (dark or all) and the hand at which each player has a playing corner."""

    size: int
    squares: str
    corner: str


@dataclass(frozen=True, slots=True)
class SquareView:
    """A square as White sees it, with its name in every scheme."""

    row: int
    column: int
    alg: str
    numbers: str
    rc: str


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board, its squares in the order of their internal index."""

    size: int
    all_squares: bool
    corner: str
    squares: tuple[SquareView, ...]
    scheme: str
    """The field of a square by which the rulebook's moves name it: alg, numbers or rc."""
    first_number: str
    main_diagonal: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OtherReadingView:
    """Another reading of a text that can be played, beside our own."""

    id: str
    """Id of the rulebook read so."""
    name: str
    reading: str
    """Id of our own reading."""
    answer: str
    """What it answers to the open question."""
    usual: str
    """What our own reading answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulebookEntryView:
    """A rulebook in a list of rulebooks: ids, board, who starts, source and what is special, without its articles."""

    id: str
    aliases: tuple[str, ...]
    hash: str
    board: BoardShapeView
    starter: str
    gametype: str
    source: str
    special: str
    """What it has that the others have not, in a line."""
    reading_of: str
    """Id of the rulebook whose text it reads otherwise; its own id if it is no such reading."""
    other_readings: tuple[OtherReadingView, ...]
    """The other readings of the same text that can be played."""
    lang: str


@dataclass(frozen=True, slots=True)
class ArticleView:
    """An article in our words, and the ids of our readings of it."""

    id: str
    cite: str
    tags: tuple[str, ...]
    text: str
    readings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadingView:
    """How we read what the text leaves unclear, and the articles it is about."""

    id: str
    about: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchView(ClauseView):
    """A rulebook's answer to one question, with the question."""

    section: str
    key: str
    question: str


@dataclass(frozen=True, slots=True)
class DrawRuleView:
    """A draw rule, as data and in words."""

    id: str
    rule: str
    limit: int
    claim: str
    decides: str
    platform: bool
    text: str
    article: str
    article_id: str
    articles: tuple[CitationView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulebookView(RulebookEntryView):
    """A whole rulebook: every article, reading, switch and draw rule."""

    authors: tuple[str, ...]
    """The people whom the text names as its authors."""
    label: str
    """What in our name for it is not in its text; empty where the text bears the name itself."""
    sha256: str
    articles: tuple[ArticleView, ...]
    readings: tuple[ReadingView, ...]
    switches: tuple[SwitchView, ...]
    statements: dict[str, tuple[str, ...]]
    """Ids of articles by what they state."""
    agreement: str
    """That the players may agree to a draw, with its article; empty where the text does not say so."""
    draws: tuple[DrawRuleView, ...]


@dataclass(frozen=True, slots=True)
class SwitchDifferenceView:
    """A question that two rulebooks answer differently."""

    key: str
    question: str
    first: ClauseView
    second: ClauseView


@dataclass(frozen=True, slots=True)
class DrawDifferenceView:
    """Draw rules that only one of two rulebooks has."""

    first: tuple[DrawRuleView, ...]
    second: tuple[DrawRuleView, ...]


@dataclass(frozen=True, slots=True)
class WitnessSideView:
    """A position and its legal moves under one of two rulebooks."""

    rulebook: str
    fen: str
    moves: tuple[MoveView, ...]


@dataclass(frozen=True, slots=True)
class WitnessView:
    """A position in which two rulebooks allow different moves."""

    switch: str
    causes: tuple[tuple[CauseView, ...], ...]
    first: WitnessSideView
    second: WitnessSideView


@dataclass(frozen=True, slots=True, kw_only=True)
class RulebookDifferenceView:
    """In what two rulebooks differ."""

    first: str
    second: str
    lang: str
    shared_board: bool
    same_moves: bool
    switches: tuple[SwitchDifferenceView, ...]
    draws: DrawDifferenceView
    positions: tuple[WitnessView, ...]
    without_position: tuple[str, ...]
    """Switches that matter, and of which no position is known that shows it."""


def special(book: Rulebook, language: str) -> str:
    """What a rulebook has that the others have not, in a line."""
    return about(book.id).summary[language] if is_builtin(book) else sentence("cli.rules.house", language)


def label_note(book: Rulebook, language: str) -> str:
    """What in our name for a rulebook is not in its text; empty where the text bears the name itself."""
    return about(book.id).label.get(language, "") if is_builtin(book) else ""


def agreement_note(book: Rulebook, language: str) -> str:
    """That the players may agree to a draw, with the article that says so; empty where the text does not."""
    if not book.agreement.value:
        return ""
    return sentence("limit.agreement", language, article=cite(book, book.agreement.article).article)


def other_reading_views(book: Rulebook, language: str) -> tuple[OtherReadingView, ...]:
    """The other readings of a rulebook's text that can be played; none for house rules."""
    readings = readings_of(folder_of(book.id)) if is_builtin(book) else []
    return tuple(
        OtherReadingView(
            reading.id,
            reading.name[language],
            reading.reading,
            reading.answer[language],
            reading.usual[language],
        )
        for reading in readings
    )


def rulebook_entry(book: Rulebook, language: str) -> RulebookEntryView:
    """A rulebook in a list of rulebooks: ids, board, who starts, source and what is special, without its articles."""
    return view_of(
        RulebookEntryView,
        book,
        board=BoardShapeView(book.size.value, book.squares.value, book.corner.value),
        starter=book.starter.value,
        source=articles(book).source,
        special=special(book, language),
        reading_of=folder_of(book.id) if is_builtin(book) else book.id,
        other_readings=other_reading_views(book, language),
        lang=language,
    )


def rulebook_view(book: Rulebook, language: str) -> RulebookView:
    """The answer of `damas rules ID --json`."""
    text = articles(book)
    entries = text.by_id.values()
    return view_of(
        RulebookView,
        rulebook_entry(book, language),
        authors=text.authors,
        label=label_note(book, language),
        sha256=text.sha256,
        articles=tuple(
            view_of(
                ArticleView,
                article,
                text=article.text[language],
                readings=tuple(reading.id for reading in entries if article.id in reading.about),
            )
            for article in entries
            if not article.is_reading
        ),
        readings=tuple(
            ReadingView(reading.id, tuple(reading.about), reading.text[language])
            for reading in entries
            if reading.is_reading
        ),
        switches=tuple(
            view_of(
                SwitchView,
                clause_view(book, question.key, language),
                section=section,
                key=question.key,
                question=words.question(question.key, language_of(book.id, language)),
            )
            for section, questions in SECTIONS.items()
            for question in questions
        ),
        statements={key: tuple(statement.articles) for key, statement in book.statements.items()},
        agreement=agreement_note(book, language),
        draws=tuple(draw_rule_view(book, rule, language) for rule in book.draws),
    )


def draw_rule_view(book: Rulebook, rule: DrawRule, language: str) -> DrawRuleView:
    """A draw rule of a rulebook."""
    citation = cite(book, rule.article)
    return view_of(
        DrawRuleView,
        rule,
        text=words.draw(book, rule, language),
        article=citation.article,
        article_id=citation.id,
        articles=tuple(citation_view(each) for each in words.citations(book, rule)),
    )


def board_view(book: Rulebook) -> BoardView:
    """The board of a rulebook, each square with its names in every scheme."""
    shape = book.geometry
    squares = zip(shape.shown, shape.algebraic, shape.numbers, shape.rows_columns, strict=True)
    return view_of(
        BoardView,
        shape,
        squares=tuple(SquareView(row, column, alg, number, rc) for (row, column), alg, number, rc in squares),
        scheme={"algebraic": "alg", "numbers": "numbers", "rows-columns": "rc"}[book.move_text],
        main_diagonal=tuple(sorted(shape.main_diagonal)),
    )


def has_river(book: Rulebook) -> bool:
    """Whether the long diagonal is drawn as the river: its Portuguese name goes with the law that asks who holds it."""
    return any(rule.starts == "strong_king_on_diagonal" for rule in book.draws)


def _comparison_key(rule: DrawRule) -> str:
    """A key that is equal for draw rules that say the same, whatever their ids and articles."""
    return repr({key: value for key, value in vars(rule).items() if key not in ("id", "articles")})


class Difference:
    """In what two rulebooks differ: answers, draw rules, and positions that show it."""

    def __init__(self, first: Rulebook, second: Rulebook) -> None:
        self.first, self.second = first, second
        self.switches = [
            key
            for key in words.QUESTIONS
            if words.clause(first, key).value != words.clause(second, key).value
        ]
        of_second, of_first = ({_comparison_key(rule) for rule in book.draws} for book in (second, first))
        self.first_draws = [rule for rule in first.draws if _comparison_key(rule) not in of_second]
        self.second_draws = [rule for rule in second.draws if _comparison_key(rule) not in of_first]
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

    def under_second(self, position: Position) -> Position:
        """The position under the second rulebook."""
        return position.under(rules_of(self.second))

    def view(self, language: str) -> RulebookDifferenceView:
        """The answer of `damas rules --diff --json`."""
        first, second = self.first, self.second
        causes = [cause_view(first, second, key, language) for key in self.switches]
        return RulebookDifferenceView(
            first=first.id,
            second=second.id,
            lang=language,
            shared_board=self.shares_board,
            same_moves=self.shares_board and not self.matters,
            switches=tuple(
                SwitchDifferenceView(cause.switch, cause.question, cause.first, cause.second)
                for cause in causes
            ),
            draws=DrawDifferenceView(
                tuple(draw_rule_view(first, rule, language) for rule in self.first_draws),
                tuple(draw_rule_view(second, rule, language) for rule in self.second_draws),
            ),
            positions=tuple(self._witness_view(*item, language) for item in self.witnesses.items()),
            without_position=tuple(key for key in self.matters if key not in self.witnesses),
        )

    def _witness_view(self, key: str, witness: Witness, language: str) -> WitnessView:
        def side(book: Rulebook, position: Position) -> WitnessSideView:
            moves = tuple(move_view(move, book.square_names) for move in position.legal_moves)
            return WitnessSideView(book.id, position.fen, moves)

        return WitnessView(
            key,
            cause_views(self.first, self.second, witness.causes, language),
            side(self.first, witness.position),
            side(self.second, self.under_second(witness.position)),
        )
