"""Views of a contest in the language of the visitor."""

import base64
from collections.abc import Mapping
from typing import Any

from damas.arena.building.languages import LANGUAGES
from damas.arena.building.source import BadSource
from damas.arena.check.report import Check, Trouble
from damas.errors import DamasError
from damas.game import Position
from damas.language import sentence
from damas.server.arena.contest import Contest, Entered, Status, Submission
from damas.tournaments.formats import Pairing
from damas.tournaments.report import format_control
from damas.tournaments.result import DISQUALIFIED, OURS, GameEntry
from damas.tournaments.settings import Settings
from damas.tournaments.standings import Row, Standings
from damas.views.boards import position_fields

MAX_CROSS_TABLE_PLAYERS = 24
"""No cross-table is shown for more players."""
MAX_GAMES = 200
"""The last games that a table lists."""
MAX_SUBMISSIONS = 300
"""The last versions that a contest lists."""
MAX_SHOWN_BYTES = 2000
"""How much of a program's output is shown."""

View = dict[str, Any]
"""A JSON object."""


TERMS = (
    "id",
    "title",
    "rulebook",
    "format",
    "legal",
    "who",
    "most",
    "each",
    "check",
    "deadline_ms",
    "standing",
)
PROGRESS = ("trouble", "done", "total", "created_ms", "started_ms", "finished_ms", "run")
"""Fields of a contest that everybody sees."""
ENTRANT = ("id", "name", "kind", "level", "size", "mode", "version")
"""Fields of an entrant that everybody sees."""
ROW = ("name", "points", "games", "wins", "draws", "losses", "forfeits", "walkovers", "disqualified")
"""Fields of a row of the standings that are shown, with its rating and the error of that."""
RECEIPT = ("id", "game", "verdict", "offender", "name", "tier", "ply", "fen", "nearest", "article", "seconds")
"""Fields of a receipt that everybody sees as they are."""


def card(contest: Contest, status: Status, language: str, me: str | None) -> View:
    """A contest in a list, for the account `me`."""
    return {
        **{name: getattr(contest, name) for name in (*TERMS, *PROGRESS)},
        "organiser": contest.organiser_name,
        "mine": me is not None and contest.organiser == me,
        "format_name": sentence(f"tournament.format.{contest.format}", language),
        "control": format_control(contest.control, language),
        "games_of_pair": contest.games,
        "entrants": len(contest.entries),
        "status": status,
    }


def entrant(entry: Entered, me: str | None) -> View:
    """An entrant of a contest, for the account `me`."""
    known = LANGUAGES.get(entry.ending or f".{entry.file[65:]}")
    language = known.name if known else "Linux"
    return {
        **{name: getattr(entry, name) for name in ENTRANT},
        "owner": entry.owner_name,
        "mine": me is not None and entry.owner == me,
        "language": language if entry.kind == "program" else "",
        "hash": entry.file[:12],
    }


def submission(sent: Submission, contest: Contest, now: str | None, me: str | None) -> View:
    """A version that was sent; `now` is what happens to it at the moment."""
    return {
        **{
            name: getattr(sent, name)
            for name in ("id", "name", "version", "size", "sent_ms", "language", "hash")
        },
        "state": (now or sent.state) if sent.pending else sent.state,
        "mine": me is not None and me in (sent.owner, contest.organiser),
    }


def submissions(contest: Contest, preparing: Mapping[str, str], me: str | None) -> list[View]:
    """The versions that the account `me` may know of: everybody's that were accepted, and all of one's own."""
    shown = [submission(each, contest, preparing.get(each.id), me) for each in contest.submissions]
    return [each for each in shown if each["mine"] or each["state"] == "accepted"][-MAX_SUBMISSIONS:]


