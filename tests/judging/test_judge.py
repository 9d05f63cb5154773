"""Is the recorded result what the rules give? Every verdict, and what exactly is named."""

import pytest

from arbiter.tables import B, W, played, shuttle
from damas.arbiter import Accepted, Claimed, Moved, Offered, Resigned, Table, ledger, regulation
from damas.game import Position
from damas.judging.judge import Judgement, judge, judge_games, judge_table
from damas.judging.scoresheet import to_pdn
from damas.judging.termination import read, read_comment
from damas.language import LANGUAGES
from damas.notation import BadGame, PdnGame, Result, read_games, write_game
from damas.views import plain
from damas.views.verdicts import verdict_view

THREE_KINGS = "W:WKg1,Kc1,Ka3:BKb8"


def pdn(moves, result="*", book="faraes", fen="", **tags) -> PdnGame | BadGame:
    lines = [f'[{name} "{value}"]' for name, value in {"Rulebook": book, "Result": result, **tags}.items()]
    if fen:
        lines.append(f'[FEN "{fen}"]')
    text = "\n".join(lines) + "\n\n" + " ".join(moves) + f" {result}\n"
    (game,) = read_games(text)
    return game


def verdict(game, *args, **options) -> tuple[str, int, str]:
    judgement = judge(game, *args, **options)
    assert judgement.holds == (judgement.verdict in ("AS_RULED", "EXPLAINED", "NOT_DECIDED", "OPEN"))
    for language in LANGUAGES:
        assert judgement.sentence(language)
        assert verdict_view(judgement, language).message == judgement.sentence(language)
    return judgement.verdict, judgement.ply, judgement.article


LIMIT = shuttle(25)


@pytest.mark.parametrize(
    ("moves", "result", "expected"),
    [
        (LIMIT, "1/2-1/2", ("AS_RULED", 25, "Art. 12")),
        (LIMIT, "1-0", ("OTHER_RESULT", 25, "Art. 12")),
        (LIMIT, "0-1", ("OTHER_RESULT", 25, "Art. 12")),
        (LIMIT, "*", ("OTHER_RESULT", 25, "Art. 12")),
        (LIMIT[:24], "*", ("OPEN", 24, "")),
        (LIMIT[:24], "1/2-1/2", ("NOT_DECIDED", 24, "")),
        (LIMIT[:24], "1-0", ("NOT_DECIDED", 24, "")),
        (shuttle(26), "1/2-1/2", ("PLAYED_ON", 25, "Art. 12")),
        (shuttle(30), "1-0", ("PLAYED_ON", 25, "Art. 12")),
        ([*LIMIT[:20], "c1-c2"], "1-0", ("UNREADABLE", 21, "")),
        ([*LIMIT[:20], "c1-b3"], "1-0", ("UNREADABLE", 21, "")),
        ([*LIMIT[:20], "c1-c5"], "1-0", ("ILLEGAL_MOVE", 21, "Art. 5")),
    ],
)  # fmt: skip
def test_thirteen_moves_of_faraes(moves, result, expected):
    """PRODUCT A3 and A8."""
    assert verdict(pdn(moves, result, fen=THREE_KINGS), letter=True) == expected


def test_a_draw_at_a_claimable_limit_is_as_ruled():
    # The platform offers a draw at the third occurrence: nobody need take it, and whoever did is right.
    game = pdn(shuttle(8), "1/2-1/2", fen="W:WKa1,Kg1:BKb8")
    judgement = judge(game)
    assert (judgement.verdict, judgement.outcome.rule, judgement.outcome.platform) == (
        "AS_RULED",
        "platform-threefold",
        True,
    )
    assert verdict(pdn(shuttle(8), "1-0", fen="W:WKa1,Kg1:BKb8"))[0] == "NOT_DECIDED"


