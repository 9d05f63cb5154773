"""Rooms by themselves, without sockets, with clocks that are set by hand."""

from dataclasses import dataclass
from secrets import token_hex

from damas.server.messages import Act, Move
from damas.server.rooms.clockwork import MachineTime
from damas.server.rooms.new_game import AgainstFriend, NewGame
from damas.server.rooms.room import Room
from damas.server.rooms.rooms import Rooms
from damas.server.rooms.watchers import Watcher
from damas.server.security.visitors import Visitor

ANA, RUI = Visitor("a" * 32, "Ana"), Visitor("b" * 32, "Rui")
BOT = Visitor("c" * 32, "bot", bot=True)


@dataclass
class Hands(MachineTime):
    """Clocks that are set by hand."""

    mono: int = 5_000_000
    wall: int = 1_800_000_000_000

    def mono_ms(self) -> int:
        return self.mono

    def wall_ms(self) -> int:
        return self.wall

    def pass_by(self, seconds: float) -> None:
        """Both clocks go on."""
        self.mono += int(seconds * 1000)
        self.wall += int(seconds * 1000)


async def friends(rooms: Rooms, *people: Visitor, **terms: str) -> Room:
    """The room of a game that has begun between two people, Ana and Rui unless others are named."""
    first, second = people or (ANA, RUI)
    wanted = NewGame(terms.pop("rulebook", "brasileira"), AgainstFriend(), colour="white", **terms)  # type: ignore[arg-type]
    room = await rooms.room(await rooms.create(wanted, first))
    await room.take_seat(second.id, second.name, "bot" if second.bot else "person")
    return room


async def arrive(room: Room, person: Visitor) -> Watcher:
    """Somebody opens a socket."""
    watcher = Watcher(person.id, person.name, "en", 256)
    await room.enter(watcher)
    await settled(room)
    return watcher


async def settled(room: Room) -> None:
    """Waits until the room has done all it has to do."""

    async def nothing() -> None:
        return

    await room.in_turn(nothing)


async def ticked(room: Room) -> None:
    """The room's timer fires."""
    room.tick()
    await settled(room)


def move(room: Room, text: str) -> Move:
    return Move(token_hex(16), room.table.ply, room.seq, text)


def act(room: Room, do: str) -> Act:
    return Act(token_hex(16), room.seq, do)  # type: ignore[arg-type]


async def reloaded(rooms: Rooms, room: Room) -> Room:
    """The same game, dropped and loaded from the store again."""
    room.close(1012, "")
    rooms._drop(room)
    return await rooms.room(room.id)


def kill(rooms: Rooms) -> None:
    """As if the server was killed: nothing is said, nothing is written."""
    for task in rooms._tasks:
        task.cancel()
