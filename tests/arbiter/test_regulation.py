from dataclasses import fields, replace

import pytest

from damas.arbiter import PRESETS, PROCEDURES, Regulation, regulation
from damas.arbiter.procedures import ALL
from damas.arbiter.regulation import SETTINGS, parse
from damas.errors import BadRegulation, Mistake, UnknownRegulation
from damas.language import LANGUAGES
from damas.rules import rulebook


def test_every_procedure_that_a_regulation_can_name_exists():
    assert set(ALL) == set(PROCEDURES)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_answers_everything_and_reads_back(name):
    rules = regulation(name)
    assert rules.id == name
    assert Regulation.of(rules.data()) == rules
    assert set(SETTINGS) == {field.name for field in fields(rules)} - {"id"}
    assert rules.procedures[0] == "end_on_board"


def test_the_presets_are_what_they_are_for():
    casual, school, club, contest = map(regulation, PRESETS)
    faraes, concurso, brasileira = map(rulebook, ("faraes", "concurso", "brasileira"))
    assert casual.agreement_under(brasileira)
    assert casual.hints
    assert casual.take_back
    assert not casual.touch_move_under(faraes)
    assert school.touch_move_under(faraes)
    assert not (school.recorded or school.hints)
    assert school.customs.claims
    assert not club.agreement_under(brasileira)
    assert club.agreement_under(faraes)
    assert str(club.time_control) == "20"
    assert contest.bots_lose_under(concurso)
    assert contest.lot_under(concurso)
    assert not contest.agreement_under(faraes)
    assert contest.time_control.by_the_turn


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_a_missing_or_foolish_answer_is_named_with_what_is_allowed(setting):
    data = regulation("club").data()
    del data[setting.section][setting.key]
    for value, got in ((..., None), ("nonsense", '"nonsense"'), (-1, "-1"), (None, None)):
        if value is not ...:
            data[setting.section][setting.key] = value
        with pytest.raises(BadRegulation) as caught:
            Regulation.of(data)
        assert caught.value.problems == [Mistake(f"{setting.section}.{setting.key}", got, setting.expected)]
        for language in LANGUAGES:
            assert setting.key in caught.value.sentence(language)


@pytest.mark.parametrize("setting", [s for s in SETTINGS.values() if s.allowed == (True, False)])
def test_one_is_not_true(setting):
    data = regulation("club").data()
    data[setting.section][setting.key] = 1
    with pytest.raises(BadRegulation):
        Regulation.of(data)


def test_numbers_have_their_bounds():
    data = regulation("club").data()
    for number, fine in ((0, True), (1000, True), (1001, False)):
        data["illegal_moves"]["people_lose_at"] = number
        if fine:
            assert Regulation.of(data).people_lose_at == number
        else:
            with pytest.raises(BadRegulation, match="from 0 \\(never\\) to 1000"):
                Regulation.of(data)


def test_all_errors_are_reported_at_once():
    data = regulation("club").data()
    data["id"] = ""
    data["colour"] = "blue"
    data["time"]["zone"] = "GMT"
    data["claims"] = 3
    with pytest.raises(BadRegulation) as caught:
        Regulation.of(data)
    keys = [mistake.key for mistake in caught.value.problems]
    assert set(keys) == {"colour", "time.zone", "id", "claims"}


@pytest.mark.parametrize(
    "order",
    [
        PROCEDURES[1:],
        PROCEDURES[::-1],
        (*PROCEDURES, "laws"),
        (*PROCEDURES[:-1], "laws"),
        (*PROCEDURES[:-1], "blessing"),
        "end_on_board",
        [1],
    ],
)
def test_the_order_names_each_procedure_once_and_the_end_on_the_board_first(order):
    data = regulation("club").data()
    data["laws"]["procedures"] = list(order) if isinstance(order, tuple) else order
    with pytest.raises(BadRegulation, match=r"laws\.procedures"):
        Regulation.of(data)


def test_a_file_of_ones_own_is_found_by_its_path(tmp_path):
    from importlib.resources import files

    text = (files("damas.regulations") / "club.toml").read_text(encoding="utf-8")
    path = tmp_path / "ours.toml"
    path.write_text(text.replace('id = "club"', 'id = "ours"').replace('"20"', '"15+5"'), encoding="utf-8")
    assert regulation(str(path)) == replace(regulation("club").with_time("15+5"), id="ours")
    path.write_text("id =", encoding="utf-8")
    with pytest.raises(BadRegulation, match="TOML"):
        regulation(str(path))
    with pytest.raises(BadRegulation, match="there is no such file"):
        regulation(str(tmp_path / "absent.toml"))
    with pytest.raises(UnknownRegulation, match="casual, school, club, contest"):
        regulation("clube")
    with pytest.raises(BadRegulation):
        parse("x = " + "[" * 100_000)
    with pytest.raises(BadRegulation):
        Regulation.of([])
