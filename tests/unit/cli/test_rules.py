import pytest

import damas as library
from damas.language import LANGUAGES, language_of
from damas.rules import articles, rulebook_ids
from damas.views import words

BOOKS = library.rulebooks()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_has_every_rulebook_and_fits(damas, language):
    out = damas("rules", "--lang", language).out
    entries = damas("rules", "--json", "--lang", language).json["rulebooks"]
    assert [entry["id"] for entry in entries] == list(rulebook_ids())
    for entry in entries:
        assert entry["special"] in out, "one line, not wrapped"
        assert all(alias in out for alias in entry["aliases"])
    assert max(map(len, out.splitlines())) <= 80


def test_what_is_special_is_said_in_each_language_and_of_each_rulebook(damas):
    sentences = {
        entry["special"]
        for language in ("es", "en", "pt-BR")
        for entry in damas("rules", "--json", "--lang", language).json["rulebooks"]
    }
    assert len(sentences) == 3 * len(rulebook_ids())


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
@pytest.mark.parametrize("language", LANGUAGES)
def test_one_rulebook_is_told_in_full(damas, book, language):
    answer = damas("rules", book.id, "--lang", language)
    assert answer.code == 0
    out = answer.text
    for article in articles(book).by_id.values():
        assert out.count(" ".join(article.text[language].split())) >= 1, article.id
    for key in words.QUESTIONS:
        assert words.question(key, language_of(book.id, language)).split()[0] in out
    for rule in book.draws:
        assert words.draw(book, rule, language) in out
    longest = max(answer.out.splitlines(), key=len)
    assert len(longest) <= 80, longest


def test_readings_stand_beneath_what_they_are_about(damas):
    out = damas("rules", "faraes").out
    statement, reading, following = (
        out.index(word) for word in ("\nArt. 3\n", "Our reading 3: Art. 3 says", "\nArt. 4\n")
    )
    assert statement < reading < out.index("(also about Art. 6)") < following
    assert (
        out.index("\nArt. 6\n")
        < out.index("See our reading 3 (Art. 3); 7 (Art. 5).")
        < out.index("\nArt. 7\n")
    )
    assert out.index("Art. 1\n") < out.index("Art. 7\n") < out.index("Art. 16\n"), "in the order of the text"


def test_one_rulebook_as_data(damas):
    answer = damas("rules", "school", "--json", "--lang", "es").json
    assert answer["id"] == "faraes"
    by_key = {switch["key"]: switch for switch in answer["switches"]}
    assert by_key["capture_priority"]["value"] == ["most_pieces"]
    assert by_key["capture_priority"]["articles"] == [{"article": "Art. 7", "article_id": "002-7c"}]
    assert by_key["capture_priority"]["answer"] == "la que toma más piezas"
    assert answer["articles"][0]["id"] == "002-1"
    assert next(a for a in answer["articles"] if a["id"] == "002-3")["readings"] == ["B.002-8"]
    thirteen = next(draw for draw in answer["draws"] if draw["id"] == "thirteen-moves")
    assert thirteen["text"].startswith("Tres damas contra una: 13 jugadas del bando más fuerte")
    assert not thirteen["platform"]
    assert any(draw["platform"] for draw in answer["draws"])


