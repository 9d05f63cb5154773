"""Bounded in total, not per file; nothing left behind."""

import pytest

from damas.matches.box.limits import MIB, BoxLimits

SMALL = BoxLimits(disk=4 * MIB, file_size=2 * MIB)
WRITE = """
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
def write(path, size):
    written = 0
    try:
        with open(path, "wb", buffering=0) as file:
            while written < size:
                written += file.write(b"x" * min(65536, size - written))
    except OSError:
        pass
    return written
def attack(): return """
PLACES = ["/", "/bot", "/damas", "/usr", "/usr/lib", "/dev", "/dev/shm", "/var/tmp", "/etc", "/root", "/home"]


def test_control_the_folder_that_may_be_written(box):
    attempt = box.run(WRITE + "write(os.environ.get('TMPDIR', '/nowhere') + '/' + TOKEN, 65536)\n")
    assert attempt.answer == (65536 if box.tier == "bubblewrap" else 0)


@pytest.mark.parametrize(
    ("body", "most"),
    [
        ("write('/tmp/' + TOKEN, 64 << 20)\n", 2 * MIB),
        ("sum(write(f'/tmp/{TOKEN}{n}', 100_000) for n in range(100))\n", 4 * MIB),
    ],
    ids=["one large file", "many small files"],
)
def test_files_are_bounded(box, body, most):
    assert box.run(WRITE + body, limits=SMALL).answer <= most


def test_a_hole_is_not_filled(box):
    attempt = box.run(
        """
def attack():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    fd = tried(os.open, "/tmp/" + TOKEN, os.O_RDWR | os.O_CREAT)
    return [fd, tried(os.posix_fallocate, fd, 0, 64 << 20)] if type(fd) is int else [fd, "none"]
""",
        limits=SMALL,
    )
    assert attempt.answer[1] is not None


def test_everywhere_else(box):
    body = f"[p for p in {[*PLACES, str(box.folder)]!r} if write(p + '/' + TOKEN, 10)]\n"
    assert box.run(WRITE + body).answer == []


def test_its_own_files_cannot_be_changed(box):
    attempt = box.run(
        """
def attack():
    own = os.path.abspath(__file__)
    with open(own) as file:
        readable = bool(file.read())
    return [
        readable, type(tried(open, own, "a")) is str, tried(os.truncate, own, 0), tried(os.unlink, own),
        tried(os.chmod, own, 0o777), tried(os.rename, own, own + "2"), tried(os.mkdir, own + "d"),
    ]
"""
    )
    assert attempt.answer[0] is True and attempt.answer[1] is True
    assert all(isinstance(word, str) for word in attempt.answer[2:]), attempt.answer
