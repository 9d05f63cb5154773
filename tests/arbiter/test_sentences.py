"""Every code the arbiter speaks has its sentence in four languages, filled with the same facts."""

import re
from dataclasses import replace
from pathlib import Path
from string import Formatter

import pytest

import damas.arbiter
import damas.judging
from damas.arbiter import Moved, Table
from damas.arbiter.events import from_json, to_json
from damas.errors import Citation
from damas.game import Outcome, explain
from damas.judging.history import event_sentence
from damas.language import LANGUAGES, entries, language_of
from damas.rules import rulebook, rulebooks
from damas.rules.limits import LimitName, _name
from damas.views.outcomes import count_view

from .tables import B, W, letter, played, refusal, shuttle

ROOM = Path(damas.arbiter.__file__).parent
JUDGING = Path(damas.judging.__file__).parent
SOURCE = "".join(path.read_text(encoding="utf-8") for path in (*ROOM.rglob("*.py"), *JUDGING.rglob("*.py")))
PROCEDURES = "".join(
    path.read_text(encoding="utf-8")
    for path in (*(ROOM / "procedures").glob("*.py"), ROOM / "arbiter.py", ROOM / "table.py")
)
TESTS = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("*.py"))
CODE = r'ProcedureRefused\(\s*"([A-Z_]+)"'
REFUSALS = set(re.findall(CODE, SOURCE)) | {"NO_TIME_LIMIT", "FLAG_NOT_FALLEN"}
RULES = {"LIMIT", "REPETITION", "CYCLE", "LENGTH", "NO_PIECES", "NO_MOVES"}
REASONS = set(re.findall(r'Outcome(?:\.loss)?\([^"]*"([A-Z_]+)"', SOURCE)) | {"ARBITER", "SUSPENDED"} | RULES


def test_every_refusal_and_every_reason_has_its_sentence_and_no_sentence_is_left_over():
    assert set(entries("procedure")) == REFUSALS - {"BAD_POSITION"}  # told in the words of its cause
    limits = {"LIMIT_each", "LIMIT_strong", "LIMIT_at_once", "REPETITION_after", "CYCLE_after"}
    assert set(entries("reason")) == REASONS | limits | {"CALLED_OFF", "INVALID_MOVE_unnamed"}
    refused_moves = {*explain.CODES, *explain.RECORD_CODES, "NOTATION"}
    recorded = set(re.findall(r'ProcedureRefused\(\s*"([A-Z_]+)"[^:]*?\bwritten=', PROCEDURES))
    assert set(entries("fault")) == refused_moves | recorded | {"WRONG_CLAIM", "CHAIN_INCOMPLETE"}
    assert set(entries("record")) >= set(re.findall(r'BadRecord\([^"]*"([A-Z_0-9]+)"', SOURCE))


def test_every_refusal_is_met_in_some_test():
    codes = set(re.findall(CODE, PROCEDURES))
    assert len(codes) > 40
    assert {code for code in codes if f'"{code}"' not in TESTS} == set()


@pytest.mark.parametrize("section", ["outcome", "reason", "progress", "procedure", "record"])
def test_the_languages_say_the_same(section):
    for key, entry in entries(section).items():
        assert set(entry) == set(LANGUAGES), key
        facts = {
            language: {name for _, name, _, _ in Formatter().parse(entry[language]) if name}
            for language in entry
        }
        assert len({frozenset(names) for names in facts.values()}) == 1, key


def test_a_limit_shows_its_progress_in_the_words_of_the_brief():
    table = played(Table.start("faraes", letter(), fen="W:WKg1,Kc1,Ka3:BKb8"), shuttle(13))
    count = table.progress()[0]
    assert [count.sentence(language) for language in LANGUAGES] == [
        "três damas contra uma: 7 de 13 lances do lado mais forte, desde o lance 1 (faraes, Art. 12)",
        "três damas contra uma: 7 de 13 lances do lado mais forte, desde o lance 1 (faraes, Art. 12)",
        "tres damas contra una: 7 de 13 jugadas del bando más fuerte, desde la jugada 1 (faraes, Art. 12)",
        "three kings against one: 7 of 13 moves of the stronger side, since move 1 (faraes, Art. 12)",
    ]
    assert count_view(count, "en").article == "Art. 12"


