"""Which servers are called: by whose name, at which address, and how long it may take."""

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from damas.cli import main
from damas.errors import RemoteTrouble
from damas.language import LANGUAGES
from damas.matches import Entrant
from damas.matches.box.tiers import tier_for
from damas.matches.remote import TOKEN, place
from damas.matches.remote.api import Api, knock

PUBLIC = "93.184.215.14"
URL = "https://damas.example"
INSIDE = {
    "this machine": "127.0.0.1",
    "this machine, another number": "127.8.9.10",
    "no machine": "0.0.0.0",
    "a house": "192.168.1.1",
    "an office": "10.1.2.3",
    "a company": "172.16.0.1",
    "a provider": "100.64.0.1",
    "the metadata of a cloud": "169.254.169.254",
    "everybody": "255.255.255.255",
    "a group": "224.0.0.1",
    "this machine, long": "::1",
    "no machine, long": "::",
    "a house, long": "fd00::1",
    "a cable": "fe80::1",
    "a group, long": "ff02::1",
    "this machine in long clothes": "::ffff:127.0.0.1",
    "metadata in long clothes": "::ffff:a9fe:a9fe",
    "a house through a translator": "64:ff9b::c0a8:101",
    "this machine through a tunnel": "2002:7f00:1::",
    "documentation": "192.0.2.1",
}

SYSTEM = socket.getaddrinfo
"""The resolver of the system."""
Names = Callable[..., None]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    """A resolver that answers with the next of these lists of addresses each time; the last one stays."""

    def answer(*answers: tuple[str, ...]) -> None:
        left = list(answers)

        def getaddrinfo(host: str, port: int, *rest: int, **more: int) -> list[tuple[object, ...]]:
            if host != "damas.example":
                return list(SYSTEM(host, port, *rest, **more))
            addresses = left.pop(0) if len(left) > 1 else left[0]
            return [(0, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

        monkeypatch.setattr(place.socket, "getaddrinfo", getaddrinfo)

    return answer


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that were called; every call goes to nobody."""
    called: list[str] = []

    def create_connection(address: tuple[str, int], timeout: float) -> socket.socket:
        called.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(place.socket, "create_connection", create_connection)
    return called


def trouble(url: str = URL, *, own: bool = False, seconds: float = 60) -> str:
    with pytest.raises(RemoteTrouble) as raised:
        Api(url, "dam_x", own=own).ask("POST", "/", seconds=seconds)
    return raised.value.reason


@pytest.mark.parametrize("address", INSIDE.values(), ids=INSIDE)
def test_no_address_inside_is_called(names: Names, calls: list[str], address: str) -> None:
    names((address,))
    assert trouble() == "private"
    names((PUBLIC, address))  # one good address does not excuse the other
    assert trouble() == "private"
    assert calls == []


@pytest.mark.parametrize("address", [PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
def test_control_a_public_address_is_called(names: Names, calls: list[str], address: str) -> None:
    names((address,))
    assert trouble() == "away"
    assert calls == [address]


@pytest.mark.parametrize("address", ["192.0.0.8", "fec0::1", "::ffff:192.0.0.8"])
def test_special_networks_that_python_takes_for_public_are_not_called(
    names: Names, calls: list[str], address: str
) -> None:
    names((address,))
    assert trouble() == "private"
    assert calls == []


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "2130706433", "0x7f.1", "127.1", "localhost"])
def test_no_spelling_of_this_machine_is_called(calls: list[str], host: str) -> None:
    assert trouble(f"https://{host}") in ("private", "away")  # away: the system does not read it so
    assert calls == []


def test_plain_http_is_for_ones_own_server_on_this_machine(
    names: Names, calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN, "dam_x")
    names((PUBLIC,))
    assert trouble("http://damas.example") == "plain"
    assert trouble("http://damas.example", own=True) == "plain"
    with pytest.raises(RemoteTrouble) as raised:
        tier_for(Entrant.parse("http:Rui@http://127.0.0.1:8000"))
    assert raised.value.reason == "plain"
    assert calls == []
    assert all("--trust" in raised.value.sentence(language) for language in LANGUAGES)
    assert tier_for(Entrant.parse("http:Rui@http://127.0.0.1:8000", trusted=True)) == "remote"
    names(("127.0.0.1",))
    assert trouble("http://damas.example", own=True) == "away" and calls == ["127.0.0.1"]


def test_the_command_refuses_it_too(
    tmp_path: Path, calls: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(TOKEN, "dam_x")
    for words in (["arena"], ["match", "--box"]):
        spec = "http:Rui@http://127.0.0.1:8000"
        assert main([*words, spec, "random", "--out", str(tmp_path / "contest"), "--lang", "en"]) != 0
        assert "over https only" in capsys.readouterr().err
    assert calls == [] and not (tmp_path / "contest").exists()


def test_a_name_that_is_never_found(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, answered = threading.Event(), threading.Event()

    def getaddrinfo(*_: object, **__: object) -> list[tuple[object, ...]]:
        stop.wait(120)
        answered.set()
        return []

    monkeypatch.setattr(place.socket, "getaddrinfo", getaddrinfo)
    assert trouble(seconds=0.5) == "away"
    assert not answered.is_set(), "nobody waits for the resolver"
    stop.set()


# A server of others, with a certificate


class Handler(BaseHTTPRequestHandler):
    """Answers with the next status and header; closes the connection after each answer."""

    protocol_version = "HTTP/1.1"
    server: "Example"

    def do_POST(self) -> None:
        self.server.hosts.append(self.headers["Host"])
        status, headers = self.server.answer
        self.send_response(status)
        for name, value in {**headers, "Content-Length": "2", "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(b"{}")

    do_GET = do_POST  # noqa: N815

    def log_message(self, *_: object) -> None:
        pass


class Example(ThreadingHTTPServer):
    """https://damas.example, on this machine."""

    answer: tuple[int, dict[str, str]] = (200, {})

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.hosts: list[str] = []
        self.called: list[str] = []


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Example]:
    """The server; whoever calls any address reaches it."""
    if not shutil.which("openssl"):
        pytest.skip("not proved: no openssl to make a certificate with")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=damas.example"
    names = ["-addext", "subjectAltName=DNS:damas.example", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*command.split(), *names], check=True, capture_output=True)
    server = Example()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    connect = socket.create_connection

    def create_connection(address: tuple[str, int], timeout: float) -> socket.socket:
        server.called.append(address[0])
        return connect(server.server_address[:2], timeout)

    monkeypatch.setattr(place.socket, "create_connection", create_connection)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_name_is_looked_up_once_and_called_by_that_address(example: Example, names: Names) -> None:
    """Whatever the name means later, and however often the connection breaks."""
    names((PUBLIC,), ("127.0.0.1",))
    api = Api(URL, "dam_x")
    for _ in range(3):
        assert api.ask("GET", "/", seconds=60).ok
    api.wire(60).close()
    assert example.called == [PUBLIC] * 4
    assert set(example.hosts) == {"damas.example"}
    api.close()
    assert trouble() == "private"  # who asks again gets the new answer, and refuses it


