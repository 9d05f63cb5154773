"""Plays one tournament in a process of its own, niced, and tells whoever started it what happens: a JSON line each.

It ends when the tournament is over, when it is paused and no game is under way, or when its input is closed, which
happens however the server may end. Nothing is lost by any of these: the folder is the truth.
"""

import json
import logging
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any, TextIO

from damas.errors import DamasError, TournamentBusy
from damas.game import Move, Position
from damas.matches import pool
from damas.matches.faults import OURS
from damas.tournaments.journal import RECEIPTS, write_file
from damas.tournaments.tournament import Tournament

NICE = 10
BUSY, REFUSED = 75, 69
"""Exits: somebody else still plays it; somebody in it cannot play here."""
OFTEN = 0.25
"""Seconds between two pictures of a board."""
log = logging.getLogger("damas")


class Boards:
    """Positions of the games in play, from the lines of their records."""

    def __init__(self, rulebook: str) -> None:
        self._book = rulebook
        self._positions: dict[str, Position] = {}
        self._told: dict[str, float] = {}

    def hear(self, game: str, line: str, now: float) -> dict[str, Any] | None:
        """What is to be told of a line: nothing where the last picture is fresh."""
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
        except DamasError:  # the move that lost the game: the board stays as it was
            return None
        self._positions[game] = position
        if now - self._told.get(game, 0.0) < OFTEN:
            return None
        self._told[game] = now
        told = last and {"text": last.text, "route": list(last.route), "captured": list(last.captured)}
        return {"kind": "board", "id": game, "fen": position.fen, "last": told, "ply": event["n"]}

    def forget(self, game: str) -> None:
        self._positions.pop(game, None)
        self._told.pop(game, None)


class Child:
    def __init__(self, tournament: Tournament, out: TextIO) -> None:
        self.tournament, self._out = tournament, out
        self.stopped = threading.Event()
        self._playing: set[str] = set()
        self._boards = Boards(tournament.settings.rulebook)

    def tell(self, **facts: Any) -> None:
        try:
            print(json.dumps(facts, ensure_ascii=False), file=self._out, flush=True)
        except OSError:  # nobody listens any more
            self.stopped.set()

    def hear(self, notice: pool.Notice) -> None:
        game = notice.game
        if game is None:
            return
        if notice.kind == "event":
            if told := self._boards.hear(game.id, notice.line, time.monotonic()):
                self.tell(**told)
            return
        if notice.kind == "begun":
            self._playing.add(game.id)
            self.tell(
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
            self.tell(kind="over", id=game.id, **self._count())

    def stop(self) -> bool:
        return self.stopped.is_set() or (self.tournament.paused and not self._playing)

    def _count(self) -> dict[str, int]:
        done = len(self.tournament.played)
        return {"done": done, "total": done + self.tournament.games_left}

    def _hide_trace(self, receipt: str) -> None:
        """An error of ours is for whoever looks after the server; the folder is shown to everybody."""
        path = self.tournament.folder / RECEIPTS / f"{receipt}.json"
        told = json.loads(path.read_text(encoding="utf-8"))
        log.error("a game is void: %s", told.pop("trace", ""))
        write_file(path, json.dumps(told) + "\n")


def play(folder: Path, games: int, out: TextIO) -> int:
    try:
        tournament = Tournament.open(folder)
    except TournamentBusy:
        return BUSY
    with tournament:
        child = Child(tournament, out)
        threading.Thread(target=_until_closed, args=(child.stopped,), daemon=True).start()
        try:
            pool.run(tournament, jobs=games, listener=child.hear, live=True, stop=child.stop)
        except DamasError as error:
            child.tell(kind="refused", code=error.code)
            return REFUSED
        if tournament.over:
            done = len(tournament.played)
            child.tell(kind="finished", done=done, total=done)
    return 0


def _until_closed(stopped: threading.Event) -> None:
    while os.read(0, 4096):
        pass
    stopped.set()


def main() -> int:
    # Our own way out: what programs and their keepers might print goes to the log.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    if hasattr(os, "nice"):
        os.nice(NICE)
    return play(Path(sys.argv[1]), int(sys.argv[2]), out)


if __name__ == "__main__":
    sys.exit(main())
