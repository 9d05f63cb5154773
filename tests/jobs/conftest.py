"""A Ray cluster of several nodes on this machine."""

import os
import signal
import sys
import warnings
from contextlib import suppress

import pytest

ATTEMPTS = 8
"""How often a node is started: Ray gives each half a minute, which a busy machine may not keep to."""


class Nodes:
    """A cluster of two nodes with one processor each, to which nodes are added and of which they are killed."""

    def __init__(self) -> None:
        self._cluster = patiently(self._head)
        self.address = self._cluster.address
        self.add(1)

    @staticmethod
    def _head():
        from ray.cluster_utils import Cluster

        cluster = Cluster()
        try:
            cluster.add_node(num_cpus=1, include_dashboard=False, object_store_memory=80_000_000)
        except BaseException:
            with suppress(Exception):
                cluster.shutdown()
            raise
        return cluster

    def add(self, processors: int):
        return patiently(lambda: self._cluster.add_node(num_cpus=processors, object_store_memory=80_000_000))

    def kill(self, node) -> None:
        self._cluster.remove_node(node, allow_graceful=False)

    def close(self) -> None:
        self._cluster.shutdown()


def patiently(start):
    """What `start` returns, which is tried again where Ray has given up waiting."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        for _ in range(ATTEMPTS - 1):
            with suppress(Exception):  # Ray raises plain exceptions
                return start()
        return start()
    finally:
        signal.signal(signal.SIGTERM, before)  # Ray's own ends this process, whatever runs in it


@pytest.fixture(scope="module")
def cluster():
    names = {
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),  # nodes find the tests' functions
    }
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nodes = Nodes()
        yield nodes
        nodes.close()
    for name, value in before.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value
