"""Lessons: steps to play through, each of them a statement about a rulebook.

A lesson is a file of `lessons/`. What a step states is true of its rulebook and stops being true once the answers in
`flip` are given instead: a test plays both. Steps of conduct state what no board can show; they name their article.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

FOLDER = Path(__file__).parent / "lessons"
"""Folder of the lessons."""
CHAPTERS = ("first", "finer", "games", "conduct", "figures")
"""Chapters in the order to take them."""

Texts = dict[str, str]
"""A text in each language."""
Task = Literal["look", "play", "only", "refused", "count", "line", "watch", "read"]
"""What the learner does in a step: see `Step`."""
Flipped = bool | int | str | list[str | int]
"""Another answer to a question of a rulebook."""


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to see and to do. Which of the facts it has depends on its task:

    look     see the position: `legal` is all that may be played there, `pieces` what stands there
    play     play any of `answer`; `judged` ones are also good, and every other move is bad
    only     play `answer`, the only legal move
    refused  try `tried`, which is refused by `code`
    count    say how many: `ask` moves there are, or pieces the capture takes; `answer` is one of `options`
    line     play a shot: every second move of `line` is the opponent's only one
    watch    see `moves` played and how they end: `expect` after a ply, by `law`
    read     read
    """

    task: Task
    text: Texts = {}
    """Where there is none, the article itself is shown."""
    after: Texts = {}
    """Said when it is done."""
    article: str = ""
    rulebook: str = ""
    """Where it is not the lesson's."""
    position: str = ""
    """A FEN; empty for the start of a game."""
    legal: list[str] = []
    pieces: list[int] = []
    answer: list[str] = []
    judged: bool = False
    refuted: dict[str, list[str]] = {}
    """What punishes each of the other moves."""
    tried: str = ""
    code: str = ""
    ask: Literal["", "moves", "takes"] = ""
    options: list[int] = []
    line: list[str] = []
    moves: list[str] = []
    expect: dict[str, str] = {}
    law: str = ""
    recorded: bool = True
    marks: list[str] = []
    """Squares to look at."""
    numbered: bool = False
    """Every square shows its name."""
    flip: dict[str, Flipped] = {}
    """Other answers to the questions of the rulebook, `draw.ID` standing for the limit of a draw rule (0: none)."""


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One lesson: its steps, and where it stands in the list."""

    rulebook: str
    chapter: Literal["first", "finer", "games", "conduct", "figures"]
    order: int
    title: Texts
    summary: Texts
    step: list[Step]
    id: str = ""
    """The name of its file."""

    def rulebook_of(self, step: Step) -> str:
        """Id of the rulebook of a step."""
        return step.rulebook or self.rulebook


@cache
def lessons() -> dict[str, Lesson]:
    """Every lesson by its id, in the order to take them."""
    found = []
    for path in FOLDER.glob("*.toml"):
        data = tomllib.loads(path.read_text("utf-8"))
        found.append(msgspec.convert({**data, "id": path.stem}, Lesson))
    found.sort(key=lambda lesson: (CHAPTERS.index(lesson.chapter), lesson.order))
    return {lesson.id: lesson for lesson in found}
