"""`damas play`: a game in the terminal between two people or against the computer, judged by the arbiter."""

import argparse
import os
import re
import secrets
import time
from dataclasses import dataclass, replace
from pathlib import Path

from damas.arbiter import PRESETS, Player, Regulation, Table, regulation
from damas.arbiter.regulation import usual_time
from damas.board import Color
from damas.cli.arguments import BadInput, add_flag, add_integer, add_rulebook, readable
from damas.cli.playing.commands import Command
from damas.cli.playing.keyboard import Keyboard
from damas.cli.playing.menu import Menu
from damas.cli.playing.screen import Screen
from damas.cli.playing.session import Session
from damas.cli.playing.store import Store
from damas.engine.opponent import USUAL, Computer
from damas.game import Position
from damas.language import LANGUAGES, language_of
from damas.rules import Rulebook, rulebook
from damas.rules.library import home_rulebook

_DEFAULT_REGULATION = "casual"
_COMPUTER = "computer"
_RANDOM_SEEDS = 1 << 32
_MAX_SEED = 10**18 - 1
_STRENGTH = re.compile(r"(?P<name>.*), level (?P<level>10|[1-9]), seed (?P<seed>[0-9]{1,18})", re.DOTALL)


@dataclass(frozen=True)
class Opponent:
    """The computer as its name in the record describes it, so that a resumed game continues against the same one.

    >>> str(Opponent("computer", 7, 2))
    'computer, level 7, seed 2'
    >>> Opponent.named("computer, level 7, seed 2")
    Opponent(name='computer', level=7, seed=2)
    """

    name: str
    level: int
    seed: int

    @classmethod
    def named(cls, text: str) -> "Opponent":
        """Parse a player name; a name without a level gets the default level and a random seed."""
        match = _STRENGTH.fullmatch(text)
        if match is None:
            return cls(text, USUAL, secrets.randbelow(_RANDOM_SEEDS))
        return cls(match["name"], int(match["level"]), int(match["seed"]))

    def with_options(self, options: argparse.Namespace) -> "Opponent":
        """Return a copy with the level and the seed of the options, where they are given."""
        given = {"level": options.level, "seed": options.seed}
        return replace(self, **{name: value for name, value in given.items() if value is not None})

    def __str__(self) -> str:
        return f"{self.name}, level {self.level}, seed {self.seed}"


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_rulebook(parser, default=None)
    game = parser.add_argument_group("the game")
    game.add_argument(
        "--regulation",
        metavar="REGULATION",
        help=f"{', '.join(PRESETS)}, or your own .toml (default: casual)",
    )
    game.add_argument("--against", choices=("person", "computer"), help="the opponent (default: computer)")
    colour = game.add_mutually_exclusive_group()
    add_flag(colour, "--white", "play White (default)")
    add_flag(colour, "--black", "play Black")
    add_integer(colour, "--lot", 0, _MAX_SEED, "draw the colours by a reproducible lot", metavar="SEED")
    game.add_argument("-f", "--fen", type=readable, metavar="FEN", help="start from this position")
    default_time = f"default: the regulation's; contest: {usual_time('contest')}"
    times = f"such as 20, 5+3, 5b3, 10+5x30s, 30s/move ({default_time})"
    game.add_argument("--time", metavar="CONTROL", help=times)
    add_flag(game, "--touch", "a touched piece must be moved")
    add_flag(game, "--unrecorded", "nobody writes the game down (faraes, Art. 12)")
    game.add_argument(
        "--name", action="append", default=[], metavar="NAME", help="your name; again for the other player"
    )
    level = f"of the computer, 1 to 10 (default: {USUAL}, or that of the resumed game)"
    add_integer(game, "--level", 1, 10, level)
    seed = "makes the computer's play reproducible (default: random, or that of the resumed game)"
    add_integer(game, "--seed", 0, _MAX_SEED, seed)
    files = parser.add_argument_group("files")
    files.add_argument(
        "--save", metavar="FILE", help="save the game in a new .jsonl file, each event as it happens"
    )
    files.add_argument("--resume", metavar="FILE", help="continue a saved game in its file")
    add_flag(parser, "--plain", "text instead of a board, for screen readers")
    homes = ", ".join(f"{home_rulebook(language)} for {language}" for language in LANGUAGES)
    parser.epilog = (
        "Type moves in letters, numbers or rows and columns, or help. Without -r you are asked for the rulebook in a "
        f"terminal; elsewhere, and with -f or --plain, it is that of the language: {homes}."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    keyboard = Keyboard()
    if options.resume:
        return _resume(options, keyboard)
    # Ask questions only in a terminal and only if no option was given.
    ask = keyboard.is_terminal and not options.plain
    menu = Menu(keyboard, options.language)
    if not options.rulebook:
        options.rulebook = menu.rulebook() if ask and not options.fen else home_rulebook(options.language)
        ask = ask and not options.fen
    else:
        ask = False
    if not options.against:
        options.against = menu.against() if ask else "computer"
    chosen = options.white or options.black or options.lot is not None
    if ask and not chosen and options.against == "computer":
        answer = menu.color()
        options.black = answer == "black"
        options.lot = secrets.randbelow(_RANDOM_SEEDS) if answer == "lot" else None
    table = _open(options, rulebook(options.rulebook))
    store = Store(Path(options.save)) if options.save else None
    if store:
        store.create(table)
    return _play(table, options, keyboard, store)


def _open(options: argparse.Namespace, book: Rulebook) -> Table:
    rules = _regulation(options)
    names = [*options.name, "", ""]
    first, second = Player(names[0]), Player(names[1])
    if options.against == "computer":
        opponent = Opponent.named(names[1] or _COMPUTER).with_options(options)
        second = Player(str(opponent), bot=True)
    players = (second, first) if options.black else (first, second)
    lot = options.lot
    if lot is None and rules.lot_under(book):
        if options.white or options.black:
            rules = replace(rules, colours="free")
        else:
            lot = secrets.randbelow(_RANDOM_SEEDS)
    return Table.start(book, rules, players, fen=options.fen, lot=lot, recorded=rules.recorded)


def _regulation(options: argparse.Namespace) -> Regulation:
    rules = regulation(options.regulation or _DEFAULT_REGULATION)
    preset = options.regulation is None or options.regulation.lower() in PRESETS
    if options.time:
        rules = rules.with_time(options.time)
    elif preset:
        rules = rules.with_time(usual_time(rules.id))
    if options.touch:
        rules = replace(rules, touch_move="on")
    return replace(rules, recorded=False) if options.unrecorded else rules


def _resume(options: argparse.Namespace, keyboard: Keyboard) -> int:
    fixed_options = [
        name
        for name in ("regulation", "against", "fen", "time", "save", "lot")
        if getattr(options, name) is not None
    ]
    if fixed_options:
        raise BadInput("cli.bad.settled", name=fixed_options[0])
    store = Store(Path(options.resume))
    table = store.resume(rulebook(options.rulebook) if options.rulebook else None)
    return _play(table, options, keyboard, store)


def _play(table: Table, options: argparse.Namespace, keyboard: Keyboard, store: Store | None) -> int:
    language = language_of(table.book.id, options.language)
    bots = [side for side in Color if table.player(side).bot]
    names = {side: table.player(side).name for side in Color}
    computer = None
    if len(bots) == 1:
        opponent = Opponent.named(names[bots[0]]).with_options(options)
        names[bots[0]] = opponent.name
        computer = Computer(bots[0], opponent.seed, opponent.level)
    full = keyboard.is_terminal and os.environ.get("TERM") != "dumb"
    style = "words" if options.plain else "full" if full else "lines"
    screen = Screen(style, language, computer.side.other if computer else Color.WHITE)
    for side, name in names.items():
        unnamed = _COMPUTER if side in bots else "you" if computer else "player"
        screen.names[side] = name if name not in ("", _COMPUTER) else screen.word(unnamed)
    session = Session(table, screen, keyboard, _milliseconds, computer, store, options.rulebook or "")
    if table.suspended and not table.outcome:
        session.execute(Command("resume", ""))
    if computer:
        session.add_message(screen.word("level", level=computer.level))
    if table.started.lot and table.ply == 0:
        session.add_message(screen.word("lot", seed=table.started.lot.seed))
    first_moves = Position.start(table.book).legal_moves
    session.add_message(screen.word("hello", move=first_moves[len(first_moves) // 2].text))
    try:
        return session.run()
    finally:
        if store:
            store.close()


def _milliseconds() -> int:
    return time.monotonic_ns() // 1_000_000
