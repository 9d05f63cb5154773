"""Which workers do the work: processes here, or a cluster."""

import os
from collections.abc import Callable
from typing import Any

from damas.jobs.local import LocalWorkers
from damas.jobs.work import Work, Workers


def workers_for(
    work: Work,
    *,
    jobs: int = 0,
    cluster: str | None = None,
    messages: bool = False,
    memory_of: Callable[[Any], int] | None = None,
) -> Workers:
    """Workers of this machine, `jobs` of them (0: one for each processor), or of the Ray cluster at an address.

    With `messages` those of this machine report what their work sends. `memory_of` says how many bytes a piece needs,
    so that a cluster gives it to a node that has them.
    """
    if cluster is None:
        return LocalWorkers(work, jobs or os.cpu_count() or 1, messages=messages)
    from damas.jobs.ray_cluster import RayWorkers

    return RayWorkers(work, cluster, memory_of=memory_of)
