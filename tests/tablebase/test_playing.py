"""What the tables say happens: half-spent games, played out by the book, end as they were probed."""

import re
from itertools import islice
from random import Random

import pytest

from damas import Position, rulebook
from damas.game import Game
from damas.game.game import LETTER, Customs
from damas.tablebase import Material, Store, canonical_materials, probe
from damas.tablebase.verdict import in_units
from tablebase.compare import STRONG
from tablebase.playing import KINGS, half_spent, played_out, random_position, wandering, winner_by_tables

LATER = "B:WKd2,Kb4:BKa1,Kc5"
"""concurso: Black takes a piece, and then moves to and fro."""
BOOKS = [
    "brasileira",
    "oficial",
    "faraes",
    "portuguesa",
    "espanhola",
    "brasileira-cbd",
    "inglesa",
    "pool",
    "checa",
]


@pytest.mark.parametrize("count", [10, pytest.param(25, marks=pytest.mark.soak)])
@pytest.mark.parametrize("book_id", BOOKS)
def test_half_spent_games_end_as_probed(stores, book_id, count):
    store = stores(book_id, 4)
    rng = Random(book_id)
    games = half_spent(rng, store, KINGS)
    decided = 0
    for _ in range(count):
        game = next(games)
        expected = winner_by_tables(game, store)
        for defence in (None, rng):
            end = played_out(game, store, defence).outcome
            if expected is not None:
                assert end and end.winner is expected, (game.record.position.fen, expected, end)
            elif defence is None:  # a text without a limit may leave a drawn game without an end
                assert end is None or end.winner is None, (game.record.position.fen, expected, end)
        decided += expected is not None
    assert 0 < decided < count


@pytest.mark.parametrize(
    ("book_id", "fen"),
    [
        ("inglesa", "B:WK22,K18,5:BK14"),
        ("inglesa", "W:W28,K9:BK21,K6"),
        ("italiana", "W:W29,K11,K7:BK3"),
        ("pool", "B:WK27:BK25,28,K10"),
        ("faraes", "B:Wa7,Kg7,Kh8:BKe3"),
    ],
)
def test_a_win_does_not_go_round_in_circles(stores, book_id, fen):
    """A man that crowns begins another count: what that one will take is no reason to put the crowning off."""
    store = stores(book_id, 4)
    game = Game.start(book_id, fen=fen, customs=LETTER)
    winner = winner_by_tables(game, store)
    seen, value = {game.position}, "win" if winner is game.position.turn else "loss"
    while not game.outcome:
        probed = probe(game.position, game.record, customs=LETTER, store=store)
        assert probed.verdict.value == value
        game = game.play(probed.moves[0].move)
        assert game.position not in seen
        seen.add(game.position)
        value = {"win": "loss", "loss": "win"}[value]
    assert game.outcome.winner is winner


@pytest.mark.parametrize("book_id", STRONG)
def test_a_verdict_is_that_of_the_best_move(stores, book_id):
    """Near the end of the count a forced capture by the other side comes a move of the stronger side too late."""
    store = stores(book_id, 4)
    rng = Random(book_id)
    sign = {"win": 1, "draw": 0, "loss": -1}
    names = set()
    for game in islice(wandering(rng, store, Material.of_name("KKK-K"), 16), 60):
        probed = probe(game.position, game.record, customs=LETTER, store=store)
        assert max(sign[each.value] for each in probed.moves) == sign[probed.verdict.value], game.record
        names.add(probed.verdict.name)
    assert names & {"win", "loss"} and names & {"cursed-win", "blessed-loss"}


def test_the_other_sides_capture_after_the_last_move_counted_is_too_late(stores):
    """faraes: the decision is two plies away, by a capture that Black must make; with twelve of thirteen counted the
    next move of the three kings is the last, and the game is drawn right after it.
    """
    store = stores("faraes", 4)
    rng = Random(1)
    for _ in range(200_000):
        position = random_position(rng, store.book, Material.of_name("KKK-K"))
        if store.code(position, 1) != 2 + 2 * 2 or position.counts[1] != 3:
            continue
        round_trip = to_and_fro(position, rng)
        if round_trip is None:
            continue
        rule = next(rule for rule in store.book.draws if rule.id == "thirteen-moves")
        assert in_units(rule, position, 2) == 2
        game = Game.start("faraes", fen=position.fen, customs=Customs(platform_rules=False, claims=True))
        verdicts = []
        while not game.outcome and game.record.length < 24:
            for move in round_trip:
                game = game.play(move) if not game.outcome else game
            if not game.outcome:
                probed = probe(game.position, game.record, customs=game.customs, store=store)
                verdicts.append((probed.verdict.count.have, probed.verdict.name))
        assert verdicts[-1] == (12, "cursed-win"), verdicts
        assert all(name == "win" for _, name in verdicts[:-1])
        return
    pytest.fail("no such position was met")


