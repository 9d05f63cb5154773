"""Plays what is due, several games at a time, each in a process of its own.

A process that dies takes one game with it: the game is played again by a fresh one, and if that dies too it is void.
The tournament goes on. Processes stand apart from the terminal, so that Ctrl-C reaches nobody who is thinking, and they
end with the one that started them, however that may end.
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
from damas.arena.box.tiers import tier_for
from damas.arena.openings import opening
from damas.arena.players import Entrant
from damas.arena.referee import GameResult, Start, Terms, play
from damas.engine.interrupts import leave_with_the_parent, uninterrupted
from damas.errors import DamagedTournament, DamasError
from damas.rules import rulebook
from damas.tournaments.formats import Pairing
from damas.tournaments.journal import Played
from damas.tournaments.settings import Settings
from damas.tournaments.tournament import Tournament

Play = Callable[..., GameResult]
LOOK = 0.25
"""Seconds between looks at the files of the organiser."""
PATIENCE = 2.0
"""Seconds in which a process that is asked to stop may put its programs away."""
OURS = "OURS"


@dataclass(frozen=True)
class Notice:
    """What happens: `begun`, `event` (one line of the arbiter's, for live boards), `over`, `paused`, `idle`."""

    kind: str
    game: Pairing | None = None
    line: str = ""
    played: Played | None = None


Hear = Callable[[Notice], None]


def usual_concurrency() -> int:
    """A core is left for the referees and for whoever sits at the machine."""
    return max(1, (os.cpu_count() or 2) - 1)


def run(
    tournament: Tournament,
    *,
    concurrency: int = 0,
    hear: Hear | None = None,
    live: bool = False,
    stop: Callable[[], bool] | None = None,
    play: Play | None = None,
) -> None:
    """Plays until the tournament is over, or `stop()` says so; what is under way then is given back, not lost.

    `play` runs the games here, one after the other: for tests. `live` also hears every event of every game.
    """
    tell = hear or (lambda _: None)
    if play:
        while not (stop and stop()) and (game := tournament.due()):
            tell(Notice("begun", game))
            tell(
                Notice("over", game, played=tournament.keep(game, one_game(tournament.settings, game, play)))
            )
        return
    with _Pool(tournament, concurrency or usual_concurrency(), tell, live=live) as pool:
        pool.run(stop or (lambda: False))


def one_game(
    settings: Settings,
    game: Pairing,
    play: Play = play,
    watch: Callable[[str], None] | None = None,
) -> GameResult:
    """The game of a pairing. It depends on the settings and on the pairing, and on nothing else."""
    assert game.black is not None
    if settings.rules and rulebook(settings.rulebook).hash != settings.rules:
        raise DamagedTournament(settings.rulebook, "rulebook")
    first = opening(settings.openings, settings.lines, settings.rulebook, game.opening, settings.seed)
    white, black = (
        Entrant.parse(entry.spec, name=entry.name, trusted=entry.trusted)
        for entry in (settings.entry(game.white), settings.entry(game.black))
    )
    start = Start(game.opening, first.fen, first.moves, game.lot)
    terms = Terms(
        settings.rulebook,
        TimeControl.parse(settings.control),
        legal=settings.legal,
        tier=settings.tier,
        seed=game.seed(settings.seed),
        longest=settings.longest,
        language=settings.language,
    )
    return play(white, black, start, terms, watch=watch)


def check(settings: Settings) -> None:
    """Raises `BadEntrant`, `NoContainment` or `RemoteTrouble` where somebody cannot play on this machine."""
    for entry in settings.entries:
        tier_for(Entrant.parse(entry.spec, name=entry.name, trusted=entry.trusted), settings.tier)


def void(game: Pairing, why: str) -> GameResult:
    """A game that we could not bring to its end: nobody's loss."""
    assert game.black is not None
    return GameResult(
        points=None,
        white=game.white,
        black=game.black,
        reason=OURS,
        article="",
        offender=None,
        plies=0,
        seconds=0.0,
        tiers={},
        pdn="",
        events=(),
        receipt={"verdict": OURS, "trace": why},
    )


# --- processes ----------------------------------------------------------------------------------


class _Worker:
    """A process that plays one game after the other."""

    def __init__(self, settings: Settings, *, live: bool) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=work, args=(theirs, settings, live), daemon=False)
        with uninterrupted():
            self.process.start()
        theirs.close()
        self.game: Pairing | None = None
        self.tried = 0

    def give(self, game: Pairing, tried: int = 0) -> None:
        self.game, self.tried = game, tried
        with suppress(OSError):  # it has died: the next look finds the pipe closed
            self.pipe.send(game)

    def end(self) -> None:
        self.pipe.close()
        self.process.terminate()

    def gone(self, patience: float) -> None:
        self.process.join(patience)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()