def test_the_platform_ends_a_game_unless_judged_by_the_letter():
    game = pdn(shuttle(40), "1/2-1/2", fen="W:WKa1,Kg1:BKb8")
    assert judge(game).outcome.platform
    by_letter = judge(game, letter=True)
    assert by_letter.verdict == "NOT_BY_LETTER"
    assert by_letter.outcome.rule == "platform-forty-plies"
    on = pdn(shuttle(41), "*", fen="W:WKa1,Kg1:BKb8")
    assert verdict(on)[0] == verdict(on, letter=True)[0] == "OPEN"


@pytest.mark.parametrize(
    ("plies", "result", "expected"),
    [(40, "1-0", "NOT_DECIDED"), (40, "*", "OPEN"), (60, "1-0", "NOT_DECIDED")],
)
def test_no_record_is_blamed_for_not_applying_a_rule_of_the_platform(plies, result, expected):
    judgement = judge(pdn(shuttle(plies), result, fen="W:WKa1,Kg1:BKb8"))
    assert (judgement.verdict, judgement.holds, judgement.outcome) == (expected, True, None)
    assert len(list(judgement.history())) > plies


def test_a_claim_has_to_be_made_where_the_regulation_asks_for_claims():
    """G3: otherwise what a federation words as a claim applies by itself, by the letter too."""
    moves = shuttle(9, ("32-27", "1-5", "27-32", "5-1"))
    fen = "W:W21,K32:BK1,12"
    assert verdict(pdn(moves, "*", "inglesa", fen))[:2] == ("PLAYED_ON", 8)
    assert verdict(pdn(moves, "*", "inglesa", fen), letter=True)[:2] == ("PLAYED_ON", 8)
    assert verdict(pdn(moves, "*", "inglesa", fen, Regulation="club"))[0] == "OPEN"
    assert verdict(pdn(moves, "*", "inglesa", fen), regulation("club"))[0] == "OPEN"
    drawn = judge(pdn(moves[:8], "1/2-1/2", "inglesa", fen), letter=True)
    assert (drawn.verdict, drawn.article) == ("AS_RULED", "WCDF 1.32.1")


def test_other_limits():
    """PRODUCT A9."""
    two_kings = pdn(shuttle(10), "1/2-1/2", "brasileira", "W:WKg1,Ka1:BKb8")
    assert verdict(two_kings, letter=True) == ("AS_RULED", 10, "Empate, finais")
    unlisted = pdn(shuttle(40), "1/2-1/2", "brasileira", "W:WKg1,a3:BKb8,h6")
    assert verdict(unlisted, letter=True) == ("AS_RULED", 40, "Empate")
    threefold = pdn(shuttle(8), "1/2-1/2", "oficial", "W:WKg1,a3:BKb8,h6")
    assert verdict(threefold) == ("AS_RULED", 8, "§6")


def test_a_cycle_is_won_by_more_pieces():
    """PRODUCT S5."""
    cycle = [*shuttle(24)]
    assert verdict(pdn(cycle, "1-0", "concurso", "W:WKg1,a3:BKb8"))[:2] == ("AS_RULED", 24)
    assert verdict(pdn(cycle, "1/2-1/2", "concurso", "W:WKg1,a3:BKb8"))[:2] == ("OTHER_RESULT", 24)
    assert verdict(pdn(cycle, "1/2-1/2", "concurso", "W:WKg1,a3:BKb8,h6"))[:2] == ("AS_RULED", 24)


def test_black_begins_in_english_draughts_so_results_are_turned_round():
    game = pdn(["11-15"], "1-0", "inglesa")
    assert judge(game).recorded == "0-1"
    won = pdn(["32x23"], "0-1", "inglesa", "W:WK32:B27")
    assert (judge(won).recorded, judge(won).verdict) == ("1-0", "AS_RULED")
    assert judge(pdn(["32x23"], "1-0", "inglesa", "W:WK32:B27")).verdict == "OTHER_RESULT"