def test_a_count_has_the_name_of_its_ending_and_the_unit_of_its_article():
    """Eight plies of document 000's five-move ending are four moves of each side, and it ends as "5 lances"."""
    start = Table.start("brasileira", "casual", fen="W:WKa1,Kg1:BKb8")
    moves = ("g1-h2", "b8-a7", "h2-g1", "a7-b8")
    nearest = played(start, shuttle(8, moves)).progress()[0]
    assert [nearest.sentence(language) for language in LANGUAGES] == [
        "duas damas contra uma: 4 de 5 lances de cada lado, desde o lance 1 (brasileira, Empate, finais)",
        "duas damas contra uma: 4 de 5 lances de cada lado, desde o lance 1 (brasileira, Empate, finais)",
        "dos damas contra una: 4 de 5 jugadas de cada bando, desde la jugada 1 (brasileira, Empate, finais)",
        "two kings against one: 4 of 5 moves by each side, since move 1 (brasileira, Empate, finais)",
    ]
    view = count_view(nearest, "pt-BR")
    assert (view.name, view.have, view.need) == ("duas damas contra uma", 4, 5)
    last = played(start, shuttle(9, moves))
    assert (last.outcome, last.progress()[0].have) == (None, 4)
    over = played(last, moves[1:2])
    assert over.outcome
    assert [over.outcome.sentence(language).partition(",")[0] for language in LANGUAGES] == [
        "Empate: duas damas contra uma",
        "Empate: duas damas contra uma",
        "Empate: dos damas contra una",
        "Draw: two kings against one",
    ]
    assert "limite de 5 lances de cada lado, contado desde o lance 1" in over.outcome.sentence("pt-BR")
    assert from_json(to_json(over.events[-1])) == over.events[-1]  # records hold no names


def test_an_invalid_move_is_explained_without_its_code():
    start = Table.start("concurso", "contest", lot=3)
    for move, fault in (("2,2 4,4", "vai longe demais"), ("?!", "não se lê como lance")):
        over = start.play(move, at=10)
        assert over.outcome
        sentences = [
            over.outcome.sentence("pt-BR"),
            *(event_sentence(event, "pt-BR", start) for event in over.events[1:]),
        ]
        assert all(fault in text for text in sentences)
        assert not re.search("[A-Z]{3}|_", "".join(sentences))
        assert "4. Escenarios de victoria" in sentences[0]


def test_the_forcada_has_its_own_name():
    table = Table.start("portuguesa", "casual", fen="W:WK1,K3,K4:BK29")
    (count,) = table.progress()
    assert count.sentence("pt-PT") == (
        "forçada: 0 de 12 lances do lado mais forte, desde o lance 1 (portuguesa, n.º 9)"
    )


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_every_limit_has_a_name_in_every_language(book):
    for rule in book.draws:
        for ending in (None, *range(len(rule.endings))):
            names = {LimitName(book, rule, ending).sentence(language) for language in LANGUAGES}
            assert all(name and "{" not in name and "-" not in name for name in names)


@pytest.mark.parametrize("first", ["es", language_of("espanhola", "es")], ids=type)
def test_a_limit_is_named_in_its_rulebooks_words_whoever_asks_first(first):
    book = rulebook("espanhola")
    rule = next(rule for rule in book.draws if rule.id == "twenty-king-moves")
    _name.cache_clear()
    for language in (first, "es", language_of("espanhola", "es")):
        assert LimitName(book, rule).sentence(language) == "sin captura ni jugada de peón"


def test_a_refused_touch_cites_the_article_in_every_language():
    from damas.arbiter import Touched

    table = Table.start("faraes", "school").apply(Touched(1, W, "c3"))
    why = refusal(table, Moved(2, W, "e3-f4"))
    assert [why.sentence(language) for language in LANGUAGES] == [
        "A peça tocada em c3 deve ser jogada (faraes, Art. 15).",
        "A peça tocada em c3 tem de ser jogada (faraes, Art. 15).",
        "La pieza tocada en c3 debe jugarse (faraes, Art. 15).",
        "The touched piece on c3 must be moved (faraes, Art. 15).",
    ]


def test_every_reason_reads_as_a_sentence():
    facts = {"loser": B, "count": 3, "since": 7, "plies": "0, 4, 8", "tried": "x", "code": "Y", "why": "z"}
    for reason in REASONS:
        for language in LANGUAGES:
            text = Outcome(W, reason, Citation("faraes", "Art. 12", ""), facts=facts).sentence(language)
            assert "{" not in text
            assert text.endswith("(faraes, Art. 12).")


def test_a_repetition_nobody_claims_says_no_more_than_that_it_is_complete():
    regulation = replace(letter(), claims="player")
    moves = ("32-27", "1-5", "27-32", "5-1")
    table = played(Table.start("inglesa", regulation, fen="W:WK32:BK1"), shuttle(28, moves))
    (claim,) = (claim for claim in table.claims_open() if claim.rule.rule == "repetition")
    count = next(count for count in table.progress() if count.rule is claim.rule)
    assert (claim.have, count.have, count.progress.have) == (3, 3, 8)
    assert "3 of 3" in claim.sentence("en")
    assert count.sentence("en").startswith("the position has stood 3 of 3 times")
