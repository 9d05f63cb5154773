"""A certificate says how a finished game ended, and any changed byte is detected."""

import json
from random import Random

import pytest

from arbiter.tables import BOTS, B, W, letter, played, shuttle
from damas.arbiter import ProcedureRefused, Table, events
from damas.judging.certificate import Certificate, check, table_in
from damas.language import LANGUAGES
from damas.rules import library, rulebook
from damas.views.verdicts import broken_certificate_view

THREE_KINGS = "W:WKg1,Kc1,Ka3:BKb8"


def claimed() -> Table:
    """PRODUCT A3: nobody writes it down, attention is called after ply 4, drawn at ply 29."""
    table = Table.start("faraes", "school", ("Ana", "Rui"), fen=THREE_KINGS)
    table = played(table, shuttle(4), step=1234)
    table = table.apply(events.CalledAttention(table.now + 5, B, "thirteen-moves"))
    return played(table, shuttle(25))


def cycle() -> Table:
    """PRODUCT S5: the sixth run of the cycle, decided by pieces."""
    return played(Table.start("concurso", letter("contest"), BOTS, fen="W:WKg1,a3:BKb8", lot=7), shuttle(24))


def corrected() -> Table:
    table = played(Table.start("portuguesa", "casual"), ["10-14", "21-17"])
    table = table.apply(events.TakeBackAsked(table.now, W)).apply(events.TakeBackGranted(table.now, B))
    table = table.apply(events.Corrected(table.now, "o tabuleiro caiu", "W:W10:B23,31"))
    table = played(table, ["10-14"])
    return table.apply(events.Ended(table.now, "falta de luz", "1/2-1/2"))


FINISHED = {"claimed": claimed, "cycle": cycle, "corrected": corrected}


@pytest.mark.parametrize("name", FINISHED)
def test_a_certificate_of_a_finished_game_holds(name):
    table = FINISHED[name]()
    certificate = Certificate(table)
    assert check(certificate.json) == []
    assert check(certificate.json.decode()) == []
    assert table_in(certificate.json) == table
    assert certificate.json.count(b"\n") == 1


def test_it_names_the_rules_the_players_the_claim_and_the_article():
    data = Certificate(claimed()).data
    book = rulebook("faraes")
    assert data["rulebook"] == {"id": "faraes", "hash": book.hash, "rules": None}
    assert data["regulation"]["id"] == "school"
    assert [data["players"][side]["name"] for side in ("white", "black")] == ["Ana", "Rui"]
    assert data["recorded"] is False
    assert data["plies"] == 29
    assert len(data["parts"][0]["moves"]) == 29
    assert [(event["ply"], event["kind"]) for event in data["decisive"]] == [
        (4, "called_attention"),
        (29, "moved"),
        (29, "ruled"),
    ]
    outcome = data["outcome"]
    assert (outcome["result"], outcome["reason"], outcome["article"]) == ("1/2-1/2", "LIMIT", "Art. 12")
    counters = {counter["rule"]: (counter["have"], counter["need"]) for counter in data["counters"]}
    assert counters["thirteen-moves"] == (13, 13)
    assert len(data["ledger"]) == len(claimed().events)
    assert data["ledger"][-1]["chain"] == data["chain"]


def test_a_cycle_names_its_plies_and_the_lot_its_seed():
    data = Certificate(cycle()).data
    assert data["outcome"]["facts"]["plies"] == "1, 5, 9, 13, 17, 21"
    assert data["outcome"]["winner"] == "white"
    assert data["players"]["white"] == {"name": "b", "bot": True, "lot": 7}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FINISHED)
def test_the_text_is_in_every_language(name, language):
    table = FINISHED[name]()
    certificate = Certificate(table)
    text = certificate.text(language)
    assert certificate.data["chain"] in text
    assert certificate.data["seal"] in text
    assert " ".join(table.outcome.sentence(language).split()) in " ".join(text.split())
    assert table.book.hash in text
    long = [line for line in text.splitlines() if len(line) > 80 and len(line.split(" ")[-1]) < 60]
    assert long == []


def test_an_unfinished_game_has_no_certificate():
    with pytest.raises(ProcedureRefused) as caught:
        Certificate(Table.start("brasileira", "casual"))
    assert caught.value.code == "NOT_OVER"
    assert caught.value.sentence("pt-BR") == "A partida ainda não acabou."


