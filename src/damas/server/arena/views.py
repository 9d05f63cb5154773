"""Views of a contest in the language of the visitor."""

import base64
from collections.abc import Mapping
from typing import Any

from damas.errors import DamasError
from damas.game import Position
from damas.language import sentence
from damas.server.arena.contest import Contest, Entered, Status
from damas.tournaments.formats import Pairing
from damas.tournaments.report import format_control
from damas.tournaments.result import DISQUALIFIED, OURS, GameEntry
from damas.tournaments.settings import Settings
from damas.tournaments.standings import Row, Standings
from damas.views.boards import position_fields

MAX_CROSS_TABLE_PLAYERS = 24
"""No cross-table is shown for more players."""
MAX_GAMES = 200
MAX_SHOWN_BYTES = 2000
"""How much of an answer is shown."""

View = dict[str, Any]


def card(contest: Contest, status: Status, language: str, me: str | None) -> View:
    """A contest in a list."""
    return {
        "id": contest.id,
        "title": contest.title,
        "organiser": contest.organiser_name,
        "mine": me is not None and contest.organiser == me,
        "rulebook": contest.rulebook,
        "format": contest.format,
        "format_name": sentence(f"tournament.format.{contest.format}", language),
        "control": format_control(contest.control, language),
        "games_of_pair": contest.games,
        "legal": contest.legal,
        "who": contest.who,
        "entrants": len(contest.entries),
        "most": contest.most,
        "each": contest.each,
        "status": status,
        "trouble": contest.trouble,
        "done": contest.done,
        "total": contest.total,
        "created_ms": contest.created_ms,
        "started_ms": contest.started_ms,
        "finished_ms": contest.finished_ms,
    }


def entrant(entry: Entered, me: str | None) -> View:
    return {
        "id": entry.id,
        "name": entry.name,
        "owner": entry.owner_name,
        "mine": me is not None and entry.owner == me,
        "kind": entry.kind,
        "level": entry.level,
        "language": {"py": "Python", "js": "JavaScript"}.get(entry.file[65:], "Linux")
        if entry.kind == "program"
        else "",
        "size": entry.size,
        "hash": entry.file[:12],
        "mode": entry.mode,
    }


def table(settings: Settings, found: Standings, language: str) -> View:
    """Standings, encounters and games; receipts by their ids."""
    games = [(game, found.games[game.id]) for game in found.plan if game.id in found.games]
    return {
        "rows": [_row(row, place) for place, row in enumerate(found.rows, start=1)],
        "cross": _cross(found) if len(found.rows) <= MAX_CROSS_TABLE_PLAYERS else None,
        "games": [_game(game, played, language) for game, played in games[-MAX_GAMES:]][::-1],
        "counted": len(games),
        "tiers": sorted({tier for _, played in games for tier in played.tiers.values()} - {"in-process"}),
        "seed": settings.seed,
    }


def _row(row: Row, place: int) -> View:
    told = row.as_json()
    kept = ("name", "points", "games", "wins", "draws", "losses", "forfeits", "walkovers", "disqualified")
    return {"place": place, **{key: told[key] for key in (*kept, "elo", "error")}}


def _cross(found: Standings) -> list[list[View | None]]:
    """Points of each row against each other row."""
    points: dict[tuple[str, str], list[float]] = {}
    for game in found.plan:
        played = found.games.get(game.id)
        if played and played.points is not None and game.black is not None:
            points.setdefault((game.white, game.black), []).append(played.points)
            points.setdefault((game.black, game.white), []).append(1 - played.points)
    names = [row.name for row in found.rows]

    def cell(one: str, other: str) -> View | None:
        met = points.get((one, other))
        return {"points": sum(met), "games": len(met)} if met and one != other else None

    return [[cell(one, other) for other in names] for one in names]


def reason_of(code: str, language: str) -> str:
    try:
        return sentence(f"tournament.reason.{code}", language)
    except KeyError:
        return code


def _game(game: Pairing, played: GameEntry, language: str) -> View:
    return {
        "id": game.id,
        "round": game.round,
        "white": game.white,
        "black": game.black,
        "result": played.result,
        "reason": played.reason,
        "reason_text": reason_of(played.reason, language),
        "offender": played.offender,
        "plies": played.plies,
        "receipt": played.receipt if played.offender else "",
        "played": played.reason not in (DISQUALIFIED, OURS),
    }


def receipt(told: Mapping[str, Any], contest: Contest, language: str, *, own: bool) -> View:
    """Why a program lost, for everybody; what it wrote to its errors, for whoever it belongs to."""
    raw = base64.b64decode(str(told.get("raw", "")))
    shown = {
        key: told.get(key)
        for key in ("id", "game", "verdict", "offender", "name", "tier", "ply", "fen", "nearest", "article")
    }
    return {
        **shown,
        "rulebook": contest.rulebook,
        "verdict_text": reason_of(str(told.get("verdict")), language),
        # The referee spoke the language of the organiser.
        "message": told.get("message") if language == contest.language else "",
        "seconds": told.get("seconds"),
        "bytes": len(raw),
        "said": _visible(raw[:MAX_SHOWN_BYTES]),
        "moves": list(told.get("moves", ()))[-12:],
        "legal": list(told.get("legal", ()))[:40],
        "stderr": str(told.get("stderr", ""))[-MAX_SHOWN_BYTES:] if own else None,
    }


def _visible(raw: bytes) -> str:
    r"""Bytes so that each can be told: letters as they are, the rest by their numbers, an end of line as a sign.

    >>> _visible(b'{"move": "9,9"}\n\xff')
    '{"move": "9,9"}⏎\n\\xff'
    """
    shown = []
    for letter in raw.decode("utf-8", "backslashreplace"):
        if letter == "\n":
            shown.append("⏎\n")
        elif letter == "\t" or letter.isprintable():
            shown.append(letter)
        else:
            shown.append(letter.encode("unicode_escape").decode())
    return "".join(shown)


def live(told: dict[str, Any], rulebook: str) -> View:
    """A message to watchers, with the boards of the games in play."""
    games = []
    for game in told["games"]:
        shown = dict(game)
        if "fen" in shown:
            try:
                position = Position.from_fen(shown.pop("fen"), rulebook)
            except DamasError:
                continue
            shown["view"] = {
                **position_fields(position, ()),
                "must_capture": False,
                "last": shown.pop("last"),
                "ply": shown["ply"],
            }
        games.append(shown)
    return {**told, "games": games}
