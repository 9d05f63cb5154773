"""Random games, by a seed, that reach the limits of draw laws, and the verdicts of core and oracle on every ply.

The moves are chosen by the oracle and written as text, so that the core reads, plays and judges them by itself.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from damas import Rulebook, rulebook
from damas.game import LETTER, Game
from damas.game.game import applicable
from damas.game.laws import progress_of
from oracle.board import long_diagonal, start, write_fen
from oracle.books import BOOKS, Book
from oracle.draws import Referee
from oracle.hostile import calm, endings
from oracle.moves import Move, every_capture, read_move, text

MAX_PLIES = 130

RULES: dict[str, dict[str, str]] = {
    book_id: dict(
        zip(book.draws, (law.id for law in rulebook(book_id).draws if not law.platform), strict=True)
    )
    for book_id, book in BOOKS.items()
}
"""The oracle's name of each law with the id of the same law in the rulebook's file: both list them in one order."""


@dataclass(frozen=True)
class TextGame:
    """A game as text; the word `claim` among the moves is a player's claim."""

    book: str
    fen: str
    moves: tuple[str, ...]
    recorded: bool
    results: tuple[str, ...]
    """The result by the oracle before the first ply and after each."""
    complete: tuple[frozenset[str], ...]
    """The laws whose limit is reached at each of those moments, by the oracle's names."""


# --- how the games are played -----------------------------------------------------

Policy = Callable[[Referee, list[Move], Random], Move]


def careless(_: Referee, moves: list[Move], dice: Random) -> Move:
    return dice.choice(moves)


def careful(referee: Referee, moves: list[Move], dice: Random) -> Move:
    """Play a random move that lets nothing be captured, if there is one."""
    return dice.choice(safe(referee.book, moves) or moves)


def shuttling(referee: Referee, moves: list[Move], dice: Random) -> Move:
    """Return to an earlier position nine times out of ten, if possible."""
    back = [move for move in moves if referee.seen[move.becomes.key()]]
    return dice.choice(back) if back and dice.random() < 0.9 else careful(referee, moves, dice)


def patient(referee: Referee, moves: list[Move], dice: Random) -> Move:
    """Let nothing be captured, repeat nothing, and move a man only after many king moves."""
    due = 20 + referee.plies % 9
    fresh = [move for move in safe(referee.book, moves) or moves if not referee.seen[move.becomes.key()]]
    men = [move for move in fresh if referee.position.pieces[move.origin].islower() and not move.promotes]
    chosen = men if referee.king_plies >= due else of_kings(referee, fresh)
    return dice.choice(chosen or fresh or moves)


def royal(referee: Referee, moves: list[Move], dice: Random) -> Move:
    """Let nothing be captured, repeat nothing, and move kings only."""
    fresh = [move for move in safe(referee.book, moves) or moves if not referee.seen[move.becomes.key()]]
    return dice.choice(of_kings(referee, fresh) or fresh or moves)


def of_kings(referee: Referee, moves: list[Move]) -> list[Move]:
    """The moves of kings; under a law of the long diagonal, those that do not leave it."""
    kings = [move for move in moves if referee.position.pieces[move.origin].isupper()]
    if "diagonal" not in referee.book.draws:
        return kings
    diagonal = long_diagonal(referee.book)
    return [move for move in kings if move.to in diagonal or move.origin not in diagonal] or kings


def safe(book: Book, moves: list[Move]) -> list[Move]:
    return [move for move in moves if not move.captured and not every_capture(book, move.becomes)]


def played(book: Book, fen: str, policy: Policy, dice: Random, recorded: bool = True) -> TextGame:
    """A game by a policy until the oracle ends it or it has `MAX_PLIES`."""
    referee = Referee(book, fen, recorded)
    moves: list[str] = []
    results, complete = [referee.result], [reached(referee)]
    while referee.result == "*" and referee.plies < MAX_PLIES:
        if not recorded and "article 12" in book.draws and dice.random() < 0.1:
            referee.claim()
            moves.append("claim")
        move = policy(referee, referee.legal(), dice)
        moves.append(text(book, move))
        referee.play(move)
        results.append(referee.result)
        complete.append(reached(referee))
    return TextGame(book.id, fen, tuple(moves), recorded, tuple(results), tuple(complete))


def reached(referee: Referee) -> frozenset[str]:
    """Every law of the book whose limit is reached, not only the first."""
    laws = set()
    for rule, limit in referee.book.draws.items():
        if rule == "cycle":
            over = referee.cycled(limit)
        elif rule == "duel":
            kings = sorted(referee.position.pieces.values()) == ["B", "W"]
            over = kings and not referee.capture_comes(limit)
        else:
            counter = referee.counters[rule]
            over = counter is not None and counter >= limit
        if over:
            laws.add(rule)
    return frozenset(laws)