def test_house_rules_travel_with_their_certificate(tmp_path):
    source = (library.FOLDER + "/brasileira/rules.toml").replace("\\", "/")
    with open(source, encoding="utf-8") as file:  # noqa: PTH123
        text = file.read()
    house = tmp_path / "minhas.toml"
    house.write_text(
        text.replace('id = "brasileira"', 'id = "minhas"')
        .replace("limit = 20", "limit = 3")
        .replace('gametype = "26,W,8,8,A0,0"', 'gametype = ""'),
        encoding="utf-8",
    )
    book = rulebook(str(house))
    table = played(Table.start(book, "casual", fen="W:WKg1,a3:BKb8,h6"), shuttle(6))
    assert table.outcome
    assert table.outcome.reason == "LIMIT"
    certificate = Certificate(table)
    house.unlink()
    assert check(certificate.json) == []
    data = json.loads(certificate.json)
    data["rulebook"]["rules"]["draw"][0]["limit"] = 2
    assert check(_written(data))
    data["rulebook"]["rules"] = {"id": 5}
    (difference,) = check(_written(data))
    assert difference.where == "rulebook.rules"
    assert "um texto" in difference.sentence("pt-BR")


def _written(data):
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode() + b"\n"


@pytest.mark.parametrize("name", FINISHED)
def test_any_flipped_byte_is_named(name):
    whole = Certificate(FINISHED[name]()).json
    random = Random(name)
    places = random.sample(range(len(whole)), 150)
    for place in places:
        flipped = bytearray(whole)
        flipped[place] ^= 1 << random.randrange(8)
        differences = check(bytes(flipped))
        assert differences, place
        for language in LANGUAGES:
            assert differences[0].where in differences[0].sentence(language)


def _set(data, path, value):
    *outer, last = path.split(".")
    for key in outer:
        data = data[int(key)] if isinstance(data, list) else data[key]
    data[int(last) if isinstance(data, list) else last] = value


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("outcome.result", "1-0"),
        ("outcome.article", "Art. 11"),
        ("outcome.facts.since", 4),
        ("rulebook.hash", "0" * 16),
        ("rulebook.id", "brasileira"),
        ("regulation.conduct.hints", True),
        ("players.white.name", "Eva"),
        ("parts.0.moves.3", "a7-c5"),
        ("parts.0.start", "W:WKg1:BKb8"),
        ("decisive.0.ply", 5),
        ("counters.0.have", 1),
        ("sentence.es", "Ganan las blancas."),
        ("plies", 30),
        ("plies", True),
        ("final", "W:WKg1:BKb8"),
        ("recorded", True),
        ("start", "W:WKg1:BKb8"),
        ("chain", "0" * 64),
        ("seal", "0" * 64),
        ("form", "damas certificate 9"),
    ],
)
def test_any_changed_value_is_reported_with_its_path(where, value):
    data = json.loads(Certificate(claimed()).json)
    _set(data, where, value)
    paths = {difference.where for difference in check(_written(data))}
    assert where in paths
    assert paths <= {where, "seal"}


def test_a_changed_event_is_named_by_its_number():
    data = json.loads(Certificate(claimed()).json)
    data["ledger"][5]["by"] = "white"
    (difference,) = check(_written(data))
    assert difference.where == "ledger.5"
    assert broken_certificate_view([difference], "", "pt-BR").differences[0].where == "ledger.5"
    del data["ledger"]
    (difference,) = check(_written(data))
    assert difference.where == "ledger"


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", '{"form":"damas certificate 1"}', "\udcff", "x" * 9]
)
def test_a_text_that_is_no_certificate_is_reported(text):
    assert check(text)


def test_missing_and_unknown_keys_are_named():
    data = json.loads(Certificate(claimed()).json)
    data["winner"] = data.pop("outcome")
    paths = {difference.where for difference in check(_written(data))}
    assert {"winner", "outcome"} <= paths


def test_a_draw_by_agreement_lists_offer_and_answer():
    table = played(Table.start("oficial", "casual"), ["c3-d4"])
    table = table.apply(events.Offered(table.now + 1, W)).apply(events.Accepted(table.now + 2, B))
    assert [event["kind"] for event in Certificate(table).data["decisive"]] == [
        "offered",
        "accepted",
        "ruled",
    ]


def test_a_resignation_before_any_move_is_certified_too():
    table = Table.start("brasileira", "casual").apply(events.Resigned(5, B))
    assert check(Certificate(table).json) == []
    assert "–" in Certificate(table).text("en")