class _Pool:
    def __init__(self, tournament: Tournament, size: int, tell: Hear, *, live: bool) -> None:
        self.tournament, self.size, self.tell, self.live = tournament, size, tell, live
        self.workers: list[_Worker] = []

    def __enter__(self) -> "_Pool":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            if worker.game:
                self.tournament.give_back(worker.game)
            worker.end()
        until = time.monotonic() + PATIENCE
        for worker in self.workers:
            worker.gone(max(0.0, until - time.monotonic()))

    def run(self, stop: Callable[[], bool]) -> None:
        while not stop():
            paused = self.tournament.paused
            if not paused:
                self._hand_out()
            busy = [worker for worker in self.workers if worker.game]
            if not busy and self.tournament.over:
                return
            if paused:
                self.tell(Notice("paused"))
            if not busy:
                time.sleep(LOOK)
                continue
            ready = set(wait([worker.pipe for worker in busy], timeout=LOOK))
            for worker in busy:
                if worker.pipe in ready:
                    self._listen(worker)
            self.tell(Notice("idle"))

    def _hand_out(self) -> None:
        for place in range(self.size):
            if place < len(self.workers) and self.workers[place].game:
                continue
            game = self.tournament.due()
            if game is None:
                return
            if place == len(self.workers):
                self.workers.append(_Worker(self.tournament.settings, live=self.live))
            self.workers[place].give(game)
            self.tell(Notice("begun", game))

    def _listen(self, worker: _Worker) -> None:
        assert worker.game
        try:
            told = worker.pipe.recv()
        except (EOFError, OSError):
            self._died(worker)
            return
        if isinstance(told, DamasError):
            raise told
        if isinstance(told, str):
            self.tell(Notice("event", worker.game, line=told))
            return
        self._keep(worker, told)

    def _keep(self, worker: _Worker, result: GameResult) -> None:
        assert worker.game
        game, worker.game = worker.game, None
        self.tell(Notice("over", game, played=self.tournament.keep(game, result)))

    def _died(self, worker: _Worker) -> None:
        assert worker.game
        game, tried = worker.game, worker.tried
        worker.end()
        worker.process.join(PATIENCE)
        code = worker.process.exitcode
        worker.gone(0)
        fresh = _Worker(self.tournament.settings, live=self.live)
        self.workers[self.workers.index(worker)] = fresh
        if tried:
            fresh.game = game
            self._keep(fresh, void(game, f"the process that played it ended twice, with {code}"))
        else:
            fresh.give(game, tried + 1)


def work(pipe: "Connection[Any, Any]", settings: Settings, live: bool) -> None:
    """The life of a process: games in, results out, until nobody asks any more."""
    _stand_apart()
    if settings.folder and Path(settings.folder).is_dir():
        os.chdir(settings.folder)
    watch = pipe.send if live else None
    try:
        try:
            check(settings)
        except DamasError as error:  # nobody could play here: no game is void for that
            pipe.recv()
            pipe.send(error)
            return
        while True:
            game = pipe.recv()
            try:
                result = one_game(settings, game, watch=watch)
            except DamagedTournament as error:
                pipe.send(error)
                return
            except Exception:  # noqa: BLE001 (an error of ours voids the game and is told; the tournament goes on)
                result = void(game, traceback.format_exc())
            pipe.send(result)
    except (EOFError, OSError):
        return


def _leave(*_: object) -> None:
    raise SystemExit(0)


def _stand_apart() -> None:
    """Away from the terminal's signals, gone with the parent, and programs put away when asked to stop."""
    with suppress(AttributeError, OSError):
        os.setsid()
    leave_with_the_parent(_leave, PATIENCE)  # the game under way puts its programs away
