"""Prometheus metrics of the rooms."""

from prometheus_client import Counter, Gauge, Histogram

_MS = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

to_commit = Histogram("damas_move_commit_seconds", "From receiving a command to its commit", buckets=_MS)
to_send = Histogram("damas_move_send_seconds", "From the commit to everybody's outbox", buckets=_MS)
rooms_open = Gauge("damas_rooms", "Games in memory")
sockets_open = Gauge("damas_sockets", "Open sockets of games")
waiting = Gauge("damas_commands_waiting", "Commands in the queues of the rooms")
acks = Counter("damas_acks", "Commands acknowledged", ["kind"])
nacks = Counter("damas_nacks", "Commands refused", ["code"])
illegal = Counter("damas_illegal_moves", "Moves refused by the rules", ["rulebook", "code"])
busy = Counter("damas_busy", "Commands sent away because the store was full")
resumes = Counter("damas_resumes", "Sockets that came back", ["source"])
flags = Counter("damas_flags", "Games ended by the clock", ["how"])
level_moves = Counter("damas_level_moves", "Moves of levels, by who computed them: server or page", ["by"])
alarms = Counter("damas_alarms", "What must not happen", ["what"])
leases_ended = Counter("damas_leases_ended", "Times that the lease of this node ended before it was renewed")
takeovers = Counter("damas_takeovers", "Games taken over from other nodes", ["how"])
passed_on = Counter(
    "damas_passed_on", "Requests and sockets passed on to the node that owns the game", ["type"]
)
bus_up = Gauge("damas_bus_up", "Whether messages between nodes come through")
bus_lag = Gauge("damas_bus_lag_seconds", "How long the last message of this node to itself took")
