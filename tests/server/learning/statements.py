"""What a step of a lesson states, asked of any rulebook: its own, and one whose answers are flipped."""

import tomllib
from copy import deepcopy
from functools import cache
from itertools import pairwise

from damas import Game, Position, refusal, tablebase
from damas.engine import Engine, Limits
from damas.game import LETTER
from damas.rules import Rulebook, to_toml
from damas.rules.reader import read
from damas.server.learning.lesson import Flipped, Step

GOOD, BAD = 60, 90
"""Hundredths of a man within which a move is as good as the best, and beyond which it is a mistake."""
NODES = 100_000
CONDUCT = {"CON", "ADV", "UI", "ARB", "DEF"}
"""Kinds of articles that no position shows."""
PROCEDURES = {"agreement", "touch_move", "invalid_move", "colours_by_lot"}
"""Questions of a rulebook about the table and not the board."""


def flipped(book: Rulebook, flip: dict[str, Flipped]) -> Rulebook:
    """The same rulebook with other answers; `draw.ID` is the limit of a draw rule, 0 for none."""
    before = tomllib.loads(to_toml(book))
    data = deepcopy(before)
    for key, value in flip.items():
        if key.startswith("draw."):
            name = key.removeprefix("draw.")
            (rule,) = (rule for rule in data["draw"] if rule["id"] == name)
            rule["limit"] = value
            data["draw"] = [rule for rule in data["draw"] if rule["limit"]]
        elif key == "first_number":
            data["notation"][key] = value
        else:
            section = next(name for name in ("board", "moves", "procedure") if key in data[name])
            data[section][key]["value"] = value
    assert data != before, f"all of {flip} are its answers already"
    data["id"], data["aliases"] = "flipped", []
    return read(data, "flipped")


def check(step: Step, book: Rulebook) -> None:
    """Raises where the statement is not true of that rulebook."""
    position = Position.from_fen(step.position, book) if step.position else Position.start(book)
    legal = {move.text for move in position.legal_moves}
    if step.legal:
        assert legal == set(step.legal)
    if step.pieces:
        assert list(position.counts) == step.pieces
    if step.keeps:
        _keeps(step, position)
    globals()[f"_{step.task}"](step, position, legal)


def _keeps(step: Step, position: Position) -> None:
    """The endgame tables give the position that value, and where a move is asked for, only to the answers."""
    probe = tablebase.probe(position)
    assert probe.verdict.name == step.keeps
    if step.answer:
        assert {verdict.move.text for verdict in probe.moves if verdict.value == step.keeps} == set(
            step.answer
        )


def _look(step: Step, position: Position, legal: set[str]) -> None:
    assert step.legal
    start = position.rulebook.start_squares(position.turn)
    if not step.position:
        assert len(start) == position.counts[0]


def _play(step: Step, position: Position, legal: set[str]) -> None:
    assert step.answer
    assert set(step.answer) <= legal, sorted(legal)
    _judged(step, position, legal)


def _judged(step: Step, position: Position, legal: set[str]) -> None:
    if step.judged:
        judge(position, set(step.answer))
        assert set(step.refuted) == legal - set(step.answer)
    for wrong, line in step.refuted.items():
        after = position.play(wrong)
        assert line
        for text in line:
            after = after.play(text)


def _only(step: Step, position: Position, legal: set[str]) -> None:
    assert legal == set(step.answer)
    assert len(legal) == 1


def _refused(step: Step, position: Position, legal: set[str]) -> None:
    why = refusal(position, step.tried)
    assert why is not None, f"{step.tried} is legal"
    assert why.code == step.code


def _count(step: Step, position: Position, legal: set[str]) -> None:
    (count,) = step.answer
    assert int(count) in step.options
    assert len(set(step.options)) > 1
    if step.ask == "moves":
        assert len(legal) == int(count)
    else:
        assert {len(move.captured) for move in position.legal_moves} == {int(count)}


def _line(step: Step, position: Position, legal: set[str]) -> None:
    given = taken = 0
    for number, text in enumerate(step.line):
        move = position.parse(text)
        if number % 2:
            assert position.count_moves() == 1, f"{text} is not forced"
            given += len(move.captured)
        else:
            taken += len(move.captured)
        position = position.play(move)
    assert len(step.line) % 2 == 1
    assert 0 < given < taken


def _watch(step: Step, position: Position, legal: set[str]) -> None:
    book = position.rulebook
    game = Game.start(book, fen=step.position or None, recorded=step.recorded, customs=LETTER)
    results = ["*"]
    for text in step.moves:
        if text == "claim":
            (law,) = (draw.id for draw in book.draws if draw.claim == "unrecorded")
            game = game.call_attention(law)
            continue
        game = game.play(text)
        results.append(game.outcome.result if game.outcome else "*")
    assert step.expect
    assert {ply: results[int(ply)] for ply in step.expect} == step.expect
    assert step.law == (game.outcome.rule if game.outcome else "")


def _lift(step: Step, position: Position, legal: set[str]) -> None:
    _only(step, position, legal)
    (move,) = position.legal_moves
    assert len(move.captured) > 1, "there is no order to keep"
    squares = [position.rulebook.move_names.index(name) for name in step.answer[0].split("x")]
    for (start, end), taken in zip(pairwise(squares), move.captured, strict=True):
        assert taken in between(position.rulebook, start, end), (
            "captured pieces are in the order of the jumps"
        )


def between(book: Rulebook, start: int, end: int) -> set[int]:
    """The squares of a diagonal between two of its squares."""
    (row, column), (to_row, to_column) = (book.geometry.places[square] for square in (start, end))
    down, right = (1 if to_row > row else -1), (1 if to_column > column else -1)
    return {book.geometry.by_place[row + n * down, column + n * right] for n in range(1, abs(to_row - row))}


def _choose(step: Step, position: Position, legal: set[str]) -> None:
    _judged(step, position, legal)
    assert all(len(set(texts)) == len(texts) > 1 for texts in step.choices.values())
    for ply, result in step.expect.items():
        game = Game.start(position.rulebook, fen=step.position, customs=LETTER)
        assert (ply, result) == ("0", game.outcome.result if game.outcome else "*")
    for key in step.flip:
        clause = getattr(position.rulebook, key, None) if key in PROCEDURES else None
        if clause:  # what the board cannot show: the rulebook's own answer, not the flipped one
            assert clause.value != step.flip[key]
            assert set(clause.articles) & set(step.articles)


@cache
def _engine(book: Rulebook) -> Engine:
    return Engine(book, hash_mb=4, tables=False)


def judge(position: Position, answer: set[str]) -> None:
    """Every answer is about as good as the best move, every other move is clearly worse."""
    engine = _engine(position.rulebook)
    engine.forget()
    found = engine.search(position, Limits(nodes=NODES, lines=position.count_moves()))
    scores = {line.moves[0].text: line.score for line in found.lines}
    best = max(scores.values())
    assert len(scores) == position.count_moves()
    for text, score in scores.items():
        if text in answer:
            assert best - score <= GOOD, f"{text} is {best - score} worse than the best"
        else:
            assert best - score >= BAD, f"{text} is only {best - score} worse than the best"
