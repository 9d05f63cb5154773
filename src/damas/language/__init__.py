"""What damas says to people: one catalogue of sentences in four languages."""

from damas.language.catalogue import (
    LANGUAGES,
    BookLanguage,
    Saying,
    best_language,
    entries,
    keys,
    language_of,
    own_words,
    rulebook_word,
    sentence,
    word,
)

__all__ = [
    "LANGUAGES",
    "BookLanguage",
    "Saying",
    "best_language",
    "entries",
    "keys",
    "language_of",
    "own_words",
    "rulebook_word",
    "sentence",
    "word",
]
