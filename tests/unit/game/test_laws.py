"""Each law's progress as it is shown, cycles and claims; the limits themselves are cases of the rulebooks."""

import pytest

from damas import Game, Position, rulebook
from damas.game import LETTER, Customs
from damas.rules import parse, to_toml

SHUTTLE = ("g1-h2", "b8-a7", "h2-g1", "a7-b8")


def shuttled(game: Game, plies: int, moves: tuple[str, ...] = SHUTTLE, first: int = 0) -> Game:
    for ply in range(plies):
        game = game.play(moves[(first + ply) % len(moves)])
    return game


def reason(game: Game) -> str | None:
    return game.outcome.reason if game.outcome else None


def test_a_move_of_a_man_does_not_restart_the_count_of_oficial_but_a_capture_does() -> None:
    game = Game.start("oficial", fen="W:Wa1,Kg1:BKb8,h8,a5", customs=LETTER)
    game = game.play("a1-b2").play("b8-a7")
    twenty = next(p for p in game.progress() if p.rule.id == "twenty-moves-without-capture")
    assert (twenty.have, twenty.need) == (2, 40)


def test_the_forcada_waits_for_the_rio_and_then_never_stops() -> None:
    game = Game.start("portuguesa", fen="W:WK2,K3,K4:BK29", customs=LETTER)
    game = game.play("2-6").play("29-25")
    assert all(p.rule.id != "forcada" for p in game.progress())
    game = game.play("6-10").play("25-29")  # 10 is a square of the Rio
    (forcada,) = [p for p in game.progress() if p.rule.id == "forcada"]
    assert (forcada.have, forcada.need, forcada.since) == (0, 12, 3)
    assert forcada.first == 5  # the move that takes the Rio is not counted, nor is the answer to it
    game = game.play("10-6").play("29-25")  # leaving it does not stop the count
    (forcada,) = [p for p in game.progress() if p.rule.id == "forcada"]
    assert (forcada.have, forcada.first) == (1, 5)
    assert game.record.move_number(forcada.first) == 3


def test_a_limit_is_told_from_the_first_move_that_it_counts() -> None:
    game = Game.start("faraes", fen="W:WKa3,Kc1,Kg1:BKb8", recorded=False, customs=LETTER)
    game = game.play("g1-h2").call_attention("thirteen-moves")  # Black is to move
    assert [p.first for p in game.progress()] == [3]
    outcome = shuttled(game, 26, ("b8-a7", "h2-g1", "a7-b8", "g1-h2")).outcome
    assert outcome is not None
    assert outcome.facts["since"] == 2


@pytest.mark.parametrize(
    ("fen", "article"),
    [
        ("W:WKg1,Kc1:BKb8,Kf8", "000-29"),
        ("W:WKg1,Kc1:BKb8", "000-30"),
        ("W:WKg1,Kc1:BKb8,b4", "000-31"),
        ("W:WKg1:BKb8", "000-32"),
        ("W:WKg1:BKb8,b4", "000-33"),
    ],
)
def test_each_ending_of_a_list_has_its_own_article(fen: str, article: str) -> None:
    game = Game.start("brasileira", fen=fen, customs=LETTER)
    (five,) = [p for p in game.progress() if p.rule.id == "five-move-endings"]
    assert five.article == article
    game = shuttled(game, 10)
    assert game.outcome is not None
    assert (game.outcome.rule, game.outcome.citation.id) == ("five-move-endings", article)


def test_a_take_back_gives_the_count_back() -> None:
    game = shuttled(Game.start("faraes", fen="W:WKa3,Kc1,Kg1:BKb8", customs=LETTER), 25)
    assert game.outcome is not None
    back = game.take_back(3)
    assert back.outcome is None
    assert back.progress()[0].have == 11
    assert (
        back.progress()
        == shuttled(Game.start("faraes", fen="W:WKa3,Kc1,Kg1:BKb8", customs=LETTER), 22).progress()
    )


@pytest.mark.parametrize(
    "cycle",
    [
        ("g1-h2", "b8-a7", "h2-g1", "a7-b8"),
        ("g1-h2", "b8-a7", "h2-g3", "a7-b6", "g3-h2", "b6-a7", "h2-g1", "a7-b8"),
        ("g1-h2", "b8-a7", "h2-g3", "a7-b8", "g3-f2", "b8-a7", "f2-g1", "a7-b8"),
    ],
)
def test_cycles_of_every_length_run_five_times_and_end_at_the_sixth(cycle: tuple[str, ...]) -> None:
    start = Game.start("concurso", fen="W:WKg1,a3:BKb8", customs=LETTER)
    game = shuttled(start, 6 * len(cycle) - 1, cycle)
    assert game.outcome is None
    game = shuttled(game, 1, cycle, first=6 * len(cycle) - 1)
    assert reason(game) == "CYCLE"
    (progress,) = [p for p in shuttled(start, 6 * len(cycle) - 1, cycle).progress() if p.rule.id == "cycle"]
    assert progress.have == 5


