"""Levels: the same on every machine, legal everywhere, each stronger than the one below, no won game thrown away."""

from itertools import pairwise
from random import Random

import pytest

from damas.arbiter import TimeControl
from damas.board import Color
from damas.engine import Limits
from damas.engine.levels import LEVELS, TABLE, Greedy, LevelPlayer, ahead, level, settled
from damas.game import Game, Position
from damas.game.game import LETTER
from damas.matches import Entrant, Start, Terms, play
from damas.matches.match import play_match
from damas.rules import rulebooks
from damas.tablebase import canonical_materials, probe
from tablebase.playing import half_spent

NO_CLOCK = TimeControl.parse("none")
FIVE = ["brasileira", "faraes", "portuguesa", "oficial", "concurso"]


def test_there_are_ten_and_each_sees_more():
    assert [each.number for each in TABLE] == list(LEVELS)
    for lower, higher in pairwise(TABLE[:-1]):
        assert (lower.nodes or 0) < (higher.nodes or 0)
        assert lower.noise > higher.noise and lower.window > higher.window and lower.share <= higher.share
        assert (lower.horizon or 99) <= (higher.horizon or 99)
    for wrong in (0, 11):
        with pytest.raises(ValueError, match="1 to 10"):
            level(wrong)


@pytest.mark.parametrize("number", range(1, 10))
def test_a_seed_plays_the_same_game_again(number):
    games = []
    for seed in (1, 1, 2):
        player = LevelPlayer("brasileira", number, seed)
        game = Game.start("brasileira")
        while not game.outcome and game.record.length < 16:
            game = game.play(player.choose(game))
        games.append([move.text for move in game.record.moves])
        player.close()
    assert games[0] == games[1]
    assert number == 9 or games[0] != games[2]


def test_what_was_played_before_does_not_matter():
    """A game taken up again goes on as it would have."""
    game = Game.start("oficial").play("c3-d4").play("b6-a5")
    used, fresh = LevelPlayer("oficial", 5, 1), LevelPlayer("oficial", 5, 1)
    for text in ("W:Wc3,e3:Bd6,f6", "W:WKa1:BKh6,b8"):
        used.choose(Position.from_fen(text, "oficial"))
    assert used.choose(game) == fresh.choose(game)


@pytest.mark.parametrize("number", [1, 4, 9])
def test_so_it_is_when_a_game_is_brought_home(number):
    for text in (
        "W:Wd2,c3,h6,c7:Bg3,a7",
        "W:Wb2,f2,Kb8:Bh4,f6",
        "W:Wc1,e1,Kg7:Ba5,b8",
        "W:Wa1,c1,d2,e3:Bb8,d8",
    ):
        place = Game.of(Position.from_fen(text, "brasileira"), [])
        used, fresh = LevelPlayer("brasileira", number, 1), LevelPlayer("brasileira", number, 1)
        before = place
        while not before.outcome and before.record.length < 4:
            before = before.play(used.choose(before))
        assert used.choose(place) == fresh.choose(place)


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_every_rulebook_has_levels(book):
    result = play(Entrant.parse("level:1"), Entrant.parse("level:4"), Start(), Terms(book.id, NO_CLOCK))
    assert result.offender is None and result.points is not None
    assert result.plies > 10


def test_the_obvious_capture_is_always_taken_right():
    for number in LEVELS:
        player = LevelPlayer("brasileira", number, 1)
        assert player.choose(Position.from_fen("W:Wc3,Kh2:Bd4,f6,b6", "brasileira")).is_capture
        player.close()


def test_only_some_moves_may_be_allowed():
    game = Game.start("brasileira")
    for move in game.legal_moves:
        for number in (1, 6, 9):
            assert LevelPlayer("brasileira", number, 1).choose(game, only=[move]) == move


def test_the_horizon_hides_a_sacrifice_that_pays_back_late():
    """A shot of three sacrifices is seen by the strong, and by a horizon of one it is not."""
    from damas.engine import Engine, Handicap

    shots = 0
    with Engine("brasileira", hash_mb=4, tables=False, network=False) as engine:
        rng = Random(2)
        for _ in range(400):
            game = Game.start("brasileira")
            while not game.outcome and game.record.length < 24:
                game = game.play(rng.choice(game.legal_moves))
            if game.outcome or game.position.must_capture():
                continue
            seen = []
            for horizon in (None, 1):
                engine.forget()
                seen.append(engine.search(game, Limits(depth=9), handicap=Handicap(horizon=horizon)).score)
            shots += seen[0] - seen[1] > 80
    assert shots > 3, "nobody missed anything"