def test_what_draws_a_won_position_is_not_guessed(stores):
    """Brasileira 85: the five-move ending comes later, and the twenty king moves that are counted now do not cut."""
    store = stores("brasileira", 4)
    probed = probe(Position.from_fen("W:WKa1,Kc7:Bh2,h4", "brasileira"), store=store).verdict
    assert probed.name == "cursed-win" and probed.count is None
    assert "a limit ends the game before" in probed.sentence("en")
    store = stores("portuguesa", 4)
    for game in wandering(Random(4), store, Material.of_name("KKK-K"), 16):
        verdict = probe(game.position, game.record, customs=LETTER, store=store).verdict
        if verdict.name == "cursed-win":
            assert verdict.count and verdict.count.rule.id == "forcada"
            return


@pytest.mark.parametrize("fen", ["W:WKa1:B", "B:WKa1:B", "W:W:BKa1", "B:W:Ba3"])
def test_a_side_without_pieces_has_lost(stores, fen):
    probed = probe(Position.from_fen(fen, "brasileira"), store=stores("brasileira", 2))
    winner = "White" if fen[2:].startswith("WK") else "Black"
    mover = "White" if fen[0] == "W" else "Black"
    assert probed.verdict.name == ("win" if winner == mover else "loss")
    assert not probed.moves
    assert probed.verdict.sentence("en").startswith(f"The game is over: {winner} has won")


def test_a_king_that_must_rest_is_not_among_the_moves_and_the_rule_is_named(tmp_path):
    """Frisian, art. 17: after three moves in a row the king rests while its side has men."""
    store = Store(rulebook("frisia"), tmp_path)
    game = Game.start("frisia", fen="W:WK50,41:BK6", customs=LETTER)
    while len(game.legal_moves) == len(list(game.position.legal_moves)):
        quiet = [
            move
            for move in game.legal_moves
            if move.by_king and not any(after.is_capture for after in game.position.play(move).legal_moves)
        ]
        game = game.play(quiet[0])
    probed = probe(game.position, game.record, customs=LETTER, store=store)
    assert {each.move for each in probed.moves} == set(game.legal_moves)
    assert [rule.id for rule in probed.verdict.beside if rule in store.book.rests]
    assert "must rest" in probed.verdict.sentence("en")
    kings = probe(Position.from_fen("W:WK50,K41:BK6", "frisia"), customs=LETTER, store=store).verdict
    assert not [rule for rule in kings.beside if rule in store.book.rests]


def test_a_move_already_counted_changes_the_verdict(stores):
    """002-12: thirteen moves for three kings against one; a position won when fresh is drawn when reached late."""
    store = stores("faraes", 4)
    rng = Random(5)
    late = 0
    for _ in range(2000):
        game = next(half_spent(rng, store, [Material.of_name("KKK-K")]))
        fresh = probe(game.position, store=store).verdict
        now = probe(game.position, game.record, store=store).verdict
        if fresh.name == "win" and now.name == "cursed-win":
            late += 1
            assert now.count and now.count.need == 13
            assert now.count.have + in_units(now.count.rule, game.position, now.spends or 0) > 13
            assert "drawn by the limit" in now.sentence("en")
        if late == 3:
            return
    pytest.fail("no such position was met")


def test_thirteen_moves_count_from_the_claim_where_nobody_writes(stores):
    """002-12, sole paragraph: unrecorded, the count begins with the claim; recorded, with the ending."""
    store = stores("faraes", 4)
    fen = "W:WKa1,Kc1,Ke1:BKh6"
    walk = ["e1-d2", "h6-f8", "d2-e1", "f8-h6"] * 2  # eight plies, four of them the stronger side's
    recorded = Game.start("faraes", fen=fen, customs=LETTER)
    unwritten = Game.start("faraes", fen=fen, recorded=False, customs=LETTER)
    for move in walk[:4]:
        recorded, unwritten = recorded.play(move), unwritten.play(move)
    probed = probe(recorded.position, recorded.record, store=store).verdict
    assert probed.count and (probed.count.have, probed.count.need) == (2, 13)
    silent = probe(unwritten.position, unwritten.record, store=store).verdict
    assert silent.count is None and silent.value == "win"
    claimed = unwritten.call_attention("thirteen-moves")
    probed = probe(claimed.position, claimed.record, store=store).verdict
    assert probed.count and (probed.count.have, probed.count.need) == (0, 13)


def test_the_forcada_is_counted_once_the_rio_is_held(stores):
    """003-9: before a king stands on the Rio nothing is counted; then twelve moves, and not always enough."""
    store = stores("portuguesa", 4)
    materials = [Material.of_name("KKK-K")]
    rng = Random(9)
    names: dict[tuple[bool, str], int] = {}
    for _ in range(400):
        position = random_position(rng, store.book, materials[0])
        verdict = probe(position, store=store).verdict
        white_strong = position.counts[1] == 3
        strong = position.white_kings if white_strong else position.black_kings
        on_rio = not store.book.geometry.main_diagonal.isdisjoint(strong)
        assert (verdict.count is not None and verdict.count.rule.id == "forcada") == on_rio
        names[on_rio, verdict.name] = names.get((on_rio, verdict.name), 0) + 1
    assert names[True, "win"] and names[False, "win"]


