"""Ends of the game on the board, draw laws, compulsory crowning, and the ban on huffing."""

from dataclasses import replace

from damas.arbiter.conduct import registers
from damas.arbiter.events import Blew, Crowned, Event, LeftUncrowned, Moved, StoppedEarly
from damas.arbiter.moves import legal
from damas.arbiter.refused import ProcedureRefused
from damas.arbiter.table import Table
from damas.errors import Citation
from damas.game import Game, Outcome
from damas.rules import Rulebook, cite
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
    occurrences = outcome.occurrences
    if occurrences:  # the last of them is never the start of the stretch
        numbers = tuple(number + stretch.move - 1 for number in occurrences.numbers)
        occurrences = replace(occurrences, numbers=numbers)
    return replace(outcome, facts=facts, occurrences=occurrences)


def crowning(event: Event, table: Table) -> Outcome | None:
    """A man on the last row is always crowned (003-11d): an attempt to leave it uncrowned is refused.

    Where the regulation demands it, the opponent crowns it by hand, and cannot play on before.
    """
    match event:
        case LeftUncrowned() | Crowned() if event.square not in table.book.square_names:
            raise ProcedureRefused("NO_SUCH_SQUARE", square=event.square)
        case LeftUncrowned() if not _has_crowned(event.square, table):
            raise ProcedureRefused("NOBODY_CROWNED", crowning_article(table.book), square=event.square)
        case LeftUncrowned():
            raise _uncrowned(event.square, table)
        case Crowned() if event.square != table.crowning or table.lifting:
            raise ProcedureRefused("NOBODY_CROWNED", crowning_article(table.book), square=event.square)
        case Crowned() if event.by is not table.to_move:
            raise ProcedureRefused("OTHER_HAND", crowning_article(table.book), color=table.to_move)
        case Moved() | StoppedEarly() if table.crowning and not table.lifting and _in_turn(event, table):
            raise _uncrowned(table.crowning, table)
    return None


def _in_turn(event: Moved | StoppedEarly, table: Table) -> bool:
    """Whether the player to move has begun a legal move."""
    return event.by is table.to_move if isinstance(event, StoppedEarly) else legal(event, table) is not None


def _uncrowned(square: str, table: Table) -> ProcedureRefused:
    """The refusal to play on while a man waits to be crowned."""
    return ProcedureRefused(
        "CROWNING_DUE", crowning_article(table.book), written=registers(table), square=square
    )


def crowning_article(book: Rulebook) -> Citation:
    """The article on crowning by the opponent, or the one on a man that reaches the last row."""
    crowning = cite_topic(book, "crowning") or cite_topic(book, "promotion")
    return crowning or cite(book, book.promotion.article)


def _has_crowned(square: str, table: Table) -> bool:
    """Whether the last move crowned a man on that square."""
    record = table.game.record
    last = record.move(record.length) if record.length else None
    return last is not None and last.promotes and table.book.square_names[last.destination] == square


def blowing(event: Event, table: Table) -> Outcome | None:
    """Huffing is refused: a piece that did not capture stays (000-16, 002-7b, 003-11a)."""
    if isinstance(event, Blew):
        article = cite_topic(table.book, "blowing")  # a text that knows no huffing says nothing of it
        raise ProcedureRefused("NO_BLOWING", article, written=registers(table), square=event.square)
    return None
