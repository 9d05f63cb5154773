"""Every step of every lesson is true of its rulebook, and stops being true once its switch is flipped."""

import pytest

from damas import rulebook
from damas.errors import DamasError
from damas.language import LANGUAGES
from damas.rules import articles
from damas.server.learning.lesson import Lesson, Step, lessons
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
    book = rulebook(lesson.rulebook_of(step))
    if not step.flip:
        tags = set(articles(book).by_id[step.article].tags)
        assert step.task == "read", "only conduct has no switch"
        assert tags & CONDUCT, "a rule that has a switch must flip it"
        assert not tags & {"ML", "RES"}
        return
    other = flipped(book, step.flip)  # a rulebook that can be played, not merely one that cannot be read
    with pytest.raises((DamasError, AssertionError)):
        check(step, other)


@every_step
def test_a_step_speaks_every_language(lesson: Lesson, step: Step) -> None:
    book = rulebook(lesson.rulebook_of(step))
    assert step.article in articles(book).by_id
    for texts in (step.text, step.after):
        assert not texts or set(texts) == set(LANGUAGES)


def test_lessons_have_names_in_every_language() -> None:
    for lesson in lessons().values():
        for texts in (lesson.title, lesson.summary):
            assert set(texts) == set(LANGUAGES)
            assert all(texts.values())


def test_the_majority_law_has_five_steps() -> None:
    assert len(lessons()["lei-da-maioria"].step) == 5


def test_every_golden_rule_and_every_piece_of_advice_is_shown_by_a_position() -> None:
    shown = {step.article for lesson in lessons().values() for step in lesson.step if step.position}
    wanted = {f"003-G{number}" for number in range(1, 13)} | {f"003-C{number}" for number in range(1, 17)}
    assert wanted <= shown


def test_words_of_each_country() -> None:
    """A man is pedra in Brazil, peão in Portugal and ficha where Spanish is spoken."""
    for lesson in lessons().values():
        for step in lesson.step:
            texts = {**dict.fromkeys(LANGUAGES, ""), **step.text}
            assert "peão" not in texts["pt-BR"]
            assert "peões" not in texts["pt-BR"]
            assert "pedra" not in texts["pt-PT"]
            assert "pedra" not in texts["es"]
            assert "pawn" not in texts["en"]