def test_a_certificate_of_somebody_else_is_refused(
    example: Example, names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    names((PUBLIC,))
    monkeypatch.delenv("SSL_CERT_FILE")
    assert trouble(seconds=5) == "away"
    assert example.hosts == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(
    example: Example, names: Names, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setenv(TOKEN, "dam_x")
    names((PUBLIC,))
    example.answer = status, {"Location": "http://169.254.169.254/latest"}
    with pytest.raises(RemoteTrouble) as raised:
        knock("Rui", URL)
    assert raised.value.reason == "redirect"
    assert example.called == [PUBLIC] and len(example.hosts) == 1


def test_a_handshake_that_drips(names: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte comes in time, the whole never does: the deadline stands."""
    names((PUBLIC,))
    stop, whole = threading.Event(), threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        connect = socket.create_connection
        monkeypatch.setattr(
            place.socket, "create_connection", lambda _, timeout: connect(server.getsockname(), timeout)
        )

        def drip() -> None:
            caller, _ = server.accept()
            with caller:
                for byte in b"\x16\x03\x03\x40\x00" + b"\x02\x00\x3f\xfc" + b"\0" * 1000:
                    if stop.wait(0.1):
                        return
                    try:
                        caller.send(bytes([byte]))
                    except OSError:
                        return
            whole.set()

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        assert trouble(seconds=0.5) == "away"
        assert not whole.is_set(), "nobody waits for the last byte"
        stop.set()
        thread.join()
