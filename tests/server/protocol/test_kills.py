"""kill -9, again and again, behind real websockets: a slice of `make soak`."""

from pathlib import Path

import pytest

from server.protocol.killing import kill_again_and_again

SEED = 20261115


@pytest.mark.slow
async def test_no_acknowledged_move_is_lost(tmp_path: Path) -> None:
    found = await kill_again_and_again(tmp_path, kills=8, games=20, seed=SEED)
    assert not found.wrong, f"seed {SEED}\n{found}\n" + "\n".join(found.wrong[:20])
    assert found.acked > 100 and found.resent > 0, found
    print(found)
