"""Files of house rules: errors in every language, and no file is taken for another rulebook."""

import re
import tomllib
from pathlib import Path

import pytest

from damas import BadRulebook, rulebook
from damas.language import LANGUAGES
from damas.notation import PdnGame, write_game
from damas.rules import parse, rulebook_ids, to_toml
from damas.rules.library import aliases, from_source

TEXT = to_toml(rulebook("brasileira")).replace('id = "brasileira"', 'id = "casa"')
ENGLISH = re.compile(
    r"\b(nothing|found|expected|list|at most|out of|article|text|name|names|whole|number|table|key|keys|of)\b"
)
MORE = '\n[[draw]]\nid = "more-{}"\nrule = "cycle"\nlimit = 3\nclaim = "player"\ndecides = "draw"'
LIMIT = '\ncounts = "each"\nstarts = "entry"\nwhile = "always"\nendings = []\nresets = []'
CHANGES = {
    "id": ('id = "casa"', 'id = "Casa!"'),
    "aliases": ("aliases = [", "aliases = [1, "),
    "size": ("size = { value = 8", "size = { value = 9"),
    "priority": ('value = ["most_pieces"]', 'value = ["most_pieces", "most_pieces"]'),
    "article": ('article = "000-5"', "article = 5"),
    "section": ("[board]", "[bord]"),
    "key": ("[moves]", "[moves]\nhuffing = true"),
    "statement": ("[statements]", "[statements]\nblown = 3"),
    "statement article": ('must_capture = "000-15"', "must_capture = 15"),
    "statement articles": ('must_capture = "000-15"', 'must_capture = ["a", "b", "c"]'),
    "ending articles": ('article = ["000-29", "000-30", ', 'article = ["000-29", '),
    "draw articles": ('article = "000-28"', 'article = ["000-28", "000-29"]'),
    "gametype": ('gametype = ""', "gametype = 26"),
    "taken gametype": (
        'gametype = ""',
        'gametype = "26,W,8,8,A0,0"\n[[draw]]\nid = "x"\nrule = "cycle"\nlimit = 3\nclaim = "player"\ndecides = "draw"',
    ),
    "notation": ('first_number = "top-left"', 'first_number = "middle"'),
    "draw id": ('id = "twenty-king-moves"', "id = 20"),
    "draw ids": ('id = "twenty-king-moves"', 'id = "five-move-endings"'),
    "limit": ("limit = 20", "limit = -1"),
    "endings": ('endings = ["KK-KK"', 'endings = ["QQ-KK"'),
    "resets": ("resets = [", 'resets = ["lunch", '),
    "draws": ("[[draw]]", "[draw]"),
    "pieces": ("limit = 20", "limit = 20\npieces = [1]"),
    "pieces a side": ("limit = 20", "limit = 20\npieces_a_side = -1"),
    "off during": ("limit = 20", "limit = 20\noff_during = 1"),
    "too many draws": ('gametype = ""', 'gametype = ""' + "".join(MORE.format(n) for n in range(70))),
    "too many limits": (
        'gametype = ""',
        'gametype = ""' + "".join(f"{MORE.format(n).replace('cycle', 'limit')}{LIMIT}" for n in range(16)),
    ),
    "lines": ('lines = { value = "diagonal"', 'lines = { value = "orthogonal"'),
    "king": ("flying_king = { value = true", "flying_king = { value = false"),
    "rows": ("men_rows = { value = [1, 2, 3]", "men_rows = { value = [5]"),
    "line": ("[board]", "[board"),
    "end": ("[board]", 'x = "'),
    "depth": ("[board]", "x = " + "[" * 5000),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_mistake_is_told_in_every_language(change: str) -> None:
    old, new = CHANGES[change]
    assert old in TEXT
    with pytest.raises(BadRulebook) as caught:
        parse(TEXT.replace(old, new, 1), "casa.toml")
    sentences = {language: caught.value.sentence(language) for language in LANGUAGES}
    assert all("casa.toml" in text for text in sentences.values())
    assert len({sentences["es"], sentences["en"], sentences["pt-BR"]}) == 3
    for mistake in caught.value.problems:
        for language in ("pt-BR", "pt-PT", "es"):
            words = mistake.sentence(language).removeprefix(f"{mistake.key}:")
            words = re.sub(r'"[^"]*"|\b[\w.]+_\w+\b|\b\w+\.\w+\b', "", words)  # what the file itself says
            assert not ENGLISH.search(words), words


@pytest.mark.parametrize(
    ("text", "expected"), [(None, "não existe"), (b"\xff", "UTF-8"), (b"", "[board]"), (b"a", "TOML")]
)
def test_the_file_is_named_whatever_is_wrong_with_it(
    tmp_path: Path, text: bytes | None, expected: str
) -> None:
    path = tmp_path / "nossas.toml"
    if text is not None:
        path.write_bytes(text)
    with pytest.raises(BadRulebook) as caught:
        rulebook(str(path))
    assert str(path)[:60] in caught.value.sentence("pt-BR")
    assert expected in caught.value.sentence("pt-BR")
    assert caught.value.name == str(path)


@pytest.mark.parametrize("name", ["BRASILEIRA", "Brasileira", "Brazilian", "BrasileirA-CBD"])
def test_names_are_known_in_any_case(name: str) -> None:
    assert rulebook(name).id in rulebook_ids()


@pytest.mark.parametrize("alias", [*aliases(), "brasileira"])
def test_no_house_rules_take_the_name_of_a_rulebook(alias: str) -> None:
    text = TEXT.replace('id = "casa"', f'id = "{alias}"').replace("limit = 20", "limit = 21")
    with pytest.raises(BadRulebook) as caught:
        parse(text, "casa.toml")
    assert [mistake.key for mistake in caught.value.problems] == ["id"]
    with pytest.raises(BadRulebook):
        from_source(tomllib.loads(text))


def test_an_alias_is_no_name_even_for_the_same_answers() -> None:
    with pytest.raises(BadRulebook, match="another name of brasileira"):
        parse(TEXT.replace('id = "casa"', 'id = "brazilian"'), "casa.toml")


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_a_rulebook_written_out_claims_no_number_of_pdn(book_id: str) -> None:
    written = parse(to_toml(rulebook(book_id)))
    assert written.hash == rulebook(book_id).hash
    assert written.gametype == ""


def test_changed_answers_need_an_id_and_a_gametype_of_their_own() -> None:
    changed = to_toml(rulebook("brasileira")).replace(
        "men_capture_backward = { value = true", "men_capture_backward = { value = false"
    )
    for text, key in (
        (changed, "id"),
        (changed.replace('id = "brasileira"', 'id = "casa"').replace('gametype = ""', 'gametype = "26"'), "notation.gametype"),
    ):  # fmt: skip
        with pytest.raises(BadRulebook) as caught:
            parse(text)
        assert [mistake.key for mistake in caught.value.problems] == [key]
    house = parse(changed.replace('id = "brasileira"', 'id = "casa"'))
    written = write_game(PdnGame.of(house, ["c3-d4"]))
    assert "GameType" not in written
    assert '[Rulebook "casa"]' in written
    same = TEXT.replace('gametype = ""', 'gametype = "26,W,8,8,A0,0"')
    assert parse(same).gametype, "the same answers under another name are that game"
    assert (
        parse(
            changed.replace('id = "brasileira"', 'id = "casa"').replace('gametype = ""', 'gametype = "99"')
        ).gametype
        == "99"
    )
