"""Levels of the computer that play a side of a game. Their moves are computed by the opponent's page where it offers that
(`page_levels`), else in a few threads beside the event loop.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from damas.arbiter import Event, Moved, Table
from damas.board import Color
from damas.engine.opponent import Computer
from damas.server.messages import Command
from damas.server.rooms import metrics
from damas.server.rooms.clockwork import MachineTime
from damas.server.rooms.page_levels import PageTask, able_page, ask_page
from damas.server.rooms.record import seed_of
from damas.server.rooms.watchers import Watcher
from damas.server.workers import Caller, Stop, Workers

if TYPE_CHECKING:
    from damas.server.rooms.room import Room

log = logging.getLogger("damas.rooms")

HASH_MB = 2
"""Hash table of a level's engine."""
THREADS = 2
"""Levels that think at once."""
PER_ADDRESS = 2
"""Moves being computed or waiting in the line for one address; its others wait outside."""


class ComputerPlayers:
    """The threads in which all levels of a server think; the people they play against take turns."""

    def __init__(self, threads: int = THREADS, min_reply_ms: int = 0) -> None:
        self.workers = Workers("level", threads, per_address=PER_ADDRESS, low_priority=True)
        self.min_reply_ms = min_reply_ms
        """A reply comes no sooner than this, so that people see their own move first."""

    async def act(
        self, game: str, side: Color, level: int, table: Table, now: Callable[[], int], caller: Caller
    ) -> Event | None:
        """What a level does at the game time `now()`, read when its turn has come; None if it waits for its opponent."""

        def work(stop: Stop) -> Event | None:
            # A level keeps nothing between moves, so its engine lives for one move: waiting games hold none.
            computer = Computer(side, seed_of(game), level, hash_mb=HASH_MB)
            stop.call(computer.cancel)
            try:
                return computer.acts(table, now())
            finally:
                computer.close()

        return await self.workers.run(work, caller)

    def close(self) -> None:
        """Stops every thought."""
        self.workers.stop()


class Levels:
    """The levels that play in one game. They think about one table at a time, and their moves are queued like commands.

    While they think they hold the room; otherwise only the room holds them.
    """

    def __init__(self, players: ComputerPlayers, time: MachineTime) -> None:
        self._players = players
        self._time = time
        self._task: asyncio.Task[None] | None = None
        self._page_task: PageTask | None = None
        self._let_down = False
        """Whether a page has cost a level time on its clock: none is asked again in this game."""

    @property
    def thinking(self) -> bool:
        """Whether a level thinks now."""
        return self._task is not None or self._page_task is not None

    def wake(self, room: "Room") -> None:
        """Starts to think if it is a level's turn."""
        side = _level_to_act(room) if room.playing and not room.closed else None
        task = self._page_task
        if task and (
            not room.playing
            or room.audience.holder(task.side.other) is not task.watcher
            or room.table.game is not task.game
        ):
            self._drop_page_task()
        if side is None or self._task:
            return
        if not self._let_down and (page := able_page(room, side)):
            if self._page_task is None:
                wait_s = ask_page(room, side, page, self._players.min_reply_ms)
                timer = asyncio.get_running_loop().call_later(wait_s, self.think_here, room)
                self._page_task = PageTask(page, side, room.table.game, timer)
            return
        self._task = asyncio.create_task(self._think(room), name=f"level of {room.id}")

    def stop(self) -> None:
        """Gives up the thought under way."""
        self._drop_page_task()
        if self._task:
            self._task.cancel()

    # By the opponent's page

    def side_of(self, command: Command, watcher: Watcher | None) -> Color | None:
        """The side of the level whose move a command is, if its sender was asked for that move."""
        task = self._page_task
        return task.side if task and task.asks(command, watcher) else None

    def think_here(self, room: "Room") -> None:
        """The page did not answer in time, or not with a legal move: it is asked no more, and the server computes.

        A page can offer itself again, and come back as another. Where a clock runs it would let the level's time pass.
        """
        if self._page_task:
            self._let_down = room.keeper.timed
            self._page_task.watcher.computes = False
            self._drop_page_task()
            self.wake(room)

    def _drop_page_task(self) -> None:
        if self._page_task:
            self._page_task.timer.cancel()
            self._page_task = None

    # By the server

    async def _think(self, room: "Room") -> None:
        table, side = room.table, _level_to_act(room)
        try:
            level = room.seats[side].level if side else None
            if side is None or level is None:
                return
            began = self._time.mono_ms()
            person = room.seats[side.other].id or room.id
            caller = Caller(person, room.address or person)
            event = await self._players.act(room.id, side, level, table, lambda: room.keeper.now, caller)
            if isinstance(event, Moved):
                metrics.level_moves.labels("server").inc()
                await self._wait_before_reply(side, table, began)
            if event is not None:
                received = self._time.mono_ms()
                room.put(lambda: self._play(room, event, table, received))
        except Exception:
            log.exception("game %s: a level could not think", room.id)
            metrics.alarms.labels("level").inc()
        finally:
            self._task = None
            if room.table is not table:
                self.wake(room)

    async def _wait_before_reply(self, side: Color, table: Table, began: int) -> None:
        """Waits until `min_reply_ms` have passed, unless its time is short."""
        wait = self._players.min_reply_ms - (self._time.mono_ms() - began)
        left = table.clocks.remaining(side, table.now)
        if wait > 0 and (left is None or left > 20 * wait):
            await asyncio.sleep(wait / 1000)

    async def _play(self, room: "Room", event: Event, table: Table, received: int) -> None:
        if room.table is not table:  # the game has moved on meanwhile
            self.wake(room)
            return
        assert event.by is not None
        is_move = isinstance(event, Moved)
        at = room.keeper.move_at(event.by, received) if is_move else room.keeper.other_at(received)
        await room.apply(replace(event, at=at))


def _level_to_act(room: "Room") -> Color | None:
    """The side of a level that has a move or a reply to make."""
    table, seats = room.table, room.seats
    if table.suspended or (seats.white.level is None and seats.black.level is None):
        return None
    for side in Color:
        if seats[side].level is None:
            continue
        chain = table.chain and not table.chain.demanded and table.chain.by is side.other
        if table.offer is side.other or table.take_back is side.other or chain or table.awaited is side:
            return side
    return None
