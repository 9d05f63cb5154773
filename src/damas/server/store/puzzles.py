"""Stored tries at puzzles, and the ratings of puzzles and of those who solve them."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, Table, delete, func, insert, select, update

from damas.server.store import keys, schema
from damas.server.store.database import Database
from damas.server.store.dialects import put, put_if_absent
from damas.server.store.errors import TooManyPuzzles
from damas.server.store.rows import OwnPuzzle, PuzzleAttempt, PuzzleResult, RatingRow
from damas.server.store.writer import Writer

_attempt, _result = schema.puzzle_attempt, schema.puzzle_result
_rating, _level, _own = schema.puzzle_rating, schema.puzzle_level, schema.own_puzzle

MAX_HISTORY = 1000
"""Tries of a person that are looked back at."""

Rate = Callable[[RatingRow, RatingRow, bool, int], tuple[RatingRow, RatingRow]]
"""Both ratings, the solver's first, after a try that was solved or not, at a time."""


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """How a try is to be rated: what solver and puzzle have if they have no rating yet, and what becomes of them."""

    solver: RatingRow
    puzzle: RatingRow
    rate: Rate


class Puzzles:
    """`store.puzzles`."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer
        self._most_own = database.settings.limits.own_puzzles_per_person

    async def add_attempt(
        self, person: str, attempt: PuzzleAttempt, client_id: str | None = None, rating: Rating | None = None
    ) -> PuzzleResult | None:
        """Stores a try at a puzzle; one that has the id of an earlier one of the same person is that one, sent again.

        With `rating` it changes the ratings of solver and puzzle, if it is the person's first try at the puzzle; the result
        by which the person was rated for this try.
        """
        facts = {"person": person} | msgspec.structs.asdict(attempt)

        def work(connection: Connection) -> PuzzleResult | None:
            key = keys.new_id() if client_id is None else keys.fingerprint(f"attempt/{client_id}")
            put_if_absent(connection, _attempt, {"id": key} | facts)
            owner = connection.execute(select(_attempt.c.person).where(_attempt.c.id == key)).scalar_one()
            if owner != person:  # somebody else has sent this id
                key = keys.fingerprint(f"attempt/{client_id}/{person}")
                put_if_absent(connection, _attempt, {"id": key} | facts)
            return None if rating is None else _rate(connection, person, attempt, key, rating)

        return await self._writer.do(work)

    async def rating(self, person: str, rulebook: str) -> RatingRow | None:
        """The rating of a person; None for somebody without rated tries."""
        query = select(_rating).where(_rating.c.person == person, _rating.c.rulebook == rulebook)
        row = await self._database.row(query)
        return None if row is None else _rating_of(row)

    async def levels(self, rulebook: str) -> dict[str, float]:
        """The ratings of the puzzles of a rulebook that somebody has tried."""
        query = select(_level.c.puzzle, _level.c.rating).where(_level.c.rulebook == rulebook)
        return {row.puzzle: row.rating for row in await self._database.rows(query)}

    async def results(self, person: str, rulebook: str) -> list[PuzzleResult]:
        """The latest results by which a person was rated, oldest first."""
        query = select(_result).where(_result.c.person == person, _result.c.rulebook == rulebook)
        rows = await self._database.rows(query.order_by(_result.c.wall_ms.desc()).limit(MAX_HISTORY))
        return [_result_of(row) for row in reversed(rows)]

    async def attempts(self, person: str, rulebook: str) -> list[PuzzleAttempt]:
        """The latest tries of a person, oldest first."""
        query = select(_attempt).where(_attempt.c.person == person, _attempt.c.rulebook == rulebook)
        rows = await self._database.rows(query.order_by(_attempt.c.wall_ms.desc()).limit(MAX_HISTORY))
        names = PuzzleAttempt.__struct_fields__
        return [PuzzleAttempt(**{name: row._mapping[name] for name in names}) for row in reversed(rows)]

    async def met(self, person: str, rulebook: str) -> list[str]:
        """All puzzles that a person has tried, those first that were tried last long ago."""
        query = (
            select(_attempt.c.puzzle)
            .where(_attempt.c.person == person, _attempt.c.rulebook == rulebook)
            .group_by(_attempt.c.puzzle)
            .order_by(func.max(_attempt.c.wall_ms))
        )
        return [row.puzzle for row in await self._database.rows(query)]

    async def add_own(self, person: str, puzzles: Sequence[OwnPuzzle]) -> None:
        """Stores puzzles made of a person's mistakes; those that are there stay. Raises `TooManyPuzzles`, all or nothing."""

        def work(connection: Connection) -> None:
            for puzzle in puzzles:
                put_if_absent(connection, _own, {"person": person, **msgspec.structs.asdict(puzzle)})
            count = select(func.count()).select_from(_own).where(_own.c.person == person)
            if (connection.scalar(count) or 0) > self._most_own:
                raise TooManyPuzzles(self._most_own)

        await self._writer.do(work)

    async def own(self, person: str, rulebook: str, puzzle: str) -> OwnPuzzle | None:
        """A puzzle made of a person's mistake."""
        this = _own.c.person == person, _own.c.rulebook == rulebook, _own.c.id == puzzle
        row = await self._database.row(select(_own).where(*this))
        return None if row is None else _own_of(row)

    async def days(self, person: str, offset_ms: int, most: int) -> list[int]:
        """The last days on which a person has tried a puzzle, counted from 1970 in a time zone, latest first."""
        day = ((_attempt.c.wall_ms + offset_ms) // 86_400_000).label("day")
        query = select(day).where(_attempt.c.person == person).distinct().order_by(day.desc()).limit(most)
        return [int(row.day) for row in await self._database.rows(query)]


def adopt_puzzles(connection: Connection, visitor: str, account: str) -> None:
    """Gives a visitor's tries and ratings to an account; of two ratings the surer one stays, with its past."""
    connection.execute(update(_attempt).where(_attempt.c.person == visitor).values(person=account))
    ours, theirs = (_ratings_of(connection, person) for person in (account, visitor))
    for book, rating in theirs.items():
        is_surer = book not in ours or rating.deviation < ours[book].deviation
        if is_surer:
            put(connection, _rating, _row(rating, person=account, rulebook=book))
        past = account if is_surer else visitor  # whose ratings are no longer those of this person
        lost = (_result.c.person == past) & (_result.c.rulebook == book)
        connection.execute(update(_result).where(lost).values(rating=None))
    for row in connection.execute(select(_result).where(_result.c.person == visitor)).all():
        put_if_absent(connection, _result, _row(_result_of(row), person=account))
    for row in connection.execute(select(_own).where(_own.c.person == visitor)).all():
        put_if_absent(connection, _own, {"person": account, **msgspec.structs.asdict(_own_of(row))})
    for table in (_result, _rating, _own):
        connection.execute(delete(table).where(table.c.person == visitor))


def _ratings_of(connection: Connection, person: str) -> dict[str, RatingRow]:
    rows = connection.execute(select(_rating).where(_rating.c.person == person))
    return {row.rulebook: _rating_of(row) for row in rows}


def _rate(
    connection: Connection, person: str, attempt: PuzzleAttempt, key: str, rating: Rating
) -> PuzzleResult | None:
    book, puzzle = attempt.rulebook, attempt.puzzle
    # Whoever rates the same person on another node waits here, so the first try is one.
    solver = _locked(connection, _rating, {"person": person, "rulebook": book}, rating.solver)
    mine = _result.c.person == person, _result.c.rulebook == book, _result.c.puzzle == puzzle
    if (row := connection.execute(select(_result).where(*mine)).one_or_none()) is not None:
        stored = _result_of(row)
        return stored if stored.attempt == key else None
    earlier = select(func.count()).where(
        _attempt.c.person == person,
        _attempt.c.rulebook == book,
        _attempt.c.puzzle == puzzle,
        _attempt.c.id != key,
    )
    if connection.scalar(earlier):
        return None
    level = _locked(connection, _level, {"rulebook": book, "puzzle": puzzle}, rating.puzzle)
    rated, played = rating.rate(solver, level, attempt.solved, attempt.wall_ms)
    put(connection, _rating, _row(rated, person=person, rulebook=book))
    put(connection, _level, _row(played, rulebook=book, puzzle=puzzle))
    after = round(rated.rating)
    result = PuzzleResult(
        rulebook=book,
        puzzle=puzzle,
        attempt=key,
        solved=attempt.solved,
        rating=after,
        change=after - round(solver.rating),
        wall_ms=attempt.wall_ms,
    )
    connection.execute(insert(_result).values(_row(result, person=person)))
    return result


def _locked(connection: Connection, table: Table, names: dict[str, str], first: RatingRow) -> RatingRow:
    """The rating of these names, which nobody else changes before the transaction ends."""
    put_if_absent(connection, table, _row(first, **names))
    these: Sequence[Any] = [table.c[name] == value for name, value in names.items()]
    return _rating_of(connection.execute(select(table).where(*these).with_for_update()).one())


def _row(row: RatingRow | PuzzleResult, **names: str) -> dict[str, Any]:
    return {**names, **msgspec.structs.asdict(row)}


def _rating_of(row: Row[Any]) -> RatingRow:
    return RatingRow(**{name: row._mapping[name] for name in RatingRow.__struct_fields__})


def _own_of(row: Row[Any]) -> OwnPuzzle:
    return OwnPuzzle(**{name: row._mapping[name] for name in OwnPuzzle.__struct_fields__})


def _result_of(row: Row[Any]) -> PuzzleResult:
    return PuzzleResult(**{name: row._mapping[name] for name in PuzzleResult.__struct_fields__})
