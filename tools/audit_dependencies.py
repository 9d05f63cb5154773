"""Audit what the web app depends on: `audit_dependencies.py [--strict]`. Run by `make lint`, and strictly by `make audit`.

The installed packages must fit together (`pip check`); that needs no network. For each package the index that pip uses is
then asked whether it has the installed version, whether that version was withdrawn, and, where the index publishes such
reports, whether it has a known vulnerability. What it answers is printed, and is a failure only with `--strict`. Without a
network this part is skipped, and the output says so.
"""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from http.client import HTTPException
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any
from urllib.error import HTTPError
from urllib.parse import unquote
from urllib.request import Request, urlopen

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

EXTRAS = ("web", "club", "fast", "postgres")
"""What a server, or the laptop of a club, is installed with."""
TIMEOUT_S = 4
JSON_PAGES = "application/vnd.pypi.simple.v1+json, text/html;q=0.1"


class NoNetwork(Exception):
    """The index does not answer."""


def installed(package: str = "damas", extras: tuple[str, ...] = EXTRAS) -> dict[str, str]:
    """The version of everything that a server needs, directly or not."""
    versions: dict[str, str] = {}
    waiting = [(package, extras)]
    seen = set()
    while waiting:
        name, wanted = waiting.pop()
        if (name, wanted) in seen:
            continue
        seen.add((name, wanted))
        try:
            needed = distribution(name)
        except PackageNotFoundError:
            continue  # for another system
        if name != package:
            versions[canonicalize_name(name)] = needed.version
        for line in needed.requires or ():
            requirement = Requirement(line)
            marker = requirement.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *wanted)):
                waiting.append((requirement.name, tuple(sorted(requirement.extras))))
    return dict(sorted(versions.items()))


def index_url() -> str | None:
    """The index of pip's settings, or pip's own."""
    url = os.environ.get("PIP_INDEX_URL") or _pip("config", "get", "global.index-url").stdout.strip()
    if url:
        return url.rstrip("/")
    try:
        from pip._internal.models.index import PyPI
    except ImportError:
        return None
    return str(PyPI.simple_url).rstrip("/")


def _pip(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pip", *arguments], capture_output=True, text=True, check=False
    )


def get(url: str, accept: str) -> bytes | None:
    """The page; None where the index has no such page. Raises `NoNetwork`."""
    try:
        with urlopen(Request(url, headers={"Accept": accept}), timeout=TIMEOUT_S) as answer:
            return bytes(answer.read())
    except HTTPError as error:
        if error.code in (404, 406, 410):
            return None
        raise NoNetwork from None
    except (OSError, HTTPException, ValueError):
        raise NoNetwork from None


class Links(HTMLParser):
    """The files of a page of the index, and why each was withdrawn (None if it was not)."""

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, str | None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes a link."""
        if tag == "a":
            attributes = dict(attrs)
            name = unquote((attributes.get("href") or "").partition("#")[0].rpartition("/")[2])
            reason = attributes.get("data-yanked", "") or "withdrawn"
            self.files[name] = reason if "data-yanked" in attributes else None


def files_of(page: bytes) -> dict[str, str | None]:
    """The files of a page, in either of the two forms of the index, and why each was withdrawn."""
    if page[:1] == b"{":
        listed: list[dict[str, Any]] = json.loads(page)["files"]
        return {file["filename"]: str(file["yanked"]) if file.get("yanked") else None for file in listed}
    links = Links()
    links.feed(page.decode("utf-8", "replace"))
    return links.files


def troubles(index: str, name: str, version: str) -> tuple[list[str], bool]:
    """What is wrong with one version, and whether the index publishes reports of vulnerabilities. Raises `NoNetwork`."""
    page = get(f"{index}/{name}/", JSON_PAGES)
    if page is None:
        return [f"{name} {version}: the index does not know this package"], False
    spelling = canonicalize_name(name).replace("-", "[-_.]+")
    of_version = re.compile(rf"{spelling}-{re.escape(version)}(-|\.tar|\.zip)", re.IGNORECASE)
    reasons = [reason for file, reason in files_of(page).items() if of_version.match(file)]
    wrong = []
    if not reasons:
        wrong.append(f"{name} {version}: the index does not know this version")
    elif all(reasons):
        wrong.append(f"{name} {version}: withdrawn: {reasons[0]}")
    reports = get(f"{index.removesuffix('/simple')}/pypi/{name}/{version}/json", "application/json")
    if reports is None or reports[:1] != b"{":
        return wrong, False
    for report in json.loads(reports).get("vulnerabilities", ()):
        if not report.get("withdrawn"):
            fixed = ", ".join(report.get("fixed_in", ())) or "no version yet"
            wrong.append(f"{name} {version}: {report.get('id')}, fixed in {fixed}")
    return wrong, True


def ask_index(index: str, versions: dict[str, str]) -> tuple[list[str], bool]:
    """The same for all of these versions. Raises `NoNetwork`."""
    with ThreadPoolExecutor(16) as pool:
        checks = [pool.submit(troubles, index, name, version) for name, version in versions.items()]
        try:
            results = [check.result() for check in checks]
        except NoNetwork:
            pool.shutdown(cancel_futures=True)
            raise
    return [line for lines, _ in results for line in lines], all(reported for _, reported in results)


def main(strict: bool) -> int:
    """Prints what was checked and what was not; returns the exit code."""
    check = _pip("check")
    if check.returncode:
        print(f"damas: packages do not fit together:\n{check.stdout}{check.stderr}", file=sys.stderr)
        return 1
    versions, index = installed(), index_url()
    print(f"damas: {len(versions)} packages of the web app fit together", end="; ")
    if index is None or not index.startswith("http"):
        print("withdrawn versions and vulnerabilities: not checked: no index")
        return 0
    try:
        wrong, reported = ask_index(index, versions)
    except NoNetwork:
        print("withdrawn versions and vulnerabilities: not checked: no network")
        return 0
    print("no version withdrawn" if not wrong else f"{len(wrong)} to look at", end="; ")
    print("vulnerabilities: " + ("checked" if reported else "not checked: the index publishes no reports"))
    for line in wrong:
        print(f"  {line}")
    return 1 if strict and wrong else 0


if __name__ == "__main__":
    sys.exit(main(strict="--strict" in sys.argv[1:]))
