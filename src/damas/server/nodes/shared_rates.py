"""Rate limits that count at all nodes what a client does at any of them."""

import asyncio
from collections import Counter
from collections.abc import Hashable
from typing import Any

from damas.server.nodes.bus import Bus
from damas.server.security.rates import Rates

SETTLING_S = 0.25
"""What is counted within this time is sent together."""
TOGETHER = 40
"""Counts in one message."""
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
        for at in range(0, len(counts), TOGETHER):
            bus.publish("rates", counts[at : at + TOGETHER])

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
