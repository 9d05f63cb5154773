"""Every scripted game: each way a game can end in each rulebook, and each procedure granted and refused."""

import json
from functools import cache
from pathlib import Path

from damas.rules import Rulebook, rulebook, rulebook_ids, rulebooks
from damas.rules.about import about

from .scenario import Scenario

DOCUMENTS = [book_id for book_id in rulebook_ids() if about(book_id).document]
OPENING = {"portuguesa": ("10-14", "21-17"), "concurso": ("2,2 3,3", "5,5 4,6")}


@cache
def found_games() -> dict[str, dict[str, str]]:
    """The games of games.json, which `find.py` writes: the FEN and the moves for each "ID end"."""
    games: dict[str, dict[str, str]] = json.loads(
        (Path(__file__).parent / "games.json").read_text(encoding="utf-8")
    )
    return games


def opening(book: str) -> tuple[str, ...]:
    return OPENING.get(book, ("c3-d4", "f6-g5"))


def endings(book: Rulebook) -> list[Scenario]:
    """Games that end on the board and by each law, and by a claim where the law asks for one."""
    scenarios = [_found(book, reason, {"platform_rules": False}) for reason in ("NO_PIECES", "NO_MOVES")]
    for rule in book.draws:
        if f"{book.id} {rule.id}" not in found_games():  # a claim only: see `own_endings`
            continue
        changes = {} if rule.platform else {"platform_rules": False}
        scenarios.append(_found(book, rule.id, changes))
        if rule.claim == "player":
            claimed = _found(book, rule.id, {"claims": "player"}, title=f"{rule.id}, claimed")
            play = (*claimed.play, f"@claimed white rule={rule.id}")
            scenarios.append(Scenario(**{**vars(claimed), "play": play}))
    return scenarios


def _found(book: Rulebook, name: str, changes: dict[str, object], title: str = "") -> Scenario:
    game = found_games()[f"{book.id} {name}"]
    return Scenario(title or name, book.id, tuple(game["moves"].split(" | ")), "casual", changes, game["fen"])


def players_endings(book: str) -> list[Scenario]:
    """Games of one rulebook that players or the arbiter end."""
    first, second = opening(book)
    illegal = {"concurso": "2,2 4,4", "portuguesa": "1-32"}.get(book, "a1-a5")
    return [
        Scenario("AGREEMENT", book, (first, "@offered white", "@accepted black")),
        Scenario("AGREEMENT as the rulebook has it", book, (first, "@offered black", "@accepted white"), "casual",
                 {"agreement": "rulebook"}),
        Scenario("RESIGNATION", book, (first, second, "@resigned black")),
        Scenario("FLAG, called", book, (first, "@flag black +300001"), "casual", {"time_control": "5+3"}),
        Scenario("FLAG, by a late move", book, (first, f"@moved black move={second.replace(' ', '_')} +1001"),
                 "casual", {"time_control": "1s/move"}),
        Scenario("INVALID_MOVE of a program, as the rulebook has it", book, (first, illegal), bots="B"),
        Scenario("INVALID_MOVE of a program in a contest", book, (first, illegal), "contest", bots="WB", lot=1),
        Scenario("INVALID_MOVE of a person, as the rulebook has it", book, (illegal,), "club", lot=3)
        if rulebook(book).invalid_move.value == "loses"
        else Scenario("ILLEGAL_MOVES of a person, the third one", book, (illegal, illegal, illegal), "club"),
        Scenario("ARBITER", book, (first, "@ended result=0-1 reason=jogador_com_telefone")),
        Scenario("ABANDONED", book,
                 (first, "@disconnected black", "@claimed_absence white +59999", "@claimed_absence white +60000")),
        Scenario("ABORTED", book, (first, "@aborted black")),
        Scenario("SUSPENDED and ended without a result", book,
                 (first, "@suspended", "@ended result=* reason=falta_de_luz")),
    ]  # fmt: skip


THREE_KINGS = "W:WKg1,Kc1,Ka3:BKb8"
ROUND = ("g1-h2", "b8-a7", "h2-g1", "a7-b8")