@pytest.mark.parametrize(
    ("termination", "result", "expected"),
    [
        ("resignation", "1-0", "EXPLAINED"),
        ("White resigns", "0-1", "EXPLAINED"),
        ("abandono", "1-0", "EXPLAINED"),
        ("time forfeit", "0-1", "EXPLAINED"),
        ("esgotou o tempo", "0-1", "EXPLAINED"),
        ("agreement", "1/2-1/2", "EXPLAINED"),
        ("comum acordo", "1/2-1/2", "EXPLAINED"),
        ("mutuo acuerdo", "1/2-1/2", "EXPLAINED"),
        ("adjudication", "1/2-1/2", "EXPLAINED"),
        ("adjudication", "1-0", "EXPLAINED"),
        ("um raio caiu", "1-0", "EXPLAINED"),
        ("death", "0-0", "EXPLAINED"),
        ("normal", "1-0", "NOT_DECIDED"),
        ("?", "1/2-1/2", "NOT_DECIDED"),
        ("agreement", "1-0", "CONTRADICTED"),
        ("time forfeit", "1/2-1/2", "CONTRADICTED"),
        ("resignation", "1/2-1/2", "CONTRADICTED"),
        ("unterminated", "1-0", "CONTRADICTED"),
        ("unterminated", "*", "OPEN"),
    ],
)
def test_the_record_may_explain_what_the_rules_do_not_decide(termination, result, expected):
    game = pdn(["c3-d4", "f6-g5"], result, Termination=termination)
    assert verdict(game)[0] == expected


def test_the_last_comment_may_explain_it_too():
    (game,) = read_games(
        '[Rulebook "faraes"] [Result "1-0"] 1. c3-d4 {bom lance} f6-g5 {as pretas desistem} 1-0'
    )
    assert judge(game).verdict == "EXPLAINED"
    (game,) = read_games('[Rulebook "faraes"] [Result "1-0"] 1. c3-d4 {desistem?} f6-g5 {bom lance} 1-0')
    assert judge(game).verdict == "NOT_DECIDED"
    assert read_comment("") is None
    assert read("") is None


def test_by_the_letter_there_is_no_agreement_where_the_text_has_none():
    assert verdict(pdn(["c3-d4"], "1/2-1/2", "concurso"))[0] == "NOT_DECIDED"
    assert verdict(pdn(["c3-d4"], "1/2-1/2", "concurso"), letter=True)[0] == "NOT_BY_LETTER"
    agreed = pdn(["c3-d4"], "1/2-1/2", "brasileira", Termination="agreement")
    assert verdict(agreed)[0] == "EXPLAINED"
    assert verdict(agreed, letter=True)[0] == "NOT_BY_LETTER"
    assert (
        verdict(pdn(["c3-d4"], "1/2-1/2", "oficial", Termination="agreement"), letter=True)[0] == "EXPLAINED"
    )
    assert verdict(pdn(["c3-d4"], "1-0", "concurso"), letter=True)[0] == "NOT_DECIDED"


def test_a_regulation_without_agreement_refuses_agreed_draws():
    contest = regulation("contest")
    for tags in ({}, {"Termination": "agreement"}):
        agreed = pdn(["c3-d4"], "1/2-1/2", "concurso", **tags)
        refused = judge(agreed, contest)
        assert (refused.verdict, refused.holds, refused.article) == ("NO_AGREEMENT", False, "")
        assert refused.error.citation.id == "B.004-11"  # the text's own list of ends, not the organiser's
        assert judge(agreed).holds
        by_regulation = judge(pdn(["c3-d4"], "1/2-1/2", "oficial", **tags), contest)
        assert (by_regulation.verdict, by_regulation.error.citation.rulebook) == ("NO_AGREEMENT", "contest")
    named = pdn(["c3-d4"], "1/2-1/2", "brasileira", Regulation="club")
    assert judge(named).verdict == "NO_AGREEMENT"  # 000 names no agreement, and a club follows the rulebook
    assert judge(named, regulation("casual")).verdict == "NOT_DECIDED"
    adjudicated = pdn(["c3-d4"], "1/2-1/2", "concurso", Termination="adjudication")
    assert judge(adjudicated, contest).verdict == "EXPLAINED"
    assert judge(pdn(["c3-d4"], "1-0", "concurso"), contest).verdict == "NOT_DECIDED"


