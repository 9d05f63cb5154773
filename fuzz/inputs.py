"""Makes the inputs: correct texts, and the same with the mistakes of people, other programs and attackers."""

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

from damas import Position, Rulebook, rulebooks
from damas.notation import SCHEMES, fen_in, move_text
from damas.rules import schema, to_toml

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from oracle.board import write_fen
from oracle.books import BOOKS
from oracle.hostile import PATTERNS, accepted, placed
from properties.attempts import attempts

CORPUS = Path(__file__).parent / "corpus"
MAX_LENGTH = 20_000
"""Characters of an input; longer ones cost more than they show."""

ODD = (
    "\x00", "\t", "\n", "\r\n", "\r", "\x1a", " ", "\u00a0", "\u2028", "\ufeff", "\ud800", "\udfff", "×", "–", "é", "Ⅷ",
    "١", "²", "🏁", "\x7f", "\u0301", '"', "'", "\\", "{", "}", "(", ")", "[", "]", "<", ">", ";", "%", "$", "#", "=", "*",
    "/", "&", "|", "^", "~", "`", "@", "+", "-", "--", "_", ".", "..", ",", ",,", ":", "::", "?", "!", "0", "00", "-1", "1e9",
)  # fmt: skip
NUMBERS = (
    "0", "1", "7", "8", "9", "12", "13", "32", "33", "50", "51", "72", "73", "99", "255", "256", "4294967297", "9" * 40,
)  # fmt: skip
TAGS = (
    'Event "Taça"', 'Site "Évora"', 'Date "2026.11.15"', 'Round "1"', 'White "Ana"', 'Black "B. \\"x\\""', 'Result "1-0"',
    'Result "2-0"', 'Result "1-1"', 'Result "*"', 'Result "1/2-1/2"', 'GameType "20"', 'GameType "26,W,8,8,A0,0"',
    'GameType "99"', 'Rulebook "oficial"', 'Rulebook "x"', 'SetUp "1"', 'SetUp "0"', 'FEN "W:W31:B1"', 'FEN "B:WKa1:Bh8"',
    'FEN ""', 'Annotator "?"',
)  # fmt: skip
COMMENTS = (
    "{good}", "{ [%clk 0:09:58] }", "{[%clock w0:09:58 B0:10:00] said}", "{[%emt 0:00:02.5]}", "{}", "{ { }", "; rest of line\n",
    "{[%clk 99:99:99]}", "{\n[Event \"inside\"]\n}", "%escaped\n", "{unclosed", "$1", "$255", "$", "$9999", "!", "??", "!?", "(!)",
)  # fmt: skip
RESULTS = ("1-0", "0-1", "2-0", "0-2", "1-1", "1/2-1/2", "0-0", "*", "")
DRAW_ANSWERS = {
    "rule": schema.RULES, "claim": schema.CLAIMS, "decides": schema.DECIDES, "counts": schema.COUNTS,
    "starts": schema.STARTS, "while": schema.WHILE, "limit": (0, 1, 2, 10_000, -1),
}  # fmt: skip
ODD_VALUES = (
    "0", "1", "-1", "true", '""', '"x"', "[]", "[[]]", '["x"]', "{}", "{ value = [] }", "1.5", "nan", '"K-K"', "[1, 1]",
    "[true]", '["K{5,3}-K"]', '["M{0,99}M{0,99}M{0,99}-K"]', '["K{0}-M"]', "0x" + "f" * 6000, "1" * 5000,
)  # fmt: skip


def corpus(reader: str) -> list[str]:
    """Return the stored texts of one reader; bytes that are not UTF-8 are read as Latin-1."""
    texts = []
    for path in sorted((CORPUS / reader).glob("*")):
        data = path.read_bytes()
        try:
            texts.append(data.decode())
        except UnicodeDecodeError:
            texts.append(data.decode("latin-1"))
    return texts or [""]


