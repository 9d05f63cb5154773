"""A report that the browser makes without a network judges each move as the server does."""

import random
from typing import Any

from damas.engine import Engine, Limits
from damas.engine.analysis import MAX_LINE_MOVES, judge
from damas.engine.engine import Result
from damas.game import Game, Record
from damas.game.game import ending
from damas.server.work.reports import report_of
from damas.views import plain
from javascript.test_core import answers, needs_node

pytestmark = needs_node

BETTER = "{best} was better."


def searched(record: Record, engine: Engine) -> dict[int, Result]:
    parts = {ply: record.until(ply) for ply in range(record.length + 1)}
    return {
        ply: engine.search(part, Limits(nodes=300))
        for ply, part in parts.items()
        if ply < record.length or not ending(part, engine.customs)
    }


def line_of(result: Result | None) -> dict[str, Any]:
    if result is None or not result.lines:
        return {"score": 0, "moves": []}
    best = result.lines[0]
    return {"score": best.score, "moves": [move.text for move in best.moves[:MAX_LINE_MOVES]]}


def test_each_move_is_judged_alike() -> None:
    chance, asked, expected = random.Random(3), [], []
    for book in ("brasileira", "portuguesa", "inglesa", "frisia", "turca"):
        game = Game.start(book)
        while not game.outcome and game.record.length < 120:
            game = game.play(chance.choice(game.legal_moves))
        record = game.record
        with Engine(book, hash_mb=1, tables=False) as engine:
            results = searched(record, engine)
            report = plain(report_of(record, judge(record, results, engine)))
        lines = [line_of(results.get(ply)) for ply in range(record.length + 1)]
        moves = [move.text for move in record.moves]
        asked.append(
            {
                "kind": "report",
                "book": book,
                "better": {"en": BETTER},
                "searched": {"fen": "", "moves": moves, "lines": lines},
            }
        )
        for mistake in report["mistakes"]:  # the reasons and the shots are the server's alone
            words = {"en": BETTER.format(best=mistake["best"])}
            mistake |= {"missed": None, "allowed": None, "proof": None, "message": words, "sentence": words}
        expected.append(report)
    for made, wanted in zip(answers(asked), expected, strict=True):
        assert made["graph"] == wanted["graph"]
        assert made == wanted
    kinds = {point["kind"] for report in expected for point in report["graph"]}
    assert kinds == {"blunder", "mistake", "inaccuracy", None}, "each kind was met"
