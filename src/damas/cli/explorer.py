"""`damas explorer`: statistics of openings from many games."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from damas.cli import page
from damas.cli.answers import answer_positions, print_answer, to_json
from damas.cli.arguments import (
    BadInput,
    add_common,
    add_flag,
    add_integer,
    add_position,
    add_rulebook,
    add_storage,
    book_of,
)
from damas.cli.moves import header
from damas.cli.progress import ProgressBar
from damas.cli.serve import need_web, settings_of
from damas.game import Position
from damas.language import sentence
from damas.language.numbers import number
from damas.openings.explorer import Contents, Explorer
from damas.openings.gathering import Games, Gathering, pdn_games
from damas.openings.lines import MAX_PLIES, PlayedLine, SkippedGame
from damas.openings.self_play import engine_games
from damas.views.explorer import explored

_ACTIONS = {
    "build": "count the games of PDN files, of the engine or of a web server into a file",
    "probe": "show the moves that were played in a position, and how those games ended",
    "stats": "show how much a file holds",
}
PDN_ENDINGS = (".pdn", ".pdn.xz")
MAX_GAMES, MAX_NODES, MAX_LINE_PLIES = 1_000_000, 10_000_000, 200
EXIT_INTERRUPTED = 130
LOG_EVERY_S = 60.0


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    for name, text in _ACTIONS.items():
        action = actions.add_parser(
            name, help=text, description=text[0].upper() + text[1:] + ".", allow_abbrev=False
        )
        if name == "build":
            _add_build(action)
        else:
            action.add_argument("file", type=Path, metavar="FILE", help="a file that `build` has made")
        if name == "probe":
            add_position(action)
        add_common(action)


def _add_build(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sources", nargs="*", type=Path, metavar="SOURCE", help="PDN file, or folder of such")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file to make")
    add_flag(parser, "--add", "add to a file that is there")
    add_rulebook(parser)
    add_integer(parser, "--self-play", 1, MAX_GAMES, "count so many games of the engine against itself")
    add_flag(parser, "--server", "count the public games of a web server, which may be running")
    add_integer(
        parser, "--nodes", 1, MAX_NODES, "nodes it searches for a move (default: 2000)", default=2_000
    )
    add_integer(parser, "--seed", 0, 10**9, "another seed gives other games (default: 1)", default=1)
    text = f"plies of a game that are counted (default: {MAX_PLIES})"
    add_integer(parser, "--plies", 1, MAX_LINE_PLIES, text, default=MAX_PLIES)
    add_storage(parser)
    parser.epilog = "A build that was interrupted goes on when the same command is given again."


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    action: Callable[[argparse.Namespace], int] = globals()[f"_{options.action}"]
    return action(options)


def _build(options: argparse.Namespace) -> int:
    if options.out.exists() and not options.add:
        raise BadInput("cli.explorer.bad.exists", file=options.out)
    sources = list(_sources(options))
    if not sources:
        raise BadInput("cli.explorer.bad.sources")
    gathering = Gathering(options.out, plies=options.plies, add=options.add)
    bar = ProgressBar("", 0, log_every_s=LOG_EVERY_S)
    try:
        for place, source in enumerate(sources, start=1):
            bar = ProgressBar(f"{place}/{len(sources)}", source.total, log_every_s=LOG_EVERY_S)
            gathering.gather(source, partial(_show, bar, source.name.partition("/")[0]))
            bar.clear()
        gathering.finish()
    except KeyboardInterrupt:
        print(f"\n{sentence('cli.explorer.interrupted', options.language)}", file=sys.stderr)
        return EXIT_INTERRUPTED
    finally:
        bar.clear()
        gathering.close()
    return _stats(argparse.Namespace(**{**vars(options), "file": options.out}))


def _show(bar: ProgressBar, name: str, read: int) -> None:
    bar.show(read, f"{name} {read:,}")


def _sources(options: argparse.Namespace) -> Iterator[Games]:
    for path in options.sources:
        if path.is_dir():
            inside = sorted(each for each in path.rglob("*") if each.name.lower().endswith(".pdn"))
            if not inside:
                raise BadInput("cli.explorer.bad.empty", folder=path)
        else:
            inside = [path]
        for each in inside:
            yield pdn_games(each, options.plies, book_of(options))
    if options.server:
        yield _server_games(options)
    if options.self_play:
        yield engine_games(
            book_of(options), options.self_play, nodes=options.nodes, seed=options.seed, plies=options.plies
        )


def _server_games(options: argparse.Namespace) -> Games:
    need_web()
    from damas.server.openings.stored import server_games
    from damas.server.store.errors import StoreError

    games = server_games(settings_of(options))

    def read(first: int) -> Iterator[PlayedLine | SkippedGame]:
        try:
            yield from games.read(first)
        except StoreError as error:
            raise BadInput("cli.explorer.bad.server", why=error) from None

    return replace(games, read=read)


def _probe(options: argparse.Namespace) -> int:
    language = options.language
    with Explorer(options.file) as explorer:

        def text(position: Position) -> str:
            view = explored(explorer, position)
            lines = [*header(position, language), *view.names]
            if not view.moves:
                return "\n".join([*lines, page.paragraph(sentence("cli.explorer.nothing", language))])
            rows: list[Sequence[str]] = [("", "", "1-0", "1/2", "0-1")]
            for move in view.moves:
                counts = (move.games, move.white, move.draws, move.black)
                rows.append((move.text, *(number(count, language) for count in counts)))
            return "\n".join([*lines, "", page.table(rows, indent=2, right=range(1, 5))])

        return answer_positions(options, lambda position: to_json(explored(explorer, position)), text)


def _stats(options: argparse.Namespace) -> int:
    with Explorer(options.file) as explorer:
        contents = explorer.contents()
    print_answer(
        options, lambda: {"file": str(options.file), **_facts(contents)}, lambda: _words(options, contents)
    )
    return 0


def _facts(contents: Contents) -> dict[str, object]:
    return {name: getattr(contents, name) for name in Contents.__dataclass_fields__}


def _words(options: argparse.Namespace, contents: Contents) -> str:
    language = options.language
    counts = {name: number(getattr(contents, name), language) for name in ("games", "positions", "moves")}
    lines = [sentence("cli.explorer.built", language, file=options.file, **counts)]
    for rulebook, games in contents.rulebooks.items():
        lines.append("  " + sentence("cli.explorer.of_rulebook", language, rulebook=rulebook, games=games))
    for reason, games in contents.skipped.items():
        lines.append("  " + sentence("cli.explorer.skipped", language, reason=reason, games=games))
    return "\n".join(lines)
