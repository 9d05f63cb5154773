"""The positions that a rules page shows beside the articles: cases of the rulebook, and steps of lessons."""

from dataclasses import dataclass, replace
from functools import cache

from damas.rules import articles, rulebook
from damas.rules.cases import Case, cases
from damas.server.learning.course import lessons_of


@dataclass(frozen=True)
class Example:
    """A case beside its article."""

    case: Case
    lesson: str = ""
    """Id of the lesson that practises it; empty for a case of the rulebook."""


@cache
def examples(rulebook_id: str) -> list[Example]:
    """The examples of a rulebook in the order of its articles and by name; articles of advice are shown by steps of lessons."""
    order = list(articles(rulebook(rulebook_id)).by_id)
    on_page = [case for case in cases(rulebook_id).cases if case.page]
    shown = on_page + [replace(case, article=article) for case in on_page for article in case.also]
    shown.sort(key=lambda case: (order.index(case.article), case.name))
    with_case = {case.article for case in shown}
    of_lessons = [
        Example(
            Case(article=article, name=f"{lesson.id}-{number}", rulebook=rulebook_id, position=step.position),
            lesson.id,
        )
        for lesson in lessons_of(rulebook_id)
        for number, step in enumerate(lesson.step, start=1)
        for article in step.articles
        if article not in with_case and step.position and not step.rulebook
    ]
    return [Example(case) for case in shown] + of_lessons
