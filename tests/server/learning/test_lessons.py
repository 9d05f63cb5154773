"""Every step of every lesson is true of its rulebook, and stops being true once its switch is flipped."""

import re
from collections import Counter

import pytest

from damas import rulebook
from damas.errors import DamasError
from damas.language import LANGUAGES
from damas.rules import articles
from damas.server.learning.course import Lesson, adapt_text, courses, first_courses, lessons, lessons_of
from damas.server.learning.lesson import Step, topics
from damas.server.learning.quotation import quotations
from server.learning.statements import CONDUCT, check, flipped

STEPS = [
    pytest.param(lesson, step, id=f"{lesson.id}-{number}")
    for lesson in lessons().values()
    for number, step in enumerate(lesson.step, start=1)
]
every_step = pytest.mark.parametrize(("lesson", "step"), STEPS)


@every_step
def test_a_step_is_true_of_its_rulebook(lesson: Lesson, step: Step) -> None:
    check(step, rulebook(lesson.rulebook_of(step)))


@every_step
def test_a_step_fails_when_its_switch_is_flipped(lesson: Lesson, step: Step) -> None:
    if not step.flip:
        by_id = articles(rulebook(lesson.course)).by_id
        tags = {tag for article in step.articles for tag in by_id[article].tags}
        assert step.task == "choose", "only conduct has no switch"
        assert tags & CONDUCT, "a rule that has a switch must flip it"
        assert not tags & {"ML", "RES"}
        return
    other = flipped(rulebook(lesson.rulebook_of(step)), step.flip)  # can be played, or it could not be read
    with pytest.raises((DamasError, AssertionError)):
        check(step, other)


@every_step
def test_a_step_speaks_every_language(lesson: Lesson, step: Step) -> None:
    assert set(step.text) == set(LANGUAGES)
    for texts in (step.after, step.choices):
        assert not texts or set(texts) == set(LANGUAGES)
    assert len({len(choices) for choices in step.choices.values()}) <= 1
    assert bool(step.choices) == (step.task == "choose")
    for language in LANGUAGES:
        words = [step.text[language], step.after.get(language, ""), *step.choices.get(language, ())]
        assert not [text for text in words if "{" in text or "|" in text]


def test_lessons_have_names_in_every_language() -> None:
    for lesson in lessons().values():
        for texts in (lesson.title, lesson.summary):
            assert set(texts) == set(LANGUAGES)
            assert all(texts.values())


def test_the_majority_law_has_five_steps() -> None:
    assert len(lessons()["lei-da-maioria"].step) == 5


@pytest.mark.parametrize("course", courses())
def test_a_course_teaches_every_statement_of_its_text(course: str) -> None:
    statements = {
        article.id for article in articles(rulebook(course)).by_id.values() if not article.is_reading
    }
    taught = {article for lesson in lessons_of(course) for step in lesson.step for article in step.articles}
    assert statements <= taught


def test_every_step_is_in_a_course_and_every_old_address_leads_somewhere() -> None:
    written = sum(len(topic.step) for topic in topics().values())
    shown = {
        (lesson.topic, step.text["en"], step.position)
        for lesson in lessons().values()
        for step in lesson.step
    }
    assert len(shown) >= written
    assert set(topics()) <= set(lessons())
    assert {"portuguesa", "oficial", "concurso"} <= set(
        courses()
    )  # lessons once, and now the pages of their courses


def test_each_language_begins_where_its_readers_play() -> None:
    assert first_courses("pt-BR") == ["brasileira"]
    assert first_courses("pt-PT") == ["portuguesa"]
    assert first_courses("es") == ["espanhola", "concurso"]
    assert set(first_courses("en")) == {"brasileira", "oficial", "faraes", "portuguesa", "concurso"}


def test_every_golden_rule_and_every_piece_of_advice_is_shown_by_a_position() -> None:
    shown = {
        article
        for lesson in lessons().values()
        for step in lesson.step
        if step.position
        for article in step.articles
    }
    wanted = {f"003-G{number}" for number in range(1, 13)} | {f"003-C{number}" for number in range(1, 17)}
    assert wanted <= shown


WORDS = {"pedra", "pedras", "peão", "peões", "peón", "peones", "pawn"}
"""What some documents call the man, and the others do not."""


