"""The parser of PDN: takes lines, checks the moves and calls a visitor.

The grammar is the reading grammar of the PDN 3.0 draft, but tolerant: a mistake spoils only its own game. Reading
continues at the next line that begins with a tag, even inside an unclosed comment.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

from damas.errors import DamasError, IllegalMove, NotationError, Problem, TooManyCaptures
from damas.game import Move, Position, Record
from damas.game.game import refused_move
from damas.notation.pdn.game import MAX_NESTED_VARIATIONS, BadGame, clean_comment
from damas.notation.pdn.glyphs import FORCED, nags_of
from damas.notation.pdn.result import RESULTS, UNKNOWN, Result
from damas.notation.pdn.source import MAX_LINE_CHARS, Source, lines_of
from damas.notation.pdn.tags import named_rulebook, unescaped
from damas.notation.pdn.tokens import LOOSE_TAG, SPACED, STRUCTURE, TAG_LINE, TOKEN
from damas.notation.pdn.visitor import SKIP, Visitor
from damas.notation.schemes import Hint, read_hint
from damas.rules import Rulebook

T = TypeVar("T")

MAX_COMMENT_CHARS = 1 << 20
"""A longer comment has lost its closing brace."""
MAX_GAME_CHARS = 1 << 24
"""A game with more text is refused, so that no file can fill the memory."""
MAX_SHOWN_CHARS = 120
"""Characters of a text that an error repeats."""


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


@dataclass(eq=False)
class _Mistake(Exception):
    """A mistake in a game, and its place: line and column count from 1."""

    place: tuple[int, int]
    error: DamasError
    hint: Hint | None = None
    in_header: bool = False
    is_move: bool = False


class _Line:
    """The main line of a game or a variation while it is read: what was played so far, and where it opened."""

    __slots__ = ("moved", "opened", "record")

    def __init__(self, record: Record, opened: tuple[int, int]) -> None:
        self.record = record
        self.opened = opened
        self.moved = False
        """Whether it has a move of its own."""


class Parser(Generic[T]):
    """Takes lines by `feed`, calls a visitor for what they hold, and collects what it makes of each game in `done`."""

    def __init__(self, visitor: Visitor[T], given: Rulebook | None) -> None:
        self.visitor = visitor
        self.given = given
        self.done: list[T | BadGame] = []
        self.line_number = 0
        self.game = 1
        self.starts: dict[Rulebook, Record] = {}
        self._begin()

    def _begin(self) -> None:
        self.tags: dict[str, str] = {}
        self.tag_places: dict[str, tuple[int, int]] = {}
        self.place = (self.line_number, 1)
        """Where the game begins."""
        self.moved_at = (0, 0)
        """Where the last move stands."""
        self.blank = False
        """Whether there was a blank line after the last tag."""
        self.size = 0
        """Characters of the game in the lines before."""
        self.leading: list[str] = []
        self.begun = False
        """Whether the visitor knows of this game."""
        self.line: _Line | None = None
        self.outer: list[_Line] = []
        self.passing: int | None = None
        """Variations that are open in a text that the visitor passes over; None where it passes over nothing."""
        self.passed_at = (0, 0)
        """Where the variation opened that is passed over."""
        self.result: Result | None = None
        self.comment: list[str] = []
        """Lines of an unclosed comment."""
        self.comment_place = (0, 0)
        """Where it opens; line 0 if no comment is open."""
        self.comment_size = 0
        self.skipping = False
        self.skipped_moves = False

    def games(self, source: Source) -> Iterator[T | BadGame]:
        """What the visitor makes of each game of a source, and the bad games."""
        for line in lines_of(source):
            self.feed(line)
            if self.done:
                yield from self.done
                self.done.clear()
        self.end()
        yield from self.done

    # Lines

    def feed(self, line: str) -> None:
        """Read the next line."""
        self.line_number += 1
        if self.skipping and not self._resumes(line):
            return
        offset = 0
        game = self.game
        try:
            if len(line) > MAX_LINE_CHARS:
                raise self._too_long()
            if self.comment_place[0]:
                offset = self._continue_comment(line)
                if offset < 0:
                    return
            if line.isspace() or not line:
                self.blank = True
            else:
                self._read(line, offset)
            if self.game == game:
                self.size += len(line) if self.passing is None else 0
                if self.size > MAX_GAME_CHARS:
                    raise self._too_long()
        except _Mistake as mistake:
            self._report(mistake)
            self.skipping = True
            self.skipped_moves = not mistake.in_header
            self.blank = False

    def end(self) -> None:
        """Finish the last game."""
        if self.skipping:
            return
        if self.comment_place[0] and not self._passes_game:
            self._report(self._unclosed_comment())
        else:
            self._close()

    @property
    def _passes_game(self) -> bool:
        """Whether the visitor passes over all moves of this game."""
        return self.begun and self.line is None

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
            if self._passes_game:
                self._close()
            else:
                self._report(self._unclosed_comment())
                self._begin()
            return 0
        end = line.find("}")
        text = line if end < 0 else line[:end]
        self.comment_size += len(text)
        if self.passing is None:
            self.comment.append(text)
        if self.comment_size > MAX_COMMENT_CHARS:
            raise self._unclosed_comment()
        if end >= 0:
            self.comment_place = (0, 0)
            self._comment(" ".join(self.comment))
        return end + 1 if end >= 0 else -1

    def _read(self, line: str, offset: int) -> None:
        """Read a line from an index on."""
        while offset >= 0:
            offset = (
                self._read_tokens(line, offset) if self.passing is None else self._pass_over(line, offset)
            )

    def _read_tokens(self, line: str, offset: int) -> int:
        """Read until the line ends (-1), or to the index from which on the visitor passes over the text."""
        word_end = -1
        for token in TOKEN.finditer(line, offset):
            kind = token.lastgroup
            if kind == "word":
                self._word(token["word"], token.start("word"))
                word_end = token.end()
                if self.passing is not None:
                    # Of a game that is passed over this was the first word: perhaps its result.
                    return token.start("word")
            elif kind == "value":
                self._tag(token["tag"], token["value"], token.start())
            elif kind == "comment":
                self._comment(token[kind][1:-1])
            elif kind == "unclosed":
                self._open_comment(token)
            elif kind == "line":
                self._comment(token[kind][1:])
            elif kind == "star":
                if token.start() == word_end and self.result is None:
                    self._annotate([FORCED], token)
                else:
                    self._word("*", token.start())
                    if self.passing is not None:
                        return token.start()
            elif kind == "signs":
                self._annotate(nags_of(token[kind]), token)
            elif kind == "nag":
                self._annotate([int(token[kind])], token)
            elif kind == "enter":
                if self._enter(token):
                    return token.end()
            elif kind == "leave":
                self._leave(token)
            elif kind == "setup":
                raise self._problem("PDN_SETUP", token)
            elif kind == "odd":
                loose = LOOSE_TAG.fullmatch(line, token.start())
                if loose is None:
                    raise self._problem("PDN_TAG" if token[0] == "[" else "PDN_MISPLACED", token)
                self._tag(loose["tag"], loose["value"], token.start())
                return -1
        return -1

    def _pass_over(self, line: str, offset: int) -> int:
        """Pass over a line until it ends (-1), or to the index from which on it is read again."""
        assert self.passing is not None
        for token in STRUCTURE.finditer(line, offset):
            kind = token.lastgroup
            if kind == "enter":
                self.passing += 1
            elif kind == "leave":
                if self.line is not None and self.passing == 1:
                    self.passing = None
                    return token.end()
                self.passing = max(0, self.passing - 1)
            elif kind == "unclosed":
                self._open_comment(token)
            elif kind == "tag":
                self._close()
                return token.start()
            elif kind == "result" and self.line is None and not self.passing:
                self.passing = None
                self.result = RESULTS[token[kind]]
                return token.end()
        return -1

    # Tokens

    def _tag(self, name: str, value: str, column: int) -> None:
        if self.begun or (self.blank and name in self.tags):
            self._close()
        place = (self.line_number, column + 1)
        if not self.tags:
            self.place = place
        self.blank = False
        self.tags[name] = unescaped(value)
        self.tag_places[name] = place

    def _word(self, word: str, column: int) -> None:
        ends = word in RESULTS
        if self.result is not None:
            if ends:  # "2-0 *": the second result adds nothing
                return
            self._close()
        line = self.line or self._open(column)
        if line is None:
            return
        if ends:
            if self.outer:
                self.visitor.visit_comment(word)  # the result that a variation would have
            else:
                self.result = RESULTS[word]
            return
        if "," in word and SPACED.fullmatch(word) and len(word.split()) > 2:
            for text in self._split_moves(word, line.record.position, column):
                self._move(text, line, column)
        else:
            self._move(word, line, column)

    def _move(self, text: str, line: _Line, column: int) -> None:
        record = line.record
        position = record.position
        try:
            move = position.parse(text)
            longer = record.after(move, True)
            if longer is None:
                raise refused_move(record, move)
        except DamasError as error:
            hint = read_hint(position, text) if isinstance(error, IllegalMove) else None
            raise _Mistake((self.line_number, column + 1), error, hint, is_move=True) from None
        line.record = longer
        line.moved = True
        self.moved_at = (self.line_number, column + 1)
        self.visitor.visit_move(position, move)

    def _split_moves(self, word: str, position: Position, column: int) -> list[str]:
        """The moves in several squares by rows and columns, where spaces separate squares and moves alike."""
        place = (self.line_number, column + 1)
        ways = islice(_cut(word.split(), position), 2)
        try:
            first, second = next(ways, None), next(ways, None)
        except DamasError as error:
            raise _Mistake(place, error, is_move=True) from None
        if first is None or second is not None:
            shown = word[:MAX_SHOWN_CHARS]
            unclear = NotationError(shown, (Problem("PDN_SPACED", shown, 0),))
            raise _Mistake(place, unclear, is_move=True)
        return first

    def _open_comment(self, token: re.Match[str]) -> None:
        """A comment opens that this line does not close."""
        text = token["unclosed"][1:]
        self.comment = [text] if self.passing is None else [text[:MAX_SHOWN_CHARS]]
        self.comment_place = (self.line_number, token.start() + 1)
        self.comment_size = len(text)

    def _comment(self, text: str) -> None:
        text = clean_comment(text)
        if text and self.passing is None:
            if self.line is not None:
                self.visitor.visit_comment(text)
            elif not self.begun:
                self.leading.append(text)

    def _annotate(self, nags: list[int], token: re.Match[str]) -> None:
        if self.line is None or not self.line.moved or self.result is not None:
            raise self._problem("PDN_MISPLACED", token)
        for nag in nags:
            self.visitor.visit_nag(nag)

    def _enter(self, token: re.Match[str]) -> bool:
        """A variation opens; True if the visitor passes over it."""
        if self.line is None or not self.line.moved or self.result is not None:
            raise self._problem("PDN_MISPLACED", token)
        place = (self.line_number, token.start() + 1)
        if len(self.outer) == MAX_NESTED_VARIATIONS:
            raise self._problem("PDN_NESTED", token)
        if self.visitor.begin_variation() is SKIP:
            self.passing, self.passed_at = 1, place
            return True
        self.outer.append(self.line)
        record = self.line.record
        self.line = _Line(record.until(record.length - 1), place)
        return False

    def _leave(self, token: re.Match[str]) -> None:
        if self.line is None or not self.outer:
            raise self._problem("PDN_MISPLACED", token)
        self.line = self.outer.pop()
        self.visitor.end_variation()

    # Games

    def _open(self, column: int = 0) -> _Line | None:
        """Begin the moves of a game: find its rulebook and first position. None if the visitor passes over them."""
        if not self.tags:
            self.place = (self.line_number, column + 1)
        self.begun = True
        if self.visitor.begin_game(self.tags) is SKIP:
            self.passing = 0
            return None
        named = next((name for name in ("Rulebook", "GameType") if self.tags.get(name)), "")
        try:
            book = named_rulebook(self.tags, self.given)
        except DamasError as error:
            raise _Mistake(self.tag_places.get(named, self.place), error) from None
        fen = self.tags.get("FEN", "")
        if fen and self.tags.get("SetUp", self.tags.get("Setup", "1")) != "0":
            try:
                record = Record(Position.from_fen(fen, book))
            except DamasError as error:
                raise _Mistake(self.tag_places["FEN"], error) from None
        else:
            if book not in self.starts:
                self.starts[book] = Record(Position.start(book))
            record = self.starts[book]
        self.line = _Line(record, self.place)
        self.visitor.begin_moves(record.start)
        for text in self.leading:
            self.visitor.visit_comment(text)
        return self.line

    def _close(self) -> None:
        """Finish the current game, good or bad, and begin the next."""
        try:
            if self.begun or self.tags:
                self.done.append(self._finished())
                self.game += 1
        except _Mistake as mistake:
            self._report(mistake)
        self._begin()

    def _finished(self) -> T:
        line = self.line
        if not self.begun:
            line = self._open()
        if line is not None:
            if self.passing or self.outer:
                place = self.passed_at if self.passing else line.opened
                raise _Mistake(place, NotationError("(", (Problem("PDN_VARIATION", "(", 0),)))
            try:
                line.record.position.count_moves()
            except (
                TooManyCaptures
            ) as error:  # a position set up by hand with more captures than the core lists
                place = self.moved_at if self.moved_at[0] else self.tag_places.get("FEN", self.place)
                raise _Mistake(place, error) from None
        # By PDN 3.0 the tag gives the result and the end of the moves repeats it.
        tag = self.tags.get("Result", "").strip()
        result = RESULTS.get(tag) or (Result(tag) if tag not in ("", "?") else UNKNOWN)
        after_moves = self.result or UNKNOWN
        if result == UNKNOWN:
            result = after_moves
        other = after_moves if "*" not in (after_moves.meaning, result.meaning) else result
        terminator = after_moves if other.meaning != result.meaning else None
        return self.visitor.end_game(result, terminator)

    def _report(self, mistake: _Mistake) -> None:
        line_number, column = mistake.place
        start: Position | None = None
        moves: tuple[Move, ...] = ()
        if mistake.is_move and self.line is not None and not self.outer:
            start, moves = self.line.record.start, tuple(self.line.record.moves)
        bad = BadGame(
            line_number,
            self.game,
            mistake.error,
            self.tags,
            mistake.hint,
            start,
            moves,
            (),
            self._book(),
            column,
        )
        self.done.append(self.visitor.bad_game(bad))
        self.game += 1

    def _book(self) -> Rulebook | None:
        """The rulebook of the current game, or None where its tags name none."""
        if self.line is not None:
            return self.line.record.rulebook
        try:
            return named_rulebook(self.tags, self.given)
        except DamasError:
            return None

    def _unclosed_comment(self) -> _Mistake:
        shown = " ".join(self.comment)[:40].strip()
        error = NotationError("{" + shown, (Problem("PDN_COMMENT", shown, 0),))
        mistake = _Mistake(self.comment_place, error)
        self._let_go()
        return mistake

    def _too_long(self) -> _Mistake:
        error = NotationError("PDN", (Problem("PDN_TOO_LONG", "", MAX_GAME_CHARS),))
        return _Mistake(self.place if self.place[0] else (self.line_number, 1), error)

    def _problem(self, code: str, token: re.Match[str]) -> _Mistake:
        error = NotationError(
            token.string[:MAX_SHOWN_CHARS].strip(), (Problem(code, token[0][:40], token.start()),)
        )
        self._let_go()
        in_header = not self.begun and token.string.lstrip().startswith("[")
        return _Mistake((self.line_number, token.start() + 1), error, in_header=in_header)

    def _let_go(self) -> None:
        """What comes behind a result cannot spoil the game any more."""
        if self.result is not None:
            self._close()
