"""Figures as people read them."""

from math import isinf

from damas.arbiter import TimeControl
from damas.language import sentence


def points(value: float) -> str:
    """Halves as players write them.

    >>> points(0.5), points(3), points(2.5), points(0)
    ('½', '3', '2½', '0')
    """
    whole, half = divmod(value, 1)
    return f"{int(whole) if whole or not half else ''}{'½' if half else ''}"


def shown_elo(value: float) -> str:
    """With its sign, as it is printed.

    >>> shown_elo(12.3), shown_elo(-7), shown_elo(0.2)
    ('+12', '−7', '0')
    """
    if not isinf(value) and not round(value):
        return "0"
    return ("+∞" if value > 0 else "−∞") if isinf(value) else f"{value:+.0f}".replace("-", "−")


def shown_control(text: str, language: str) -> str:
    """A time control in words, where seconds say it.

    >>> shown_control("300ms/move", "en"), shown_control("1+500ms", "pt-BR"), shown_control("3d", "es")
    ('0.3 s a move', '60 s + 0,5 s por lance', '3d')
    """
    control = TimeControl.parse(text)
    facts = {"base": _seconds(control.base, language), "extra": _seconds(control.extra, language)}
    key = {"move": "move", "sudden": "game", "fischer": "fischer"}.get(control.kind)
    return sentence(f"tournament.control.{key}", language, **facts) if key else text


def _seconds(ms: int, language: str) -> str:
    text = f"{ms / 1000:g}"
    return text if language == "en" else text.replace(".", ",")


def shown_error(elo: float, low: float, high: float) -> str:
    """The longer arm of an interval."""
    arm = max(high - elo, elo - low)
    return "∞" if isinf(arm) else f"{arm:.0f}"
