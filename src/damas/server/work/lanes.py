"""Worker processes for the requests of visitors: a fair line for each kind of work, and a budget for each address."""

import asyncio
import os
import time
from collections.abc import Callable
from typing import Any

from damas.server.security.errors import ApiError
from damas.server.settings import Limits
from damas.server.shares import Shares
from damas.server.work.budget import Budget
from damas.server.work.processes import IDLE, ProcessEnded, Result
from damas.server.workers import ANYBODY, Caller, Stop, Stopped, Workers

IDLE_S = 60.0
"""A process unused for so long is ended."""
TRIES, MAX_LOST_S = 2, 1.0
"""A process may have been killed just before it was used: where so little processor time is lost, another does the work."""
START_S = 0.1
"""Processor time that it takes to replace a process that was killed."""


class Lane:
    """One kind of work: so many processes at once, visitors in turn, and a few requests of one address in the line."""

    def __init__(
        self, name: str, size: int, *, per_address: int, limits: Limits, budget: Budget | None
    ) -> None:
        self.size = size
        """The most processes at once."""
        self._workers = Workers(name, size, per_address=per_address)
        self._limits = limits
        self._budget = budget
        self._shares = Shares(limits.work_waiting_of_address, total=limits.work_waiting)
        self._closed = False
        self._ending_idle = False
        """Whether a timer is set that ends idle processes."""

    @property
    def running(self) -> int:
        """Calls in processes."""
        return self._workers.running

    async def run(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        caller: Caller = ANYBODY,
        on_progress: Callable[[Any], None] = lambda _: None,
        seconds: float | None = None,
        at_end: Callable[[], None] = lambda: None,
    ) -> Any:
        """What a function of a module returns or raises, called in a worker process when the caller's turn has come.

        Raises `ApiError`: 429 where the address has used up its processor time, now or when its turn comes, or has too
        much in the line, 503 where all have, where the work takes longer than `seconds` (those of the settings, if not given), or where the server
        stops. Cancelling the call kills the process; what it has computed is charged all the same. `at_end` is called when
        the process has ended its work.
        """

        def check_budget() -> None:
            if self._budget:
                self._budget.check(caller.line)

        try:
            if self._closed:
                raise ApiError(503, "RESTARTING", retry_s=1)
            check_budget()
            self._shares.take(caller.line)
        except ApiError:
            at_end()
            raise

        spent_s = 0.0

        def ended() -> None:
            if self._budget:  # before the next turn, at which it is checked
                self._budget.charge(caller.line, spent_s)
            self._shares.give_back(caller.line)
            at_end()

        def charge(cpu_s: float) -> None:
            nonlocal spent_s
            spent_s += cpu_s

        def work(stop: Stop) -> Result:
            if self._closed:  # its turn came while the server was closing
                raise Stopped
            return _in_process(stop, function, arguments, on_progress, charge)

        running = self._workers.run(work, caller, ended, check_budget)
        try:
            async with asyncio.timeout(self._limits.work_s if seconds is None else seconds):
                result: Result = await running
        except (TimeoutError, ProcessEnded):
            raise ApiError(503, "BUSY", retry_s=60) from None
        except Stopped:
            raise ApiError(503, "RESTARTING", retry_s=1) from None
        finally:
            self._end_idle_later()
        if result.error:
            raise result.error
        return result.value

    def _end_idle_later(self) -> None:
        loop = asyncio.get_running_loop()

        def end_idle() -> None:
            self._ending_idle = False
            loop.run_in_executor(None, IDLE.close_older, IDLE_S)
            if len(IDLE) > 1 and not self._closed:  # some were idle for less
                self._end_idle_later()

        if not self._ending_idle:
            self._ending_idle = True
            loop.call_later(IDLE_S + 1, end_idle)

    def stop(self) -> None:
        """Kills the processes at work, and has everybody in the line refused."""
        self._closed = True
        self._workers.stop()


def _in_process(
    stop: Stop,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    on_progress: Callable[[Any], None],
    charge: Callable[[float], None],
) -> Result:
    """Calls a function in a process, and waits for it: for a thread. Stopping it kills the process.

    `charge` gets the processor time of each try.
    """
    for tries in range(1, TRIES + 1):
        began, lost_s = time.monotonic(), 0.0
        try:
            with IDLE.borrow() as process:
                used_s = process.cpu_s()
                stop.call(process.kill)
                try:
                    result = process.call(function, arguments, on_progress)
                except (
                    BaseException
                ):  # most often it was killed, and on a busy machine had waited more than computed
                    lost_s = min(time.monotonic() - began, process.cpu_s() - used_s)
                    charge(lost_s + START_S)
                    raise
                stop.call(lambda: None)
                charge(result.cpu_s)
                return result
        except ProcessEnded:
            stop.check()
            if tries == TRIES or lost_s > MAX_LOST_S:
                raise
    raise AssertionError


class Work:
    """The lanes of one server: long files do not keep quick questions waiting, and neither keeps logins waiting."""

    def __init__(self, limits: Limits) -> None:
        half = max(1, (os.cpu_count() or 1) // 2)
        budget = Budget(limits.work_s_per_minute, limits.work_s)

        def lane(name: str, size: int, per_address: int, budget: Budget | None) -> Lane:
            return Lane(name, size, per_address=per_address, limits=limits, budget=budget)

        self.questions = lane("questions", half, 2, budget)
        """Questions about rules and positions, and small pictures: milliseconds."""
        self.files = lane("files", half, 1, budget)
        """Films, papers, files that are read or written: seconds."""
        self.tables = lane("tables", 1, 1, budget)
        """Endgame tables, one process at a time: no two build the same table."""
        self.reports = lane("reports", 1, 1, None)
        """Reports on whole games, a minute each; an address has a few of them at most."""
        self.passwords = lane("passwords", half, 1, Budget(limits.password_s_per_minute, limits.work_s))
        """Hashes of passwords: a tenth of a second and 64 MiB each."""

        self._lanes = (self.questions, self.files, self.tables, self.reports, self.passwords)

    @property
    def size(self) -> int:
        """The most processes at once."""
        return sum(lane.size for lane in self._lanes)

    def close(self) -> None:
        """Kills every process at work."""
        for lane in self._lanes:
            lane.stop()
