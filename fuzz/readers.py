"""The readers under test: how inputs for each are made, and what must hold of every one.

A check returns whether the input was accepted. Anything it raises is a finding: readers refuse with `DamasError`
(PDN with `BadGame` in the game's place) and with nothing else.
"""

from abc import ABC, abstractmethod
from array import array
from functools import lru_cache
from random import Random
from typing import ClassVar

from damas import (
    DamasError,
    IllegalMove,
    IllegalSetup,
    NotationError,
    Piece,
    Position,
    Setup,
    refusal,
    rulebook,
    rulebooks,
)
from damas.board import Color
from damas.game import Customs, Game
from damas.game.batch import successors
from damas.language import LANGUAGES
from damas.notation import SCHEMES, BadGame, fen_in, hub, move_text, read_games, read_hint, write_game
from damas.rules import to_toml
from damas.rules.library import parse
from damas.views import plain
from damas.views.errors import refusal_view
from fuzz import inputs

Input = tuple[str, ...]
"""What a check takes; the text under test comes last."""

TOO_MANY = "TOO_MANY_CAPTURES"
"""The code with which the core may refuse a position whose captures branch too much."""


class Reader(ABC):
    """Makes inputs for one reader of damas and checks what comes of them."""

    name: str
    words: tuple[str, ...] = ("x",)

    def __init__(self) -> None:
        self.rng = Random(0)
        self.books = rulebooks()
        self.broken = inputs.Mutator(self.rng, self.words, inputs.corpus(self.name)).broken

    def make(self, seed: int) -> Input:
        """Return the input of this number, the same on every machine."""
        self.rng.seed(seed)
        return self.input()

    @abstractmethod
    def input(self) -> Input:
        """Return a random input."""

    @abstractmethod
    def check(self, given: Input) -> bool:
        """Return whether the input was accepted; raise if a promise of the library does not hold."""

    def check_error(self, error: DamasError) -> None:
        """Every error has a sentence in every language; one about a text also lists its problems."""
        assert error.sentence(self.rng.choice(LANGUAGES)), error
        if isinstance(error, NotationError | IllegalSetup):
            assert error.problems, error


class Fen(Reader):
    """FEN, and Hub positions beside it."""

    name = "fen"
    words = (
        "W:", "B:", "W", "B", "K", "a1", "h8", "j10", "l12", "A1", "i9", "1", "32", "50", "72", "1-12", "31-50", "5-1", "K1-9", "Ka1",
        ",", ":", ".", ":H0:F1", "H999999999", " ", "W:W:B", "0", "33", "a0", "a9", "a99", "z1", "wb", "BK", "?", "e", "WwbBe",
    )  # fmt: skip

    def input(self) -> Input:
        book = self.rng.choice(self.books)
        if self.rng.random() < 0.06:
            letters = "".join(self.rng.choices("eeeeeewWbB", k=len(book.geometry.squares)))
            return book.id, "hub", self.broken(self.rng.choice("WB") + letters)
        return book.id, self.broken(inputs.random_fen(book, self.rng))

    def check(self, given: Input) -> bool:
        book, text = rulebook(given[0]), given[-1]
        try:
            position = hub.read_position(text, book) if len(given) == 3 else Position.from_fen(text, book)
        except (NotationError, IllegalSetup) as error:
            self.check_error(error)
            return False
        for written in (position.fen, fen_in(position, "numbers"), fen_in(position, "algebraic")):
            again = Position.from_fen(written, book)
            assert again == position and hash(again) == hash(position), (position, written)
            assert again.fen == position.fen, (position, written)
        assert hub.read_position(hub.write_position(position), book) == position, position
        self._check_moves(position)
        return True

    def _check_moves(self, position: Position) -> None:
        try:
            moves = list(position.legal_moves)
        except DamasError as error:
            self.check_error(error)
            if error.code != TOO_MANY:
                raise
            return
        assert len(moves) == position.count_moves() == len(set(moves)), position
        assert any(move.is_capture for move in moves) == (bool(moves) and position.must_capture()), position
        for move in self.rng.sample(moves, min(2, len(moves))):
            following = position.play(move)
            assert Position.from_fen(following.fen, position.rulebook) == following, (position, move)
            assert hub.read_move(position, hub.write_move(position, move)) == move, (position, move)


