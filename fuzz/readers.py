"""The readers under test: how inputs for each are made, and what must hold of every one.

A check returns whether the input was accepted. Anything it raises is a finding: readers refuse with `DamasError`
(PDN with `BadGame` in the game's place) and with nothing else.
"""

from abc import ABC, abstractmethod
from array import array
from random import Random

from damas import (
    Color,
    DamasError,
    IllegalMove,
    IllegalSetup,
    NotationError,
    Piece,
    Position,
    Rulebook,
    Setup,
    refusal,
    rulebook,
)
from damas.game import Customs, Game
from damas.game.batch import successors
from damas.language import LANGUAGES
from damas.notation import BadGame, PdnGame, fen_in, hub, move_text, read_games, read_hint, write_game
from damas.rules import to_toml
from damas.rules.library import parse
from damas.views import plain
from damas.views.errors import refusal_view
from fuzz import texts
from fuzz.mutation import Mutator

Input = tuple[str, ...]
"""What a check takes; the text under test comes last."""


TOO_MANY = "TOO_MANY_CAPTURES"
"""What the core may answer to a position whose captures branch beyond all bounds, rather than go on for minutes."""


class Violation(Exception):
    """A promise of the library that does not hold for an input."""


def hold(promise: str, *what: object) -> None:
    raise Violation(promise + ": " + ", ".join(repr(part) for part in what))


class Reader(ABC):
    name: str
    words: tuple[str, ...]
    a_process = 50_000
    """Inputs one process takes before a fresh one goes on."""

    def __init__(self) -> None:
        self.rng = Random(0)
        self.books = texts.all_books()
        self.seeds = texts.corpus(self.name)
        self.mutate = Mutator(self.rng, self.words, self.seeds)

    def make(self, seed: int) -> Input:
        """The input of this number: the same on every machine."""
        self.rng.seed(seed)
        return self.input()

    @abstractmethod
    def input(self) -> Input: ...

    @abstractmethod
    def check(self, given: Input) -> bool: ...

    def broken(self, right: str) -> str:
        """A right text, a broken one, one of the corpus, or noise."""
        kind = self.rng.random()
        if kind < 0.12:
            return right
        if kind < 0.60:
            return self.mutate(right)
        if kind < 0.85:
            return self.mutate(self.rng.choice(self.seeds))
        if kind < 0.93:
            return self.mutate.word_salad()
        return self.mutate.noise()

    def told(self, error: DamasError) -> None:
        """An error can be told in every language."""
        if not error.sentence(self.rng.choice(LANGUAGES)):
            hold("an error has a sentence", error)


class Fen(Reader):
    """FEN, and Hub positions beside it."""

    name = "fen"
    words = (
        "W:", "B:", "W", "B", "K", "a1", "h8", "j10", "l12", "A1", "i9", "1", "32", "50", "72", "1-12", "31-50", "5-1", "K1-9", "Ka1",
        ",", ":", ".", ":H0:F1", "H999999999", " ", "W:W:B", "0", "33", "a0", "a9", "a99", "z1", "wb", "BK", "?", "e", "WwbBe",
    )  # fmt: skip

    def input(self) -> Input:
        book = self.rng.choice(self.books)
        kind = self.rng.random()
        if kind < 0.02:
            return book.id, texts.lattice(book, self.rng)
        if kind < 0.08:
            letters = "".join(self.rng.choice("eeeeeewWbB") for _ in book.geometry.squares)
            return book.id, "hub", self.broken(self.rng.choice("WB") + letters)
        return book.id, self.broken(texts.fen(book, self.rng))

    def check(self, given: Input) -> bool:
        book, text = rulebook(given[0]), given[-1]
        try:
            position = hub.read_position(text, book) if len(given) == 3 else Position.from_fen(text, book)
        except (NotationError, IllegalSetup) as error:
            self.told(error)
            if not error.problems:
                hold("a refusal has a reason", error)
            return False
        for again in (position.fen, fen_in(position, "numbers"), fen_in(position, "algebraic")):
            read = Position.from_fen(again, book)
            if read != position or hash(read) != hash(position) or read.fen != position.fen:
                hold("what is written reads back", position, again)
        if hub.read_position(hub.write_position(position), book) != position:
            hold("Hub reads back", position)
        self._moves(position, book)
        return True

    def _moves(self, position: Position, book: Rulebook) -> None:
        try:
            moves = list(position.legal_moves)
        except DamasError as error:
            self.told(error)
            if error.code != TOO_MANY:
                raise
            return
        if len(moves) != position.count_moves() or len(set(moves)) != len(moves):
            hold("moves are counted once each", position)
        if any(move.is_capture for move in moves) != (bool(moves) and position.must_capture()):
            hold("a capture is compulsory", position)
        for move in self.rng.sample(moves, min(2, len(moves))):
            following = position.play(move)
            if Position.from_fen(following.fen, book) != following:
                hold("a move leads to a position", position, move)
            if hub.read_move(position, hub.write_move(position, move)) != move:
                hold("Hub moves read back", position, move)


