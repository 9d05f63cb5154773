"""Stored decks of spaced repetition: which items a person learns, and when each comes back."""

from collections.abc import Callable, Collection
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, case, delete, func, select

from damas.server.store import schema
from damas.server.store.database import Database
from damas.server.store.dialects import put, put_if_absent
from damas.server.store.errors import TooManyReviews
from damas.server.store.rows import Review
from damas.server.store.writer import Writer

_review = schema.review


class DeckCount(msgspec.Struct, frozen=True, kw_only=True):
    """A deck in a list."""

    deck: str
    due: int
    """Items that are due."""
    total: int
    next_ms: int
    """When the next item is due, or has been."""


class Reviews:
    """`store.reviews`."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer
        self._most = database.settings.limits.reviews_per_person

    async def add(self, reviews: Collection[Review], person: str) -> int:
        """Puts items into a person's decks and says how many were new; those that are there stay as they are.

        Raises `TooManyReviews` beyond `reviews_per_person`, all or nothing.
        """

        def work(connection: Connection) -> int:
            before = _count(connection, person)
            for review in reviews:
                put_if_absent(connection, _review, _row(person, review))
            after = _count(connection, person)
            if after > max(before, self._most):
                raise TooManyReviews(self._most)
            return after - before

        return await self._writer.do(work)

    async def decks(self, person: str, now_ms: int) -> list[DeckCount]:
        """The decks of a person by name."""
        is_due = func.sum(case((_review.c.due_ms <= now_ms, 1), else_=0))
        query = (
            select(
                _review.c.deck,
                is_due.label("due"),
                func.count().label("total"),
                func.min(_review.c.due_ms).label("next_ms"),
            )
            .where(_review.c.person == person)
            .group_by(_review.c.deck)
            .order_by(_review.c.deck)
        )
        return [DeckCount(**row._mapping) for row in await self._database.rows(query)]

    async def due(self, person: str, deck: str, now_ms: int, most: int) -> list[Review]:
        """The items of a deck that are due, those that wait for longest first."""
        query = _of(person, deck).where(_review.c.due_ms <= now_ms)
        rows = await self._database.rows(query.order_by(_review.c.due_ms, _review.c.item).limit(most))
        return [_review_of(row) for row in rows]

    async def items(self, person: str, deck: str) -> list[Review]:
        """All items of a deck, due first."""
        rows = await self._database.rows(_of(person, deck).order_by(_review.c.due_ms, _review.c.item))
        return [_review_of(row) for row in rows]

    async def change(
        self, person: str, new: Review, due_ms: int | None, after: Callable[[Review], Review]
    ) -> tuple[Review, bool]:
        """Replaces an item by what `after` makes of it; the item as it is now, and whether that has happened.

        It happens only where the item is due when the caller believes: at `due_ms`, or None for an item that is not there,
        which is `new`. So a review that two pages report, or one page twice, counts once. Raises `TooManyReviews`.
        """

        def work(connection: Connection) -> tuple[Review, bool]:
            stored = _stored(connection, person, new)
            if stored is None and due_ms is None:
                if _count(connection, person) >= self._most:
                    raise TooManyReviews(self._most)
                put_if_absent(connection, _review, _row(person, new))
                stored = _stored(connection, person, new)  # another node may have been first
            expected_ms = new.due_ms if due_ms is None else due_ms
            if stored is None or stored.due_ms != expected_ms:
                return stored or new, False
            changed = after(stored)
            put(connection, _review, _row(person, changed))
            return changed, True

        return await self._writer.do(work)

    async def remove(self, person: str, deck: str, item: str) -> bool:
        """Takes an item out of a deck; False if it was not there."""
        this = _review.c.person == person, _review.c.deck == deck, _review.c.item == item

        def work(connection: Connection) -> bool:
            return connection.execute(delete(_review).where(*this)).rowcount > 0

        return await self._writer.do(work)


def adopt_reviews(connection: Connection, visitor: str, account: str, most: int) -> None:
    """Gives a visitor's decks to an account. Of an item that both have, the later state stays; what would be too much is
    forgotten.
    """
    room = most - _count(connection, account)
    rows = connection.execute(select(_review).where(_review.c.person == visitor)).all()
    for review in map(_review_of, rows):
        stored = _stored(connection, account, review)
        if stored is None:
            room -= 1
        if (stored is None and room >= 0) or (stored is not None and stored.updated_ms < review.updated_ms):
            put(connection, _review, _row(account, review))
    connection.execute(delete(_review).where(_review.c.person == visitor))


def _of(person: str, deck: str) -> Select[Any]:
    return select(_review).where(_review.c.person == person, _review.c.deck == deck)


def _stored(connection: Connection, person: str, review: Review) -> Review | None:
    """The item as it is stored, which nobody else changes before the transaction ends."""
    query = _of(person, review.deck).where(_review.c.item == review.item).with_for_update()
    row = connection.execute(query).one_or_none()
    return None if row is None else _review_of(row)


def _count(connection: Connection, person: str) -> int:
    count = select(func.count()).select_from(_review).where(_review.c.person == person)
    return connection.scalar(count) or 0


def _row(person: str, review: Review) -> dict[str, Any]:
    return {"person": person, **msgspec.structs.asdict(review)}


def _review_of(row: Any) -> Review:
    return Review(**{name: row._mapping[name] for name in Review.__struct_fields__})
