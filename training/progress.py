"""One line that tells how far a stage has come."""

import sys
import time

WIDTH = 30


class Bar:
    """Writes on stderr: a line that is rewritten on a terminal, a line now and then elsewhere."""

    def __init__(self, what: str, total: float, every: float = 10.0) -> None:
        self.what, self.total = what, total
        self.started = self.told = time.monotonic()
        self.begun_at: float | None = None
        self.live = sys.stderr.isatty()
        self.every = 0.2 if self.live else every

    def show(self, done: float, more: str = "", *, last: bool = False) -> None:
        now = time.monotonic()
        if self.begun_at is None:
            self.begun_at = done
        if now - self.told < self.every and not last:
            return
        self.told = now
        share = min(1.0, done / self.total) if self.total else 1.0
        bar = "█" * round(WIDTH * share) + "░" * (WIDTH - round(WIDTH * share))
        speed = (done - self.begun_at) / max(now - self.started, 1e-9)
        missing = max(0.0, self.total - done)
        left = f"{missing / speed:5.0f}" if speed > 0 else f"{'?' if missing else 0:>5}"
        line = f"{self.what} {bar} {100 * share:5.1f} %  {now - self.started:5.0f} s, {left} s left  {more}"
        print(
            f"\r{line}\033[K" if self.live else line,
            end="" if self.live and not last else "\n",
            file=sys.stderr,
        )
        sys.stderr.flush()
