"""How much of the machine a contained program may use."""

from dataclasses import dataclass

MIB = 1 << 20
"""Bytes of a mebibyte."""


@dataclass(frozen=True)
class BoxLimits:
    """Limits of one program: of all its processes together, unless stated otherwise."""

    memory: int = 512 * MIB
    """Resident bytes, checked every 20 ms: the address space of a virtual machine would tell nothing."""
    processes: int = 16
    threads: int = 96
    """Threads of all its processes."""
    file_size: int = 16 * MIB
    """Bytes of one file."""
    disk: int = 16 * MIB
    """Bytes of the only folder it may write, if the tier has one."""
    open_files: int = 64
    """Open files of one process."""
    line: int = 64 * 1024
    """Bytes of one answer."""
    turn_output: int = MIB
    """Bytes of each stream in one turn."""
    game_output: int = 64 * MIB
    """Bytes of each stream in a game."""
