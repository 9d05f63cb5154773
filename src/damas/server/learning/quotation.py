"""Sentences of the documents themselves, to be shown beside our paraphrase: short ones, and few of each document."""

import tomllib
from functools import cache
from pathlib import Path

from damas.language import LANGUAGES

FILE = Path(__file__).parent / "quotations.toml"
"""The sentences by the language of their document and the id of their article."""


@cache
def quotations() -> dict[str, tuple[str, str]]:
    """The sentence of an article and its language, by the id of the article."""
    data = tomllib.loads(FILE.read_text("utf-8"))
    return {
        article: (text, language)
        for language in LANGUAGES
        for article, text in data.get(language, {}).items()
    }
