"""The glossary: an article is cited for a word only where the word stands."""

import re
import unicodedata

from damas.language import LANGUAGES
from damas.rules import articles, rulebook, rulebook_ids
from damas.server.learning.glossary import Entry, glossary
from damas.server.learning.quotation import quotations

STEM_LETTERS = 3
"""Letters that two forms of a word have in common."""


def _stems(text: str) -> set[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return {word[:STEM_LETTERS] for word in re.findall(r"\w+", plain) if len(word) >= 3}


def _own_words(entry: Entry) -> set[str]:
    texts = (table[language] for table in (entry.word, entry.meaning) for language in LANGUAGES)
    return set().union(*map(_stems, texts))


def test_an_article_is_cited_with_the_word_as_it_stands_there():
    by_id = {name for book in rulebook_ids() for name in articles(rulebook(book)).by_id}
    quoted = 0
    for entry in glossary():
        assert by_id >= {*entry.articles, *entry.about}, entry.id
        assert not entry.articles.keys() & set(entry.about), entry.id
        for article, written in entry.articles.items():
            assert not article.startswith("B."), f"{entry.id}: {article} is our reading, not the document"
            assert _stems(written) <= _own_words(entry), (entry.id, article, written)
            if article in quotations():
                quoted += 1
                assert written.lower() in quotations()[article][0].lower(), (entry.id, article, written)
    assert quoted > 15


def test_a_word_that_no_document_has_says_so():
    without = {entry.id: entry.meaning["pt-BR"] for entry in glossary() if not entry.articles}
    assert set(without) == {"remis", "turkish"}
    assert all("não está nos documentos" in meaning for meaning in without.values())
    majority = next(entry for entry in glossary() if entry.id == "majority")
    assert list(majority.articles) == ["000-22"]
