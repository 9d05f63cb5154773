"""Gets the programs that tests need and pip cannot bring: a browser, a PostgreSQL server, and bubblewrap for boxes.

Run by `make test` once. Where they are missing it installs them if it may (root on Debian or Ubuntu); otherwise it
names the package and lets the tests run without: what they could not prove they say themselves. Never fails.
"""

import os
import shutil
import subprocess
from pathlib import Path

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
"""The first is Chromium without its windows: the same pages for half the work."""
PACKAGES = {
    "a browser": "chromium-headless-shell",
    "a PostgreSQL server": "postgresql",
    "the program bwrap": "bubblewrap",
}


def browser() -> str | None:
    """The path of a Chromium, or None."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


def postgresql_programs() -> Path | None:
    """The folder of `initdb` and its like, which distributions leave out of the path."""
    folders = [Path(found).parent for found in [shutil.which("initdb")] if found]
    if config := shutil.which("pg_config"):
        told = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=False)
        folders.append(Path(told.stdout.strip()))
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    wanted = ("initdb", "pg_ctl", "postgres", "psql")
    return next((folder for folder in folders if all((folder / name).exists() for name in wanted)), None)


def missing() -> list[str]:
    found: dict[str, object] = {
        "a browser": browser(),
        "a PostgreSQL server": postgresql_programs(),
        "the program bwrap": shutil.which("bwrap"),
    }
    return [need for need, path in found.items() if path is None]


def install(packages: list[str]) -> bool:
    """With the system's own packages, where that needs no password."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        ran = subprocess.run(
            ["apt-get", "-qq", *command], env=environment, capture_output=True, text=True, check=False
        )
        if ran.returncode:
            print(f"damas: apt-get {command[0]} failed: {ran.stderr.strip().splitlines()[-1:]}")
            return False
    return True


def main() -> None:
    needs = missing()
    if not needs:
        return
    packages = [PACKAGES[need] for need in needs]
    print(f"damas: the tests want {', '.join(needs)}; installing {' '.join(packages)}")
    install(packages)
    for need in missing():
        print(
            f"damas: no {need.split(' ', 1)[1]} here: what needs one is not proved. apt install {PACKAGES[need]}"
        )


if __name__ == "__main__":
    main()
