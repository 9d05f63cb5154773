"""JSON of views."""

from typing import Any

import msgspec

from damas.views import plain

_ENCODER = msgspec.json.Encoder()


def encode(value: Any) -> bytes:
    """JSON of a view, or of anything with views in it."""
    return _ENCODER.encode(plain(value))
