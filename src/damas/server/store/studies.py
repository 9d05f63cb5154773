"""Stored studies with their chapters, and reports on games."""

import json
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from damas.server.store import schema
from damas.server.store.database import Database
from damas.server.store.dialects import put
from damas.server.store.errors import (
    LastChapter,
    StaleStudy,
    TooManyChapters,
    TooManyStudies,
    UnknownStudy,
    WriteRefused,
)
from damas.server.store.rows import ChapterRow, Study
from damas.server.store.writer import Writer

_study, _chapter = schema.study, schema.study_chapter
_HEADS = [column for column in _chapter.c if column.name not in ("study", "data")]


class ListedStudy(NamedTuple):
    """A study in a list."""

    study: Study
    chapters: int
    rulebook: str
    """The rulebook of its chapters; empty where they have several."""


class Studies:
    """`store.studies`. Every change of a study names its owner and raises `UnknownStudy` for anybody else's."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer
        self._limits = database.settings.limits

    async def save(self, report: Study) -> None:
        """Stores or replaces a report. Raises `WriteRefused` beyond the limit of bytes."""
        if len(report.data.encode()) > self._limits.study_bytes:
            raise WriteRefused(f"a report has {self._limits.study_bytes} bytes at most")
        await self._writer.do(lambda connection: put(connection, _study, msgspec.structs.asdict(report)))

    async def get(self, study_id: str) -> Study | None:
        """The study or report of that id, if there is one."""
        row = await self._database.row(select(_study).where(_study.c.id == study_id))
        return None if row is None else Study(**row._mapping)

    async def listed(self, owner: str, *, public: bool = False) -> list[ListedStudy]:
        """The studies of a person, last changed first; with `public` only those that anybody may find."""
        count = func.count().label("chapters")
        ends = func.min(_chapter.c.rulebook).label("first"), func.max(_chapter.c.rulebook).label("last")
        query = select(*_study.c, count, *ends).join(_chapter, _chapter.c.study == _study.c.id)
        query = query.where(_study.c.owner == owner)
        if public:
            query = query.where(_study.c.public)
        query = query.group_by(*_study.c).order_by(_study.c.updated_ms.desc(), _study.c.id)
        rows = await self._database.rows(query)
        names = Study.__struct_fields__
        return [
            ListedStudy(
                Study(**{name: row._mapping[name] for name in names}),
                row.chapters,
                row.first if row.first == row.last else "",
            )
            for row in rows
        ]

    async def chapters(self, study: Study) -> list[ChapterRow]:
        """The chapters of a study in their order, without their games."""
        rows = await self._database.rows(select(*_HEADS).where(_chapter.c.study == study.id))
        heads = {row.id: ChapterRow(**row._mapping, data="") for row in rows}
        return [heads[name] for name in order_of(study) if name in heads]

    async def whole_chapters(self, study: Study) -> list[ChapterRow]:
        """The chapters of a study in their order, with their games."""
        rows = await self._database.rows(select(_chapter).where(_chapter.c.study == study.id))
        whole = {row.id: _chapter_of(row) for row in rows}
        return [whole[name] for name in order_of(study) if name in whole]

    async def chapter(self, study_id: str, chapter_id: str) -> ChapterRow | None:
        """A chapter with its game."""
        query = select(_chapter).where(_chapter.c.study == study_id, _chapter.c.id == chapter_id)
        row = await self._database.row(query)
        return None if row is None else _chapter_of(row)

    # Changes

    async def create(self, study: Study, chapters: Sequence[ChapterRow]) -> None:
        """Stores a new study with its first chapters. Raises `TooManyStudies` and `TooManyChapters`."""
        if len(chapters) > self._limits.chapters_per_study:
            raise TooManyChapters(self._limits.chapters_per_study)

        def work(connection: Connection) -> None:
            mine = select(func.count()).select_from(_study).where(_study.c.owner == study.owner)
            if (connection.scalar(mine) or 0) >= self._limits.studies_per_person:
                raise TooManyStudies(self._limits.studies_per_person)
            values = msgspec.structs.asdict(study) | {"data": _order([chapter.id for chapter in chapters])}
            connection.execute(insert(_study).values(values))
            for chapter in chapters:
                _insert_chapter(connection, study.id, chapter)

        await self._writer.do(work)

    async def change(self, study_id: str, owner: str, version: int, **changes: Any) -> int:
        """Changes title or visibility and gives the new version. Raises `StaleStudy` unless it is at `version`."""

        def work(connection: Connection) -> int:
            study = _owned(connection, study_id, owner)
            if study.version != version:
                raise StaleStudy(study_id)
            values = {"version": version + 1, "updated_ms": _now(), **changes}
            connection.execute(update(_study).where(_study.c.id == study_id).values(values))
            return version + 1

        return await self._writer.do(work)

    async def delete(self, study_id: str, owner: str) -> None:
        """Deletes a study with its chapters."""

        def work(connection: Connection) -> None:
            _owned(connection, study_id, owner)
            connection.execute(delete(_study).where(_study.c.id == study_id))

        await self._writer.do(work)

    async def add_chapter(
        self, study_id: str, owner: str, chapter: ChapterRow, at: int | None = None
    ) -> None:
        """Adds a chapter before the one in place `at`, or as the last. Raises `TooManyChapters`."""

        def edit(connection: Connection, order: list[str]) -> None:
            if len(order) >= self._limits.chapters_per_study:
                raise TooManyChapters(self._limits.chapters_per_study)
            order.insert(len(order) if at is None else at, chapter.id)
            _insert_chapter(connection, study_id, chapter)

        await self._reorder(study_id, owner, edit)

    async def move_chapter(self, study_id: str, owner: str, chapter_id: str, to: int) -> None:
        """Moves a chapter to a place, counted from 0 without it."""

        def edit(_: Connection, order: list[str]) -> None:
            if chapter_id not in order:
                raise UnknownStudy(chapter_id)
            order.remove(chapter_id)
            order.insert(to, chapter_id)

        await self._reorder(study_id, owner, edit)

    async def delete_chapter(self, study_id: str, owner: str, chapter_id: str, version: int) -> None:
        """Deletes a chapter. Raises `StaleStudy` unless it is at `version`, and `LastChapter`."""

        def edit(connection: Connection, order: list[str]) -> None:
            _check_version(connection, study_id, chapter_id, version)
            if len(order) == 1:
                raise LastChapter(study_id)
            order.remove(chapter_id)
            connection.execute(
                delete(_chapter).where(_chapter.c.study == study_id, _chapter.c.id == chapter_id)
            )

        await self._reorder(study_id, owner, edit)

    async def save_chapter(self, study_id: str, owner: str, chapter: ChapterRow) -> int:
        """Replaces a chapter, which must be at the version of the new one; gives the new version. Raises `StaleStudy`.

        A chapter that was just stored like this is left as it is: whoever sends it again had no answer.
        """

        def work(connection: Connection) -> int:
            _owned(connection, study_id, owner)
            values = msgspec.structs.asdict(chapter) | {"version": chapter.version + 1}
            here = (_chapter.c.study == study_id) & (_chapter.c.id == chapter.id)
            if row := connection.execute(select(_chapter).where(here)).one_or_none():
                stored = msgspec.structs.asdict(_chapter_of(row))
                if stored == values | {"updated_ms": stored["updated_ms"]}:
                    return chapter.version + 1
            _check_version(connection, study_id, chapter.id, chapter.version)
            connection.execute(update(_chapter).where(here).values(values))
            connection.execute(
                update(_study).where(_study.c.id == study_id).values(updated_ms=chapter.updated_ms)
            )
            return chapter.version + 1

        return await self._writer.do(work)

    async def _reorder(
        self, study_id: str, owner: str, edit: Callable[[Connection, list[str]], None]
    ) -> None:
        def work(connection: Connection) -> None:
            study = _owned(connection, study_id, owner)
            order = order_of(study)
            edit(connection, order)
            values = {"data": _order(order), "updated_ms": _now()}
            connection.execute(update(_study).where(_study.c.id == study_id).values(values))

        await self._writer.do(work)


def order_of(study: Study) -> list[str]:
    """The ids of a study's chapters."""
    return msgspec.json.decode(study.data, type=list[str])


