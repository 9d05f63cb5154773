"""How much a program that is not trusted may use."""

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True)
class BoxLimits:
    """Bounds of one program: all its processes together unless said otherwise."""

    memory: int = 512 * MIB
    """Bytes resident in all. Watched every 20 ms: the address space of a virtual machine says nothing."""
    processes: int = 16
    threads: int = 96
    """Threads of all its processes."""
    file_size: int = 16 * MIB
    """Of one file."""
    disk: int = 16 * MIB
    """Of the only folder it may write, where the tier has one."""
    open_files: int = 64
    """Of one process."""
    line: int = 64 * 1024
    """Bytes of one answer."""
    turn_output: int = MIB
    """Bytes of each stream in one turn."""
    game_output: int = 64 * MIB
    """Bytes of each stream in a game."""
