"""The papers of a tournament as PDF pages: A4, everything on them, in every language."""

import pytest
from zxingcpp import read_barcodes

from damas.language import LANGUAGES, sentence
from damas.language.numbers import ordinal
from damas.paper.club import (
    cross_paper,
    diplomas_paper,
    names_paper,
    pairings_paper,
    scoresheets_papers,
    table_paper,
)
from damas.paper.club_cards import CardLink, cards_paper, slips_papers
from damas.paper.document import Document, Grid, Text
from damas.paper.pdf import pdf
from damas.tournaments.hall import Created, Entered, Person, Published, Scored, State, draft, replay, table
from damas.tournaments.hall.templates import conditions_of
from paper.printed import A4_MM, Printed, letters, squeezed
from tournaments.hall.simulate import entered, play_all


def event(template: str, players: int) -> State:
    conditions = conditions_of(template, date="2026-11-18", place="Itapeva", seed=4)
    return play_all(entered(replay([Created(conditions)]), players), 4, forfeits=0.1)


def papers(state: State, language: str) -> dict[str, Printed]:
    last = state.rounds[-1]
    made: dict[str, tuple[Document, ...]] = {
        "pairings": (pairings_paper(state, last, language, "open"),),
        "names": (names_paper(state, last, language, "open"),),
        "slips": slips_papers(state, last, language, "open"),
        "table": (table_paper(state, language, "open"),),
        "cross": (cross_paper(state, language, "open"),),
        "scoresheets": scoresheets_papers(state, last, language)[:3],
        "cards": (cards_paper(state, language, "open"),),
        "diplomas": (diplomas_paper(state, language, "open"),),
    }
    return {kind: Printed(pdf(*documents)) for kind, documents in made.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_paper_names_everybody_on_a4(language: str) -> None:
    state = event("escola", 9)
    made = papers(state, language)
    for kind, printed in made.items():
        assert printed.sizes_mm == {A4_MM if kind != "diplomas" else A4_MM[::-1]}
        assert printed.contents()[1] and all(printed.contents()[1].values())  # real text in fonts of the file
    for name in state.players:
        for kind in ("pairings", "names", "table", "cross", "cards"):
            assert name in made[kind].squeezed, (kind, name)
    for kind in ("pairings", "names", "table", "cross", "scoresheets", "diplomas"):
        assert "Itapeva" in made[kind].squeezed, kind
    assert letters(sentence("club.signature", language)) in letters(made["slips"].squeezed)
    assert squeezed(sentence("club.edition", language, edition="FIDE")) in made["pairings"].squeezed
    assert letters(sentence("club.tie_break.progressive", language)) in letters(made["table"].squeezed)
    assert squeezed(sentence("club.given_to", language)) in made["diplomas"].squeezed


def test_a_name_leads_to_its_board() -> None:
    state = event("escola", 9)
    names = papers(state, "en")["names"].texts[0].replace("\r", "").splitlines()
    for pair in state.rounds[-1].pairs:
        assert f"{pair.first} {pair.board} White {pair.second}" in names
        assert f"{pair.second} {pair.board} Black {pair.first}" in names
    order = [line for line in names if line.startswith("P0")]
    assert order == sorted(order) and len(order) == 9


@pytest.mark.parametrize(
    ("template", "players"), [("circuito", 40), ("fpdamas", 12), ("itapeva", 12), ("fenae", 30)]
)
def test_large_and_long_events_are_printed(template: str, players: int) -> None:
    state = event(template, players)
    made = papers(state, "pt-BR")
    assert all(name in made["table"].squeezed for name in state.players)
    assert all(row.name in made["cross"].squeezed for row in table(state))
    if template == "fpdamas":
        assert letters(sentence("club.game", "pt-BR", number=4)) in letters(made["slips"].squeezed)
        assert letters(sentence("club.clubs", "pt-BR")) in letters(made["table"].squeezed)


LONG_NAMES = (
    "Maria Aparecida dos Santos Albuquerque de Vasconcelos Figueiredo Neta",
    "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren Zacarias Júnior",
)


def long_event(players: int = 60) -> State:
    """Sixty players, some with names as long as they may be."""
    state = replay([Created(conditions_of("escola", date="2026-11-18", seed=4, place="P" * 60))])
    people = tuple(
        Person(
            f"{LONG_NAMES[number % 2]} {number}" if number % 3 == 0 else f"Ana {number}", club="Clube " * 8
        )
        for number in range(players)
    )
    return play_all(state.decide(Entered(people)), 4)


def test_sixty_players_with_long_names_stay_on_the_paper() -> None:
    """Nothing is printed beyond the margins, every page begins with the titles of its columns, and nobody is missing."""
    state = long_event()
    made = papers(state, "pt-BR")
    for kind, printed in made.items():
        for number, (left, bottom, right, top) in enumerate(printed.edges_mm()):
            width, height = A4_MM if kind != "diplomas" else A4_MM[::-1]
            assert left > 12 and right < width - 12 and bottom > 6 and top < height - 10, (kind, number)
    for kind, titles in (
        ("names", ("Jogador", "Mesa")),
        ("table", ("Jogador", "Pts")),
        ("cross", ("Jogador", "Pts")),
    ):
        assert len(made[kind]) > 1
        for text in made[kind].texts[1:2]:
            assert all(title in text.splitlines()[0] + text.splitlines()[1] for title in titles), kind
    for name in state.players:
        assert all(squeezed(name) in made[kind].squeezed for kind in ("pairings", "names", "table", "cards"))
    assert len(made["slips"]) == 5 and len(made["cards"]) == 6  # six slips and ten cards to a page


def test_slips_and_cards_have_codes_that_a_phone_reads() -> None:
    state = event("escola", 8)
    last = state.rounds[-1]
    address = "http://192.168.1.20:8000/club/open"
    slips = Printed(pdf(*slips_papers(state, last, "en", "open", f"{address}/{{round}}/{{board}}")))
    boards = {f"{address}/{last.number}/{pair.board}" for pair in last.pairs}
    assert {code.text for code in read_barcodes(slips.picture(0, 2.5))} == boards
    pins = {"P03": "4821"}
    links = {name: CardLink(f"{address}/player/{name}", pins.get(name, "")) for name in state.players}
    cards = Printed(pdf(cards_paper(state, "en", "open", links)))
    assert {code.text for code in read_barcodes(cards.picture(0, 2.5))} == {
        link.address for link in links.values()
    }
    assert "PIN4821" in cards.squeezed and cards.squeezed.count("PIN") == 1


def test_a_score_sheet_for_every_game() -> None:
    state = event("circuito", 4)
    sheets = scoresheets_papers(state, state.rounds[-1], "en")
    assert len(sheets) == 4  # two boards, two games each with the colours changed
    printed = Printed(pdf(*sheets))
    pair = state.rounds[-1].pairs[0]
    assert len(printed) == 4 and "Page1of4" in squeezed(printed.texts[0])
    assert f"White{pair.first}" in squeezed(printed.texts[0])
    assert f"White{pair.second}" in squeezed(printed.texts[1])


def test_diplomas() -> None:
    state = event("escola", 9)
    rows = table(state)
    printed = Printed(pdf(diplomas_paper(state, "en", "open", top=2)))
    honoured = [row for row in rows if row.rank <= 2]
    assert len(printed) == len(honoured)
    for row, text in zip(honoured, printed.texts, strict=True):
        assert row.name in text and ("1st place" if row.rank == 1 else "2nd place") in text
        assert "2026-11-18" in text and "Organiser" in text
    assert [ordinal(rank, "es") for rank in (1, 2)] == ["1.er", "2.º"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_papers_of_a_league(language: str) -> None:
    state = event("jogos-regionais", 5)
    made = papers(state, language)
    last = state.rounds[-1]
    players = {name for names in last.lineups.values() for name in names if name}
    assert len(players) == 20
    for kind in ("pairings", "names", "slips"):
        assert all(name in made[kind].squeezed for name in players), kind
    everybody = [person.name for team in state.players.values() for person in team.squad]
    assert all(name in made[kind].squeezed for name in everybody for kind in ("table", "cards"))
    assert letters(sentence("club.captain", language)) in letters(made["slips"].squeezed)
    assert all(team in made["cross"].squeezed for team in state.players)


@pytest.mark.parametrize(
    ("language", "white", "black"), [("pt-BR", "b", "p"), ("es", "b", "n"), ("en", "w", "b")]
)
def test_the_cross_table_has_colours_in_the_letters_of_its_language(
    language: str, white: str, black: str
) -> None:
    """A b is White in Portuguese and Spanish: the legend says which letter is which."""
    state = entered(replay([Created(conditions_of("escola"))]), 2)
    state = state.decide(draft(state)).decide(Published(1)).decide(Scored(1, 1, "="))
    grid, legend = cross_paper(state, language, "open").body
    assert isinstance(grid, Grid) and isinstance(legend, Text)
    (pair,) = state.rounds[0].pairs
    assert {row[1]: row[2][1:] for row in grid.rows} == {pair.first: f"{white} 1", pair.second: f"{black} 1"}
    assert legend.text.startswith(f"{white}: ") and f"; {black}: " in legend.text


def test_the_cross_table_of_a_match_that_nobody_played() -> None:
    """Each player was there for one of two games: a drawn match, and no walkover."""
    state = replay([Created(conditions_of("itapeva", date="2026-11-18"))])
    state = state.decide(Entered((Person("Ana"), Person("Rui"))))
    state = state.decide(draft(state)).decide(Published(1))
    for signs, cell in (("+-", "1"), ("++", "+"), ("--", "–")):
        scored = state.decide(Scored(1, 1, signs), why="corrected")
        (grid,) = cross_paper(scored, "en", "open").body
        first = scored.rounds[0].pairs[0].first
        assert isinstance(grid, Grid) and cell in next(row for row in grid.rows if first in row)[2:-1]


def test_captains_sign_for_the_whole_name_of_their_team() -> None:
    state = replay([Created(conditions_of("jogos-regionais", date="2026-11-18"))])
    names = [f"Associação de Damas da Cidade de São {name}" for name in ("Paulo", "Pedro")]
    state = state.decide(Entered(tuple(map(Person, names))))
    state = state.decide(draft(state)).decide(Published(1))
    text = Printed(pdf(*slips_papers(state, state.rounds[0], "en", "open"))).squeezed
    assert all(
        text.count(letters_of) == 2 for letters_of in map(squeezed, names)
    )  # over the boards, and to sign


def test_a_draft_is_printed_as_a_draft() -> None:
    state = entered(replay([Created(conditions_of("escola"))]), 4)
    state = state.decide(draft(state))
    printed = Printed(pdf(pairings_paper(state, state.rounds[0], "en", "open")))
    assert "notpublished" in printed.squeezed
