"""Core and oracle agree on the result after every ply, and on every law whose limit is reached."""

import os
from collections import Counter

import pytest

from damas import rulebook
from damas.game import Customs, Game
from damas.rules import IDS
from differential.games import RULES, difference, lines

COUNT = int(os.environ.get("DAMAS_GAMES", "20"))
SEED = int(os.environ.get("DAMAS_SEED", "1"))


@pytest.mark.parametrize("book_id", IDS)
def test_every_law_has_its_twin(book_id: str) -> None:
    assert set(RULES[book_id].values()) == {law.id for law in rulebook(book_id).draws if not law.platform}


@pytest.mark.parametrize("book_id", IDS)
def test_results_agree_at_every_ply(book_id: str) -> None:
    for line in lines(book_id, SEED, COUNT):
        assert difference(line, rulebook(book_id)) is None


def test_the_games_end_in_every_manner() -> None:
    ends = Counter(
        name
        for book_id in IDS
        for line in lines(book_id, SEED, COUNT)
        for name in (line.complete[-1] or {line.results[-1]})
    )
    rare = {
        "balance 6-7",
        "article 12",
        "strong",
    }  # sixty moves each, three kings v one: see the conformance cases
    everything = {rule for rules in RULES.values() for rule in rules}
    assert set(ends) >= (everything - rare) | {"1-0", "0-1", "*"}


@pytest.mark.parametrize("book_id", ["inglesa", "checa", "portuguesa-fpd"])
def test_a_federation_s_claim_waits_where_claims_are_asked_for(book_id: str) -> None:
    """The same third occurrence ends the game by itself (G3), or only when a player asks."""
    line = next(line for line in lines(book_id, SEED, 60) if line.complete[-1] == {"repetition"})
    by_itself = Game.start(book_id, fen=line.fen, customs=Customs(platform_rules=False, claims=False))
    asked_for = Game.start(book_id, fen=line.fen, customs=Customs(platform_rules=False, claims=True))
    for move in line.moves:
        by_itself, asked_for = by_itself.play(move), asked_for.play(move)
    assert by_itself.outcome is not None
    assert asked_for.outcome is None
    outcome = asked_for.claim("threefold")
    assert outcome is not None
    assert (outcome.result, outcome.rule) == ("1/2-1/2", "threefold")
    assert asked_for.take_back().claim("threefold") is None
