"""The words of a game that is played in the browser alone: the same sentences, with their places to be filled there.

With them go the facts of every regulation, so that nothing about them is written a second time.
"""

from dataclasses import dataclass

from damas.arbiter import PRESETS, Regulation, regulation
from damas.arbiter.conduct import REPORTABLE, TOPICS, whole_capture_article
from damas.arbiter.procedures.board import crowning_article
from damas.game import Customs
from damas.game.game import OFFER
from damas.language import BookLanguage, entries, keys, language_of, own_words, rulebook_word
from damas.rules import DrawRule, Rulebook, cite, rulebook, rulebooks
from damas.rules.articles import articles, cite_topic
from damas.rules.limits import LimitName
from damas.rules.readings import other_readings
from damas.views.plain import view_of
from damas.views.words import QUESTIONS, question

FILES = (
    "refusal",
    "reason",
    "progress",
    "problem",
    "outcome",
    "piece",
    "color",
    "procedure",
    "fault",
    "conduct",
    "register",
    "event",
    "move",
)
"""The files of the catalogue that a game needs beside the words of the pages."""
KEYS = (
    "error.notation",
    "error.setup",
    "pages.errors.NOT_FOUND",
    "error.unknown_rulebook",
    "analysis.better",
    "cli.explain.passes",
    "hint.bottom_left",
    "error.no_tables_for_rules",
    "tablebase.not_here",
    "tablebase.rules_not_here",
    "tablebase.wins",
    "tablebase.draw",
    "tablebase.cursed_later",
    *(f"tablebase.name.{name}" for name in ("win", "draw", "loss", "cursed-win", "blessed-loss")),
)
"""Sentences of other files that it needs."""
PROCEDURE_TOPICS = (*TOPICS.values(), "adjusting", "attention")
"""Matters of procedure that a table cites."""


@dataclass(frozen=True, slots=True)
class LocalLimitView:
    """A draw rule of a rulebook, as sentences name it."""

    kind: str
    """limit, repetition, cycle or length."""
    counts: str
    """each, strong: whose moves its article counts."""
    limit: int
    names: tuple[str, ...]
    """What it is called: for each of its endings, or once."""
    name: str
    """What it is called, whichever ending is on the board."""


@dataclass(frozen=True, slots=True)
class LocalCitationView:
    """An article: as its text is cited, and as a sentence cites it."""

    article: str
    where: str


@dataclass(frozen=True, slots=True)
class LocalRegulationView:
    """A regulation, as far as a table in the browser asks it: see the settings of `Regulation`."""

    where: str
    """How a sentence cites it."""
    customs: Customs
    registers: bool
    """Whether irregularities of people are recorded."""
    people_lose_at: int
    wrong_claim: str
    wrong_claim_ms: int
    clock_stopped_by: str
    recorded: bool
    hints: bool
    take_back: bool
    offers_from_move: int
    abort_before_ply: int
    procedures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LocalTermsView:
    """How a regulation is played under a rulebook (see the methods of `Regulation`)."""

    agreement: bool
    touch_move: bool
    two_tempi: bool
    crowning_by_hand: bool
    bots_lose: bool
    people_lose: bool
    first_invalid_loses: bool
    judges_chain: bool
    lot: bool
    cites: dict[str, str]
    """Ids of what decides: of an article, or `regulation.` and a setting."""


@dataclass(frozen=True, slots=True)
class LocalRulebookView:
    """What a table of one rulebook needs: sentences, articles, and how each regulation is played under it."""

    hash: str
    terms: dict[str, LocalTermsView]
    topics: dict[str, str]
    """Ids of the articles on matters of procedure; a topic on which the text is silent is left out."""
    whole_capture: tuple[str, str]
    """Ids of the article that a capture must be completed: of a man, of a king."""
    crowning: str
    """Id of the article on crowning, and of others that a table cites."""
    turn: str
    time_out: str
    invalid_move: str
    agrees: bool
    """Whether the text itself names draws by agreement."""

    own: dict[str, str]
    """Sentences that the text has in its own words."""
    articles: dict[str, LocalCitationView]
    limits: dict[str, LocalLimitView]