def own_endings() -> dict[str, list[Scenario]]:
    """Games that only one rulebook has."""
    attention = "@called_attention black rule=thirteen-moves"
    return {
        "faraes": [
            Scenario("thirteen-moves, not written down, from the claim", "faraes",
                     (*ROUND, attention, *(ROUND * 7)[:25]), "school", {}, THREE_KINGS),
            Scenario("thirteen-moves, not written down, nobody says a word", "faraes", ROUND * 8, "school",
                     {"platform_rules": False}, THREE_KINGS),
            Scenario("thirteen-moves, a fourth king: no count", "faraes", ROUND * 7, "casual",
                     {"platform_rules": False}, "W:WKg1,Kc1,Ka3,Ka1:BKb8"),
            Scenario("platform-threefold, claimed", "faraes",
                     (*ROUND, "@claimed black rule=platform-threefold", *ROUND,
                      "@claimed black rule=platform-threefold"), "school", {}, "W:WKa1,Kg1:BKb8"),
        ],
        "portuguesa": [
            Scenario("forcada, a take-back across the count", "portuguesa",
                     ("2-6", "29-25", "6-10", "25-29", "10-6", "29-25", "@take_back_asked black",
                      "@take_back_granted white", "29-25"), "casual", {}, "W:WK2,K3,K4:BK29"),
        ],
        "concurso": [
            Scenario("cycle, White has more pieces", "concurso", ROUND * 6, "contest", {}, "W:WKg1,a3:BKb8",
                     "WB", lot=7),
            Scenario("cycle, equal numbers", "concurso", ROUND * 6, "contest", {}, "W:WKg1,a3:BKb8,h6", "WB",
                     lot=7),
        ],
    }  # fmt: skip


def of(book: Rulebook) -> list[Scenario]:
    return [
        *endings(book),
        *(players_endings(book.id) if book.id in DOCUMENTS else ()),
        *own_endings().get(book.id, ()),
    ]


def all_scenarios() -> dict[str, list[Scenario]]:
    """All scenarios by the name of the file that holds their printed games."""
    return {**{book.id: of(book) for book in rulebooks()}, "procedures": procedures()}


