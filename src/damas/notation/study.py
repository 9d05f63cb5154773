"""Studies: annotated games as chapters of one work, and their PDN."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, Self, get_args

from damas.board import Color
from damas.errors import NotationError, Problem
from damas.notation.pdn.game import BadGame, PdnGame, clean_comment
from damas.notation.pdn.reader import read_games
from damas.notation.pdn.source import Source
from damas.rules import Rulebook

Mode = Literal["read", "guess", "practice"]
"""How a chapter is read: its moves are shown, the reader guesses them, or plays on against the engine."""

MAX_TITLE = 100
"""Characters of the title of a study or a chapter; a longer one is cut."""

_STUDY, _CHAPTER, _MODE, _ORIENTATION = "StudyName", "ChapterName", "ChapterMode", "Orientation"
_OWN = (_STUDY, _CHAPTER, _MODE, _ORIENTATION)
"""Tags whose values are fields of a chapter or its study."""
_NO_TITLE = "?"
"""The tag of a study without a title: its chapters are not named after players."""
_LINE_END, _BRACE = "[%nl]", "[%rb]"
_LINE_ENDS = re.compile(r" *\[%nl\] *")


def pdn_comment(text: str) -> str:
    r"""A text as a comment of PDN: its line breaks and closing braces become commands, which other programs skip.

    >>> pdn_comment("Why not {f4}?\nBecause of g5.")
    'Why not {f4[%rb]? [%nl] Because of g5.'
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip().split("\n")
    return clean_comment(f" {_LINE_END} ".join(lines).replace("}", _BRACE))


def comment_text(comment: str) -> str:
    r"""The text of a comment of PDN, the inverse of `pdn_comment`; other commands stay in it.

    >>> comment_text(pdn_comment("Why not {f4}?\n\nBecause of g5."))
    'Why not {f4}?\n\nBecause of g5.'
    """
    return _LINE_ENDS.sub("\n", comment).replace(_BRACE, "}").strip()


def clean_title(title: str) -> str:
    """A title on one line, cut to `MAX_TITLE` characters."""
    return " ".join(title.split())[:MAX_TITLE].strip()


@dataclass(frozen=True)
class Chapter:
    """A chapter of a study: an annotated game, and how it is shown."""

    game: PdnGame
    title: str = ""
    orientation: Color = Color.WHITE
    """The side at the lower edge, whose moves are guessed."""
    mode: Mode = "read"

    def __post_init__(self) -> None:
        if self.mode not in get_args(Mode):
            raise ValueError(f"a chapter is read by {', '.join(get_args(Mode))}, not by {self.mode!r}")
        tags = {name: value for name, value in self.game.tags.items() if name not in _OWN}
        object.__setattr__(self, "title", clean_title(self.title))
        object.__setattr__(self, "game", replace(self.game, tags=tags))

    @classmethod
    def of_game(cls, game: PdnGame) -> Self:
        """A game of PDN as a chapter; one that no study names has the names of its players as title."""
        tags = game.tags
        names = [tags[name] for name in ("White", "Black") if name in tags]
        title = tags.get(_CHAPTER, "" if _STUDY in tags else " – ".join(names) or tags.get("Event", ""))
        black = tags.get(_ORIENTATION, "").lower() == "black"
        mode: Mode = tags[_MODE] if tags.get(_MODE) in get_args(Mode) else "read"  # type: ignore[assignment]
        return cls(game, title, Color.BLACK if black else Color.WHITE, mode)

    def pdn(self, study: str = "", numbering: str | None = None) -> str:
        """The chapter as PDN; `study` is the title of its study."""
        own = {
            _STUDY: study,
            _CHAPTER: self.title,
            _MODE: "" if self.mode == "read" else self.mode,
            _ORIENTATION: "black" if self.orientation is Color.BLACK else "",
        }
        tags = {**self.game.tags, **{name: value for name, value in own.items() if value}}
        return replace(self.game, tags=tags).pdn(numbering)


@dataclass(frozen=True)
class Study:
    """Chapters in their order; written as PDN and read back it is equal.

    >>> study = Study("Openings", (Chapter(PdnGame.of("brasileira", ["c3-d4"]), "The first move"),))
    >>> read_study(study.pdn()) == study
    True
    """

    title: str
    chapters: tuple[Chapter, ...]

    def __post_init__(self) -> None:
        if not self.chapters:
            raise ValueError("a study has at least one chapter")
        title = clean_title(self.title)
        object.__setattr__(self, "title", "" if title == _NO_TITLE else title)

    @classmethod
    def of_games(cls, games: Iterable[PdnGame]) -> Self:
        """The games of a PDN as a study, each as a chapter; raises `ValueError` where there are none."""
        chosen = tuple(games)
        title = next((game.tags[_STUDY] for game in chosen if _STUDY in game.tags), "")
        return cls(title, tuple(map(Chapter.of_game, chosen)))

    def pdn(self, numbering: str | None = None) -> str:
        """The study as PDN, one game a chapter; see `write_game`."""
        title = self.title or _NO_TITLE
        return "\n".join(chapter.pdn(title, numbering) for chapter in self.chapters)


def read_study(source: Source, rulebook: Rulebook | str | None = None) -> Study:
    """The study in a PDN file; raises the first mistake, with its line and column as a note, or that there is no game."""
    games: list[PdnGame] = []
    for game in read_games(source, rulebook):
        if isinstance(game, BadGame):
            game.error.add_note(f"line {game.line}, column {game.column}")
            raise game.error
        games.append(game)
    if not games:
        raise NotationError("PDN", (Problem("PDN_EMPTY", "", 0),))
    return Study.of_games(games)
