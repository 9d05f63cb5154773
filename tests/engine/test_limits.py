"""The search counts: best moves that change with the moves already counted, found without any table.

The tables only say what is right. The engine here has none: what it knows of a limit it has counted itself.
"""

from itertools import islice
from random import Random

import pytest

from damas.board import Color
from damas.engine import Engine, Limits
from damas.game import Game, Position
from damas.game.game import LETTER
from damas.tablebase import Material, probe
from engine.rings import ring_from
from tablebase.playing import half_spent, random_position, wandering

CLOSE = 9
"""Plies left of a limit that a search of modest depth sees to its end."""
DEEP = Limits(depth=13)


def shuffled(store, materials, plies):
    """Games that walked in rings for so many plies, or a few less: the 20-move limit is nearly out."""
    rng = Random(11)
    while True:
        start = random_position(rng, store.book, rng.choice(materials))
        game = Game.start(store.book, fen=start.fen, customs=LETTER)
        ring = ring_from(start)
        if ring is None or game.outcome:
            continue
        for _ in range((plies - rng.randrange(6)) // 4):
            for move in ring:
                game = game.play(move) if not game.outcome else game
        if not game.outcome:
            yield game


CASES = {
    5: ("brasileira", 3, ["KK-K", "KK-KM", "K-KM"], half_spent),
    12: ("portuguesa", 4, ["KKK-K"], wandering),
    13: ("faraes", 4, ["KKK-K"], wandering),
    20: ("brasileira", 4, ["KKM-K", "KMM-K", "KM-K", "KMM-KM"], shuffled),
}


def late(limit, store, materials):
    _, _, _, how = CASES[limit]
    if how is shuffled:
        return shuffled(store, materials, 39)
    if how is wandering:
        return wandering(Random(limit), store, materials[0], 2 * limit - CLOSE)
    return half_spent(Random(limit), store, materials)


@pytest.mark.parametrize("positions", [4, pytest.param(12, marks=pytest.mark.soak)])
@pytest.mark.parametrize("limit", CASES)
def test_the_best_move_changes_with_what_has_been_counted(stores, limit, positions):
    name, pieces, names, _ = CASES[limit]
    store = stores(name, pieces)
    materials = [Material.of_name(text) for text in names if Material.of_name(text).pieces <= pieces]
    tried = changed = 0
    with Engine(name, hash_mb=16, tables=False, customs=LETTER) as engine:
        for game in islice(late(limit, store, materials), 4000):
            now = probe(game.position, game.record, customs=LETTER, store=store)
            fresh = probe(game.position, customs=LETTER, store=store)
            count = now.verdict.count
            if not count or not count.have or count.rule.limit != limit:
                continue
            left = (count.need - count.have) * (2 if count.rule.counts == "strong" else 1)
            late_value = {verdict.move.text: verdict.value for verdict in now.moves}
            spoilt = [verdict for verdict in fresh.moves if late_value[verdict.move.text] != verdict.value]
            matters = len(set(late_value.values())) > 1 and now.verdict.value != "loss"
            if limit == 20:
                kings = [late_value[m.text] for m in game.legal_moves if m.by_king]
                matters = now.verdict.value == "win" and kings and set(kings) == {"draw"}
            if not spoilt or not matters or left > CLOSE:
                continue
            tried += 1
            engine.forget()
            result = engine.search(game, DEEP)
            if limit == 20:
                # A man's move begins the count anew; which of them wins lies too far ahead to ask for.
                assert not result.best.by_king, game.record
            else:
                assert late_value[result.best.text] == now.verdict.value, (game.record, result.best.text)
                decided = {"win": 1, "draw": None}[now.verdict.value]
                assert result.lines[0].decided == decided, (game.record, result.score)
            engine.forget()
            changed += engine.search(game.position, DEEP).best != result.best
            if tried >= positions and changed:
                break
    assert tried > 1 and changed, (tried, changed)


def test_thirteen_moves_are_counted_from_the_claim_where_nobody_writes():
    """002-12: unrecorded, the count begins when a player calls attention to it."""
    start = Position.from_fen("W:WKa1,Kc1,Ke1:BKh6", "faraes")
    walk = ring_from(start) * 6
    unwritten = replayed(start, walk)
    games = {
        "written": replayed(start, walk, recorded=True),
        "claimed at once": replayed(start, walk, claim_after=0),
        "nobody claimed": unwritten,
        "claimed now": unwritten.call_attention("thirteen-moves"),
    }
    with Engine("faraes", hash_mb=16, tables=False, customs=LETTER) as engine:
        answers = {}
        for which, game in games.items():
            engine.forget()
            answers[which] = engine.search(game, Limits(depth=11)).lines[0].decided
    assert answers == {"written": None, "claimed at once": None, "nobody claimed": 1, "claimed now": 1}


def replayed(start, moves, claim_after=None, recorded=False):
    game = Game.start(start.rulebook, fen=start.fen, recorded=recorded, customs=LETTER)
    for ply, move in enumerate(moves):
        if ply == claim_after:
            game = game.call_attention("thirteen-moves")
        game = game.play(move)
    return game


def almost(name, fen, rounds):
    """A ring walked so often that the next ply, which is Black's, completes the last round; and that ply."""
    game = Game.start(name, fen=fen, customs=LETTER)
    ring = ring_from(game.position)
    assert ring and game.position.turn is Color.WHITE
    for move in [*ring * (rounds - 1), *ring[:3]]:
        game = game.play(move)
    return game, ring[3]


@pytest.mark.parametrize(
    ("fen", "decided"),
    [("W:WKg1:BKb8,h6", 1), ("W:WKg1,a3:BKb8", -1), ("W:WKg1,a3:BKb8,h6", None)],
    ids=["more", "fewer", "equal"],
)
def test_the_cycle_of_concurso_goes_to_more_pieces(fen, decided):
    """004-4.3: a block of moves played six times is won by more pieces, and drawn if they are equal."""
    game, last = almost("concurso", fen, 6)
    ended = game.play(last)
    assert ended.outcome and ended.outcome.reason == "CYCLE"
    with Engine("concurso", hash_mb=8, tables=False, customs=LETTER) as engine:
        result = engine.search(game, Limits(depth=9))
    assert result.lines[0].decided == decided
    if "h6" not in fen:
        assert ended.outcome.winner is Color.WHITE and result.best != last, "fewer pieces: anything else"


def test_the_third_occurrence_is_sought_by_the_side_that_loses():
    """portuguesa 003-8: the third time the position stands the game is drawn."""
    with Engine("portuguesa", hash_mb=8, tables=False, customs=LETTER) as engine:
        game, last = almost("portuguesa", "W:WK1,K3,9:BK30", 2)
        assert game.play(last).outcome.reason == "REPETITION"
        assert engine.search(game, Limits(depth=10)).best == last


def test_a_reserve_is_left_for_a_machine_that_is_busy_however_long_the_game():
    clock = 1.0
    for move in range(400):
        soft, hard = Limits(clock=clock, increment=0.01).times(max(0.1, 1 - move / 40))
        assert 0 < soft <= hard
        clock += 0.01 - hard  # as long as it ever may, every time
        assert clock > 0.1, move


def test_no_time_at_all_is_not_all_the_time():
    assert all(0 < limit < 0.001 for limit in Limits(clock=0).times(1))
