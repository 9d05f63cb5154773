"""The executable model of docs/reference/protocol.md, items 3–12: server, disk, network and players, one step at a time.

The network does what it likes with messages: loses them, brings them twice, late, in any order. The server may crash at
any step and the disk may leave it in the dark about a commit. Whatever happens, after every step:

* what was acknowledged is on disk;
* an id happens once, and so does a ply of a line;
* what a player has applied is a beginning of what is on disk.

Change this first, then the code. `Mutant` names ways to get it wrong, each of which the walks must notice.
"""

import random
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

Message = dict[str, Any]


class Mutant(Enum):
    ACK_BEFORE_COMMIT = auto()
    TELL_BEFORE_COMMIT = auto()
    FORGET_IDS = auto()
    GUESS_AFTER_UNKNOWN = auto()
    PLY_UNCHECKED = auto()
    APPLY_OUT_OF_ORDER = auto()


class Violation(AssertionError):
    pass


@dataclass(frozen=True)
class Stored:
    """An event on disk."""

    seq: int
    line: int
    ply: int
    id: str
    content: str
    back: bool = False
    """Takes the last ply back, and so begins a new line."""


@dataclass
class Disk:
    """Only grows, and survives everything."""

    events: list[Stored] = field(default_factory=list)

    def find(self, number: str) -> Stored | None:
        return next((event for event in self.events if event.id == number), None)


@dataclass
class Memory:
    """What the owner of the game knows; gone in a crash."""

    events: list[Stored]
    ids: dict[str, Stored]
    line: int
    ply: int
    taken_back: int
    writing: tuple[Stored, int] | None = None
    """What is on its way to the disk, and who asked for it."""
    waiting: list[tuple[int, Message]] = field(default_factory=list)

    @classmethod
    def of(cls, disk: Disk) -> "Memory":
        memory = cls([], {}, 0, 0, 0)
        for event in disk.events:
            memory.add(event)
        return memory

    def add(self, event: Stored) -> None:
        self.events.append(event)
        self.ids[event.id] = event
        if event.back:
            self.line, self.ply, self.taken_back = self.line + 1, self.ply - 1, event.seq
        else:
            self.ply += 1


@dataclass
class Player:
    """A page: keeps its intended move until it is answered, and applies events in their order."""

    number: int
    log: list[Stored] = field(default_factory=list)
    pending: Message | None = None
    acked: list[tuple[str, int]] = field(default_factory=list)
    connected: bool = False
    held: dict[int, Stored] = field(default_factory=dict)
    resuming: bool = False
    """Has asked for what is missing, and waits for it or for the time-out."""

    @property
    def last(self) -> int:
        return self.log[-1].seq if self.log else 0

    @property
    def ply(self) -> int:
        return sum(-1 if event.back else 1 for event in self.log)


