"""kill -9, again and again, behind real websockets: a slice of `tests/server/protocol/soak.py`."""

from pathlib import Path

from server.protocol.killing import kill_again_and_again

SEED = 20261115


async def test_no_acknowledged_move_is_lost(tmp_path: Path) -> None:
    report = await kill_again_and_again(tmp_path, kills=2, games=8, seed=SEED)
    assert not report.wrong, f"seed {SEED}\n{report}\n" + "\n".join(report.wrong[:20])
    assert report.acked > 0 and report.resent > 0 and report.kills == 2, report
