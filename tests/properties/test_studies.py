"""A study exported and read back is equal, whatever is written in it."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from damas import Color
from damas.notation import Chapter, Study, comment_text, pdn_comment, read_games, read_study
from unit.notation.games import annotated_games

TRIPPING = [
    "}",
    "{",
    "[%nl]",
    "[%rb]",
    "[%",
    "]",
    "\n",
    "\r\n",
    "%",
    ";",
    "(",
    "$3",
    "😀",
    "\u2028",
    "{}",
    '"',
    "\\",
]
texts = st.lists(
    st.sampled_from(TRIPPING) | st.text(st.characters(exclude_categories=["Cs"]), max_size=6), max_size=8
).map("".join)
titles = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(' "\\[]{}()%;\n'), max_size=30)
chapters = st.builds(
    Chapter,
    annotated_games(),
    titles,
    st.sampled_from(Color),
    st.sampled_from(["read", "guess", "practice"]),
)
quick = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


@quick
@given(titles, st.lists(chapters, min_size=1, max_size=3))
def test_a_study_exported_and_read_back_is_equal(title: str, parts: list[Chapter]) -> None:
    study = Study(title, tuple(parts))
    assert read_study(study.pdn()) == study


@quick
@given(texts)
def test_a_comment_is_read_back_as_it_was_written(text: str) -> None:
    kept = comment_text(pdn_comment(text))
    assert comment_text(pdn_comment(kept)) == kept
    plain = text.replace("[%nl]", "\n").replace("[%rb]", "}").replace("\r\n", "\n").replace("\r", "\n")
    assert kept.split() == plain.split()
    if "[%" not in text:
        assert [line.split() for line in kept.split("\n")] == [
            line.split() for line in plain.strip().split("\n")
        ]


@quick
@given(chapters, st.lists(st.tuples(st.integers(0, 10_000), texts, st.integers(0, 20)), max_size=4))
def test_a_spoilt_file_raises_nothing_and_what_is_read_is_whole(
    chapter: Chapter, spoils: list[tuple[int, str, int]]
) -> None:
    text = chapter.pdn("spoilt")
    for place, inserted, dropped in spoils:
        at = place % (len(text) + 1)
        text = text[:at] + inserted + text[at + dropped :]
    games = [game for game in read_games(text, chapter.game.rulebook) if not hasattr(game, "error")]
    if games:
        study = Study.of_games(games)
        assert read_study(study.pdn(), chapter.game.rulebook) == study
