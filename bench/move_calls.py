"""How many Python functions of damas one move in a browser calls, from the command's text to the last outbox.

Counts `call` events of `sys.setprofile` in the event loop's thread: from `read_message` of the command until the room
has committed, answered and told two players and one viewer. SQLite's writer thread is not counted, nor are functions of
other libraries, so the figure is the same on every machine.
"""

import asyncio
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

PLIES = 20


async def count(folder: Path) -> tuple[float, Counter[str]]:
    """Calls a move, mean of 20 plies after the first, and the calls by function."""
    from damas.server.messages import read_message
    from damas.server.rooms.new_game import AgainstFriend, NewGame
    from damas.server.rooms.rooms import Rooms
    from damas.server.rooms.watchers import Watcher
    from damas.server.security.visitors import Visitor
    from damas.server.settings import Settings
    from damas.server.store import Store

    settings = Settings(data=folder)
    store = await Store.open(settings)
    rooms = await Rooms.open(store, settings)
    players = [Visitor("a" * 32, "Ana"), Visitor("b" * 32, "Rui")]
    wanted = NewGame("brasileira", AgainstFriend(), colour="white", time="5+3")
    room = await rooms.room(await rooms.create(wanted, players[0]))
    await room.take_seat(players[1].id, players[1].name, "person")
    watchers = [Watcher(player.id, player.name, "en", 10_000) for player in players]
    watchers.append(Watcher("c" * 32, "Eva", "en", 10_000))
    for watcher in watchers:
        await room.enter(watcher)
    await room.in_turn(_nothing)
    calls: Counter[str] = Counter()
    for ply in range(PLIES + 1):
        move = room.table.position.legal_moves[0].text
        text = f'{{"t":"move","id":"{ply:032x}","ply":{ply},"last_seq":{room.seq},"move":"{move}"}}'
        watcher, player = watchers[ply % 2], players[ply % 2]
        if ply == 1:  # the first move fills caches
            sys.setprofile(_counter(calls))
        command: Any = read_message(text)
        await room.ask(command, player.id, rooms.time.mono_ms(), "en", watcher)
        while room.seq < command.last_seq + 1 or not room._queue.empty:
            await asyncio.sleep(0)
    sys.setprofile(None)
    await rooms.close()
    await store.close()
    return calls.total() / PLIES, calls


async def _nothing() -> None:
    return None


def _counter(calls: Counter[str]) -> Any:
    own = f"{os.sep}damas{os.sep}"

    def profile(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and own in frame.f_code.co_filename:
            calls[f"{Path(frame.f_code.co_filename).name}:{frame.f_code.co_qualname}"] += 1

    return profile


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        mean, by_function = asyncio.run(count(Path(place)))
    print(f"{mean:.1f} Python calls a move")
    for name, times in by_function.most_common():
        print(f"{times / PLIES:7.2f}  {name}")