@pytest.mark.parametrize(
    ("book", "rule", "text"),
    [
        ("brasileira", "twenty-king-moves", "20 moves by each side without a capture or a man's move: draw."),
        (
            "brasileira-64",
            "three-kings-fifteen",
            "Three kings or more against one: 15 moves by each side: draw.",
        ),
        (
            "brasileira-64",
            "thirty-moves-4-5-pieces",
            "4 to 5 pieces on the board, a king on both sides: 30 moves by each side without a capture or a crowning: draw.",
        ),
        (
            "portuguesa",
            "forcada",
            "Three kings against one: 12 moves of the stronger side, counted once a king of the stronger side has stood on the long diagonal: draw.",
        ),
        ("portuguesa-fpd", "threefold", "The same position 3 times: draw, if a player asks."),
        (
            "frisia",
            "king-against-king",
            "One king against one: at once, unless the side to move can capture or cannot avoid being captured: draw.",
        ),
        ("concurso", "cycle", "The same cycle of moves run 6 times: more pieces win, equal numbers draw."),
        ("concurso", "platform-ply-400", "At ply 400 of the game: more pieces win, equal numbers draw."),
    ],
)
def test_draw_rules_in_words(book, rule, text):
    [result] = [draw for draw in library.rulebook(book).draws if draw.id == rule]
    assert words.draw(library.rulebook(book), result, "en") == text


def test_draw_rules_that_differ_are_worded_differently():
    for book in BOOKS:
        for language in LANGUAGES:
            sentences = [words.draw(book, rule, language) for rule in book.draws]
            assert len(set(sentences)) == len(sentences), book.id


# A user's own rules


@pytest.fixture
def house(damas, tmp_path):
    def write(*changes: tuple[str, str]):
        text = damas("rules", "brasileira", "--toml").out.replace('id = "brasileira"', 'id = "casa"')
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "casa.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


@pytest.mark.parametrize("name", rulebook_ids())
def test_written_out_and_read_back_it_is_the_same(damas, tmp_path, name):
    path = tmp_path / "mine.toml"
    path.write_text(damas("rules", name, "--toml").out, encoding="utf-8")
    assert library.rulebook(str(path)).hash == library.rulebook(name).hash


def test_house_rules_play_everywhere(damas, house):
    path = house(("men_capture_backward = { value = true", "men_capture_backward = { value = false"))
    fen = "W:We5:Bd4"
    assert [m["text"] for m in damas("moves", "-f", fen, "--json").json["moves"]] == ["e5xc3"]
    moves = damas("moves", "-r", path, "-f", fen, "--json").json
    assert moves["rulebook"] == "casa"
    assert sorted(m["text"] for m in moves["moves"]) == ["e5-d6", "e5-f6"]
    assert damas("perft", "-r", path, "6", "--json").json["nodes"] != 37628
    assert damas("explain", "-r", path, "-f", fen, "e5xc3", "--json").json["refusal"]["code"] == "NO_BACKWARD"
    assert damas("show", "-r", path).code == 0
    assert "House rules" in damas("rules", path).out
    assert [s["key"] for s in damas("rules", "--diff", "brasileira", path, "--json").json["switches"]] == [
        "men_capture_backward"
    ]


def test_mistakes_name_the_key_and_what_is_allowed(damas, house):
    path = house(('value = "passes"', 'value = "pases"'), ("size = { value = 8", "size = { value = 9"))
    message = damas("moves", "-r", path).refused
    assert "moves.promotion" in message
    assert '"passes", "stops", "continues"' in message
    assert "board.size" in message
    assert "8, 10, 12" in message
    problems = damas("moves", "-r", path, "--json").json["error"]["problems"]
    assert {problem["key"] for problem in problems} == {"moves.promotion", "board.size"}


