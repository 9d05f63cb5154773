"""The papers of a tournament as PDF pages: A4, everything on them, in every language."""

import pytest

from damas.language import LANGUAGES, sentence
from damas.paper.club import cross_paper, pairings_paper, slips_paper, table_paper
from damas.paper.pdf import pdf
from damas.tournaments.hall import Created, State, draft, replay, table
from damas.tournaments.hall.templates import conditions_of
from paper.printed import A4_MM, Printed, letters, squeezed
from tournaments.hall.simulate import entered, play_all


def event(template: str, players: int) -> State:
    conditions = conditions_of(template, date="2026-11-18", place="Itapeva", seed=4)
    return play_all(entered(replay([Created(conditions)]), players), 4, forfeits=0.1)


def papers(state: State, language: str) -> list[Printed]:
    last = state.rounds[-1]
    made = (
        pairings_paper(state, last, language, "open"),
        slips_paper(state, last, language, "open"),
        table_paper(state, language, "open"),
        cross_paper(state, language, "open"),
    )
    return [Printed(pdf(document)) for document in made]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_paper_names_everybody_on_a4(language: str) -> None:
    state = event("escola", 9)
    for printed in papers(state, language):
        assert printed.sizes_mm == {A4_MM}
        assert "Itapeva" in printed.squeezed
    pairings, slips, standings, cross = papers(state, language)
    for name in state.players:
        assert all(name in paper.squeezed for paper in (pairings, standings, cross))
    assert letters(sentence("club.signature", language)) in letters(slips.squeezed)
    assert squeezed(sentence("club.edition", language, edition="FIDE")) in pairings.squeezed
    assert letters(sentence("club.tie_break.progressive", language)) in letters(standings.squeezed)


def test_the_pairings_have_board_numbers_twice() -> None:
    state = event("escola", 9)
    pairings = papers(state, "en")[0]
    for pair in state.rounds[-1].pairs:
        assert (
            f"{pair.board}\n" in pairings.texts[0].replace("\r", "") or f"{pair.board} " in pairings.texts[0]
        )


@pytest.mark.parametrize(
    ("template", "players"), [("circuito", 40), ("fpdamas", 12), ("itapeva", 12), ("fenae", 30)]
)
def test_large_and_long_events_are_printed(template: str, players: int) -> None:
    state = event(template, players)
    pairings, slips, standings, cross = papers(state, "pt-BR")
    assert len(slips) >= 1 and len(standings) >= 1
    assert all(name in standings.squeezed for name in state.players)
    assert all(row.name in cross.squeezed for row in table(state))
    if template == "fpdamas":
        assert letters(sentence("club.game", "pt-BR", number=4)) in letters(slips.squeezed)
    assert pairings.sizes_mm == {A4_MM}


def test_a_draft_is_printed_as_a_draft() -> None:
    state = entered(replay([Created(conditions_of("escola"))]), 4)
    state = state.decide(draft(state))
    printed = Printed(pdf(pairings_paper(state, state.rounds[0], "en", "open")))
    assert "notpublished" in printed.squeezed
