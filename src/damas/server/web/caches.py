"""Fills caches after the start: what would otherwise be put together in the event loop for the first who asks for it."""

import time
from collections.abc import Callable, Iterator
from functools import partial

from damas.language import LANGUAGES
from damas.rules import rulebook_ids
from damas.server.learning.course import lessons
from damas.server.learning.glossary import glossary
from damas.server.learning.puzzle import rulebooks_with_puzzles, sheet_of
from damas.server.learning.views import example_views
from damas.server.web.pages import compile_templates
from damas.server.web.rules import rulebook_json
from damas.server.words import Words

PAUSE_S, BUSY_S = 0.05, 5.0
"""How long to wait before each next one, and while games are played."""


def fill_caches(words: Words, idle: Callable[[], bool]) -> None:
    """Fills every cache, a little at a time and only while no game is played: for a thread."""
    for fill in _fills(words):
        time.sleep(PAUSE_S)
        while not idle():
            time.sleep(BUSY_S)
        fill()


def _fills(words: Words) -> Iterator[Callable[[], object]]:
    yield from compile_templates()
    yield from (partial(words.sent, language) for language in LANGUAGES)
    yield lessons
    yield glossary
    yield from (partial(sheet_of, name) for name in rulebooks_with_puzzles())
    for name in rulebook_ids():
        yield partial(example_views, name)
        yield from (partial(rulebook_json, name, language) for language in LANGUAGES)
    yield from (partial(rulebook_json, "", language) for language in LANGUAGES)
