"""Long work for tournaments of people, in a worker process: pairing a round, reading a file, making a paper."""

from pathlib import Path

from damas.errors import TournamentRefused
from damas.openings import is_word, named_ballots, opening_moves
from damas.paper.club import cross_paper, pairings_paper, slips_paper, table_paper
from damas.paper.pdf import pdf
from damas.rules.library import builtin_id
from damas.tournaments.hall import State, draft
from damas.tournaments.hall.conditions import Conditions
from damas.tournaments.hall.events import Drafted
from damas.tournaments.hall.log import read
from damas.tournaments.hall.pairing import next_round

PAPERS = ("pairings", "slips", "table", "cross")
"""Papers of a tournament."""


def pair_round(state: State) -> Drafted:
    """The draft of the next round with its opening. Raises `TournamentRefused`."""
    conditions = state.conditions
    opening = ""
    if conditions.ballot:
        opening = opening_moves(conditions.ballot, conditions.rulebook, next_round(state), conditions.seed)
    return draft(state, opening)


def checked(conditions: Conditions) -> Conditions:
    """Conditions that came from elsewhere: with a rulebook of ours, no file of this machine as ballot, and no teams."""
    book = builtin_id(conditions.rulebook)
    if not book:
        raise TournamentRefused(
            "condition", {"key": "rulebook", "got": conditions.rulebook, "known": "faraes …"}
        )
    if conditions.boards:
        raise TournamentRefused("league_terminal", {})
    ballots = named_ballots(book)
    if conditions.ballot and not is_word(conditions.ballot) and conditions.ballot not in ballots:
        known = ", ".join(("ballot", "random:4", *ballots))
        raise TournamentRefused("condition", {"key": "ballot", "got": conditions.ballot, "known": known})
    return conditions


def read_file(data: bytes, name: str = "") -> tuple[State, int]:
    """The state of a tournament file of `damas club`, and how many of its bytes count. Raises `DamagedTournament`."""
    state, _, good = read(data, Path(name))
    checked(state.conditions)
    return state, good


def paper(kind: str, state: State, number: int, language: str, stem: str) -> tuple[str, bytes]:
    """The file name and the PDF of a paper."""
    if kind == "table":
        document = table_paper(state, language, stem)
    elif kind == "cross":
        document = cross_paper(state, language, stem)
    else:
        make = pairings_paper if kind == "pairings" else slips_paper
        document = make(state, state.round(number), language, stem)
    return document.name, pdf(document)
