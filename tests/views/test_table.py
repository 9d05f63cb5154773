"""What boards are told, on the positions of the acceptance scenarios."""

from dataclasses import replace

import msgspec
import pytest

from damas.arbiter import (
    AcceptedUnfinished,
    Offered,
    ProcedureRefused,
    StoppedEarly,
    Table,
    TakeBackAsked,
    Touched,
    regulation,
)
from damas.board import Color
from damas.game import Position
from damas.language import LANGUAGES
from damas.rules import rulebook, rulebooks
from damas.views import plain
from damas.views.boards import position_view
from damas.views.moves import board_moves
from damas.views.rulebook_pages import presets
from damas.views.table import TableView, can, command_refusal_view, table_view


def legal(fen: str, book: str) -> list[tuple[str, int]]:
    """Each move and how many routes it has."""
    view = position_view(Position.from_fen(fen, book))
    return [(move.text, len(move.routes)) for move in view.legal]


def test_the_squares_are_internal_ones() -> None:
    view = plain(position_view(Position.from_fen("W:W10:B13,14,23", "portuguesa")))
    assert view["pieces"] == {"9": "w", "12": "b", "13": "b", "22": "b"}
    assert view["legal"][0]["routes"] == [[9, 18, 27]] and view["turn"] == "white"


def test_two_ways_to_one_square_are_two_moves_and_two_routes_to_one_result_are_one() -> None:
    assert sorted(legal("W:WK4:B13,32,37,20", "internacional")) == [("4x27x38x15", 1), ("4x31x42x15", 1)]
    texts = [text for text, _ in legal("W:WKc1:Bb4,d2,d4,e5", "brasileira")]
    assert sorted(texts) == ["c1xe3xc5xa3", "c1xf4xd6xa3"]
    assert len(legal("W:WKc1:Bb4,d2,d4,e5", "oficial")) == 1
    assert legal("W:Wc3:Bd4,f4,f2,d2", "brasileira") == [("c3xe5xg3xe1xc3", 2)]


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_every_rulebook_has_a_view_in_every_language(book: object) -> None:
    table = Table.start(book, "casual")  # type: ignore[arg-type]
    table = table.play(table.playable[0], at=10)
    for language in LANGUAGES:
        view = table_view(table, language)
        sent = msgspec.json.decode(msgspec.json.encode(view))
        assert sent == plain(view), "a socket sends it as HTTP does"
        assert msgspec.convert(sent, TableView) and sent["last"]["route"]
        assert view.ply == 1 and len(view.moves) == 1


def test_a_table_says_what_can_be_done() -> None:
    start = Table.start("faraes", "casual")
    assert can(start) == ["move", "resign", "offer", "abort", "call"]
    played = start.play("c3-d4", at=1).play("f6-g5", at=2)
    assert can(played) == ["move", "resign", "offer", "take_back", "call"]
    offered = played.apply(Offered(3, Color.WHITE))
    assert {"accept", "decline", "withdraw"} <= set(can(offered)) and "offer" not in can(offered)
    requested = played.apply(TakeBackAsked(3, Color.BLACK))
    assert {"grant", "refuse"} <= set(can(requested)) and "take_back" not in can(requested)
    school = Table.start("faraes", "school")
    assert {"touch", "adjust"} <= set(can(school)) and "abort" not in can(school)
    pressed = replace(regulation("club"), clock_stopped_by="press")
    assert "press" in can(Table.start("faraes", pressed))


def test_a_touched_piece_leaves_its_own_moves() -> None:
    table = Table.start("faraes", "school").apply(Touched(5, Color.WHITE, "c3"))
    view = plain(table_view(table, "pt-BR"))
    assert (view["touched"], view["touched_square"]) == ("c3", 9)
    assert sorted(move["text"] for move in view["legal"]) == ["c3-b4", "c3-d4"]


def test_an_unfinished_capture_that_was_accepted_is_a_move_of_the_list() -> None:
    table = Table.start("faraes", "school", fen="W:Wc3,a1:Bd4,f6,h8")
    table = table.apply(StoppedEarly(5, Color.WHITE, "c3xe5"))
    view = plain(table_view(table, "en"))
    shown = {"by": "white", "move": "c3xe5", "route": [9, 18], "demanded": False, "article": "faraes, Art. 7"}
    assert view["unfinished"] == shown
    assert view["awaited"] == "black" and {"accept", "demand"} <= set(view["can"])
    table = table.apply(AcceptedUnfinished(9, Color.BLACK))
    view = plain(table_view(table, "en"))
    assert [(move["text"], move["by"]) for move in view["moves"]] == [("c3xe5", "white")]
    assert view["ply"] == 1 and view["moves"][0]["unfinished"]


def refused(table: Table, text: str, language: str = "pt-BR") -> dict[str, object]:
    with pytest.raises(ProcedureRefused) as why:
        table.play(text, at=1)
    refusal: dict[str, object] = plain(command_refusal_view(why.value, table, language))
    return refusal


def test_a_refusal_shows_the_better_capture_and_its_article() -> None:
    refusal = refused(Table.start("portuguesa", "casual", fen="W:W10:B13,14,23"), "10x17")
    assert refusal["code"] == "MAJORITY" and refusal["best"] == ["10x19x28"] and refusal["article_text"]
    assert refusal["alternatives"] == [
        {"text": "10x19x28", "routes": [[9, 18, 27]], "captured": [13, 22], "promotes": False}
    ]
    assert refusal["marks"] == [9]


def test_must_capture_marks_the_pieces_that_must() -> None:
    refusal = refused(Table.start("brasileira", "casual", fen="W:Wc3,h2:Bd4"), "h2-g3")
    assert refusal["code"] == "MUST_CAPTURE" and refusal["marks"] == [9]


def test_where_aids_are_forbidden_nothing_is_shown() -> None:
    refusal = refused(Table.start("faraes", "school", fen="W:Wc3:Bb4,d4,f6"), "c3xa5")
    assert (
        refusal["alternatives"] == [] and refusal["legal"] == [] and "c3xe5xg7" not in str(refusal["message"])
    )


def test_moves_of_another_position_have_their_own_route() -> None:
    position = Position.from_fen("W:Wc3:Bd4,f4,f2,d2", "brasileira")
    one = position.routes()[0]
    assert board_moves(position, [one])[0].routes[0] == one.route


def test_a_regulation_says_where_it_departs_from_the_text() -> None:
    def lines(book: str, preset: str, *stands: str) -> list[str]:
        rules = presets(rulebook(book))[preset].text_rules
        return [f"{each.rule} {each.article}".strip() for each in rules if each.stands in stands]

    section_4 = "4. Escenarios de victoria"
    dropped = [f"invalid_loses {section_4}", "by_lot 1. Inicio del juego", f"clock {section_4}"]
    assert lines("concurso", "casual", "not_demanded") == dropped
    assert lines("concurso", "casual", "added") == lines("brasileira", "casual", "added") == ["agreement"]
    for preset in ("school", "club"):
        assert lines("concurso", preset, "not_demanded") == [f"clock {section_4}"]
    assert lines("concurso", "contest", "not_demanded", "left_out", "added") == []
    for book, article in {"oficial": "§6", "faraes": "Art. 11", "portuguesa": "n.º 8"}.items():
        assert lines(book, "contest", "left_out") == [f"agreement {article}"]
