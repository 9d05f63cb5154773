"""Breaks texts: the mistakes of people, of other programs and of attackers. Everything comes from one seeded source."""

from collections.abc import Callable, Sequence
from random import Random

LONGEST = 20_000
"""Characters; what costs more than it shows is cut."""

ODD = (
    "\x00", "\t", "\n", "\r\n", "\r", "\x1a", " ", "\u00a0", "\u2028", "\ufeff", "\ud800", "\udfff", "×", "–", "é", "Ⅷ",
    "١", "²", "🏁", "\x7f", "\u0301", '"', "'", "\\", "{", "}", "(", ")", "[", "]", "<", ">", ";", "%", "$", "#", "=", "*",
    "/", "&", "|", "^", "~", "`", "@", "+", "-", "--", "_", ".", "..", ",", ",,", ":", "::", "?", "!", "0", "00", "-1", "1e9",
)  # fmt: skip


class Mutator:
    """Seeded; `words` are pieces that mean something to the reader at hand, `seeds` whole texts."""

    def __init__(self, rng: Random, words: Sequence[str], seeds: Sequence[str]) -> None:
        self.rng = rng
        self.words = words
        self.seeds = seeds
        self.ways: list[Callable[[str], str]] = [
            self._delete, self._delete, self._insert_odd, self._insert_word, self._insert_word, self._replace_character,
            self._replace_character, self._swap, self._double, self._repeat_much, self._cut, self._splice, self._case,
            self._number, self._number, self._shuffle_lines, self._bytes,
        ]  # fmt: skip

    def __call__(self, text: str) -> str:
        """One to eight mistakes; small ones are likelier, so that many inputs are nearly right."""
        for _ in range(min(8, 1 + int(self.rng.expovariate(0.8)))):
            text = self.rng.choice(self.ways)(text)
        return text[:LONGEST]

    def noise(self) -> str:
        """Characters without any sense."""
        size = min(400, int(self.rng.expovariate(0.02)))
        kind = self.rng.randrange(4)
        if kind == 0:
            return self.rng.randbytes(size).decode("latin-1")
        if kind == 1:
            return self.rng.randbytes(size).decode("utf-8", "surrogateescape")
        if kind == 2:
            return "".join(self.rng.choice(ODD) for _ in range(size))
        return "".join(chr(self.rng.randrange(32, 127)) for _ in range(size))

    def word_salad(self) -> str:
        """Pieces that mean something, in an order that means nothing."""
        glue = self.rng.choice(("", " ", ",", "\n", "x", "-"))
        return glue.join(self.rng.choice(self.words) for _ in range(self.rng.randrange(1, 30)))

    def _span(self, text: str) -> tuple[int, int]:
        start = self.rng.randrange(len(text) + 1)
        return start, min(len(text), start + 1 + int(self.rng.expovariate(0.3)))

    def _delete(self, text: str) -> str:
        start, end = self._span(text)
        return text[:start] + text[end:]

    def _insert(self, text: str, what: str) -> str:
        at = self.rng.randrange(len(text) + 1)
        return text[:at] + what + text[at:]

    def _insert_odd(self, text: str) -> str:
        return self._insert(text, self.rng.choice(ODD))

    def _insert_word(self, text: str) -> str:
        return self._insert(text, self.rng.choice(self.words))

    def _replace_character(self, text: str) -> str:
        if not text:
            return text
        at = self.rng.randrange(len(text))
        new = self.rng.choice(ODD) if self.rng.random() < 0.3 else chr(self.rng.randrange(32, 127))
        return text[:at] + new + text[at + 1 :]

    def _swap(self, text: str) -> str:
        (a, b), (c, d) = sorted((self._span(text), self._span(text)))
        return text if b > c else text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]

    def _double(self, text: str) -> str:
        start, end = self._span(text)
        return text[:end] + text[start:]

    def _repeat_much(self, text: str) -> str:
        start, end = self._span(text)
        times = self.rng.choice((2, 3, 8, 40, 300))
        return text[:start] + text[start:end] * times + text[end:]

    def _cut(self, text: str) -> str:
        return text[: self.rng.randrange(len(text) + 1)]

    def _splice(self, text: str) -> str:
        other = self.rng.choice(self.seeds)
        start, end = sorted((self.rng.randrange(len(other) + 1), self.rng.randrange(len(other) + 1)))
        return self._insert(text, other[start : min(end, start + 200)])

    def _case(self, text: str) -> str:
        start, end = self._span(text)
        return text[:start] + text[start:end].swapcase() + text[end:]

    def _number(self, text: str) -> str:
        digits = [i for i, letter in enumerate(text[:2000]) if letter.isdigit()]
        if not digits:
            return text
        at = self.rng.choice(digits)
        numbers = (
            "0",
            "1",
            "7",
            "8",
            "9",
            "12",
            "13",
            "32",
            "33",
            "50",
            "51",
            "72",
            "73",
            "99",
            "255",
            "256",
            "4294967297",
            "9" * 40,
        )
        return text[:at] + self.rng.choice(numbers) + text[at + 1 :]

    def _shuffle_lines(self, text: str) -> str:
        lines = text.split("\n")
        if len(lines) < 3:
            return text
        at, to = self.rng.randrange(len(lines)), self.rng.randrange(len(lines))
        lines.insert(to, lines.pop(at))
        return "\n".join(lines)

    def _bytes(self, text: str) -> str:
        """What an editor of another encoding leaves behind."""
        data = bytearray(text.encode("utf-8", "surrogatepass"))
        if not data:
            return text
        data[self.rng.randrange(len(data))] ^= 1 << self.rng.randrange(8)
        return data.decode("utf-8", self.rng.choice(("replace", "surrogateescape", "ignore")))
