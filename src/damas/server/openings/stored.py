"""The openings of a server's public games, read from its database for `damas explorer build`; a server may be running."""

import asyncio
from collections.abc import Iterator
from itertools import islice
from typing import Any

from sqlalchemy import Select, create_engine, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from damas.board import Color
from damas.openings.gathering import Games
from damas.openings.lines import PlayedLine
from damas.server.settings import Settings
from damas.server.store import schema
from damas.server.store.database import trouble
from damas.server.store.errors import CannotOpen
from damas.server.store.openings import keys_in
from damas.server.store.sqlite import sqlite_url

WINNERS = {"1-0": Color.WHITE, "0-1": Color.BLACK, "1/2-1/2": None}
"""The winner of each result that is counted."""


def server_games(settings: Settings) -> Games:
    """The public games that a server has counted, in the order in which they ended; more come later."""
    counted, game = schema.opening_game, schema.game
    query = (
        select(game.c.rulebook, counted.c.result, counted.c["keys"])
        .join(game, game.c.id == counted.c.game)
        .where(game.c.public)
        .order_by(counted.c.updated_ms, counted.c.game)
    )

    def read(first: int) -> Iterator[PlayedLine]:
        for rulebook, result, keys in islice(_rows(settings, query), first, None):
            yield PlayedLine(rulebook, tuple(keys_in(keys)), WINNERS[result])

    return Games("server", read, grows=True)


def _rows(settings: Settings, query: Select[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
    path = settings.sqlite_path
    if path is None:
        yield from asyncio.run(_postgresql_rows(settings, query))
        return
    if not path.is_file():
        raise CannotOpen("store.no_database", path=path)
    engine = create_engine(sqlite_url(path, "ro"), poolclass=NullPool)
    try:
        with engine.connect() as connection:
            yield from (_plain(row) for row in connection.execute(query))
    except SQLAlchemyError as error:
        raise CannotOpen("store.cannot_open", name=str(path), why=trouble(error)) from error
    finally:
        engine.dispose()


async def _postgresql_rows(
    settings: Settings, query: Select[tuple[str, str, str]]
) -> list[tuple[str, str, str]]:
    from damas.server.store.postgresql import PostgresqlDatabase

    database = PostgresqlDatabase(settings)
    try:
        return [_plain(row) for row in await database.rows(query)]
    finally:
        await database.close()


def _plain(row: Any) -> tuple[str, str, str]:
    rulebook, result, keys = row
    return rulebook, result, keys
