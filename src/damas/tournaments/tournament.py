"""A tournament in play: hands out games, records their results and gives the table.

Whoever plays the games calls `next_game()` and then `record()`. The table does not depend on who plays them, in what
order or after how many interruptions.
"""

import re
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from damas.tournaments.formats import Pairing, pairings, total_games
from damas.tournaments.formats.trial import Trial
from damas.tournaments.journal import Disqualification, Entry, Journal, MemoryJournal, read
from damas.tournaments.result import DISQUALIFIED, GameEntry, GameResult
from damas.tournaments.settings import Settings
from damas.tournaments.standings import Standings, standings


@dataclass
class Tournament:
    """A tournament opened for playing, in one process at a time; a context manager."""

    journal: Journal
    played: dict[str, GameEntry] = field(default_factory=dict)
    """Finished games by id."""
    disqualified: dict[str, str] = field(default_factory=dict)
    """Reasons by name of player."""
    in_play: set[str] = field(default_factory=set)
    """Ids of games that were handed out and are not finished."""
    plan: list[Pairing] = field(default_factory=list)
    """Every game and bye known by now."""
    _waiting: deque[Pairing] = field(default_factory=deque)
    _trial: Trial | None = None

    @classmethod
    def create(cls, folder: Path, settings: Settings) -> Self:
        """Starts a new tournament; raises FileExistsError if the folder has one."""
        return cls._of(Journal.create(folder, settings))

    @classmethod
    def in_memory(cls, settings: Settings) -> Self:
        """Starts a tournament that is not written to disk and ends with this process."""
        return cls._of(MemoryJournal(settings))

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Continues a tournament; raises `TournamentBusy` while another process plays it."""
        return cls._of(Journal.open(folder))

    @classmethod
    def _of(cls, journal: Journal) -> Self:
        tournament = cls(journal, *split_entries(journal.entries))
        if journal.settings.sprt:
            tournament._trial = Trial.of(journal.settings)
        tournament._update_plan()
        return tournament

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.journal.close()

    @property
    def settings(self) -> Settings:
        """What was settled when the tournament began."""
        return self.journal.settings

    @property
    def folder(self) -> Path:
        """The folder of the journal."""
        return self.journal.folder

    @property
    def folder_name(self) -> str:
        """The folder for messages; empty for a tournament in memory."""
        return "" if isinstance(self.journal, MemoryJournal) else str(self.journal.folder)

    @property
    def paused(self) -> bool:
        """Whether the organiser has asked for a pause."""
        return self.journal.paused

    @property
    def over(self) -> bool:
        """Whether no game is left to play or in play."""
        return not self._waiting and not self.in_play

    @property
    def games_left(self) -> int:
        """Estimate of the games that are not finished."""
        planned = len(self._waiting) + len(self.in_play)
        return max(total_games(self.settings) - len(self.played), planned)

    def next_game(self) -> Pairing | None:
        """A game to start now, handed out once; None if there is none at the moment."""
        self._read_requests()
        while self._waiting:
            game = self._waiting.popleft()
            if game.id in self.played or game.id in self.in_play or game.black is None:
                continue
            if not {game.white, game.black} & set(self.disqualified):
                self.in_play.add(game.id)
                return game
            self.record(game, None)
        return None

    def record(self, game: Pairing, result: GameResult | None) -> GameEntry:
        """Writes a result to disk; None: the game is a walkover, since a player was disqualified."""
        assert game.black is not None
        pdn, receipt = "", None
        record: tuple[str, ...] = ()
        if result is None:
            entry = self._walkover(game)
        else:
            pdn, receipt = tag_game(result.pdn, game, self.settings), result.receipt
            record = result.events if self.settings.records else ()
            entry = GameEntry(
                game.id,
                game.white,
                game.black,
                result.points,
                result.reason,
                result.article,
                result.offender,
                result.plies,
                round(result.seconds, 3),
                result.tiers,
                "" if receipt is None else str(receipt.get("id", game.id)),
            )
        self.journal.add(entry, pdn, receipt, record)
        self.played[game.id] = entry
        self.in_play.discard(game.id)
        if not self._waiting or self._test_decided():
            self._update_plan()
        return entry

    def standings(self, *, ratings: bool = True) -> Standings:
        """The table as it stands."""
        return standings(self.settings, self.played, self.disqualified, ratings=ratings)

    def return_game(self, game: Pairing) -> None:
        """Takes back a game that was handed out and not finished; it will be played from the start."""
        self.in_play.discard(game.id)
        self._waiting.appendleft(game)

    def _walkover(self, game: Pairing) -> GameEntry:
        assert game.black is not None
        out = {game.white, game.black} & set(self.disqualified)
        points = None if len(out) == 2 else 0.0 if game.white in out else 1.0
        reasons = "; ".join(f"{name}: {self.disqualified[name]}" for name in sorted(out))
        return GameEntry(game.id, game.white, game.black, points, DISQUALIFIED, reasons)

    def _read_requests(self) -> None:
        """Records the disqualifications that the organiser has requested since the last call."""
        for request in self.journal.disqualification_requests():
            if request.player not in self.disqualified:
                self.journal.add(request)
                self.disqualified[request.player] = request.reason

    def _test_decided(self) -> bool:
        if self._trial is None:
            return False
        return self._trial.judge(self.plan, self.played).verdict != "open"

    def _update_plan(self) -> None:
        """Adds the games that have become known. Nothing new can become known before the last one is handed out."""
        self.plan = pairings(self.played, self.settings)
        started = self.played.keys() | self.in_play
        self._waiting = deque(game for game in self.plan if not game.bye and game.id not in started)


def tag_game(pdn: str, game: Pairing, settings: Settings) -> str:
    """A game's PDN with the tournament's event, round and date."""
    tags = {"Event": settings.title or "damas arena", "Round": f"{game.round}.{game.board}.{game.game}"}
    if settings.begun:
        tags["Date"] = settings.begun[:10].replace("-", ".")
    for tag, value in tags.items():
        line = f'[{tag} "{value.replace(chr(92), "").replace(chr(34), chr(39))}"]'
        pdn = re.sub(rf'^\[{tag} ".*"\]$', line, pdn, count=1, flags=re.MULTILINE)
    return pdn


def split_entries(entries: list[Entry]) -> tuple[dict[str, GameEntry], dict[str, str]]:
    """The games of a journal by id, and the reasons of disqualifications by name."""
    played = {entry.id: entry for entry in entries if isinstance(entry, GameEntry)}
    out = {entry.player: entry.reason for entry in entries if isinstance(entry, Disqualification)}
    return played, out


def read_standings(folder: Path) -> tuple[Settings, Standings]:
    """The settings and the table of a tournament, which another process may be playing."""
    settings, entries = read(folder)
    return settings, standings(settings, *split_entries(entries))
