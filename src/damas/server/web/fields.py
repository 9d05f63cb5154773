"""Types of the fields of request bodies, each with its one limit, and values for the examples of the API."""

from typing import Annotated

import msgspec
from starlette.requests import Request

EXAMPLE_FEN = "W:Wc3:Bb4,d4,f6"
EXAMPLE_PDN = '[Rulebook "brasileira"] 1. c3-d4 f6-g5 2. b2-c3 *'
"""A position with a capture, and a short game."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40, examples=["faraes"])]
"""Id of a rulebook, a lesson or a game."""
AccountId = Annotated[str, msgspec.Meta(max_length=64)]
"""The account that was logged in when something was done; empty without one."""
NameOrNothing = Annotated[str, msgspec.Meta(max_length=40, examples=["faraes"])]
"""The same, or empty."""
Fen = Annotated[str, msgspec.Meta(max_length=1000, examples=[EXAMPLE_FEN])]
"""A position."""
MoveText = Annotated[str, msgspec.Meta(max_length=200, examples=["c3xa5"])]
"""A move in any notation."""


def number_in_query(request: Request, name: str, default: int) -> int:
    """A number of the query; the default where it is none."""
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 6 else default
