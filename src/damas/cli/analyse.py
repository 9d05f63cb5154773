"""`damas analyse`: the mistakes of each game of PDN files, with an annotated PDN and a graph."""

import argparse
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from damas.cli import page
from damas.cli.analyse_games import DEFAULT_NODES, GameAnalysis, NumberedGame, files_of, games_of
from damas.cli.answers import print_json
from damas.cli.arguments import BadInput, add_cluster, add_integer, add_rulebook
from damas.cli.best import add_engine, add_move_limits
from damas.cli.new_file import NewFile
from damas.cli.progress import ProgressBar
from damas.errors import NotationError
from damas.jobs import Ledger, run_pieces
from damas.jobs.interrupts import uninterrupted
from damas.language import Saying, rulebook_word, sentence
from damas.notation import BadGame, PdnGame
from damas.rules import Rulebook, rulebook
from damas.views.errors import error_view

SKIPPED = 3
"""Exit code: some games could not be read."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="PDN with one or many games, or a folder of them; - for standard input",
    )
    add_rulebook(parser, default=None)
    add_move_limits(parser, DEFAULT_NODES)
    parser.add_argument("--pdn", type=Path, metavar="OUT", help="write the annotated games to a new PDN file")
    parser.add_argument(
        "--svg",
        type=Path,
        metavar="OUT",
        help="write the winning chances of the first game to a new SVG file",
    )
    add_engine(parser)
    place = parser.add_mutually_exclusive_group()
    add_integer(place, "--jobs", 1, 256, "games at a time", default=1)
    add_cluster(place)
    parser.add_argument(
        "--ledger",
        type=Path,
        metavar="FILE",
        help="keep finished games there; the same command then goes on with the others",
    )
    parser.epilog = (
        "Exit code 0: every game was analysed. 3: some could not be read. 2: none could be read, or a file could not be "
        "written; existing files are never overwritten. -r is for games that name no rulebook, or only a GameType that "
        "it shares: a game that names another rulebook is analysed by its own, with a remark."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    book = rulebook(options.rulebook) if options.rulebook else None
    source = _Source(files_of(options.files), book, options)
    work = GameAnalysis.of(options)
    with ExitStack() as opened:
        source.read_first()
        # Open the files before the analysis, so that an unwritable one is reported at once.
        with uninterrupted():  # a signal finds them where they will be removed
            pdn = opened.enter_context(NewFile(options.pdn)) if options.pdn else None
            svg = opened.enter_context(NewFile(options.svg)) if options.svg else None
        ledger = opened.enter_context(Ledger.open(options.ledger, asdict(work))) if options.ledger else None
        progress = _Progress(source)
        any_mistakes = False
        results = run_pieces(
            work,
            source.games(),
            keeper=ledger,
            jobs=options.jobs,
            cluster=options.cluster,
            listener=progress.show_plies,
        )
        for piece, result in results:
            progress.finish(piece)
            source.report_bad_games(until=piece.number)
            any_mistakes = any_mistakes or result["mistakes"]
            if options.json:
                print_json(result["view"])
            else:
                print(_text(piece, result["rows"], options.language), flush=True)
            if svg and result["svg"]:
                svg.write(result["svg"])
            if pdn:
                pdn.write(("\n" if pdn.written else "") + result["pdn"])
        source.report_bad_games()
    source.require_games()
    if any_mistakes and not options.json:
        print("\n" + page.paragraph(sentence("analysis.legend", options.language)))
    return SKIPPED if source.bad else 0


class _Source:
    """The games of all files, read one file after the other."""

    def __init__(self, files: list[str], book: Rulebook | None, options: argparse.Namespace) -> None:
        self.files, self.book, self.options = files, book, options
        self.good = self.bad = self.files_read = self.plies = 0
        self._read: deque[list[PdnGame | BadGame]] = deque()
        self._bad_games: deque[tuple[int, str, BadGame]] = deque()

    def read_first(self) -> None:
        """Reads the first file, so that one that cannot be read is reported before anything is written."""
        if self.files:
            self._read.append(self._games_of(self.files[0]))
        if len(self.files) <= 1 and not self.good:
            self.report_bad_games()
            self.require_games()

    def _games_of(self, file: str) -> list[PdnGame | BadGame]:
        games = games_of(file, self.book)
        first = self.good + self.bad + 1
        for number, game in enumerate(games, start=first):
            if isinstance(game, BadGame):
                self.bad += 1
                self._bad_games.append((number, file, game))
            else:
                self.good += 1
                self.plies += len(game.moves)
        self.files_read += 1
        _remark_rulebook(games, self.book, self.options.language)
        return games

    def games(self) -> Iterator[NumberedGame]:
        """The games that can be read, with their numbers."""
        number, first = 0, True
        for file in self.files:
            for game in self._read.popleft() if self._read else self._games_of(file):
                number += 1
                if isinstance(game, PdnGame):
                    yield NumberedGame(number, game, first)
                    first = False

    def report_bad_games(self, until: int | None = None) -> None:
        """Reports the games that could not be read, those with a smaller number than `until`."""
        while self._bad_games and (until is None or self._bad_games[0][0] < until):
            number, file, game = self._bad_games.popleft()
            _report_bad(game, number, file if len(self.files) > 1 else "", self.options)

    def require_games(self) -> None:
        """Raises `BadInput` if there was no game, or none could be read."""
        if self.good:
            return
        name = ", ".join(self.options.files)
        why = Saying("cli.judge.unreadable", {"count": self.bad}) if self.bad else Saying("cli.judge.empty")
        raise BadInput("file.at", name=name, why=why)


class _Progress:
    """A bar that counts the plies of all games read so far."""

    def __init__(self, source: _Source) -> None:
        self._source = source
        self._bar = ProgressBar("", 0)
        self._finished_plies = self._finished_games = 0
        self._in_progress: dict[NumberedGame, int] = {}

    def show_plies(self, piece: NumberedGame, plies: int) -> None:
        """So many plies of a game are done."""
        self._in_progress[piece] = min(plies, len(piece.game.moves))
        self._show()

    def finish(self, piece: NumberedGame) -> None:
        """A game is finished, and its result is printed."""
        self._in_progress.pop(piece, None)
        self._finished_plies += len(piece.game.moves)
        self._finished_games += 1
        self._bar.clear()
        self._show()

    def _show(self) -> None:
        source = self._source
        note = f"{self._finished_games + 1}/{source.good}" if source.good > 1 else ""
        done = self._finished_plies + sum(self._in_progress.values())
        if self._finished_games < source.good:
            self._bar.report(done, source.plies + 1, note)


def _remark_rulebook(games: list[PdnGame | BadGame], book: Rulebook | None, language: str) -> None:
    """Report games that name another rulebook than the requested one."""
    if book is None:
        return
    named = [game.rulebook.id for game in games if isinstance(game, PdnGame) and game.rulebook.id != book.id]
    if named:
        names = ", ".join(rulebook_word(name, language) for name in dict.fromkeys(named))
        facts = {
            "asked": rulebook_word(book.id, language),
            "count": len(named),
            "total": len(games),
            "names": names,
        }
        print(f"damas: {sentence('analysis.other_rulebook', language, **facts)}", file=sys.stderr)


def _report_bad(game: BadGame, number: int, file: str, options: argparse.Namespace) -> None:
    """Report a game that cannot be read; `file` is empty where there is only one."""
    error = error_view(game.error, options.language)
    if isinstance(game.error, NotationError) and any(
        problem.code == "PDN_RULEBOOK" for problem in game.error.problems
    ):
        error = replace(error, message=sentence("analysis.which_rulebook", options.language))
    if options.json:
        named: dict[str, Any] = {"file": file} if file else {}
        print_json({"game": number, **named, "line": game.line, "error": error})
    where = sentence("analysis.bad_game", options.language, number=number, line=game.line)
    start = f"damas: {file}: " if file else "damas: "
    print(f"{start}{where}: {error.message}", file=sys.stderr)


def _text(piece: NumberedGame, rows: list[list[str]], language: str) -> str:
    game = piece.game
    players = " – ".join(game.tags.get(side, "?") for side in ("White", "Black"))
    lines = [f"{page.heading(f'{piece.number}. {players}')} ({rulebook_word(game.rulebook.id, language)})"]
    if not rows:
        return "\n".join([*lines, "  " + sentence("analysis.clean", language)])
    cells = [(*(cell.replace(" ", page.NO_BREAK_SPACE) for cell in row[:3]), row[3]) for row in rows]
    return "\n".join([*lines, page.table(cells, indent=2)])
