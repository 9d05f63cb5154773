"""about.toml of every rulebook: names and summaries in every language, a place in lists, endings that exist."""

from pathlib import Path

import pytest

from damas.language import LANGUAGES
from damas.rules import articles, rulebook, rulebook_ids
from damas.rules.about import about
from damas.rules.library import aliases, builtin_id, home_rulebook, home_rulebooks
from damas.rules.readings import other_readings
from damas.rules.ruleset import FOLDER
from damas.server.learning.ending import ENDINGS

TOPICS = {
    "adjusting",
    "aids",
    "attention",
    "blowing",
    "crowning",
    "hands",
    "holding",
    "promotion",
    "two_tempi",
}
"""The topics by which the arbiter cites a statement."""


def test_every_folder_is_a_rulebook_with_its_four_files() -> None:
    folders = {path.name for path in Path(FOLDER).iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(rulebook_ids())
    for book_id in rulebook_ids():
        files = {path.name for path in (Path(FOLDER) / book_id).iterdir()}
        assert files - {"editions.toml", "openings", "readings.toml", "words.toml"} == {
            "about.toml",
            "articles.toml",
            "cases.toml",
            "rules.toml",
        }
        assert rulebook(book_id).id == book_id


@pytest.mark.parametrize("book_id", [*rulebook_ids(), *other_readings()])
def test_names_and_summaries_are_in_every_language(book_id: str) -> None:
    facts = about(book_id)
    assert set(facts.name) == set(facts.summary) == set(LANGUAGES)
    assert all(facts.name.values())
    assert all(summary.endswith(".") and len(summary) <= 80 for summary in facts.summary.values())


def test_lists_have_one_order() -> None:
    orders = [about(book_id).order for book_id in rulebook_ids()]
    assert orders == sorted(set(orders))


def test_every_alias_leads_to_one_rulebook() -> None:
    ids = {*rulebook_ids(), *other_readings()}
    assert sum(len(rulebook(book_id).aliases) for book_id in ids) == len(aliases())
    assert not set(aliases()) & ids
    assert all(builtin_id(alias.upper()) == book_id for alias, book_id in aliases().items())


def test_every_language_has_one_rulebook_at_home() -> None:
    homes = [about(book_id).home for book_id in rulebook_ids() if about(book_id).home]
    assert sorted(homes) == sorted(LANGUAGES)
    assert all(about(home_rulebook(language)).home == language for language in LANGUAGES)
    assert home_rulebooks("es") == ["espanhola", "concurso"]  # 004 is Spanish, and a contest's
    assert home_rulebooks("pt-BR") == ["brasileira"]


def test_endings_and_topics_exist() -> None:
    known_endings = {ending.id for ending in ENDINGS}
    for book_id in rulebook_ids():
        assert set(about(book_id).endings) <= known_endings
        topics = [article.topic for article in articles(rulebook(book_id)).by_id.values() if article.topic]
        assert set(topics) <= TOPICS
        assert len(topics) == len(set(topics))
