"""Core and oracle agree on the result after every ply, and on every law whose limit is reached."""

import os
from collections import Counter
from random import Random

import pytest

from damas import rulebook
from damas.game import LETTER, Customs, Game
from damas.rules import rulebook_ids
from damas.rules.readings import other_readings
from differential.games import RULES, difference, lines, played, royal
from oracle.books import BOOKS
from oracle.draws import Referee
from oracle.hostile import calm
from oracle.moves import merged, read_move

COUNT = int(os.environ.get("DAMAS_GAMES", "20"))
SEED = int(os.environ.get("DAMAS_SEED", "1"))


@pytest.mark.parametrize("book_id", [*rulebook_ids(), *other_readings()])
def test_every_law_has_its_twin_with_the_same_limit(book_id: str) -> None:
    laws = {law.id: law for law in rulebook(book_id).draws}
    for oracle_name, law_id in RULES[book_id].items():
        law = laws[law_id]
        if oracle_name == "duel":  # the oracle says how many plies it looks ahead for a capture
            assert law.limit == 0 and BOOKS[book_id].draws["duel"] == (2 if law.unavoidable else 1)
            continue
        plies_or_times = 2 * law.limit if law.counts == "each" else law.limit
        assert BOOKS[book_id].draws[oracle_name] == plies_or_times


@pytest.mark.parametrize("book_id", [*rulebook_ids(), *other_readings()])
def test_results_agree_at_every_ply(book_id: str) -> None:
    for line in lines(book_id, SEED, COUNT):
        assert difference(line, rulebook(book_id)) is None


def test_the_moves_before_leave_the_same_moves() -> None:
    """Frisian art. 17, the only law of its kind: at every ply, and in some the king rests."""
    book, dice, rested = BOOKS["frisia"], Random(f"rests:{SEED}"), 0
    for _ in range(COUNT):
        line = played(book, calm(book, dice, dice.choice(("KM-KM", "KMM-K", "KM-KMM"))), royal, dice)
        game, referee = Game.start("frisia", fen=line.fen, customs=LETTER), Referee("frisia", line.fen)
        for text in line.moves:
            left = {(move.origin, move.destination, frozenset(move.captured)) for move in game.legal_moves}
            assert len(left) == len(merged(referee.legal()))
            rested += len(game.legal_moves) < len(game.position.legal_moves)
            game = game.play(text)
            referee.play(read_move(referee.book, referee.position, text))
    assert rested > 20


def ends(book_id: str) -> Counter[str]:
    """The laws that end the games of a rulebook, and the results of those that no law ends."""
    return Counter(
        name for line in lines(book_id, SEED, COUNT) for name in (line.complete[-1] or {line.results[-1]})
    )


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_every_law_ends_a_game(book_id: str) -> None:
    assert set(ends(book_id)) >= set(RULES[book_id])


def test_the_games_end_in_every_manner() -> None:
    assert {name for book_id in rulebook_ids() for name in ends(book_id)} >= {"1-0", "0-1", "*"}


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
