"""The page on security shows the limits as they are."""

import re
from pathlib import Path

from damas.server.settings import Limits

INTERNAL = (
    "lag_",
    "outage_",
    "first_move_",
    "analysis_threads",
    "analysis_hash",
    "analysis_idle",
    "report_nodes",
)
"""Beginnings of the names of settings that limit nobody: clocks, and how engines work."""
OF_STORE_AND_NODES = {
    *("batch", "busy_retry_ms", "read_s", "connect_s", "commit_s", "locked_s", "wal_bytes"),
    *("lease_s", "heartbeat_s", "stop_s", "drain_s", "gone_closed_s", "flag_grace_ms"),
    *("bot_margin_ms", "local_bot_margin_ms", "arena_games"),
}
"""Settings that no client can reach."""
PAGE = Path(__file__).parents[2] / "docs/explanation/security.md"


def test_every_limit_in_the_tables_has_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", PAGE.read_text(), re.MULTILINE)
    assert len(rows) >= 30
    assert {name: float(value) for name, value in rows} == {
        name: float(getattr(Limits(), name)) for name, _ in rows
    }


def test_every_limit_on_strangers_is_in_a_table() -> None:
    rows = set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE))
    named_in_another = {"failed_logins_s"}
    limits = {name for name in Limits.__struct_fields__ if not name.startswith(INTERNAL)}
    assert limits - OF_STORE_AND_NODES - named_in_another - rows == set()
    assert set(Limits.__struct_fields__) >= OF_STORE_AND_NODES, "no name that is gone"