class MoveText(Reader):
    """Move text in a position, and the refusal it gets."""

    name = "move"
    words = (
        "a1", "h8", "c3", "d4", "1", "32", "50", "12", "22", "2,2", "0,0", "7,7", "-", "x", ":", "*", "×", "–", "(", ")", "!", "?", "=",
        "=K", "=D", "K", " ", "  ", "\t", "x" * 50, "a1x", "--", "1. ", "...", "3,", ",3", "99", "A1", "j10", "l12", "1-", "0", "+", "#",
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.positions = {
            book.id: [position.fen for position in texts.some_positions(book, Random(book.id), 60)]
            for book in self.books
        }
        self.known: dict[tuple[str, str], Position] = {}

    def input(self) -> Input:
        book = self.rng.choice(self.books)
        if self.rng.random() < 0.15:
            fen = texts.fen(book, self.rng)
        else:
            fen = self.rng.choice(self.positions[book.id])
        try:
            position = self._position(fen, book)
        except DamasError:
            fen = self.positions[book.id][0]
            position = self._position(fen, book)
        return book.id, fen, self.broken(texts.a_move_text(position, self.rng))

    def _position(self, fen: str, book: Rulebook) -> Position:
        if len(self.known) > 2000:
            self.known.clear()
        key = (fen, book.id)
        if key not in self.known:
            self.known[key] = Position.from_fen(fen, book)
        return self.known[key]

    def check(self, given: Input) -> bool:
        position = self._position(given[1], rulebook(given[0]))
        text = given[-1]
        if self.rng.random() < 0.05:
            self._hub(position, text)
        try:
            move = position.parse(text)
        except NotationError as error:
            self.told(error)
            return False
        except IllegalMove as error:
            self.told(error)
            plain(refusal_view(error.refusal, self.rng.choice(LANGUAGES)))
            for alternative in error.legal:
                if not position.read(alternative)[0]:
                    hold("what is said to be legal is", position, alternative)
            return False
        if move not in position.legal_moves:
            hold("what is read is legal", position, text, move)
        if position.parse(move.text) != move:
            hold("a move's own text means it", position, move)
        if refusal(position, text) is not None:
            hold("what is legal is not refused", position, text)
        for scheme in ("algebraic", "numbers", "rows-columns"):
            if position.parse(move_text(position, move, scheme)) != move:
                hold("a move reads back in every scheme", position, move, scheme)
        position.play(text)
        return True

    def _hub(self, position: Position, text: str) -> None:
        read_hint(position, text)
        try:
            move = hub.read_move(position, text)
        except DamasError as error:
            self.told(error)
        else:
            if move not in position.legal_moves:
                hold("what Hub reads is legal", position, text)


class Pdn(Reader):
    name = "pdn"
    words = (
        "1.", "1...", "12. ", "{", "}", "(", ")", "[", "]", '"', ";", "%", "$1", "$300", "!", "?", "*", "1-0", "2-0", "1/2-1/2", "0-0",
        '[Event "x"]', '[Result "*"]', '[FEN "W:W31:B1"]', '[GameType "25"]', '[Rulebook "russa"]', '[Rulebook "../x.toml"]', "\n\n",
        "\n", "\r", "[%clk 0:01:02]", "[%clock w1:00:00 b1:00:00]", "32-28", "c3-d4", "c3xe5", "22:15", "a1", "((((", "))))", "/", "\\",
        "/s:W31:B1/", "1-", "x", "\ufeff", '[A "', '"]', "[%", "( { ) }",
    )  # fmt: skip

    def input(self) -> Input:
        book = self.rng.choice(self.books)
        given = self.rng.choice((book.id, book.id, ""))
        return (
            given,
            self.rng.choice(("text", "text", "text", "bytes", "lines")),
            self.broken(texts.pdn((book,), self.rng)),
        )

    def check(self, given: Input) -> bool:
        book, form, text = given
        source: str | bytes | list[str] = text
        if form == "bytes":
            source = text.encode("utf-8", "surrogatepass")
        elif form == "lines":
            source = text.splitlines(keepends=True)
        accepted = False
        last = 0
        for number, game in enumerate(read_games(source, book or None), start=1):
            if isinstance(game, BadGame):
                self.told(game.error)
                if game.hint:
                    game.hint.sentence(self.rng.choice(LANGUAGES))
                if game.game != number or game.line < 1:
                    hold("a bad game says where it is", number, game)
                last = game.line
                continue
            accepted = True
            self._reads_back(game)
        if last > max(text.count("\n") + text.count("\r"), len(text.splitlines())) + 1:
            hold("a mistake lies in the file", last)
        return accepted

    def _reads_back(self, game: PdnGame) -> None:
        written = write_game(game, self.rng.choice((None, None, "algebraic", "numbers", "rows-columns")))
        again = list(read_games(written))
        if again != [game]:
            hold("a game reads back", written, again)


class Toml(Reader):
    name = "toml"
    words = (
        "[board]", "[moves]", "[[draw]]", "[[platform]]", "[notation]", "[procedure]", "[statements]", "size = 8", "size = 12", "=", "true",
        "false", '"', "'", "[", "]", "{", "}", "value = ", "article = ", "0x" + "f" * 5000, "1" * 5000, "nan", "inf", "1979-05-27", "07:32:00",
        "1979-13-99T00:00:00Z", '"""', "#", "\\u0000", "\\ud800", "a.b.c = 1", '"".x = 1', "endings = ", "K{0,99}" * 12, "K{5,3}-K", "limit = 0",
        "men_rows = [1, 2, 3, 4]", "off_during = ", "[" * 500, "{a=" * 300, "1e999", "-0", "_1", "0b1", "0o7", "[board.size]", "[draw]",
    )  # fmt: skip
    a_process = 10_000

    def input(self) -> Input:
        return (self.broken(texts.toml(self.rng)),)

    def check(self, given: Input) -> bool:
        try:
            book = parse(given[0])
        except DamasError as error:
            self.told(error)
            return False
        again = parse(to_toml(book))
        if (
            again.hash != book.hash
            or again.id != book.id
            or again.aliases != book.aliases
            or again.statements != book.statements
        ):
            hold("a rulebook reads back", book.source, again.source)
        if [vars(rule) for rule in again.draws] != [vars(rule) for rule in book.draws]:
            hold("draw rules read back", book.source, again.source)
        game = Game.start(book, customs=Customs(claims=self.rng.random() < 0.5))
        for _ in range(20):
            moves = game.position.legal_moves
            if game.outcome:
                game.outcome.sentence(self.rng.choice(LANGUAGES))
                break
            game = game.play(moves[self.rng.randrange(len(moves))])
            game.progress()
        if Position.from_fen(game.position.fen, book) != game.position:
            hold("a position of house rules reads back", game.position)
        return True


class Batch(Reader):
    """Arrays of positions: no text, but a door into the core that strangers knock at."""

    name = "batch"
    words = ("x",)

    def input(self) -> Input:
        book = self.rng.choice(self.books)
        full = self.rng.choice((0.1, 0.3, 0.6, 0.9))
        kings = self.rng.choice((0.0, 0.3, 1.0))
        white = self.rng.choice((0.02, 0.2, 0.5))
        rows = []
        for _ in range(self.rng.randrange(1, 4)):
            row = [0] * len(book.geometry.squares)
            for square in book.geometry.squares:
                if self.rng.random() < full:
                    row[square] = (1 if self.rng.random() < white else -1) * (
                        2 if self.rng.random() < kings else 1
                    )
            if self.rng.random() < 0.01:
                row[0] = self.rng.choice((3, -3, 127, -128))
            rows.append(" ".join(map(str, row)))
        return book.id, "".join(self.rng.choice("01") for _ in rows), "\n".join(rows)

    def check(self, given: Input) -> bool:
        book, count = rulebook(given[0]), len(given[1])
        codes = array("b", map(int, given[2].split()))
        rows = memoryview(codes).cast("B").cast("b", (count, len(codes) // count))
        turns = memoryview(array("b", map(int, given[1])))
        try:
            children, parents, ends = successors(book, rows, turns)
        except ValueError:
            return False
        if not len(parents) == len(children) == len(ends):
            hold("arrays are of one length", given)
        for number in range(count):
            try:
                position = Position.of(self._setup(rows.tolist()[number], given[1][number]), book)
            except DamasError:
                continue
            if len(position.legal_moves) != list(parents).count(number):
                hold("the batch finds every legal move", position)
        return True

    @staticmethod
    def _setup(row: list[int], turn: str) -> Setup:
        pieces = {1: Piece.WHITE_MAN, 2: Piece.WHITE_KING, -1: Piece.BLACK_MAN, -2: Piece.BLACK_KING}
        placed = {square: pieces[code] for square, code in enumerate(row) if code in pieces}
        return Setup(placed, Color.BLACK if turn == "1" else Color.WHITE)


READERS: dict[str, type[Reader]] = {reader.name: reader for reader in (Fen, MoveText, Pdn, Toml, Batch)}
