"""Rooms with clocks that are set by hand. A test that names `server` has real sockets instead."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import msgspec
import pytest

from damas.engine import opponent
from damas.server.rooms.rooms import Rooms
from damas.server.settings import Settings
from damas.server.store import Store
from server.conftest import PATIENT
from server.rooms.by_hand import Hands


@pytest.fixture(autouse=True)
def no_opening_book(monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels play by themselves from the first move on."""
    monkeypatch.setattr(opponent, "book_for", lambda _: None)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def settings(tmp_path: Path, kept: Callable[[], dict[str, str]]) -> Settings:
    """On one database, without a heartbeat."""
    limits = msgspec.structs.replace(PATIENT, heartbeat_s=3600)
    return Settings(**{"data": tmp_path / "data", "limits": limits, **kept()})


@pytest.fixture
async def rooms(store: Store, settings: Settings, hands: Hands) -> AsyncIterator[Rooms]:
    rooms = await Rooms.open(store, settings, time=hands, min_reply_ms=0)
    yield rooms
    await rooms.close()
