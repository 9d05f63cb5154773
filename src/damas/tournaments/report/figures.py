"""Results of a tournament for programs: JSON and CSV."""

import csv
import json
from collections.abc import Callable
from dataclasses import asdict
from io import StringIO
from math import isinf
from pathlib import Path
from typing import Any

from damas.tournaments.cells import format_cell
from damas.tournaments.settings import Settings
from damas.tournaments.standings import Standings


def summary(settings: Settings, standings: Standings) -> dict[str, Any]:
    """The table and the settings it depends on."""
    result: dict[str, Any] = {
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
        elo = (None if isinf(value) else round(value, 1) for value in standings.difference)
        result |= zip(("elo", "elo_low", "elo_high"), elo, strict=True)
        result["pairs"] = list(standings.pairs.pairs) if standings.pairs else []
    if standings.trial:
        result["test"] = standings.trial.as_json()
    return result


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
    public = settings.as_json()
    del public["folder"]  # others read this: no paths of the machine it was played on
    public["entries"] = [{**asdict(entry), "spec": public_spec(entry.spec)} for entry in settings.entries]
    public["rulebook"] = Path(settings.rulebook).name
    whole = {"settings": public, **summary(settings, standings), "list": games}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


GAME_COLUMNS = [
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
]
"""Columns of games.csv."""


def results_csv(standings: Standings) -> str:
    """A row for each game; `points` are White's, empty for a void game."""
    stream = StringIO()
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(GAME_COLUMNS)
    for game in standings.plan:
        played = standings.games.get(game.id)
        if played:
            values = {**asdict(played), "round": game.round, "board": game.board}
            rows.writerow([format_cell(values[name]) for name in GAME_COLUMNS])
    return stream.getvalue()


def table_csv(standings: Standings) -> str:
    """A row for each player, from first to last."""
    stream = StringIO()
    table = [{"rank": rank, **row.as_json()} for rank, row in enumerate(standings.rows, start=1)]
    columns = max((list(row) for row in table), key=len)  # not everybody may have a team
    rows = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
    rows.writeheader()
    rows.writerows({key: format_cell(value) for key, value in row.items()} for row in table)
    return stream.getvalue()
