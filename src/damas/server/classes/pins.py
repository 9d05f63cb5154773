"""PINs of pupils: six digits, hashed in a worker process, all of a class at once."""

import secrets
from collections.abc import Sequence

from damas.server.services import Services
from damas.server.work import passwords
from damas.server.workers import Caller

DIGITS = 6
"""Digits of a PIN."""


def new_pin() -> str:
    """A random PIN that is not one digit again and again, nor a run."""
    while True:
        pin = "".join(secrets.choice("0123456789") for _ in range(DIGITS))
        if len(set(pin)) > 2 and pin not in "01234567890" and pin not in "09876543210":
            return pin


async def hashed_pins(services: Services, pins: Sequence[str], caller: Caller) -> list[str]:
    """The hash of each PIN."""
    hashes: list[str] = await services.work.passwords.run(
        passwords.hash_passwords, list(pins), passwords.pin_cost(), caller=caller
    )
    return hashes


async def is_pin(services: Services, stored: str | None, pin: str, caller: Caller) -> bool:
    """Whether it is the PIN. A pupil who does not exist (None) takes as long."""
    right: bool = await services.work.passwords.run(
        passwords.check_password, stored, pin, passwords.pin_cost(), caller=caller
    )
    return right
