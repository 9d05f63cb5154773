"""A Ray cluster of several nodes on this machine."""

import os
import sys
import warnings

import pytest


@pytest.fixture(scope="session")
def cluster():
    """A cluster of two nodes with one processor each; nodes can be added and killed."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(
        path for path in sys.path if path
    )  # nodes find the tests' functions
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from ray.cluster_utils import Cluster

        nodes = Cluster(
            initialize_head=True,
            head_node_args={
                "num_cpus": 1,
                "include_dashboard": False,
                "object_store_memory": 80_000_000,
                "resources": {"head": 1},
            },
        )
        nodes.add_node(num_cpus=1, object_store_memory=80_000_000)
        yield nodes
        nodes.shutdown()
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before
