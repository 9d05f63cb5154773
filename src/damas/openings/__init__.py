"""Openings: books and ballots to read, openings drawn by lot, statistics of played games, and books made by the engine.

| word       | openings                                                                                     |
|------------|----------------------------------------------------------------------------------------------|
| `start`    | the first position of the rulebook                                                           |
| `ballot`   | random lines of six plies in which neither side can win a man                                |
| `random:N` | N random legal plies                                                                         |
| a name     | a ballot that the rulebook brings (`named_ballots`): `two-move` of `inglesa`                 |
| a file     | PDN: the moves of each game; otherwise an opening on each line, as `damas.openings.book` says |

>>> from itertools import islice
>>> [str(opening) for opening in islice(openings("two-move", "inglesa"), 2)]
['9-13 21-17  # Edinburgh, 21-17', '9-13 22-17  # Edinburgh, 22-17']
>>> [opening.name for opening in islice(openings("ballot", "brasileira", seed=7), 2)]
['ballot 7/1', 'ballot 7/2']
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

from damas.openings.ballot import MAX_RANDOM_PLIES, ballot_hash, ballot_line, random_line
from damas.openings.book import Opening, named_ballots, read_book
from damas.rules import Rulebook

__all__ = [
    "Opening",
    "ballot_hash",
    "ballot_line",
    "is_word",
    "named_ballots",
    "opening",
    "opening_moves",
    "openings",
    "read_book",
    "read_named",
]


def is_word(word: str) -> bool:
    """Whether this is `start`, `ballot` or `random:N`, rather than the name of a ballot or of a file."""
    plies = word.removeprefix("random:")
    return word in ("start", "ballot") or (
        word.startswith("random:") and plies.isdecimal() and 0 < int(plies) <= MAX_RANDOM_PLIES
    )


def read_named(which: str, book: Rulebook | str) -> tuple[Opening, ...]:
    """The openings of a ballot of the rulebook or of a file; raises `FileNotFoundError` where there is neither."""
    return read_book(named_ballots(book).get(which) or Path(which), book)


def openings(which: str, book: Rulebook | str, seed: int | None = None) -> Iterator[Opening]:
    """The openings that a word, a name or a file stands for: without end for `ballot` and `random:N`.

    A book is in its own order, or with a `seed` in the order in which a tournament with that seed draws it; a ballot
    without a seed is that of seed 1.
    """
    lines = () if is_word(which) else tuple(map(str, read_named(which, book)))
    if lines and seed is None:
        return map(Opening.parse, lines)
    numbers = range(len(lines)) if lines else range(1) if which == "start" else count()
    return (opening(which, lines, book, number, 1 if seed is None else seed) for number in numbers)


def opening(word: str, lines: Sequence[str], book: Rulebook | str, number: int, seed: int = 1) -> Opening:
    """The opening of a number, from 0, in a tournament with a seed; `lines` are those of its book, if it has one.

    The same number always gives the same opening; in the ballot as long as the search that checks it stays the same.

    >>> opening("random:2", (), "brasileira", 0) == opening("random:2", (), "brasileira", 0)
    True
    >>> opening("", ("W:WKa1:Bd4", "c3-d4 f6-g5"), "brasileira", 3, seed=5).fen is None
    False
    """
    if word == "start":
        return Opening()
    name = f"{word} {seed}/{number + 1}"
    if word == "ballot":
        return Opening.of(ballot_line(book, number, seed), name)
    if word.startswith("random:"):
        plies = int(word.removeprefix("random:"))
        return Opening.of(random_line(book, number, seed, plies), name)
    places = list(range(len(lines)))
    Random(f"{seed}/openings").shuffle(places)
    place = places[number % len(lines)]
    drawn = Opening.parse(lines[place])
    return drawn if drawn.name else replace(drawn, name=f"{word} {place + 1}")


def opening_moves(which: str, book: Rulebook | str, number: int, seed: int) -> str:
    """Opening `number`, from 1, as a line of a ballot: its position where it is not the first one, and its moves.

    >>> opening_moves("two-move", "inglesa", 1, 7) == opening_moves("two-move", "inglesa", 1, 7)
    True
    """
    lines = () if is_word(which) else tuple(map(str, read_named(which, book)))
    drawn = opening(which, lines, book, number - 1, seed)
    return " ".join(filter(None, (drawn.fen, *drawn.moves)))
