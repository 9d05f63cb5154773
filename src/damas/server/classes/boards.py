"""The boards of a class: games are started, held, let go and ended together."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Literal
from weakref import WeakValueDictionary

from msgspec import structs

from damas.server.classes.pairing import Pair
from damas.server.rooms.ledger import Busy
from damas.server.rooms.new_game import AgainstFriend, NewGame
from damas.server.rooms.room import Room
from damas.server.rooms.rooms import Rooms
from damas.server.rooms.seats import Seat, Seats
from damas.server.security.errors import ApiError
from damas.server.security.visitors import Visitor, anonymous
from damas.server.store import Store
from damas.server.store.errors import DamagedGame, StoreError
from damas.server.store.rows import GameRow, SchoolClass

log = logging.getLogger("damas")

STOPPED_REASON = "ended by the teacher"
"""Stands in the record of a game that a teacher ends."""
LEFT_REASON = "the pupil has left the class"
"""The same of a game whose player is taken out of the class."""
Action = Literal["hold", "let_go", "stop"]
"""What a teacher does to all boards of a class."""
PATH = "/node/classes"
"""Where a node does so when the home of the class asks it to."""
CALLED_OFF = (ApiError, DamagedGame, Busy, StoreError)
"""What keeps one board of many from being changed; the others are changed all the same."""


class Boards:
    """The games of classes in the rooms of this server."""

    def __init__(self, store: Store, rooms: Rooms) -> None:
        self._store = store
        self._rooms = rooms
        self.ask_others: Callable[[str], Awaitable[None]] = _nobody
        """Sends a request to every other node: games may be there that began before this one was the home of their class."""
        self._pairing: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def pairing(self, class_id: str) -> asyncio.Lock:
        """Held while pupils of a class are paired, and while its boards are held, let go or ended and it is forgotten: a
        second tap waits, and finds them playing.
        """
        return self._pairing.setdefault(class_id, asyncio.Lock())

    async def unfinished(self, school_class: SchoolClass) -> list[GameRow]:
        """The games of a class that are being played, newest first."""
        games = await self._store.classes.games(school_class.id, playing=True)
        heads = await self._store.games.heads(games)
        return [head for game in games if (head := heads.get(game)) and head.status == "playing"]

    async def start(self, school_class: SchoolClass, pairs: Iterable[Pair], language: str) -> list[str]:
        """Creates a game for each pair, held until the teacher starts them; their ids. None goes on where they cannot be
        noted with the class, which may have been deleted meanwhile: nobody could ever let them go.
        """
        games = []
        for pair in pairs:
            head = self._head(school_class, pair, language)
            games.append(await self._rooms.create_held(head))
        try:
            await self._store.classes.add_games(school_class.id, games)
        except StoreError:
            for game in games:
                with suppress(*CALLED_OFF):
                    await (await self._rooms.room(game)).stop(STOPPED_REASON)
            raise
        return games

    def _head(self, school_class: SchoolClass, pair: Pair, language: str) -> GameRow:
        words = self._rooms.services.words
        unnamed = words.texts("play.player.unnamed")[language]
        first, second = (anonymous(pupil, "", unnamed) for pupil in pair)
        wanted = NewGame(
            school_class.rulebook,
            AgainstFriend(),
            color="white",
            time=school_class.time_control,
            preset=school_class.preset,
            public=False,
        )
        head = wanted.head(Visitor(first.id, first.name), None, words, language, self._rooms.time.wall_ms())
        seats = Seats.of(head)
        other = Seat(second.id, second.name, "person")
        seats = Seats(seats.white, other) if seats.black.free else Seats(other, seats.black)
        return structs.replace(head, **seats.columns)

    async def hold(self, school_class: SchoolClass, notice: str) -> None:
        """Stops every clock of the class: of its games, and of all others that its pupils play now."""
        await self._store.classes.change(school_class.id, held=True, notice=notice)
        await self._everywhere(school_class, "hold")

    async def let_go(self, school_class: SchoolClass) -> None:
        """The games go on exactly where they were."""
        await self._store.classes.change(school_class.id, held=False, notice="")
        await self._everywhere(school_class, "let_go")

    async def stop(self, school_class: SchoolClass) -> None:
        """Ends the games of the class without a result."""
        await self._everywhere(school_class, "stop")
        await self._store.classes.change(school_class.id, held=False, notice="")
        await self._everywhere(school_class, "let_go")

    async def _everywhere(self, school_class: SchoolClass, action: Action) -> None:
        await self.act_here(school_class, action)
        await self.ask_others(f"{PATH}/{school_class.id}/{action}")

    async def act_here(self, school_class: SchoolClass, action: Action) -> None:
        """Holds, lets go or ends the games of a class that this node owns; what is not the class's own is never ended."""
        if action == "stop":
            for head in await self.unfinished(school_class):
                with suppress(*CALLED_OFF):
                    await (await self._rooms.room(head.id)).stop(STOPPED_REASON)
            return
        for room in await self._rooms_of(school_class):
            with suppress(*CALLED_OFF):
                await (room.hold() if action == "hold" else room.let_go())

    async def _rooms_of(self, school_class: SchoolClass) -> list[Room]:
        """The rooms of the class's games, and of every other game in memory that its pupils play."""
        rooms: dict[str, Room] = {}
        for head in await self.unfinished(school_class):
            with suppress(*CALLED_OFF):
                rooms[head.id] = await self._rooms.room(head.id)
        pupils = {pupil.id for pupil in await self._store.classes.pupils(school_class.id)}
        for room in self._rooms:
            if room.playing and {room.seats.white.id, room.seats.black.id} & pupils:
                rooms[room.id] = room
        return list(rooms.values())

    async def catch_up(self, room: Room, visitor: Visitor) -> None:
        """Holds a game that a pupil opens while the class is held, or lets it go: it was not in memory when the teacher
        held the class or let it go.
        """
        if not (visitor.school_class and room.playing and room.seats.sides_of(visitor.id)):
            return
        with suppress(*CALLED_OFF):
            school_class = await self._store.classes.get(visitor.school_class)
            if school_class and school_class.held and school_class.notice:
                await room.hold()
            elif school_class and not school_class.held:
                await room.let_go()


async def _nobody(_: str) -> None:
    """The other nodes of a process that is alone."""
