"""Chapters of studies as pages send them, as they are stored, and as PDN; for a worker process."""

import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec

from damas.board import Color
from damas.game import Record
from damas.notation import BadGame, Chapter, Mark, Study, comment_text, pdn_comment, read_games
from damas.notation.pdn.commands import take_commands
from damas.notation.study import MAX_TITLE, Mode
from damas.rules import Rulebook
from damas.server.analysing import trees
from damas.server.analysing.measure import MAX_MOVES, TooMuch, first_games
from damas.server.analysing.places import record_of
from damas.server.encoding import encode
from damas.server.settings import Limits
from damas.views.replay import DrawingView, RemarkView

MAX_SHOWN_PROBLEMS = 20
"""Games that could not be read which are named to whoever sent them."""

Title = Annotated[str, msgspec.Meta(max_length=4 * MAX_TITLE)]
"""A title before its spaces are joined."""


_COMMANDS = re.compile(r"\[%[^\]]*\]")
"""Commands in a comment, which are for programs."""


class ChapterBody(trees.Tree, forbid_unknown_fields=True):
    """A chapter as a page sends it: the game with its variations, and how it is shown."""

    title: Title = ""
    orientation: Annotated[str, msgspec.Meta(pattern="^(white|black)$")] = "white"
    mode: Annotated[str, msgspec.Meta(pattern="^(read|guess|practice)$")] = "read"


class MadeChapter(msgspec.Struct, frozen=True):
    """A chapter that has been checked, for the store."""

    title: str
    rulebook: str
    mode: str
    orientation: str
    data: str
    """JSON: the game with its variations, as pages read it."""


class StoredLine(msgspec.Struct, frozen=True):
    """The main line of a stored chapter."""

    data: str

    def record(self) -> Record:
        """The start and the moves."""
        game = _stored(self.data)
        return record_of(game.rulebook, game.fen, [move.text for move in game.moves])

    def remarks(self) -> tuple[RemarkView, ...]:
        """What the author says of each position, the first one first."""
        tree = _stored(self.data)
        _change_comments(tree, pdn_comment)
        game = trees.pdn_game(tree)
        first: list[str] = []
        marks: tuple[Mark, ...] = ()
        for comment in game.comments:
            text, _, more = take_commands(comment, None, game.rulebook.geometry)
            first.append(text)
            marks += more
        return _remark(first, marks), *(_remark(node.comments, node.marks) for node in game.moves)


def _remark(comments: Sequence[str], marks: Sequence[Mark]) -> RemarkView:
    texts = (_COMMANDS.sub("", comment_text(comment)).strip() for comment in comments)
    drawings = (
        DrawingView(mark.square, mark.square if mark.to is None else mark.to, mark.color) for mark in marks
    )
    return RemarkView(tuple(filter(None, texts)), tuple(drawings))


def made(body: ChapterBody, limits: Limits) -> MadeChapter:
    """The chapter that a page has sent. Raises `DamasError`, `TreeTooLarge`, `ValueError`, and `TooMuch` where it is too long."""
    _change_comments(body, pdn_comment)
    game = trees.pdn_game(body)
    return _made(Chapter(game, body.title, Color(body.orientation), _mode(body.mode)), limits, 1)


def made_of_pdn(
    text: bytes, book: Rulebook | None, language: str, limits: Limits
) -> tuple[str, list[MadeChapter], list[dict[str, Any]]]:
    """Title and chapters of a PDN, and the games that could not be read. Raises `TooMuch`, also for too many games."""
    first, more = first_games(text, limits, lambda: None)
    games, bad = [], []
    for game in read_games(first, book):
        if isinstance(game, BadGame):
            bad.append(trees.bad_view(game, language))
        else:
            games.append(game)
        if len(games) > limits.chapters_per_study:
            break
    if len(games) > limits.chapters_per_study:
        raise TooMuch("chapters_per_study", limits.chapters_per_study, len(games))
    if more:
        raise TooMuch("study_moves", MAX_MOVES, len(games))
    if not games:
        return "", [], bad[:MAX_SHOWN_PROBLEMS]
    study = Study.of_games(games)
    chapters = [_made(chapter, limits, number) for number, chapter in enumerate(study.chapters, start=1)]
    return study.title, chapters, bad[:MAX_SHOWN_PROBLEMS]


def _made(chapter: Chapter, limits: Limits, number: int) -> MadeChapter:
    view = trees.game_view(chapter.game)
    view["comments"] = [comment_text(comment) for comment in view["comments"]]
    if _change_branches(view["moves"], comment_text) > trees.MAX_NODES:
        raise TooMuch("chapter_moves", trees.MAX_NODES, number)
    data = encode(view).decode()
    if len(data.encode()) > limits.chapter_bytes:
        raise TooMuch("chapter_bytes", limits.chapter_bytes, number)
    orientation = chapter.orientation.value
    return MadeChapter(chapter.title, chapter.game.rulebook.id, chapter.mode, orientation, data)


def pdn(study: str, chapters: Sequence[MadeChapter]) -> str:
    """Stored chapters as PDN; `study` is the title of their study."""
    return Study(study, tuple(map(_chapter, chapters))).pdn()


def _chapter(stored: MadeChapter) -> Chapter:
    tree = _stored(stored.data)
    _change_comments(tree, pdn_comment)
    return Chapter(trees.pdn_game(tree), stored.title, Color(stored.orientation), _mode(stored.mode))


class _StoredGame(msgspec.Struct):
    """A game as `trees.game_view` makes it."""

    rulebook: str
    fen: str
    standard: bool
    tags: dict[str, str]
    result: str
    comments: list[str]
    moves: list[trees.Branch]


def _stored(data: str) -> trees.Tree:
    game = msgspec.json.decode(data, type=_StoredGame)
    fen = "" if game.standard else game.fen
    return trees.Tree(game.rulebook, fen, game.moves, game.comments, game.tags, game.result)


def _change_comments(tree: trees.Tree, change: Callable[[str], str]) -> None:
    tree.comments = [change(comment) for comment in tree.comments]
    _change_branches(tree.moves, change)


def _change_branches(moves: list[trees.Branch], change: Callable[[str], str]) -> int:
    """Changes every comment of a line and its variations, and counts their moves."""
    count = len(moves)
    for move in moves:
        move.comments = [change(comment) for comment in move.comments]
        move.before = [change(comment) for comment in move.before]
        count += sum(_change_branches(variation, change) for variation in move.variations)
    return count


def _mode(name: str) -> Mode:
    mode: Mode = msgspec.convert(name, Mode)
    return mode