def test_greed_counts_the_captures_that_follow():
    position = Position.from_fen("W:Wc3,a1:Be5,h8", "brasileira")
    assert settled(position.play("c3-d4")) == 1  # Black takes and is ahead
    assert ahead(position) == 0
    assert Greedy(1).choose(position).text != "c3-d4"


def match_of(book, first, second, pairs):
    """The pairs of a match."""
    return play_match(Entrant.parse(first), Entrant.parse(second), Terms(book, NO_CLOCK), pairs=pairs).sample


def test_a_high_level_beats_a_low_one_and_greed():
    """A few games with fixed seeds; the statistics are in the two tests below."""
    for weak in ("level:1", "greedy"):
        sample = match_of("concurso", "level:6", weak, 4)
        assert sample.score > 0.55, sample


@pytest.mark.parametrize("name", FIVE)
@pytest.mark.soak
def test_level_one_is_about_as_good_as_greed(name):
    sample = match_of(name, "level:1", "greedy", 100)
    assert 0.3 <= sample.score <= 0.6, sample


@pytest.mark.parametrize("name", FIVE)
@pytest.mark.soak
def test_levels_are_monotone(name):
    steps = ((1, 3), (3, 5), (5, 7), (7, 9)) if name == "brasileira" else ((1, 4), (4, 8))
    for lower, higher in steps:
        sample = match_of(name, f"level:{higher}", f"level:{lower}", 16)
        assert sample.score > 0.55, (lower, higher, sample)


@pytest.mark.parametrize("name", FIVE)
def test_from_level_six_a_table_win_is_kept(stores, name):
    store = stores(name, 4)
    games = half_spent(Random(9), store, list(canonical_materials(4)))
    for number in (6, 9):
        player = LevelPlayer(name, number, 1, customs=LETTER, store=store)
        won = 0
        while won < 4:
            game = next(games)
            if probe(game.position, game.record, customs=LETTER, store=store).verdict.value != "win":
                continue
            winner, chance = game.position.turn, Random(1)
            while not game.outcome and game.record.length < 300:
                mine = game.position.turn is winner
                game = game.play(player.choose(game) if mine else chance.choice(game.legal_moves))
            assert game.outcome and game.outcome.winner is winner, game.record
            won += 1


@pytest.mark.parametrize("name", FIVE)
@pytest.mark.parametrize("number", [1, 3, 5])
def test_weak_levels_bring_an_easy_win_home(name, number):
    """Three men and a king more: no level lets that run out."""
    fen = "W:WK1,9,10,11,5:B23" if name == "portuguesa" else "W:WKa1,c3,e3,g3,b2:Bf8"
    player, chance = LevelPlayer(name, number, 1), Random(3)
    for _ in range(4):
        game = Game.start(name, fen=fen)
        winner = game.position.turn
        while not game.outcome:
            mine = game.position.turn is winner
            game = game.play(player.choose(game) if mine else chance.choice(game.legal_moves))
        assert game.outcome.winner is winner, (game.outcome, game.record)


THREE_AGAINST_ONE = {
    "brasileira": "W:WKa1,Kc1,Ke1:BKh2",
    "faraes": "W:WKa1,Kc1,Ke1:BKf8",
    "portuguesa": "W:WK1,K2,K3:BK30",
}


@pytest.mark.parametrize("name", THREE_AGAINST_ONE)
@pytest.mark.parametrize("number", [1, 5, 8, 10])
def test_no_level_lets_three_kings_against_one_run_out(stores, name, number):
    """Against the defence that lasts longest, and though nobody has told it of any tables."""
    store = stores(name, 4)
    player = LevelPlayer(name, number, 1)
    game = Game.start(name, fen=THREE_AGAINST_ONE[name])
    while not game.outcome:
        if game.position.turn is Color.WHITE:
            game = game.play(player.choose(game))
        else:
            game = game.play(probe(game.position, game.record, store=store).moves[0].move)
    assert game.outcome.winner is Color.WHITE, (game.outcome, game.record)
    player.close()


def test_the_endings_of_kings_are_known_without_any_file(tmp_path):
    player = LevelPlayer("brasileira", 1, 1)
    game = Game.start("brasileira", fen="W:WKa1,Kc1,Kf6:BKh6")
    best = player.choose(game)
    assert list(tmp_path.iterdir()) == []
    assert best == probe(game.position).moves[0].move
    assert player.choose(game, only=[best]) == best
    player.close()


@pytest.mark.parametrize("name", ["canadense", "turca"])
def test_where_there_are_no_tables_a_level_plays_all_the_same(name):
    kings = {"canadense": "W:WK1,K2,K3:BK70", "turca": "W:WKa1,Kb1,Kc1:BKh8"}[name]
    player = LevelPlayer(name, 1, 1)
    game = Game.start(name, fen=kings)
    assert player.choose(game) in game.legal_moves
    player.close()
