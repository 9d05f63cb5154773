"""The filter, run by hand for both architectures: what it refuses, and what every language needs."""

import struct

import pytest

from damas.matches.box import seccomp

ERRNO, ALLOWED, KILLED = seccomp.REFUSE, seccomp.ALLOW, seccomp.KILL
EPERM, ENOSYS = 1, 38


def judge(machine: str, number: int, *arguments: int, arch: int | None = None) -> int:
    """What the kernel would answer."""
    steps = seccomp.program(machine)
    words = [struct.unpack_from("=HBBI", steps, place) for place in range(0, len(steps), 8)]
    values = (*arguments, *([0] * (6 - len(arguments))))
    data = struct.pack("=IIQ6Q", number, arch or seccomp.ARCHES[machine][0], 0, *values)
    held, place = 0, 0
    while True:
        code, yes, no, value = words[place]
        place += 1
        if code == seccomp.LOAD:
            held = struct.unpack_from("=I", data, value)[0]
        elif code == seccomp.AND:
            held &= value
        elif code == seccomp.RETURN:
            return value
        else:
            true = held == value if code == seccomp.EQUAL else held >= value
            place += yes if true else no


@pytest.mark.parametrize("machine", list(seccomp.ARCHES))
def test_what_reaches_beyond_the_program_is_refused(machine):
    column = seccomp.ARCHES[machine][1]
    numbers = {name: pair[column] for name, pair in seccomp.DENIED.items()}
    for name, number in numbers.items():
        if number is not None:
            assert judge(machine, number) == ERRNO | EPERM, name
    denied = [number for number in numbers.values() if number is not None]
    assert len(set(denied)) == len(denied)


@pytest.mark.parametrize("machine", list(seccomp.ARCHES))
def test_calls_that_depend_on_their_arguments(machine):
    column = seccomp.ARCHES[machine][1]
    clone, pair, ioctl = seccomp.CLONE[column], seccomp.SOCKETPAIR[column], seccomp.IOCTL[column]
    assert judge(machine, clone, 17) == ALLOWED
    assert judge(machine, clone, 0x003D0F00) == ALLOWED  # a thread
    for flag in (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
        assert judge(machine, clone, flag | 17) == ERRNO | EPERM
    assert judge(machine, seccomp.CLONE3[column]) == ERRNO | ENOSYS
    assert judge(machine, pair, 1, 1 | 0x80000) == ALLOWED
    assert judge(machine, pair, 1, 5 | 0x80000) == ALLOWED  # of packets, and connected as well
    assert judge(machine, pair, 1, 2) == ERRNO | EPERM
    assert judge(machine, pair, 2, 5) == ERRNO | EPERM
    assert judge(machine, pair, 2, 1) == ERRNO | EPERM
    for numbers in seccomp.OWN_ONLY.values():
        assert judge(machine, numbers[column], 0) == ALLOWED
        assert judge(machine, numbers[column], 4242) == ERRNO | EPERM
    assert judge(machine, ioctl, 0, 0x5401) == ALLOWED
    assert judge(machine, ioctl, 0, seccomp.TIOCSTI) == ERRNO | EPERM
    assert judge(machine, ioctl, 0, seccomp.TIOCLINUX) == ERRNO | EPERM


@pytest.mark.parametrize("machine", list(seccomp.ARCHES))
def test_what_every_program_needs_is_allowed(machine):
    needed = {
        "x86_64": (0, 1, 3, 9, 11, 12, 13, 14, 35, 39, 59, 61, 62, 202, 231, 257, 262, 293, 318, 334),
        "aarch64": tuple(
            map(
                int,
                [
                    "63",
                    "64",
                    "57",
                    "222",
                    "215",
                    "214",
                    "134",
                    "135",
                    "101",
                    "172",
                    "221",
                    "260",
                    "129",
                    "98",
                    "94",
                    "56",
                    "79",
                    "59",
                    "278",
                    "293",
                ],
            )
        ),
    }
    for number in needed[machine]:
        assert judge(machine, number) == ALLOWED, number


def test_other_architectures_of_the_same_machine_are_no_way_around():
    assert judge("x86_64", 41, arch=0x40000003) == KILLED
    assert judge("x86_64", seccomp.X32 + 41) == ERRNO | ENOSYS
    assert judge("aarch64", 198, arch=0x40000028) == KILLED
    with pytest.raises(KeyError):
        seccomp.program("riscv64")
