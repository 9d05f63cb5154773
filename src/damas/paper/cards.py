"""The cards by which pupils log in, as plain values; `cards_pdf` draws them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Card:
    """What one pupil needs."""

    number: int
    name: str
    pin: str
    link: str
    """What the QR code opens."""

    @property
    def spaced_pin(self) -> str:
        """The PIN in two groups of digits.

        >>> Card(1, "Ana", "123456", "").spaced_pin
        '123 456'
        """
        return f"{self.pin[:3]} {self.pin[3:]}"


@dataclass(frozen=True)
class Cards:
    """The cards of a class."""

    language: str
    title: str
    code: str
    """Of the class."""
    address: str
    """What pupils type who have no camera."""
    cards: tuple[Card, ...]