def test_a_cycle_of_six_plies_broken_one_ply_early_starts_over() -> None:
    six = ("g1-h2", "b8-c7", "h2-g3", "c7-d8", "g3-f2", "d8-c7")
    turn = ("f2-g1", "c7-b8")
    cycle = six + turn
    start = Game.start("concurso", fen="W:WKg1,a3:BKb8", customs=LETTER)
    game = shuttled(start, 6 * len(cycle) - 1, cycle)
    game = game.play("c7-d8")  # instead of c7-b8
    assert game.outcome is None


def test_platform_rules_are_named_so_and_can_be_switched_off() -> None:
    faraes = "W:WKa1,Kg1:BKb8"
    game = shuttled(Game.start("faraes", fen=faraes), 40)
    assert game.outcome is not None
    assert game.outcome.platform
    assert shuttled(Game.start("faraes", fen=faraes, customs=LETTER), 60).outcome is None


def test_a_federation_claim_waits_only_where_the_regulation_asks_for_claims() -> None:
    shuttle = ("32-27", "1-5", "27-32", "5-1")
    fen = "W:W21,K32:BK1,12"
    assert reason(shuttled(Game.start("inglesa", fen=fen, customs=LETTER), 8, shuttle)) == "REPETITION"
    claims = Customs(platform_rules=False, claims=True)
    game = shuttled(Game.start("inglesa", fen=fen, customs=claims), 7, shuttle)
    assert game.claimable() == []
    game = shuttled(game, 1, shuttle, first=7)
    assert game.outcome is None
    (claimable,) = game.claimable()
    assert game.claim(claimable.rule.id).result == "1/2-1/2"  # type: ignore[union-attr]
    assert game.claim("no-such-rule") is None


def test_the_end_on_the_board_comes_before_a_draw() -> None:
    game = Game.start("brasileira", fen="W:WKa1,Ka3:BKb8", customs=LETTER)
    game = shuttled(game, 9, ("a1-b2", "b8-a7", "b2-a1", "a7-b8"))
    assert game.outcome is None
    lost = Game.start("brasileira", fen="W:WKa1,Ka3:BKb8", customs=LETTER)
    for move in ("a1-b2", "b8-a7", "b2-a1", "a7-b8", "a1-b2", "b8-a7", "b2-a1", "a7-b8", "a3-f8", "b8-d6"):
        lost = lost.play(move)
    assert reason(lost) == "LIMIT"


def test_attention_is_called_only_to_rules_that_there_are() -> None:
    game = Game.start("faraes", fen="W:WKa1,Kc1,Ke1:BKh8", recorded=False, customs=LETTER)
    assert game.call_attention("thirteen-moves").progress()
    with pytest.raises(
        ValueError, match=r"no draw rule 'thirteen' in this game; there are: .*thirteen-moves"
    ):
        game.call_attention("thirteen")
    platform = next(rule.id for rule in game.record.rulebook.draws if rule.platform)
    with pytest.raises(ValueError, match=platform):
        game.call_attention(platform)


@pytest.mark.parametrize("book", [None, 3, b"brasileira"])
def test_a_rulebook_is_one(book: object) -> None:
    for read in (Position.start, lambda wrong: Position.from_fen("W:Wc3:Bd4", wrong)):
        with pytest.raises(TypeError, match="a rulebook is given as itself, its id or the path of its file"):
            read(book)  # type: ignore[arg-type]


@pytest.mark.parametrize("named", ["twenty-king-moves", "five-move-endings", "nothing"])
def test_a_rule_that_gives_way_to_itself_or_to_a_later_one_gives_way_to_none(named: str) -> None:
    text = to_toml(rulebook("brasileira")).replace('id = "brasileira"', 'id = "casa"')
    house = parse(text.replace("limit = 20", f'limit = 20\noff_during = "{named}"'))
    assert house.draws[0].off_during == named
    game = Game.start(house, fen="W:WKa1,Kg1:BKb8,Kh8").play("g1-h2")
    assert [progress.rule.id for progress in game.progress()] == ["five-move-endings", "twenty-king-moves"]
