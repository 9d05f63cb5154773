"""Where games begin. Both games of a pair have the same opening, with colours changed.

| word       | openings                                                                       |
|------------|--------------------------------------------------------------------------------|
| `start`    | the first position of the rulebook                                             |
| `ballot`   | random lines of six plies in which neither side can win a man                  |
| `random:N` | N random legal plies                                                           |
| a file     | PDN: the moves of each game; otherwise a FEN or moves on each line, # a remark |

The contents of a file are written into the tournament when it begins, so the file may change afterwards.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from damas.engine.engine import Engine
from damas.engine.levels import settled
from damas.engine.limits import Limits
from damas.errors import NotationError, Problem
from damas.game import Game, Position
from damas.matches.terms import Start
from damas.notation import BadGame, read_games
from damas.rules import Rulebook, rulebook

BALLOT_PLIES = 6
"""Plies of a line of the ballot."""
BALLOT_LIMITS = Limits(depth=12, nodes=100_000)
"""How deep a line of the ballot is searched for a man that can be won."""
MAX_BALLOT_SCORE = 60
"""Less than a man, which is 100."""
MAX_RANDOM_PLIES = 40
"""The most plies of a random opening."""
MAX_ATTEMPTS = 1000
"""Random lines that are tried for one opening."""
MAX_PDN_PLIES = 24
"""Plies of a recorded game that are taken as its opening."""
MOVE_NUMBER = re.compile(r"^\d+\.+")
"""A number before a move, as in 1."""


def opening(word: str, lines: Sequence[str], book: Rulebook | str, number: int, seed: int = 1) -> Start:
    """The opening of a number among those that a word names. The same number always gives the same opening; in the
    ballot as long as the search that checks it stays the same.

    >>> opening("random:2", (), "brasileira", 0) == opening("random:2", (), "brasileira", 0)
    True
    >>> opening("", ("W:WKa1:Bd4", "c3-d4 f6-g5"), "brasileira", 3, seed=5).fen is None
    False
    """
    if word == "start":
        return Start()
    if word == "ballot":
        return Start(moves=_texts(ballot_line(book, number, seed)))
    if word.startswith("random:"):
        plies = int(word.removeprefix("random:"))
        return Start(moves=_texts(_random_line(book, f"random/{{id}}/{seed}/{number}", plies)))
    places = list(range(len(lines)))
    Random(f"{seed}/openings").shuffle(places)
    return read_line(lines[places[number % len(lines)]])


def ballot_line(book: Rulebook | str, number: int, seed: int = 1, plies: int = BALLOT_PLIES) -> Game:
    """One line of the ballot. Networks have no part in it, so it stays the same when they change.

    >>> [move.text for move in ballot_line("brasileira", 0).record.moves]
    ['e3-f4', 'b6-a5', 'f2-e3', 'f6-g5', 'f4-e5', 'd6xf4']
    """
    return _random_line(book, f"{{id}}/{seed}/{number}", plies, _is_balanced)


def ballot_hash(book: Rulebook | str, count: int = 20, seed: int = 1) -> str:
    """Identifies a ballot by its first lines."""
    lines = [" ".join(_texts(ballot_line(book, number, seed))) for number in range(count)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _random_line(
    book: Rulebook | str, seed: str, plies: int, accept: Callable[[Game], bool] = lambda _: True
) -> Game:
    book = rulebook(book) if isinstance(book, str) else book
    for attempt in range(MAX_ATTEMPTS):
        random = Random(f"{seed.format(id=book.id)}/{attempt}")
        game = Game.start(book)
        while game.record.length < plies and not game.outcome:
            game = game.play(random.choice(sorted(game.legal_moves, key=lambda move: move.route)))
        if not game.outcome and accept(game):
            return game
    raise ValueError(f"{book.id}: no opening of {plies} random plies can be used")


def _is_balanced(game: Game) -> bool:
    """Whether a short search sees less than a man's advantage for either side."""
    if settled(game.position):  # a quick test that rejects most lines
        return False
    with Engine(game.record.rulebook, network=False, tables=False, hash_mb=1) as engine:
        return abs(engine.search(game, BALLOT_LIMITS).lines[0].score) < MAX_BALLOT_SCORE


def _texts(game: Game) -> tuple[str, ...]:
    return tuple(move.text for move in game.record.moves)


def is_word(word: str) -> bool:
    """Whether this is one of the words rather than the name of a file."""
    plies = word.removeprefix("random:")
    return word in ("start", "ballot") or (
        word.startswith("random:") and plies.isdecimal() and 0 < int(plies) <= MAX_RANDOM_PLIES
    )


def read_file(path: Path, book: Rulebook | str) -> tuple[str, ...]:
    """The openings of a file, one a line; raises at the first that cannot be played."""
    text = path.read_text(encoding="utf-8")
    lines = tuple(_from_pdn(text, book) if path.suffix.lower() == ".pdn" else _from_lines(text))
    if not lines:
        raise NotationError(path.name, (Problem("UNREADABLE", path.name, 0),))
    for line in lines:
        first = read_line(line)
        game = Game.start(book, fen=first.fen)
        for move in first.moves:
            game = game.play(move)
    return lines


def _from_lines(source: str) -> Iterator[str]:
    lines = (line.partition("#")[0].strip() for line in source.splitlines())
    return filter(None, lines)


def _from_pdn(text: str, book: Rulebook | str) -> Iterator[str]:
    """Moves, and the FEN before them where the game has one: `W:W…:B… | c3-d4 …`."""
    start = Position.start(book)
    for game in read_games(text, rulebook=book):
        if isinstance(game, BadGame):
            continue
        moves = " ".join(f"{node.move.text} ;" for node in game.moves[:MAX_PDN_PLIES])
        first = "" if game.start.fen == start.fen else game.start.fen
        if moves or first:
            yield f"{first} | {moves}" if first and moves else first or moves


def read_line(line: str) -> Start:
    """Reads a FEN, moves, or both with a bar between them. Moves are separated by `;`, or by spaces if none has a space."""
    head, bar, tail = line.partition("|")
    if bar:
        return Start(fen=head.strip(), moves=_moves(tail))
    if line[:2].upper() in ("W:", "B:"):
        return Start(fen=line.strip())
    return Start(moves=_moves(line))


def _moves(text: str) -> tuple[str, ...]:
    words = text.split(";") if ";" in text else text.split()
    moves = (MOVE_NUMBER.sub("", word.strip()) for word in words)
    return tuple(move for move in moves if move)
