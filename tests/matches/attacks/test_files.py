"""Only its own files and a minimal runtime; nothing of the referee, other programs or the host's users."""

import os
import sys
import tempfile
from pathlib import Path


def test_control_its_own_file_and_the_library(box):
    attempt = box.run(
        """
def attack():
    import decimal, zlib
    with open(__file__) as file:
        return TOKEN in file.read() and str(decimal.Decimal(1))
"""
    )
    assert attempt.answer == "1"


def test_files_of_the_host(box):
    places = [
        *("/etc/passwd", "/etc/shadow", "/etc/hosts", "/etc/machine-id", "/root/.bashrc", "/proc/1/cmdline"),
        *("/proc/cpuinfo" if box.tier == "landlock" else "/etc/group", "/dev/mem", "/dev/sda", "/dev/vda"),
    ]
    attempt = box.run(
        f"def attack(): return [p for p in {places!r} if type(tried(lambda p=p: open(p, 'rb').read(1))) is bytes]\n"
    )
    assert set(attempt.answer) <= {"/proc/1/cmdline"} if box.tier == "bubblewrap" else attempt.answer == []


def test_files_of_the_referee(box, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    secret.chmod(0o644)
    with tempfile.TemporaryDirectory(prefix="damas-box-") as other:
        Path(other).chmod(0o755)
        bot = Path(other) / "other_bot.py"
        bot.write_text("secret")
        bot.chmod(0o644)
        attempt = box.run(
            """
def attack():
    def read(path):
        with open(path, "rb") as file:
            return len(file.read(10))
    return [
        tried(read, SECRET), tried(read, OTHER), tried(os.listdir, FOLDER), tried(os.listdir, "/tmp"),
        tried(read, f"/proc/{REFEREE}/environ"), tried(read, f"/proc/{REFEREE}/mem"), tried(read, f"/proc/{REFEREE}/maps"),
        tried(os.listdir, f"/proc/{REFEREE}/fd"), tried(os.listdir, f"/proc/{REFEREE}/root/"),
        tried(read, f"/proc/self/root/{SECRET}"), tried(os.listdir, TREE), tried(os.listdir, os.path.expanduser("~root")),
    ]
""",
            SECRET=str(secret),
            OTHER=str(bot),
            FOLDER=str(tmp_path),
            REFEREE=os.getpid(),
            TREE=str(Path(*Path(sys.prefix).parts[:2])),
        )
    own_tmp = attempt.answer.pop(3)
    # Empty, but for the way to this Python where that lies below it.
    roots = [Path(root) for root in (sys.prefix, sys.base_prefix)]
    way = {root.parts[2] for root in roots if root.is_relative_to("/tmp")}
    assert set(own_tmp) <= way if box.tier == "bubblewrap" else isinstance(own_tmp, str)
    if isinstance(attempt.answer[9], list):
        assert attempt.answer[9] == [roots[0].parts[2]]  # the way to the library, and nothing beside it
    assert all(isinstance(word, str) for word in attempt.answer[:9]), attempt.answer


def test_nothing_is_inherited(box, monkeypatch):
    monkeypatch.setenv("DAMAS_SECRET", "secret")
    held = [os.open("/etc/passwd", os.O_RDONLY) for _ in range(5)]
    for fd in held:
        os.set_inheritable(fd, True)
    try:
        attempt = box.run(
            """
def attack():
    return [[fd for fd in range(1024) if not isinstance(tried(os.fstat, fd), str)], sorted(os.environ), os.getcwd(), os.umask(0)]
"""
        )
    finally:
        for fd in held:
            os.close(fd)
    fds, names, folder, mask = attempt.answer
    assert fds == [0, 1, 2]
    plain = {name for name in names if not name.startswith("PYTHON")}
    assert plain <= {"HOME", "LANG", "LC_CTYPE", "PATH", "PWD", "TMPDIR"}
    assert set(names) - plain <= {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
    assert folder in ("/", "/bot")
    assert mask == 0o077


def test_owners_modes_and_times_of_what_it_cannot_open(box, tmp_path):
    """Landlock leaves these alone; the filter does not."""
    target = tmp_path / "target"
    target.write_text("mine")
    target.chmod(0o666)
    tmp_path.chmod(0o777)
    before = target.stat()[:9]  # all but the time of a change, which links would touch
    attempt = box.run(
        """
def attack():
    return [
        tried(os.chmod, TARGET, 0), tried(os.chown, TARGET, os.getuid(), -1), tried(os.utime, TARGET, (1, 1)),
        tried(os.setxattr, TARGET, "user.x", b"1"), tried(os.truncate, TARGET, 0), tried(os.unlink, TARGET),
        tried(os.rename, TARGET, TARGET + "2"), tried(os.link, TARGET, TARGET + "3"), tried(os.symlink, TARGET, TARGET + "4"),
    ]
""",
        TARGET=str(target),
    )
    assert all(isinstance(word, str) for word in attempt.answer), attempt.answer
    assert target.stat()[:9] == before


def test_no_path_of_the_host_is_told(box, tmp_path):
    """Not even by the command lines of the processes it can see."""
    attempt = box.run(
        """
def attack():
    seen = b""
    for pid in (tried(os.listdir, "/proc") if os.path.isdir("/proc") else []):
        if pid.isdecimal():
            for name in ("cmdline", "environ"):
                read = tried(lambda: open(f"/proc/{pid}/{name}", "rb").read())
                seen += read if isinstance(read, bytes) else b""
    return seen.decode("utf-8", "replace") if tried(os.listdir, "/proc") != "EACCES" else ""
"""
    )
    assert str(tmp_path) not in attempt.answer
    if box.tier == "bubblewrap":
        assert "/damas/confine.py" in attempt.answer or "bwrap" in attempt.answer
        assert "damas-box-" not in attempt.answer
