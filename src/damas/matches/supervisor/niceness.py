"""The share of a session in the processors. Imports nothing of damas: the keeper loads it by its path."""

import os
import sys
import time

GROUP_TIMEOUT_S = 2.0
"""How long the kernel may refuse to set the niceness of a session, because somebody else has just done it."""


def share_by_niceness() -> None:
    """Makes the share of this session in the processors follow the niceness of this process.

    Linux may divide the processors among sessions first, each by a niceness of its own (`sched_autogroup`): however nice
    its processes are, a new session has as much as any other. A session counts once, whatever its number of processes:
    half their niceness is enough, and leaves a program time to answer on a machine that is busy with something else.
    """
    if sys.platform != "linux":
        return
    niceness = os.getpriority(os.PRIO_PROCESS, 0) // 2
    deadline = time.monotonic() + GROUP_TIMEOUT_S
    while niceness:
        try:
            with open("/proc/self/autogroup", "w") as file:  # noqa: PTH123
                file.write(str(niceness))
            return
        except BlockingIOError:  # only root may do it more than ten times a second
            if time.monotonic() > deadline:
                return
            time.sleep(0.02)
        except OSError:
            return
