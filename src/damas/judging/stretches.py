"""The stretches of a game on paper: their numbered moves, and what came between them."""

from collections.abc import Iterator
from itertools import zip_longest

from damas.arbiter.table import Stretch, Table
from damas.language import sentence

NO_BREAK = "\u00a0"
"""A space at which no line is broken."""


def stretches(table: Table) -> Iterator[tuple[Stretch, Stretch | None]]:
    """Each stretch of a game, and the one that follows it."""
    return zip_longest(table.stretches, table.stretches[1:])


def scored_moves(stretch: Stretch, following: Stretch | None = None) -> Iterator[str]:
    """The moves of a stretch, each with its number before it; at its end the capture that was broken off and accepted."""
    record = stretch.game.record
    texts = [move.text for move in record.moves]
    if following and following.broken_off:
        texts.append(following.broken_off)
    for ply, text in enumerate(texts, start=1):
        side = record.mover(ply) if ply <= record.length else record.position.turn
        starts = side is record.rulebook.first_to_move
        number = f"{stretch.move_number(ply)}{'.' if starts else '...'} "
        yield f"{number if starts or ply == 1 else ''}{text}".replace(" ", NO_BREAK)


def beginning(stretch: Stretch, language: str) -> str:
    """What set up the position of a stretch: an accepted capture or the arbiter; empty for the start of the game."""
    event = stretch.begun_by
    if event is None:
        return ""
    return sentence(f"certificate.begun_by.{event.kind}", language, reason=getattr(event, "reason", ""))
