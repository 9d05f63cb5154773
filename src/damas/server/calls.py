"""What concerns a player wherever they are: challenges, games that begin, games that end.

Nothing of it is lost with the memory: a program that comes back is first told of the games it is in and of the challenges
that wait for it, and both are read off the games in the store.
"""

import asyncio
import secrets
from dataclasses import dataclass
from typing import Any

from damas.board import Color
from damas.server.messages import Act
from damas.server.rooms.room import Room
from damas.server.rooms.rooms import Rooms
from damas.server.rooms.seats import Seats
from damas.server.store import GameRow, Store
from damas.server.waiting import Outbox

MAX_UNREAD = 256


class Listener(Outbox[dict[str, Any]]):
    """One event stream of one player. It ends when the same token opens another, or reads too slowly."""

    def __init__(self, person: str, login: str | None) -> None:
        super().__init__()
        self.person = person
        self.login = login

    def add(self, message: dict[str, Any]) -> None:
        super().add(message)
        if self.unread > MAX_UNREAD:
            self.close()


@dataclass(frozen=True)
class Challenge:
    """A game that waits for one certain player, under the game's own id."""

    id: str
    by: str
    by_name: str
    to: str
    to_name: str
    terms: dict[str, Any]

    @classmethod
    def of(cls, head: GameRow, to_name: str) -> "Challenge":
        """That of a game in which a seat is kept for somebody. `color` is that of whoever asks."""
        seats = Seats.of(head)
        side = next(side for side in Color if not seats[side].free)
        own, kept = seats[side], seats[side.other]
        assert own.id and kept.invited
        terms = {
            "rulebook": head.rulebook,
            "time": head.time_control,
            "color": side.value,
            "preset": head.preset,
        }
        return cls(head.id, own.id, own.name, kept.invited, to_name, terms)

    def told(self, status: str = "created") -> dict[str, Any]:
        return {
            "id": self.id,
            "url": f"/game/{self.id}",
            "status": status,
            "challenger": {"id": self.by, "name": self.by_name},
            "destUser": {"id": self.to, "name": self.to_name},
            **self.terms,
        }


class Calls:
    """Opened with the rooms, whose changes it hears."""

    def __init__(self, rooms: Rooms) -> None:
        self._listeners: dict[str, set[Listener]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.challenges: dict[str, Challenge] = {}
        rooms.services.subscribers.append(self._changed)

    async def recall(self, store: Store, node: str) -> None:
        """The challenges that were open when the server stopped."""
        for head in await store.games.invitations(node):
            invited = Seats.of(head).invited
            if invited and (account := await store.people.account(invited)):
                self.challenges[head.id] = Challenge.of(head, account.name)

    def listen(self, person: str, login: str | None) -> Listener:
        """A new stream; an older one of the same token ends."""
        here = self._listeners.setdefault(person, set())
        for older in [listener for listener in here if listener.login == login]:
            older.close()
            here.discard(older)
        listener = Listener(person, login)
        here.add(listener)
        return listener

    def leave(self, listener: Listener) -> None:
        here = self._listeners.get(listener.person, set())
        here.discard(listener)
        if not here:
            self._listeners.pop(listener.person, None)

    def close(self) -> None:
        for here in self._listeners.values():
            for listener in here:
                listener.close()

    def call(self, person: str | None, call: dict[str, Any]) -> None:
        for listener in tuple(self._listeners.get(person or "", ())):
            listener.add(call)

    # Challenges

    def call_off(self, room: Room, person: str) -> None:
        """Ends a game that nobody has joined, in the name of whoever made it. It does not wait: the request that made
        it may be over, and what is awaited in it then is not done.
        """

        async def work() -> None:
            if room.waiting:
                await room.submit(Act(secrets.token_hex(16), room.seq, "abort"), person)

        task = asyncio.create_task(work())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def challenge(self, challenge: Challenge) -> None:
        self.challenges[challenge.id] = challenge
        self.call(challenge.to, {"type": "challenge", "challenge": challenge.told()})

    def settle(self, challenge_id: str, status: str) -> None:
        """Accepted, declined or canceled: both are told."""
        known = self.challenges.pop(challenge_id, None)
        if known and status != "accepted":  # acceptance is told by gameStart
            for person in (known.by, known.to):
                name = {"declined": "challengeDeclined"}.get(status, "challengeCanceled")
                self.call(person, {"type": name, "challenge": known.told(status)})

    # Games

    def _changed(self, room: Room) -> None:
        if room.playing and not room.start_announced:
            room.start_announced = True
            self.settle(room.id, "accepted")
            self._tell(room, "gameStart")
        elif not room.playing and room.start_announced:
            room.start_announced = False
            self._tell(room, "gameFinish")
        elif room.head.status == "aborted":
            self.settle(room.id, "canceled")

    def _tell(self, room: Room, kind: str) -> None:
        for person in {room.seats[side].id for side in Color if room.seats[side].level is None}:
            if person in self._listeners:
                self.call(person, {"type": kind, "game": game_info(room, person)})


def game_info(room: Room, person: str) -> dict[str, Any]:
    """A game in a few words, for one of its players."""
    table, head = room.table, room.head
    you = room.seats.you(person)
    told: dict[str, Any] = {
        "id": room.id,
        "url": f"/game/{room.id}",
        "rulebook": head.rulebook,
        "time": head.time_control,
        "preset": head.preset,
        "color": you,
        "isMyTurn": room.playing and you in (table.to_move.value, "both"),
        "fen": table.position.fen,
        "status": head.status,
    }
    if you in ("white", "black"):
        other = room.seats[Color(you).other]
        told["opponent"] = {"name": other.name, "kind": other.kind}
    return told | ended(room)


def ended(room: Room) -> dict[str, Any]:
    """How a game ended: winner, termination, article, and where its certificate lies; nothing while it goes on."""
    outcome = room.table.outcome
    if outcome is None:
        return {}
    return {
        "winner": outcome.winner.value if outcome.winner else None,
        "termination": outcome.reason,
        "article": outcome.citation.article,
        "articleId": outcome.citation.id,
        "result": outcome.result,
        "certificate": f"/api/games/{room.id}/certificate",
    }
