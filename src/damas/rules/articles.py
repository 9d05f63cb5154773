"""The articles of a rulebook: every statement of its text in our own words, and our readings of the unclear ones.

An `[[article]]` or `[[reading]]` of `rulebooks/ID/articles.toml` has an id; ids that begin with B. or C. are readings, where
the text is silent, unclear or not known in full. `cite` is how the text itself is cited, with a number only where it is known.
Tags: ML move legality, RES result, SET set-up and geometry, ARB arbiter procedure, CON conduct, UI presentation, ADV
advice, DEF background.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from damas.errors import Citation
from damas.language import LANGUAGES
from damas.rules.readings import folder_of
from damas.rules.ruleset import Rulebook, built_in_file


@dataclass(frozen=True)
class Article:
    """A statement of the text, or our reading of the statements that `about` names."""

    id: str
    cite: str
    tags: tuple[str, ...]
    about: tuple[str, ...]
    text: Mapping[str, str]
    topic: str = ""
    """The matter of procedure that it rules on, where no switch asks for it: see `cite_topic`."""
    kept_by: tuple[str, ...] = ()
    """What keeps a statement that no answer of the rulebook cites: answers (`moves.promotion`), laws or files."""
    answers: tuple[str, ...] = ()
    """Of a reading: the questions that it answers although the rulebook cites the statement it is about."""

    @property
    def is_reading(self) -> bool:
        """Whether it is a reading of ours and not a statement of the text."""
        return not self.cite


@dataclass(frozen=True)
class Articles:
    """The file `articles.toml` of a rulebook."""

    source: str
    authors: tuple[str, ...]
    """The people whom the text names as its authors."""
    sha256: str
    by_id: Mapping[str, Article]


@cache
def _articles(rulebook_id: str) -> Articles:
    data = built_in_file(rulebook_id, "articles.toml")
    entries = [
        Article(
            entry["id"],
            entry.get("cite", ""),
            tuple(entry.get("tags", ())),
            tuple(entry.get("about", ())),
            {language: entry[language] for language in LANGUAGES},
            entry.get("topic", ""),
            tuple(entry.get("kept_by", ())),
            tuple(entry.get("answers", ())),
        )
        for entry in (*data.get("article", ()), *data.get("reading", ()))
    ]
    authors = tuple(data.get("authors", ()))
    return Articles(data["source"], authors, data["sha256"], {entry.id: entry for entry in entries})


def articles(rulebook: Rulebook) -> Articles:
    """The articles of a built-in rulebook in the order of its text; none for house rules."""
    from damas.rules.library import is_builtin

    return _articles(folder_of(rulebook.id)) if is_builtin(rulebook) else Articles("", (), "", {})


def cite(rulebook: Rulebook, article_id: str) -> Citation:
    """The citation of a statement or reading; of house rules, the words of their file."""
    article = articles(rulebook).by_id.get(article_id)
    if article is None:
        return Citation(rulebook.id, article_id, "")
    return Citation(rulebook.id, article.cite, article.id)


def cite_topic(rulebook: Rulebook, topic: str) -> Citation | None:
    """The citation of the statement on a matter of procedure; None where the text is silent."""
    entries = articles(rulebook).by_id.values()
    return next((cite(rulebook, article.id) for article in entries if article.topic == topic), None)
