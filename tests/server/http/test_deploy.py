"""The image and the compose file: what matters of them is checked, and the commands in them are run.

No container engine is needed, and none is used: that the image builds is not proved here.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from damas.server.settings import Settings

ROOT = Path(__file__).parents[3]


def instructions() -> list[tuple[str, str]]:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    plain = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    lines = [line.strip() for line in plain.splitlines() if line.strip()]
    return [(line.split(maxsplit=1)[0], line.split(maxsplit=1)[1]) for line in lines]


def given(name: str) -> list[str]:
    return [value for instruction, value in instructions() if instruction == name]


def environment() -> dict[str, str]:
    return dict(part.split("=", 1) for line in given("ENV") for part in shlex.split(line))


def healthcheck() -> list[str]:
    [line] = given("HEALTHCHECK")
    return list(json.loads(line.split(" CMD ", 1)[1]))


def test_every_base_is_pinned_and_the_same() -> None:
    bases = {line.split()[0] for line in given("FROM")}
    assert len(bases) == 1
    assert re.fullmatch(r"python:3\.\d+-slim-\w+", bases.pop())


def test_it_runs_as_nobody_in_particular() -> None:
    order = [instruction for instruction, _ in instructions()]
    assert given("USER") == ["10001:10001"]
    assert order.index("USER") < order.index("CMD")
    assert order.index("USER") > order.index("COPY")
    assert not [line for line in given("RUN") if "sudo" in line or "chmod 777" in line]


def test_no_package_list_and_no_cache_is_left_behind() -> None:
    for line in given("RUN"):
        if "apt-get install" in line:
            assert "--no-install-recommends" in line
            assert "rm -rf /var/lib/apt/lists" in line
        if "pip install" in line:
            assert "--no-cache-dir" in line
    assert not given("ADD")


def test_commands_are_lists_so_that_signals_reach_the_server() -> None:
    [line] = given("CMD")
    assert json.loads(line)[:2] == ["damas", "serve"]
    assert given("STOPSIGNAL") == ["SIGTERM"]


def test_no_secret_is_written_down() -> None:
    for name in ("Dockerfile", "compose.yaml", ".dockerignore"):
        text = (ROOT / name).read_text("utf-8")
        assert not re.search(r"(?i)(password|secret|token)\s*[:=]\s*['\"]?(?!\$\{)[\w-]{3,}", text), name


def test_only_what_the_wheel_needs_goes_in() -> None:
    lines = [
        line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line and line[0] != "#"
    ]
    assert lines[0] == "*"
    for line in lines:
        if line.startswith("!"):
            assert (ROOT / line[1:]).exists(), line


def test_the_settings_are_ones_we_read() -> None:
    names = {f"DAMAS_{name.upper()}" for name in Settings.__struct_fields__} | {
        "DAMAS_SECRET",
        "DAMAS_TABLEBASES",
        "DATABASE_URL",
    }
    wanted = set(environment()) - {"PYTHONUNBUFFERED"}
    assert wanted <= names
    for node in NODES:
        assert set(compose()["services"][node]["environment"]) <= names
    assert Settings.from_env(environ=environment()).host == "0.0.0.0"


def test_whatever_is_written_is_written_to_the_volume() -> None:
    """It runs without a home and with a root that nothing can be written to."""
    [volume] = given("VOLUME")
    variables = environment()
    assert variables["DAMAS_DATA"] == volume
    assert Path(variables["DAMAS_TABLEBASES"]).parent == Path(volume)


def test_the_commands_of_the_image_run(tmp_path: Path) -> None:
    """As they stand, but for the port and the folder."""
    [line] = given("CMD")
    environ = {**os.environ, **environment(), "DAMAS_PORT": "0", "DAMAS_DATA": str(tmp_path)}
    environ["DAMAS_TABLEBASES"] = str(tmp_path / "tablebases")
    command = [sys.executable, "-m", "damas", *json.loads(line)[1:]]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ
    ) as process:
        try:
            assert process.stdout
            url = process.stdout.readline().strip()
            port = url.rpartition(":")[2]
            assert port.isdecimal(), process.stderr and process.stderr.read()
            check = [sys.executable, *healthcheck()[1:]]
            well = subprocess.run(
                check, env={**environ, "DAMAS_PORT": port}, capture_output=True, check=False
            )
            assert well.returncode == 0, well.stderr
        finally:
            process.kill()
    gone = subprocess.run(check, env={**environ, "DAMAS_PORT": port}, capture_output=True, check=False)
    assert gone.returncode != 0


# compose.yaml


def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8")))


NODES = ("app1", "app2")
METRICS = ("rooms/metrics.py", "web/operations.py")
"""Where metrics are declared."""


def test_the_nodes_wait_for_a_database_that_is_well() -> None:
    services = compose()["services"]
    assert set(services) == {*NODES, "balancer", "bus", "database"}
    for node in NODES:
        assert services[node]["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert services["database"]["healthcheck"]["test"][1] == "pg_isready"
    assert re.fullmatch(r"postgres:\d+-\w+", services["database"]["image"])


def test_the_nodes_have_no_rights_they_do_not_need() -> None:
    services = compose()["services"]
    for node in NODES:
        assert services[node]["read_only"]
        assert services[node]["cap_drop"] == ["ALL"]
        assert services[node]["security_opt"] == ["no-new-privileges:true"]
    ports = {name: service.get("ports", []) for name, service in services.items()}
    assert [name for name, opened in ports.items() if opened] == ["balancer"]
    assert all(port.startswith("127.0.0.1:") for port in ports["balancer"])  # https is the proxy's work


def test_each_node_has_a_name_and_the_balancer_knows_it() -> None:
    services = compose()["services"]
    balancer = (ROOT / "deploy/Caddyfile").read_text("utf-8")
    for node in NODES:
        given = {
            name: re.sub(r"\$\{[^}]*\}", "", text) for name, text in services[node]["environment"].items()
        }
        settings = Settings.from_env(environ=given | environment())
        assert settings.bus.rpartition("/")[2] in services
        assert settings.node == node and settings.node_address == f"{node}:8100"
        assert f" {node}:{environment()['DAMAS_PORT']} " in balancer
    assert "/readyz" in balancer
    [subnet] = compose()["networks"]["default"]["ipam"]["config"]
    assert subnet["subnet"] in services["app1"]["environment"]["DAMAS_TRUSTED_PROXIES"]


def test_what_must_stay_is_in_a_volume() -> None:
    services = compose()
    assert set(services["volumes"]) == {"data1", "data2", "database"}
    assert [services["services"][node]["volumes"] for node in NODES] == [["data1:/data"], ["data2:/data"]]
    assert environment()["DAMAS_DATA"] == "/data"


def test_a_stop_is_given_the_time_it_needs() -> None:
    for node in NODES:
        grace = int(compose()["services"][node]["stop_grace_period"].removesuffix("s"))
        assert grace > 2 * Settings(data=Path()).limits.stop_s


def test_the_dashboard_asks_for_metrics_that_there_are() -> None:
    dashboard = json.loads((ROOT / "deploy/grafana.json").read_text("utf-8"))
    source = "".join((ROOT / "src/damas/server" / name).read_text() for name in METRICS)
    there = set(re.findall(r'"(damas_[a-z_]+)"', source))
    asked = {
        re.sub(r"_(total|bucket)$", "", name)
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in re.findall(r"damas_[a-z_]+", target["expr"])
    }
    assert asked and asked <= there, asked - there


def test_the_address_of_the_database_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    url = compose()["services"]["app1"]["environment"]["DATABASE_URL"]
    filled = re.sub(r"\$\{POSTGRES_PASSWORD[^}]*\}", "pw", url)
    settings = Settings.from_env(
        environ={"DATABASE_URL": filled, "DAMAS_NODE": "app1", "DAMAS_PUBLIC_URL": ""}
    )
    assert settings.sqlite_path is None
    assert settings.node == "app1"
    assert not settings.secure
