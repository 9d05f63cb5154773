"""How many files the process may have open: every connection is one."""

import sys

WANTED = (65_536, 49_152, 24_576, 10_240, 4_096, 2_048, 1_024)
"""The first is more than one process can serve; the others are for macOS, which allows less than it says."""
RESERVED = 128
"""For the database, pipes to workers, logs and pictures."""
WITHOUT_LIMIT = 8_192
"""Connections where the system does not say how many files may be open."""


def raise_file_limit() -> int:
    """Raises the limit of open files as far as the system allows, and returns it; 0 where it is not known."""
    if sys.platform == "win32":
        return 0
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    allowed = WANTED[0] if hard == unlimited else min(hard, WANTED[0])
    for wanted in (allowed, *(each for each in WANTED if each < allowed)):
        if soft == unlimited or soft >= wanted:
            break
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            continue
        return wanted
    return WANTED[0] if soft == unlimited else min(soft, WANTED[0])


def connections_within(file_limit: int) -> int:
    """Connections that a limit of open files leaves room for.

    >>> connections_within(1024), connections_within(65_536), connections_within(0)
    (896, 65408, 8192)
    """
    return max(file_limit - RESERVED, file_limit // 2) if file_limit else WITHOUT_LIMIT
