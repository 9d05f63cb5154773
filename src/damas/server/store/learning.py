"""Everything that the store keeps about a person's learning, for those who stop being that person."""

from sqlalchemy import Connection, delete

from damas.server.store import schema

TABLES = (
    schema.progress,
    schema.puzzle_attempt,
    schema.puzzle_result,
    schema.puzzle_rating,
    schema.own_puzzle,
    schema.review,
    schema.repertoire_line,
    schema.opening_move,
)
"""Tables of what people learn, and how they have opened their games; each has a column `person`."""


def forget_learning(connection: Connection, person: str) -> None:
    """Deletes what a person has learnt."""
    for table in TABLES:
        connection.execute(delete(table).where(table.c.person == person))
