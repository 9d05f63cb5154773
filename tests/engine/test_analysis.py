"""Analysis: mistakes found where they are, told in four languages, kept in a PDN that can be read again."""

import io
import xml.etree.ElementTree as ET

import pytest

from damas.board import Color
from damas.engine import Engine, Limits
from damas.engine.analysis import analyse, annotated, chance, graph, mistakes, record_of
from damas.engine.levels import LevelPlayer
from damas.game import Game, Position, Record
from damas.game.game import LETTER, ending
from damas.language import LANGUAGES
from damas.notation import PdnGame, read_game, read_games, write_game
from damas.tablebase import probe
from engine.rings import ring_from

LOOK = Limits(nodes=20_000)
LOST = "1. e3-f4 b6-a5 2. f2-e3 f6-g5 3. f4-e5 d6xf4 4. g3xe5 a7-b6 5. h2-g3 *"  # 4... a7-b6 allows e5-f6


def judged(record, name="brasileira", limits=LOOK):
    with Engine(name, hash_mb=8, tables=False) as engine:
        return analyse(record, engine, limits)


def test_chances_are_in_order():
    assert chance(-100) < chance(0) == 0.5 < chance(100) < chance(400) < chance(29_000) == 1


def test_a_shot_that_is_allowed_and_then_missed():
    [game] = read_games(f'[GameType "26"] {LOST}')
    judgements = judged(record_of(game))
    by_ply = {each.ply: each for each in judgements}
    assert by_ply[8].kind and by_ply[8].sentence("en").startswith("Allows a 3-for-2 shot: e5-f6!")
    assert by_ply[9].kind and by_ply[9].sentence("en") == (
        "Misses a 3-for-2 shot: e5-f6! Every reply is a compulsory capture (A captura é obrigatória)."
    )
    assert (by_ply[8].allowed.given, by_ply[8].allowed.taken) == (2, 3)
    assert by_ply[9].shot.taken > by_ply[9].shot.given > 0
    assert {by_ply[9].sentence(language) for language in LANGUAGES} != {""}


def test_a_limit_that_runs_out_is_told_with_its_article():
    """000-28: twenty moves of kings alone, and a man that could have moved."""
    record = Record(Position.from_fen("B:WKg1,Kc1,a5,c5:BKh8", "brasileira"))
    ring = ring_from(record.position)
    for move in [*ring * 9, *ring[:3]]:
        record = record.play(move)
    assert record.length == 39 and record.position.turn is Color.WHITE
    king = next(move for move in record.position.legal_moves if move.by_king)
    judgements = judged(record.play(king))
    assert "Lets the limit run out (Empate)" in judgements[-1].sentence("en")
    assert not judgements[-1].best.moves[0].by_king


def test_a_win_that_no_longer_fits_into_its_limit_is_told_where_it_is_lost(stores):
    """002-12: three kings have thirteen moves, and a game that dawdles stays won in theory to the end."""
    store = stores("faraes", 4)
    record = Record(Position.from_fen("W:WKa1,Kc1,Ke1:BKh6", "faraes"))
    while not ending(record, LETTER):
        verdicts = probe(record.position, record, customs=LETTER, store=store).moves
        slow = [
            verdict for verdict in verdicts if verdict.after and verdict.after.unlimited == "loss"
        ]  # White dawdles
        best = (
            max(slow, key=lambda verdict: (verdict.after.plies, verdict.move.text)) if slow else verdicts[0]
        )
        record = record.play(best.move)
    assert ending(record, LETTER).reason == "LIMIT"
    with Engine("faraes", hash_mb=4, tables=store, customs=LETTER) as engine:
        judgements = list(mistakes(analyse(record, engine, LOOK)))
    assert len(judgements) == 1 and judgements[0].kind == "blunder"
    assert (
        judgements[0]
        .sentence("en")
        .startswith("Takes too long: the win no longer fits into the limit (Art. 12;")
    )
    assert len({judgements[0].sentence(language) for language in LANGUAGES}) == 4


def test_a_win_is_as_far_away_before_a_move_as_after_it():
    """A played move is told as the best one is: in plies from before it."""
    record = Record(Position.from_fen("B:WKa1:BKb8", "brasileira"))
    for text in ("b8-e5", "a1xf6"):
        record = record.play(record.position.parse(text))
    blunder, win = judged(record)
    assert blunder.kind == "blunder" and blunder.best.decided is None
    assert (blunder.played.decided, blunder.played.plies_to_end) == (-1, 2)
    assert (win.played.decided, win.played.plies_to_end) == (1, 1)
    assert blunder.played.moves == (record.move(1), record.move(2))


def test_the_best_move_is_never_worse_than_the_one_played():
    player, game = LevelPlayer("brasileira", 3), Game.start("brasileira")
    while not game.outcome and game.record.length < 60:
        game = game.play(player.choose(game))
    judgements = judged(game.record, limits=Limits(nodes=300))
    assert all(each.best.score >= each.score and each.lost >= 0 for each in judgements)
    assert any(each.best.moves[0] != each.move for each in judgements)


def test_a_forced_move_is_never_a_mistake():
    [game] = read_games(f'[GameType "26"] {LOST}')
    for each in judged(record_of(game)):
        assert not (each.forced and each.kind)


def test_the_annotated_game_is_read_again():
    [game] = read_games(f'[GameType "26"] [White "Ana"] {LOST}')
    judgements = judged(record_of(game))
    for language in LANGUAGES:
        [again] = read_games(io.StringIO(write_game(annotated(game, judgements, language))))
        assert isinstance(again, PdnGame) and again.tags["White"] == "Ana"
        assert [node.move for node in again.moves] == [node.move for node in game.moves]
        marked = [number for number, node in enumerate(again.moves, start=1) if node.nags]
        assert marked == [each.ply for each in mistakes(judgements)]
        assert all(again.moves[ply - 1].comments and again.moves[ply - 1].variations for ply in marked)


def test_the_graph_is_a_picture():
    [game] = read_games(f'[GameType "26"] {LOST}')
    record = record_of(game)
    picture = ET.fromstring(graph(record, judged(record), "a < b & c"))
    assert picture.tag.endswith("svg")
    line = next(each for each in picture.iter() if each.tag.endswith("polyline"))
    assert len(line.attrib["points"].split()) == record.length + 1


@pytest.mark.parametrize("name", ["portuguesa", "oficial", "concurso", "internacional", "turca"])
def test_every_board(name):
    record = Record(Position.start(name))
    for _ in range(6):
        record = record.play(sorted(record.position.legal_moves, key=lambda move: move.route)[0])
    reported = []
    with Engine(name, hash_mb=4, tables=False) as engine:
        judgements = analyse(
            record, engine, Limits(nodes=2000), lambda done, total: reported.append((done, total))
        )
    assert len(judgements) == 6 and reported[-1] == (7, 7)


def test_a_sign_of_the_author_stays():
    game = read_game("1. c3-d4 f6-g5 2. d4-e5?? $14 {mine} d6xf4 3. g3xe5 *", "brasileira")
    judgements = judged(record_of(game))
    assert judgements[2].nag not in (None, 4)
    marked = annotated(game, judgements, "en").moves[2]
    assert marked.nags == (4, 14) and marked.comments[0] == "mine" and len(marked.comments) == 2
