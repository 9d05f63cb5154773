import json
from dataclasses import fields

import pytest

from damas.arbiter import (
    KINDS,
    Aborted,
    Claimed,
    Corrected,
    Ended,
    Lot,
    Moved,
    Noted,
    Player,
    PlayerEvent,
    Refused,
    Restored,
    Ruled,
    Started,
    Suspended,
    Table,
    TableEvent,
    TimeAdded,
    TimeGiven,
    TimeSet,
    from_json,
    regulation,
    to_json,
)
from damas.board import Color
from damas.errors import BadEvent, BadRegulation, Citation
from damas.game import Outcome
from damas.language import LANGUAGES

from .tables import B, W

OUTCOME = Outcome(
    W, "LIMIT", Citation("faraes", "Art. 12", "002-12"), "thirteen", True, {"loser": B, "count": 13}, False
)
STARTED = Started(
    0, "faraes", "abc", regulation("club"), "W:Wc3:Bd4", Player("Ana"), Player("b", bot=True), Lot(7, B), True
)


def sample(kind: type) -> object:
    """One event of each kind, with something in every field."""
    special = {
        Started: STARTED,
        Ruled: Ruled(9, OUTCOME),
        Refused: Refused(9, Moved(9, W, "c3-c4"), "NOT_DIAGONAL", "§2"),
        Suspended: Suspended(9, Claimed(8, B, "threefold"), "Traceback …\n"),
        TimeAdded: TimeAdded(9, "barulho", B, 60_000),
        TimeGiven: TimeGiven(9, W, 15_000),
        TimeSet: TimeSet(9, "relógio trocado", B, 60_000),
        Restored: Restored(9, "engano", 12),
        Corrected: Corrected(9, "engano", "W:Wc3:Bd4"),
        Noted: Noted(9, "apontou", B, "pointing"),
        Ended: Ended(9, "fim", "1-0"),
    }
    if kind in special:
        return special[kind]
    texts = {field.name: "c3" for field in fields(kind) if field.name not in ("at", "by")}
    return kind(at=9, **({"by": W} if issubclass(kind, PlayerEvent) else {}), **texts)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_kind_of_event_goes_to_json_and_back(kind):
    event = sample(kind)
    data = json.loads(json.dumps(to_json(event)))
    assert from_json(data) == event
    assert (data["kind"], data["at"]) == (kind.kind, event.at)
    assert data["by"] == (event.by.value if event.by else None)


def test_every_kind_is_known():
    def below(cls: type) -> set[type]:
        return {cls}.union(*(below(child) for child in cls.__subclasses__()))

    kinds = {cls for cls in below(PlayerEvent) | below(TableEvent) if "kind" in vars(cls)}
    assert kinds == set(KINDS.values())


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_missing_strange_or_wrong_key_is_named(kind):
    data = to_json(sample(kind))
    for key in data:
        if key != "kind":
            short = {k: v for k, v in data.items() if k != key}
            with pytest.raises(BadEvent) as caught:
                from_json(short)
            assert caught.value.mistake.key == key
    with pytest.raises(BadEvent, match="colour"):
        from_json({**data, "colour": 1})
    for key in data.keys() - {"kind"}:
        with pytest.raises((BadEvent, BadRegulation)) as caught:
            from_json({**data, key: 3.5})
        if isinstance(caught.value, BadEvent) and caught.value.kind == kind.kind:
            assert caught.value.mistake.key == key


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"kind": "cheated", "at": 0, "by": None},
        {"kind": 7},
        {"kind": "moved", "at": -1, "by": "white", "move": "c3-d4"},
        {"kind": "moved", "at": True, "by": "white", "move": "c3-d4"},
        {"kind": "moved", "at": 1, "by": "green", "move": "c3-d4"},
        {"kind": "moved", "at": 1, "by": None, "move": "c3-d4"},
        {"kind": "ended", "at": 1, "by": "white", "reason": "x", "result": "1-0"},
    ],
)
def test_an_invalid_event_is_refused_in_four_languages(data):
    with pytest.raises(BadEvent) as caught:
        from_json(data)
    sentences = {caught.value.sentence(language) for language in LANGUAGES}
    assert len(sentences) == 4


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("facts", "count"), 1.5),
        (("facts", "count"), None),
        (("facts", "loser"), "green"),
        (("facts",), []),
        (("citation", "article"), 12),
        (("citation",), {"rulebook": "faraes"}),
        (("winner",), "green"),
        (("void",), 0),
        (("reason",), None),
    ],
)
def test_an_outcome_is_read_as_strictly_as_all_the_rest(path, value):
    data = to_json(Ruled(9, OUTCOME))
    inner = data["outcome"]
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(BadEvent) as caught:
        from_json(data)
    assert (caught.value.kind, caught.value.mistake.key) == ("ruled", "outcome")
    assert path[0] in caught.value.mistake.allowed("en")


def test_an_unknown_kind_lists_the_known_ones():
    with pytest.raises(BadEvent, match="started, moved, touched"):
        from_json({"kind": "cheated"})


def test_only_the_table_writes_rulings():
    table = Table.start("faraes", "casual")
    for event in (Ruled(1, OUTCOME), STARTED, Refused(1, Aborted(1, W), "X", "")):
        with pytest.raises(Exception, match="written by the table"):
            table.apply(event)
    with pytest.raises(TypeError):
        table.apply("c3-d4")  # type: ignore[arg-type]


def test_colours_are_values_of_the_board():
    assert from_json({"kind": "resigned", "at": 0, "by": "black"}).by is Color.BLACK
