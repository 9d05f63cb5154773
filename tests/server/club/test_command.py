"""`damas club --demo` and `damas club serve`: a tournament for every phone, in a process of its own."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from damas.tournaments.hall import EventLog
from damas.tournaments.hall.log import load


@contextmanager
def running(*options: object) -> Iterator[dict[str, Any]]:
    """What the command says once it serves."""
    command = [sys.executable, "-m", "damas", "clube", *map(str, options), "--port", "0", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


def look(urls: dict[str, Any]) -> dict[str, Any]:
    """The tournament as the chief arbiter sees it, after opening the link."""
    tournament, key = urls["desk"].rpartition("/desk#key=")[::2]
    id_ = tournament.rpartition("/")[2]
    with httpx.Client(base_url=urls["url"], headers={"X-Damas": "1"}, timeout=60) as browser:
        browser.post(f"/api/club/{id_}/enter", json={"key": key}).raise_for_status()
        reply: dict[str, Any] = browser.get(f"/api/club/{id_}").raise_for_status().json()
        return reply


def test_the_example_is_open_at_once_and_its_links_lead_to_the_local_network(tmp_path: Path) -> None:
    with running(
        "--demo", "--host", "0.0.0.0", "--address", "http://192.0.2.7:9", "--data", tmp_path
    ) as urls:
        assert urls["public"].startswith("http://192.0.2.7:9/club/")
        reply = look(urls)
        assert reply["you"]["role"] == "chief"
        tournament = reply["tournament"]
        assert (len(tournament["players"]), tournament["rulebook"], tournament["rounds"]) == (8, "faraes", 5)
        page = httpx.get(f"{urls['url']}/club/{tournament['id']}").text
        assert 'data-address="http://192.0.2.7:9"' in page
        known = tournament["id"]
    with running(
        "--demo", "--host", "127.0.0.1", "--data", tmp_path
    ) as urls:  # and it is the same afterwards
        assert look(urls)["tournament"]["id"] == known


def test_a_tournament_that_began_in_the_terminal_goes_on_in_the_browser_and_back(tmp_path: Path) -> None:
    file = tmp_path / "open.damas"

    def club(*words: str) -> None:
        subprocess.run([sys.executable, "-m", "damas", "club", *words], check=True, stdout=subprocess.DEVNULL)

    club("demo", str(file))
    parted = tmp_path / "parted.damas"
    shutil.copy(file, parted)
    club("pair", str(file))
    server = ("serve", file, "--host", "127.0.0.1", "--data", tmp_path / "data")
    with running(*server) as urls:
        assert [each["published"] for each in look(urls)["tournament"]["played"]] == [False]
    club("publish", str(file))
    with running(*server) as urls:  # the file has gone on
        tournament = look(urls)["tournament"]
        assert [each["published"] for each in tournament["played"]] == [True]
        id_, key = tournament["id"], urls["desk"].rpartition("#key=")[2]
        with httpx.Client(base_url=urls["url"], headers={"X-Damas": "1"}, timeout=60) as browser:
            browser.post(f"/api/club/{id_}/enter", json={"key": key}).raise_for_status()
            action = {"do": "score", "round": 1, "board": 1, "result": "2-0"}
            browser.post(f"/api/club/{id_}/actions", json=action).raise_for_status()
            file.write_bytes(browser.get(f"/club/{id_}/files/tournament.damas").raise_for_status().content)
    assert load(file).round(1).results[1].games == "1"
    club("result", str(file), "2", "1-1")
    with EventLog.open(file) as log:
        assert len(log.state.rounds[0].results) == 2
    club("enter", str(parted), "Zeca")  # a file that went another way is refused
    command = [sys.executable, "-m", "damas", "club", "serve", parted, *map(str, server[2:]), "--port", "0"]
    refused = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert refused.returncode == 2 and "parted.damas" in refused.stderr and "3" in refused.stderr
