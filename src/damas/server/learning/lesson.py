"""Lessons: steps to play through, each of them a statement about a rulebook.

A file of `lessons/` is a topic. Each of its steps names the articles that it teaches, and so the documents for which it
holds: the course of a document (see `course.py`) has the topics with a step about it, in its words and its numbering.
What a step states is true of its rulebook and stops being true once the answers in `flip` are given instead: a test plays
both. Steps of conduct state what no board can show; they ask a question.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

FOLDER = Path(__file__).parent / "lessons"
"""Folder of the topics."""
CHAPTERS = ("first", "finer", "end", "table", "well", "about")
"""Chapters in the order to take them."""

Texts = dict[str, str]
"""A text in each language."""
Task = Literal["look", "play", "only", "refused", "count", "line", "watch", "lift", "choose"]
"""What the learner does in a step: see `Step`."""
Flipped = bool | int | str | list[str | int]
"""Another answer to a question of a rulebook."""


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to see and to do. Which of the facts it has depends on its task:

    look     see the position: `legal` is all that may be played there, `pieces` what stands there
    play     play any of `answer`; `judged` ones are also good, and every other move is bad; with `keeps`, the endgame
             tables say that exactly these moves keep a win or a draw
    only     play `answer`, the only legal move
    refused  try `tried`, which is refused by `code`
    count    say how many: `ask` moves there are, or pieces the capture takes; `answer` is one of `options`
    line     play a shot: every second move of `line` is the opponent's only one
    watch    see `moves` played and how they end: `expect` after a ply, by `law`
    lift     play `answer`, the only legal move, then lift the captured pieces in the order of the jumps
    choose   answer a question: the first of `choices` is right; where there is a position, it has `legal`, `pieces` or
             the result `expect` at ply 0

    Squares and moves are written as the rulebook of the first article writes them. Texts name them in braces ({c3},
    {c3-d4}), as well as the words of the course: see `course.adapt_text`.
    """

    task: Task
    articles: list[str]
    """What it teaches, of one document or several; the first of each document is quoted beside the board."""
    text: Texts
    after: Texts = {}
    """Shown when it is done."""
    rulebook: str = ""
    """The board, where it is not that of the course."""
    position: str = ""
    """A FEN; empty for the start of a game."""
    legal: list[str] = []
    pieces: list[int] = []
    answer: list[str] = []
    judged: bool = False
    keeps: Literal["", "win", "draw"] = ""
    refuted: dict[str, list[str]] = {}
    """What punishes each of the other moves."""
    tried: str = ""
    code: str = ""
    ask: Literal["", "moves", "takes"] = ""
    options: list[int] = []
    choices: dict[str, list[str]] = {}
    line: list[str] = []
    moves: list[str] = []
    expect: dict[str, str] = {}
    law: str = ""
    recorded: bool = True
    marks: list[str] = []
    """Squares to look at."""
    numbered: bool = False
    """Every square shows its name."""
    games: list[str] = []
    """Rulebooks that it speaks of, to be read and compared."""
    flip: dict[str, Flipped] = {}
    """Other answers to the questions of the rulebook, `draw.ID` standing for the limit of a draw rule (0: none)."""


class Heading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Title and summary of a topic in a course whose document needs other words; what is empty stays as it is."""

    title: Texts = {}
    summary: Texts = {}


class Topic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of `lessons/`: its steps for all documents, and where its lessons stand in a course."""

    chapter: Literal["first", "finer", "end", "table", "well", "about"]
    order: int
    title: Texts
    summary: Texts
    step: list[Step]
    own: dict[str, Heading] = {}
    """Other titles and summaries by course."""
    id: str = ""
    """The name of its file."""


@cache
def topics() -> dict[str, Topic]:
    """Every topic by its id, in the order to take them."""
    unordered = []
    for path in FOLDER.glob("*.toml"):
        data = tomllib.loads(path.read_text("utf-8"))
        unordered.append(msgspec.convert({**data, "id": path.stem}, Topic))
    in_order = sorted(unordered, key=lambda topic: (CHAPTERS.index(topic.chapter), topic.order))
    return {topic.id: topic for topic in in_order}
