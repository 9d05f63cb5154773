"""The shared cases: positions with their exact legal moves."""

import json
from pathlib import Path

import pytest

from damas import Game, Move, Position
from damas.game import LETTER

CASES = [
    case
    for path in sorted((Path(__file__).parent.parent / "cases").glob("*.json"))
    for case in json.loads(path.read_text(encoding="utf-8"))
]
MOVE_CASES = [case for case in CASES if "legal" in case]


def described(position: Position, move: Move) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """Landings, captured squares in order, crowning: what a case states of a move."""
    names = position.rulebook.square_names
    return tuple(names[s] for s in move.route), tuple(names[s] for s in move.captured), move.promotes


@pytest.mark.parametrize("case", MOVE_CASES, ids=lambda case: case["id"])
def test_legal_moves_are_exactly_those_of_the_case(case: dict) -> None:
    position = Position.from_fen(case["fen"], case["rulebook"])
    stated = set()
    for entry in case["legal"]:
        squares = entry["text"].rstrip("=").replace("x", "-").split("-")
        stated.add((tuple(squares), tuple(entry["captured"]), entry["text"].endswith("=")))
    assert {described(position, move) for move in position.legal_moves} == stated
    assert len(position.legal_moves) == len(stated)


@pytest.mark.parametrize("case", MOVE_CASES, ids=lambda case: case["id"])
def test_every_text_of_a_case_is_read_as_its_move(case: dict) -> None:
    position = Position.from_fen(case["fen"], case["rulebook"])
    for entry in case["legal"]:
        move = position.parse(entry["text"])
        names = position.rulebook.square_names
        assert tuple(names[s] for s in move.captured) == tuple(entry["captured"])


def test_there_are_cases_to_check() -> None:
    assert len(MOVE_CASES) > 40


PLAYED_CASES = [case for case in CASES if "moves" in case]


@pytest.mark.parametrize("case", PLAYED_CASES, ids=lambda case: case["id"])
def test_played_lines_end_when_the_case_says(case: dict) -> None:
    game = Game.start(case["rulebook"], fen=case["fen"], recorded=case["recorded"], customs=LETTER)
    expected = {int(ply): result for ply, result in case["expect"].items()}
    for move in case["moves"]:
        if move == "claim":
            (counted_from_claim,) = [
                rule for rule in game.record.rulebook.draws if rule.claim == "unrecorded"
            ]
            game = game.call_attention(counted_from_claim.id)
            continue
        game = game.play(move)
        ply = game.record.length
        if ply in expected:
            assert (game.outcome.result if game.outcome else "*") == expected.pop(ply)
    assert not expected