def test_an_invalid_move_loses_where_the_rulebook_says_so():
    lost = pdn(["c3-d4", "f6-f2"], "1-0", "concurso")
    assert isinstance(lost, BadGame)
    judgement = judge(lost)
    assert (judgement.verdict, judgement.ply, judgement.outcome.citation.id) == ("AS_RULED", 2, "004-4.4")
    assert judge(pdn(["c3-d4", "f6-f2"], "0-1", "concurso")).verdict == "ILLEGAL_MOVE"
    light = judge(pdn(["c3-d4", "f6-f5"], "1-0", "concurso"))  # no move at all: B.004-8
    assert (light.verdict, light.outcome.citation.id) == ("AS_RULED", "004-4.4")
    assert judge(pdn(["c3-d4", "f6-f5"], "*", "concurso")).verdict == "UNREADABLE"
    refused = judge(pdn(["c3-d4", "f6-f2"], "1-0", "brasileira"))
    assert (refused.verdict, refused.ply, refused.error.code) == ("ILLEGAL_MOVE", 2, "NOT_DIAGONAL")
    assert plain(verdict_view(refused, "en"))["refusal"]["code"] == "NOT_DIAGONAL"


def test_moves_after_the_end_are_not_illegal_but_too_late():
    game = pdn([*shuttle(26), "b8-b2"], "1-0", fen=THREE_KINGS)
    assert isinstance(game, BadGame)
    assert verdict(game, letter=True) == ("PLAYED_ON", 25, "Art. 12")


def test_our_own_tags_must_give_the_reason_the_rules_give():
    table = played(Table.start("faraes", "casual", fen=THREE_KINGS), LIMIT)
    sheet = to_pdn(table)
    assert judge(sheet).verdict == "AS_RULED"
    for tag, other in (
        ("Reason", "REPETITION"),
        ("Article", "faraes, Art. 11"),
        ("Rule", "x"),
        ("ArticleId", "y"),
    ):
        wrong = PdnGame({**sheet.tags, tag: other}, sheet.start, sheet.moves, sheet.result)
        assert judge(wrong).verdict == "OTHER_REASON", tag
    short = PdnGame(sheet.tags, sheet.start, sheet.moves[:-1], sheet.result)
    assert judge(short).verdict == "CONTRADICTED"


def test_an_older_record_that_names_our_reading_with_its_id_is_still_right():
    start = "W:Wc3:Bd4"
    (sheet,) = read_games(write_game(to_pdn(played(Table.start("faraes", "casual", fen=start), ["c3xe5"]))))
    assert (sheet.tags["Article"], sheet.tags["ArticleId"]) == ("faraes, our reading", "B.002-2")
    older = PdnGame(
        {**sheet.tags, "Article": "faraes, our reading B.002-2"}, sheet.start, sheet.moves, sheet.result
    )
    assert judge(older).verdict == judge(sheet).verdict == "AS_RULED"
    reworded = PdnGame({**sheet.tags, "Article": "faraes, old words"}, sheet.start, sheet.moves, sheet.result)
    assert judge(reworded).verdict == "AS_RULED"
    unnamed = {tag: text for tag, text in reworded.tags.items() if tag != "ArticleId"}
    assert judge(PdnGame(unnamed, sheet.start, sheet.moves, sheet.result)).verdict == "OTHER_REASON"


def test_a_game_nobody_wrote_down_is_judged_from_the_claim():
    table = Table.start("faraes", "school", fen=THREE_KINGS)
    silent = to_pdn(played(table, shuttle(32)))
    assert judge(silent, letter=True).verdict == "OPEN"
    from damas.arbiter import CalledAttention

    claimed = played(table, shuttle(4))
    claimed = played(claimed.apply(CalledAttention(claimed.now, B, "thirteen-moves")), shuttle(25))
    (sheet,) = read_games(write_game(to_pdn(claimed)))
    assert verdict(sheet, letter=True) == ("AS_RULED", 29, "Art. 12")


