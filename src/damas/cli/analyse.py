"""`damas analyse`: every game of a PDN, its mistakes in words, an annotated PDN and a graph."""

import argparse
import io
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from damas.cli import page
from damas.cli.answers import print_json
from damas.cli.arguments import BadInput, add_rulebook
from damas.cli.best import add_engine, add_move_limits, standing
from damas.cli.new_file import NewFile
from damas.cli.progress import ProgressBar
from damas.engine import Engine, Limits
from damas.engine.analysis import Judged, analyse, annotated, graph, mistakes, record_of
from damas.errors import DamasError, NotationError
from damas.game import Record
from damas.language import Saying, sentence
from damas.notation import BadGame, PdnGame, read_games, write_game
from damas.rules import Rulebook, rulebook
from damas.views.analysis import analysed_game_view
from damas.views.errors import error_view

USUAL_NODES = 200_000
SKIPPED = 3
"""Exit code: some games could not be read."""
SIGNS = {4: "??", 2: "?", 6: "?!"}


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="PDN with one or many games; - for standard input")
    add_rulebook(parser, default=None)
    add_move_limits(parser, USUAL_NODES)
    parser.add_argument(
        "--pdn", type=Path, metavar="OUT", help="a new PDN: the games with their mistakes marked"
    )
    parser.add_argument(
        "--svg", type=Path, metavar="OUT", help="a new picture: the chances of the first game"
    )
    add_engine(parser)
    parser.epilog = (
        "Exit code 0: every game was looked at. 3: some could not be read. 2: none could, or a file could not be "
        "written; nothing that exists is overwritten. -r is for games that name no rulebook, or only a GameType it has "
        "too: a game that names another is looked at by its own, which is remarked."
    )


def run(options: argparse.Namespace) -> int:
    book = rulebook(options.rulebook) if options.rulebook else None
    data = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
    games = list(read_games(io.BytesIO(data), book))
    if not games:
        raise BadInput("file.at", name=options.file, why=Saying("cli.judge.empty"))
    bad = sum(isinstance(game, BadGame) for game in games)
    if bad == len(games):
        for number, game in enumerate(games, start=1):
            assert isinstance(game, BadGame)
            _tell_bad(game, number, options)
        raise BadInput("file.at", name=options.file, why=Saying("cli.judge.unreadable", {"count": bad}))
    with ExitStack() as opened:
        # Before the thinking: nobody waits for an answer that cannot be kept.
        pdn = opened.enter_context(NewFile(options.pdn)) if options.pdn else None
        svg = opened.enter_context(NewFile(options.svg)) if options.svg else None
        _remark_rulebook(games, book, options.language)
        _look(games, pdn, svg, options)
    return SKIPPED if bad else 0


def _remark_rulebook(games: list[PdnGame | BadGame], book: Rulebook | None, language: str) -> None:
    """A rulebook that was asked for and does not count is not passed over in silence."""
    if book is None:
        return
    named = [game.rulebook.id for game in games if isinstance(game, PdnGame) and game.rulebook.id != book.id]
    if named:
        names = ", ".join(dict.fromkeys(named))
        facts = {"asked": book.id, "count": len(named), "total": len(games), "names": names}
        print(f"damas: {sentence('analysis.other_rulebook', language, **facts)}", file=sys.stderr)


def _look(
    games: list[PdnGame | BadGame], pdn: NewFile | None, svg: NewFile | None, options: argparse.Namespace
) -> None:
    """Each game, told as soon as it has been looked at."""
    some = False
    with ExitStack() as closing:
        engines: dict[str, Engine] = {}
        for number, game in enumerate(games, start=1):
            if isinstance(game, BadGame):
                _tell_bad(game, number, options)
                continue
            if game.rulebook.id not in engines:
                engines[game.rulebook.id] = closing.enter_context(_engine(game.rulebook, options))
            engine = engines[game.rulebook.id]
            engine.forget()
            record = record_of(game)
            bar = ProgressBar(f"{number}/{len(games)}" if len(games) > 1 else "", record.length)
            judged = analyse(record, engine, _limits(options), bar.report)
            some = some or any(mistakes(judged))
            if options.json:
                print_json(analysed_game_view(number, game, record, judged, options.language))
            else:
                print(_text(number, game, record, judged, options.language), flush=True)
            if svg and not svg.written:
                svg.write(graph(record, judged, sentence("analysis.title", options.language)))
            if pdn:
                between = "\n" if pdn.written else ""
                pdn.write(between + write_game(annotated(game, judged, options.language)))
    if some and not options.json:
        print("\n" + page.paragraph(sentence("analysis.legend", options.language)))


def _limits(options: argparse.Namespace) -> Limits:
    if options.movetime:
        return Limits(movetime=options.movetime / 1000)
    if options.depth:
        return Limits(depth=options.depth)
    return Limits(nodes=options.nodes or USUAL_NODES)


def _engine(book: Rulebook, options: argparse.Namespace) -> Engine:
    return Engine(book, threads=options.threads, hash_mb=options.hash)


def _tell_bad(game: BadGame, number: int, options: argparse.Namespace) -> None:
    error = error_view(game.error, options.language)
    if _names_no_rulebook(game.error):
        error = replace(error, message=sentence("analysis.which_rulebook", options.language))
    if options.json:
        print_json({"game": number, "line": game.line, "error": error})
    where = sentence("analysis.bad_game", options.language, number=number, line=game.line)
    print(f"damas: {where}: {error.message}", file=sys.stderr)


def _names_no_rulebook(error: DamasError) -> bool:
    """Here that has a remedy, and no text of the user's to be quoted."""
    return isinstance(error, NotationError) and any(
        problem.code == "PDN_RULEBOOK" for problem in error.problems
    )


def _text(number: int, game: PdnGame, record: Record, judged: list[Judged], language: str) -> str:
    players = " – ".join(game.tags.get(side, "?") for side in ("White", "Black"))
    lines = [f"{page.heading(f'{number}. {players}')} ({game.rulebook.id})"]
    rows = []
    for told in mistakes(judged):
        dots = "." if record.mover(told.ply) is game.rulebook.first_to_move else "..."
        move = f"{record.move_number(told.ply)}{dots} {told.move.text}{SIGNS[told.nag or 6]}"
        better = f"({told.best.moves[0].text} {standing(told.best, language)})"
        score = standing(told.played, language)
        rows.append(
            (*(cell.replace(" ", page.KEPT) for cell in (move, score, better)), told.sentence(language))
        )
    if not rows:
        return "\n".join([*lines, "  " + sentence("analysis.clean", language)])
    return "\n".join([*lines, page.table(rows, indent=2)])