def test_endless_play_goes_to_the_side_with_more_pieces(stores):
    """004-4.3: two kings that cannot catch one still win; with equal pieces it is a draw."""
    store = stores("concurso", 3)
    rng = Random(3)
    by_pieces = 0
    # Two against two: nobody has more yet.
    even = probe(Position.from_fen(LATER, "concurso"), store=stores("concurso", 4)).verdict
    assert even.unlimited == "draw" != even.value and "comes to have more" in even.sentence("en")
    for _ in range(2000):
        position = random_position(rng, store.book, Material.of_name("KK-K"))
        verdict = probe(position, store=store).verdict
        white_more = position.counts[1] == 2
        mover_more = (position.turn.value == "white") == white_more
        if verdict.value != verdict.unlimited:
            assert (verdict.unlimited, verdict.value) == ("draw", "win" if mover_more else "loss")
            assert verdict.by_pieces and verdict.by_pieces.article == "004-4.3"
            assert "mais peças" in verdict.sentence("pt-BR")
            by_pieces += 1
    assert by_pieces
    for _ in range(100):
        position = random_position(rng, store.book, Material.of_name("K-K"))
        verdict = probe(position, store=store).verdict
        assert verdict.value == verdict.unlimited


def to_and_fro(position: Position, rng: Random) -> list[str] | None:
    """Four quiet moves that come back to the position."""
    moves = []
    here = position
    for _ in range(2):
        quiet = [move for move in here.legal_moves if not move.is_capture]
        if not quiet:
            return None
        moves.append(rng.choice(quiet))
        here = here.play(moves[-1])
    for move in moves[:2]:
        back = [each for each in here.legal_moves if each.route == move.route[::-1]]
        if not back:
            return None
        moves.append(back[0])
        here = here.play(back[0])
    return [move.text for move in moves] if here == position else None


def test_a_limit_of_the_platform_is_counted_only_where_it_rules(stores):
    """B.002-6: FARAES has no limit for two kings against one; the platform ends the game after forty plies."""
    store = stores("faraes", 3)
    rng = Random(2)
    for _ in range(20_000):
        position = random_position(rng, store.book, Material.of_name("KK-K"))
        code = store.code(position, 1)
        if code == 0 or (code - 1) // 2 < 5:
            continue
        round_trip = to_and_fro(position, rng)
        if round_trip is None:
            continue
        game = Game.start("faraes", fen=position.fen)
        for move in round_trip * 9:
            game = game.play(move)
        letter = probe(game.position, game.record, store=store).verdict
        ruled = probe(game.position, game.record, customs=Customs(), store=store).verdict
        assert letter.value == probe(position, store=store).verdict.value != "draw"
        assert ruled.value == "draw" and ruled.count and ruled.count.rule.platform
        assert ruled.count.have == 36
        return
    pytest.fail("no such position was met")


def hurried(probed):
    """The move that leaves the winner the least of the count to spend; the loser's first."""
    if probed.verdict.value != "win":
        return probed.moves[0]
    count = probed.verdict.count.rule

    def left(each):
        after = each.after
        return after.spends if after and after.count and after.count.rule == count else 0

    return min((each for each in probed.moves if each.value == "win"), key=left)


@pytest.mark.parametrize("book_id", STRONG)
def test_a_win_within_a_limit_says_how_far_the_count_goes(stores, book_id):
    """And no further does it go if the winner hurries, whatever the other does."""
    store = stores(book_id, 4)
    compared = 0
    for game in islice(wandering(Random(book_id), store, Material.of_name("KKK-K"), 4), 20):
        verdict = probe(game.position, game.record, customs=LETTER, store=store).verdict
        if verdict.value == "draw" or not verdict.count:
            continue
        text = verdict.sentence("pt-BR")
        reaches = int(re.findall(r"a contagem não precisa passar de (\d+) ", text)[0])
        assert verdict.count.have <= reaches <= verdict.count.need and "faltam" not in text
        most, rule = verdict.count.have, verdict.count.rule
        while not game.outcome:
            now = probe(game.position, game.record, customs=LETTER, store=store)
            if not now.verdict.count or now.verdict.count.rule.id != rule.id:
                break
            most = max(most, now.verdict.count.have)
            game = game.play(hurried(now).move)
        assert most <= reaches
        compared += 1
    assert compared


@pytest.mark.parametrize("language", ["pt-BR", "pt-PT", "es", "en"])
def test_every_verdict_has_a_sentence(stores, language):
    rng = Random(language)
    for book_id in ("brasileira", "faraes", "portuguesa", "concurso", "brasileira-64"):
        store = stores(book_id, 4)
        for material in [m for n in (2, 3, 4) for m in canonical_materials(n)]:
            probed = probe(random_position(rng, rulebook(book_id), material), store=store)
            assert probed.verdict.sentence(language).endswith(".")
            assert "{" not in probed.verdict.sentence(language)
