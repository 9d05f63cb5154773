import pytest

FARAES = ["-r", "faraes", "-f", "W:Wc3:Bb4,d4,f6"]


def test_the_example_of_the_contract(damas):
    answer = damas("explain", *FARAES, "c3xa5", "--lang", "pt-BR")
    assert answer.code == 1
    text = answer.text
    assert "Art. 7" in text
    assert "2 peças" in text
    assert "Se há mais de um modo de tomar" in text, "the article in our words"
    assert "c3xe5xg7 toma d4, f6" in text


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


@pytest.mark.parametrize("tried", ["c3-d4 b6-a5", "22-18 9-13", "2,2-3,3 5,1-4,0"])
def test_two_whole_moves_are_not_read_as_one(damas, tried):
    second = tried.split(" ")[1]
    message = f"damas: “{tried}” cannot be read: “{second}” is another move already: give one only.\n"
    assert damas("explain", *tried.split(" ")).refused == message
    answer = damas("explain", tried, "--json")
    assert (answer.code, answer.err) == (2, message)
    (problem,) = answer.json["refusal"]["problems"]
    assert (problem["code"], problem["token"], problem["offset"]) == (
        "SEVERAL_MOVES",
        second,
        tried.index(second),
    )
    assert answer.json["scheme"] is None


@pytest.mark.parametrize("tried", ["2,2 3,3", "c3 d4", "c3 - d4", "22 - 18"])
def test_the_squares_of_one_move_may_be_words(damas, tried):
    assert damas("explain", "-r", "concurso", *tried.split(" "), "--json").json["legal"] is True


def test_numbers_from_the_bottom_left_are_offered_not_played(damas):
    answer = damas("explain", "9-13", "--json").json
    assert answer["legal"] is False
    assert answer["hint"]["move"] == "a3-b4"
    assert "a3-b4" in damas("explain", "9-13").out


def test_a_legal_move_says_what_it_does(damas):
    out = damas("explain", "-f", "W:Wf6:Be7", "f6xd8").text
    assert "is legal" in out
    assert "takes 1 piece: e7" in out
    assert "crowned" in out
    assert "B:WKd8:B" in out


def test_all_routes_of_the_alternatives_are_shown(damas):
    answer = damas("explain", "-f", "W:Wc3,h2:Bd4,f4,f2,d2", "h2-g3", "--json").json
    assert answer["refusal"]["code"] == "MUST_CAPTURE"
    assert len(answer["alternatives"]) == 2
    assert len({tuple(move["route"]) for move in answer["alternatives"]}) == 2


def test_json_of_unreadable_text_is_a_refusal_as_any_other(damas):
    bad = damas("explain", *FARAES, "nonsense", "--json", "--lang", "pt-BR")
    assert "nonsense" in bad.refused
    other = damas("explain", *FARAES, "c3-d4", "--json", "--lang", "pt-BR").json
    assert set(bad.json) == set(other)
    assert set(bad.json["refusal"]) >= set(other["refusal"]) - {"takes", "asks", "square"}
    why = bad.json["refusal"]
    assert (why["code"], why["article"], why["tried"], why["also"]) == ("NOTATION", "", "nonsense", [])
    assert why["legal"] == ["c3xe5xg7"]
    assert [move["text"] for move in bad.json["alternatives"]] == ["c3xe5xg7"]
    assert "não se entende como lance" in why["message"]
    assert (bad.json["legal"], bad.json["scheme"]) == (False, None)


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("pt-BR", "Além disso c3-e1 leva a pedra para trás"),
        ("pt-PT", "Além disso c3-e1 leva a pedra para trás"),
        ("es", "Además c3-e1 lleva la ficha hacia atrás"),
        ("en", "Besides c3-e1 leads a man backward"),
    ],
)
def test_further_reasons_are_sentences_with_their_articles(damas, language, message):
    out = damas("explain", "-f", "W:Wc3:Bb8", "c3-e1", "--lang", language).text
    assert message in out
    assert "(brasileira, só para frente)" in out
    assert "NO_BACKWARD" not in out
    assert damas("explain", "-f", "W:Wc3:Bb8", "c3-e1", "--json").json["refusal"]["also"] == ["NO_BACKWARD"]


def test_a_man_that_only_passes_the_last_row_is_told_to_stay_one(damas):
    """PRODUCT P13."""
    passes = ["-r", "faraes", "-f", "W:Wf6:Be7,c7"]
    out = damas("explain", *passes, "f6xd8xb6").text
    assert "only passes d8 without ending its move there, and so is not crowned (faraes, Art. 9)" in out
    note = damas("explain", *passes, "f6xd8xb6", "--json").json["not_crowned"]
    assert (note["square"], note["article"]) == ("d8", "Art. 9")
    assert damas("explain", *passes, "f6xb6", "--json").json["not_crowned"] == note, "the ends are enough"
    tried = damas("explain", *passes, "f6xd8xa5").text
    assert "is too far" in tried, "who goes on as a king would"
    assert "not crowned (faraes, Art. 9)" in tried
    for book, fen, move in (
        ("faraes", "W:Wf6:Be7", "f6xd8"),
        ("faraes", "W:WKf6:Be7,c7", "f6xd8xb6"),
        ("russa", "W:Wf6:Be7,c7", "f6xd8xb6"),
        ("faraes", "W:Wb6:Bc7,e7,g7,g5", "b6xd8xf6xh8"),
    ):
        assert damas("explain", "-r", book, "-f", fen, move, "--json").json["not_crowned"] is None


