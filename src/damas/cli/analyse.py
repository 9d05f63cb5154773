"""`damas analyse`: the mistakes of each game of a PDN, with an annotated PDN and a graph."""

import argparse
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from damas.cli import page
from damas.cli.answers import print_json, to_json
from damas.cli.arguments import BadInput, add_rulebook, reading
from damas.cli.best import add_engine, add_move_limits, score_text
from damas.cli.new_file import NewFile
from damas.cli.progress import ProgressBar
from damas.engine import Engine, Limits
from damas.engine.analysis import Judged, analyse, annotated, graph, mistakes, record_of
from damas.errors import NotationError
from damas.game import Record
from damas.jobs.interrupts import uninterrupted
from damas.language import Saying, rulebook_word, sentence
from damas.notation import BadGame, PdnGame, read_games, write_game
from damas.notation.pdn.glyphs import SIGNS
from damas.rules import Rulebook, rulebook
from damas.views.analysis import analysed_game_view
from damas.views.errors import error_view

_DEFAULT_NODES = 200_000
SKIPPED = 3
"""Exit code: some games could not be read."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("file", metavar="FILE", help="PDN with one or many games; - for standard input")
    add_rulebook(parser, default=None)
    add_move_limits(parser, _DEFAULT_NODES)
    parser.add_argument("--pdn", type=Path, metavar="OUT", help="write the annotated games to a new PDN file")
    parser.add_argument(
        "--svg",
        type=Path,
        metavar="OUT",
        help="write the winning chances of the first game to a new SVG file",
    )
    add_engine(parser)
    parser.epilog = (
        "Exit code 0: every game was analysed. 3: some could not be read. 2: none could be read, or a file could not be "
        "written; existing files are never overwritten. -r is for games that name no rulebook, or only a GameType that "
        "it shares: a game that names another rulebook is analysed by its own, with a remark."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    book = rulebook(options.rulebook) if options.rulebook else None
    with reading(options.file) as file:
        games = list(read_games(file, book))
    if not games:
        raise BadInput("file.at", name=options.file, why=Saying("cli.judge.empty"))
    bad = sum(isinstance(game, BadGame) for game in games)
    if bad == len(games):
        for number, game in enumerate(games, start=1):
            assert isinstance(game, BadGame)
            _report_bad(game, number, options)
        raise BadInput("file.at", name=options.file, why=Saying("cli.judge.unreadable", {"count": bad}))
    with ExitStack() as opened:
        # Open the files before the analysis, so that an unwritable one is reported at once.
        with uninterrupted():  # a signal finds them where they will be removed
            pdn = opened.enter_context(NewFile(options.pdn)) if options.pdn else None
            svg = opened.enter_context(NewFile(options.svg)) if options.svg else None
        _remark_rulebook(games, book, options.language)
        _analyse_games(games, pdn, svg, options)
    return SKIPPED if bad else 0


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


def _analyse_games(
    games: list[PdnGame | BadGame], pdn: NewFile | None, svg: NewFile | None, options: argparse.Namespace
) -> None:
    """Analyse each game and print it immediately."""
    any_mistakes = False
    with ExitStack() as closing:
        engines: dict[str, Engine] = {}
        for number, game in enumerate(games, start=1):
            if isinstance(game, BadGame):
                _report_bad(game, number, options)
                continue
            if game.rulebook.id not in engines:
                new = Engine(game.rulebook, threads=options.threads, hash_mb=options.hash)
                engines[game.rulebook.id] = closing.enter_context(new)
            engine = engines[game.rulebook.id]
            engine.forget()
            record = record_of(game)
            bar = ProgressBar(f"{number}/{len(games)}" if len(games) > 1 else "", record.length)
            judged = analyse(record, engine, _limits(options), bar.report)
            any_mistakes = any_mistakes or any(mistakes(judged))
            view = analysed_game_view if options.json else _text
            answer = view(number, game, record, judged, options.language)
            print(to_json(answer) if options.json else answer, flush=True)
            if svg and not svg.written:
                svg.write(graph(record, judged, sentence("analysis.title", options.language)))
            if pdn:
                between = "\n" if pdn.written else ""
                pdn.write(between + write_game(annotated(game, judged, options.language)))
    if any_mistakes and not options.json:
        print("\n" + page.paragraph(sentence("analysis.legend", options.language)))


def _limits(options: argparse.Namespace) -> Limits:
    if options.movetime:
        return Limits(movetime=options.movetime / 1000)
    return Limits(depth=options.depth) if options.depth else Limits(nodes=options.nodes or _DEFAULT_NODES)


def _report_bad(game: BadGame, number: int, options: argparse.Namespace) -> None:
    error = error_view(game.error, options.language)
    if isinstance(game.error, NotationError) and any(
        problem.code == "PDN_RULEBOOK" for problem in game.error.problems
    ):
        error = replace(error, message=sentence("analysis.which_rulebook", options.language))
    if options.json:
        print_json({"game": number, "line": game.line, "error": error})
    where = sentence("analysis.bad_game", options.language, number=number, line=game.line)
    print(f"damas: {where}: {error.message}", file=sys.stderr)


def _text(number: int, game: PdnGame, record: Record, judged: list[Judged], language: str) -> str:
    players = " – ".join(game.tags.get(side, "?") for side in ("White", "Black"))
    lines = [f"{page.heading(f'{number}. {players}')} ({rulebook_word(game.rulebook.id, language)})"]
    rows = []
    for mistake in mistakes(judged):
        dots = "." if record.mover(mistake.ply) is game.rulebook.first_to_move else "..."
        move = f"{record.move_number(mistake.ply)}{dots} {mistake.move.text}{SIGNS[mistake.nag or 6]}"
        better = f"({mistake.best.moves[0].text} {score_text(mistake.best, language)})"
        unbroken = (move, score_text(mistake.played, language), better)
        cells = [cell.replace(" ", page.NO_BREAK_SPACE) for cell in unbroken]
        rows.append((*cells, mistake.sentence(language)))
    if not rows:
        return "\n".join([*lines, "  " + sentence("analysis.clean", language)])
    return "\n".join([*lines, page.table(rows, indent=2)])