class Mutator:
    """Breaks texts; `words` are pieces that mean something to a reader, `seeds` whole texts."""

    def __init__(self, rng: Random, words: Sequence[str], seeds: Sequence[str]) -> None:
        self.rng, self.words, self.seeds = rng, words, seeds

    def broken(self, correct: str) -> str:
        """Return a correct text, a broken one, a broken one of the corpus, words in any order, or noise."""
        kind = self.rng.random()
        if kind < 0.12:
            return correct
        if kind < 0.60:
            return self.mutated(correct)
        if kind < 0.85:
            return self.mutated(self.rng.choice(self.seeds))
        if kind < 0.93:
            separator = self.rng.choice(("", " ", ",", "\n", "x", "-"))
            return separator.join(self.rng.choices(self.words, k=self.rng.randrange(1, 30)))
        return self._noise()

    def mutated(self, text: str) -> str:
        """Return the text with one to eight mistakes; fewer are likelier, so that many inputs are nearly correct."""
        for _ in range(min(8, 1 + int(self.rng.expovariate(0.8)))):
            text = self.rng.choice(
                (self._change_span, self._change_span, self._change_span, self._change_all)
            )(text)
        return text[:MAX_LENGTH]

    def _noise(self) -> str:
        size = min(400, int(self.rng.expovariate(0.02)))
        kind = self.rng.randrange(3)
        if kind == 0:
            return "".join(self.rng.choices(ODD, k=size))
        return self.rng.randbytes(size).decode(*(("latin-1",), ("utf-8", "surrogateescape"))[kind - 1])

    def _span(self, text: str) -> tuple[int, int]:
        start = self.rng.randrange(len(text) + 1)
        return start, min(len(text), start + 1 + int(self.rng.expovariate(0.3)))

    def _change_span(self, text: str) -> str:
        """Delete, repeat or replace a few characters, or insert others before them."""
        rng = self.rng
        start, end = self._span(text)
        old, other = text[start:end], rng.choice(self.seeds)
        other_start = rng.randrange(len(other) + 1)
        inserted = rng.choice(
            (
                rng.choice(ODD),
                rng.choice(self.words),
                chr(rng.randrange(32, 127)),
                other[other_start : other_start + rng.randrange(200)],
                old * rng.choice((1, 2, 7, 40, 300)),
            )
        )
        new = rng.choice(("", "", inserted, inserted + old, inserted + old, old.swapcase()))
        return text[:start] + new + text[end:]

    def _change_all(self, text: str) -> str:
        """Cut the text, swap two parts, move a line, change a number or flip a bit."""
        rng = self.rng
        kind = rng.randrange(5)
        if kind == 0:
            return text[: rng.randrange(len(text) + 1)]
        if kind == 1:
            (a, b), (c, d) = sorted((self._span(text), self._span(text)))
            return text if b > c else text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]
        if kind == 2:
            lines = text.split("\n")
            lines.insert(rng.randrange(len(lines)), lines.pop(rng.randrange(len(lines))))
            return "\n".join(lines)
        if kind == 3:
            digits = [place for place, letter in enumerate(text[:2000]) if letter.isdigit()]
            at = rng.choice(digits or [0])
            return text[:at] + rng.choice(NUMBERS) + text[at + 1 :]
        data = bytearray(text.encode("utf-8", "surrogatepass") or b" ")
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        return data.decode("utf-8", rng.choice(("replace", "surrogateescape", "ignore")))


# --- correct texts, or nearly ------------------------------------------------------------------------------


def random_fen(book: Rulebook, rng: Random) -> str:
    """Return a placement of the hostile patterns that the differential tests use."""
    fen = write_fen(BOOKS[book.id], accepted(BOOKS[book.id], rng, rng.choice((placed, *PATTERNS))))
    scheme = rng.choice(("", "algebraic", "numbers"))
    return fen_in(Position.from_fen(fen, book), scheme) if scheme else fen


@cache
def attempts_in(fen: str, book: Rulebook) -> list[str]:
    """Return moves that a player might try in a position, few of them legal."""
    return attempts(Position.from_fen(fen, book), Random(fen)) or ["a1-b2"]


