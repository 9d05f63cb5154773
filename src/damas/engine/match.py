"""Matches: pairs of games from one opening with colours changed, a sequential test, and the games kept.

Openings come from a ballot: so many random plies, drawn by a seed, kept if neither side loses a man by them. It changes
only if the search does; its hash is told with every result.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from damas.board import Color
from damas.engine.engine import Engine, Place
from damas.engine.levels import settled
from damas.engine.limits import Limits
from damas.game import Game, Move
from damas.language import Saying
from damas.notation import PdnGame, result_of, write_game
from damas.rules import Rulebook, rulebook
from damas.tournaments.sprt import Sample, Test

OPENING_PLIES = 6
FAIR = Limits(depth=12, nodes=100_000)
"""How far ahead an opening is looked at, by counting pieces alone."""
LESS_THAN_A_MAN = 60
LONGEST = 400
"""Plies after which a game is given up as drawn; the laws end nearly all before."""


class Player(Protocol):
    """Whoever can be asked for a move."""

    @property
    def name(self) -> str: ...

    def new_game(self) -> None:
        """The next move it is asked for is of another game."""

    def choose(self, place: Place, limits: Limits | None = None) -> Move | None:
        """A legal move; raises `Forfeit` if it cannot go on."""

    def close(self) -> None:
        """Gives back what it holds."""


class Forfeit(Exception):
    """A player that died, was late or played what is not legal: its game is lost, and counted apart.

    >>> Forfeit("forfeit.died", {"code": 3}).sentence("es")
    'terminó con el código 3'
    """

    def __init__(self, key: str, facts: Mapping[str, object] | None = None) -> None:
        super().__init__(key, facts)
        self.saying = Saying(key, facts or {})

    def sentence(self, language: str) -> str:
        return self.saying.sentence(language)

    @property
    def cause(self) -> str:
        """The key of what went wrong, whatever else is told with it."""
        why = self.saying.facts.get("why")
        return why.key if isinstance(why, Saying) and why.key.startswith("forfeit.") else self.saying.key

    def __str__(self) -> str:
        return self.sentence("en")


class NeverStarted(Forfeit):
    """A program that has not come to life once: there is nobody to lose a game, and no game to count."""

    def __init__(self, program: str, why: Saying) -> None:
        super().__init__(why.key, why.facts)
        self.args = (program, why)  # with which it is made again in another process
        self.program = program


class EnginePlayer:
    """Our engine with fixed limits. It forgets between games, and only then."""

    def __init__(self, book: Rulebook | str, limits: Limits, name: str = "damas", **options: object) -> None:
        self.name = name
        self.limits = limits
        self.engine = Engine(book, **options)  # type: ignore[arg-type]

    def new_game(self) -> None:
        self.engine.forget()

    def choose(self, place: Place, limits: Limits | None = None) -> Move | None:
        return self.engine.search(place, limits if limits and not self.limits.bounded else self.limits).best

    def close(self) -> None:
        self.engine.close()


@dataclass(frozen=True)
class TimeControl:
    """Seconds for the whole game and for each move made."""

    seconds: float
    increment: float = 0.0


@dataclass(frozen=True)
class Played:
    """One game: how it ended for White (1, 1/2, 0), and its text."""

    opening: int
    points: float
    white: str
    black: str
    fault: Saying | None
    """Who forfeited and why, if anybody did."""
    pdn: str
    game: Game | None
    """None if it was played in another process."""

    @property
    def forfeit(self) -> str:
        """The fault in English, as the game's text has it, or nothing."""
        return self.fault.sentence("en") if self.fault else ""


def _written(game: Game, points: float, white: str, black: str, opening: int, fault: Saying | None) -> str:
    tags = {"Event": "damas match", "Round": str(opening + 1), "White": white, "Black": black}
    if fault:
        tags["Termination"] = fault.sentence("en")
    winner = {1.0: Color.WHITE, 0.0: Color.BLACK}.get(points)
    record = game.record
    result = result_of(winner, record.rulebook)
    return write_game(PdnGame.of(record.start, record.moves, tags=tags, result=result))


# --- openings ------------------------------------------------------------------------------


def opening(book: Rulebook | str, number: int, seed: int = 1, plies: int = OPENING_PLIES) -> Game:
    """One line of the ballot. It stays the same while networks come and go: they have no say in it. Neither side can
    win a man within the next plies, so that a game is decided by who plays it.

    >>> [move.text for move in opening("brasileira", 0).record.moves]
    ['e3-f4', 'b6-a5', 'f2-e3', 'f6-g5', 'f4-e5', 'd6xf4']
    """
    book = rulebook(book) if isinstance(book, str) else book
    for attempt in range(1000):
        chance = Random(f"{book.id}/{seed}/{number}/{attempt}")
        game = Game.start(book)
        while game.record.length < plies and not game.outcome:
            game = game.play(chance.choice(sorted(game.legal_moves, key=lambda move: move.route)))
        if not game.outcome and game.record.length == plies and _fair(game):
            return game
    raise ValueError(f"{book.id}: no opening of {plies} plies is fair")


