"""Passwords that cost little."""

import pytest
from argon2 import PasswordHasher

from damas.server.store import keys


@pytest.fixture(autouse=True)
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same hash, made with little memory: one test of `test_people` checks the real settings."""
    monkeypatch.setattr(keys, "_hasher", PasswordHasher(time_cost=1, memory_cost=64, parallelism=1))
