"""Workers on a Ray cluster: any number of machines that have damas, of the same version.

Ray starts a piece again when its node dies, and uses nodes that join while the work goes on. Nothing of damas has to
run on the nodes but Ray itself.
"""

import os
import pickle
import signal
import socket
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from importlib.metadata import version
from typing import Any, Self

from damas.errors import ClusterTrouble
from damas.jobs.local import outcome
from damas.jobs.work import Done, Event, Lost, Work

MAX_RETRIES = 5
"""How often Ray starts a piece again whose process or node has died."""
CAPACITY_INTERVAL_S = 2.0
"""Time between two looks at how many processors the cluster has."""
CONNECT_TIMEOUT_S = 10.0
"""How long the head of a cluster may take to be reached."""
AUTO = "auto"
"""The cluster that runs on this machine, or that RAY_ADDRESS names."""


class RayWorkers:
    """The processors of a Ray cluster, which do one kind of work."""

    def __init__(self, work: Work, address: str, *, memory_of: Callable[[Any], int] | None = None) -> None:
        self._work, self._address, self._memory_of = work, address, memory_of
        self._pieces: dict[Any, Any] = {}
        """The piece of each result that Ray will have."""
        self._capacity = 1
        self._next_look = 0.0
        self._connection = ExitStack()

    def __enter__(self) -> Self:
        ray = self._connection.enter_context(connected(self._address))
        blob = ray.cloudpickle.dumps(self._work)
        self._digest, self._blob = sha256(blob).hexdigest(), ray.put(blob)
        self._task = ray.remote(max_retries=MAX_RETRIES)(do_piece)
        return self

    def __exit__(self, *_: object) -> None:
        import ray

        for reference in self._pieces:
            with suppress(Exception):  # it ends with the connection in any case
                ray.cancel(reference, force=True)
        self._pieces = {}
        self._connection.close()

    @property
    def has_room(self) -> bool:
        import ray

        if time.monotonic() >= self._next_look:
            resources = ray.cluster_resources()  # type: ignore[no-untyped-call]
            self._capacity = max(1, int(resources.get("CPU", 1)))
            self._next_look = time.monotonic() + CAPACITY_INTERVAL_S
        return len(self._pieces) < self._capacity

    @property
    def in_progress(self) -> list[Any]:
        return list(self._pieces.values())

    def give(self, piece: Any) -> None:
        task = self._task
        if self._memory_of:
            task = task.options(memory=self._memory(piece))
        reference = task.remote(version("damas"), self._digest, self._blob, piece)
        self._pieces[reference] = piece

    def _memory(self, piece: Any) -> int:
        """How many bytes a piece needs; raises `ClusterTrouble` if no node has so many, since Ray would wait for one."""
        import ray

        assert self._memory_of
        wanted = self._memory_of(piece)
        nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]  # type: ignore[no-untyped-call]
        most = max((int(resources.get("memory", 0)) for resources in nodes), default=0)
        if wanted > most:
            detail = f"{wanted / 2**30:.1f} GiB, {most / 2**30:.1f} GiB"
            raise ClusterTrouble("memory", self._address, detail)
        return wanted

    def receive(self, timeout_s: float) -> list[Event]:
        import ray

        if not self._pieces:
            return []
        ready, _ = ray.wait(list(self._pieces), num_returns=1, timeout=timeout_s)
        return [self._event_of(reference) for reference in ready]

    def _event_of(self, reference: Any) -> Event:
        import ray

        piece = self._pieces.pop(reference)
        try:
            kind, content = ray.get(reference)
        except ray.exceptions.RayError as error:
            return Lost(piece, str(error))
        if kind == "error":
            raise content
        return Done(piece, content)


_opened: dict[str, tuple[ExitStack, Callable[[Any], Any]]] = {}
"""The work that this process of a node has opened, by its digest: one at a time."""


def do_piece(expected: str, digest: str, blob: bytes, piece: Any) -> tuple[str, Any]:
    """Does one piece on a node."""
    if (here := version("damas")) != expected:
        return "error", ClusterTrouble("version", f"{expected} / {here}")
    if digest not in _opened:
        for stack, _ in _opened.values():
            stack.close()
        _opened.clear()
        work, stack = pickle.loads(blob), ExitStack()
        opened = outcome(lambda _: stack.enter_context(work.open(None)), None)
        if opened[0] == "error":
            return opened
        _opened[digest] = (stack, opened[1])
    return outcome(_opened[digest][1], piece)


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Within this context this process is connected to a cluster; yields the module `ray`. Raises `ClusterTrouble`."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError:
        raise ClusterTrouble("missing", address) from None
    if ray.is_initialized():  # by a block around this one
        yield ray
        return
    if address != AUTO:
        _require_listener(address)
    before = signal.getsignal(signal.SIGTERM)
    try:
        with warnings.catch_warnings(action="ignore"):  # its own, about settings of later versions
            ray.init(address, log_to_driver=False, configure_logging=False)
    except (ConnectionError, ValueError, TimeoutError, RuntimeError) as error:
        raise ClusterTrouble("none" if address == AUTO else "unreachable", address, str(error)) from None
    finally:
        with suppress(ValueError):  # not in the main thread, where nothing was changed
            signal.signal(signal.SIGTERM, before)  # Ray's own handler would end this process at once
    try:
        yield ray
    finally:
        ray.shutdown()


def _require_listener(address: str) -> None:
    """Raises `ClusterTrouble` where nothing listens: Ray itself would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_TIMEOUT_S).close()
    except (OSError, ValueError, OverflowError) as error:
        raise ClusterTrouble("unreachable", address, str(error)) from None


def share(data: bytes) -> Any:
    """Puts bytes where every node can fetch them, once for each node; within `connected`."""
    import ray

    return ray.put(data)


def fetch(shared: Any) -> bytes:
    """The bytes that `share` has put."""
    import ray

    data: bytes = ray.get(shared)
    return data