@dataclass(frozen=True, slots=True)
class LocalWordsView:
    """The sentences of the catalogue that a game in the browser says, in one language."""

    lang: str
    regulations: dict[str, LocalRegulationView]
    reportable: dict[str, str]
    """What a player may report of the opponent, in order, and the topic of the article on it; empty for touched pieces."""
    sentences: dict[str, str]
    questions: dict[str, str]
    """What is asked of every rulebook, by key."""
    rulebooks: dict[str, LocalRulebookView]


def local_rulebooks() -> list[Rulebook]:
    """Every rulebook and reading."""
    return [*rulebooks(), *map(rulebook, other_readings())]


def local_words(language: str) -> LocalWordsView:
    """The sentences of games under every rulebook and reading."""
    named = [key for key in keys() if key in KEYS or key.split(".")[0] in FILES]
    return LocalWordsView(
        lang=language,
        regulations={preset: _regulation(regulation(preset), language) for preset in PRESETS},
        reportable={conduct: TOPICS.get(conduct, "") for conduct in REPORTABLE},
        sentences={key: entries(key)[language] for key in named},
        questions={key: question(key, language) for key in QUESTIONS},
        rulebooks={book.id: _rulebook(book, language) for book in local_rulebooks()},
    )


def _rulebook(book: Rulebook, language: str) -> LocalRulebookView:
    spoken = language_of(book.id, language)
    own = own_words()[spoken.rulebook][language] if isinstance(spoken, BookLanguage) else {}
    cited = {article: cite(book, article) for article in articles(book).by_id}
    topics = {topic: cite_topic(book, topic) for topic in PROCEDURE_TOPICS}
    return LocalRulebookView(
        hash=book.hash,
        terms={preset: _terms(regulation(preset), book) for preset in PRESETS},
        topics={topic: citation.id for topic, citation in topics.items() if citation},
        whole_capture=(
            whole_capture_article(book, king=False).id,
            whole_capture_article(book, king=True).id,
        ),
        crowning=crowning_article(book).id,
        turn=book.statement("turn"),
        time_out=book.time_out.article,
        invalid_move=book.invalid_move.article,
        agrees=book.agreement.value,
        own={key: words for key, words in own.items() if key.split(".")[0] in FILES},
        articles={
            article: LocalCitationView(citation.article, citation.sentence(language))
            for article, citation in cited.items()
        }
        | {"": LocalCitationView("", rulebook_word(book.id, language))},
        limits={rule.id: _limit(book, rule, language) for rule in (*book.draws, OFFER)},
    )


def _regulation(rules: Regulation, language: str) -> LocalRegulationView:
    return view_of(LocalRegulationView, rules, where=rules.cite("").sentence(language))


def _terms(rules: Regulation, book: Rulebook) -> LocalTermsView:
    cites = {
        "agreement": rules.cite_clause(book, book.agreement, True, "agreement"),
        "no_agreement": rules.cite_clause(book, book.agreement, False, "agreement"),
        "touch_move": rules.cite_clause(book, book.touch_move, True, "touch_move"),
        "bots_illegal_moves": rules.cite_clause(book, book.invalid_move, "loses", "bots_illegal_moves"),
    }
    return LocalTermsView(
        agreement=rules.agreement_under(book),
        touch_move=rules.touch_move_under(book),
        two_tempi=rules.two_tempi_under(book),
        crowning_by_hand=rules.crowning_by_hand_under(book),
        bots_lose=rules.bots_lose_under(book),
        people_lose=rules.people_lose_under(book),
        first_invalid_loses=rules.first_invalid_loses_under(book),
        judges_chain=rules.opponent_judges_chain_under(book),
        lot=rules.lot_under(book),
        cites={name: citation.id for name, citation in cites.items()},
    )


def _limit(book: Rulebook, rule: DrawRule, language: str) -> LocalLimitView:
    endings: list[int | None] = list(range(len(rule.endings))) or [None]
    names = tuple(LimitName(book, rule, ending).sentence(language) for ending in endings)
    return LocalLimitView(rule.rule, rule.counts, rule.limit, names, LimitName(book, rule).sentence(language))
