"""Stored studies: move trees of the analysis board, and reports."""

import msgspec
from sqlalchemy import Connection, func, select

from damas.server.store import schema
from damas.server.store.database import Database
from damas.server.store.dialects import put
from damas.server.store.errors import WriteRefused
from damas.server.store.rows import Study
from damas.server.store.writer import Writer

_study = schema.study


class Studies:
    """`store.studies`."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer
        self._limits = database.settings.limits

    async def save(self, study: Study) -> None:
        """Stores or replaces a study of its owner. Raises `WriteRefused` for another owner's, and beyond the limits."""
        if len(study.data.encode()) > self._limits.study_bytes:
            raise WriteRefused(f"a study has {self._limits.study_bytes} bytes at most")

        def work(connection: Connection) -> None:
            owner = connection.scalar(select(_study.c.owner).where(_study.c.id == study.id))
            if owner is not None and owner != study.owner:
                raise WriteRefused(f"study {study.id} is somebody else's")
            if owner is None:
                count = select(func.count()).select_from(_study).where(_study.c.owner == study.owner)
                if (connection.scalar(count) or 0) >= self._limits.studies_per_person:
                    raise WriteRefused(f"a person keeps {self._limits.studies_per_person} studies at most")
            put(connection, _study, msgspec.structs.asdict(study))

        await self._writer.do(work)

    async def get(self, study_id: str) -> Study | None:
        """The study of that id, if there is one."""
        row = await self._database.row(select(_study).where(_study.c.id == study_id))
        return None if row is None else Study(**row._mapping)
