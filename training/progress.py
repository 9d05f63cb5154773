"""A progress bar for long stages."""

import sys
import time

WIDTH = 30


class Bar:
    """Progress on stderr: one line rewritten in place on a terminal, otherwise a new line every `every` seconds."""

    def __init__(self, label: str, total: float, every: float = 10.0) -> None:
        self.label, self.total = label, total
        self.started = self.last_shown = time.monotonic()
        self.first_done: float | None = None
        self.live = sys.stderr.isatty()
        self.every = 0.2 if self.live else every

    def show(self, done: float, note: str = "", *, last: bool = False) -> None:
        now = time.monotonic()
        if self.first_done is None:
            self.first_done = done
        if now - self.last_shown < self.every and not last:
            return
        self.last_shown = now
        share = min(1.0, done / self.total) if self.total else 1.0
        bar = "█" * round(WIDTH * share) + "░" * (WIDTH - round(WIDTH * share))
        speed = (done - self.first_done) / max(now - self.started, 1e-9)
        remaining = max(0.0, self.total - done)
        left = f"{remaining / speed:5.0f}" if speed > 0 else f"{'?' if remaining else 0:>5}"
        line = f"{self.label} {bar} {100 * share:5.1f} %  {now - self.started:5.0f} s, {left} s left  {note}"
        print(
            f"\r{line}\033[K" if self.live else line,
            end="" if self.live and not last else "\n",
            file=sys.stderr,
        )
        sys.stderr.flush()
