"""Chapters and their PDN: what the tags say, and what is kept of other programs."""

import pytest

from damas import Color
from damas.errors import DamasError
from damas.notation import Chapter, PdnGame, Study, comment_text, pdn_comment, read_study

TEXT = """[StudyName "Tiros"]
[ChapterName "O primeiro"]
[Orientation "black"]
[ChapterMode "guess"]
[GameType "26"]

{[%csl Gc3]} 1. c3-d4 {[%cal Gc3d4,Rf6e5] [%eval 0.3] Central.} f6-e5?! (1... b6-a5!) 2. d4xf6 *

[GameType "20"]
[White "Ana"]
[Black "Rui"]

1. 32-28 *
"""


def test_chapters_have_what_their_tags_say() -> None:
    study = read_study(TEXT)
    first, second = study.chapters
    assert study.title == "Tiros"
    assert (first.title, first.orientation, first.mode) == ("O primeiro", Color.BLACK, "guess")
    assert (second.title, second.orientation, second.mode) == ("Ana – Rui", Color.WHITE, "read")
    assert (first.game.rulebook.id, second.game.rulebook.id) == ("brasileira", "internacional")
    assert not {"StudyName", "ChapterName", "ChapterMode", "Orientation"} & set(first.game.tags)
    assert read_study(study.pdn()) == study
    assert read_study(study.pdn("numbers")) == study


def test_unknown_commands_stay_in_the_comment() -> None:
    node = read_study(TEXT).chapters[0].game.moves[0]
    assert node.comments == ("[%eval 0.3] Central.",)
    assert [mark.color for mark in node.marks] == ["green", "red"]
    assert "[%eval 0.3]" in read_study(TEXT).pdn()


@pytest.mark.parametrize(
    "text", ["a\nb", "a\n\nb }", "1; 2 % 3 {x}", "😀 ¡ñ!", "}", "{}\n{}", "[%eval 1]\nbest"]
)
def test_comments_keep_lines_and_braces(text: str) -> None:
    assert comment_text(pdn_comment(text)) == text


def test_an_unknown_mode_is_read_as_reading_and_never_made() -> None:
    assert read_study('[ChapterMode "dance"] 1. c3-d4 *', "brasileira").chapters[0].mode == "read"
    with pytest.raises(ValueError, match="dance"):
        Chapter(PdnGame.of("brasileira"), mode="dance")  # type: ignore[arg-type]


def test_there_is_no_study_without_games() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Study("nothing", ())
    with pytest.raises(DamasError):
        read_study("")
    with pytest.raises(DamasError) as refused:
        read_study("1. c3-c4 *", "brasileira")
    assert "line 1" in refused.value.__notes__[0]
