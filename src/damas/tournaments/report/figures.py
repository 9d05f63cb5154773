"""The figures of a tournament for programs: JSON and CSV."""

import csv
import json
from collections.abc import Callable
from dataclasses import asdict
from io import StringIO
from math import isinf
from pathlib import Path
from typing import Any

from damas.tournaments.settings import Settings
from damas.tournaments.standings import Standings


def summary(settings: Settings, standings: Standings) -> dict[str, Any]:
    """The table and what it stands on."""
    found: dict[str, Any] = {
        "title": settings.title,
        "rulebook": Path(settings.rulebook).name,
        "format": settings.format,
        "control": settings.control,
        "openings": settings.openings,
        "seed": settings.seed,
        "games": len(standings.games),
        "due": standings.due,
        "finished": standings.due == 0,
        "players": [row.as_json() for row in standings.rows],
    }
    if standings.difference:
        told = (None if isinf(value) else round(value, 1) for value in standings.difference)
        found |= zip(("elo", "elo_low", "elo_high"), told, strict=True)
        found["pairs"] = list(standings.pairs.pairs) if standings.pairs else []
    if standings.trial:
        found["test"] = standings.trial.as_json()
    return found


def results_json(settings: Settings, standings: Standings, public_spec: Callable[[str], str]) -> str:
    """The settings, the table and every game. `public_spec` removes from an entry's spec what strangers must not read."""
    games = [
        {
            "round": game.round,
            "board": game.board,
            "opening": game.opening,
            **asdict(standings.games[game.id]),
        }
        for game in standings.plan
        if game.id in standings.games
    ]
    told = settings.as_json()
    del told["folder"]  # others read this: no paths of the machine it was played on
    told["entries"] = [{**asdict(entry), "spec": public_spec(entry.spec)} for entry in settings.entries]
    told["rulebook"] = Path(settings.rulebook).name
    whole = {"settings": told, **summary(settings, standings), "list": games}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


GAMES = (
    "id",
    "round",
    "board",
    "white",
    "black",
    "points",
    "reason",
    "article",
    "offender",
    "plies",
    "seconds",
    "receipt",
)


def results_csv(standings: Standings) -> str:
    """A row for each game; `points` are White's, empty for a void game."""
    stream = StringIO()
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(GAMES)
    for game in standings.plan:
        played = standings.games.get(game.id)
        if played:
            told = {**asdict(played), "round": game.round, "board": game.board}
            rows.writerow([_safe(told[name]) for name in GAMES])
    return stream.getvalue()


def table_csv(standings: Standings) -> str:
    stream = StringIO()
    told = [{"rank": rank, **row.as_json()} for rank, row in enumerate(standings.rows, start=1)]
    rows = csv.DictWriter(stream, list(told[0]), lineterminator="\n")
    rows.writeheader()
    rows.writerows({key: _safe(value) for key, value in row.items()} for row in told)
    return stream.getvalue()


def _safe(value: object) -> object:
    """A spreadsheet takes a text that begins so for a formula, and a name is a stranger's text."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
