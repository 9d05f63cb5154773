"""The system calls a contained program may not make, as a filter that the kernel runs.

Built without any library. A call that is not listed is allowed, because a bot may be written in any language; the
listed ones reach beyond the program: networks, other processes, shared memory that is not counted,
mounts, keys, clocks, owners and times of files. It is run as a file too, and imports nothing of damas.
"""

import ctypes
import errno
import os
import struct

ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
"""Answers of the filter."""
LOAD, AND, EQUAL, ATLEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
"""Instructions of the filter."""
NUMBER, ARCH, ARGUMENTS = 0, 4, 16
"""Offsets of the call, the architecture and the arguments; the low half of each argument comes first."""
ARCHES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""The kernel's number of each architecture, and its column in the tables below."""
X32 = 0x40000000
"""Calls from here on are those of another way to call the same kernel."""
PR_SET_SECCOMP, FILTER, PR_SET_NO_NEW_PRIVS = 22, 2, 38
"""Options of prctl."""
AF_UNIX, SOCK_STREAM, SOCK_SEQPACKET = 1, 1, 5
"""The only pairs of sockets that a program may make; Rust starts other programs with one of packets."""
NEW_NAMESPACE = 0x7E020000
"""All flags of clone that create a namespace."""
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
"""Commands that write into a terminal as if somebody typed."""

DENIED: dict[str, tuple[int | None, int | None]] = {
    # Networks. Pairs of connected sockets stay: they lead nowhere else (see `pairs`).
    "socket": (41, 198),
    "connect": (42, 203),
    "accept": (43, 202),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept4": (288, 242),
    # The same calls through a queue.
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    # Memory and messages that outlive a process or are counted to none.
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmdt": (67, 197),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    # Other processes.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    # Processors: a core that is kept free, and the share of a session.
    "sched_setaffinity": (203, 122),
    "setsid": (112, 157),
    # Namespaces and mounts.
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # Owners, modes, times and attributes of files, which Landlock leaves alone; and watching what others do.
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "setxattrat": (463, 463),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    "mknod": (133, None),
    "mknodat": (259, 33),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    # The machine.
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    "lookup_dcookie": (212, 18),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
}
"""Numbers on x86_64 and aarch64; None where there is no such call."""

OWN_ONLY = {
    "prlimit64": (302, 261),
}
"""Calls whose first argument names a process: 0, oneself, is allowed, as a program of the same user must not slow down
the referee."""
CLONE, CLONE3, SOCKETPAIR, IOCTL = (56, 220), (435, 435), (53, 199), (16, 29)
"""Calls that depend on their arguments."""


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def _refuse(why: int = errno.EPERM) -> bytes:
    return _step(RETURN, REFUSE | why)


def program(machine: str) -> bytes:
    """The filter for an architecture; raises `KeyError` for one we do not know."""
    arch, column = ARCHES[machine]
    steps = [_step(LOAD, ARCH), _step(EQUAL, arch, yes=1), _step(RETURN, KILL), _step(LOAD, NUMBER)]
    if machine == "x86_64":
        steps += [_step(ATLEAST, X32, no=1), _refuse(errno.ENOSYS)]
    for numbers in DENIED.values():
        number = numbers[column]
        if number is not None:
            steps += [_step(EQUAL, number, no=1), _refuse()]
    # The C library falls back to clone, whose flags can be seen.
    steps += [_step(EQUAL, CLONE3[column], no=1), _refuse(errno.ENOSYS)]
    steps += [
        _step(EQUAL, CLONE[column], no=5),
        _step(LOAD, ARGUMENTS),
        _step(AND, NEW_NAMESPACE),
        _step(EQUAL, 0, yes=1),
        _refuse(),
        _step(RETURN, ALLOW),
    ]
    # A datagram socket could still be sent to an address; those that are connected, of bytes or of packets, cannot.
    steps += [
        _step(EQUAL, SOCKETPAIR[column], no=8),
        _step(LOAD, ARGUMENTS),
        _step(EQUAL, AF_UNIX, no=5),
        _step(LOAD, ARGUMENTS + 8),
        _step(AND, 0xF),
        _step(EQUAL, SOCK_STREAM, yes=1),
        _step(EQUAL, SOCK_SEQPACKET, no=1),
        _step(RETURN, ALLOW),
        _refuse(),
    ]
    for numbers in OWN_ONLY.values():
        steps += [
            _step(EQUAL, numbers[column], no=4),
            _step(LOAD, ARGUMENTS),
            _step(EQUAL, 0, yes=1),
            _refuse(),
            _step(RETURN, ALLOW),
        ]
    steps += [
        _step(EQUAL, IOCTL[column], no=5),
        _step(LOAD, ARGUMENTS + 8),
        _step(EQUAL, TIOCSTI, yes=2),
        _step(EQUAL, TIOCLINUX, yes=1),
        _step(RETURN, ALLOW),
        _refuse(),
    ]
    steps.append(_step(RETURN, ALLOW))
    return b"".join(steps)


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))


def install() -> None:
    """For this process and all it will become. Raises `OSError` where the kernel refuses."""
    steps = program(os.uname().machine)
    held = ctypes.create_string_buffer(steps, len(steps))
    filter_ = _Filter(len(steps) // 8, ctypes.cast(held, ctypes.c_void_p))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(
        PR_SET_SECCOMP, FILTER, ctypes.byref(filter_), 0, 0
    ):
        raise OSError(ctypes.get_errno(), "seccomp")
