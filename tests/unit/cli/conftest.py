"""Runs the command line in this process, as a user in an 80-column terminal with no language set."""

import io
import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from damas.cli import main

THREE_KINGS = "W:WKg1,Kc1,Ka3:BKb8"
"""Three kings against one in faraes: drawn after thirteen moves."""
ROUND = ("g1-h2", "b8-a7", "h2-g1", "a7-b8")
"""Moves that come back to the same position from `THREE_KINGS`."""
RINGS = "W:WKa1,Ka5,Ka7,Ka9:BKe1,Kf2,Kc3,Kg3,Ki3,Kd4,Kh4,Kc5,Kg5,Kb6,Kj6,Kg7,Kf8,Kc9,Ke9,Kg9,Ki9,Kd10"
"""Millions of ways to capture in frisia: the core stops instead of walking them all."""


class Answer(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.out.count("\n") == 1, "one line of JSON"
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def text(self) -> str:
        """The output as one line, however it was wrapped."""
        return " ".join(self.out.split())

    @property
    def refused(self) -> str:
        """The one line that tells of bad input."""
        assert self.code == 2, self
        assert self.err.count("\n") == 1, self.err
        assert self.err.startswith("damas: "), self.err
        assert "Traceback" not in self.err
        return self.err


Run = Callable[..., Answer]


@pytest.fixture
def damas(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: str, stdin: str | bytes | None = None) -> Answer:
        if stdin is not None:
            data = stdin.encode() if isinstance(stdin, str) else stdin
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        code = main(list(arguments))
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    return run