def test_the_scheme_is_told_where_it_is_not_the_rulebooks_own_or_could_be_another(damas):
    def message(*arguments):
        return damas("explain", *arguments).text

    assert "was read" not in message("c3-d4")
    assert "“22-18” was read by the numbers that begin at the top, at White's left: c3 d4." in message(
        "22-18"
    )
    assert "“9-13” was read by the numbers that begin at the top, at White's left: b6 a5." in message("9-13")
    assert "“2,2 3,3” was read in rows and columns, from 0: c3 d4." in message("2,2 3,3")
    assert "was read in letters and numbers: 2,2 3,3." in message("-r", "concurso", "c3-d4")
    assert "was read" not in message("-r", "internacional", "32-28")
    # Counted from the bottom left it would be legal too, and another move.
    assert "“10-14” was read by the numbers that begin at the bottom, at White's right: 10 14." in message(
        "-r", "portuguesa", "10-14"
    )


def test_the_contest_is_told_in_rows_and_columns(damas):
    fen = ["-r", "concurso", "-f", "W:Wc3:Bd4,f6"]
    assert "2,2 4,4 6,6 takes 3,3; 5,5" in damas("moves", *fen).text
    out = damas("explain", *fen, "2,2 4,4 6,6").text
    assert "The piece on 2,2 goes to 6,6 and takes 2 pieces: 3,3; 5,5. Route: 2,2 4,4 6,6." in out
    assert "stops on 4,4" in damas("explain", *fen, "2,2 4,4").text
    show = damas("show", *fen).out
    assert "0 1 2 3 4 5 6 7" in show
    assert "a b c" not in show


@pytest.mark.parametrize(
    ("book", "fen", "move", "code", "article"),
    [
        ("brasileira", "W:Wc3,d4:Bb8", "c3-d4", "OWN_PIECE_BLOCKS", "B.000-own-pieces"),
        ("brasileira", "W:WKc3,d4:Bb8", "c3-e5", "OWN_PIECE_BLOCKS", "000-14"),
        ("oficial", "W:Wc3,d4:Bb8", "c3-d4", "OWN_PIECE_BLOCKS", "001-2.4"),
        ("faraes", "W:WKc3:Bb8", "c3-c5", "NOT_DIAGONAL", "002-5a"),
        ("faraes", "W:Wc3:Bb8", "c3-c5", "NOT_DIAGONAL", "002-3"),
        ("concurso", "W:WKc3:Bb8", "c3-c5", "NOT_DIAGONAL", "004-2.2"),
        ("brasileira", "W:WKc3:Bb8", "c3-c5", "NOT_DIAGONAL", "B.000-lines"),
        ("portuguesa", "W:WK1:B10,14", "1x19", "TWO_IN_A_ROW", "003-5a"),
        ("portuguesa", "W:W10:B14,19", "10x19", "TWO_IN_A_ROW", "003-2c"),
        ("portuguesa", "W:WK1,2:B14", "1-5", "MUST_CAPTURE", "003-3a"),
        ("portuguesa", "W:WK1,2:B14", "2-6", "MUST_CAPTURE", "003-3a"),  # a king has to
        ("portuguesa", "W:WK1,11:B15", "1-5", "MUST_CAPTURE", "003-2c"),  # a man has to
        ("portuguesa", "W:WK1:B10,19", "1x14", "CHAIN_INCOMPLETE", "003-3a"),
        ("portuguesa", "W:W10:B14,23", "10x19", "CHAIN_INCOMPLETE", "003-2e"),
        ("internacional", "W:WK46:B37,23", "46x32", "CHAIN_INCOMPLETE", "internacional-4.6"),
        ("internacional", "W:WK46,50:B37", "50-45", "MUST_CAPTURE", "internacional-4.3"),
        ("turca", "W:WKa1:Ba4,a5,h7", "a1xa7", "TWO_IN_A_ROW", "turca-king-capture"),
        # the article that asks for a route
        ("portuguesa", "W:WK2,K16:BK6,K13,K19,K28", "2x9", "AMBIGUOUS", "003-6a"),
        ("portuguesa-fpd", "W:WK2,K16:BK6,K13,K19,K28", "2x9", "AMBIGUOUS", "B.FPD-1"),
        ("brasileira", "W:WKc1,Kh4:BKd2,Kb4,Ke5,Kg7", "c1xa3", "AMBIGUOUS", ""),
    ],
)
def test_a_move_is_refused_by_its_own_article(damas, book, fen, move, code, article):
    why = damas("explain", "-r", book, "-f", fen, move, "--json").json["refusal"]
    assert (why["code"], why["article_id"]) == (code, article)


def test_lines_with_an_unreadable_move_answer_each_with_the_refusal(damas):
    answer = damas("explain", "-f", "-", "nonsense", stdin="W:Wc3:Bb4\nW:Wc3:Bd4\n")
    assert answer.code == 2
    assert [line["refusal"]["code"] for line in answer.lines] == ["NOTATION", "NOTATION"]
