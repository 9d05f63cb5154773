"""Games and certificates recorded by an earlier version, whose articles and sentences were worded otherwise."""

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from damas.arbiter import Ruled, ledger, replay
from damas.arbiter.ledger import canonical
from damas.errors import BadRecord, Citation
from damas.judging.certificate import Certificate, check, table_in
from damas.judging.register import register_lines

RECORDS = Path(__file__).parent / "records"
ARTICLES = {
    "portuguesa-school-blowing": ["n.º 11 a)"],
    "portuguesa-club-blowing": ["n.º 11 a)"],
    "concurso-school-blowing": ["4. Escenarios de victoria"],
    "concurso-club-blowing": ["4. Escenarios de victoria"],
    "brasileira-school-crowning": ["casa de coroação"],
    "brasileira-casual-offer": [],
}
"""The recorded articles of each game's irregularities."""
CERTIFICATES = ("brasileira-casual-offer", "portuguesa-school-register")


@pytest.mark.parametrize("name", ARTICLES)
def test_an_older_record_loads_as_it_was_written(name):
    data = (RECORDS / f"{name}.jsonl").read_bytes()
    table = ledger.load(data)
    assert [refused.article for refused in table.irregularities] == ARTICLES[name]
    assert table.outcome
    assert ledger.dump(table) == data
    shown = "\n".join(register_lines(table, "en"))
    assert all(article in shown for article in ARTICLES[name])
    assert check(Certificate(table).json) == []


def test_another_refusal_or_ruling_is_still_no_right_record():
    table = ledger.load((RECORDS / "portuguesa-school-blowing.jsonl").read_bytes())
    [refused], [*_, ruled] = table.irregularities, table.events
    assert isinstance(ruled, Ruled)
    other = replace(ruled.outcome, citation=Citation("school", "resignation", "regulation.agreement"))
    changes = [(refused, replace(refused, code="TOUCHED")), (ruled, replace(ruled, outcome=other))]
    for event, change in changes:
        with pytest.raises(BadRecord) as caught:
            replay([change if each is event else each for each in table.events])
        assert caught.value.reason == "OTHER_EVENT"


@pytest.mark.parametrize("name", CERTIFICATES)
def test_an_older_certificate_holds(name):
    data = (RECORDS / f"{name}.certificate").read_bytes()
    assert Certificate(table_in(data)).json != data, "it is worded as today and shows nothing"
    assert check(data) == []


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("outcome.result", "1-0"),
        ("irregularities.entries.1.by", "white"),
        ("irregularities.entries.1.article", 11),
        ("irregularities.totals.black.n.º 10", 2),
        ("sentence.en", None),
    ],
)
def test_a_new_seal_hides_only_other_words(where, value):
    data = json.loads((RECORDS / "portuguesa-school-register.certificate").read_bytes())
    *outer, last = where.split(".", 3) if "totals" in where else where.split(".")
    inner = data
    for key in outer:
        inner = inner[int(key)] if isinstance(inner, list) else inner[key]
    inner[last] = value
    del data["seal"]
    data["seal"] = sha256(canonical(data)).hexdigest()
    assert where in {difference.where for difference in check(canonical(data) + b"\n")}
