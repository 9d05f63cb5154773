"""Numbers and time controls as text for people."""

from math import isinf

from damas.arbiter import TimeControl
from damas.language import sentence
from damas.tournaments.settings import Settings


def format_points(value: float) -> str:
    """Points with a half as ½.

    >>> format_points(0.5), format_points(3), format_points(2.5), format_points(0)
    ('½', '3', '2½', '0')
    """
    whole, half = divmod(value, 1)
    return f"{int(whole) if whole or not half else ''}{'½' if half else ''}"


def format_elo(value: float) -> str:
    """A rounded Elo difference with its sign.

    >>> format_elo(12.3), format_elo(-7), format_elo(0.2)
    ('+12', '−7', '0')
    """
    if not isinf(value) and not round(value):
        return "0"
    return ("+∞" if value > 0 else "−∞") if isinf(value) else f"{value:+.0f}".replace("-", "−")


def format_control(text: str, language: str) -> str:
    """A time control in words; kinds without a sentence keep their short text.

    >>> format_control("300ms/move", "en"), format_control("1+500ms", "pt-BR"), format_control("3d", "es")
    ('0.3 s a move', '60 s + 0,5 s por lance', '3d')
    """
    control = TimeControl.parse(text)
    facts = {"base": _seconds(control.base, language), "extra": _seconds(control.extra, language)}
    key = {"move": "move", "sudden": "game", "fischer": "fischer"}.get(control.kind)
    return sentence(f"tournament.control.{key}", language, **facts) if key else text


def format_conditions(settings: Settings, language: str) -> str:
    """How long the players of a tournament may think, in words."""
    if settings.nodes:
        return sentence("tournament.control.nodes", language, nodes=settings.nodes)
    if settings.depth:
        return sentence("tournament.control.depth", language, depth=settings.depth)
    if settings.movetime_ms:
        return format_control(f"{settings.movetime_ms}ms/move", language)
    return format_control(settings.control, language)


def _seconds(ms: int, language: str) -> str:
    text = f"{ms / 1000:g}"
    return text if language == "en" else text.replace(".", ",")


def format_error(elo: float, low: float, high: float) -> str:
    """The larger distance from an Elo value to the ends of its interval."""
    error = max(high - elo, elo - low)
    return "∞" if isinf(error) else f"{error:.0f}"
