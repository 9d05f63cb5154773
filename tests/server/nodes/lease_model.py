"""Several nodes, one database and one game: leases, takeovers and commits in any order, one step at a time.

Every node has a clock of its own that runs at its own speed and shows its own time; it may stand still at any moment, between
any two steps, for as long as it likes. Renewals and commits take as long as they like, and answers come late or never. Whatever
happens, after every step:

* what was acknowledged is on disk;
* nobody acknowledges while another node has the game;
* the epochs of the log never go back.

`Lease` is the one that the server uses. `Mutant` names ways to get it wrong, each of which the walks must notice.
"""

import random
from dataclasses import dataclass, field
from enum import Enum, auto

from damas.server.rooms.lease import Lease

LEASE_S = 3.0
MAX_SPEED = 0.05
"""How much faster or slower than the database's a clock runs at most."""


class Mutant(Enum):
    COUNT_FROM_THE_ANSWER = auto()
    """The lease is counted from when the renewal was answered."""
    UNCHECKED_ANSWER = auto()
    """What has been committed is acknowledged without a look at the lease."""
    UNFENCED = auto()
    """The database takes writes of any epoch."""
    NODE_CLOCKS = auto()
    """A lease ends by the wall clock of whoever wants the game."""
    NO_LOOK_AFTER_A_LAPSE = auto()
    """A lease that had ended is held again before anybody has looked who has the game now."""
    UNLOCKED_TAKEOVER = auto()
    """A takeover does not keep the former owner from renewing before it is committed."""


class Violation(AssertionError):
    pass


@dataclass
class Database:
    """The only truth. `now` is its clock."""

    now: float = 0.0
    leases: dict[int, float] = field(default_factory=dict)
    owner: int = 0
    epoch: int = 1
    log: list[tuple[int, int]] = field(default_factory=list)
    """Epoch and number of each event."""
    taking: tuple[int, int] | None = None
    """A takeover that is not committed yet: by whom, from whom."""


@dataclass
class Write:
    """An event on its way."""

    epoch: int
    number: int
    committed: bool = False
    refused: bool = False


class Node:
    """One process, as it sees things."""

    def __init__(self, number: int, chance: random.Random) -> None:
        self.number = number
        self.speed = 1 + chance.uniform(-MAX_SPEED, MAX_SPEED)
        self.offset = chance.uniform(-10, 10)
        """Of its wall clock."""
        self.steady = chance.uniform(0, 1000)
        self.lease = Lease(LEASE_S, lambda: self.steady)
        self.epoch: int | None = None
        """That of its ownership, as far as it knows."""
        self.renewal: tuple[float, bool] | None = None
        """When it was sent, and whether the database has done it."""
        self.write: Write | None = None


class World:
    """Everything together."""

    def __init__(self, seed: object, mutant: Mutant | None = None, nodes: int = 3) -> None:
        self.chance = random.Random(str(seed))
        self.mutant = mutant
        self.database = Database()
        self.nodes = [Node(number, self.chance) for number in range(nodes)]
        self.nodes[0].epoch = 1
        self.written = 0
        self.acked = 0
        self.takeovers = 0
        self.refused = 0

    def step(self) -> None:
        node = self.chance.choice(self.nodes)
        self.chance.choice(
            (
                self._pass_by,
                lambda: self._renew(node),
                lambda: self._renewed(node),
                lambda: self._answered(node),
                lambda: self._write(node),
                lambda: self._commit(node),
                lambda: self._acknowledge(node),
                lambda: self._take(node),
                self._taken,
            )
        )()

    def _pass_by(self) -> None:
        # Now and then somebody stands still for longer than a lease: to the others that is the same as time.
        elapsed = self.chance.choice((*(0.02,) * 6, 0.1, 0.1, 0.5, 1.0, 2.0, 5.0))
        self.database.now += elapsed
        for node in self.nodes:
            node.steady += elapsed * node.speed

    # Renewing

    def _renew(self, node: Node) -> None:
        if node.renewal is None:
            node.renewal = node.steady, False

    def _renewed(self, node: Node) -> None:
        """The database gets to it."""
        if node.renewal is None or node.renewal[1]:
            return
        taking = self.database.taking
        if taking and taking[1] == node.number and self.mutant is not Mutant.UNLOCKED_TAKEOVER:
            return  # it waits for the row
        self.database.leases[node.number] = self.database.now + LEASE_S
        node.renewal = node.renewal[0], True

    def _answered(self, node: Node) -> None:
        if node.renewal is None or not node.renewal[1]:
            return
        if self.chance.random() < 0.2:  # the answer is lost
            node.renewal = None
            return
        sent = node.steady if self.mutant is Mutant.COUNT_FROM_THE_ANSWER else node.renewal[0]
        if not node.lease.held and self.mutant is not Mutant.NO_LOOK_AFTER_A_LAPSE:
            if (self.database.owner, self.database.epoch) != (node.number, node.epoch):
                node.epoch = None  # the room is closed; what it was writing is answered by nobody
                node.write = None
        node.lease.renewed(sent)
        node.renewal = None

    # Writing

    def _write(self, node: Node) -> None:
        if node.write is None and node.epoch is not None:
            self.written += 1
            node.write = Write(node.epoch, self.written)

    def _commit(self, node: Node) -> None:
        """The database gets to it: the epoch is read in the same transaction."""
        write = node.write
        if write is None or write.committed:
            return
        if self.database.taking is not None and self.mutant is not Mutant.UNFENCED:
            return  # the owner's row is locked
        if write.epoch != self.database.epoch and self.mutant is not Mutant.UNFENCED:
            self.refused += 1
            node.write, node.epoch = None, None
            return
        if self.database.log and write.epoch < self.database.log[-1][0]:
            raise Violation(f"epoch {write.epoch} after {self.database.log[-1]}")
        self.database.log.append((write.epoch, write.number))
        write.committed = True

    def _acknowledge(self, node: Node) -> None:
        write = node.write
        if write is None or not write.committed:
            return
        if not node.lease.held and self.mutant is not Mutant.UNCHECKED_ANSWER:
            return  # until it is held again, or the room is closed
        if (write.epoch, write.number) not in self.database.log:
            raise Violation(f"{write} is not on disk")
        if (self.database.owner, self.database.epoch) != (node.number, write.epoch):
            raise Violation(
                f"node {node.number} acknowledges {write}, but {self.database.owner} has the game"
            )
        self.acked += 1
        node.write = None

    # Taking over

    def _take(self, node: Node) -> None:
        database = self.database
        if database.owner == node.number or database.taking is not None:
            return
        now = database.now
        if self.mutant is Mutant.NODE_CLOCKS:
            now = node.steady + node.offset - self.nodes[database.owner].steady + database.now
        if database.leases.get(database.owner, 0.0) <= now:
            database.taking = node.number, database.owner

    def _taken(self) -> None:
        """The takeover is committed, and its node knows."""
        if self.database.taking is None:
            return
        by, _ = self.database.taking
        self.database.owner, self.database.epoch = by, self.database.epoch + 1
        self.database.taking = None
        self.nodes[by].epoch, self.nodes[by].write = self.database.epoch, None
        self.takeovers += 1