class World:
    """Everything there is. `walk` takes so many random steps and raises `Violation` at the first wrong one."""

    def __init__(self, seed: int, mutant: Mutant | None = None, players: int = 3) -> None:
        self.chance = random.Random(seed)
        self.mutant = mutant
        self.disk = Disk()
        self.memory: Memory | None = Memory.of(self.disk)
        self.players = [Player(n) for n in range(players)]
        self.to_server: list[tuple[int, Message]] = []
        self.to_player: list[tuple[int, Message]] = []
        self.promises: dict[str, int] = {}
        """Every acknowledgement that anybody may hear of, and the number it names."""
        self.steps = 0
        self._ids = 0

    def walk(self, steps: int) -> None:
        actions = {
            self.intend: 20,
            self.deliver_up: 40,
            self.deliver_down: 60,
            self.commit: 30,
            self.connect: 20,
            self.lose_up: 3,
            self.lose_down: 4,
            self.repeat_up: 4,
            self.repeat_down: 4,
            self.time_out: 8,
            self.cut: 2,
            self.unknown: 4,
            self.crash: 1,
        }
        ways, weights = list(actions), list(actions.values())
        for _ in range(steps):
            self.steps += 1
            self.chance.choices(ways, weights)[0]()
            self.check()

    # Players

    def intend(self) -> None:
        """Somebody means to move, or to take back; one id for each intention."""
        player = self.chance.choice(self.players[:2])
        if player.pending is None:
            self._ids += 1
            back = player.ply > 0 and self.chance.random() < 0.1
            player.pending = {
                "t": "back" if back else "move",
                "id": f"{self._ids}",
                "ply": player.ply,
                "last_seq": player.last,
                "content": f"move {self._ids}",
            }
            self._send(player)

    def time_out(self) -> None:
        """No answer: the same id once more (item 12)."""
        player = self.chance.choice(self.players)
        player.resuming = False
        self._send(player)

    def _send(self, player: Player) -> None:
        if player.pending and player.connected:
            self.to_server.append((player.number, player.pending))

    def connect(self) -> None:
        player = self.chance.choice(self.players)
        if self.memory and not player.connected:
            player.connected = player.resuming = True
            self.to_server.append((player.number, {"t": "resume", "last": player.last}))
            self._send(player)

    def cut(self) -> None:
        """A line breaks, and all that was on it is lost."""
        player = self.chance.choice(self.players)
        player.connected = False
        self.to_server = [item for item in self.to_server if item[0] != player.number]
        self.to_player = [item for item in self.to_player if item[0] != player.number]

    # The network

    def lose_up(self) -> None:
        self._take(self.to_server)

    def lose_down(self) -> None:
        self._take(self.to_player)

    def repeat_up(self) -> None:
        if self.to_server:
            self.to_server.append(self.chance.choice(self.to_server))

    def repeat_down(self) -> None:
        if self.to_player:
            self.to_player.append(self.chance.choice(self.to_player))

    def _take(self, line: list[tuple[int, Message]]) -> tuple[int, Message] | None:
        return line.pop(self.chance.randrange(len(line))) if line else None

    def deliver_up(self) -> None:
        item = self._take(self.to_server)
        if item and self.memory:
            self.memory.waiting.append(item)
            self._serve()

    def deliver_down(self) -> None:
        item = self._take(self.to_player)
        if item:
            self._read(self.players[item[0]], item[1])

    def _read(self, player: Player, message: Message) -> None:
        mine = player.pending is not None and message.get("id") == player.pending["id"]
        if message["t"] == "event":
            event: Stored = message["event"]
            if self.mutant is Mutant.APPLY_OUT_OF_ORDER and event.seq > player.last:
                player.log.append(event)
                return
            player.held[event.seq] = event
            while player.last + 1 in player.held:
                player.log.append(player.held.pop(player.last + 1))
                player.resuming = False
            player.held = {seq: event for seq, event in player.held.items() if seq > player.last}
            if player.held and player.connected and not player.resuming:  # a gap
                player.resuming = True
                self.to_server.append((player.number, {"t": "resume", "last": player.last}))
        elif message["t"] == "ack" and mine:
            assert player.pending
            player.acked.append((player.pending["id"], message["seq"]))
            player.pending = None
        elif message["t"] == "nack" and mine:
            player.pending = None

    # The server

    def _serve(self) -> None:
        """The owner takes commands one by one: while it writes, the others wait."""
        memory = self.memory
        while memory and memory.waiting and memory.writing is None:
            who, message = memory.waiting.pop(0)
            if message["t"] == "resume":
                for event in memory.events[message["last"] :]:
                    self._tell(who, {"t": "event", "event": event})
            else:
                self._command(memory, who, message)

    def _command(self, memory: Memory, who: int, message: Message) -> None:
        earlier = memory.ids.get(message["id"])
        if earlier and self.mutant is not Mutant.FORGET_IDS:
            same = earlier.content == message["content"]
            answer = {"t": "ack", "seq": earlier.seq} if same else {"t": "nack"}
            self._tell(who, {**answer, "id": message["id"]})
            return
        behind = message["ply"] != memory.ply or message["last_seq"] < memory.taken_back
        if self.mutant is Mutant.FORGET_IDS:
            behind = message["ply"] > memory.ply
        if self.mutant is Mutant.PLY_UNCHECKED:
            behind = False
        if behind:
            self._tell(who, {"t": "nack", "id": message["id"]})
            return
        back = message["t"] == "back"
        seq = len(memory.events) + 1
        ply = message["ply"] + (not back)
        event = Stored(seq, memory.line, ply, message["id"], message["content"], back)
        memory.writing = (event, who)
        if self.mutant is Mutant.ACK_BEFORE_COMMIT:
            self._tell(who, {"t": "ack", "id": event.id, "seq": event.seq})
        if self.mutant is Mutant.TELL_BEFORE_COMMIT:
            self._broadcast(event)

    def _tell(self, who: int, message: Message) -> None:
        if message["t"] == "ack":
            self.promises[message["id"]] = message["seq"]
        self.to_player.append((who, message))

    def _broadcast(self, event: Stored) -> None:
        for player in self.players:
            if player.connected:
                self.to_player.append((player.number, {"t": "event", "event": event}))

    def commit(self) -> None:
        """The disk has it: then memory, then the answer, then everybody (items 7, 8)."""
        memory = self.memory
        if memory and memory.writing:
            event, who = memory.writing
            memory.writing = None
            if self.disk.find(event.id) is None or self.mutant:
                self.disk.events.append(event)
            self._after_commit(memory, event, who)

    def _after_commit(self, memory: Memory, event: Stored, who: int) -> None:
        memory.add(event)
        self._tell(who, {"t": "ack", "id": event.id, "seq": event.seq})
        self._broadcast(event)
        self._serve()

    def unknown(self) -> None:
        """The connection to the disk breaks at the commit, which happened or not: read back before speaking (10)."""
        memory = self.memory
        if memory and memory.writing:
            event, who = memory.writing
            if self.chance.random() < 0.5:
                self.disk.events.append(event)
            if self.disk.find(event.id) is None and self.mutant is not Mutant.GUESS_AFTER_UNKNOWN:
                return  # not there: it is written again
            memory.writing = None
            self._after_commit(memory, event, who)

    def crash(self) -> None:
        """kill -9, and a new owner that loads the disk; every line breaks."""
        self.memory = Memory.of(self.disk)
        self.to_server, self.to_player = [], [item for item in self.to_player if self.chance.random() < 0.5]
        for player in self.players:
            player.connected = False

    # What must hold

    def check(self) -> None:
        events = self.disk.events
        if [event.seq for event in events] != list(range(1, len(events) + 1)):
            raise Violation(f"numbers: {[event.seq for event in events]}")
        ids = [event.id for event in events]
        if len(set(ids)) != len(ids):
            raise Violation("an id happened twice")
        plies = [(event.line, event.ply) for event in events if not event.back]
        if len(set(plies)) != len(plies):
            raise Violation("a ply was played twice")
        stored = {event.id: event.seq for event in events}
        for number, seq in self.promises.items():
            if stored.get(number) != seq:
                raise Violation(f"{number} was acknowledged and is not on disk")
        for player in self.players:
            if player.log != events[: len(player.log)]:
                raise Violation(f"player {player.number} has another history")


def walk(seed: int, steps: int, mutant: Mutant | None = None) -> World:
    world = World(seed, mutant)
    world.walk(steps)
    return world
