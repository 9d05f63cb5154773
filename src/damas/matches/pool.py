"""The pool: worker processes that play the games of a tournament, several at a time.

A worker that dies loses one game: the game is played again by a new worker, and is void if that one dies too. Workers
are in sessions of their own, so that Ctrl-C at the terminal does not reach them, and end with the process that started
them, however that may end.
"""

import os
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from damas.arbiter import TimeControl
from damas.engine.interrupts import leave_with_the_parent, uninterrupted
from damas.engine.limits import Limits
from damas.errors import DamasError, RulesChanged
from damas.matches.box import cgroup
from damas.matches.box.tiers import tier_for
from damas.matches.entrant import Entrant
from damas.matches.players import IdlePlayers
from damas.matches.referee import play
from damas.matches.supervisor.niceness import share_by_niceness
from damas.matches.terms import Start, Terms
from damas.openings import opening
from damas.rules.library import edition
from damas.tournaments.formats import Pairing
from damas.tournaments.result import GameEntry, GameResult, void_game
from damas.tournaments.settings import Entry, Settings
from damas.tournaments.tournament import Tournament

Play = Callable[..., GameResult]
"""Plays one game, as `referee.play` does."""
POLL_INTERVAL_S = 0.25
"""Time between two checks of the organiser's files."""
EXIT_TIMEOUT_S = 2.0
"""How long a worker that is asked to stop may take to close its players."""


@dataclass(frozen=True)
class Notice:
    """An event of the pool: `begun`, `event` (a line of a game's record), `over`, `paused` or `idle`."""

    kind: str
    game: Pairing | None = None
    line: str = ""
    played: GameEntry | None = None


Listener = Callable[[Notice], None]
"""Receives every notice of a running tournament."""


def run(
    tournament: Tournament,
    *,
    jobs: int = 0,
    listener: Listener | None = None,
    live: bool = False,
    stop: Callable[[], bool] | None = None,
    play: Play | None = None,
) -> None:
    """Plays until the tournament is over or `stop()` is true; games in progress then are played again later.

    `listener` is told of every begun and finished game; with `live` also of every event of every game. With `play`
    the games are played by it, in this process and one after the other.
    """
    notify = listener or (lambda _: None)
    folder = tournament.folder_name
    if play:
        while not (stop and stop()) and (game := tournament.next_game()):
            notify(Notice("begun", game))
            played = tournament.record(game, play_pairing(tournament.settings, game, play, folder=folder))
            notify(Notice("over", game, played=played))
        return
    jobs = jobs or max(1, (os.cpu_count() or 2) - 1)  # a processor for the referees and the user
    if any(not entry.trusted and entrant_of(entry).boxable for entry in tournament.settings.entries):
        cgroup.usable()  # our processes make room before the workers look
    with _Pool(tournament, jobs, notify, live=live) as pool:
        pool.run(stop or (lambda: False))


def terms_of(settings: Settings, seed: int) -> Terms:
    """The terms of a tournament's games."""
    think = Limits(
        depth=settings.depth or None,
        nodes=settings.nodes or None,
        movetime=settings.movetime_ms / 1000 if settings.movetime_ms else None,
    )
    return Terms(
        settings.rulebook,
        TimeControl.parse(settings.control),
        think=think,
        grace_s=settings.grace_ms / 1000,
        legal=settings.legal,
        tier=settings.tier,
        hash_mb=settings.hash_mb,
        tables=settings.tables,
        params=settings.params,
        seed=seed,
        max_plies=settings.longest,
        language=settings.language,
        rules=settings.rules,
    )


def play_pairing(
    settings: Settings,
    game: Pairing,
    play: Play = play,
    *,
    folder: str = "",
    **options: Any,
) -> GameResult:
    """Plays the game of a pairing. It depends on the settings and the pairing, and on nothing else.

    Raises `RulesChanged`, which names the `folder`, if there is no edition of the rules that the tournament began with.
    """
    assert game.black is not None
    book = edition(settings.rulebook, settings.rules)
    if settings.rules and book.hash != settings.rules:
        raise RulesChanged(settings.rulebook, folder)
    first = opening(settings.openings, settings.lines, book, game.opening, settings.seed)
    start = Start(game.opening, first.fen, first.moves, game.lot)
    white, black = (entrant_of(settings.entry(name)) for name in (game.white, game.black))
    return play(white, black, start, terms_of(settings, game.seed(settings.seed)), **options)


def entrant_of(entry: Entry) -> Entrant:
    """The player of an entry; raises `BadEntrant` if its text names none."""
    return Entrant.parse(entry.spec, name=entry.name, trusted=entry.trusted)


# --- processes ----------------------------------------------------------------------------------


