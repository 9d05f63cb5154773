"""What the tables know is never thrown away: at the root, and in the search, with counters half spent."""

from random import Random

import pytest

from damas.engine import Engine, Limits
from damas.game import Game
from damas.game.game import LETTER
from damas.tablebase import Material, canonical_materials, probe
from tablebase.playing import half_spent, random_position

BOOKS = ["brasileira", "faraes", "portuguesa", "oficial", "concurso"]
EACH = [50, pytest.param(200, marks=pytest.mark.soak)]
"""Late games of each rulebook."""
SIGN = {"win": 1, "draw": None, "loss": -1}


@pytest.fixture
def engine_of(stores):
    engines = []

    def make(name, pieces=4, **options):
        engines.append(Engine(name, hash_mb=1, tables=stores(name, pieces), customs=LETTER, **options))
        return engines[-1]

    yield make
    for engine in engines:
        engine.close()


def late_games(store, count, pieces=4, seed=7, materials=None):
    games = half_spent(Random(seed), store, materials or list(canonical_materials(pieces)))
    return [next(games) for _ in range(count)]


@pytest.mark.parametrize("count", EACH)
@pytest.mark.parametrize("name", BOOKS)
def test_the_move_played_keeps_the_value(stores, engine_of, name, count):
    store, engine = stores(name, 4), engine_of(name)
    values = set()
    for game in late_games(store, count):
        probed = probe(game.position, game.record, customs=LETTER, store=store)
        best = engine.search(game, Limits(nodes=1000)).best
        assert next(verdict.value for verdict in probed.moves if verdict.move == best) == probed.verdict.value
        values.add(probed.verdict.value)
    assert values >= {"win", "draw"}


@pytest.mark.parametrize("name", [*BOOKS, "espanhola", "brasileira-cbd", "russa"])
@pytest.mark.parametrize("count", EACH)
def test_the_search_counts_as_the_verdict_does(stores, engine_of, name, count):
    # One ply deep every move is answered by the tables, with the counters of the line.
    store, engine = stores(name, 4), engine_of(name)
    compared = dict.fromkeys(("win", "draw", "loss"), 0)
    for game in late_games(store, count // 2):
        probed = probe(game.position, game.record, customs=LETTER, store=store)
        result = engine.search(game, Limits(depth=1, lines=99))
        verdicts = {each.move.text: each for each in probed.moves}
        for line in result.lines:
            each = verdicts[line.moves[0].text]
            if each.after and each.after.beside:
                continue
            assert line.decided == SIGN[each.value], (game.record, line, each)
            compared[each.value] += 1
    assert all(compared.values()), compared


@pytest.mark.parametrize("name", BOOKS)
def test_more_pieces_than_the_tables_have_are_searched_into_them(stores, engine_of, name):
    engine = engine_of(name)
    rng = Random(3)
    hits = 0
    for material in list(canonical_materials(5))[:6]:
        position = random_position(rng, stores(name, 4).book, material)
        result = engine.search(position, Limits(nodes=3000))
        assert result.best in position.legal_moves
        hits += result.table_hits
    assert hits > 0


def test_a_cursed_win_is_not_taken_for_a_win(stores, engine_of):
    """KKK-K in faraes, won when fresh and drawn when late: the search says so by itself."""
    store, engine = stores("faraes", 4), engine_of("faraes")
    cursed = 0
    for game in late_games(store, 400, seed=5, materials=[Material.of_name("KKK-K")]):
        now = probe(game.position, game.record, customs=LETTER, store=store).verdict
        if now.name == "cursed-win" and now.count:
            assert engine.search(game, Limits(depth=2, lines=2)).lines[0].decided is None
            cursed += 1
    assert cursed


def test_tables_agree_with_a_search_that_has_none(stores, engine_of):
    store, engine = stores("brasileira", 4), engine_of("brasileira")
    with Engine("brasileira", hash_mb=8, tables=False, customs=LETTER) as alone:
        decided = 0
        for game in late_games(store, 60, pieces=3):
            by_tables = engine.search(game, Limits(nodes=1000)).lines[0]
            seen = alone.search(game, Limits(depth=16)).lines[0]
            if seen.decided:
                decided += 1
                assert seen.decided == by_tables.decided, game.record
        assert decided > 10


def test_a_game_won_by_the_tables_is_brought_home(stores, engine_of):
    store, engine = stores("brasileira", 4), engine_of("brasileira")
    won = 0
    for start in late_games(store, 60):
        value = probe(start.position, start.record, customs=LETTER, store=store).verdict.value
        if value != "win":
            continue
        game, rng, winner = start, Random(1), start.position.turn
        while not game.outcome:
            mine = game.position.turn is winner
            game = game.play(
                engine.search(game, Limits(nodes=100)).best if mine else rng.choice(game.legal_moves)
            )
        assert game.outcome.winner is winner
        won += 1
    assert won > 5


def test_without_files_nothing_is_asked_and_nothing_is_built(tmp_path):
    with Engine("brasileira", hash_mb=1) as engine:
        assert engine.pieces == 0
        assert engine.search(Game.start("brasileira", fen="W:WKa1:BKh2"), Limits(depth=3)).table_hits == 0
    assert not list(tmp_path.iterdir())


def test_a_damaged_file_never_answers(stores, tmp_path, monkeypatch):
    from damas import rulebook
    from damas.tablebase import Store, build

    store = Store(rulebook("brasileira"), tmp_path)
    build(store, 2, threads=1)
    path = next(store.folder.glob("K-K.*"))
    data = bytearray(path.read_bytes())
    data[-8] ^= 0xFF
    path.write_bytes(bytes(data))
    fresh = Store(rulebook("brasileira"), tmp_path)
    with Engine("brasileira", hash_mb=1, tables=fresh) as engine:
        result = engine.search(Game.start("brasileira", fen="W:WKa1:BKb8"), Limits(nodes=500))
        assert result.best is not None
