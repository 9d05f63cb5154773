"""`damas best`: the engine's best moves with their scores."""

import argparse

from damas.cli import page
from damas.cli.answers import answer_lines, print_json, to_json
from damas.cli.arguments import add_position, book_of, position_of, whole
from damas.cli.moves import title
from damas.engine import Engine, Limits, Line, Result
from damas.engine.engine import MAX_HASH_MB, MAX_THREADS
from damas.engine.limits import MAX_VALUES
from damas.game import Position
from damas.language import sentence
from damas.views.analysis import BestView, best_view

DEFAULT_MOVETIME_MS = 1000


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument(
        "--movetime",
        type=whole("--movetime", 1, 10**9),
        metavar="MS",
        help=f"milliseconds to think (default: {DEFAULT_MOVETIME_MS})",
    )
    limit.add_argument("--nodes", type=whole("--nodes", 1, 10**15), metavar="N", help="positions to search")
    limit.add_argument("--depth", type=whole("--depth", 1, 99), metavar="D", help="plies to look ahead")
    parser.add_argument(
        "--multipv",
        type=whole("--multipv", 1, MAX_VALUES["lines"]),
        default=1,
        metavar="K",
        help="number of best lines",
    )
    add_engine(parser)


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Add the options shared by every command that runs the engine."""
    parser.add_argument(
        "--threads",
        type=whole("--threads", 1, MAX_THREADS),
        default=1,
        metavar="N",
        help="processors to use",
    )
    parser.add_argument(
        "--hash", type=whole("--hash", 1, MAX_HASH_MB), default=64, metavar="MB", help="memory of the search"
    )


def add_move_limits(
    parser: argparse.ArgumentParser, default_nodes: int | None
) -> argparse._MutuallyExclusiveGroup:  # argparse has no public name for it
    """Add mutually exclusive limits for each move of a game."""
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument(
        "--nodes",
        type=whole("--nodes", 1, 10**12),
        metavar="N",
        help="positions per move" + (f" (default: {default_nodes})" if default_nodes else ""),
    )
    limit.add_argument(
        "--movetime", type=whole("--movetime", 1, 10**7), metavar="MS", help="milliseconds per move"
    )
    limit.add_argument("--depth", type=whole("--depth", 1, 99), metavar="D", help="plies per move")
    return limit


def run(options: argparse.Namespace) -> int:
    book = book_of(options)
    position = None if options.fen == "-" else position_of(options, book)
    with Engine(book, threads=options.threads, hash_mb=options.hash) as engine:
        if position is None:
            return answer_lines(
                lambda fen: to_json(_answer(engine, Position.from_fen(fen, book), options)), options.language
            )
        result = engine.search(position, _limits(options))
    if options.json:
        print_json(best_view(position, result))
    else:
        print(_text(position, result, options.language))
    return 0


def _limits(options: argparse.Namespace) -> Limits:
    limits = Limits(depth=options.depth, nodes=options.nodes, lines=options.multipv)
    if limits.bounded:
        return limits
    return Limits(movetime=(options.movetime or DEFAULT_MOVETIME_MS) / 1000, lines=options.multipv)


def _answer(engine: Engine, position: Position, options: argparse.Namespace) -> BestView:
    engine.forget()  # each input line is answered independently
    return best_view(position, engine.search(position, _limits(options)))


def _text(position: Position, result: Result, language: str) -> str:
    lines = [title(position, language), page.paragraph(position.fen, indent=2, hang=2), ""]
    if not result.lines:
        color = sentence(f"color.{position.turn.value}", language)
        return "\n".join([*lines, sentence("cli.moves.none", language, color=color)])
    rows = [(line.moves[0].text, score_text(line, language), _rest(line)) for line in result.lines]
    lines.append(page.table(rows, indent=2, right=(1,)))
    if result.lines[0].from_tables:
        effort = sentence("cli.best.tables", language)
    else:
        facts = {
            "depth": result.depth,
            "nodes": page.number(result.nodes),
            "seconds": f"{result.seconds:.2f}",
        }
        effort = sentence("cli.best.effort", language, **facts)
    return "\n".join([*lines, "", page.paragraph(effort)])


def _rest(line: Line) -> str:
    # Moves of concurso contain a space.
    return " ".join(move.text.replace(" ", page.NO_BREAK_SPACE) for move in line.moves[1:])


def score_text(line: Line, language: str) -> str:
    """Format a score: men ahead, or who wins in how many moves."""
    if line.decided is None and line.from_tables:
        return sentence("cli.best.draws", language)
    if line.decided is None:
        return f"{line.score / 100:+.2f}"
    word = "wins" if line.decided > 0 else "loses"
    if line.plies_to_end is None:
        return sentence(f"cli.best.{word}", language)
    return sentence(f"cli.best.{word}_in", language, moves=(line.plies_to_end + 1) // 2)