def preparation(report: Mapping[str, Any], rulebook: str, language: str) -> View:
    """How a preparation went: why it was refused, the compiler's log, and the checks that failed."""
    reason = report.get("reason", "")
    return {
        "why": BadSource(reason, **report.get("facts", {})).sentence(language) if reason else "",
        "log": report.get("log", ""),
        "tried": report.get("tried", 0),
        "troubles": [_trouble(dict(each), rulebook, language) for each in report.get("troubles", ())],
    }


def _trouble(fields: dict[str, Any], rulebook: str, language: str) -> View:
    check = Check(fields.pop("check"), 1, Trouble(**fields))
    assert check.trouble
    return {
        "check": check.name,
        "title": check.title(language),
        "advice": check.advice(language, rulebook),
        "message": check.trouble.message(rulebook, language),
        "article": check.trouble.article(rulebook, language),
        "code": check.trouble.code,
        "fen": check.trouble.fen,
        "said": check.trouble.said,
        "stderr": check.trouble.stderr,
        "again": check.trouble.again,
    }


def table(settings: Settings, standings: Standings, language: str) -> View:
    """Standings, encounters and games; receipts by their ids."""
    games = [(game, standings.games[game.id]) for game in standings.plan if game.id in standings.games]
    return {
        "rows": [{"place": place, **_row(row)} for place, row in enumerate(standings.rows, start=1)],
        "cross": _cross(standings) if len(standings.rows) <= MAX_CROSS_TABLE_PLAYERS else None,
        "games": [
            _game(game, played, language, records=settings.records) for game, played in games[-MAX_GAMES:]
        ][::-1],
        "counted": len(games),
        "tiers": sorted({tier for _, played in games for tier in played.tiers.values()} - {"in-process"}),
        "seed": settings.seed,
    }


def _row(row: Row) -> View:
    fields = row.as_json()
    return {name: fields[name] for name in (*ROW, "elo", "error")}


def _cross(standings: Standings) -> list[list[View | None]]:
    """Points of each row against each other row."""
    points: dict[tuple[str, str], list[float]] = {}
    for game in standings.plan:
        played = standings.games.get(game.id)
        if played and played.points is not None and game.black is not None:
            points.setdefault((game.white, game.black), []).append(played.points)
            points.setdefault((game.black, game.white), []).append(1 - played.points)
    names = [row.name for row in standings.rows]

    def cell(one: str, other: str) -> View | None:
        results = points.get((one, other))
        return {"points": sum(results), "games": len(results)} if results and one != other else None

    return [[cell(one, other) for other in names] for one in names]


def reason_of(code: str, language: str) -> str:
    """The reason of a result in words; the code itself where it has none."""
    try:
        return sentence(f"tournament.reason.{code}", language)
    except KeyError:
        return code


def _game(game: Pairing, played: GameEntry, language: str, *, records: bool) -> View:
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
        "recorded": records and played.reason not in (DISQUALIFIED, OURS),
    }


def receipt(stored: Mapping[str, Any], contest: Contest, language: str, *, own: bool) -> View:
    """Why a program lost, for everybody; what it wrote to its errors, for whoever it belongs to."""
    raw = base64.b64decode(str(stored.get("raw", "")))
    return {
        **{name: stored.get(name) for name in RECEIPT},
        "rulebook": contest.rulebook,
        "verdict_text": reason_of(str(stored.get("verdict")), language),
        # The referee wrote it in the language of the organiser.
        "message": stored.get("message") if language == contest.language else "",
        "bytes": len(raw),
        "said": _visible(raw[:MAX_SHOWN_BYTES]),
        "moves": list(stored.get("moves", ()))[-12:],
        "legal": list(stored.get("legal", ()))[:40],
        "stderr": str(stored.get("stderr", ""))[-MAX_SHOWN_BYTES:] if own else None,
    }


def _visible(raw: bytes) -> str:
    r"""Bytes as text: letters as they are, other bytes by their numbers, an end of line as a sign.

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


def live(message: dict[str, Any], rulebook: str) -> View:
    """A message to watchers, with the boards of the games in play."""
    games = []
    for game in message["games"]:
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
    return {**message, "games": games}
