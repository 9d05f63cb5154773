"""What a proofreader looks for and a machine can find: ids of programmers, mixed forms of address, words of the other side."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import damas
from damas.cli.rules import _book_text
from damas.errors import Citation
from damas.language import LANGUAGES, entries, keys, own_words
from damas.rules import articles, rulebook, rulebook_ids
from damas.rules.about import about
from damas.rules.readings import readings_of

LEARNING = Path(damas.__file__).parent / "server/learning"
ID = re.compile(r"\b[BC]\.[\w.]*\d|(?<![\d-])00[0-4]-(?!\d{3}-)[A-Z0-9]|\b[BC]\.\w+-\w+")
"""Ids of statements and readings, such as 003-1a and B.002-2; a game of a tournament (001-001-01) has another shape."""

USTED = (
    "acepte|borre|busque|compare|confirme|continúe|copie|cree|cuente|dé|deje|diga|elija|encuentre|entregue|envíe|escriba|"
    "espere|haga|indique|intente|juegue|lea|mire|mueva|observe|pegue|ponga|pruebe|pulse|repita|responda|revise|siga|"
    "termine|tome|toque|use|vea|vuelva"
)
"""Imperatives of *usted*; at the beginning of a clause they are no subjunctives."""
WRONG = {
    "es": [
        r"\busted(?:es)?\b|\bconsigo\b",
        rf"(?i:(?:^|[.:;!?(«] ?)(?:{USTED})\b)",
        r"(?i)\b(?:inténte|búsque|instále|escríba|díga|hága|tráiga|compruébe|constrúya|elíja|ocúpe|muéva|míre)l[oa]s?\b",
        r"\b(?:es|son|da|dan|en|ofrec\w+|acept\w+|propon\w+|pact\w+|acord\w+|(?:regla|cuenta|límite|oferta)s? de) (?:las )?tablas\b(?! de finales)",
        r"\bordenador|\bmóvil\b|\bIntro\b|\bRío\b",
    ],
    "pt-PT": [
        r"\b(?:você|tela|celular|mouse|usuários?|senha|registros?|pedras?|cadastro|baixar|câmera)\b",
        r"\best(?:á|ão|ava|avam) \w+ndo\b",
        r"\b(?:object|act[oau]|actu|direcç|excepç|efectu|correct|project|óptim|acç)|\bpára\b|\bsuste\b",
    ],
    "pt-BR": [r"\b(?:ecrã|telemóvel|ficheiros?|utilizador\w*|registos?|peão|peões|equipa|palavra-passe)\b"],
    "en": [],
}
"""What may not stand in a sentence of each language."""
QUOTED = re.compile("«[^»]*»|“[^”]*”")
"""What a sentence quotes: there the words of a text stand as they are."""
MAN = re.compile(r"\b(?:pedras?|peão|peões)\b", re.IGNORECASE)
"""The man, for which each Portuguese document has its own word."""
PT = [r"canto de jogo", r"\bda FARAES\b", r"desde baixo", r"\bv\. 1\b"]


def of_language(table: Any, where: str) -> Iterator[tuple[str, str, str]]:
    """Every text below a table that stands under the tag of a language: where, language, text."""
    if isinstance(table, list):
        for number, each in enumerate(table):
            yield from of_language(each, f"{where}[{number}]")
    elif isinstance(table, dict):
        for key, value in table.items():
            if key in LANGUAGES:
                for text in value if isinstance(value, list) else [value]:
                    yield where, key, str(text)
            else:
                yield from of_language(value, f"{where}.{key}")


def texts() -> Iterator[tuple[str, str, str]]:
    """Every text of the product that people read, as where, language, text: the catalogue, rulebooks."""
    for key in keys():
        for language, text in entries(key).items():
            yield key, language, text
    for book_id in rulebook_ids():
        facts = about(book_id)
        for part in (facts.name, facts.summary, facts.label):
            for language, text in part.items():
                yield f"{book_id}/about.toml", language, text
        for article in articles(rulebook(book_id)).by_id.values():
            for language, text in article.text.items():
                yield article.id, language, MAN.sub("…", text) if book_id in own_words() else text
        for reading in readings_of(book_id):
            for part in (reading.name, reading.summary, reading.answer, reading.usual):
                for language, text in part.items():
                    yield f"{book_id}/readings.toml", language, text
        for language, words in own_words().get(book_id, {}).items():
            for key, text in words.items():
                yield f"{book_id}/words.toml {key}", language, MAN.sub("…", text)


def lessons() -> Iterator[tuple[str, str, str]]:
    """Every text of the courses, the lessons and the glossary, but for the documents' words for the man."""
    for path in (
        *sorted(LEARNING.glob("lessons/*.toml")),
        LEARNING / "courses.toml",
        LEARNING / "glossary.toml",
    ):
        for where, language, text in of_language(tomllib.loads(path.read_text(encoding="utf-8")), path.name):
            yield where, language, MAN.sub("…", text)


