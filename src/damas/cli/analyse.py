"""`damas analyse`: every game of a PDN, its mistakes in words, an annotated PDN and a graph."""

import argparse
import io
import sys
from pathlib import Path

from damas.cli import page
from damas.cli.answers import error_object, print_json
from damas.cli.arguments import BadInput, add_rulebook
from damas.cli.best import add_engine, add_move_limits, standing
from damas.engine import Engine, Limits
from damas.engine.analysis import Judged, analyse, annotated, graph, mistakes, record_of
from damas.game import Record
from damas.language import Saying, sentence
from damas.notation import BadGame, PdnGame, read_games, write_game
from damas.rules import Rulebook, rulebook

USUAL_NODES = 200_000
SKIPPED = 3
"""Exit code: some games could not be read."""
SIGNS = {4: "??", 2: "?", 6: "?!"}


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="PDN with one or many games; - for standard input")
    add_rulebook(parser, default=None)
    add_move_limits(parser, USUAL_NODES)
    parser.add_argument("--pdn", type=Path, metavar="OUT", help="write the games with their mistakes marked")
    parser.add_argument("--svg", type=Path, metavar="OUT", help="draw the chances of the first game")
    add_engine(parser)


def run(options: argparse.Namespace) -> int:
    book = rulebook(options.rulebook) if options.rulebook else None
    data = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
    games = list(read_games(io.BytesIO(data), book))
    if not games:
        raise BadInput("file.at", name=options.file, why=Saying("cli.judge.empty"))
    engines: dict[str, Engine] = {}
    texts: list[str] = []
    skipped = 0
    try:
        for number, game in enumerate(games, start=1):
            if isinstance(game, BadGame):
                skipped += 1
                _tell_bad(game, number, options)
                continue
            engine = _engine(engines, game.rulebook, options)
            record = record_of(game)
            bar = _Bar(number, len(games))
            judged = analyse(record, engine, _limits(options), bar)
            bar.wipe()
            if options.svg and not texts:
                title = sentence("analysis.title", options.language)
                options.svg.write_text(graph(record, judged, title), encoding="utf-8")
            texts.append(write_game(annotated(game, judged, options.language)))
            if options.json:
                print_json(_object(number, game, record, judged, options.language))
            else:
                print(_text(number, game, record, judged, options.language))
    finally:
        for engine in engines.values():
            engine.close()
    if options.pdn and texts:
        options.pdn.write_text("\n".join(texts), encoding="utf-8")
    if skipped == len(games):
        raise BadInput("file.at", name=options.file, why=Saying("cli.judge.unreadable", {"count": skipped}))
    return SKIPPED if skipped else 0


def _limits(options: argparse.Namespace) -> Limits:
    if options.movetime:
        return Limits(movetime=options.movetime / 1000)
    if options.depth:
        return Limits(depth=options.depth)
    return Limits(nodes=options.nodes or USUAL_NODES)


def _engine(engines: dict[str, Engine], book: Rulebook, options: argparse.Namespace) -> Engine:
    if book.id not in engines:
        engines[book.id] = Engine(book, threads=options.threads, hash_mb=options.hash)
    engines[book.id].forget()
    return engines[book.id]


def _tell_bad(game: BadGame, number: int, options: argparse.Namespace) -> None:
    told = error_object(game.error, options.language)
    if options.json:
        print_json({"game": number, "line": game.line, "error": told})
    where = sentence("cli.judge.game", options.language, number=number)
    print(f"damas: {where}: {told['message']}", file=sys.stderr)


class _Bar:
    """How far a game is, where somebody watches."""

    def __init__(self, game: int, games: int) -> None:
        self._head = f"{game}/{games} " if games > 1 else ""
        self._shown = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        if self._shown:
            filled = 30 * done // total
            print(
                f"\r\033[K{self._head}{'━' * filled}{'─' * (30 - filled)} {done / total:4.0%}",
                end="",
                file=sys.stderr,
                flush=True,
            )

    def wipe(self) -> None:
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _object(
    number: int, game: PdnGame, record: Record, judged: list[Judged], language: str
) -> dict[str, object]:
    return {
        "game": number,
        "rulebook": game.rulebook.id,
        "white": game.tags.get("White"),
        "black": game.tags.get("Black"),
        "moves": [
            {
                "ply": told.ply,
                "side": record.mover(told.ply).value,
                "move": told.move.text,
                "score": told.score,
                "best": told.best.moves[0].text,
                "best_score": told.best.score,
                "line": [move.text for move in told.best.moves],
                "lost": round(told.lost, 4),
                "kind": told.kind or None,
                "shot": [move.text for move in told.shot.moves] if told.shot else None,
                "sentence": told.sentence(language) or None,
            }
            for told in judged
        ],
    }


def _text(number: int, game: PdnGame, record: Record, judged: list[Judged], language: str) -> str:
    players = " – ".join(game.tags.get(side, "?") for side in ("White", "Black"))
    lines = [f"{page.heading(f'{number}. {players}')} ({game.rulebook.id})"]
    rows = []
    for told in mistakes(judged):
        dots = "." if record.mover(told.ply) is game.rulebook.first_to_move else "..."
        move = f"{record.move_number(told.ply)}{dots} {told.move.text}{SIGNS[told.nag or 6]}"
        rows.append((move.replace(" ", page.KEPT), standing(told.best, language), told.sentence(language)))
    if not rows:
        return "\n".join([*lines, "  " + sentence("analysis.clean", language)])
    return "\n".join([*lines, page.table(rows, indent=2)])