@cache
def lines(book_id: str, seed: int, count: int) -> tuple[TextGame, ...]:
    """`count` games, whole ones and endings, by every policy, and one more for each law that reaches its limit."""
    book = BOOKS[book_id]
    dice = Random(f"{book_id}:games:{seed}")
    kinds: list[tuple[Policy, Iterator[str]]] = [
        (careful, endings(book, seed, count)),
        (shuttling, endings(book, seed + 1, count)),
        (patient, endings(book, seed + 2, count)),
        (careless, iter([write_fen(book, start(book))] * count)),
    ]
    games = []
    for number in range(count):
        policy, fens = kinds[number % len(kinds)]
        recorded = book_id != "faraes" or dice.random() < 0.5
        games.append(played(book, next(fens), policy, dice, recorded))
    return *games, *(to_the_limit(book, law, seed) for law in book.draws)


TO_THE_LIMIT: dict[str, tuple[Policy, tuple[str, ...]]] = {
    "repetition": (shuttling, ("KK-KK",)),
    "cycle": (shuttling, ("KK-KK",)),
    "king plies": (royal, ("KKM-KM", "KKM-KKM")),
    "quiet plies": (patient, ("KM-KM",)),
    "five": (patient, ("KK-KK", "KK-K", "KK-KM", "KM-K")),
    "two v king": (patient, ("KK-K", "KM-K")),
    "three v king": (patient, ("KKK-K", "KKM-K", "KMM-K")),
    "diagonal": (patient, ("KKM-K", "KMM-K")),
    "kings v king": (patient, ("KKK-K", "KKKK-K")),
    "balance 4-5": (patient, ("KM-KM", "KMM-KM", "KMMM-K")),
    "balance 6-7": (patient, ("KMM-KMM", "KMMM-KM", "KMMMM-K")),
    "strong": (patient, ("KKK-K",)),
    "article 12": (patient, ("KKK-K",)),
    "forcada": (patient, ("KKK-K",)),
    "fpd": (patient, ("KM-KM", "KMMM-KM")),
    "two kings": (patient, ("KK-K",)),
    "duel": (patient, ("K-K",)),
}
"""For each law the policy and the pieces with which games reach its limit most often."""
TRIES = 100


def to_the_limit(book: Book, law: str, seed: int) -> TextGame:
    """The first game by the law's policy that the law ends; the last one tried if none does."""
    dice = Random(f"{book.id}:{law}:{seed}")
    policy, balances = TO_THE_LIMIT[law]
    for _ in range(TRIES):
        line = played(book, calm(book, dice, dice.choice(balances)), policy, dice)
        if law in line.complete[-1]:
            break
    return line


@cache
def stored(book_id: str) -> tuple[TextGame, ...]:
    """The games of games.txt: each law at its limit, and everything that restarts or suspends it."""
    games = []
    for row in (Path(__file__).with_name("games.txt")).read_text(encoding="utf-8").splitlines():
        if row.startswith(f"{book_id} |"):
            _, recorded, fen, moves = (field.strip() for field in row.split("|"))
            games.append(judged(BOOKS[book_id], fen, tuple(moves.split()), recorded == "recorded"))
    return tuple(games)


def judged(book: Book, fen: str, moves: tuple[str, ...], recorded: bool) -> TextGame:
    """A game with the verdict of the oracle on every ply."""
    referee = Referee(book, fen, recorded)
    results, complete = [referee.result], [reached(referee)]
    for move in moves:
        if move == "claim":
            referee.claim()
            continue
        referee.play(read_move(book, referee.position, move))
        results.append(referee.result)
        complete.append(reached(referee))
    return TextGame(book.id, fen, moves, recorded, tuple(results), tuple(complete))


# --- what is compared -------------------------------------------------------------


def difference(line: TextGame, book: Rulebook) -> str | None:
    """How the core differs from the oracle on a game, in results or complete laws at any ply; None if they agree."""
    game = Game.start(book, fen=line.fen, recorded=line.recorded, customs=LETTER)
    ply = 0
    difference_here = _difference_at(line, game, ply)
    for move in line.moves:
        if difference_here:
            return difference_here
        if move == "claim":
            limit = RULES[line.book]["article 12"]
            if any(rule.id == limit for rule in book.draws):  # a changed book may be without it
                game = game.call_attention(limit)
            continue
        game = game.play(move)
        ply += 1
        difference_here = _difference_at(line, game, ply)
    return difference_here


def _difference_at(line: TextGame, game: Game, ply: int) -> str | None:
    where = f"{line.fen} {' '.join(line.moves)}: after ply {ply}"
    result = game.outcome.result if game.outcome else "*"
    if result != line.results[ply]:
        return f"{where} {result}, {line.results[ply]} by the oracle"
    if game.outcome and game.outcome.reason in ("NO_PIECES", "NO_MOVES"):
        return None
    running = progress_of(game.record, applicable(game.record.rulebook, LETTER))
    complete = {progress.rule.id for progress in running if progress.complete}
    expected = {RULES[line.book][rule] for rule in line.complete[ply]}
    if complete != expected:
        return f"{where} complete are {sorted(complete)}, by the oracle {sorted(expected)}"
    if game.outcome and len(expected) == 1 and game.outcome.rule not in expected:
        return f"{where} the game ended by {game.outcome.rule}"
    return None
