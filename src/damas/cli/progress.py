"""Progress of long commands on stderr."""

import sys
import time

_WIDTH = 30
_REDRAW_S = 0.2


def bar(share: float, width: int) -> str:
    """A bar of which this share, 0 to 1, is filled."""
    filled = round(width * share)
    return f"{'━' * filled}{'─' * (width - filled)}"


class StatusLine:
    """A line on stderr that overwrites itself, at most every `interval_s` seconds, if stderr is a terminal."""

    def __init__(self, *, enabled: bool = True, interval_s: float = 1.0) -> None:
        self._enabled = enabled and sys.stderr.isatty()
        self._interval_s = interval_s
        self._shown = time.monotonic()

    def show(self, text: str) -> None:
        """Show a text in place of the last."""
        if self._enabled and time.monotonic() >= self._shown + self._interval_s:
            self._shown = time.monotonic()
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Remove the line."""
        if self._enabled:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


class ProgressBar:
    """One line on stderr: redrawn in place on a terminal; elsewhere a line every `log_every_s` seconds, or nothing.

    The line ends with the seconds spent and the expected total: `12 s / 40 s`.
    """

    def __init__(self, label: str, total: float, *, log_every_s: float | None = None) -> None:
        self.label, self.total = label, total
        self._is_terminal = sys.stderr.isatty()
        self._interval_s = _REDRAW_S if self._is_terminal else log_every_s
        self._started = time.monotonic()
        self._last_shown = -float("inf") if self._is_terminal else self._started
        self._first_done: float | None = None

    def show(self, done: float, note: str = "", *, last: bool = False) -> None:
        """Show the progress, at most once per interval; `last` shows it in any case and ends the line."""
        now = time.monotonic()
        if self._first_done is None:
            self._first_done = done
        if self._interval_s is None or (now - self._last_shown < self._interval_s and not last):
            return
        self._last_shown = now
        share = min(1.0, done / self.total) if self.total else 1.0
        line = f"{bar(share, _WIDTH)} {share:4.0%}  {self._times(done, now - self._started)}"
        line = " ".join(filter(None, (self.label, line, note)))
        end = "" if self._is_terminal and not last else "\n"
        print(f"\r\033[K{line}" if self._is_terminal else line, end=end, file=sys.stderr, flush=True)

    def report(self, done: int, total: int, note: str = "") -> None:
        """Callback for work that knows its total: show the progress, and remove the line when it is complete."""
        self.total = total
        if done < total:
            self.show(done, note)
        else:
            self.clear()

    def _times(self, done: float, spent_s: float) -> str:
        gained = done - (self._first_done or 0)
        remaining = max(0.0, self.total - done)
        if remaining and gained <= 0:
            return f"{spent_s:.0f} s / ? s"
        expected_s = spent_s + (remaining * spent_s / gained if remaining else 0.0)
        return f"{spent_s:.0f} s / {expected_s:.0f} s"

    def clear(self) -> None:
        """Remove the line from a terminal."""
        if self._is_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
