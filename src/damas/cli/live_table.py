"""The table of a tournament on the terminal, while games are played and at the end."""

import sys
import time

from damas.cli import page
from damas.cli.match_options import sprt_text
from damas.cli.progress import bar
from damas.language import sentence
from damas.matches.pool import Notice
from damas.tournaments.formats import Pairing
from damas.tournaments.journal import PAUSE, unknown_requests
from damas.tournaments.report import format_elo, format_points
from damas.tournaments.standings import Row, Standings
from damas.tournaments.tournament import Tournament

MIN_INTERVAL_S = 0.2
"""Least time between two drawings; more if drawing is slow."""
MAX_DRAWING_SHARE = 20
"""At most one part in so many of the time is spent on drawing."""
_BAR_WIDTH = 24
_MAX_RATED_PLAYERS = 40


def table(standings: Standings, language: str, most: int | None = None, *, rated: bool = True) -> str:
    """The players from first to last, at most `most` of them."""
    faults = any(row.forfeits for row in standings.rows)
    words = [sentence(f"cli.arena.{key}", language) for key in ("player", "points", "games")]
    heads = ["", *words, "+", "=", "−"]
    heads += ["Elo", "±"] if rated else []
    heads += [sentence("cli.arena.faults", language)] if faults else []
    shown = standings.rows[:most]
    cells = [_cells(rank, row, rated=rated, faults=faults) for rank, row in enumerate(shown, start=1)]
    text = page.table([heads, *cells], right=(0, *range(2, len(heads))))
    if len(shown) < len(standings.rows):
        more = sentence("cli.arena.more", language, count=len(standings.rows) - len(shown))
        text += f"\n    {more}"
    return text


def _cells(rank: int, row: Row, *, rated: bool, faults: bool) -> list[str]:
    name = f"{row.name} ({row.team})" if row.team else row.name
    name = name.replace(" ", page.NO_BREAK_SPACE)
    name = name if len(name) <= 28 else name[:27] + "…"
    cells = [str(rank), name, format_points(row.points), str(row.games)]
    cells += [str(row.wins), str(row.draws), str(row.losses)]
    if rated:
        cells += [format_elo(row.rating.elo), f"{row.rating.error:.0f}"] if row.rated else ["", ""]
    if faults:
        cells.append(str(row.forfeits) if row.forfeits else "")
    return cells


class LiveTable:
    """Draws the table on stderr over the last drawing, if stderr is a terminal."""

    def __init__(self, tournament: Tournament, language: str) -> None:
        self.tournament, self.language = tournament, language
        self.shown = sys.stderr.isatty()
        self.started = time.monotonic()
        self.before = len(tournament.played)
        self.playing: dict[str, Pairing] = {}
        self.next = 0.0
        self.lines = 0
        self.changed = True
        self.body = ""
        self.test: list[str] = []
        self.warning = ""
        """Which requests of the organiser name nobody."""

    def __enter__(self) -> "LiveTable":
        if self.shown:
            print("\033[?25l", end="", file=sys.stderr)
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown:
            self._wipe()
            print("\033[?25h", end="", file=sys.stderr, flush=True)

    def __call__(self, notice: Notice) -> None:
        if notice.kind == "begun" and notice.game:
            self.playing[notice.game.id] = notice.game
        elif notice.kind == "over" and notice.game:
            self.playing.pop(notice.game.id, None)
            self.changed = True
        self._check_requests()
        if self.shown and notice.kind != "over" and time.monotonic() >= self.next:
            began = time.monotonic()
            self._draw(paused=notice.kind == "paused")
            self.next = time.monotonic() + max(MIN_INTERVAL_S, MAX_DRAWING_SHARE * (time.monotonic() - began))

    def _draw(self, *, paused: bool) -> None:
        if self.changed:
            rated = len(self.tournament.settings.names) <= _MAX_RATED_PLAYERS
            standings = self.tournament.standings(ratings=rated)
            self.body = table(standings, self.language, max(3, page.rows() - 6), rated=rated)
            self.changed = False
            if standings.trial:
                self.test = ["", sprt_text(standings.trial.as_json(), self.language)]
        width = page.width()
        lines = [*self.body.splitlines(), *self.test, "", self._progress()]
        if paused:
            file = self.tournament.folder / PAUSE
            lines.append(sentence("cli.arena.paused", self.language, file=file))
        else:
            now = ", ".join(f"{game.white}–{game.black}" for game in self.playing.values())
            lines.append(sentence("cli.arena.playing", self.language, games=now) if now else "")
        lines += page.paragraph(self.warning).splitlines() if self.warning else []
        lines = [line if len(line) < width else line[: width - 2] + "…" for line in lines]
        self._wipe()
        self.lines = len(lines)
        print("\n".join(lines), file=sys.stderr, flush=True)

    def _check_requests(self) -> None:
        """Refuses requests to disqualify somebody who does not play, once for every change of the file."""
        warning = refused_requests(self.tournament, self.language)
        if warning and warning != self.warning and not self.shown:
            print(f"damas: {warning}", file=sys.stderr, flush=True)
        self.warning = warning

    def _progress(self) -> str:
        done, left = len(self.tournament.played), self.tournament.games_left
        total = done + left
        progress = sentence("cli.arena.progress", self.language, done=done, total=total)
        text = f"{bar(done / total if total else 1, _BAR_WIDTH)} {progress}"
        fresh = done - self.before
        if fresh and left:
            seconds = (time.monotonic() - self.started) / fresh * left
            text += ", " + sentence("cli.arena.left", self.language, time=span(seconds))
        return text

    def _wipe(self) -> None:
        if self.lines:
            print(f"\033[{self.lines}F\033[J", end="", file=sys.stderr)
        self.lines = 0


def refused_requests(tournament: Tournament, language: str) -> str:
    """Why requests in the folder are refused: they name nobody who plays, and who does; empty if all are good."""
    if not tournament.folder_name:
        return ""
    names = tournament.settings.names
    unknown = unknown_requests(tournament.folder, names)
    facts = {"names": "; ".join(unknown), "known": ", ".join(names)}
    return sentence("cli.arena.bad.disqualify", language, **facts) if unknown else ""


def span(seconds: float) -> str:
    """A duration, rounded as an estimate should be.

    >>> span(42), span(200), span(7300)
    ('42 s', '4 min', '2 h 2 min')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = int(seconds / 60 + 0.999)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
