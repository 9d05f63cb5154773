"""Progress of two devices as one; the pages merge the same cases (`tests/javascript/progress.test.js`)."""

import json
from pathlib import Path
from typing import Any

import pytest

from damas.server.store.merging import merged, merged_json

CASES = json.loads((Path(__file__).parents[1] / "progress_cases.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=[json.dumps(case["new"]) for case in CASES])
def test_nothing_that_was_done_is_lost(case: dict[str, Any]) -> None:
    both = merged(case["old"], case["new"])
    assert both == case["both"]
    assert merged(both, case["new"]) == both, "the same again changes nothing"


def test_what_cannot_be_read_is_replaced() -> None:
    assert merged_json("{", '{"done": [1]}', 0) == '{"done": [1]}'
    assert merged_json(None, "{ }", 0) == "{ }"


def test_a_clock_that_is_fast_freezes_no_streak() -> None:
    now = 1000
    early = merged_json(None, '{"streak":9,"updated_ms":99999999}', now)
    assert json.loads(early) == {"streak": 9, "updated_ms": now}
    for stored in (early, '{"streak":9,"updated_ms":99999999}'):  # an older server has stored the second
        both = merged_json(stored, '{"streak":1,"updated_ms":2000}', 2001)
        assert json.loads(both)["streak"] == (1 if stored == early else 9)
        later = merged_json(both, '{"streak":2,"updated_ms":3000}', 3001)
        assert json.loads(later) == {"streak": 2, "updated_ms": 3000}
