"""The games of PDN files for `damas analyse`, and the analysis of one game wherever it is done."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from damas.cli.arguments import reading
from damas.cli.best import score_text
from damas.engine import Engine, Limits
from damas.engine.analysis import Judged, analyse, annotated, graph, mistakes, record_of
from damas.game import Record
from damas.jobs.work import Send
from damas.language import sentence
from damas.notation import BadGame, PdnGame, read_games, write_game
from damas.notation.pdn.glyphs import SIGNS
from damas.rules import Rulebook
from damas.views.analysis import analysed_game_view
from damas.views.plain import plain

DEFAULT_NODES = 200_000


def files_of(names: Sequence[str]) -> list[str]:
    """The files to read: for a folder, the PDN files in it and below, in the order of their names."""
    files: list[str] = []
    for name in names:
        if name != "-" and Path(name).is_dir():
            files += map(str, sorted(Path(name).rglob("*.pdn")))
        else:
            files.append(name)
    return files


def games_of(file: str, book: Rulebook | None) -> list[PdnGame | BadGame]:
    """All games of a file."""
    with reading(file) as opened:
        return list(read_games(opened, book))


@dataclass(frozen=True)
class NumberedGame:
    """A game with its number in all files together."""

    number: int
    game: PdnGame = field(compare=False)
    first: bool = field(compare=False)
    """Whether it is the first game that can be read."""

    def __str__(self) -> str:
        return f"{self.number} {sha256(write_game(self.game).encode()).hexdigest()[:16]}"


@dataclass(frozen=True)
class GameAnalysis:
    """The work of `damas analyse`: the result of a game is what is printed and written about it."""

    limits: Limits
    threads: int
    hash_mb: int
    language: str
    json: bool
    pdn: bool
    svg: bool
    """Whether the first game that can be read is drawn."""

    @classmethod
    def of(cls, options: argparse.Namespace) -> "GameAnalysis":
        """The work that the options of the command want."""
        if options.movetime:
            limits = Limits(movetime=options.movetime / 1000)
        elif options.depth:
            limits = Limits(depth=options.depth)
        else:
            limits = Limits(nodes=options.nodes or DEFAULT_NODES)
        return cls(
            limits,
            options.threads,
            options.hash,
            options.language,
            options.json,
            options.pdn is not None,
            options.svg is not None,
        )

    @contextmanager
    def open(self, send: Send | None) -> Iterator[Callable[[NumberedGame], dict[str, Any]]]:
        """Yields the function that analyses a game; one engine for each rulebook stays ready."""
        with ExitStack() as closing:
            engines: dict[str, Engine] = {}

            def analyse_one(piece: NumberedGame) -> dict[str, Any]:
                book = piece.game.rulebook
                if book.id not in engines:
                    new = Engine(book, threads=self.threads, hash_mb=self.hash_mb)
                    engines[book.id] = closing.enter_context(new)
                return self._analyse(piece, engines[book.id], send)

            yield analyse_one

    def _analyse(self, piece: NumberedGame, engine: Engine, send: Send | None) -> dict[str, Any]:
        engine.forget()
        game, record = piece.game, record_of(piece.game)
        report = (lambda done, _total: send(done)) if send else None
        judged = analyse(record, engine, self.limits, report)
        title = sentence("analysis.title", self.language)
        view = analysed_game_view(piece.number, game, record, judged, self.language) if self.json else None
        return {
            "view": plain(view),
            "rows": [] if self.json else mistake_rows(game, record, judged, self.language),
            "mistakes": any(mistakes(judged)),
            "pdn": write_game(annotated(game, judged, self.language)) if self.pdn else "",
            "svg": graph(record, judged, title) if self.svg and piece.first else "",
        }


def mistake_rows(game: PdnGame, record: Record, judged: list[Judged], language: str) -> list[list[str]]:
    """A row for each mistake: the move, its score, the better move with its score, and a sentence."""
    rows = []
    for mistake in mistakes(judged):
        dots = "." if record.mover(mistake.ply) is game.rulebook.first_to_move else "..."
        move = f"{record.move_number(mistake.ply)}{dots} {mistake.move.text}{SIGNS[mistake.nag or 6]}"
        better = f"({mistake.best.moves[0].text} {score_text(mistake.best, language)})"
        rows.append([move, score_text(mistake.played, language), better, mistake.sentence(language)])
    return rows
