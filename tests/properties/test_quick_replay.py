"""Replaying a whole game at once gives what playing ply by ply gives."""

from random import Random

import pytest

from damas.game import Customs, Game, Move, Position
from damas.game.game import applicable
from damas.rules import rulebooks

GAMES = 12
LONGEST = 90
CUSTOMS = (
    Customs(),
    Customs(platform_rules=False),
    Customs(claims=True),
)


def endgame(book: str, random: Random) -> tuple[Position, list[Move]]:
    """A random game from the opening thinned out, so that kings and limits come soon."""
    position = Position.start(book)
    while sum(position.counts) > random.randint(3, 8) and position.count_moves():
        moves = position.legal_moves
        position = position.play(moves[random.randrange(len(moves))])
    start, moves = position, []
    while len(moves) < LONGEST and position.count_moves():
        choice = list(position.legal_moves)
        # Mostly to and fro: what was just played is played back, so that positions repeat.
        back = [
            m
            for m in choice
            if len(moves) > 1 and (m.origin, m.destination) == (moves[-2].destination, moves[-2].origin)
        ]
        moves.append(random.choice(back) if back and random.random() < 0.6 else random.choice(choice))
        position = position.play(moves[-1])
    return start, moves


@pytest.mark.parametrize("book", [book.id for book in rulebooks()])
def test_the_quick_way_and_the_slow_way_agree(book: str) -> None:
    random = Random(book)
    ended = 0
    for number in range(GAMES):
        start, moves = endgame(book, random)
        customs = CUSTOMS[number % len(CUSTOMS)]
        recorded = random.random() < 0.5
        attention = _attention(start, moves, customs, random) if not recorded else ()
        slow = Game.start(book, fen=start.fen, recorded=recorded, customs=customs)
        for ply, move in enumerate((None, *moves)):
            if slow.outcome:
                break
            slow = slow.play(move) if move else slow
            for _, rule in (call for call in attention if call[0] == ply and not slow.outcome):
                slow = slow.call_attention(rule)
        quick = Game.of(start, moves, recorded=recorded, claims=attention, customs=customs)
        assert quick.outcome == slow.outcome
        assert quick.record == slow.record
        ended += slow.outcome is not None
    assert ended, "no game ended: this shows nothing"


def _attention(
    start: Position, moves: list[Move], customs: Customs, random: Random
) -> tuple[tuple[int, str], ...]:
    rules = [rule.id for rule in applicable(start.rulebook, customs) if rule.claim == "unrecorded"]
    return tuple(sorted((random.randint(0, len(moves)), rule) for rule in rules for _ in range(2)))
