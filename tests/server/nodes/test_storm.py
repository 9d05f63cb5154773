"""Two nodes, a kill, a stop past the lease and a restart of PostgreSQL: a slice of `soak.py`."""

from collections.abc import Callable
from pathlib import Path

from server.conftest import Cluster
from server.nodes.storm import Storm

SEED = 20261119


async def test_no_acknowledged_move_is_lost_or_doubled(
    new_cluster: Callable[[], Cluster], tmp_path: Path
) -> None:
    storm = Storm(tmp_path, new_cluster(), nodes=2, games=6, seed=SEED, wait_s=0.1)
    report = await storm.run(["kill", "stop", "database"])
    assert not report.wrong, f"seed {SEED}\n{report}\n" + "\n".join(report.wrong[:20])
    assert report.acked > 20 and report.takeovers, report
