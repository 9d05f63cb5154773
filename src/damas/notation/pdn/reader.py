"""Reads the games of a PDN file one by one, in one pass and with the memory of one game.

The grammar is the reading grammar of the PDN 3.0 draft, but tolerant: a mistake spoils only its own game. Reading
continues at the next line that begins with a tag, even inside an unclosed comment.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from damas.errors import DamasError, IllegalMove, NotationError, Problem, TooManyCaptures
from damas.game import Move, Position, Record
from damas.game.game import rests
from damas.notation.pdn.game import BadGame, Node, PdnGame, Variation, clean_comment
from damas.notation.pdn.glyphs import FORCED, nags_of
from damas.notation.pdn.line import OpenLine
from damas.notation.pdn.result import RESULTS, UNKNOWN, Result
from damas.notation.pdn.source import Source, lines_of
from damas.notation.pdn.tags import book_of, named_rulebook, unescaped
from damas.notation.pdn.tokens import LOOSE_TAG, SPACED, TAG_LINE, TOKEN
from damas.notation.schemes import Hint, read_hint
from damas.rules import Rulebook

MAX_NESTED_VARIATIONS = 64
"""Depth of variations within variations; comparing a deeper tree would exhaust the stack."""
MAX_COMMENT_CHARS = 1 << 20
"""A longer comment has lost its closing brace."""
MAX_SHOWN_CHARS = 120
"""Characters of a text that an error repeats."""


def read_games(source: Source, rulebook: Rulebook | str | None = None) -> Iterator[PdnGame | BadGame]:
    """The games of a PDN text, file or list of lines, in order; a game with a mistake is a `BadGame`.

    `rulebook` is used for games that name no rulebook, or only a GameType that it shares.

    >>> [game] = read_games('[GameType "26"] 1. c3-d4 f6-g5 2. b2-c3 *')
    >>> game.rulebook.id, len(game.moves), game.result.text
    ('brasileira', 3, '*')
    """
    reader = _Reader(book_of(rulebook))
    for line in lines_of(source):
        reader.feed(line)
        if reader.done:
            yield from reader.done
            reader.done.clear()
    reader.end()
    yield from reader.done


def _cut(squares: list[str], position: Position) -> Iterator[list[str]]:
    """Every way to split a sequence of squares into legal moves."""
    if not squares:
        yield []
    for end in range(2, len(squares) + 1):
        text = " ".join(squares[:end])
        answer = position.read(text)
        if answer[1] is not None and len(answer[0]) == 1:
            for rest in _cut(squares[end:], position.play(answer[0][0])):
                yield [text, *rest]


def _played(record: Record, move: Move) -> Record:
    """The record after a move; raises `IllegalMove` where a rest rule forbids it."""
    if why := rests(record, move):
        raise IllegalMove(why)
    return record.play(move)


@dataclass(eq=False)
class _Mistake(Exception):
    """A mistake in a game, and its line."""

    line: int
    error: DamasError
    hint: Hint | None = None
    in_header: bool = False
    is_move: bool = False


class _Reader:
    """Takes lines by `feed` and collects the games they hold in `done`."""

    def __init__(self, given: Rulebook | None) -> None:
        self.given = given
        self.done: list[PdnGame | BadGame] = []
        self.line_number = 0
        self.game = 1
        self.starts: dict[Rulebook, Position] = {}
        self._begin()

    def _begin(self) -> None:
        self.tags: dict[str, str] = {}
        self.tag_lines: dict[str, int] = {}
        self.first_line = self.line_number
        self.moved_at = 0
        """Number of the line of the last move."""
        self.blank = False
        """Whether there was a blank line after the last tag."""
        self.leading: list[str] = []
        self.line: OpenLine | None = None
        self.outer: list[OpenLine] = []
        self.result: Result | None = None
        self.comment: list[str] = []
        """Lines of an unclosed comment."""
        self.comment_line = 0
        """Number of the line where it opens; 0 if no comment is open."""
        self.comment_size = 0
        self.skipping = False
        self.skipped_moves = False

    # Lines

    def feed(self, line: str) -> None:
        """Read the next line."""
        self.line_number += 1
        if self.skipping and not self._resumes(line):
            return
        offset = 0
        try:
            if self.comment_line:
                offset = self._continue_comment(line)
                if offset < 0:
                    return
            if line.isspace() or not line:
                self.blank = True
            else:
                self._read(line, offset)
        except _Mistake as mistake:
            self._report(mistake)
            self.skipping = True
            self.skipped_moves = not mistake.in_header
            self.blank = False

    def end(self) -> None:
        """Finish the last game."""
        if self.skipping:
            return
        if self.comment_line:
            self._report(self._unclosed_comment())
        else:
            self._close()

    def _resumes(self, line: str) -> bool:
        """Whether a new game begins at this line after a bad one; the rest of a bad header begins none."""
        if not TAG_LINE.match(line):
            if line.isspace() or not line:
                self.blank = True
            else:
                self.skipped_moves = True
            return False
        if self.skipped_moves or self.blank:
            self._begin()
            return True
        return False

    def _continue_comment(self, line: str) -> int:
        """The index in the line after the end of the comment, or -1 if the line does not close it."""
        if TAG_LINE.match(line):
            self._report(self._unclosed_comment())
            self._begin()
            return 0
        end = line.find("}")
        self.comment.append(line if end < 0 else line[:end])
        self.comment_size += len(self.comment[-1])
        if self.comment_size > MAX_COMMENT_CHARS:
            raise self._unclosed_comment()
        if end >= 0:
            self.comment_line = 0
            self._comment(" ".join(self.comment))
        return end + 1 if end >= 0 else -1

    def _read(self, line: str, offset: int) -> None:
        word_end = -1
        for token in TOKEN.finditer(line, offset):
            kind = token.lastgroup
            if kind == "word":
                self._word(token["word"])
                word_end = token.end()
            elif kind == "value":
                self._tag(token["tag"], token["value"])
            elif kind == "comment":
                self._comment(token[kind][1:-1])
            elif kind == "unclosed":
                self.comment, self.comment_line = [token[kind][1:]], self.line_number
                self.comment_size = len(token[kind])
            elif kind == "line":
                self._comment(token[kind][1:])
            elif kind == "star":
                if token.start() == word_end and self.result is None:
                    self._annotate([FORCED], token)
                else:
                    self._word("*")
            elif kind == "signs":
                self._annotate(nags_of(token[kind]), token)
            elif kind == "nag":
                self._annotate([int(token[kind])], token)
            elif kind == "enter":
                self._enter(token)
            elif kind == "leave":
                self._leave(token)
            elif kind == "setup":
                raise self._problem("PDN_SETUP", token)
            elif kind == "odd":
                loose = LOOSE_TAG.fullmatch(line, token.start())
                if loose is None:
                    raise self._problem("PDN_TAG" if token[0] == "[" else "PDN_MISPLACED", token)
                self._tag(loose["tag"], loose["value"])
                return

    # Tokens

    def _tag(self, name: str, value: str) -> None:
        if self.line is not None or self.result is not None or (self.blank and name in self.tags):
            self._close()
        if not self.tags:
            self.first_line = self.line_number
        self.blank = False
        self.tags[name] = unescaped(value)
        self.tag_lines[name] = self.line_number

    def _word(self, word: str) -> None:
        ends = word in RESULTS
        if self.result is not None:
            if ends:  # "2-0 *": the second result adds nothing
                return
            self._close()
        line = self.line or self._open()
        if ends:
            if self.outer:
                line.add_comment(word)  # the result that a variation would have
            else:
                self.result = RESULTS[word]
            return
        for text in self._split_moves(word, line.now):
            self._move(text, line)

    def _move(self, text: str, line: OpenLine) -> None:
        position = line.now
        try:
            move = position.parse(text)
            if line.record:
                line.record = _played(line.record, move)
        except DamasError as error:
            hint = read_hint(position, text) if isinstance(error, IllegalMove) else None
            raise _Mistake(self.line_number, error, hint, is_move=True) from None
        if line.has_notes:
            line.settle()
        line.nodes.append(Node(move))
        line.before = position
        line.now = position.play(move)
        self.moved_at = self.line_number

    def _split_moves(self, word: str, position: Position) -> list[str]:
        """The moves in a word: one, or several in rows and columns, where spaces separate squares and moves alike."""
        if "," not in word or not SPACED.fullmatch(word) or len(word.split()) == 2:
            return [word]
        ways = islice(_cut(word.split(), position), 2)
        try:
            first, second = next(ways, None), next(ways, None)
        except DamasError as error:
            raise _Mistake(self.line_number, error, is_move=True) from None
        if first is None or second is not None:
            shown = word[:MAX_SHOWN_CHARS]
            unclear = NotationError(shown, (Problem("PDN_SPACED", shown, 0),))
            raise _Mistake(self.line_number, unclear, is_move=True)
        return first

    def _comment(self, text: str) -> None:
        text = clean_comment(text)
        if text:
            if self.line is None:
                self.leading.append(text)
            else:
                self.line.add_comment(text)

    def _annotate(self, nags: list[int], token: re.Match[str]) -> None:
        if self.line is None or not self.line.nodes or self.result is not None:
            raise self._problem("PDN_MISPLACED", token)
        self.line.nags += nags
        self.line.has_notes = True

    def _enter(self, token: re.Match[str]) -> None:
        if self.line is None or not self.line.nodes or self.result is not None:
            raise self._problem("PDN_MISPLACED", token)
        if len(self.outer) == MAX_NESTED_VARIATIONS:
            raise self._problem("PDN_NESTED", token)
        self.outer.append(self.line)
        record = self.line.record
        self.line = OpenLine(self.line.before, self.line_number)
        self.line.record = record.until(record.length - 1) if record else None

    def _leave(self, token: re.Match[str]) -> None:
        if self.line is None or not self.outer:
            raise self._problem("PDN_MISPLACED", token)
        self.line.settle()
        variation = Variation(tuple(self.line.nodes), tuple(self.line.leading))
        self.line = self.outer.pop()
        self.line.variations.append(variation)
        self.line.has_notes = True

    # Games

    def _open(self) -> OpenLine:
        """Begin the moves of a game: find its rulebook and its first position."""
        named = next((name for name in ("Rulebook", "GameType") if self.tags.get(name)), "")
        try:
            book = named_rulebook(self.tags, self.given)
        except DamasError as error:
            raise _Mistake(self.tag_lines.get(named, self.first_line or self.line_number), error) from None
        fen = self.tags.get("FEN", "")
        if fen and self.tags.get("SetUp", self.tags.get("Setup", "1")) != "0":
            try:
                start = Position.from_fen(fen, book)
            except DamasError as error:
                raise _Mistake(self.tag_lines["FEN"], error) from None
        else:
            if book not in self.starts:
                self.starts[book] = Position.start(book)
            start = self.starts[book]
        self.line = OpenLine(start, self.line_number)
        self.line.record = Record(start) if book.rests else None
        self.line.leading = self.leading
        return self.line

    def _close(self) -> None:
        """Finish the current game, good or bad, and begin the next."""
        try:
            if self.line is not None or self.tags:
                self.done.append(self._finished())
                self.game += 1
        except _Mistake as mistake:
            self._report(mistake)
        self._begin()

    def _finished(self) -> PdnGame:
        line = self.line or self._open()
        if self.outer:
            raise _Mistake(line.opened, NotationError("(", (Problem("PDN_VARIATION", "(", 0),)))
        line.settle()
        try:
            line.now.count_moves()
        except TooManyCaptures as error:  # a position set up by hand with more captures than the core lists
            raise _Mistake(self.moved_at or self.tag_lines.get("FEN", self.line_number), error) from None
        # By PDN 3.0 the tag gives the result and the end of the moves repeats it.
        tag = self.tags.get("Result", "").strip()
        result = RESULTS.get(tag) or (Result(tag) if tag not in ("", "?") else UNKNOWN)
        after_moves = self.result or UNKNOWN
        if result == UNKNOWN:
            result = after_moves
        other = after_moves if "*" not in (after_moves.meaning, result.meaning) else result
        terminator = after_moves if other.meaning != result.meaning else None
        return PdnGame(self.tags, line.start, tuple(line.nodes), result, tuple(line.leading), terminator)

    def _report(self, mistake: _Mistake) -> None:
        bad = BadGame(mistake.line, self.game, mistake.error, self.tags, mistake.hint, rulebook=self._book())
        if mistake.is_move and self.line is not None and not self.outer:
            line = self.line
            line.settle()
            bad = replace(
                bad,
                start=line.start,
                moves=tuple(node.move for node in line.nodes),
                comments=(tuple(line.leading), *(node.comments for node in line.nodes)),
            )
        self.done.append(bad)
        self.game += 1

    def _book(self) -> Rulebook | None:
        """The rulebook of the current game, or None where its tags name none."""
        if self.line is not None:
            return self.line.start.rulebook
        try:
            return named_rulebook(self.tags, self.given)
        except DamasError:
            return None

    def _unclosed_comment(self) -> _Mistake:
        shown = " ".join(self.comment)[:40].strip()
        error = NotationError("{" + shown, (Problem("PDN_COMMENT", shown, 0),))
        mistake = _Mistake(self.comment_line, error)
        self._let_go()
        return mistake

    def _problem(self, code: str, token: re.Match[str]) -> _Mistake:
        error = NotationError(token.string[:120].strip(), (Problem(code, token[0][:40], token.start()),))
        self._let_go()
        in_header = self.line is None and token.string.lstrip().startswith("[")
        return _Mistake(self.line_number, error, in_header=in_header)

    def _let_go(self) -> None:
        """What comes behind a result cannot spoil the game any more."""
        if self.result is not None:
            self._close()