def test_many_games_are_judged_as_they_come():
    texts = [
        write_game(PdnGame.of("brasileira", ["c3-d4"])),
        write_game(PdnGame.of("brasileira", ["c3-d4"], result=Result("1-0"))),
        '[White "x"\n1. c3-d4 *\n',
    ]
    judgement = list(judge_games(read_games("\n".join(texts))))
    assert [(j.game, j.verdict) for j in judgement] == [(1, "OPEN"), (2, "NOT_DECIDED"), (3, "UNREADABLE")]


def test_a_loaded_ledger_is_judged_as_ruled():
    table = played(Table.start("brasileira", "casual", ("Ana", "Rui")), ["c3-d4"])
    assert judge_table(table).verdict == "OPEN"
    resigned = ledger.load(ledger.dump(table.apply(Resigned(9000, B))))
    judgement = judge_table(resigned)
    assert (judgement.verdict, judgement.recorded, judgement.players) == ("AS_RULED", "1-0", ("Ana", "Rui"))
    agreed = table.apply(Offered(9000, W)).apply(Accepted(9001, B))
    assert judge_table(agreed).verdict == "AS_RULED"
    assert judge_table(agreed, letter=True).verdict == "NOT_BY_LETTER"


def test_the_history_shows_counts_starting_resetting_and_complete():
    moves = ["g1-h2", "b8-a7", "a3-b4", "a7-b8", "h2-g1", "b8-a7"]
    story = "\n".join(
        line
        for step in judge(pdn(moves, "*", "brasileira", "W:WKg1,a3:BKb8,h6"), letter=True).history()
        for line in step.lines("en")
    )
    assert "1... b8-a7               1/20 Empate" in story
    assert "counting: without a capture or a man's move: 1 of 20 moves by each side" in story
    assert "a man's move: the count ends (1/20 Empate)" in story
    story = [
        line
        for step in judge(pdn(LIMIT, "1/2-1/2", fen=THREE_KINGS), letter=True).history()
        for line in step.lines("pt-BR")
    ]
    assert "conta-se: três damas contra uma: 0 de 13 lances do lado mais forte" in story[0]
    assert (
        story[-1] == "  * Empate: três damas contra uma, limite de 13 lances do lado mais forte, "
        "contado desde o lance 1 (faraes, Art. 12)."
    )


def test_verdicts_are_values():
    assert Judgement("OPEN") == Judgement("OPEN")
    assert not Judgement("PLAYED_ON").holds


def test_two_different_results_in_a_record_are_both_reported():
    text = '[Rulebook "inglesa"]\n[Result "1-0"]\n\n1. 11-15 23-19 0-1\n'
    (game,) = read_games(text)
    assert (game.result.text, game.terminator.text) == ("1-0", "0-1")
    judgement = judge(game)
    assert verdict(game)[0] == "TWO_RESULTS"
    assert not judgement.holds
    assert judgement.results == ("1-0", "0-1")
    assert plain(verdict_view(judgement, "en"))["results"] == ["1-0", "0-1"]
    assert judgement.sentence("pt-BR") == (
        "O registro se contradiz: a etiqueta Result diz 1-0, e os lances terminam com 0-1."
    )
    assert list(read_games(write_game(game))) == [game], "nothing is lost in writing"
    over = pdn(LIMIT, "1/2-1/2", fen=THREE_KINGS)
    (over,) = read_games(write_game(over).replace("1/2-1/2\n", "1-0\n"))
    assert verdict(over, letter=True) == ("TWO_RESULTS", 25, "Art. 12")
    assert "13" in judge(over, letter=True).sentence("en"), "and what the rules give"


