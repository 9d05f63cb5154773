"""No family, no direction, no local socket, not even to the referee."""

import contextlib
import socket
import threading
from pathlib import Path

import pytest


@pytest.fixture
def doors(tmp_path: Path):
    """What a program might knock at: a port, a path, a name."""
    path = tmp_path / "door"
    with (
        socket.create_server(("127.0.0.1", 0)) as port,
        socket.socket(socket.AF_UNIX) as named,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as drop,
        socket.socket(socket.AF_UNIX) as hidden,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
    ):
        named.bind(str(path))
        drop.bind(str(path) + "-drop")
        hidden.bind(f"\0damas-{path.parent.name}")
        udp.bind(("127.0.0.1", 0))
        received: list[bytes] = []

        def listen(what: socket.socket) -> None:
            with contextlib.suppress(OSError):
                what.settimeout(2)
                received.append(what.recv(100))

        for server in (named, hidden):
            server.listen()
        for what in (drop, udp):
            threading.Thread(target=listen, args=(what,), daemon=True).start()
        for file in tmp_path.iterdir():
            file.chmod(0o777)
        tmp_path.chmod(0o755)
        facts = {
            "PORT": port.getsockname()[1],
            "UDP": udp.getsockname()[1],
            "PATH": str(path),
            "NAME": f"\0damas-{path.parent.name}",
        }
        yield facts
        assert received == []


def test_control_a_pair_within_the_program(box):
    attempt = box.run(
        """
def attack():
    one, other = socket.socketpair()
    one.send(b"hi")
    return other.recv(10).decode()
"""
    )
    assert attempt.answer == "hi"


REFUSED = {
    "calling out": """
def attack():
    def call(family, kind, address):
        with socket.socket(family, kind) as caller:
            caller.settimeout(0.3)
            caller.connect(address)
            caller.send(b"out")
            return "connected"
    return [
        tried(call, socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", PORT)),
        tried(call, socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", UDP)),
        tried(call, socket.AF_INET6, socket.SOCK_STREAM, ("::1", PORT)),
        tried(call, socket.AF_UNIX, socket.SOCK_STREAM, PATH),
        tried(call, socket.AF_UNIX, socket.SOCK_DGRAM, PATH + "-drop"),
        tried(call, socket.AF_UNIX, socket.SOCK_STREAM, NAME),
    ]
""",
    "waiting for calls": """
def attack():
    def wait(family, address):
        with socket.socket(family) as server:
            server.bind(address)
            server.listen()
            return "listens"
    return [
        tried(wait, socket.AF_INET, ("0.0.0.0", 0)), tried(wait, socket.AF_UNIX, "/tmp/" + TOKEN),
        tried(wait, socket.AF_UNIX, "\\0" + TOKEN),
    ]
""",
    "strange families": """
def attack():
    kinds = [(family, kind) for family in range(1, 45) for kind in (1, 2, 3, 5)]
    return [tried(lambda: socket.socket(*kind).fileno()) for kind in kinds]
""",
}


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_what_is_refused(box, doors, body):
    assert set(box.run(body, **doors).answer) == {"EPERM"}


def test_ways_around(box, doors):
    """A pair that could be turned elsewhere, and a queue that makes calls for others."""
    attempt = box.run(
        """
def attack():
    pair = tried(lambda: [s.detach() for s in socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)])
    one, other = socket.socketpair()
    again = tried(one.connect, PATH)
    sent = tried(one.sendto, b"out", PATH + "-drop")
    return [pair, again, type(sent) is int, syscall(425, 8, ctypes.create_string_buffer(120))]
""",
        **doors,
    )
    assert attempt.answer[0] == "EPERM" and attempt.answer[1] == "EPERM" and attempt.answer[3] == "EPERM"
    assert attempt.answer[2] is False
