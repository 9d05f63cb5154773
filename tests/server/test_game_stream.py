"""The stream of a game for programs ends with the final state, whenever the game ends."""

import json
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from damas.server.rooms.watchers import Watcher
from damas.server.web import board_api


class Room:
    """As much of a room as the stream asks."""

    id, seq = "g", 1

    def __init__(self) -> None:
        self.head = SimpleNamespace(status="playing")
        self.seats = SimpleNamespace(sides_of=lambda _: frozenset())

    async def enter(self, watcher: Watcher) -> None:
        self.watcher = watcher
        watcher.send('{"t":"hello"}')

    def leave(self, watcher: Watcher) -> None:
        pass

    def happen(self, *, over: bool = False) -> None:
        self.seq += 1
        if over:
            self.head.status = "over"
        self.watcher.send(json.dumps({"t": "event", "seq": self.seq}))

    def say(self) -> None:
        self.watcher.send('{"t":"chat","room":"players","name":"Rui","text":"oi"}')


SCRIPTS: dict[str, dict[int, Callable[[Room], None]]] = {
    "while the whole game is sent": {1: lambda room: room.happen(over=True)},
    "while a chat line is sent": {1: Room.say, 2: lambda room: room.happen(over=True)},
    "while a state is sent": {1: Room.happen, 2: lambda room: room.happen(over=True)},
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
async def test_the_last_line_is_the_final_state(
    script: dict[int, Callable[[Room], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room()

    async def room_of(_: str) -> Room:
        return room

    limits = SimpleNamespace(limits=SimpleNamespace(events_in_memory=256))
    services = SimpleNamespace(rooms=SimpleNamespace(room=room_of), settings=limits)
    monkeypatch.setattr(board_api, "services_of", lambda _: services)
    monkeypatch.setattr(board_api, "language_of", lambda _: "en")
    monkeypatch.setattr(board_api, "address_of", lambda _: "")
    monkeypatch.setattr(board_api, "full", lambda room, *_: {"status": room.head.status})
    monkeypatch.setattr(board_api, "state", lambda room, *_: {"status": room.head.status})
    stream = await board_api._stream_game(
        SimpleNamespace(path_params={"id": "g"}), SimpleNamespace(id="v", name="n")
    )
    lines = []
    async for line in stream._values:
        lines.append(line)
        script.get(len(lines), lambda _: None)(room)
    assert lines[-1] == {"status": "over"}
