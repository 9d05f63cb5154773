"""Long work for tournaments of people, in a worker process: pairing a round, reading a file, making a paper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from damas.errors import TournamentRefused
from damas.openings import is_word, named_ballots, opening_moves
from damas.paper import club
from damas.paper.club_cards import CardLink, cards_paper, slips_papers
from damas.paper.document import Document
from damas.rules.library import builtin_id
from damas.tournaments.hall import State, draft
from damas.tournaments.hall.conditions import Conditions
from damas.tournaments.hall.events import Drafted, Rated
from damas.tournaments.hall.lists import decoded, read_players
from damas.tournaments.hall.log import read
from damas.tournaments.hall.pairing import next_round
from damas.tournaments.hall.rating_list import RatingList, rated_events

PAPERS = ("pairings", "names", "slips", "scoresheets", "table", "cross", "cards", "diplomas")
"""Papers of a tournament."""


def pair_round(state: State) -> Drafted:
    """The draft of the next round with its opening. Raises `TournamentRefused`."""
    conditions = state.conditions
    opening = ""
    if conditions.ballot:
        opening = opening_moves(conditions.ballot, conditions.rulebook, next_round(state), conditions.seed)
    return draft(state, opening)


def checked(conditions: Conditions) -> Conditions:
    """Conditions that came from elsewhere: with a rulebook of ours, and no file of this machine as ballot."""
    book = builtin_id(conditions.rulebook)
    if not book:
        raise TournamentRefused(
            "condition", {"key": "rulebook", "got": conditions.rulebook, "known": "faraes …"}
        )
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


def read_ratings(state: State, data: bytes) -> tuple[list[Rated], list[str]]:
    """The events that give everybody the rating of a federation's list, and who is not in it. Raises `TournamentRefused`."""
    return rated_events(state, RatingList(read_players(decoded(data))))


@dataclass(frozen=True)
class PaperOrder:
    """Which paper of a tournament is wanted, and what its QR codes lead to."""

    kind: str
    round: int
    language: str
    stem: str
    address: str = ""
    """Of the tournament, for slips; empty: they have no QR codes."""
    links: Mapping[str, CardLink] = field(default_factory=dict)
    """What a card opens, by the name of the player."""
    captains: Mapping[str, CardLink] = field(default_factory=dict)
    """The same by the team of a captain."""


def paper(state: State, wanted: PaperOrder) -> tuple[str, bytes] | None:
    """The file name and the PDF of a paper; None while there is nothing to print. Raises `TournamentRefused`."""
    documents = _documents(state, wanted)
    if not documents or not documents[0].body:
        return None
    from damas.paper.pdf import pdf  # the server itself draws nothing

    return documents[0].name, pdf(*documents)


def _documents(state: State, wanted: PaperOrder) -> Sequence[Document]:
    language, stem = wanted.language, wanted.stem
    match wanted.kind:
        case "table":
            return (club.table_paper(state, language, stem),)
        case "cross":
            return (club.cross_paper(state, language, stem),)
        case "cards":
            return (cards_paper(state, language, stem, wanted.links, wanted.captains),)
        case "diplomas":
            begun = any(each.published for each in state.rounds)
            return (club.diplomas_paper(state, language, stem),) if begun else ()
    played = state.round(wanted.round)
    if wanted.kind == "scoresheets":
        return club.scoresheets_papers(state, played, language)
    if wanted.kind == "slips":
        address = f"{wanted.address}#board={{board}}" if wanted.address else ""
        return slips_papers(state, played, language, stem, address)
    make = club.pairings_paper if wanted.kind == "pairings" else club.names_paper
    return (make(state, played, language, stem),)
