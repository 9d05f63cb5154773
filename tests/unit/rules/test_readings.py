"""Another reading of a text is a rulebook in everything that takes one, made of the answers that differ."""

import pytest

from damas import Position, rulebook
from damas.arbiter import Table, replay
from damas.engine import Engine, Limits
from damas.judging.certificate import Certificate, check
from damas.judging.judge import judge_games
from damas.judging.scoresheet import to_pdn
from damas.language import LANGUAGES
from damas.notation.pdn.game import PdnGame
from damas.notation.pdn.reader import read_games
from damas.notation.pdn.writer import write_game
from damas.rules import articles, parse, rulebook_ids, rulebooks, schema, to_toml
from damas.rules.library import earlier_editions, edition, from_source, is_builtin
from damas.rules.readings import other_readings, readings_of
from damas.views import words

READINGS = list(other_readings().values())


def test_the_documents_that_leave_the_mans_capture_open_have_both_readings() -> None:
    assert {reading.id: reading.reading for reading in READINGS} == {
        "oficial-men-backward": "B.001-1",
        "concurso-men-forward": "B.004-1",
    }
    assert rulebook("oficial-men-backward").men_capture_backward.value
    assert rulebook("oficial-men-backward").promotion.value == "passes"  # B.001-4
    assert not rulebook("Contest-Men-Forward").men_capture_backward.value


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.id)
def test_only_the_stated_answers_differ_each_by_a_reading_of_the_text(reading) -> None:
    usual, other = rulebook(reading.rulebook), rulebook(reading.id)
    questions = [question.key for section in schema.SECTIONS.values() for question in section]
    changed = {key for key in questions if words.clause(usual, key) != words.clause(other, key)}
    assert changed == {key for answers in reading.changes.values() for key in answers}
    assert usual.draws == other.draws
    assert usual.hash != other.hash
    known = articles(other).by_id
    assert known is articles(usual).by_id
    assert known[reading.reading].is_reading
    for texts in (reading.name, reading.summary, reading.answer, reading.usual):
        assert set(texts) == set(LANGUAGES)


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.id)
def test_it_is_found_by_its_id_alone_and_listed_by_its_rulebook(reading) -> None:
    book = rulebook(reading.id)
    assert book.id == reading.id not in rulebook_ids()
    assert book not in rulebooks()
    assert reading in readings_of(reading.rulebook)
    assert rulebook(reading.id.upper()) is book
    assert all(rulebook(alias) is book for alias in book.aliases)
    assert is_builtin(book)
    assert from_source(book.source) is book
    assert parse(to_toml(book)).hash == book.hash


def test_a_reading_follows_the_editions_of_its_rulebook() -> None:
    (old,) = earlier_editions("concurso-men-forward").values()
    assert old.id == "concurso-men-forward"
    assert not old.men_capture_backward.value
    assert {law.id for law in old.draws} == {law.id for law in edition("concurso", "f92765d7b1375960").draws}
    assert edition("concurso-men-forward", old.hash) is old


def test_a_game_is_stored_certified_written_and_judged_by_its_reading() -> None:
    book = rulebook("oficial-men-backward")
    table = Table.start(book, "casual", fen="W:We5:Bd4").play("e5xc3", 5)
    again = replay(table.events)
    assert again.book is book
    certificate = Certificate(table)
    assert certificate.data["rulebook"] == {"id": book.id, "hash": book.hash, "rules": None}
    assert check(certificate.json) == []
    for shown in (certificate.text("pt-BR"), table.outcome.sentence("pt-BR")):  # people read its name
        assert "Oficial com captura para trás" in shown
        assert book.id not in shown
    assert to_pdn(table).tags["Article"] == "oficial-men-backward, §6"
    text = write_game(PdnGame.of(Position.from_fen("W:We5,a1:Bd4,h8", book), ["e5xc3"]))
    assert '[Rulebook "oficial-men-backward"]' in text
    (judged,) = judge_games(read_games(text))
    (usual,) = judge_games(read_games(text.replace("oficial-men-backward", "oficial")))
    assert (judged.rulebook, judged.verdict) == (book.id, "OPEN")
    assert (usual.rulebook, usual.verdict) == ("oficial", "ILLEGAL_MOVE")


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.id)
def test_the_engine_plays_it(reading) -> None:
    position = Position.from_fen("W:We5,a1:Bd4,h8", reading.id)
    with Engine(reading.id, hash_mb=8) as engine:
        best = engine.search(position, Limits(depth=6)).best
    assert best in position.legal_moves
    assert bool(best.captured) == position.rulebook.men_capture_backward.value
