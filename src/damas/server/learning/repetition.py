"""Spaced repetition: when an item that somebody learns comes back, by FSRS (the package `fsrs`).

An item stands in a deck of a person. Decks are texts, `puzzle:RULEBOOK` or `opening:ID`; what an item is called in its deck
is up to whoever asks it. The store keeps the deck (`store.reviews`), this module decides the next day.
"""

from datetime import UTC, datetime, timedelta
from typing import Literal

import fsrs
import msgspec

from damas.server.store.rows import Review

Grade = Literal["again", "hard", "good", "easy"]
"""How well an item was remembered; `again` is not at all."""
GRADES: dict[Grade, fsrs.Rating] = {
    "again": fsrs.Rating.Again,
    "hard": fsrs.Rating.Hard,
    "good": fsrs.Rating.Good,
    "easy": fsrs.Rating.Easy,
}
SHORT_STEP = timedelta(minutes=10)
"""What was not remembered comes back after so long; what was, only after a day or more."""
SCHEDULER = fsrs.Scheduler(
    learning_steps=[SHORT_STEP],
    relearning_steps=[SHORT_STEP],
    maximum_interval=365,
    enable_fuzzing=False,  # a request that is repeated must have the same answer
)


class Memory(msgspec.Struct, frozen=True, omit_defaults=True):
    """How well an item is remembered: the state of an FSRS card, as the column `memory` keeps it in JSON."""

    state: int = fsrs.State.Learning.value
    step: int | None = None
    stability: float | None = None
    difficulty: float | None = None
    last_ms: int | None = None


NEW = msgspec.json.encode(Memory()).decode()
"""The memory of an item that was never asked."""


def new_review(deck: str, item: str, now_ms: int) -> Review:
    """An item that is due at once."""
    return Review(deck=deck, item=item, memory=NEW, due_ms=now_ms, updated_ms=0)


def reviewed(review: Review, grade: Grade, at_ms: int, scheduler: fsrs.Scheduler = SCHEDULER) -> Review:
    """The item after it was asked at a time; a time before the last review counts as that of the last review."""
    memory = msgspec.json.decode(review.memory, type=Memory)
    at_ms = max(at_ms, memory.last_ms or 0)
    card = fsrs.Card(
        card_id=0,
        state=fsrs.State(memory.state),
        step=memory.step,
        stability=memory.stability,
        difficulty=memory.difficulty,
        due=_datetime(review.due_ms),
        last_review=None if memory.last_ms is None else _datetime(memory.last_ms),
    )
    card, _ = scheduler.review_card(card, GRADES[grade], _datetime(at_ms))
    after = Memory(card.state.value, card.step, card.stability, card.difficulty, at_ms)
    return msgspec.structs.replace(
        review,
        memory=msgspec.json.encode(after).decode(),
        due_ms=round(card.due.timestamp() * 1000),
        updated_ms=at_ms,
    )


def _datetime(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)
