"""`damas best`: the engine's best moves with their scores."""

import argparse

from damas.cli import page
from damas.cli.answers import answer_positions, to_json
from damas.cli.arguments import add_integer, add_position, book_of
from damas.cli.moves import header, no_moves
from damas.engine import Engine, Limits, Line, Result
from damas.engine.engine import MAX_HASH_MB, MAX_THREADS
from damas.engine.limits import MAX_VALUES
from damas.game import Position
from damas.jobs.interrupts import uninterrupted
from damas.language import sentence
from damas.language.numbers import number
from damas.views.analysis import best_view

_DEFAULT_MOVETIME_MS = 1000
INTERRUPTED = 130
"""Exit code: ended by Ctrl-C; the result so far was printed."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_position(parser)
    limit = parser.add_mutually_exclusive_group()
    think = f"milliseconds to think (default: {_DEFAULT_MOVETIME_MS})"
    add_integer(limit, "--movetime", 1, 10**9, think, metavar="MS")
    add_integer(limit, "--nodes", 1, 10**15, "positions to search")
    add_integer(limit, "--depth", 1, 99, "plies to look ahead", metavar="D")
    add_integer(parser, "--multipv", 1, MAX_VALUES["lines"], "number of best lines", metavar="K", default=1)
    add_engine(parser)


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Add the options shared by every command that runs the engine."""
    add_integer(parser, "--threads", 1, MAX_THREADS, "processors to use", default=1)
    add_integer(parser, "--hash", 1, MAX_HASH_MB, "memory of the search", metavar="MB", default=64)


def add_move_limits(
    parser: argparse.ArgumentParser, default_nodes: int | None
) -> argparse._MutuallyExclusiveGroup:  # argparse has no public name for it
    """Add mutually exclusive limits for each move of a game."""
    limit = parser.add_mutually_exclusive_group()
    default = f" (default: {default_nodes})" if default_nodes else ""
    add_integer(limit, "--nodes", 1, 10**12, f"positions per move{default}")
    add_integer(limit, "--movetime", 1, 10**7, "milliseconds per move", metavar="MS")
    add_integer(limit, "--depth", 1, 99, "plies per move", metavar="D")
    return limit


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    limits = Limits(depth=options.depth, nodes=options.nodes, lines=options.multipv)
    if not limits.bounded:
        limits = Limits(movetime=(options.movetime or _DEFAULT_MOVETIME_MS) / 1000, lines=options.multipv)
    interrupted = False
    with Engine(book_of(options), threads=options.threads, hash_mb=options.hash) as engine:

        def search(position: Position) -> Result:
            nonlocal interrupted
            engine.forget()  # each input line is answered independently
            try:
                with uninterrupted():  # Ctrl-C finds a search that can be stopped
                    thinking = engine.think(position, limits)
                return thinking.wait()
            except KeyboardInterrupt:
                thinking.stop()
                result = thinking.wait()
                if options.fen == "-" or not result.lines:
                    raise
                interrupted = True
                return result

        code = answer_positions(
            options,
            lambda position: to_json(best_view(position, search(position))),
            lambda position: _text(position, search(position), options.language),
        )
    return INTERRUPTED if interrupted else code


def _text(position: Position, result: Result, language: str) -> str:
    lines = header(position, language)
    if not result.lines:
        return "\n".join([*lines, no_moves(position, language)])
    rows = [(line.moves[0].text, score_text(line, language), _rest(line)) for line in result.lines]
    lines.append(page.table(rows, indent=2, right=(1,)))
    if result.lines[0].from_tables:
        effort = sentence("cli.best.tables", language)
    else:
        nodes, seconds = number(result.nodes, language), number(result.seconds, language, 2)
        effort = sentence("cli.best.effort", language, depth=result.depth, nodes=nodes, seconds=seconds)
    return "\n".join([*lines, "", page.paragraph(effort)])


def _rest(line: Line) -> str:
    # Moves of concurso contain a space.
    return " ".join(move.text.replace(" ", page.NO_BREAK_SPACE) for move in line.moves[1:])


def score_text(line: Line, language: str) -> str:
    """Format a score: men ahead, or who wins in how many moves."""
    if line.decided is None and line.from_tables:
        return sentence("cli.best.draws", language)
    if line.decided is None:
        return number(line.score / 100, language, 2, signed=True)
    word = "wins" if line.decided > 0 else "loses"
    if line.plies_to_end is None:
        return sentence(f"cli.best.{word}", language)
    return sentence(f"cli.best.{word}_in", language, moves=(line.plies_to_end + 1) // 2)