class MoveText(Reader):
    """Move text in a position, and the refusal it gets."""

    name = "move"
    words = (
        "a1", "h8", "c3", "d4", "1", "32", "50", "12", "22", "2,2", "0,0", "7,7", "-", "x", ":", "*", "×", "–", "(", ")", "!", "?", "=",
        "=K", "=D", "K", " ", "  ", "\t", "x" * 50, "a1x", "--", "1. ", "...", "3,", ",3", "99", "A1", "j10", "l12", "1-", "0", "+", "#",
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.fens = {
            book.id: [inputs.random_fen(book, Random(f"{book.id} {n}")) for n in range(60)]
            for book in self.books
        }

    def input(self) -> Input:
        book = self.rng.choice(self.books)
        fen = self.rng.choice(self.fens[book.id])
        return book.id, fen, self.broken(inputs.random_move(fen, book, self.rng))

    def check(self, given: Input) -> bool:
        book_id, fen, text = given
        position = _position(fen, book_id)
        if self.rng.random() < 0.05:
            self._check_hub(position, text)
        try:
            move = position.parse(text)
        except NotationError as error:
            self.check_error(error)
            return False
        except IllegalMove as error:
            self.check_error(error)
            self._check_alternatives(position, error)
            return False
        assert move in position.legal_moves, (position, text, move)
        assert position.parse(move.text) == move, (position, move)
        assert refusal(position, text) is None, (position, text)
        for scheme in SCHEMES:
            assert position.parse(move_text(position, move, scheme)) == move, (position, move, scheme)
        position.play(text)
        return True

    def _check_alternatives(self, position: Position, error: IllegalMove) -> None:
        plain(refusal_view(error.refusal, self.rng.choice(LANGUAGES)))
        assert all(position.read(text)[0] for text in error.legal), (position, error.legal)

    def _check_hub(self, position: Position, text: str) -> None:
        read_hint(position, text)
        try:
            assert hub.read_move(position, text) in position.legal_moves, (position, text)
        except DamasError as error:
            self.check_error(error)


@lru_cache(2000)
def _position(fen: str, book_id: str) -> Position:
    return Position.from_fen(fen, book_id)


class Pdn(Reader):
    """PDN files as text, bytes or lines."""

    name = "pdn"
    words = (
        "1.", "1...", "12. ", "{", "}", "(", ")", "[", "]", '"', ";", "%", "$1", "$300", "!", "?", "*", "1-0", "2-0", "1/2-1/2", "0-0",
        '[Event "x"]', '[Result "*"]', '[FEN "W:W31:B1"]', '[GameType "25"]', '[Rulebook "russa"]', '[Rulebook "../x.toml"]', "\n\n",
        "\n", "\r", "[%clk 0:01:02]", "[%clock w1:00:00 b1:00:00]", "32-28", "c3-d4", "c3xe5", "22:15", "a1", "((((", "))))", "/", "\\",
        "/s:W31:B1/", "1-", "x", "\ufeff", '[A "', '"]', "[%", "( { ) }",
    )  # fmt: skip

    def input(self) -> Input:
        book = self.rng.choice(self.books)
        form = self.rng.choice(("text", "text", "text", "bytes", "lines"))
        text = self.broken(inputs.random_pdn(book, self.rng))
        return self.rng.choice((book.id, book.id, "")), form, text

    def check(self, given: Input) -> bool:
        book, form, text = given
        source: str | bytes | list[str] = text
        if form == "bytes":
            source = text.encode("utf-8", "surrogatepass")
        elif form == "lines":
            source = text.splitlines(keepends=True)
        accepted = False
        last_line = max(text.count("\n") + text.count("\r"), len(text.splitlines())) + 1
        for number, game in enumerate(read_games(source, book or None), start=1):
            if isinstance(game, BadGame):
                self.check_error(game.error)
                if game.hint:
                    game.hint.sentence(self.rng.choice(LANGUAGES))
                assert game.game == number and 1 <= game.line <= last_line, (number, game)
                continue
            accepted = True
            scheme = self.rng.choice((None, None, *SCHEMES))
            written = write_game(game, scheme)
            assert list(read_games(written)) == [game], written
        return accepted


class Toml(Reader):
    """Rules files."""

    name = "toml"
    words = (
        "[board]", "[moves]", "[[draw]]", "[[platform]]", "[notation]", "[procedure]", "[statements]", "size = 8", "size = 12", "=", "true",
        "false", '"', "'", "[", "]", "{", "}", "value = ", "article = ", "0x" + "f" * 5000, "1" * 5000, "nan", "inf", "1979-05-27", "07:32:00",
        "1979-13-99T00:00:00Z", '"""', "#", "\\u0000", "\\ud800", "a.b.c = 1", '"".x = 1', "endings = ", "K{0,99}" * 12, "K{5,3}-K", "limit = 0",
        "men_rows = [1, 2, 3, 4]", "off_during = ", "[" * 500, "{a=" * 300, "1e999", "-0", "_1", "0b1", "0o7", "[board.size]", "[draw]",
    )  # fmt: skip

    def input(self) -> Input:
        return (self.broken(inputs.random_toml(self.rng)),)

    def check(self, given: Input) -> bool:
        try:
            book = parse(given[0])
        except DamasError as error:
            self.check_error(error)
            return False
        again = parse(to_toml(book))
        for fact in ("hash", "id", "aliases", "statements"):
            assert getattr(again, fact) == getattr(book, fact), (book.source, again.source)
        assert [vars(rule) for rule in again.draws] == [vars(rule) for rule in book.draws], book.source
        game = Game.start(book, customs=Customs(claims=self.rng.random() < 0.5))
        for _ in range(20):
            if game.outcome:
                game.outcome.sentence(self.rng.choice(LANGUAGES))
                break
            game = game.play(self.rng.choice(game.legal_moves))
            game.progress()
        assert Position.from_fen(game.position.fen, book) == game.position, game.position
        return True


class Batch(Reader):
    """Arrays of positions: no text, but a public entry to the core."""

    name = "batch"
    pieces: ClassVar = {1: Piece.WHITE_MAN, 2: Piece.WHITE_KING, -1: Piece.BLACK_MAN, -2: Piece.BLACK_KING}

    def input(self) -> Input:
        book = self.rng.choice(self.books)
        density = self.rng.choice((0.1, 0.3, 0.6, 0.9))
        kings = self.rng.choice((0.0, 0.3, 1.0))
        white = self.rng.choice((0.02, 0.2, 0.5))
        weights = [white * (1 - kings), white * kings, (1 - white) * (1 - kings), (1 - white) * kings]
        codes, weights = [*self.pieces, 0], [density * weight for weight in weights] + [1 - density]
        rows = [
            self.rng.choices(codes, weights, k=len(book.geometry.squares))
            for _ in range(self.rng.randrange(1, 4))
        ]
        if self.rng.random() < 0.02:
            rows[0][0] = self.rng.choice((3, -3, 127, -128))
        turns = "".join(self.rng.choices("01", k=len(rows)))
        return book.id, turns, "\n".join(" ".join(map(str, row)) for row in rows)

    def check(self, given: Input) -> bool:
        book, count = rulebook(given[0]), len(given[1])
        codes = array("b", map(int, given[2].split()))
        rows = memoryview(codes).cast("B").cast("b", (count, len(codes) // count))
        turns = memoryview(array("b", map(int, given[1])))
        try:
            children, parents, ends = successors(book, rows, turns)
        except ValueError:
            return False
        assert len(parents) == len(children) == len(ends), given
        boards: list[list[int]] = rows.tolist()  # type: ignore[assignment]  # of two dimensions
        for number, row in enumerate(boards):
            placed = {square: self.pieces[code] for square, code in enumerate(row) if code in self.pieces}
            try:
                position = Position.of(Setup(placed, list(Color)[int(given[1][number])]), book)
            except DamasError:
                continue
            assert len(position.legal_moves) == list(parents).count(number), position
        return True


READERS: dict[str, type[Reader]] = {reader.name: reader for reader in (Fen, MoveText, Pdn, Toml, Batch)}
"""The readers by name."""
