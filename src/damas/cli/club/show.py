"""The actions of `damas club` that only read, and tables that fit the terminal."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from damas.cli import page
from damas.cli.answers import print_answer
from damas.cli.arguments import BadInput
from damas.cli.paper import write_papers
from damas.errors import TournamentRefused
from damas.language import sentence
from damas.tournaments.hall import State, individuals
from damas.tournaments.hall.lists import write_players
from damas.tournaments.hall.log import load
from damas.tournaments.hall.rating_list import rating_csv
from damas.tournaments.hall.results import points_text
from damas.tournaments.hall.rounds import Round
from damas.tournaments.hall.table import categories
from damas.tournaments.hall.templates import template, template_names
from damas.views.club import (
    BoardView,
    TableView,
    category_words,
    club_row_views,
    club_view,
    control_text,
    draft_warnings,
    edition_words,
    explanation_view,
    next_step,
    player_views,
    rating_views,
    round_view,
    seat_words,
    table_view,
)
from damas.views.club_log import log_views

if TYPE_CHECKING:
    from damas.paper.document import Document


MAX_ADDRESS = 500
"""Characters of an address that a printed code can hold and a phone still reads."""


@dataclass(frozen=True)
class Column:
    """A column of a table; those with a low `keep` leave first where the terminal is narrow."""

    title: str
    cells: tuple[str, ...]
    keep: int = 9
    right: bool = False


def fitting_table(columns: Sequence[Column]) -> str:
    """The table with as many of its columns as fit the terminal; columns without any text are left out."""
    shown = [column for column in columns if any(column.cells)]
    while len(shown) > 1 and _wide(shown) > page.width() and min(column.keep for column in shown) < 9:
        shown.remove(min(reversed(shown), key=lambda column: column.keep))
    rows = [[column.title for column in shown]]
    rows += [list(row) for row in zip(*(column.cells for column in shown), strict=True)]
    return page.table(rows, right=[place for place, column in enumerate(shown) if column.right])


def _wide(columns: Sequence[Column]) -> int:
    return sum(2 + max(len(column.title), *map(len, column.cells)) for column in columns) - 2


def word(key: str, language: str, **facts: object) -> str:
    """A sentence of `club.toml`."""
    return sentence(f"club.{key}", language, **facts)


# --- status, players, templates -----------------------------------------------------------------


def status_(options: argparse.Namespace) -> int:
    """Where the tournament stands."""
    state = load(Path(options.file))
    language = options.language
    print_answer(options, lambda: club_view(state, language), lambda: status_text(state, language))
    return 0


def status_text(state: State, language: str) -> str:
    """Where the tournament stands, and what comes next."""
    view, conditions = club_view(state, language), state.conditions
    facts = {
        "title": view.title,
        "system": word(f"system.{view.system}", language),
        "book": view.rulebook,
        "entered": sentence(
            f"cli.club.{'teams' if conditions.boards else 'players'}", language, count=view.players
        ),
        "round": view.round,
        "rounds": view.rounds,
    }
    line = sentence("cli.club.status", language, **facts)
    if control := control_text(conditions, language):
        line += f", {control}"
    return "\n".join([page.paragraph(f"{line}."), next_text(state, language)])


def next_text(state: State, language: str) -> str:
    """What the desk does next."""
    return page.paragraph(next_step(state).sentence(language))


def templates_(options: argparse.Namespace) -> int:
    """The templates and their sources."""
    known = {name: template(name) for name in template_names()}
    print_answer(
        options,
        lambda: {"templates": {name: dict(each) for name, each in known.items()}},
        lambda: "\n".join(
            page.heading(name) + "\n" + page.paragraph(f"{each['title']}. {each['source']}", indent=4)
            for name, each in known.items()
        ),
    )
    return 0


def players_(options: argparse.Namespace) -> int:
    """The players."""
    state = load(Path(options.file))
    if options.csv and not options.json:
        print(write_players(state), end="")
        return 0
    views = player_views(state)
    language = options.language

    def status(out: str, present: bool) -> str:
        if out:
            return word(f"out.{out}", language)
        return word(f"present.{'yes' if present else 'no'}", language) if state.conditions.check_in else ""

    def squads() -> str:
        seats = [(team, place, person) for team in views for place, person in enumerate(team.squad, start=1)]
        return fitting_table(
            [
                Column(word("team", language), tuple(team.name for team, _, _ in seats)),
                Column(word("short_rank", language), tuple(str(place) for _, place, _ in seats), right=True),
                Column(word("player", language), tuple(person.name for _, _, person in seats)),
                Column(
                    word("rating", language),
                    tuple(str(person.rating or "") for _, _, person in seats),
                    4,
                    True,
                ),
            ]
        )

    def text() -> str:
        if any(each.squad for each in views):
            return squads()
        return fitting_table(
            [
                Column(word("number", language), tuple(str(each.number) for each in views), right=True),
                Column(word("player", language), tuple(each.name for each in views)),
                Column(word("club", language), tuple(each.club for each in views), keep=3),
                Column(word("rating", language), tuple(str(each.rating or "") for each in views), 4, True),
                Column("", tuple(status(each.out, each.present) for each in views), keep=5),
            ]
        )

    print_answer(options, lambda: {"players": views}, text)
    return 0


# --- rounds -------------------------------------------------------------------------------------


def round_(options: argparse.Namespace) -> int:
    """The pairings and results of a round."""
    state = load(Path(options.file))
    played = state.round(options.number or max(1, len(state.rounds)))
    messages = draft_warnings(state, played, options.language)
    print_answer(
        options,
        lambda: round_view(state, played, messages),
        lambda: round_text(state, played, options.language, messages),
    )
    return 0


def round_text(state: State, played: Round, language: str, messages: Sequence[str] = ()) -> str:
    """A round as a table of boards, and the warnings about it."""
    view = round_view(state, played)
    one_game = state.conditions.games == 1
    titles = ("white", "black") if one_game else ("first", "second")
    key = "round" if played.published else "draft"
    lines = [page.heading(page.paragraph(word(key, language, number=played.number)))]
    if played.ballot:
        seed = word("seed", language, seed=state.conditions.seed)
        lines.append(page.paragraph(f"{word('ballot', language, moves=played.ballot)}. {seed}."))
    boards = view.boards
    if state.conditions.boards:
        lines += [line for board in boards for line in _match_lines(state, board, language)]
    elif boards:
        lines.append(
            fitting_table(
                [
                    Column(word("board", language), tuple(str(each.board) for each in boards), right=True),
                    Column(word(titles[0], language), tuple(each.first for each in boards)),
                    Column(word("result", language), tuple(each.result or "–" for each in boards)),
                    Column(word(titles[1], language), tuple(each.second for each in boards)),
                ]
            )
        )
    for rest in view.resting:
        how = word(f"rest.{rest.kind}", language, points=points_text(rest.points))
        lines.append(f"{rest.name}: {how}")
    lines.append(page.paragraph(edition_words(played, language)))
    lines += [page.paragraph(sentence("cli.club.warning", language, text=each)) for each in messages]
    return "\n".join(lines)


def _match_lines(state: State, view: BoardView, language: str) -> list[str]:
    """A match between teams: its heading, and the boards once it is published."""
    number = word("match", language, number=view.board)
    lines = [page.paragraph(f"{number}: {view.first} {view.result or '–'} {view.second}")]
    seats = view.match_boards
    if seats:
        lines.append(
            fitting_table(
                [
                    Column("", tuple(f"{view.board}.{seat.board}" for seat in seats), right=True),
                    Column("", tuple(state.conditions.boards), keep=3),
                    Column("", tuple(seat_words(seat.first, seat.white, language) for seat in seats)),
                    Column("", tuple(seat.result or "–" for seat in seats)),
                    Column("", tuple(seat_words(seat.second, seat.white, language) for seat in seats)),
                ]
            ).partition("\n")[2]
        )
    return lines


# --- tables -------------------------------------------------------------------------------------


def table_(options: argparse.Namespace) -> int:
    """The standings."""
    state = load(Path(options.file))
    if options.clubs:
        return _clubs(options, state)
    if options.players:
        if not state.conditions.boards:
            raise TournamentRefused("no_league", {})
        state = individuals(state)
    check_category(state, options.category)
    view = table_view(state, options.category)
    print_answer(options, lambda: view, lambda: table_text(state, view, options.language))
    return 0


def check_category(state: State, category: str) -> None:
    """Raises `TournamentRefused` for a category that the tournament does not have."""
    known = categories(state)
    if category and category not in known:
        raise TournamentRefused("no_category", {"name": category, "known": ", ".join(known) or "–"})


def _clubs(options: argparse.Namespace, state: State) -> int:
    """The table of clubs of an individual tournament."""
    if not state.conditions.team_best:
        raise TournamentRefused("no_club_table", {})
    views, language = club_row_views(state), options.language

    def text() -> str:
        lines = [page.heading(page.paragraph(f"{state.conditions.title}. {word('clubs', language)}"))]
        lines.append(
            fitting_table(
                [
                    Column(word("short_rank", language), tuple(str(each.rank) for each in views), right=True),
                    Column(word("club", language), tuple(each.club for each in views)),
                    Column(
                        word("short_points", language),
                        tuple(points_text(each.points) for each in views),
                        right=True,
                    ),
                    Column(word("members", language), tuple(", ".join(each.members) for each in views), 3),
                ]
            )
        )
        return "\n".join(lines)

    print_answer(options, lambda: {"clubs": views}, text)
    return 0


def table_text(state: State, view: TableView, language: str) -> str:
    """The standings as a table; a shared rank is written once."""
    rows = view.rows
    ranks = [
        str(row.rank) if place == 0 or rows[place - 1].rank != row.rank else "="
        for place, row in enumerate(rows)
    ]
    columns = [
        Column(word("short_rank", language), tuple(ranks), right=True),
        Column(
            word("team" if state.conditions.boards else "player", language), tuple(row.name for row in rows)
        ),
        Column(word("club", language), tuple(row.club for row in rows), keep=1),
        Column(word("short_points", language), tuple(points_text(row.points) for row in rows), right=True),
        Column(
            word("results", language), tuple(f"{row.wins}-{row.draws}-{row.losses}" for row in rows), keep=2
        ),
    ]
    for place, name in enumerate(state.conditions.tie_breaks):
        values = tuple(points_text(row.tie_breaks[name]) for row in rows)
        columns.append(
            Column(word(f"short_tie_break.{name}", language), values, max(3, 8 - place), right=True)
        )
    columns.append(
        Column("", tuple(word(f"out.{row.out}", language) if row.out else "" for row in rows), keep=8)
    )
    heading = word("after", language, number=view.round) if view.round else word("before", language)
    if view.category:
        heading = f"{category_words(view.category, language)}: {heading}"
    pairs = (
        (word(f"short_tie_break.{name}", language), word(f"tie_break.{name}", language))
        for name in state.conditions.tie_breaks
    )
    names = [f"{short} {long}" for short, long in pairs if short != long]
    lines = [
        page.heading(page.paragraph(f"{view.title}. {heading}")),
        fitting_table(columns),
        page.paragraph("; ".join(names)),
    ]
    return "\n".join(filter(None, lines))


def explain_(options: argparse.Namespace) -> int:
    """How a player came to a place."""
    state = load(Path(options.file))
    language = options.language
    view = explanation_view(state, state.find(options.player), language)

    def text() -> str:
        facts = {"name": view.name, "rank": view.rank, "points": points_text(view.points)}
        lines = [page.heading(page.paragraph(sentence("cli.club.explain_title", language, **facts)))]
        lines += [page.paragraph(line, indent=2, hang=2) for line in view.rounds]
        lines += [page.paragraph(each.message, indent=2, hang=4) for each in view.tie_breaks]
        return "\n".join(lines)

    print_answer(options, lambda: view, text)
    return 0


def ratings_(options: argparse.Namespace) -> int:
    """Performance and Elo."""
    state = load(Path(options.file))
    if options.csv and not options.json:
        print(rating_csv(state), end="")
        return 0
    views = rating_views(state)
    language = options.language

    def text() -> str:
        return fitting_table(
            [
                Column(word("player", language), tuple(each.name for each in views)),
                Column(
                    word("rating", language),
                    tuple(
                        f"{each.rating}{'*' if each.provisional else ''}" if each.rating else "–"
                        for each in views
                    ),
                    right=True,
                ),
                Column(word("games", language), tuple(str(each.games) for each in views), 3, True),
                Column(word("points", language), tuple(points_text(each.score) for each in views), 4, True),
                Column(word("expected", language), tuple(f"{each.expected:.2f}" for each in views), 2, True),
                Column(word("change", language), tuple(f"{each.change:+.1f}" for each in views), 8, True),
                Column(word("new_rating", language), tuple(str(each.new or "–") for each in views), 7, True),
                Column(
                    word("performance", language),
                    tuple("–" if each.performance is None else str(each.performance) for each in views),
                    6,
                    True,
                ),
            ]
        ) + (
            "\n* " + word("provisional", language)
            if any(each.provisional and each.rating for each in views)
            else ""
        )

    print_answer(options, lambda: {"ratings": views}, text)
    return 0


def log_(options: argparse.Namespace) -> int:
    """Every entry."""
    state = load(Path(options.file))
    views = log_views(state, options.language)

    def text() -> str:
        lines = []
        for each in views:
            at = each.at.replace("T", " ").removesuffix("Z")
            line = sentence(
                "cli.club.log_line", options.language, n=each.n, at=at, who=each.who, text=each.message
            )
            if each.why:
                line += ". " + sentence("cli.club.because", options.language, why=each.why)
            if each.undone:
                line += " " + sentence("cli.club.is_undone", options.language)
            lines.append(page.paragraph(line, hang=4))
        return "\n".join(lines)

    print_answer(options, lambda: {"log": views}, text)
    return 0


# --- paper --------------------------------------------------------------------------------------


def print_(options: argparse.Namespace) -> int:
    """A paper of the tournament as PDF."""
    if len(options.address) > MAX_ADDRESS:
        raise BadInput("cli.club.long_address", max=MAX_ADDRESS)
    write_papers(options, _papers(options), options.kind)
    return 0


def _papers(options: argparse.Namespace) -> tuple["Document", ...]:
    from damas.paper import club
    from damas.paper.club_cards import CardLink, cards_paper, slips_papers

    state, language, kind = load(Path(options.file)), options.language, options.kind
    stem = Path(options.file).name.partition(".")[0]
    if kind == "table":
        return (club.table_paper(state, language, stem),)
    if kind == "cross":
        return (club.cross_paper(state, language, stem),)
    if kind == "cards":
        players = individuals(state) if state.conditions.boards else state
        links = {
            name: CardLink(options.address.replace("{number}", str(number)))
            for name, number in players.numbers.items()
        }
        return (cards_paper(state, language, stem, links if options.address else None),)
    if kind == "diplomas":
        check_category(state, options.category)
        document = club.diplomas_paper(state, language, stem, top=options.top, category=options.category)
        if not document.body:
            raise BadInput("cli.club.no_diplomas")
        return (document,)
    played = state.round(options.round or max(1, len(state.rounds)))
    if kind == "scoresheets":
        sheets = club.scoresheets_papers(state, played, language)
        if not sheets:
            raise BadInput("cli.club.no_games", round=played.number)
        name = f"{stem}-{played.number}-{sentence('paper.scoresheet.file', language)}"
        return (replace(sheets[0], name=name), *sheets[1:])
    if kind == "slips":
        return slips_papers(state, played, language, stem, options.address)
    make = club.pairings_paper if kind == "pairings" else club.names_paper
    return (make(state, played, language, stem),)
