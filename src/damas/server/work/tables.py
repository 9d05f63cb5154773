"""Endgame tables, asked in a worker process: verdicts on positions, and endings to practise. Functions return JSON.

All raise `NoPlace` where tables cannot be written or read, `DamasError` for a bad text or where no table has a position.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

from damas.board import Color
from damas.errors import DamagedTable, NoTable, NoTablesForRules
from damas.game import LETTER, Game, Record
from damas.rules import Rulebook
from damas.server.analysing.places import book_named
from damas.server.encoding import encode
from damas.server.learning.ending import Ending, candidates, endings_of
from damas.tablebase import Probe, Store, build, probe
from damas.tablebase.store import ON_DEMAND_PIECES
from damas.views.boards import game_view
from damas.views.endgames import BoardProbeView, NoProbeView, board_probe_view

MIN_MOVES_TO_WIN = 3
"""An ending that is won in fewer moves is no exercise."""


class NoPlace(Exception):
    """Tables cannot be written or read, and why."""


_store = cache(Store)
"""The tables of a rulebook in a folder, opened once in each process."""


def _probe(folder: Path, record: Record) -> Probe:
    """What the tables say; those of few pieces are built when first needed, which takes a second or two."""
    book = record.rulebook
    try:
        store, pieces = _store(book, folder), sum(record.position.counts)
        store.possible(pieces)
        if pieces <= ON_DEMAND_PIECES[book.size.value]:
            build(store, pieces, threads=1)
        return probe(record.position, record, store=store)
    except OSError as error:
        raise NoPlace(str(error)) from None


def verdict(folder: Path, record: Record, language: str) -> bytes:
    """The verdict on a position and on each of its moves; `there` is false where no table has it."""
    try:
        return encode(board_probe_view(_probe(folder, record), language))
    except (NoTable, NoTablesForRules, DamagedTable) as error:
        message = "" if isinstance(error, DamagedTable) else error.sentence(language)
        return encode(NoProbeView(False, error.code, message, message))


def exercise(folder: Path, rulebook: str, ending: str, seed: int, language: str) -> bytes | None:
    """A position of an ending to practise, the same for the same seed; None where there is none."""
    book = book_named(rulebook)
    chosen = next(each for each in endings_of(book.id) if each.id == ending)
    record = _reachable(folder, chosen, book, Random(seed))
    if record is None:
        return None
    return encode(
        {
            "rulebook": book.id,
            "ending": chosen.id,
            "goal": chosen.goal,
            "fen": record.position.fen,
            "view": game_view(Game(record, LETTER), language),
            "verdict": board_probe_view(_probe(folder, record), language),
        }
    )


def _reachable(folder: Path, ending: Ending, book: Rulebook, random: Random) -> Record | None:
    """A position in which the goal can be reached, and not at once if there is such a one."""
    fallback = None
    for position in candidates(ending, book, random):
        record = Record(position)
        verdict = _probe(folder, record).verdict
        if verdict.value != ending.goal:
            continue
        if ending.goal != "win" or (verdict.plies or 0) >= 2 * MIN_MOVES_TO_WIN - 1:
            return record
        fallback = fallback or record
    return fallback


def ending_reply(folder: Path, rulebook: str, fen: str, moves: Sequence[str], language: str) -> bytes:
    """Judges a learner's last move, and answers it as the tables do."""

    def view(game: Game) -> BoardProbeView:
        return board_probe_view(_probe(folder, game.record), language)

    game = Game.start(book_named(rulebook), fen=fen, customs=LETTER)
    for text in moves[:-1]:
        game = game.play(text)
    before = view(game)
    after_move = game = game.play(moves[-1])
    played = game.record.move(game.record.length).text
    value = next(move.value for move in before.moves if move.text == played)
    reply = None
    if not game.outcome:
        reply = view(game).moves[0].text
        game = game.play(reply)
    return encode(
        {
            "played": played,
            "kept": value == before.moves[0].value,
            "best": before.moves[0],
            "reply": reply,
            "after_move": game_view(after_move, language),
            "view": game_view(game, language),
            "verdict": None if game.outcome else view(game),
            "won": bool(game.outcome and game.outcome.winner is Color.WHITE),
        }
    )
