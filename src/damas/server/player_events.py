"""Events that reach a player wherever they are: challenges, games that start, games that end.

Nothing is lost with the memory: a program that reconnects is first sent the games it plays and the challenges that wait
for it, and both are read from the games in the store.
"""

import asyncio
import logging
import secrets
from collections.abc import Coroutine
from dataclasses import asdict, dataclass
from typing import Any

from damas.board import Color
from damas.server.messages import Act
from damas.server.nodes.bus import Bus
from damas.server.rooms.record import terms
from damas.server.rooms.room import Room
from damas.server.rooms.rooms import Rooms
from damas.server.rooms.seats import Seats
from damas.server.store import Store
from damas.server.store.errors import StoreError
from damas.server.store.rows import GameRow
from damas.server.waiting import Outbox

log = logging.getLogger("damas")

MAX_UNREAD = 256
"""Events that a reader may leave unread."""
CHALLENGE_ENDS = {"declined": "challengeDeclined", "canceled": "challengeCanceled"}
"""Event type for each end of a challenge that is not accepted; an accepted one starts its game."""


class EventStream(Outbox[dict[str, Any]]):
    """One event stream of one player. It ends when the same token opens another, or its reader is too slow."""

    def __init__(self, person: str, login: str | None) -> None:
        super().__init__()
        self.person = person
        self.login = login

    def add(self, message: dict[str, Any]) -> None:
        """Adds an event; a reader that is too far behind is cut off."""
        super().add(message)
        if self.unread > MAX_UNREAD:
            self.close()


@dataclass(frozen=True)
class Challenge:
    """A game that waits for one certain player; it has the game's id."""

    id: str
    by: str
    by_name: str
    to: str
    to_name: str
    terms: dict[str, Any]

    @classmethod
    def of(cls, head: GameRow, to_name: str) -> "Challenge":
        """The challenge of a game in which a seat is kept for somebody. `color` is the challenger's."""
        seats = Seats.of(head)
        side = next(side for side in Color if not seats[side].free)
        own, other = seats[side], seats[side.other]
        assert own.id and other.invited
        conditions = {**terms(head), "color": side.value}
        return cls(head.id, own.id, own.name, other.invited, to_name, conditions)

    def view(self, status: str = "created") -> dict[str, Any]:
        """The challenge as programs read it."""
        return {
            "id": self.id,
            "url": f"/game/{self.id}",
            "status": status,
            "challenger": {"id": self.by, "name": self.by_name},
            "destUser": {"id": self.to, "name": self.to_name},
            **self.terms,
        }


class PlayerEvents:
    """The event streams of all players, and the open challenges."""

    def __init__(self, rooms: Rooms, store: Store, bus: Bus) -> None:
        self._store = store
        self._bus = bus
        self._streams: dict[str, set[EventStream]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.challenges: dict[str, Challenge] = {}
        rooms.services.subscribers.append(self._game_changed)
        bus.subscribe("player", self._send_here)
        bus.subscribe("challenge", self._challenged_elsewhere)
        bus.subscribe("challenge ended", self._ended_elsewhere)
        bus.when_missed(lambda: self._start(self._load_again()))

    async def load_challenges(self) -> None:
        """Restores the open challenges of all nodes from their games."""
        challenges: dict[str, Challenge] = {}
        for head in await self._store.games.invitations():
            invited = Seats.of(head).invited
            if invited and (account := await self._store.people.account(invited)):
                challenges[head.id] = Challenge.of(head, account.name)
        self.challenges = challenges

    async def _load_again(self) -> None:
        try:
            await self.load_challenges()
        except StoreError as error:
            log.warning("the challenges of other nodes could not be read: %s", error)

    def _challenged_elsewhere(self, challenge: dict[str, Any] | None) -> None:
        if challenge is None:  # too long for the bus
            self._start(self._load_again())
        else:
            self.challenges[challenge["id"]] = Challenge(**challenge)

    def _ended_elsewhere(self, challenge_id: str) -> None:
        self.challenges.pop(challenge_id, None)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def open_stream(self, person: str, login: str | None) -> EventStream:
        """A new stream; an older one of the same token ends."""
        streams = self._streams.setdefault(person, set())
        for older in [stream for stream in streams if stream.login == login]:
            older.close()
            streams.discard(older)
        stream = EventStream(person, login)
        streams.add(stream)
        return stream

    def close_stream(self, stream: EventStream) -> None:
        """Forgets a stream that has ended."""
        streams = self._streams.get(stream.person, set())
        streams.discard(stream)
        if not streams:
            self._streams.pop(stream.person, None)

    def close(self) -> None:
        """Ends every stream."""
        for streams in self._streams.values():
            for stream in streams:
                stream.close()

    def send(self, person: str | None, event: dict[str, Any]) -> None:
        """Sends an event to every stream of a player, at all nodes."""
        self._send_here([person, event])
        self._bus.publish("player", [person, event])

    def _send_here(self, message: Any) -> None:
        person, event = message or ("", {})
        for stream in tuple(self._streams.get(person or "", ())):
            stream.add(event)

    # Challenges

    def call_off(self, room: Room, person: str) -> None:
        """Ends a game that nobody has joined, for the player who created it.

        It does not wait: the request may be over, and what it awaits would be cancelled with it.
        """

        async def work() -> None:
            if room.waiting:
                await room.submit(Act(secrets.token_hex(16), room.seq, "abort"), person)

        self._start(work())

    def add_challenge(self, challenge: Challenge) -> None:
        """Opens a challenge, and tells the player who is challenged."""
        self.challenges[challenge.id] = challenge
        self._bus.publish("challenge", asdict(challenge))
        self.send(challenge.to, {"type": "challenge", "challenge": challenge.view()})

    def end_challenge(self, challenge_id: str, status: str) -> None:
        """A challenge was accepted, declined or canceled; both players get an event."""
        challenge = self.challenges.pop(challenge_id, None)
        if challenge:
            self._bus.publish("challenge ended", challenge_id)
        if challenge and status in CHALLENGE_ENDS:
            for person in (challenge.by, challenge.to):
                self.send(person, {"type": CHALLENGE_ENDS[status], "challenge": challenge.view(status)})

    # Games

    def _game_changed(self, room: Room) -> None:
        if room.playing and not room.start_announced:
            room.start_announced = True
            self.end_challenge(room.id, "accepted")
            self._send_game(room, "gameStart")
        elif not room.playing and room.start_announced:
            room.start_announced = False
            self._send_game(room, "gameFinish")
        elif room.head.status == "aborted":
            self.end_challenge(room.id, "canceled")

    def _send_game(self, room: Room, kind: str) -> None:
        for person in {room.seats[side].id for side in Color if room.seats[side].level is None}:
            if person and (person in self._streams or self._bus.is_shared):
                self.send(person, {"type": kind, "game": game_info(room, person)})


def game_info(room: Room, person: str) -> dict[str, Any]:
    """A short description of a game for one of its players."""
    table, head = room.table, room.head
    you = room.seats.you(person)
    info: dict[str, Any] = {
        "id": room.id,
        "url": f"/game/{room.id}",
        **terms(head),
        "color": you,
        "isMyTurn": room.playing and not table.lifting and you in (table.to_move.value, "both"),
        "fen": table.position.fen,
        "status": head.status,
    }
    if you in ("white", "black"):
        other = room.seats[Color(you).other]
        info["opponent"] = {"name": other.name, "kind": other.kind}
    return info | ending(room)


def ending(room: Room) -> dict[str, Any]:
    """How a game ended, and where its certificate is; nothing while it goes on."""
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
