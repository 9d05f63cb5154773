import pytest

import damas as library


def views(answer) -> dict:
    """Texts of the moves and switches that cause a difference, by rulebook."""
    return {
        book["id"]: (
            sorted(book["moves"]),
            [[cause["switch"] for cause in causes] for causes in book["causes"]],
        )
        for group in answer["groups"]
        for book in group["rulebooks"]
    }


def test_the_lens_of_the_product(damas):
    seen = views(damas("compare", "W:WKa1:Bd4", "--json").json)
    four = ["a1xe5", "a1xf6", "a1xg7", "a1xh8"]
    assert seen["brasileira"] == seen["faraes"] == (four, [])
    assert seen["portuguesa"] == (["1x19", "1x23", "1x28", "1x32"], [])
    assert seen["oficial"] == (["a1xe5"], [["king_landing"]])
    assert seen["concurso"] == (["0,0 1,1"], [["flying_king"]])
    assert set(seen) == {
        book.id for book in library.rulebooks() if (book.size.value, book.squares.value) == (8, "dark")
    }


def test_each_difference_names_its_clause_with_both_articles(damas):
    answer = damas("compare", "-f", "W:WKa1:Bd4,g5", "--json").json
    assert views(answer)["brasileira"][0] == ["a1xf6xh4"]
    assert views(answer)["oficial"][0] == ["a1xe5"]
    group = next(g for g in answer["groups"] if g["rulebooks"][0]["id"] == "oficial")
    [[cause]] = group["rulebooks"][0]["causes"]
    assert cause["first"]["rulebook"] == "brasileira"
    assert cause["second"]["articles"] == [{"article": "§4", "article_id": "001-4.4"}]
    assert (cause["first"]["value"], cause["second"]["value"]) == ("any", "behind")
    assert [move["text"] for move in group["added"]] == ["a1xe5"]
    assert [move["text"] for move in group["missing"]] == ["a1xf6xh4"]


def test_as_text(damas):
    answer = damas("compare", "W:WKa1:Bd4,g5", "--lang", "pt-BR")
    assert answer.code == 0
    assert "a1xf6xh4" in answer.out
    assert "Onde para a dama que captura" in answer.out
    assert "§4\n" in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80


def test_several_answers_may_each_be_enough(damas):
    seen = views(damas("compare", "W:Wf6:Be7,c7", "--json").json)
    assert seen["oficial"] == (["f6xd8"], [["men_capture_backward"], ["promotion"]])
    assert seen["concurso"][1] == [["flying_king", "promotion"]]


@pytest.mark.parametrize(
    ("fen", "reader"),
    [
        ("W:Wc3:Bd4", "brasileira"),
        ("W:W50:B33", "internacional"),
        ("W:W72:B33", "canadense"),
        ("W:Wa2:Bd4", "turca"),
    ],
)
def test_the_squares_say_which_board_it_is(damas, fen, reader):
    assert damas("compare", fen, "--json").json["rulebook"] == reader


def test_a_rulebook_reads_the_position_in_its_own_numbers(damas):
    answer = damas("compare", "-r", "portuguesa", "W:WK1:B14", "--json").json
    seen = views(answer)
    assert answer["rulebook"] == "portuguesa"
    assert seen["portuguesa"][0] == ["1x19", "1x23", "1x28", "1x32"]
    assert seen["brasileira"][0] == ["a1xe5", "a1xf6", "a1xg7", "a1xh8"]


def test_agreement_is_said(damas):
    assert "same moves" in damas("compare", "W:Wa1:Bh8").out


def test_house_rules_are_compared_too(damas, tmp_path):
    text = damas("rules", "brasileira", "--toml").out
    path = tmp_path / "casa.toml"
    path.write_text(
        text.replace('id = "brasileira"', 'id = "casa"').replace('value = "any"', 'value = "behind"')
    )
    seen = views(damas("compare", "-r", str(path), "W:WKa1:Bd4", "--json").json)
    assert seen["casa"][0] == ["a1xe5"]
    assert seen["brasileira"][1] == [["king_landing"]]


def test_a_bad_position_is_refused_by_the_board_it_fits_best(damas):
    error = damas("compare", "W:W50,90:B33", "--json").json["error"]
    assert [problem["token"] for problem in error["problems"]] == ["90"], (
        "only 90 is on no board with 50 and 33"
    )


def test_lines(damas):
    first, bad, last = damas("compare", "-f", "-", stdin="W:WKa1:Bd4\nbad\nW:W50:B33\n").lines
    assert len(first["groups"]) == 3
    assert bad["error"]["code"] == "NOTATION"
    assert last["rulebook"] == "internacional"
    assert damas("compare", "-", stdin="W:WKa1:Bd4\n").lines == [first]
