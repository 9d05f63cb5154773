"""Moves of levels that the opponent's page computes: when a page is asked for one, and what it is asked."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from damas.board import Color
from damas.engine.opponent import Computer
from damas.game import Game
from damas.rules import rulebook
from damas.server.messages import Command, Move, encode
from damas.server.rooms.record import seed_of
from damas.server.rooms.watchers import Watcher

if TYPE_CHECKING:
    from damas.server.rooms.room import Room

MIN_CLOCK_MS = 10_000
"""With less time left the server computes: the way to the page and back costs the level's time."""
BY_THE_SERVER = ("contest",)
"""Regulations of games in which the server's own engine plays."""


@dataclass(frozen=True)
class PageTask:
    """A move that a page has been asked for."""

    watcher: Watcher
    side: Color
    game: Game
    """The game as it stood: whatever changes it makes the task void."""
    timer: asyncio.TimerHandle

    def asks(self, command: Command, watcher: Watcher | None) -> bool:
        """Whether a command of a watcher is the answer."""
        is_level_move = isinstance(command, Move) and command.side == self.side.value
        return is_level_move and watcher is self.watcher


def able_page(room: "Room", side: Color) -> Watcher | None:
    """The page that may compute a level's move: that of its opponent, if it has said so and nothing but a move is due."""
    table, page = room.table, room.audience.holder(side.other)
    if page is None or not page.computes or not room.services.limits.level_page_s:
        return None
    if room.head.preset in BY_THE_SERVER or table.book is not rulebook(table.book.id):
        return None
    if table.offer is side.other or table.take_back is side.other or table.chain or table.touched:
        return None
    left = table.clocks.remaining(side, room.keeper.now)
    if left is not None and left < MIN_CLOCK_MS:
        return None
    computer = _computer(room, side)
    if computer.knows_opening(table):
        return None  # pages have no opening book, and the server needs no time for it
    return None if computer.claims(table, room.keeper.now) else page


def _computer(room: "Room", side: Color) -> Computer:
    level = room.seats[side].level
    assert level is not None
    return Computer(side, seed_of(room.id), level)


def ask_page(room: "Room", side: Color, page: Watcher, min_reply_ms: int) -> float:
    """Sends a page the question of a level's move; for how many seconds its answer is waited for."""
    table, game, computer = room.table, room.table.game, _computer(room, side)
    seconds = computer.movetime(table, room.keeper.now)
    question: dict[str, Any] = {
        "ply": table.ply,
        "side": side.value,
        "level": computer.level,
        "seed": seed_of(room.id),
        "movetime_ms": None if seconds is None else max(1, round(seconds * 1000)),
        "reply_ms": min_reply_ms,
        "rulebook": table.book.id,
        "game": {
            "fen": game.record.start.fen,
            "moves": [move.text for move in game.record.moves],
            "calls": game.record.claims,
            "recorded": game.record.recorded,
            "customs": {"platformRules": game.customs.platform_rules, "claims": game.customs.claims},
        },
    }
    page.send(encode({"t": "think", **question}))
    return room.services.limits.level_page_s + min_reply_ms / 1000 + (seconds or 0)
