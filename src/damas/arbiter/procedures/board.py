"""Ends of the game on the board, draw laws, compulsory crowning, and the ban on huffing."""

from dataclasses import replace

from damas.arbiter.events import Blew, Event, LeftUncrowned
from damas.arbiter.refused import ProcedureRefused
from damas.arbiter.table import Table
from damas.game import Game, Outcome
from damas.rules import cite
from damas.rules.articles import cite_topic

ON_THE_BOARD = ("NO_PIECES", "NO_MOVES")
"""Reasons of outcomes by the position alone."""


def end_on_board(event: Event, table: Table) -> Outcome | None:
    """A player without a move, or without pieces, has lost."""
    game = table.following(event)
    ended = game is not None and game.outcome is not None and game.outcome.reason in ON_THE_BOARD
    return game.outcome if game and ended else None


def laws(event: Event, table: Table) -> Outcome | None:
    """Limits, repetitions and cycles of the rulebook and the platform that need no claim."""
    game = table.following(event)
    if game is None or game.outcome is None or game.outcome.reason in ON_THE_BOARD:
        return None
    return numbered(game.outcome, game, table)


def numbered(outcome: Outcome, game: Game, table: Table) -> Outcome:
    """The outcome with move numbers and plies counted from the start of the game, not of the current stretch."""
    stretch = table.stretches[-1]
    if not stretch.ply or game.record.start != stretch.game.record.start:
        return outcome
    facts = dict(outcome.facts)
    if isinstance(since := facts.get("since"), int):
        facts["since"] = since + stretch.move - 1
    if isinstance(plies := facts.get("plies"), str):
        facts["plies"] = ", ".join(str(int(ply) + stretch.ply) for ply in plies.split(", "))
    return replace(outcome, facts=facts)


def crowning(event: Event, table: Table) -> Outcome | None:
    """A man on the last row is always crowned (003-11d): an attempt to leave it uncrowned is refused."""
    if isinstance(event, LeftUncrowned):
        article = cite_topic(table.book, "crowning") or cite(table.book, table.book.promotion.article)
        if event.square not in table.book.square_names:
            raise ProcedureRefused("NO_SUCH_SQUARE", square=event.square)
        if not _has_crowned(event.square, table):
            raise ProcedureRefused("NOBODY_CROWNED", article, square=event.square)
        raise ProcedureRefused("CROWNING_DUE", article, written=registers(table), square=event.square)
    return None


def _has_crowned(square: str, table: Table) -> bool:
    """Whether the last move crowned a man on that square."""
    record = table.game.record
    last = record.move(record.length) if record.length else None
    return last is not None and last.promotes and table.book.square_names[last.destination] == square


def blowing(event: Event, table: Table) -> Outcome | None:
    """Huffing is refused: a piece that did not capture stays (000-16, 002-7b, 003-11a)."""
    if isinstance(event, Blew):
        article = cite(table.book, table.book.invalid_move.article)
        raise ProcedureRefused("NO_BLOWING", article, written=registers(table), square=event.square)
    return None


def registers(table: Table) -> bool:
    """Whether the regulation records irregularities of people."""
    return table.regulation.people_illegal_moves != "refused"
