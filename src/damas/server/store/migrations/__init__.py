"""How a database gets the tables of `schema`: a new one at once, an older one by the revisions in `versions/`.

To change a table: change `schema.py`, add `versions/r<number>_<slug>.py` whose `down_revision` is the last one's, and
set `HEAD` here. A revision that was released is never changed. There is no way down: the way back is the backup.
"""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from damas.server.store.errors import TooNew
from damas.server.store.schema import metadata

HEAD = "0013"
"""The last revision: what this program's tables are. It is here so that a start with nothing to do needs no Alembic."""

# Two nodes that start together must not both build the tables. The number only has to be ours.
_ADVISORY_LOCK = 0x64616D6173


def upgrade(connection: Connection) -> tuple[str | None, str]:
    """Brings the database to `HEAD` in one transaction, all or nothing; says from which revision to which.

    Raises `TooNew` for a database that a later damas has written.
    """
    with connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK})
        before = revision(connection)
        if before != HEAD:
            _run(connection, before)
    return before, HEAD


def revision(connection: Connection) -> str | None:
    """The revision a database is at; None for one without tables of damas."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _run(connection: Connection, before: str | None) -> None:
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    script = ScriptDirectory(str(Path(__file__).parent))
    if before is None:
        metadata.create_all(connection)
        MigrationContext.configure(connection).stamp(script, HEAD)
        return
    if before not in {each.revision for each in script.walk_revisions()}:
        raise TooNew("store.too_new", revision=before, known=HEAD)
    environment = EnvironmentContext(Config(), script, fn=lambda at, _context: script._upgrade_revs(HEAD, at))
    with environment:
        environment.configure(connection=connection, target_metadata=metadata, transactional_ddl=True)
        with environment.begin_transaction():
            environment.run_migrations()
