"""Why a move was a mistake: each sentence is proved again from the moves it stands on."""

from collections import Counter
from collections.abc import Iterator

import pytest

from damas.engine import Engine, Limits
from damas.engine.analysis import analyse, mistakes
from damas.engine.engine import Line
from damas.engine.forcing import best_combination
from damas.engine.levels import LevelPlayer
from damas.engine.reasons import Mistake, Reason, reason_of
from damas.game import Game, Position, Record
from damas.language import LANGUAGES
from engine.reason_checker import check

FIVE = ("brasileira", "oficial", "faraes", "portuguesa", "concurso")
MAX_PLIES = 90


def mistake(fen: str, name: str, moves: str, best: str, reply: str = "") -> Mistake:
    """A mistake in a position: the moves up to it, the better line, and what follows."""
    record = Record(Position.from_fen(fen, name))
    *others, last = moves.split()
    for text in others:
        record = record.play(text)
    move = record.position.parse(last)
    after = record.position.play(move)
    return Mistake(record, move, line(record.position, best), line(after, reply) if reply else None, 0)


def line(position: Position, texts: str) -> Line:
    moves = []
    for text in texts.split():
        moves.append(position.parse(text))
        position = position.play(moves[-1])
    return Line(0, tuple(moves), len(moves))


def explained(example: Mistake) -> Reason:
    with Engine(example.before.rulebook, hash_mb=1, tables=False) as engine:
        reason = reason_of(example, engine)
    assert reason
    check(example, reason)
    for language in LANGUAGES:
        sentence = reason.saying(example).sentence(language)
        assert sentence and "{" not in sentence
    return reason


def test_a_king_that_can_be_taken_by_force():
    reason = explained(mistake("W:Wb4,a7:Bg3,e5,d6", "brasileira", "a7-b8", "b4-c5 d6xb4", "e5-f4"))
    assert (reason.kind, reason.after) == ("allows_king", True)
    assert [move.text for move in reason.moves] == ["e5-f4", "b8xe5", "f4xd6"]
    assert (reason.shot.given, reason.shot.taken) == (1, 1)


@pytest.mark.parametrize("better", ["c3-d4 d6-c5 d4xb6", "c3-d4 d6-c5 d4xb6 a7xc5"])
def test_an_exchange_one_for_one_wins_nothing(better):
    """It is counted where nothing more must be taken, also where the expected line breaks off in the middle."""
    example = mistake("W:Wa1,c3,g1:Ba7,d6,h8", "brasileira", "g1-h2", better, "h8-g7")
    assert best_combination(example.before.position, example.best.moves[0]).gain == 0
    with Engine("brasileira", hash_mb=1, tables=False) as engine:
        assert reason_of(example, engine) is None


def test_a_shot_by_the_law_of_captures_cites_it():
    fen = "W:W1,6,9,10,11,13,K31:BK4,17,18,20,21,22,26,32"
    reason = explained(mistake(fen, "portuguesa", "31-27", "31-24 4x14x5 1x10", "4x14x5 1x10"))
    assert reason.kind == "allows_majority"
    assert reason.facts["law"].article == "n.º 3"
    assert (reason.facts["taken"], reason.facts["given"]) == (4, 3)


def test_a_forced_win_is_one():
    fen = "W:WKc1,d2,c3,f4,b6:Bh4,Kd6,a7"
    best = "f4-g5 h4xf6 d2-e3 a7xc5 e3-d4 c5xe3 c1xg5xe7xa3"
    assert explained(mistake(fen, "brasileira", "c1-a3", best)).kind == "missed_end"


def test_a_deep_line_hides_no_other():
    """After an offer no more offers are tried than the search allows: it ran out of positions before it found this."""
    position = Position.from_fen("W:WKf2,e3,f4,f6,a7,c7,e7:BKc1,Kd2,h2,Kc3,b8,f8,h8", "brasileira")
    offer = position.parse("e7-d8")
    assert best_combination(position, offer).gain == 1


def test_a_new_king_that_leaves_no_move_wins():
    reason = explained(mistake("W:Wb2,c1,c7:Ba3", "brasileira", "c1-d2", "c7-b8"))
    assert (reason.kind, [move.text for move in reason.moves]) == ("missed_end", ["c7-b8"])


def test_pieces_lost_in_the_expected_sequence():
    fen = "B:Wc1,e1,g1,b2,a3,e3,f4,h4,a5:Bg5,b6,d6,f6,h6,a7,g7,d8,h8"
    reply = "a5-b6 f6-e5 h4xf6xd4 g7-f6"
    example = mistake(fen, "brasileira", "b6-c5", "d6-c5 a5xc7 d8xb6 e3-d4 g5xe3 d4xf2", reply)
    reason = explained(example)
    assert (reason.kind, reason.facts["count"]) == ("line_loses", 2)
    assert reason.saying(example).sentence("en") == (
        "Loses 2 pieces in the expected sequence: a5-b6 f6-e5 h4xf6xd4. d6-c5 was better."
    )


def judged_mistakes(name: str, seed: int, nodes: int) -> Iterator[tuple[Mistake, Reason | None]]:
    """The mistakes of a game between two weak players, with their reasons."""
    players = [LevelPlayer(name, number, seed=seed) for number in (2 + seed % 3, 1 + seed % 4)]
    game = Game.start(name)
    while not game.outcome and game.record.length < MAX_PLIES:
        game = game.play(players[game.record.length % 2].choose(game))
    for player in players:
        player.close()
    with Engine(name, hash_mb=8, tables=False) as engine:
        for each in mistakes(analyse(game.record, engine, Limits(nodes=nodes))):
            example = Mistake(game.record.until(each.ply - 1), each.move, each.best, each.reply, each.score)
            yield example, reason_of(example, engine)


def check_all(name: str, seeds: range, nodes: int) -> Counter[str]:
    kinds: Counter[str] = Counter()
    for seed in seeds:
        for example, reason in judged_mistakes(name, seed, nodes):
            kinds[reason.kind if reason else "none"] += 1
            if reason:
                check(example, reason)
                assert all("{" not in reason.saying(example).sentence(each) for each in LANGUAGES)
    return kinds


@pytest.mark.parametrize("name", FIVE)
def test_reasons_of_games(name):
    kinds = check_all(name, range(2), 2000)
    assert sum(kinds.values()) > 5 and len(kinds) > 2


@pytest.mark.soak
@pytest.mark.parametrize("name", [*FIVE, "internacional", "inglesa", "turca"])
def test_reasons_of_many_games(name):
    kinds = check_all(name, range(40), 20_000)
    print(name, sum(kinds.values()), dict(kinds))
    assert sum(kinds.values()) > 100 and len(kinds) > 6
