"""The same examples on every machine and every run: a red test is red for everybody."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "damas",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=int(os.environ.get("DAMAS_EXAMPLES", "60")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("damas")
