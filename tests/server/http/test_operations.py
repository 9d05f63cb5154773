"""For whoever runs a server: it says where it is, whether it lives, what it does, and why it cannot start."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from damas.cli.serve import print_qr
from damas.server.addresses import lan_addresses
from damas.server.work.files import qr_code
from server.rooms.clients import Server

DAMAS = [sys.executable, "-m", "damas"]


@contextmanager
def running(data: Path, *options: str, **environ: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`damas serve` as a person starts it, and the address it prints."""
    command = [*DAMAS, "serve", "--port", "0", "--open=false", "--data", str(data), *options]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LANG": "C", **environ},
    ) as process:
        assert process.stdout
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def refused(*arguments: str, **environ: str) -> str:
    """What `damas serve` says when it cannot start."""
    ran = subprocess.run(
        [*DAMAS, "serve", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "LANG": "C", **environ},
        timeout=60,
        check=False,
    )
    assert ran.returncode == 2 and "Traceback" not in ran.stderr
    return ran.stderr


# damas serve


def test_it_prints_its_address_and_stops_with_everything_open(tmp_path: Path) -> None:
    with running(tmp_path) as (process, url):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", url)
        person = httpx.Client(base_url=url, headers={"X-Damas": "1"})
        wanted = {"rulebook": "brasileira", "opponent": {"kind": "level", "level": 1}, "colour": "white"}
        game = person.post("/api/games", json=wanted).json()["id"]
        cookie = f"damas_visitor={person.cookies['damas_visitor']}"
        socket_url = f"{url.replace('http', 'ws')}/game/{game}/socket"
        with (
            connect(socket_url, additional_headers={"Cookie": cookie}) as board,
            person.stream("GET", "/api/lobby/stream"),
        ):
            assert json.loads(board.recv())["t"] == "hello"
            process.send_signal(signal.SIGTERM)
            kinds = []
            while True:
                try:
                    kinds.append(json.loads(board.recv(timeout=60))["t"])
                except Exception:  # noqa: BLE001 however it closes, it closes
                    break
            assert "restarting" in kinds
            # While a game, a socket and a stream are open: it waits for none of them. How soon is `stop_s`, whose
            # parts have their own tests; here it ends by itself, and not because somebody killed it.
            assert process.wait(60) in (0, -signal.SIGTERM, 128 + signal.SIGTERM)
        person.close()


def test_control_c_is_a_way_to_stop_and_logs_are_json_where_machines_read_them(tmp_path: Path) -> None:
    with running(tmp_path, "--json-logs") as (process, _):
        process.send_signal(signal.SIGINT)
        assert process.wait(60) in (0, 130)
        assert process.stderr
        text = process.stderr.read()
    assert "Traceback" not in text
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines
    assert all({"time", "level", "logger", "message"} <= set(line) for line in lines)


def test_a_taken_port_is_said_and_another_is_proposed(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        message = refused("--port", str(port), "--data", str(tmp_path))
    assert str(port) in message and "--port 0" in message


def test_a_database_in_use_is_said(tmp_path: Path) -> None:
    with running(tmp_path):
        assert "Outro servidor" in refused("--port", "0", "--data", str(tmp_path), "--lang", "pt-BR")


def test_what_is_missing_is_said_with_the_command_that_installs_it() -> None:
    hidden = (
        "import sys; sys.modules['uvicorn'] = None; from damas.cli import main; sys.exit(main(['serve']))"
    )
    ran = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert 'pip install "damas[web]"' in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("arguments", "environ", "said"),
    [
        (["--open=perhaps"], {}, "perhaps"),
        (["--port", "70000"], {}, "65535"),
        ([], {"DAMAS_PORT": "many"}, "DAMAS_PORT"),
        ([], {"DAMAS_TRUSTED_PROXIES": "10.0.0.1,caddy"}, "DAMAS_TRUSTED_PROXIES=caddy"),
        (["--host", "203.0.113.254", "--port", "0"], {}, "203.0.113.254"),
    ],
)
def test_a_setting_that_cannot_be_read_is_named(
    tmp_path: Path, arguments: list[str], environ: dict[str, str], said: str
) -> None:
    assert said in refused("--data", str(tmp_path), *arguments, **environ)


