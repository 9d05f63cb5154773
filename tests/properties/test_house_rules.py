"""Run-time rules equal compiled rules: every built-in rulebook written out as TOML plays, ends and refuses alike."""

from functools import cache
from random import Random

import pytest

from damas import Game, Position, Rulebook, refusal, rulebook
from damas.game import LETTER
from damas.game.core import core_rules
from damas.rules import parse, rulebook_ids, to_toml
from differential import competing
from differential.games import TextGame, lines
from oracle.hostile import positions as hostile
from perft.tables import ROWS
from properties.attempts import attempts


@cache
def house(book_id: str) -> Rulebook:
    """The built-in rulebook as a user's file."""
    written = to_toml(rulebook(book_id)).replace(f'id = "{book_id}"', 'id = "our-house"', 1)
    assert 'id = "our-house"' in written
    return parse(written)


def run_time(position: Position, book: Rulebook) -> Position:
    """The same position under the file's rules, read at run time."""
    rules = core_rules(book, interpreted=True)
    assert not rules.compiled
    return position.under(rules)


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_the_file_says_the_same(book_id: str) -> None:
    book, ours = rulebook(book_id), house(book_id)
    assert ours is not book
    assert ours.id == "our-house"
    assert ours.hash == book.hash
    assert Position.start(ours).fen == Position.start(book).fen
    assert to_toml(parse(to_toml(ours))) == to_toml(ours)


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_equal_perft(book_id: str) -> None:
    for row in ROWS:
        if row.rulebook == book_id:
            position = run_time(row.opened(), house(book_id))
            assert position.rulebook is house(book_id)
            depth = row.depth_within(50_000)
            assert position.perft(depth, routes=row.routes) == row.counts[depth - 1]


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_equal_legal_moves(book_id: str) -> None:
    for fen in (*hostile(book_id, 21, 120), *competing.stored()[book_id]):
        built_in = Position.from_fen(fen, book_id)
        ours = run_time(built_in, house(book_id))
        assert ours.fen == built_in.fen
        for mine, theirs in (
            (ours.legal_moves, built_in.legal_moves),
            (ours.routes(), built_in.routes()),
            (ours.quiet_moves(), built_in.quiet_moves()),
        ):
            assert [(m.text, m.captured, m.promotes) for m in mine] == [
                (m.text, m.captured, m.promotes) for m in theirs
            ]
        for mine, theirs in zip(ours.legal_moves, built_in.legal_moves, strict=True):
            assert ours.play(mine).fen == built_in.play(theirs).fen


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_equal_draws(book_id: str) -> None:
    ended = 0
    for line in lines(book_id, 1, 20):
        start = Position.from_fen(line.fen, book_id)
        built_in = statements_of(line, start)
        assert statements_of(line, run_time(start, house(book_id))) == built_in
        ended += built_in[-1] is not None
    assert ended > 5


def statements_of(line: TextGame, start: Position) -> list[object]:
    """What the game says after each ply: the result, why, by which rule, and how far every law has run."""
    from damas.game.game import Record, ending

    record = Record(start, recorded=line.recorded)
    game = Game(record, LETTER, ending(record, LETTER))
    statements: list[object] = []
    for move in line.moves:
        if move == "claim":
            game = game.call_attention("thirteen-moves")
            continue
        game = game.play(move)
        running = tuple((p.rule.id, p.have, p.need, p.since, p.plies) for p in game.progress())
        outcome = game.outcome
        ended = outcome and (outcome.result, outcome.reason, outcome.rule, outcome.platform)
        statements.append((running, ended))
    statements.append(game.outcome and game.outcome.result)
    return statements


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_equal_refusals(book_id: str) -> None:
    """Code, facts, alternatives and articles; a house file cites in its own words, so there our ids are the words."""
    dice = Random(f"house:{book_id}")
    refused = 0
    for fen in (*hostile(book_id, 22, 25), *competing.stored()[book_id][:10]):
        built_in = Position.from_fen(fen, book_id)
        ours = run_time(built_in, house(book_id))
        for text in attempts(built_in, dice):
            theirs, mine = refusal(built_in, text), refusal(ours, text)
            assert (mine is None) == (theirs is None)
            if mine and theirs:
                refused += 1
                assert (mine.code, mine.facts, mine.legal, mine.also, mine.tried) == (
                    theirs.code,
                    theirs.facts,
                    theirs.legal,
                    theirs.also,
                    theirs.tried,
                )
                assert mine.citation.article == theirs.citation.id
                assert mine.citation.rulebook == "our-house"
    assert refused > 200
