import pytest

FARAES = ["-r", "faraes", "-f", "W:Wc3:Bb4,d4,f6"]


def test_the_example_of_the_contract(damas):
    answer = damas("explain", *FARAES, "c3xa5", "--lang", "pt-BR")
    assert answer.code == 0
    text = " ".join(answer.out.split())
    assert "Art. 7" in text
    assert "2 peças" in text
    assert "Se há mais de um modo de tomar" in text, "the article in our words"
    assert "c3xe5xg7 toma d4, f6" in text


@pytest.mark.parametrize(
    ("language", "words"),
    [("pt-PT", "tomar"), ("es", "capturar"), ("en", "asks"), ("pt-BR", "captura")],
)
def test_every_language_speaks(damas, language, words):
    out = damas("explain", *FARAES, "c3xa5", "--lang", language).out
    assert "Art. 7" in out
    assert words in out


def test_json_of_a_refusal(damas):
    answer = damas("explain", *FARAES, "c3xa5", "--json", "--lang", "en").json
    assert answer["legal"] is False
    refusal = answer["refusal"]
    assert refusal["code"] == "MAJORITY"
    assert refusal["article"] == "Art. 7"
    assert refusal["rulebook"] == "faraes"
    assert refusal["tried"] == answer["tried"] == "c3xa5"
    assert refusal["legal"] == ["c3xe5xg7"]
    assert refusal["lang"] == "en"
    assert "Art. 7" in refusal["message"]
    assert answer["article_text"].startswith("With more than one way")
    assert [move["route"] for move in answer["alternatives"]] == [["c3", "e5", "g7"]]


def test_json_of_a_legal_move(damas):
    answer = damas("explain", *FARAES, "c3xg7", "--json").json
    assert answer["legal"] is True
    assert answer["refusal"] is None
    assert answer["move"]["text"] == "c3xe5xg7"
    assert answer["after"] == "B:Wg7:Bb4"


@pytest.mark.parametrize(
    ("tried", "scheme"),
    [("22-18", "numbers"), ("c3-d4", "algebraic"), ("c3d4", "algebraic"), ("2,2 3,3", "rows-columns")],
)
def test_every_scheme_is_read_and_named(damas, tried, scheme):
    answer = damas("explain", *tried.split(" "), "--json").json
    assert answer["legal"] is True
    assert answer["move"]["text"] == "c3-d4"
    assert answer["scheme"] == scheme


def test_numbers_from_the_bottom_left_are_offered_not_played(damas):
    answer = damas("explain", "9-13", "--json").json
    assert answer["legal"] is False
    assert answer["hint"]["move"] == "a3-b4"
    assert "a3-b4" in damas("explain", "9-13").out


def test_a_legal_move_says_what_it_does(damas):
    out = " ".join(damas("explain", "-f", "W:Wf6:Be7", "f6xd8").out.split())
    assert "is legal" in out
    assert "takes 1 piece: e7" in out
    assert "crowned" in out
    assert "B:WKd8:B" in out


def test_all_routes_of_the_alternatives_are_shown(damas):
    answer = damas("explain", "-f", "W:Wc3,h2:Bd4,f4,f2,d2", "h2-g3", "--json").json
    assert answer["refusal"]["code"] == "MUST_CAPTURE"
    assert len(answer["alternatives"]) == 2
    assert len({tuple(move["route"]) for move in answer["alternatives"]}) == 2


def test_unreadable_text_is_bad_input(damas):
    assert "nonsense" in damas("explain", *FARAES, "nonsense").refused


def test_lines(damas):
    stdin = "W:Wc3:Bb4,d4,f6\nbad\nW:Wc3:Bb4\n"
    first, bad, last = damas("explain", "-r", "faraes", "-f", "-", "c3xa5", stdin=stdin).lines
    assert first["refusal"]["code"] == "MAJORITY"
    assert bad["error"]["code"] == "NOTATION"
    assert last["legal"] is True


def test_lines_with_an_unreadable_move_answer_each_with_the_error(damas):
    answer = damas("explain", "-f", "-", "nonsense", stdin="W:Wc3:Bb4\nW:Wc3:Bd4\n")
    assert answer.code == 0
    assert [line["error"]["code"] for line in answer.lines] == ["NOTATION", "NOTATION"]