def _order(ids: Sequence[str]) -> str:
    return json.dumps(list(ids), separators=(",", ":"))


def _chapter_of(row: Any) -> ChapterRow:
    return ChapterRow(**{name: row._mapping[name] for name in ChapterRow.__struct_fields__})


def _owned(connection: Connection, study_id: str, owner: str) -> Study:
    """The study, read for a change. Raises `UnknownStudy` where the person has none of that id."""
    query = select(_study).where(
        _study.c.id == study_id, _study.c.owner == owner, _study.c.version.is_not(None)
    )
    row = connection.execute(query.with_for_update()).one_or_none()
    if row is None:
        raise UnknownStudy(study_id)
    return Study(**row._mapping)


def _check_version(connection: Connection, study_id: str, chapter_id: str, version: int) -> None:
    query = select(_chapter.c.version).where(_chapter.c.study == study_id, _chapter.c.id == chapter_id)
    current = connection.scalar(query)
    if current is None:
        raise UnknownStudy(chapter_id)
    if current != version:
        raise StaleStudy(chapter_id)


def _insert_chapter(connection: Connection, study_id: str, chapter: ChapterRow) -> None:
    connection.execute(insert(_chapter).values(msgspec.structs.asdict(chapter) | {"study": study_id}))


def _now() -> int:
    return time.time_ns() // 1_000_000
