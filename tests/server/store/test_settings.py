"""The environment's settings, and those given over it."""

from pathlib import Path

import pytest

from damas.server.settings import Settings


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