class _Worker:
    """A process that plays one game after the other."""

    def __init__(self, tournament: Tournament, *, live: bool) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        arguments = (theirs, tournament.settings, live, tournament.folder_name)
        self.process: SpawnProcess = context.Process(target=work, args=arguments, daemon=False)
        with uninterrupted():
            self.process.start()
        theirs.close()
        self.game: Pairing | None = None
        self.attempts = 0

    def give(self, game: Pairing, attempts: int = 0) -> None:
        self.game, self.attempts = game, attempts
        with suppress(OSError):  # it has died, which is noticed when the pipe is read
            self.pipe.send(game)

    def stop(self) -> None:
        self.pipe.close()
        self.process.terminate()

    def join(self, timeout_s: float) -> None:
        self.process.join(timeout_s)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()


class _Pool:
    def __init__(self, tournament: Tournament, jobs: int, notify: Listener, *, live: bool) -> None:
        self.tournament, self.jobs, self.notify, self.live = tournament, jobs, notify, live
        self.workers: list[_Worker] = []

    def __enter__(self) -> "_Pool":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            if worker.game:
                self.tournament.return_game(worker.game)
            worker.stop()
        deadline = time.monotonic() + EXIT_TIMEOUT_S
        for worker in self.workers:
            worker.join(max(0.0, deadline - time.monotonic()))

    def run(self, stop: Callable[[], bool]) -> None:
        while not stop():
            paused = self.tournament.paused
            if not paused:
                self._hand_out()
            busy = [worker for worker in self.workers if worker.game]
            if not busy and self.tournament.over:
                return
            if paused:
                self.notify(Notice("paused"))
            if not busy:
                time.sleep(POLL_INTERVAL_S)
                continue
            ready = set(wait([worker.pipe for worker in busy], timeout=POLL_INTERVAL_S))
            for worker in busy:
                if worker.pipe in ready:
                    self._receive(worker)
            self.notify(Notice("idle"))

    def _hand_out(self) -> None:
        for place in range(self.jobs):
            if place < len(self.workers) and self.workers[place].game:
                continue
            game = self.tournament.next_game()
            if game is None:
                return
            if place == len(self.workers):
                self.workers.append(_Worker(self.tournament, live=self.live))
            self.workers[place].give(game)
            self.notify(Notice("begun", game))

    def _receive(self, worker: _Worker) -> None:
        assert worker.game
        try:
            message = worker.pipe.recv()
        except (EOFError, OSError):
            self._replace(worker, worker.game)
            return
        if isinstance(message, DamasError):
            raise message
        if isinstance(message, str):
            self.notify(Notice("event", worker.game, line=message))
        else:
            game, worker.game = worker.game, None
            self._record(game, message)

    def _record(self, game: Pairing, result: GameResult) -> None:
        self.notify(Notice("over", game, played=self.tournament.record(game, result)))

    def _replace(self, worker: _Worker, game: Pairing) -> None:
        """A worker has died: a new one plays its game, unless it is the second that died of it."""
        worker.stop()
        worker.process.join(EXIT_TIMEOUT_S)
        code = worker.process.exitcode
        worker.join(0)
        fresh = _Worker(self.tournament, live=self.live)
        self.workers[self.workers.index(worker)] = fresh
        if worker.attempts:
            trace = f"the process that played it ended twice, with {code}"
            self._record(game, void_game(game.white, game.black or "", trace))
        else:
            fresh.give(game, attempts=1)


def work(pipe: "Connection[Any, Any]", settings: Settings, live: bool, folder: str) -> None:
    """The main function of a worker: receives games and sends results, until the pipe is closed."""
    with suppress(AttributeError, OSError):
        os.setsid()  # away from the signals of the terminal
        share_by_niceness()
    leave_with_the_parent(_exit, EXIT_TIMEOUT_S)
    if settings.folder and Path(settings.folder).is_dir():
        os.chdir(settings.folder)
    watch = pipe.send if live else None
    try:
        try:
            for entry in settings.entries:
                tier_for(entrant_of(entry), settings.tier)
        except DamasError as error:  # nobody can play here: that voids no game
            pipe.recv()
            pipe.send(error)
            return
        with IdlePlayers(alone=False) as idle:
            while True:
                game = pipe.recv()
                try:
                    result = play_pairing(settings, game, folder=folder, watch=watch, idle=idle)
                except RulesChanged as error:
                    pipe.send(error)
                    return
                except Exception:  # noqa: BLE001 (an error of ours voids the game and is reported)
                    result = void_game(game.white, game.black, traceback.format_exc())
                pipe.send(result)
    except (EOFError, OSError):
        return


def _exit(*_: object) -> None:
    raise SystemExit(0)
