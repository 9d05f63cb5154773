"""Finds the programs that tests use and pip cannot install: a browser, servers of PostgreSQL and Redis, and bubblewrap.

`make test` runs it once. It prints which programs are missing and why the tests use them, and installs them if it may
(as root on Debian or Ubuntu); otherwise the tests that need them are skipped and say so. It never fails.
"""

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
"""Names of Chromium, the preferred one first: without windows it does half the work."""


def browser() -> str | None:
    """The path of a Chromium, or None."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


def postgresql_programs() -> Path | None:
    """The folder with `initdb` and `pg_ctl`, which distributions leave out of PATH, or None."""
    folders = [Path(path).parent for path in [shutil.which("initdb")] if path]
    if config := shutil.which("pg_config"):
        ran = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=False)
        folders.append(Path(ran.stdout.strip()))
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    programs = ("initdb", "pg_ctl", "postgres", "psql")
    return next((folder for folder in folders if all((folder / name).exists() for name in programs)), None)


def redis_server() -> str | None:
    """The path of `redis-server` or `valkey-server`, or None."""
    return shutil.which("redis-server") or shutil.which("valkey-server")


def bubblewrap() -> str | None:
    """The path of `bwrap`, or None."""
    return shutil.which("bwrap")


@dataclass(frozen=True)
class Service:
    """A program, the Debian package that contains it, and what tests use it for."""

    name: str
    package: str
    purpose: str
    find: Callable[[], object]


SERVICES = (
    Service("a browser", "chromium-headless-shell", "tests of the web pages", browser),
    Service(
        "a PostgreSQL server", "postgresql", "tests of the server's second database", postgresql_programs
    ),
    Service("a Redis server", "redis-server", "tests of the bus between nodes", redis_server),
    Service("bwrap", "bubblewrap", "tests of the box that strangers' programs run in", bubblewrap),
)


def missing() -> list[Service]:
    return [service for service in SERVICES if service.find() is None]


def may_install() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(packages: list[str]) -> None:
    """Installs packages with apt-get and prints the last line of an error."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        ran = subprocess.run(
            ["apt-get", "-qq", *command], env=environment, capture_output=True, text=True, check=False
        )
        if ran.returncode:
            print(f"damas: apt-get {command[0]} failed: {' '.join(ran.stderr.strip().splitlines()[-1:])}")
            return


def main() -> None:
    """Prints which programs the tests lack, and installs them with apt-get if it may."""
    services = missing()
    for service in services:
        print(f"damas: missing {service.name}, for {service.purpose} (package {service.package})")
    if services and may_install():
        packages = [service.package for service in services]
        print(f"damas: installing these system packages with apt-get: {' '.join(packages)}", flush=True)
        install(packages)
        services = missing()
    for service in services:
        print(f"damas: without {service.name} {service.purpose} are skipped; apt install {service.package}")


if __name__ == "__main__":
    main()