@pytest.mark.parametrize("name", ["secret", "operator"])
def test_an_empty_secret_is_said_and_not_used(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    message = refused("--port", "0", "--data", str(tmp_path))
    assert str(tmp_path / name) in message and "64 hexadecimal digits" in message


async def test_an_empty_operators_key_lets_nobody_in(page: httpx.AsyncClient, server: Server) -> None:
    (server.services.settings.data / "operator").write_bytes(b"")
    deed = {"name": "Ana", "do": "close"}
    for shown in ("operator", "operator x"):
        answer = await page.post("/api/operator", json=deed, headers={"Authorization": shown})
        assert answer.status_code == 403


def test_json_tells_the_address_to_a_script(tmp_path: Path) -> None:
    with running(tmp_path, "--json") as (_, line):
        assert json.loads(line)["url"].startswith("http://127.0.0.1:")


def test_the_local_network_is_served_when_asked_and_answers_by_its_own_names(tmp_path: Path) -> None:
    with running(tmp_path, "--lan") as (process, url):
        assert url.startswith("http://127.0.0.1:")
        port = url.rpartition(":")[2]
        for address in lan_addresses():
            assert process.stdout
            assert f"http://{address}:{port}" in process.stdout.readline()
            assert httpx.get(f"http://{address}:{port}/api/rulebooks").status_code == 200
        foreign = httpx.get(f"{url}/api/rulebooks", headers={"Host": "evil.example"})
        assert foreign.status_code == 400


def test_links_made_on_the_laptop_itself_lead_phones_to_the_laptop(tmp_path: Path) -> None:
    with running(tmp_path, "--lan") as (_, url):
        lan = f"http://{lan_addresses()[0]}:{url.rpartition(':')[2]}"
        for address in (url, lan):
            assert f'data-address="{lan}"' in httpx.get(f"{address}/").text
            code = httpx.get(f"{address}/qr.svg", params={"path": "/game/x"}).content
            assert code == qr_code(f"{lan}/game/x")


def test_a_server_for_this_machine_alone_keeps_its_own_address(tmp_path: Path) -> None:
    with running(tmp_path) as (_, url):
        assert f'data-address="{url}"' in httpx.get(f"{url}/").text


def test_phones_find_the_address_as_a_picture(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    print_qr("http://192.168.1.5:8000")
    lines = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert len(lines) >= 12
    assert "▀" in "".join(lines) or "█" in "".join(lines)


# damas backup


def test_a_copy_is_made_while_people_play_and_put_back(tmp_path: Path) -> None:
    def backup(*arguments: str) -> tuple[int, str]:
        ran = subprocess.run([*DAMAS, "backup", *arguments], capture_output=True, text=True, check=False)
        return ran.returncode, ran.stdout + ran.stderr

    copy = str(tmp_path / "copy.damas")
    with (
        running(tmp_path / "one") as (_, url),
        httpx.Client(base_url=url, headers={"X-Damas": "1"}) as person,
    ):
        game = person.post("/api/games", json={"rulebook": "faraes", "opponent": {"kind": "device"}}).json()[
            "id"
        ]
        assert person.post(f"/api/board/game/{game}/move/c3-d4").json()["ok"]
        code, reply = backup(str(tmp_path / "bare.damas"), "--data", str(tmp_path / "one"), "--json")
        assert (code, json.loads(reply)["arena_digest"]) == (0, None)
        contest = tmp_path / "one" / "arena" / "tournaments" / "open" / "contest.json"
        contest.parent.mkdir(parents=True)
        contest.write_text("{}")
        code, reply = backup(copy, "--data", str(tmp_path / "one"), "--json")
        assert code == 0, reply
        created = json.loads(reply)
        assert (created["games"], created["moves"], created["tournaments"]) == (1, 1, 1)
        assert re.fullmatch("[0-9a-f]{64}", created["arena_digest"])
    code, reply = backup("--verify", copy)
    assert code == 0
    assert "1 move" in reply
    code, reply = backup("--restore", copy, "--data", str(tmp_path / "two"), "--json")
    put_back = json.loads(reply)
    assert all(put_back[digest] == created[digest] for digest in ("digest", "arena_digest"))
    assert (tmp_path / "two" / contest.relative_to(tmp_path / "one")).read_text() == "{}"
    (tmp_path / "two" / contest.relative_to(tmp_path / "one")).unlink()  # it is none that a server could hold
    with running(tmp_path / "two") as (_, url):
        assert httpx.get(f"{url}/api/games/{game}").json()["view"]["ply"] == 1
    code, reply = backup("--restore", copy, "--data", str(tmp_path / "two"))
    assert code == 2
    assert "Traceback" not in reply
    Path(copy).write_bytes(Path(copy).read_bytes()[:5000])
    assert backup("--verify", copy)[0] == 2


# Health and figures


async def test_alive_and_ready(web: httpx.AsyncClient, server: Server) -> None:
    assert (await web.get("/healthz")).text == "ok\n"
    ready = await web.get("/readyz")
    assert (ready.status_code, ready.json()["ready"]) == (200, True)
    server.services.closing.set()
    assert (await web.get("/readyz")).status_code == 503
    assert (await web.get("/healthz")).status_code == 200
    server.services.closing.clear()


async def test_a_store_that_fails_is_not_ready(
    web: httpx.AsyncClient, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(server.services.store), "trouble", property(lambda _: "disk full"))
    ready = await web.get("/readyz")
    assert (ready.status_code, ready.json()["trouble"]) == (503, "disk full")


async def figures(web: httpx.AsyncClient) -> dict[str, float]:
    lines = (await web.get("/metrics")).text.splitlines()
    return {
        name: float(value)
        for line in lines
        if line[:1] not in ("#", "")
        for name, _, value in [line.rpartition(" ")]
    }


async def test_the_metrics_tell_which_rule_to_teach(web: httpx.AsyncClient, server: Server) -> None:
    before = await figures(web)
    person = await server.person()
    game = await person.create("faraes", kind="device", fen="W:Wc3:Bb4,d4,f6")
    refusal: Any = await person.http.post(f"/api/board/game/{game}/move/c3xa5")
    assert refusal.status_code == 400
    assert (await person.http.post(f"/api/board/game/{game}/move/c3xe5xg7")).status_code == 200
    after = await figures(web)
    illegal = 'damas_illegal_moves_total{code="MAJORITY",rulebook="faraes"}'
    assert after[illegal] == before.get(illegal, 0) + 1
    commits = "damas_move_commit_seconds_count"
    assert after[commits] == before[commits] + 1
    assert after["damas_move_send_seconds_count"] > before["damas_move_send_seconds_count"]
    for name in (
        "damas_live_games",
        "damas_rooms",
        "damas_sockets",
        "damas_commands_waiting",
        "damas_store_queue",
    ):
        assert name in after


async def test_the_metrics_are_for_this_machine(web: httpx.AsyncClient) -> None:
    answer = await web.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"})
    assert answer.status_code == 403


async def test_a_live_game_is_counted(web: httpx.AsyncClient, server: Server) -> None:
    one, two = await server.person(), await server.person()
    game = await one.create(kind="friend")
    await two.join(game)
    assert (await figures(web))["damas_live_games"] == 1
    await asyncio.sleep(0)
