"""What bodies are made of, each with its one limit."""

from typing import Annotated

import msgspec

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40, examples=["faraes"])]
"""Of a rulebook, a lesson, a game."""
NameOrNothing = Annotated[str, msgspec.Meta(max_length=40, examples=["faraes"])]
Fen = Annotated[str, msgspec.Meta(max_length=1000, examples=["W:Wc3:Bb4,d4,f6"])]
MoveText = Annotated[str, msgspec.Meta(max_length=200, examples=["c3xa5"])]