def _fair(game: Game) -> bool:
    if settled(game.position):  # quickly said, of most
        return False
    with Engine(game.record.rulebook, network=False, tables=False, hash_mb=1) as engine:
        return abs(engine.search(game, FAIR).lines[0].score) < LESS_THAN_A_MAN


def ballot_hash(book: Rulebook | str, count: int = 20, seed: int = 1, plies: int = OPENING_PLIES) -> str:
    """Names a ballot by its first lines."""
    lines = [" ".join(m.text for m in opening(book, n, seed, plies).record.moves) for n in range(count)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


# --- games ---------------------------------------------------------------------------------


def play_out(
    start: Game, white: Player, black: Player, *, number: int = 0, control: TimeControl | None = None
) -> Played:
    """A game to its end; both are told that it begins. Whoever is late, silent or illegal loses it; raises `NeverStarted`
    for who was never there.
    """
    players = {Color.WHITE: white, Color.BLACK: black}
    clocks = dict.fromkeys(Color, control.seconds) if control else {}
    game = start
    fault, loser = None, None
    white.new_game()
    if black is not white:
        black.new_game()
    while not game.outcome and game.record.length < LONGEST:
        side = game.position.turn
        try:
            game = game.play(_asked(players[side], game, clocks, control))
        except NeverStarted:
            raise
        except Forfeit as why:
            fault, loser = Saying("forfeit.by", {"name": players[side].name, "why": why.saying}), side
            break
    winner = loser.other if loser else game.outcome.winner if game.outcome else None
    points = 0.5 if winner is None else 1.0 if winner is Color.WHITE else 0.0
    text = _written(game, points, white.name, black.name, number, fault)
    return Played(number, points, white.name, black.name, fault, text, game)


def _asked(player: Player, game: Game, clocks: dict[Color, float], control: TimeControl | None) -> Move:
    """The player's move, and its clock set; raises `Forfeit` for none in time and for one that is not legal."""
    side = game.position.turn
    limits = Limits(clock=clocks[side], increment=control.increment) if control else None
    began = time.monotonic()
    move = player.choose(game, limits)
    if control:
        clocks[side] -= time.monotonic() - began
        if clocks[side] < 0:
            raise Forfeit("forfeit.time")
        clocks[side] += control.increment
    if move is None:
        raise Forfeit("forfeit.no_move")
    if move not in game.legal_moves:
        raise Forfeit("forfeit.illegal", {"move": move.text})
    return move


def play_pair(
    book: Rulebook | str,
    number: int,
    first: Player,
    second: Player,
    *,
    seed: int = 1,
    control: TimeControl | None = None,
) -> tuple[Played, Played]:
    """One opening, colours changed."""
    start = opening(book, number, seed)
    one = play_out(start, first, second, number=number, control=control)
    other = play_out(start, second, first, number=number, control=control)
    return one, other


def pair_points(pair: tuple[Played, Played]) -> float:
    """Of the first player."""
    return pair[0].points + 1 - pair[1].points


@dataclass
class Standing:
    """A match so far, for the first player."""

    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: list[Saying] = field(default_factory=list)

    @property
    def forfeits(self) -> list[str]:
        """The faults in English."""
        return [fault.sentence("en") for fault in self.faults]

    def add(self, pair: tuple[Played, Played]) -> None:
        self.pairs[round(2 * pair_points(pair))] += 1
        for points in (pair[0].points, 1 - pair[1].points):
            self.wins += points == 1
            self.draws += points == 0.5
            self.losses += points == 0
        self.faults += [played.fault for played in pair if played.fault]

    @property
    def games(self) -> int:
        return 2 * sum(self.pairs)

    @property
    def sample(self) -> Sample:
        return Sample(tuple(self.pairs))


Report = Callable[[Standing, tuple[Played, Played]], None]


def match(
    book: Rulebook | str,
    first: Player,
    second: Player,
    *,
    pairs: int,
    test: Test | None = None,
    seed: int = 1,
    control: TimeControl | None = None,
    report: Report | None = None,
) -> Standing:
    """Pairs until there are enough, or until the test has its answer."""
    standing = Standing()
    for number in range(pairs):
        pair = play_pair(book, number, first, second, seed=seed, control=control)
        standing.add(pair)
        if report:
            report(standing, pair)
        if test and test.verdict(standing.sample) != "open":
            break
    return standing


def score_of(
    book: Rulebook | str, first: Player, second: Player, pairs: int, seed: int = 1
) -> tuple[float, Sample]:
    """The first player's points a game."""
    sample = match(book, first, second, pairs=pairs, seed=seed).sample
    return sample.score, sample
