"""Why a move was a mistake: each sentence is proved again from the moves it stands on."""

from collections import Counter
from collections.abc import Iterator

import pytest

from damas.engine import Engine, Limits
from damas.engine.analysis import analyse, mistakes
from damas.engine.continuations import Continuations
from damas.engine.engine import Line
from damas.engine.forcing import best_combination
from damas.engine.levels import LevelPlayer
from damas.engine.plans import squeeze
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
        assert reason_of(example, engine, Continuations(engine, max_moves=0)) is None


def test_a_shot_by_the_law_of_captures_cites_it():
    fen = "W:W1,6,9,10,11,13,K31:BK4,17,18,20,21,22,26,32"
    reason = explained(mistake(fen, "portuguesa", "31-27", "31-24 4x14x5 1x10", "4x14x5 1x10"))
    assert reason.kind == "allows_majority"
    assert reason.facts["law"].article == "n.º 3"
    assert (reason.facts["taken"], reason.facts["given"]) == (4, 3)
    sentence = reason.saying(
        mistake(fen, "portuguesa", "31-27", "31-24 4x14x5 1x10", "4x14x5 1x10")
    ).sentence("pt-PT")
    assert "(n.º 3)" in sentence and "portuguesa" not in sentence


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
    fen = "B:We1,g1,b2,d2,f2,h2,c5:Bh4,f6,h6,a7,c7,g7,b8"
    reply = "c5-d6 b6-a5 b2-c3 a7-b6 d2-e3 f6-e5 d6xf4 b8-c7 e3-d4 c7-d6 d4-e5 d6-c5 f2-g3 h4xf2 g1xe3"
    reason = explained(mistake(fen, "brasileira", "c7-b6", "h6-g5 d2-e3", reply))
    assert (reason.kind, reason.facts["count"]) == ("line_loses", 1)


def test_a_threat_that_nothing_meets():
    fen = "B:Wc1,e1,g1,b2,a3,e3,f4,h4,a5:Bg5,b6,d6,f6,h6,a7,g7,d8,h8"
    reply = "a5-b6 f6-e5 h4xf6xd4 g7-f6"
    example = mistake(fen, "brasileira", "b6-c5", "d6-c5 a5xc7 d8xb6 e3-d4 g5xe3 d4xf2", reply)
    reason = explained(example)
    assert reason.saying(example).sentence("en") == (
        "Allows a threat that nothing meets: after a5-b6 every move loses a piece. d6-c5 was better."
    )


@pytest.mark.parametrize(
    ("kind", "fen", "name", "played", "best", "reply"),
    [
        ("missed_trapped", "W:WKg1,a7:BKb8", "brasileira", "g1-e3", "g1-h2", "b8-e5"),
        ("allows_trapped", "W:Wg7:BKb2,b8", "brasileira", "g7-h8", "g7-f8", "b2-a1"),
        ("missed_threat", "W:WKc1:Bf6,e7", "brasileira", "c1-b2", "c1-a3", ""),
        ("allows_threat", "W:Wd4:Bf8,h8", "brasileira", "d4-e5", "d4-c5", "f8-e7"),
        ("missed_opposition", "W:WKa3,e5:Bd8", "brasileira", "a3-b4", "a3-d6", ""),
        ("allows_opposition", "W:Wc1:Bd4,d8", "brasileira", "c1-d2", "c1-b2", "d8-e7"),
        ("missed_breakthrough", "W:Wb4,f6:Ba3", "brasileira", "b4-a5", "f6-e7", ""),
        ("allows_breakthrough", "W:WKc3:Bg3,e7", "brasileira", "c3-d4", "c3-e5", "e7-d6"),
        ("missed_run", "W:WKa3,h6:Bg3", "brasileira", "a3-f8", "h6-g7", ""),
        ("allows_run", "W:WKa1:Be3,b6", "brasileira", "a1-c3", "a1-d4", "b6-c5"),
        (
            "missed_crown",
            "B:Wa2,f2,b3,d3,e3,f3,g3,c4,e4,f4,g4,h4:Bc2,b6,c6,d6,e6,f6,h6,a7,d7,h7",
            "turca",
            "a7-a6",
            "c2-c1",
            "",
        ),
        ("missed_three_kings", "W:WKg1,Ke3,Kh4:BKh2", "brasileira", "g1-f2", "e3-d4", ""),
        ("missed_forcada", "W:WK2,K17,K23:BK30", "portuguesa", "2-5", "2-20", ""),
    ],
)
def test_motifs(kind: str, fen: str, name: str, played: str, best: str, reply: str):
    assert explained(mistake(fen, name, played, best, reply)).kind == kind


