"""The progress bar of long commands."""

import io
import sys

import pytest

from damas.cli.progress import ProgressBar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_line_is_redrawn_and_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    bar = ProgressBar("tables", 0)
    bar.report(5, 10, "KK-K")
    assert "tables ━━━" in terminal.getvalue() and " 50%  " in terminal.getvalue()
    assert terminal.getvalue().endswith("KK-K") and "\n" not in terminal.getvalue()
    bar.report(10, 10)
    assert terminal.getvalue().endswith("\r\033[K")


def test_a_pipe_gets_nothing_unless_lines_are_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    ProgressBar("tables", 0).report(5, 10)
    assert capsys.readouterr().err == ""
    ProgressBar("games", 10, log_every_s=0).show(5, "5 positions")
    assert capsys.readouterr().err.startswith("games ━")


def test_without_progress_the_total_time_is_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    ProgressBar("games", 10, log_every_s=0).show(0)
    assert "/ ? s" in capsys.readouterr().err
