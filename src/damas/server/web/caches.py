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
from damas.server.web.local_files import local_words_json
from damas.server.web.pages import compile_templates
from damas.server.web.rules import rulebook_json
from damas.server.web.static_files import make_bundles, read_static_files
from damas.server.words import Words

PAUSE_S = 0.05
"""Time between two of them. Each holds Python's lock, and the event loop waits a millisecond for it."""


def fill_caches(words: Words) -> None:
    """Fills every cache, a little at a time, whether games are played or not: for a thread.

    A server that starts again under load is never idle, and the first visitor of each page would stop every game for
    as long as its template is compiled.
    """
    for fill in _fills(words):
        time.sleep(PAUSE_S)
        fill()


def _fills(words: Words) -> Iterator[Callable[[], object]]:
    yield read_static_files
    yield from (partial(words.sent, language) for language in LANGUAGES)
    yield from compile_templates()
    yield from make_bundles()
    yield lessons
    yield glossary
    yield from (partial(sheet_of, name) for name in rulebooks_with_puzzles())
    for name in rulebook_ids():
        yield partial(example_views, name)
        yield from (partial(rulebook_json, name, language) for language in LANGUAGES)
    yield from (partial(rulebook_json, "", language) for language in LANGUAGES)
    yield from (partial(local_words_json, language) for language in LANGUAGES)
