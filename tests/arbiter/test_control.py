import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas.arbiter import TimeControl
from damas.errors import NotationError

MIN = 60_000


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("none", TimeControl("none")),
        ("20", TimeControl("sudden", 20 * MIN)),
        ("90s", TimeControl("sudden", 90_000)),
        ("5+3", TimeControl("fischer", 5 * MIN, 3000)),
        ("90s+2", TimeControl("fischer", 90_000, 2000)),
        ("5b3", TimeControl("bronstein", 5 * MIN, 3000)),
        ("10+5x30s", TimeControl("byoyomi", 10 * MIN, 30_000, 5)),
        ("0+1x10s", TimeControl("byoyomi", 0, 10_000, 1)),
        ("1s/move", TimeControl("move", extra=1000)),
        ("250ms/move", TimeControl("move", extra=250)),
        ("3d", TimeControl("days", extra=3 * 86_400_000)),
    ],
)
def test_a_text_names_one_control(text, control):
    assert TimeControl.parse(text) == control
    assert str(control) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [(" 5+3 ", "5+3"), ("300s", "5"), ("2h", "120"), ("5+0", "5"), ("60/move", "60s/move")],
)
def test_other_ways_to_write_it_are_read(text, canonical):
    assert str(TimeControl.parse(text)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "0+3",
        "5+",
        "+3",
        "5x3",
        "0d",
        "0s/move",
        "10+0x30s",
        "10+5x0s",
        "-5",
        "5.5",
        "3d+1",
        "abc",
        "9" * 9 + "h",
    ],
)
def test_an_invalid_time_control_is_refused_in_four_languages(text):
    with pytest.raises(NotationError) as caught:
        TimeControl.parse(text)
    for language in ("pt-BR", "pt-PT", "es", "en"):
        assert "10+5x30s" in caught.value.sentence(language)


spans = st.integers(1, 10**8)
controls = st.one_of(
    st.just(TimeControl("none")),
    st.builds(TimeControl, st.just("sudden"), spans),
    st.builds(TimeControl, st.sampled_from(["fischer", "bronstein"]), spans, spans),
    st.builds(TimeControl, st.just("byoyomi"), st.integers(0, 10**8), spans, st.integers(1, 20)),
    st.builds(TimeControl, st.just("move"), st.just(0), spans),
    st.builds(lambda days: TimeControl("days", extra=days * 86_400_000), st.integers(1, 365)),
)


@given(controls)
def test_what_is_written_is_read_back(control):
    assert TimeControl.parse(str(control)) == control
