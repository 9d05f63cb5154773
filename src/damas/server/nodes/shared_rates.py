"""Rate limits that count at all nodes what a client does at any of them."""

import asyncio
from collections import Counter
from collections.abc import Hashable
from typing import Any

import msgspec

from damas.server.nodes.bus import Bus
from damas.server.security.rates import Rates

SETTLING_S = 0.25
"""What is counted within this time is sent together."""
TOGETHER_BYTES = 4000
"""Counts in one message. A count may hold a long name that somebody has sent: the others of its message must not be lost for it."""
OF_THIS_NODE = ("requests",)
"""Kinds that protect one process, and count there alone."""


def share_rates(rates: Rates, bus: Bus) -> None:
    """Tells other nodes what is counted here, and counts what they tell."""
    counted: Counter[tuple[str, Hashable]] = Counter()
    if not bus.is_shared:
        return

    def send() -> None:
        counts = [[kind, who, amount] for (kind, who), amount in counted.items() if amount]
        counted.clear()
        together: list[Any] = []
        size = 0
        for count in counts:
            length = len(msgspec.json.encode(count))
            if together and size + length > TOGETHER_BYTES:
                bus.publish("rates", together)
                together, size = [], 0
            together.append(count)
            size += length
        if together:
            bus.publish("rates", together)

    def spent(kind: str, who: Hashable, amount: int) -> None:
        if kind in OF_THIS_NODE:
            return
        if not counted:
            asyncio.get_running_loop().call_later(SETTLING_S, send)
        counted[kind, who] += amount

    def hear(counts: list[Any] | None) -> None:
        for kind, who, amount in counts or ():
            rates.charge(kind, tuple(who) if isinstance(who, list) else who, amount)

    rates.spent = spent
    bus.subscribe("rates", hear)
