"""The process that plays one tournament with low priority and reports what happens as JSON lines.

It ends when the tournament is over, when it is paused and no game is in progress, or when its input is closed, which
happens however the server may end. Nothing is lost by that: everything is in the folder.
"""

import json
import logging
import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from damas.errors import DamasError, TournamentBusy
from damas.game import Move, Position
from damas.matches import pool
from damas.matches.supervisor.niceness import share_by_niceness
from damas.tournaments.journal import RECEIPTS, write_file
from damas.tournaments.result import OURS
from damas.tournaments.tournament import Tournament

NICE = 10
"""Added to the process's niceness."""
BUSY, REFUSED = 75, 69
"""Exit codes: another process still plays it; an entrant cannot play on this machine."""
BOARD_INTERVAL_S = 0.25
"""Time between two messages about one board."""
log = logging.getLogger("damas")


class Boards:
    """Positions of the games in progress, from the lines of their records."""

    def __init__(self, rulebook: str) -> None:
        self._book = rulebook
        self._positions: dict[str, Position] = {}
        self._sent_at: dict[str, float] = {}

    def message(self, game: str, line: str, now: float) -> dict[str, Any] | None:
        """The message about a line of a record; None if the last one is recent."""
        event = json.loads(line)
        last: Move | None = None
        try:
            if event["kind"] == "started":
                position = Position.from_fen(event["fen"], self._book)
            elif event["kind"] == "moved" and game in self._positions:
                last = self._positions[game].parse(event["move"])
                position = self._positions[game].play(last)
            else:
                return None
        except DamasError:  # an illegal move lost the game: the board stays as it was
            return None
        self._positions[game] = position
        if now - self._sent_at.get(game, 0.0) < BOARD_INTERVAL_S:
            return None
        self._sent_at[game] = now
        move = last and {"text": last.text, "route": list(last.route), "captured": list(last.captured)}
        return {"kind": "board", "id": game, "fen": position.fen, "last": move, "ply": event["n"]}

    def forget(self, game: str) -> None:
        """Drops a game that is over."""
        self._positions.pop(game, None)
        self._sent_at.pop(game, None)


class Child:
    """Reports on a tournament while it is played."""

    def __init__(self, tournament: Tournament, out: TextIO) -> None:
        self.tournament, self._out = tournament, out
        self.stopped = threading.Event()
        self._playing: set[str] = set()
        self._boards = Boards(tournament.settings.rulebook)

    def send(self, **facts: Any) -> None:
        """Writes one message to the server."""
        try:
            print(json.dumps(facts, ensure_ascii=False), file=self._out, flush=True)
        except OSError:  # the server is gone
            self.stopped.set()

    def on_notice(self, notice: pool.Notice) -> None:
        """Reports what happens in the pool."""
        game = notice.game
        if game is None:
            return
        if notice.kind == "event":
            if message := self._boards.message(game.id, notice.line, time.monotonic()):
                self.send(**message)
            return
        if notice.kind == "begun":
            self._playing.add(game.id)
            self.send(
                kind="begun",
                id=game.id,
                white=game.white,
                black=game.black,
                round=game.round,
                **self._count(),
            )
        elif notice.kind == "over":
            self._playing.discard(game.id)
            self._boards.forget(game.id)
            if notice.played and notice.played.reason == OURS:
                self._hide_trace(notice.played.receipt)
            self.send(kind="over", id=game.id, **self._count())

    def stop(self) -> bool:
        """Whether no further game is to be started."""
        return self.stopped.is_set() or (self.tournament.paused and not self._playing)

    def _count(self) -> dict[str, int]:
        done = len(self.tournament.played)
        return {"done": done, "total": done + self.tournament.games_left}

    def _hide_trace(self, id: str) -> None:
        """Moves the trace of an error of ours from the folder, which is public, to the log."""
        path = self.tournament.folder / RECEIPTS / f"{id}.json"
        receipt = json.loads(path.read_text(encoding="utf-8"))
        log.error("a game is void: %s", receipt.pop("trace", ""))
        write_file(path, json.dumps(receipt) + "\n")


def play(folder: Path, games: int, out: TextIO) -> int:
    """Plays the tournament in a folder, `games` at a time; returns the exit code."""
    try:
        tournament = Tournament.open(folder)
    except TournamentBusy:
        return BUSY
    with tournament:
        child = Child(tournament, out)
        threading.Thread(target=_until_closed, args=(child.stopped,), daemon=True).start()
        try:
            pool.run(tournament, jobs=games, listener=child.on_notice, live=True, stop=child.stop)
        except DamasError as error:
            child.send(kind="refused", code=error.code)
            return REFUSED
        if tournament.over:
            done = len(tournament.played)
            child.send(kind="finished", done=done, total=done)
    return 0


def _until_closed(stopped: threading.Event) -> None:
    while os.read(0, 4096):
        pass
    stopped.set()


def yield_processors() -> None:
    """Leaves the processors to the server: low priority, and one core that no contest uses, if there are several."""
    if hasattr(os, "nice"):
        os.nice(NICE)
        share_by_niceness()
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        with suppress(OSError):
            os.sched_setaffinity(0, cores[1:] or cores)


def main() -> int:
    """Plays the tournament named on the command line; returns the exit code."""
    # What programs and their keepers might print goes to the log, not into our messages.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    yield_processors()
    return play(Path(sys.argv[1]), int(sys.argv[2]), out)


if __name__ == "__main__":
    sys.exit(main())
