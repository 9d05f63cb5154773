"""Swiss with one game a round: the Dutch system to the letter, by the library py4swiss (the extra `club`)."""

from collections.abc import Iterable
from importlib.metadata import version
from importlib.util import find_spec
from random import Random
from typing import Any

from damas.errors import TournamentRefused
from damas.tournaments.hall.events import BYE, REQUESTED
from damas.tournaments.hall.rounds import OPPOSITE
from damas.tournaments.hall.state import State
from damas.tournaments.hall.table import meetings

EDITION = "FIDE Dutch system, C.04.3 of 2025 (py4swiss {version})"
"""Stored with the round: py4swiss 0.3 follows the edition that was in force until 31 January 2026."""
COLOURS = {"white": True, "black": False}


def first_colour(state: State) -> str:
    """The colour of the first player in the first round, by lot."""
    return "white" if Random(f"{state.conditions.seed}/first").random() < 0.5 else "black"


def history(state: State) -> dict[str, list[tuple[str | None, str, str]]]:
    """For each player and published round: the opponent, the colour (w, b or -) and the sign of the result in TRF."""
    rows: dict[str, list[tuple[str | None, str, str]]] = {name: [] for name in state.players}
    for played in state.rounds:
        if not played.published:
            continue
        cells: dict[str, tuple[str | None, str, str]] = {}
        for pair in played.pairs:
            result = played.results.get(pair.board)
            sign = result.games[0] if result else "n"
            for name, other, color, own in (
                (pair.first, pair.second, "w", sign),
                (pair.second, pair.first, "b", OPPOSITE[sign]),
            ):
                cells[name] = (other, color, own.replace("n", "-"))
        for rest in played.resting:
            half = "H" if state.conditions.requested_bye else "Z"
            cells[rest.name] = (None, "-", {BYE: "U", REQUESTED: half}.get(rest.kind, "Z"))
        for name, cells_of in rows.items():
            cells_of.append(cells.get(name, (None, "-", "Z")))
    return rows


def pair(
    state: State, number: int, playing: list[str], rounds: int, apart_sets: Iterable[set[frozenset[str]]]
) -> tuple[list[tuple[str, str]], str | None, str] | None:
    """Pairs (White first), the bye and the edition; None if the Dutch system has no pairing, as after too many rounds.

    Players of each set in `apart_sets` are not paired; a set that leaves no pairing gives way to the next.
    """
    if find_spec("py4swiss") is None:
        raise TournamentRefused("needs_py4swiss", {"command": 'pip install "damas[club]"'})
    from py4swiss.engines import DutchEngine
    from py4swiss.engines.common import PairingError

    names = state.by_number
    for apart in apart_sets:
        trf = _trf(state, number, playing, apart, rounds)
        try:
            pairings = DutchEngine.generate_pairings(trf)
        except PairingError:
            continue
        pairs = [(names[each.white - 1], names[each.black - 1]) for each in pairings if each.black]
        bye = next((names[each.white - 1] for each in pairings if not each.black), None)
        return pairs, bye, EDITION.format(version=version("py4swiss"))
    return None


def _trf(state: State, number: int, playing: list[str], apart: set[frozenset[str]], rounds: int) -> Any:
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult, ScoringPointSystemCode
    from py4swiss.trf.sections import PlayerSection, XSection

    numbers, rows, met = state.numbers, history(state), meetings(state)
    sections = []
    for name in state.by_number:
        results = [
            RoundResult(id=numbers[other] if other else 0, color=ColorToken(color), result=ResultToken(sign))
            for other, color, sign in rows[name]
        ]
        if name not in playing:
            results.append(RoundResult(id=0, color=ColorToken("-"), result=ResultToken("Z")))
        sections.append(
            PlayerSection(
                code=PlayerCode.PLAYER,
                starting_number=numbers[name],
                name=name,
                points_times_ten=round(10 * sum(each.points for each in met[name])),
                rank=numbers[name],
                results=results,
            )
        )
    section = XSection(number_of_rounds=max(rounds, number))
    section.configuration.first_round_color = COLOURS[first_colour(state)]
    for code, points in point_system(state):
        section.scoring_point_system.apply_code(ScoringPointSystemCode(code), round(10 * points))
    section.forbidden_pairs = {
        (min(numbers[one], numbers[other]), max(numbers[one], numbers[other]))
        for one, other in map(tuple, apart)
    }
    return ParsedTrf(player_sections=sections, x_section=section)


def point_system(state: State) -> list[tuple[str, float]]:
    """The points of each kind of result, by the codes of TRF."""
    conditions = state.conditions
    return [
        ("W", conditions.win),
        ("D", conditions.draw),
        ("L", conditions.loss),
        ("HPB", conditions.requested_bye),
        ("PAB", conditions.bye),
        ("ZPB", 0.0),
        ("FL", conditions.loss),
    ]
