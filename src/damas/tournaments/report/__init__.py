"""Reports of a tournament: games as PDN, results as JSON and CSV, and an HTML page."""

from collections.abc import Callable
from pathlib import Path

from damas.tournaments.journal import write_file
from damas.tournaments.report.figures import results_csv, results_json, summary, table_csv
from damas.tournaments.report.formatting import (
    format_conditions,
    format_control,
    format_elo,
    format_error,
    format_points,
)
from damas.tournaments.report.games import all_pdn, different_games
from damas.tournaments.report.page import html
from damas.tournaments.settings import Settings
from damas.tournaments.standings import Standings

__all__ = [
    "FILES",
    "different_games",
    "format_conditions",
    "format_control",
    "format_elo",
    "format_error",
    "format_points",
    "summary",
    "write",
]

FILES = {
    "pdn": "games.pdn",
    "results": "results.json",
    "games_csv": "games.csv",
    "table_csv": "table.csv",
    "report": "report.html",
}
"""Names of the files of a report by kind."""


def write(
    folder: Path, settings: Settings, standings: Standings, language: str, public_spec: Callable[[str], str]
) -> dict[str, Path]:
    """Writes all files of the report, each atomically, and returns their paths by kind.

    `public_spec` removes from the spec of an entry what strangers must not read.
    """
    texts = {
        "pdn": all_pdn(folder, standings),
        "results": results_json(settings, standings, public_spec),
        "games_csv": results_csv(standings),
        "table_csv": table_csv(standings),
        "report": html(folder, settings, standings, language),
    }
    for name, text in texts.items():
        write_file(folder / FILES[name], text)
    return {name: folder / file for name, file in FILES.items()}