def random_move(fen: str, book: Rulebook, rng: Random) -> str:
    """Return a legal move in some notation, or an attempt at a move."""
    position = Position.from_fen(fen, book)
    moves = position.legal_moves
    if len(moves) and rng.random() < 0.5:
        move = moves[rng.randrange(len(moves))]
        return move_text(position, move, rng.choice(SCHEMES), short=rng.random() < 0.3)
    return rng.choice(attempts_in(fen, book)) + rng.choice(("", "", "", "", "!", "?", "=K", "=D", " "))


def random_pdn(book: Rulebook, rng: Random) -> str:
    """Return one to three games with tags, comments, variations and results."""
    games = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        tags = [f"[{tag}]" for tag in rng.choices(TAGS, k=rng.randrange(5))]
        if rng.random() < 0.9:
            tags.append(f'[Rulebook "{book.id}"]')
        position = Position.start(book)
        if rng.random() < 0.3:
            position = Position.from_fen(random_fen(book, rng), book)
            tags.append(f'[FEN "{position.fen}"]')
        words = _movetext(position, rng, rng.randrange(24), 0)
        games.append("\n".join(tags) + "\n\n" + " ".join(words) + f" {rng.choice(RESULTS)}\n")
    return "\n".join(games)


def _movetext(position: Position, rng: Random, plies: int, depth: int) -> list[str]:
    words = []
    scheme = rng.choice(SCHEMES[:2]) if rng.random() < 0.2 else ""
    for ply in range(plies):
        moves = position.legal_moves
        if not len(moves):
            break
        move = moves[rng.randrange(len(moves))]
        if ply % 2 == 0 or rng.random() < 0.1:
            words.append(f"{ply // 2 + 1}" + ("." if ply % 2 == 0 else "..."))
        short = rng.random() < 0.5
        words.append(
            move_text(position, move, scheme, short=short) if scheme else move.text.replace(" ", "-")
        )
        if rng.random() < 0.1:
            words.append(rng.choice(COMMENTS))
        if rng.random() < 0.05 and depth < 3:
            words += ["(", *_movetext(position, rng, rng.randrange(6), depth + 1), ")"]
        position = position.play(move)
    return words


@cache
def rules_files() -> list[str]:
    """Return every built-in rulebook as a file of house rules."""
    return [to_toml(book).replace(f'"{book.id}"', '"casa"', 1) for book in rulebooks()]


@cache
def known_answers() -> dict[str, list[str]]:
    """Return the answers to each key of a rules file: those of the built-in rulebooks, and all that are allowed."""
    allowed: dict[str, tuple[object, ...]] = {**DRAW_ANSWERS, **schema.NOTATION}
    for questions in schema.SECTIONS.values():
        allowed |= {question.key: question.allowed for question in questions}
    answers = {key: [_toml(value) for value in values] for key, values in allowed.items()}
    for line in "\n".join(rules_files()).splitlines():
        key, equals, answer = line.partition(" = ")
        if equals and not line.startswith("#"):
            answers.setdefault(key, []).append(answer)
    return answers


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, int) else f'"{value}"'


def random_toml(rng: Random) -> str:
    """Return the rules file of a built-in rulebook with a few other answers and draw laws, most of which fit together."""
    head, *draws = rng.choice(rules_files()).split("\n[[")
    draws += rng.choice(rules_files()).split("\n[[")[1:] if rng.random() < 0.5 else []
    lines = "\n[[".join([head, *rng.sample(draws, len(draws))]).splitlines()
    for _ in range(int(rng.expovariate(0.3))):
        at = rng.randrange(len(lines))
        key, equals, _ = lines[at].partition(" = ")
        if equals and not key.startswith("#"):
            answers = ODD_VALUES if rng.random() < 0.1 else known_answers()[key]
            lines[at] = f"{key} = {rng.choice(answers)}"
    return "\n".join(lines) + "\n"
