"""The environment's settings, and those given over it."""

from pathlib import Path

import pytest

from damas.server.settings import BadSetting, Limits, Settings


def test_defaults_are_safe() -> None:
    result = Settings.from_env(environ={"XDG_DATA_HOME": "/x"})
    assert result.host == "127.0.0.1"
    assert result.sqlite_path == result.data / "damas.sqlite3"
    assert result.allowed_hosts == result.trusted_proxies == ()


def test_the_environment_is_read_and_arguments_come_before_it() -> None:
    environ = {
        "DAMAS_DATA": "/d",
        "DAMAS_PORT": "81",
        "DAMAS_HOST": "0.0.0.0",
        "DAMAS_ALLOWED_HOSTS": "a.example, b.example",
        "DAMAS_PUBLIC_URL": "https://a.example",
    }
    result = Settings.from_env({"port": 0, "host": None}, environ)
    assert (result.data, result.port, result.host) == (Path("/d"), 0, "0.0.0.0")
    assert result.allowed_hosts == ("a.example", "b.example")
    assert result.secure
    assert not Settings.from_env(environ={**environ, "DAMAS_SECURE": "0"}).secure


def test_the_database_is_one_setting() -> None:
    assert Settings.from_env(environ={"DATABASE_URL": "postgresql://h/n"}).sqlite_path is None
    assert Settings.from_env(environ={"DATABASE_URL": "sqlite:////x/y.db"}).sqlite_path == Path("/x/y.db")
    both = {"DATABASE_URL": "postgresql://h/n", "DAMAS_DATABASE_URL": "postgresql://h/other"}
    assert Settings.from_env(environ=both).database_url.endswith("other")


@pytest.mark.parametrize(("name", "value"), [("PORT", "eighty"), ("PORT", "-1"), ("SECURE", "perhaps")])
def test_a_value_that_cannot_be_read_names_its_variable(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"DAMAS_{name}={value}"):
        Settings.from_env(environ={f"DAMAS_{name}": value})


def test_a_limit_may_be_set_by_itself() -> None:
    environ = {"DAMAS_LIMIT_SOCKET_FRAMES": "50", "DAMAS_LIMIT_HEAD_S": "2.5"}
    limits = Settings.from_env(environ=environ).limits
    assert (limits.socket_frames, limits.head_s, limits.headers) == (50, 2.5, Limits().headers)
    for variable, value in (("DAMAS_LIMIT_HEADERS", "many"), ("DAMAS_LIMIT_HEAD_S", "-1")):
        with pytest.raises(BadSetting, match=variable):
            Settings.from_env(environ={variable: value})


@pytest.mark.parametrize(
    "name",
    ["REQUESTS_PER_SECOND", "FAILED_LOGINS_S", "WORK_S_PER_MINUTE", "IMPORTS_PER_HOUR", "SOCKET_WINDOW_S"],
)
def test_a_limit_in_a_time_is_not_zero(name: str) -> None:
    """Nobody could say when to come again."""
    with pytest.raises(BadSetting, match=f"DAMAS_LIMIT_{name}=0: give a number greater than 0"):
        Settings.from_env(environ={f"DAMAS_LIMIT_{name}": "0"})
    environ = {"DAMAS_LIMIT_CONNECTIONS": "0", "DAMAS_LIMIT_TOKENS_PER_ACCOUNT": "0"}
    assert Settings.from_env(environ=environ).limits.tokens_per_account == 0