@pytest.mark.parametrize(
    ("kind", "fen", "name", "played", "best", "article"),
    [
        ("too_slow", "W:WKg1,Kc1,Ka3:BKb8", "faraes", "g1-d4 b8-g3 d4-f6", "d4-a1", "Art. 12"),
        ("too_slow", "W:WK1,K2,K4:BK29", "portuguesa", "2-6 29-12 4-14 12-22 6-3", "1-10", "n.º 9"),
        (
            "ran_out",
            "B:WKg1,a3:BKb8,h6",
            "brasileira",
            " ".join(["b8-a7 g1-h2 a7-b8 h2-g1"] * 10),
            "a3-b4",
            "Empate",
        ),
    ],
)
def test_limits(kind: str, fen: str, name: str, played: str, best: str, article: str):
    reason = explained(mistake(fen, name, played, best))
    assert reason.kind == kind
    assert article in str(reason.facts["law"])


def test_where_the_turn_is_no_harm_nothing_is_said_of_the_opposition():
    """Black has a waiting move left after `c1-b2`: it is White who must give way."""
    better = Position.from_fen("W:Wc1:Bd4,d8", "brasileira").play("c1-b2")
    assert squeeze(better, better.parse("d8-e7")) is None


def test_the_race_to_the_last_row():
    """Black's new king does not last longer than a move without White's, so only the order of crowning is named."""
    best = "a3-b4 h6-g5 b4-a5 g5-h4 a5-b6 h4-g3 b6-a7 g3-h2 a7-b8 h2-g1"
    reply = "h6-g5 a3-b4 g5-h4 b4-a5 h4-g3 a5-b6 g3-h2 b6-a7 h2-g1 a7-b8"
    example = mistake("W:Wa1,a3:Bh6", "brasileira", "a1-b2", best, reply)
    with Engine("brasileira", hash_mb=1, tables=False) as engine:
        reason = reason_of(example, engine, Continuations(engine, max_moves=0))
    assert reason and (reason.kind, reason.facts["moves"], str(reason.facts["square"])) == (
        "first_crowned",
        5,
        "g1",
    )
    check(example, reason)


def test_numbers_do_not_run_into_each_other():
    """The names of squares are numbers too, and a long line ends with the sentence."""
    example = mistake("W:W1,7,20:B26,31", "portuguesa", "7-12", "7-11")
    reason = Reason("later_crowned", (example.move,) * 9, True, {"moves": 9, "square": 4})
    sentence = reason.saying(example).sentence("es")
    assert "corona una dama en la casilla 4, 9 jugadas después: " in sentence
    assert sentence.endswith(" (…). Mejor era 7-11.")


def test_a_line_is_played_on_until_it_shows_a_difference():
    """The lines of the search break off before anything is taken."""
    fen = "B:Wc1,e1,g1,b2,a3,e3,f4,h4,a5:Bg5,b6,d6,f6,h6,a7,g7,d8,h8"
    example = mistake(fen, "brasileira", "d8-e7", "d6-c5")
    with Engine("brasileira", hash_mb=1, tables=False) as engine:
        longer = Continuations(engine).longer(example.before, example.best.moves, 20)
        none = Continuations(engine, max_moves=0).longer(example.before, example.best.moves, 20)
    assert longer[:1] == none == example.best.moves
    assert len(longer) == 20


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
    kinds = check_all(name, range(1), 2000)
    assert sum(kinds.values()) > 2 and len(kinds) > 1


@pytest.mark.soak
@pytest.mark.parametrize("name", [*FIVE, "internacional", "inglesa", "turca"])
def test_reasons_of_many_games(name):
    kinds = check_all(name, range(40), 20_000)
    print(name, sum(kinds.values()), dict(kinds))
    assert sum(kinds.values()) > 100 and len(kinds) > 6