def test_a_file_that_is_no_toml(damas, tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text("id = = 3")
    assert "TOML" in damas("moves", "-r", str(path)).refused


# Two of them


def test_what_parts_two_rulebooks_with_positions(damas):
    answer = damas("rules", "--diff", "brasileira", "oficial", "--json").json
    keys = [switch["key"] for switch in answer["switches"]]
    assert keys == ["men_capture_backward", "king_landing", "promotion", "agreement", "touch_move"]
    landing = answer["switches"][1]
    assert landing["first"]["articles"] == [{"article": "", "article_id": "B.000-9"}]
    assert landing["second"]["articles"] == [{"article": "§4", "article_id": "001-4.4"}]
    assert [position["switch"] for position in answer["positions"]] == keys[:3]
    for position in answer["positions"]:
        texts = {}
        for side, name in (("first", "brasileira"), ("second", "oficial")):
            played = library.Position.from_fen(position[side]["fen"], name)
            texts[name] = {move["text"] for move in position[side]["moves"]}
            assert texts[name] == {move.text for move in played.legal_moves}
        assert texts["brasileira"] != texts["oficial"]


def test_the_same_position_is_shown_on_both_boards(damas):
    answer = damas("rules", "--diff", "brasileira", "portuguesa", "--json").json
    for position in answer["positions"]:
        first = library.Position.from_fen(position["first"]["fen"], "brasileira")
        second = library.Position.from_fen(position["second"]["fen"], "portuguesa")
        assert first.diagram == second.diagram
        assert set(first.legal_moves) != set(second.legal_moves)


def test_as_text_both_articles_and_both_lists_are_there(damas):
    out = damas("rules", "--diff", "brasileira", "oficial").out
    assert "Our reading\n" in out
    assert "§4\n" in out
    assert "Positions where the legal moves differ" in out
    assert max(map(len, out.splitlines())) <= 80


def test_an_answer_of_several_laws_cites_each(damas):
    switches = damas("rules", "portuguesa", "--json").json["switches"]
    laws = next(switch for switch in switches if switch["key"] == "capture_priority")
    assert laws["value"] == ["most_pieces", "most_kings"]
    assert [cited["article_id"] for cited in laws["articles"]] == ["003-3a", "003-3b", "B.003-2"]
    assert "n.º 3, our reading\n" in damas("rules", "portuguesa").out.split("Questions and answers")[1]


def test_the_same_draw_rule_under_another_article_is_no_difference(damas):
    draws = damas("rules", "--diff", "brasileira", "brasileira-cbd", "--json").json["draws"]
    differing = {draw["id"] for side in draws.values() for draw in side}
    assert "five-moves-long-diagonal" in differing
    assert not differing & {"five-move-endings", "twenty-king-moves"}


def test_where_only_draws_differ_it_says_so(damas):
    assert "only the draws differ" in damas("rules", "--diff", "brasileira", "brasileira-64").out
    answer = damas("rules", "--diff", "brasileira", "brasileira-64", "--json").json
    assert answer["same_moves"]
    assert answer["positions"] == []
    assert {draw["id"] for draw in answer["draws"]["first"]} >= {"twenty-king-moves", "five-move-endings"}


def test_different_boards_share_no_position(damas):
    assert "no position belongs to both" in damas("rules", "--diff", "brasileira", "internacional").out
    assert damas("rules", "--diff", "brasileira", "turca", "--json").json["positions"] == []


def test_a_rulebook_does_not_differ_from_itself(damas):
    assert "the same in everything" in damas("rules", "--diff", "brasileira", "brazilian").out


def test_an_answer_that_cannot_matter_is_said_to_have_no_position(damas):
    answer = damas("rules", "--diff", "concurso", "inglesa", "--json").json
    assert answer["without_position"] == ["removal"]
    assert (
        "When captured pieces leave"
        in damas("rules", "--diff", "concurso", "inglesa").out.split("no position")[0]
    )


def test_another_reading_of_a_text_is_shown_beside_ours(damas):
    assert (
        "oficial-men-backward: A peça comum captura também para trás."
        in damas("rules", "--lang", "pt-BR").text
    )
    assert "como `oficial-men-backward`" in damas("rules", "oficial", "--lang", "pt-BR").text
    other = damas("rules", "oficial-men-backward", "--lang", "pt-PT").text
    assert (
        "A peça comum toma também para trás: aqui vale esta outra leitura. A nossa é a de `oficial`." in other
    )
    (reading,) = damas("rules", "concurso", "--json").json["other_readings"]
    assert (reading["id"], reading["reading"]) == ("concurso-men-forward", "B.004-1")
    assert damas("rules", "concurso-men-forward", "--json").json["reading_of"] == "concurso"