def procedures() -> list[Scenario]:
    """Each procedure of `damas.arbiter.PROCEDURES`, granted and refused."""
    chain = "W:Wc3:Bd4,f6,h8"
    pairs = [
        ("end_on_board", "faraes", ("e5xc3",), {}, {"fen": "W:We5:Bd4"}),
        ("end_on_board, not while a move is left", "faraes", ("e5xc3",), {}, {"fen": "W:We5:Bd4,h8"}),
        ("laws", "brasileira", ("g1-h2", "b8-a7") + ("h2-g1", "a7-b8", "g1-h2", "b8-a7") * 2, {},
         {"fen": "W:WKa1,Kg1:BKb8"}),
        ("laws, switched off by the regulation", "brasileira", (*ROUND, *ROUND), {"platform_rules": False},
         {"fen": "W:WKg1,a3:BKb8,h6"}),
        ("flag_fall", "oficial", ("c3-d4", "@flag black +60001"), {"time_control": "60s"}, {}),
        ("flag_fall, the last millisecond is the player's", "oficial", ("c3-d4", "@flag black +60000"),
         {"time_control": "60s"}, {}),
        ("unfinished_chain, completion demanded", "faraes",
         ("@unfinished white move=c3xe5", "@demanded_completion black", "c3xe5xg7"),
         {"unfinished_chain": "opponent"}, {"fen": "W:Wc3:Bd4,f6,a7"}),
        ("unfinished_chain, accepted as it stands", "faraes",
         ("@unfinished white move=c3xe5", "@accepted_unfinished black"), {"unfinished_chain": "opponent"},
         {"fen": "W:Wc3:Bd4,f6,a7"}),
        ("unfinished_chain, refused by the regulation", "faraes", ("@unfinished white move=c3xe5",), {},
         {"fen": chain}),
        ("illegal_move_by_bot, loses", "concurso", ("2,2 4,4",), {}, {"bots": "W"}),
        ("illegal_move_by_bot, refused", "brasileira", ("c3-c4",), {}, {"bots": "W"}),
        ("illegal_move_by_person, counted to the limit", "brasileira", ("c3-e5", "c3-e5"),
         {"people_illegal_moves": "counted", "people_lose_at": 2}, {}),
        ("illegal_move_by_person, refused and forgotten", "brasileira", ("c3-e5",), {}, {}),
        ("touch_move, the touched piece is moved", "faraes", ("@touched white square=c3", "c3-d4"),
         {"touch_move": "on"}, {}),
        ("touch_move, another piece is refused", "faraes", ("@touched white square=c3", "e3-f4"),
         {"touch_move": "on"}, {}),
        ("touch_move, adjusting was announced", "faraes",
         ("@adjusting white", "@touched white square=c3", "@adjusted white", "e3-f4"), {"touch_move": "on"}, {}),
        ("touch_move, a held king goes elsewhere", "faraes",
         ("@touched white square=g1 held_over=h2", "g1-f2"), {"touch_move": "on"}, {"fen": "W:WKg1:Bh8"}),
        ("crowning, cannot be skipped", "portuguesa", ("27-31", "@left_uncrowned black square=31"), {},
         {"fen": "W:W27,1:B24,K29"}),
        ("crowning, happens by itself", "portuguesa", ("27-31",), {}, {"fen": "W:W27,1:B24,K29"}),
        ("blowing", "portuguesa", ("@blew black square=14",), {}, {}),
        ("clock_press", "oficial", ("c3-d4", "@pressed white"),
         {"time_control": "5", "clock_stopped_by": "press"}, {}),
        ("clock_press, where the move stops the clock", "oficial", ("c3-d4", "@pressed white"),
         {"time_control": "5"}, {}),
        ("draw_offer, accepted", "oficial", ("c3-d4", "@offered white", "@accepted black"), {}, {}),
        ("draw_offer, declined and withdrawn", "oficial",
         ("c3-d4", "@offered white", "@declined black", "f6-g5", "@offered white", "@withdrew white",
          "@accepted black"), {}, {}),
        ("draw_offer, not in a contest", "concurso", ("@offered white",), {"agreement": "never"}, {}),
        ("draw_claim, right", "inglesa", ("32-27", "1-5", "27-32", "5-1") * 2 + ("@claimed black rule=threefold",),
         {"claims": "player"}, {"fen": "W:W21,K32:BK1,12"}),
        ("draw_claim, wrong: time for the opponent", "inglesa",
         ("32-27", "1-5", "@claimed black rule=threefold"),
         {"claims": "player", "wrong_claim": "time", "wrong_claim_ms": 120000, "time_control": "5"},
         {"fen": "W:W21,K32:BK1,12"}),
        ("draw_claim, wrong: loses", "inglesa", ("32-27", "1-5", "@claimed black rule=threefold"),
         {"claims": "player", "wrong_claim": "loses"}, {"fen": "W:W21,K32:BK1,12"}),
        ("attention", "faraes", ("@called_attention black rule=thirteen-moves", "g1-h2"), {},
         {"fen": THREE_KINGS, "recorded": False}),
        ("attention, not needed where the game is written down", "faraes",
         ("@called_attention black rule=thirteen-moves", "g1-h2"), {}, {"fen": THREE_KINGS}),
        ("hints", "brasileira", ("@hinted white",), {}, {}),
        ("hints, no aids", "faraes", ("@hinted white",), {"hints": False}, {}),
        ("resignation, out of turn", "brasileira", ("@resigned black",), {}, {}),
        ("resignation, not after the end", "brasileira", ("@resigned black", "@resigned white"), {}, {}),
        ("take_back, granted", "brasileira",
         ("c3-d4", "@take_back_asked white", "@take_back_granted black", "e3-f4"), {}, {}),
        ("take_back, refused", "brasileira", ("c3-d4", "@take_back_asked white", "@take_back_refused black"), {}, {}),
        ("take_back, not in this game", "brasileira", ("c3-d4", "@take_back_asked white"), {"take_back": False}, {}),
        ("abort", "brasileira", ("c3-d4", "@aborted black"), {}, {}),
        ("abort, too late", "brasileira", ("c3-d4", "f6-g5", "@aborted white"), {}, {}),
        ("disconnection, away too long", "brasileira",
         ("c3-d4", "@disconnected black", "@claimed_absence white +60000"), {}, {}),
        ("disconnection, back in time", "brasileira",
         ("c3-d4", "@disconnected black", "@reconnected black +59000", "@claimed_absence white +2000"), {}, {}),
        ("arbiter_intervention: released, time added, restored, corrected, ended", "faraes",
         ("@touched white square=c3", "@released reason=esbarrou", "e3-f4", "@time_added to=white ms=60000 reason=barulho",
          "f6-g5", "@restored ply=1 reason=relógio_parado", "@corrected fen=W:Wc3:Bf6 reason=tabuleiro_caiu",
          "c3-d4", "@ended result=1/2-1/2 reason=fim_do_horário"), {"touch_move": "on", "time_control": "5"}, {}),
        ("arbiter_intervention without a reason", "faraes", ("@released reason=", "@ended result=1-0 reason=_"), {}, {}),
        ("the lot decides the colours", "concurso", ("2,2 3,3",), {"colours": "rulebook"}, {"lot": 3}),
    ]  # fmt: skip
    return [
        Scenario(title, book, play, "casual", changes, **more) for title, book, play, changes, more in pairs
    ]
