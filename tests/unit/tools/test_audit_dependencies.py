"""The audit of dependencies, against an index of our own."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from audit_dependencies import NoNetwork, ask_index, installed

VERSIONS = {"jinja2": "3.1", "msgspec": "0.20", "starlette": "1.0", "uvicorn": "0.40"}
"""What is installed."""


class Index(ThreadingHTTPServer):
    """Knows the installed version of every package, but for what a test says."""

    pages: dict[str, str]
    """Answers by path; any other package has its installed version."""


class Handler(BaseHTTPRequestHandler):
    server: Index

    def do_GET(self) -> None:
        name = self.path.strip("/").removeprefix("simple/")
        file = f"{name}-{VERSIONS.get(name)}-py3-none-any.whl"
        usual = f'<a href="../files/{file}#sha256=0">{file}</a>' if name in VERSIONS else None
        page = self.server.pages.get(self.path, usual)
        self.send_response(404 if page is None else 200)
        self.end_headers()
        self.wfile.write((page or "").encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def index() -> Iterator[Index]:
    server = Index(("127.0.0.1", 0), Handler)
    server.pages = {}
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_what_is_withdrawn_unknown_or_vulnerable_is_named(index: Index) -> None:
    url = f"http://127.0.0.1:{index.server_port}/simple"
    assert ask_index(url, VERSIONS) == ([], False)
    wheel = "starlette-1.0-py3-none-any.whl"
    index.pages["/simple/starlette/"] = json.dumps({"files": [{"filename": wheel, "yanked": "leaks"}]})
    index.pages["/simple/msgspec/"] = '<a href="msgspec-0.0.1.tar.gz">msgspec-0.0.1.tar.gz</a>'
    index.pages["/simple/uvicorn/"] = '<a href="uvicorn-0.40.tar.gz" data-yanked="">uvicorn-0.40.tar.gz</a>'
    reports = [{"id": "PYSEC-1", "fixed_in": ["99"]}, {"id": "PYSEC-2", "withdrawn": "2024-01-01"}]
    index.pages["/pypi/jinja2/3.1/json"] = json.dumps({"vulnerabilities": reports})
    wrong, reported = ask_index(url, {**VERSIONS, "nobody": "1"})
    assert wrong == [
        "jinja2 3.1: PYSEC-1, fixed in 99",
        "msgspec 0.20: the index does not know this version",
        "starlette 1.0: withdrawn: leaks",
        "uvicorn 0.40: withdrawn: withdrawn",
        "nobody 1: the index does not know this package",
    ]
    assert not reported, "only one package has reports"


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/simple", "http://user:secret@127.0.0.1/simple"])
def test_an_index_that_cannot_be_asked_is_no_network(url: str) -> None:
    with pytest.raises(NoNetwork):
        ask_index(url, VERSIONS)


def test_what_a_server_needs_is_listed_directly_or_not() -> None:
    pytest.importorskip("starlette")
    assert {"starlette", "jinja2", "markupsafe"} <= installed().keys(), "markupsafe is needed by jinja2"