@pytest.mark.parametrize(
    ("tag", "behind", "result"),
    [
        ("1-0", "*", "1-0"),
        ("*", "0-1", "0-1"),
        ("2-0", "1-0", "2-0"),
        ("?", "1-1", "1-1"),
        ("bye", "1-0", "bye"),
    ],
)
def test_spellings_and_unknown_results_contradict_nothing(tag, behind, result):
    (game,) = read_games(f'[Rulebook "brasileira"]\n[Result "{tag}"]\n\n1. c3-d4 {behind}\n')
    assert (game.result.text, game.terminator) == (result, None)


def test_an_unwritten_game_with_an_illegal_move_is_judged_as_unwritten():
    """No limit runs unless attention was called to it."""
    moves = [*shuttle(28), "g1-g2"]
    assert verdict(pdn(moves, "1-0", fen=THREE_KINGS, Recorded="no"))[:2] == ("UNREADABLE", 29)
    moves[-1] = "g1-g3"
    unwritten = pdn(moves, "1-0", fen=THREE_KINGS, Recorded="no")
    assert isinstance(unwritten, BadGame)
    assert verdict(unwritten)[:2] == ("ILLEGAL_MOVE", 29)
    assert list(judge(unwritten).history())[-1].ply == 28
    assert verdict(pdn(moves, "1-0", fen=THREE_KINGS))[:2] == ("PLAYED_ON", 25)
    called = ["{[%event called_attention black thirteen-moves]}", *moves]
    assert verdict(pdn(called, "1-0", fen=THREE_KINGS, Recorded="no"))[:2] == ("PLAYED_ON", 25)


RESTING = ("36-22", "5-10", "22-36", "10-5", "36-22", "15-20", "22-36", "20-25")


def test_a_king_that_must_rest_is_reported_with_line_and_result():
    game = pdn(RESTING, "0-1", "frisia", fen="W:W47,K36:BK5,15")
    assert isinstance(game, BadGame)
    judgement = judge(game)
    assert (judgement.verdict, judgement.ply, judgement.recorded, judgement.line) == (
        "ILLEGAL_MOVE",
        7,
        "0-1",
        5,
    )
    assert "(line 5)" in judgement.sentence("en")
    assert plain(verdict_view(judgement, "en"))["refusal"]["code"] == "KING_RESTS"
    # The same of a game that was built and never read: no line, but its result.
    built = PdnGame.of(Position.from_fen("W:W47,K36:BK5,15", "frisia"), RESTING, result=Result("0-1"))
    judgement = judge(built)
    assert (judgement.verdict, judgement.ply, judgement.recorded) == ("ILLEGAL_MOVE", 7, "0-1")
    assert "line" not in judgement.sentence("en").lower()


def test_in_a_variation_a_king_rests_too():
    line = " ".join(RESTING[:6])
    text = f'[Rulebook "frisia"]\n[FEN "W:W47,K36:BK5,15"]\n\n{line} 47-42 (22-36) *\n'
    assert isinstance(next(read_games(text)), BadGame)
    assert isinstance(next(read_games(text.replace("(22-36)", "(47-41)"))), PdnGame)


def test_by_the_letter_a_draw_that_the_platform_offered_is_not_over():
    table = played(Table.start("faraes", "casual", fen="W:WKa1,Kg1:BKb8"), shuttle(8))
    table = table.apply(Claimed(table.now, B, "platform-threefold"))
    (game,) = read_games(write_game(to_pdn(table)))
    assert judge(game).verdict == "AS_RULED"
    assert judge(game, letter=True).verdict == "NOT_BY_LETTER" == judge_table(table, letter=True).verdict
    assert judge(game, letter=True).outcome.rule == "platform-threefold"
    # The text knows the draw by agreement: a record that gives no reason, or this one, may mean it.
    assert verdict(pdn(shuttle(8), "1/2-1/2", fen="W:WKa1,Kg1:BKb8"), letter=True)[0] == "NOT_DECIDED"
    agreed = pdn(shuttle(8), "1/2-1/2", fen="W:WKa1,Kg1:BKb8", Termination="agreement")
    assert verdict(agreed, letter=True)[0] == "EXPLAINED"


