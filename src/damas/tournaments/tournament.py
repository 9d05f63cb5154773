"""A tournament as it stands: its journal, what is due by its plan, and what the organiser has said.

Whoever plays it asks `due()` for games and tells `keep()` how they ended. Who that is, in what order and after how many
interruptions, has no say in the table.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self

from damas.tournaments.formats import Pairing, pairings, total
from damas.tournaments.formats.pairing import DISQUALIFIED
from damas.tournaments.formats.trial import Trial
from damas.tournaments.journal import Disqualified, Entry, Journal, MemoryJournal, Played, read
from damas.tournaments.settings import Settings
from damas.tournaments.standings import Standings, standings


class FinishedGame(Protocol):
    """What a tournament needs to know of a game that was played."""

    @property
    def points(self) -> float | None:
        """White's points; None: the game is void."""

    @property
    def reason(self) -> str: ...
    @property
    def article(self) -> str: ...
    @property
    def offender(self) -> str | None:
        """The colour of the player who forfeited."""

    @property
    def plies(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def tiers(self) -> Mapping[str, str]: ...
    @property
    def pdn(self) -> str: ...
    @property
    def receipt(self) -> Mapping[str, Any] | None: ...


@dataclass
class Tournament:
    """Opened from its folder, for one process at a time. Use with `with`."""

    journal: Journal
    played: dict[str, Played] = field(default_factory=dict)
    out: dict[str, str] = field(default_factory=dict)
    """Who has been disqualified, and why."""
    given: set[str] = field(default_factory=set)
    """Games that are being played."""
    plan: list[Pairing] = field(default_factory=list)
    """Every game known by now and every bye."""
    _waiting: deque[Pairing] = field(default_factory=deque)
    _trial: Trial | None = None

    @classmethod
    def create(cls, folder: Path, settings: Settings) -> Self:
        return cls._of(Journal.create(folder, settings))

    @classmethod
    def in_memory(cls, settings: Settings) -> Self:
        """A tournament that is kept nowhere, and ends with this process."""
        return cls._of(MemoryJournal(settings))

    @classmethod
    def open(cls, folder: Path) -> Self:
        return cls._of(Journal.open(folder))

    @classmethod
    def _of(cls, journal: Journal) -> Self:
        played, out = sorted_out(journal.entries)
        tournament = cls(journal, played, out)
        if journal.settings.sprt:
            tournament._trial = Trial.of(journal.settings)
        tournament._renew()
        return tournament

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.journal.close()

    @property
    def settings(self) -> Settings:
        return self.journal.settings

    @property
    def folder(self) -> Path:
        return self.journal.folder

    @property
    def paused(self) -> bool:
        return self.journal.paused

    @property
    def over(self) -> bool:
        return not self._waiting and not self.given

    @property
    def left(self) -> int:
        """Games still to be finished, as far as can be told."""
        return max(total(self.settings) - len(self.played), len(self._waiting) + len(self.given))

    def due(self) -> Pairing | None:
        """A game that may begin now, handed out once; None while there is none."""
        self._heed()
        while self._waiting:
            game = self._waiting.popleft()
            if game.id in self.played or game.id in self.given or game.black is None:
                continue
            if not {game.white, game.black} & set(self.out):
                self.given.add(game.id)
                return game
            self.keep(game, None)
        return None

    def keep(self, game: Pairing, result: FinishedGame | None) -> Played:
        """A game is over: it is written down before anybody is told. None: a player had been put out before."""
        assert game.black is not None
        pdn, receipt = "", None
        if result is None:
            entry = self._walk_over(game)
        else:
            pdn, receipt = tagged(result.pdn, game, self.settings), result.receipt
            entry = Played(
                game.id,
                game.white,
                game.black,
                result.points,
                result.reason,
                result.article,
                result.offender,
                result.plies,
                round(result.seconds, 3),
                dict(result.tiers),
                "" if receipt is None else str(receipt.get("id", game.id)),
            )
        self.journal.add(entry, pdn, receipt)
        self.played[game.id] = entry
        self.given.discard(game.id)
        if not self._waiting or self._decided():
            self._renew()
        return entry

    def standings(self, *, ratings: bool = True) -> Standings:
        return standings(self.settings, self.played, self.out, ratings=ratings)

    def give_back(self, game: Pairing) -> None:
        """It was begun and not finished: somebody else may play it, from the start."""
        self.given.discard(game.id)
        self._waiting.appendleft(game)

    def _walk_over(self, game: Pairing) -> Played:
        assert game.black is not None
        gone = {game.white, game.black} & set(self.out)
        points = None if len(gone) == 2 else 0.0 if game.white in gone else 1.0
        reasons = "; ".join(f"{name}: {self.out[name]}" for name in sorted(gone))
        return Played(game.id, game.white, game.black, points, DISQUALIFIED, reasons)

    def _heed(self) -> None:
        """What the organiser has asked for since the last look."""
        for asked in self.journal.requested_disqualifications():
            if asked.player not in self.out:
                self.journal.add(asked)
                self.out[asked.player] = asked.reason

    def _decided(self) -> bool:
        if self._trial is None:
            return False
        return self._trial.judge(self.plan, self._scores()).verdict != "open"

    def _scores(self) -> Mapping[str, Any]:
        return _Scores(self.played)

    def _renew(self) -> None:
        """The games that have become known. Until the last of them is handed out nothing new can be."""
        self.plan = pairings({name: game.score for name, game in self.played.items()}, self.settings)
        known = self.played.keys() | self.given
        self._waiting = deque(game for game in self.plan if not game.bye and game.id not in known)


def tagged(pdn: str, game: Pairing, settings: Settings) -> str:
    """A game's text with the names of the tournament in its heading."""
    said = {"Event": settings.title or "damas arena", "Round": f"{game.round}.{game.board}.{game.game}"}
    if settings.begun:
        said["Date"] = settings.begun[:10].replace("-", ".")
    for tag, value in said.items():
        line = f'[{tag} "{value.replace(chr(92), "").replace(chr(34), chr(39))}"]'
        pdn = re.sub(rf'^\[{tag} ".*"\]$', line, pdn, count=1, flags=re.MULTILINE)
    return pdn


class _Scores(Mapping[str, Any]):
    """Scores of games as they are asked for: a test looks at two of them at a time."""

    def __init__(self, played: Mapping[str, Played]) -> None:
        self.played = played

    def __getitem__(self, id: str) -> Any:
        return self.played[id].score

    def __iter__(self) -> Iterator[str]:
        return iter(self.played)

    def __len__(self) -> int:
        return len(self.played)


def sorted_out(entries: list[Entry]) -> tuple[dict[str, Played], dict[str, str]]:
    """The games by their id, and who was put out and why."""
    played = {entry.id: entry for entry in entries if isinstance(entry, Played)}
    out = {entry.player: entry.reason for entry in entries if isinstance(entry, Disqualified)}
    return played, out


def look(folder: Path) -> tuple[Settings, Standings]:
    """The table of a folder, whoever may be playing it."""
    settings, entries = read(folder)
    played, out = sorted_out(entries)
    return settings, standings(settings, played, out)