def test_no_text_shows_an_id_of_programmers() -> None:
    assert all(ID.search(text) for text in ("see B.002-2", "003-1a", "C.frisia-1", "B.000-turn"))
    assert not any(ID.search(text) for text in ("game 001-001-01", "FMJD 5.4", "n.º 3", "25.000"))
    found = [(where, text) for where, _, text in (*texts(), *lessons()) if ID.search(text)]
    assert not found


@pytest.mark.parametrize("language", LANGUAGES)
def test_rulebooks_and_citations_are_printed_without_ids(language: str) -> None:
    for book_id in rulebook_ids():
        shown = _book_text(rulebook(book_id), language)
        assert not ID.search(shown), (book_id, ID.search(shown))
    assert not ID.search(Citation("faraes", "", "B.002-2").sentence(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_is_spoken_in_its_own_words(language: str) -> None:
    patterns = [*WRONG[language], *(PT if language.startswith("pt") else ())]
    found = [
        (where, match[0], text)
        for where, tag, text in (*texts(), *lessons())
        if tag == language
        for pattern in patterns
        if (match := re.search(pattern, QUOTED.sub("", text)))
    ]
    assert not found


def test_the_patterns_find_what_they_are_for() -> None:
    wrong = {
        "es": [
            "Elija otra.",
            "Inténtelo de nuevo",
            "son tablas",
            "oferta de tablas",
            "para usted",
            "Primero: Lea",
        ],
        "pt-PT": ["está jogando", "na tela", "objecto", "uma pedra"],
        "pt-BR": ["o peão", "no ecrã"],
    }
    for language, samples in wrong.items():
        for sample in samples:
            assert any(re.search(pattern, sample) for pattern in WRONG[language]), sample
    fine = ["Elige otra.", "las tablas de finales", "para quien juegue contigo", "Inténtalo", "búscalas"]
    assert not [text for text in fine if any(re.search(pattern, text) for pattern in WRONG["es"])]


def test_the_own_words_of_a_rulebook_replace_sentences_that_exist() -> None:
    for by_language in own_words().values():
        for language, words in by_language.items():
            for key, text in words.items():
                facts = set(re.findall(r"\{(\w+)", entries(key)[language]))
                assert set(re.findall(r"\{(\w+)", text)) == facts, key
    words = own_words()["concurso"]["es"]
    spanish = [article.text["es"] for article in articles(rulebook("concurso")).by_id.values()]
    for text in (*spanish, *words.values(), about("concurso").summary["es"]):
        assert not re.search(r"\bdamas?\b", text), text


@pytest.mark.parametrize(
    ("book_id", "language", "others"),
    [
        ("portuguesa", "pt-BR", r"\bpedras?\b"),  # peão
        ("portuguesa", "es", r"\bfichas?\b"),  # peón
        ("espanhola", "es", r"\bfichas?\b"),
        ("brasileira", "pt-PT", r"\bpe(?:ão|ões)\b"),  # pedra
        ("faraes", "pt-PT", r"\bpe(?:ão|ões)\b"),
        ("oficial", "pt-BR", r"\bpedras?\b"),  # peça comum
        ("oficial", "pt-PT", r"\bpe(?:ão|ões)\b|\bpedras?\b"),
    ],
)
def test_a_document_has_its_own_word_for_the_man(book_id: str, language: str, others: str) -> None:
    """Its lessons do, so its articles, its refusals and the board do, for readers of another language too."""
    own = own_words()[book_id][language]
    written = [article.text[language] for article in articles(rulebook(book_id)).by_id.values()]
    for text in (*written, *own.values(), about(book_id).summary[language]):
        assert not re.search(others, text, re.IGNORECASE), text
    kinds = (
        "refusal.",
        "piece.",
        "procedure.",
        "conduct.",
        "event.",
        "limit.",
        "pages.board.",
        "pages.table.",
    )
    missing = {
        key
        for key in keys()
        if key.startswith(kinds) and re.search(others, entries(key)[language]) and key not in own
    }
    assert missing == {  # laws that these documents do not have
        f"refusal.{code}" for code in ("MAN_TAKES_KING", "VALUE", "WITH_KING", "KING_RESTS")
    }