def test_a_course_speaks_the_words_of_its_document() -> None:
    """The man is pedra in 000 and 002, peça comum in 001, peão in 003; Spanish 004 has no dama but a ficha coronada."""
    for lesson in lessons().values():
        course = courses()[lesson.course]
        for step in lesson.step:
            if step.rulebook or lesson.topic in ("historia", "cem-casas"):
                continue  # speaks of other games
            for language in ("pt-BR", "pt-PT", "es"):
                texts = [step.text[language], *step.choices.get(language, ())]
                words = {word.strip(".,:;!?“”«»()").lower() for text in texts for word in text.split()}
                assert not words & (WORDS - set(course.man[language])), (lesson.id, texts)
                if lesson.course == "concurso" and language == "es":
                    assert not words & {"dama", "damas"}, (lesson.id, texts)


MAX_QUOTATION_LENGTH, MAX_QUOTED_LENGTH = 120, 1300
"""Characters of one sentence of a document, and of all that are quoted from it."""


def test_quotations_are_short_and_few_and_of_articles_that_are_taught() -> None:
    taught = {
        step.articles[0] for lesson in lessons().values() for step in lesson.step
    }  # the one that is shown
    share: Counter[str] = Counter()
    for article, (text, _) in quotations().items():
        assert article in taught
        assert len(text) <= MAX_QUOTATION_LENGTH
        share[article.partition("-")[0]] += len(text)
    assert set(share) == {"000", "001", "002", "003", "004"}
    assert max(share.values()) <= MAX_QUOTED_LENGTH


def test_a_step_is_written_in_the_numbering_of_its_course() -> None:
    """One step, written once: c3 of the Brazilian board is 11 in Portugal, mirrored, and 2,2 in document 004."""
    steps = {
        course: next(s for s in lessons_of(course)[1].step if s.task == "refused") for course in courses()
    }
    assert (steps["brasileira"].position, steps["brasileira"].tried) == ("W:Wc3,h2:Bd4", "h2-g3")
    assert (steps["portuguesa"].position, steps["portuguesa"].tried) == ("W:W10,8:B14", "8-12")
    assert (steps["concurso"].position, steps["concurso"].tried) == ("W:Wc3,h2:Bd4", "1,7 2,6")
    assert "8-12" in steps["portuguesa"].text["pt-PT"]
    assert steps["portuguesa"].articles == ["003-R", "003-2c"]


def test_an_unknown_word_in_braces_is_refused() -> None:
    with pytest.raises(ValueError, match="stone"):
        adapt_text("the {stone}", courses()["faraes"], "en")
    assert adapt_text("{A|O} {man} e {as|os} {Men}", courses()["portuguesa"], "pt-BR") == "O peão e os Peões"


def _texts(course: str, language: str) -> list[str]:
    """Every text of a course in a language, but those of steps on the board of another game."""
    texts = []
    for lesson in lessons_of(course):
        texts += [lesson.title[language], lesson.summary[language]]
        for step in lesson.step:
            if not step.rulebook:
                texts += [step.text[language], step.after.get(language, ""), *step.choices.get(language, ())]
    return texts


def test_a_course_speaks_in_the_words_of_its_document() -> None:
    faraes, concurso = " ".join(_texts("faraes", "pt-BR")), " ".join(_texts("concurso", "es"))
    assert "tomada" in faraes
    assert "captura" not in faraes.lower()
    assert "lei da maioria" not in faraes.lower()
    assert not re.search(r"\bpiezas?\b", concurso)
    others = " ".join(text for course in ("brasileira", "oficial") for text in _texts(course, "pt-BR"))
    assert "tomar em cadeia" not in others, "the term is that of Art. 6 of FARAES"


def test_no_lesson_begins_in_the_middle_of_a_thought() -> None:
    for lesson in lessons().values():
        for language in LANGUAGES:
            assert not lesson.step[0].text[language].startswith(("Mas ", "Pero ", "But ", "E ", "Y ", "And "))


def test_a_summary_promises_only_what_its_document_has() -> None:
    for lesson in lessons().values():
        if lesson.topic == "contagens":
            cited = {article for step in lesson.step for article in step.articles}
            agreement = cited & {"001-6.3", "002-11", "003-8", "espanhola-agreement"}
            repetition = cited & {"001-6.4", "003-8", "espanhola-repetition"}
            summary = lesson.summary["pt-BR"]
            assert ("acordo" in summary) is bool(agreement), lesson.id
            assert ("repetiç" in summary or "três vezes" in summary) is bool(repetition), lesson.id
    assert "menciona" not in lessons()["oficial-cem-casas"].summary["pt-BR"]
