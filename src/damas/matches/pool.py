"""The pool: workers that play the games of a tournament, several at a time.

A worker that dies loses one game: the game is played again by a new worker, and is void if that one dies too.
"""

import os
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from damas.arbiter import TimeControl
from damas.engine.limits import Limits
from damas.errors import RulesChanged
from damas.jobs import Workers, workers_for
from damas.jobs.work import Event, Lost, Message, Send
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
    cluster: str | None = None,
    listener: Listener | None = None,
    live: bool = False,
    stop: Callable[[], bool] | None = None,
    play: Play | None = None,
) -> None:
    """Plays until the tournament is over or `stop()` is true; games in progress then are played again later.

    `listener` is told of every begun and finished game; with `live` also of every event of every game. With `play`
    the games are played by it, in this process and one after the other. On a cluster, where there are no processes of
    ours, the events of a game are not heard before its end.
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
    games = Games(tournament.settings, folder)
    with _Pool(tournament, workers_for(games, jobs=jobs, cluster=cluster, messages=live), notify) as pool:
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


# --- workers ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Games:
    """The work of a tournament: a piece is a pairing, its result that of the game."""

    settings: Settings
    folder: str
    """The folder for messages."""

    @contextmanager
    def open(self, send: Send | None) -> Iterator[Callable[[Pairing], GameResult]]:
        """Yields the function that plays a game; players stay ready for the next one."""
        share_by_niceness()
        if self.settings.folder and Path(self.settings.folder).is_dir():
            os.chdir(self.settings.folder)
        for entry in self.settings.entries:  # where nobody can play, that voids no game
            tier_for(entrant_of(entry), self.settings.tier)
        with IdlePlayers(alone=False) as idle:

            def play_one(game: Pairing) -> GameResult:
                try:
                    return play_pairing(self.settings, game, folder=self.folder, watch=send, idle=idle)
                except RulesChanged:
                    raise
                except Exception:  # noqa: BLE001 (an error of ours voids the game and is reported)
                    return void_game(game.white, game.black or "", traceback.format_exc())

            yield play_one


class _Pool:
    def __init__(self, tournament: Tournament, workers: Workers, notify: Listener) -> None:
        self.tournament, self.workers, self.notify = tournament, workers, notify

    def __enter__(self) -> "_Pool":
        self.workers.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        for game in self.workers.in_progress:
            self.tournament.return_game(game)
        self.workers.__exit__(*error)

    def run(self, stop: Callable[[], bool]) -> None:
        while not stop():
            paused = self.tournament.paused
            if not paused:
                self._hand_out()
            busy = bool(self.workers.in_progress)
            if not busy and self.tournament.over:
                return
            if paused:
                self.notify(Notice("paused"))
            if not busy:
                time.sleep(POLL_INTERVAL_S)
                continue
            for event in self.workers.receive(POLL_INTERVAL_S):
                self._handle(event)
            self.notify(Notice("idle"))

    def _hand_out(self) -> None:
        while self.workers.has_room and (game := self.tournament.next_game()):
            self.workers.give(game)
            self.notify(Notice("begun", game))

    def _handle(self, event: Event) -> None:
        game = event.piece
        if isinstance(event, Message):
            self.notify(Notice("event", game, line=event.content))
            return
        result = (
            void_game(game.white, game.black or "", event.reason) if isinstance(event, Lost) else event.result
        )
        self.notify(Notice("over", game, played=self.tournament.record(game, result)))
