"""Games in the browser say what the server says."""

import pytest

from damas.language import LANGUAGES, language_of, sentence
from damas.views.local import local_words


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rulebook_calls_the_pieces_as_on_the_server(language):
    words = local_words(language)
    for rulebook, book in words.rulebooks.items():
        for key in ("piece.w", "piece.W", "piece.b", "piece.B"):
            here = book.own.get(key, words.sentences[key])
            assert here == sentence(key, language_of(rulebook, language)), (rulebook, key)
