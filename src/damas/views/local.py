"""The words of a game that is played in the browser alone: the same sentences, with their places to be filled there."""

from dataclasses import dataclass

from damas.errors import Citation
from damas.game.game import OFFER
from damas.language import BookLanguage, entries, keys, language_of, own_words, rulebook_word
from damas.rules import DrawRule, Rulebook, cite, rulebook, rulebooks
from damas.rules.articles import articles
from damas.rules.limits import LimitName
from damas.rules.readings import other_readings
from damas.views.words import QUESTIONS, question

FILES = ("refusal", "reason", "progress", "problem", "outcome", "piece", "color")
"""The files of the catalogue that a game needs beside the words of the pages."""
KEYS = (
    "error.notation",
    "error.setup",
    "pages.errors.NOT_FOUND",
    "error.unknown_rulebook",
    "analysis.better",
    "tablebase.wins",
    "tablebase.draw",
    "tablebase.cursed_later",
    *(f"tablebase.name.{name}" for name in ("win", "draw", "loss", "cursed-win", "blessed-loss")),
)
"""Sentences of other files that it needs."""


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


@dataclass(frozen=True, slots=True)
class LocalCitationView:
    """An article: as its text is cited, and as a sentence cites it."""

    article: str
    where: str


@dataclass(frozen=True, slots=True)
class LocalRulebookView:
    """What sentences about one rulebook need."""

    own: dict[str, str]
    """Sentences that the text has in its own words."""
    articles: dict[str, LocalCitationView]
    limits: dict[str, LocalLimitView]


@dataclass(frozen=True, slots=True)
class LocalWordsView:
    """The sentences of the catalogue that a game in the browser says, in one language."""

    lang: str
    regulation: str
    """How a sentence cites the regulation of such games."""
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
        regulation=Citation("casual", "", "regulation.casual").sentence(language),
        sentences={key: entries(key)[language] for key in named},
        questions={key: question(key, language) for key in QUESTIONS},
        rulebooks={book.id: _rulebook(book, language) for book in local_rulebooks()},
    )


def _rulebook(book: Rulebook, language: str) -> LocalRulebookView:
    spoken = language_of(book.id, language)
    own = own_words()[spoken.rulebook][language] if isinstance(spoken, BookLanguage) else {}
    cited = {article: cite(book, article) for article in articles(book).by_id}
    return LocalRulebookView(
        own={key: words for key, words in own.items() if key.split(".")[0] in FILES},
        articles={
            article: LocalCitationView(citation.article, citation.sentence(language))
            for article, citation in cited.items()
        }
        | {"": LocalCitationView("", rulebook_word(book.id, language))},
        limits={rule.id: _limit(book, rule, language) for rule in (*book.draws, OFFER)},
    )


def _limit(book: Rulebook, rule: DrawRule, language: str) -> LocalLimitView:
    endings: list[int | None] = list(range(len(rule.endings))) or [None]
    names = tuple(LimitName(book, rule, ending).sentence(language) for ending in endings)
    return LocalLimitView(rule.rule, rule.counts, rule.limit, names)