def test_time_decides_where_the_text_says_so():
    game = pdn(["2,2 3,3"], "0-1", "concurso", Termination="time forfeit")
    judgement = judge(game)
    assert (judgement.verdict, judgement.outcome.reason, judgement.outcome.winner) == ("AS_RULED", "FLAG", B)
    assert judgement.outcome.citation.id == "004-4.5"
    other = pdn(
        ["2,2 3,3"], "0-1", "concurso", Termination="time forfeit", Reason="FLAG", ArticleId="004-4.4"
    )
    assert verdict(other)[0] == "OTHER_REASON"
    assert verdict(pdn(["2,2 3,3"], "1/2-1/2", "concurso", Termination="time forfeit"))[0] == "CONTRADICTED"
    assert verdict(pdn(["c3-d4"], "0-1", "brasileira", Termination="time forfeit"))[0] == "EXPLAINED"
    assert verdict(pdn(["2,2 3,3", "{White's time is up}"], "0-1", "concurso"))[0] == "EXPLAINED"  # a remark


def test_an_invalid_move_that_only_the_tags_tell_of_decides_where_the_text_says_so():
    table = Table.start("concurso", "contest", lot=3).play("2,2 3,3", at=1)
    lost = table.apply(Moved(2, B, "5,1 3,3"))
    judgement = judge(to_pdn(lost))
    assert (judgement.verdict, judgement.outcome.result) == ("AS_RULED", "1-0")
    assert judgement.outcome.citation.id == "004-4.4"
    assert "as pretas fizeram um lance inválido (concurso, 4." in judgement.sentence("pt-BR")
    assert judge(to_pdn(lost), letter=True).verdict == "AS_RULED"
    game = pdn(["c3-d4"], "1-0", "brasileira", Termination="rules infraction")
    assert verdict(game)[0] == "EXPLAINED"  # this text does not say so
    unexplained = judge(pdn(["2,2 3,3"], "1-0", "concurso")).sentence("pt-BR")
    assert "um lance inválido, o tempo ou abandono" in unexplained


def test_an_unreadable_game_reports_what_is_known():
    judgement = plain(verdict_view(judge(pdn(["c3-d4", "f6-z9"], "1-0", "brasileira", White="Ana")), "en"))
    assert [judgement[key] for key in ("verdict", "rulebook", "ply", "recorded", "white")] == [
        *("UNREADABLE", "brasileira", 2, "1-0", "Ana")
    ]
    judgement = plain(verdict_view(judge(pdn(["11-15", "{ unclosed"], "1-0", "inglesa")), "en"))
    assert (judgement["rulebook"], judgement["ply"], judgement["recorded"]) == ("inglesa", 0, "0-1")


def test_by_the_letter_a_draw_without_a_reason_is_not_called_an_agreement():
    moves, fen = ["g1-h2", "b8-a7"], "W:Wc1,Kg1:BKb8,h8"
    silent = judge(pdn(moves, "1/2-1/2", "brasileira", fen), letter=True)
    assert (silent.verdict, silent.outcome) == ("NOT_BY_LETTER", None)
    assert "acordo" not in silent.sentence("pt-BR")
    agreed = judge(pdn(moves, "1/2-1/2", "brasileira", fen, Termination="agreement"), letter=True)
    assert agreed.verdict == "NOT_BY_LETTER" and agreed.outcome and agreed.outcome.reason == "AGREEMENT"


def test_a_repetition_names_its_moves_by_number_and_side():
    moves = ["a1-b2", "b8-a7", "b2-a1", "a7-b8"] * 2
    message = judge(pdn(moves, "1/2-1/2", "oficial", "W:WKa1,a3:BKb8,h6")).sentence("pt-BR")
    assert "na posição inicial e após os lances 2 e 4 das pretas" in message
    assert "é o que as regras dão, após o lance 4 das pretas" in message
