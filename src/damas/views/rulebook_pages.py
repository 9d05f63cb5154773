"""Rulebooks as pages show them and play by them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from damas.arbiter import PRESETS, Regulation, regulation
from damas.game import Position
from damas.rules import Rulebook, cite
from damas.rules.about import about
from damas.rules.articles import cite_topic
from damas.views.boards import PositionView, position_view
from damas.views.plain import view_of
from damas.views.rulebooks import (
    ArticleView,
    BoardView,
    ReadingView,
    RulebookEntryView,
    RulebookView,
    board_view,
    has_river,
    rulebook_entry,
    rulebook_view,
    special,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRulebookView(RulebookEntryView):
    """A rulebook in a list, with the name people know it by."""

    name: str
    alias: str
    summary: str


@dataclass(frozen=True, slots=True)
class TextRuleView:
    """A rule of the text or of the regulation that the line of a regulation mentions."""

    rule: str
    """touch_move, two_tempi, crowning_by_hand: done by hand over the board | invalid_loses | by_lot | clock | agreement."""
    stands: str
    """demanded: players must | not_demanded: only the text asks for it | left_out: the text allows it, the regulation
    does not | added: the regulation allows it, the text does not name it."""
    article: str
    """The article that speaks of it; empty where the text does not."""


@dataclass(frozen=True, slots=True)
class PresetView:
    """How a regulation is played under a rulebook."""

    time: str
    touch_move: bool
    hints: bool
    take_back: bool
    agreement: bool
    recorded: bool
    by_lot: bool
    invalid_loses: bool
    """Whether the first invalid move of a person loses."""
    illegal_lose_at: int
    """The illegal move of a person that loses where they are counted; 0: they are not, or none loses."""
    text_rules: Sequence[TextRuleView]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulebookPageView(RulebookView):
    """A whole rulebook with what a page needs to show it and to play by it."""

    name: str
    alias: str
    summary: str
    edition: str
    board: BoardView  # type: ignore[assignment]  # more than other lists tell of it
    river: bool
    """Whether the long diagonal is called by its Portuguese name, *rio*."""
    start_fen: str
    start: PositionView
    presets: dict[str, PresetView]


def _names(book: Rulebook, language: str) -> dict[str, Any]:
    """What people call a rulebook."""
    return {
        "name": about(book.id).name[language],
        "alias": book.aliases[0] if book.aliases else book.id,
        "summary": special(book, language),
    }


def listed(book: Rulebook, language: str) -> ListedRulebookView:
    """A rulebook among others, with the name people know it by."""
    return view_of(ListedRulebookView, rulebook_entry(book, language), **_names(book, language))


def _hand_rules(rules: Regulation, book: Rulebook) -> Iterator[TextRuleView]:
    """What is done by hand under a regulation, and what the text asks for but the regulation does not demand."""
    touch_move = cite(book, book.touch_move.article) if book.touch_move.value else None
    rows = (
        ("touch_move", rules.touch_move_under(book), touch_move),
        ("two_tempi", rules.two_tempi_under(book), cite_topic(book, "two_tempi")),
        ("crowning_by_hand", rules.crowning_by_hand_under(book), cite_topic(book, "crowning")),
    )
    for rule, demanded, article in rows:
        if demanded or article:
            stands = "demanded" if demanded else "not_demanded"
            yield TextRuleView(rule, stands, article.article if article else "")


def _departures(rules: Regulation, book: Rulebook) -> Iterator[TextRuleView]:
    """Where a regulation departs from the text in what loses, the lot of colours, the clock or the draw by agreement."""
    if book.invalid_move.value == "loses" and not rules.first_invalid_loses_under(book):
        yield TextRuleView("invalid_loses", "not_demanded", cite(book, book.invalid_move.article).article)
    if book.colours_by_lot.value and not rules.lot_under(book):
        yield TextRuleView("by_lot", "not_demanded", cite(book, book.colours_by_lot.article).article)
    clock = cite(book, book.time_out.article).article  # empty where only a reading of ours speaks of it
    if clock and not rules.time_control.by_the_turn:  # players choose any other time, or none
        yield TextRuleView("clock", "not_demanded", clock)
    agreement = cite(book, book.agreement.article).article
    if agreement and book.agreement.value and not rules.agreement_under(book):
        yield TextRuleView("agreement", "left_out", agreement)
    if not book.agreement.value and rules.agreement_under(book):
        yield TextRuleView("agreement", "added", "")


def presets(book: Rulebook) -> dict[str, PresetView]:
    """How each regulation is played under this rulebook."""
    return {
        name: view_of(
            PresetView,
            rules,
            time=str(rules.time_control),
            touch_move=rules.touch_move_under(book),
            agreement=rules.agreement_under(book),
            by_lot=rules.lot_under(book),
            invalid_loses=rules.first_invalid_loses_under(book),
            illegal_lose_at=0 if rules.people_illegal_moves == "refused" else rules.people_lose_at,
            text_rules=[*_hand_rules(rules, book), *_departures(rules, book)],
        )
        for name in PRESETS
        for rules in (regulation(name),)
    }


def rulebook_page(book: Rulebook, language: str) -> RulebookPageView:
    """A rulebook as `GET /api/rulebook/{id}` sends it."""
    start = Position.start(book)
    return view_of(
        RulebookPageView,
        rulebook_view(book, language),
        board=board_view(book),
        **_names(book, language),
        edition=book.hash[:12],
        river=has_river(book),
        start_fen=start.fen,
        start=position_view(start),
        presets=presets(book),
    )


@dataclass(frozen=True, slots=True)
class ReadArticle:
    """An article with our readings of it: those shown here, and those shown elsewhere by id and citation."""

    id: str
    text: str
    here: list[ReadingView]
    elsewhere: list[tuple[str, str]]
    """The citation is empty for a reading of no single article; those of the same citation stand nearby and are left out."""


def chapters(book: RulebookView) -> list[tuple[str, list[ReadArticle]]]:
    """Articles that are cited alike together, in the order of the document, each with its readings."""
    readings = {reading.id: reading for reading in book.readings}
    shown: dict[str, str] = {}  # id of a reading: the citation it stands under

    def read(article: ArticleView) -> ReadArticle:
        here = [name for name in article.readings if name.startswith("B.") and name not in shown]
        shown.update(dict.fromkeys(here, article.cite))
        places = ((name, shown.get(name, "")) for name in article.readings if name not in here)
        elsewhere = [(name, place) for name, place in places if place != article.cite]
        return ReadArticle(article.id, article.text, [readings[name] for name in here], elsewhere)

    groups = groupby(book.articles, key=lambda article: article.cite)
    return [(cite, [read(article) for article in articles]) for cite, articles in groups]


def general_readings(book: RulebookView) -> list[ReadingView]:
    """The readings of no single article."""
    return [reading for reading in book.readings if not reading.id.startswith("B.")]
