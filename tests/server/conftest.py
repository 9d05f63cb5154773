"""Passwords that cost little, both databases, and real servers on real ports.

`database_url` is a fixture of two parameters: a test that asks for it runs on SQLite in a fresh folder and on a real
PostgreSQL that lives for the run. `settings` stands on it. Where no PostgreSQL server can be had, that half says so and
is skipped: not proved, never passed over in silence.

A test that only asks uses `web` or `page` and shares one server with all others; a test that names `server`, or brings
limits or settings of its own, has its own. With `DAMAS_TEST_DATABASE=postgresql` all of them keep what they have in
PostgreSQL instead (`make soak`).
"""

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import test_services

from damas.server.settings import Limits, Settings
from damas.server.store import Store
from damas.server.work import passwords
from damas.server.work.processes import IDLE
from server.blocked import Blocked
from server.rooms.clients import Server, serving
from server.shared import Thread

PATIENT = Limits(read_s=60, connect_s=60, commit_s=60, lease_s=60)
"""On a busy machine a database may take longer than a player would wait."""

NO_SERVER = "not proved: no PostgreSQL server here, install postgresql"


class Cluster:
    """A PostgreSQL server of our own, in a folder of its own, reached through a socket in that folder only."""

    def __init__(self, bin_folder: Path) -> None:
        self._bin = bin_folder
        # In memory where that can be had: its many small flushes are what takes time, and no test cuts the power.
        memory = Path("/dev/shm")
        place = memory if memory.is_dir() and os.access(memory, os.W_OK) else None
        self._folder = Path(tempfile.mkdtemp(prefix="damas-pg-", dir=place))
        self._data = self._folder / "data"
        self._log = self._folder / "log"
        # initdb refuses to run as root.
        self._as_user: list[str] = []
        self._user = "postgres"
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            shutil.chown(self._folder, "postgres", "postgres")
            self._as_user = [shutil.which("runuser") or "runuser", "-u", "postgres", "--"]
        self._run(
            "initdb", "-D", self._data, "-U", self._user, "-A", "trust", "-E", "UTF8", "--no-locale", "-N"
        )
        self.start()

    def _run(self, program: str, *arguments: object) -> None:
        command = [*self._as_user, str(self._bin / program), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self._folder, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{program}: {done.stdout}{done.stderr}")

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories='{self._folder}' -c max_connections=60"
        # Its output goes to its log: a pipe that the server inherits would never close.
        self._run("pg_ctl", "start", "-w", "-D", self._data, "-l", self._log, "-o", options)

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "stop", "-w", "-D", self._data, "-m", mode)

    def url(self, name: str) -> str:
        return f"postgresql://{self._user}@/{name}?host={self._folder}"

    def execute(self, statement: str, name: str = "postgres") -> None:
        self._run("psql", "-q", "-h", self._folder, "-U", self._user, "-d", name, "-c", statement)

    def create(self) -> str:
        """The address of a new, empty database."""
        name = f"t{secrets.token_hex(6)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        return self.url(name)

    def remove(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self._folder)


@pytest.fixture(scope="session")
def new_cluster() -> Iterator[Callable[[], Cluster]]:
    """Makes PostgreSQL servers, all gone at the end of the run."""
    created: list[Cluster] = []

    def new() -> Cluster:
        programs = test_services.postgresql_programs()
        if programs is None:
            pytest.skip(NO_SERVER)
        created.append(Cluster(programs))
        return created[-1]

    yield new
    for cluster in created:
        cluster.remove()


@pytest.fixture(scope="session")
def postgresql(new_cluster: Callable[[], Cluster]) -> Cluster:
    """The server that tests share, each with its own database."""
    return new_cluster()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'data' / 'damas.sqlite3'}"
    cluster: Cluster = request.getfixturevalue("postgresql")
    return cluster.create()


@pytest.fixture(autouse=True)
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same hashes with less work: one test of `test_people` checks what they really cost."""
    monkeypatch.setattr(passwords, "COST", passwords.Cost(passes=1, memory_kib=64, lanes=1))


@pytest.fixture
def blocked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Blocked]:
    """Work for a worker process that goes on until the test ends it."""
    if sys.platform == "win32":
        pytest.skip("not proved: no named pipes there")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    IDLE.close()  # new processes find it there
    yield Blocked(tmp_path)
    IDLE.close()


@pytest.fixture
def limits() -> Limits:
    """Of the server; a test may bring its own."""
    return PATIENT


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", database_url=database_url, limits=PATIENT)


@pytest.fixture
async def store(settings: Settings) -> AsyncIterator[Store]:
    opened = await Store.open(settings)
    yield opened
    await opened.close()


@pytest.fixture
def more() -> dict[str, Any]:
    """Other settings of the server; a test may bring its own."""
    return {}


@pytest.fixture(scope="session")
def kept(request: pytest.FixtureRequest) -> Callable[[], dict[str, str]]:
    """Where a new server keeps what it has: the settings that say so."""
    if os.environ.get("DAMAS_TEST_DATABASE", "sqlite") == "sqlite":
        return dict
    cluster = request.getfixturevalue("postgresql")
    return lambda: {"database_url": cluster.create()}


@pytest.fixture
async def server(
    tmp_path: Path, limits: Limits, more: dict[str, Any], kept: Callable[[], dict[str, str]]
) -> AsyncIterator[Server]:
    """A real server for one test, in a fresh folder."""
    settings = Settings(**{"data": tmp_path / "data", "port": 0, "limits": limits, **kept(), **more})
    async with serving(settings) as running:
        yield running


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, kept: Callable[[], dict[str, str]]) -> Iterator[Thread]:
    """The server of those who only ask, as often as they like."""
    limits = Limits(requests_per_minute=1_000_000, logins_per_minute=1_000_000)
    running = Thread(Settings(data=tmp_path_factory.mktemp("shared"), port=0, limits=limits, **kept()))
    yield running
    running.stop()


@pytest.fixture
def port(request: pytest.FixtureRequest, limits: Limits, more: dict[str, Any]) -> int:
    """Of the server that this test asks."""
    own = "server" in request.fixturenames or limits is not PATIENT or more
    running: Server | Thread = request.getfixturevalue("server" if own else "shared")
    return running.port


@pytest.fixture
async def web(port: int) -> AsyncIterator[httpx.AsyncClient]:
    """A browser that has not been here yet: it keeps its cookies."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        yield client


@pytest.fixture
async def page(web: httpx.AsyncClient) -> httpx.AsyncClient:
    """The same browser as our own scripts use it."""
    web.headers["X-Damas"] = "1"
    return web
