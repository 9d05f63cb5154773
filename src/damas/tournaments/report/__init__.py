"""What a tournament leaves behind: its games as PDN, its figures as JSON and CSV, and a page to look at."""

from collections.abc import Callable
from pathlib import Path

from damas.tournaments.journal import write_file
from damas.tournaments.report.figures import results_csv, results_json, summary, table_csv
from damas.tournaments.report.games import all_pdn, different_games
from damas.tournaments.report.page import html
from damas.tournaments.report.words import shown_control, shown_elo, shown_error
from damas.tournaments.settings import Settings
from damas.tournaments.standings import Standings

__all__ = ["FILES", "different_games", "shown_control", "shown_elo", "shown_error", "summary", "write"]

FILES = {
    "pdn": "games.pdn",
    "results": "results.json",
    "games_csv": "games.csv",
    "table_csv": "table.csv",
    "report": "report.html",
}


def write(
    folder: Path, settings: Settings, standings: Standings, language: str, public_spec: Callable[[str], str]
) -> dict[str, Path]:
    """Everything anew, whole files only; the journal stays what counts."""
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
