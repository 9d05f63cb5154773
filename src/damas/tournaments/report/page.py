"""The HTML report of a tournament: one file without external resources."""

import base64
import json
from html import escape
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from damas.errors import DamasError
from damas.game import Position
from damas.language import sentence
from damas.rules import Rulebook, rulebook
from damas.tournaments.formats import Pairing
from damas.tournaments.journal import pdn_of, receipt_of
from damas.tournaments.report import board, plot
from damas.tournaments.report.formatting import format_conditions, format_elo, format_error, format_points
from damas.tournaments.report.games import SQUARES, replay_of
from damas.tournaments.result import DISQUALIFIED, GameEntry
from damas.tournaments.settings import Settings
from damas.tournaments.standings import Row, Standings

MAX_REPLAYS = 1500
"""Games that the page can replay."""
MAX_RECEIPTS = 60
"""Receipts on the page."""
VISIBLE_RECEIPTS = 8
"""Receipts shown at once; the others can be unfolded."""
MAX_CROSS_TABLE = 32
"""Players up to which a cross-table is shown; larger fields get a table by rounds."""
MAX_PLOTTED = 30
"""Players in the plot of ratings."""


def html(
    folder: Path, settings: Settings, standings: Standings, language: str, *, public: bool = False
) -> str:
    """The page. `public` leaves out the error output of programs, which is for their authors."""
    return _Page(folder, settings, standings, language, public).text()


class _Page:
    def __init__(
        self, folder: Path, settings: Settings, standings: Standings, language: str, public: bool
    ) -> None:
        self.folder, self.settings, self.standings, self.language = folder, settings, standings, language
        self.public = public
        self.book: Rulebook = rulebook(settings.rulebook)
        self.replay_index: dict[str, int] = {}
        """Index in the list of replays, by id of the game."""

    def word(self, key: str, **facts: object) -> str:
        return sentence(f"tournament.{key}", self.language, **facts)

    def text(self) -> str:
        games = self._games()  # first: receipts refer to the list of replays
        tables = (self._table(), self._cross_table(), self._ratings())
        sections = "\n".join(filter(None, (self._duel(), *tables, games, self._receipts())))
        return (
            f'<!doctype html>\n<html lang="{self.language}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(self.settings.title)}</title>\n<style>\n{_asset('report.css')}</style>\n</head>\n<body>\n"
            f'<svg width="0" height="0" aria-hidden="true" class="symbols">{board.definitions(self.book)}</svg>\n'
            f'{self._header()}\n<main id="main">\n{sections}\n</main>\n{self._footer()}'
            f"\n<script>\n{_asset('report.js')}</script>\n</body>\n</html>\n"
        )

    # --- heading ----------------------------------------------------------------------------

    def _header(self) -> str:
        settings, standings = self.settings, self.standings
        facts = [
            self.book.id,
            self.word(f"format.{settings.format}"),
            format_conditions(settings, self.language),
            self.word("counted", count=len(standings.games)),
            self.word("openings", text=settings.openings),
            self.word("seed", seed=settings.seed),
        ]
        if settings.begun:
            facts.append(settings.begun)
        chips = "".join(f"<li>{escape(fact)}</li>" for fact in facts)
        first = standings.rows[0]
        state = ""
        if standings.due:
            state = f'<p class="state">{escape(self.word("unfinished", count=standings.due))}</p>'
        crown = "winner" if not standings.due else "leader"
        champion = ""
        if standings.games and len(settings.names) > 2:
            champion = (
                f'<p class="champion"><svg viewBox="0 0 60 60" aria-hidden="true"><use href="#piece-W"/></svg>'
                f"<span>{escape(self.word(crown))}</span><strong>{escape(first.name)}</strong></p>"
            )
        return (
            f'<header><div class="band"><p class="over">{escape(self.word("report"))}</p>'
            f'<h1>{escape(settings.title)}</h1><ul class="chips">{chips}</ul>{champion}{state}</div></header>'
        )

    def _duel(self) -> str:
        """With two players: the score in large figures and the Elo difference below."""
        if len(self.settings.names) != 2:
            return ""
        rows = {row.name: row for row in self.standings.rows}
        one, other = (rows[name] for name in self.settings.names)
        label = f"+{one.wins} ={one.draws} −{one.losses} / {one.wins + one.draws + one.losses or 1}"
        lines = []
        if self.standings.difference:
            elo, low, high = self.standings.difference
            if abs(elo) == float("inf"):
                sign, bound = ("≥", low) if elo > 0 else ("≤", high)
                lines.append(self.word("elo_bound", sign=sign, bound=format_elo(bound)))
            else:
                facts = {"elo": format_elo(elo), "error": format_error(elo, low, high)}
                facts |= {"low": format_elo(low), "high": format_elo(high)}
                lines.append(f"{one.name}: {self.word('elo_line', **facts)}")
        if self.standings.trial:
            test = self.standings.trial.as_json()
            test["verdict"] = sentence(f"cli.match.{test['verdict']}", self.language)
            lines.append(self.word("test", **test))
        paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
        return (
            f'<section class="card duel" data-testid="duel"><div class="score"><b>{escape(one.name)}</b>'
            f"<strong>{format_points(one.points)}<em>–</em>{format_points(other.points)}</strong><b>{escape(other.name)}</b></div>"
            f'<div class="bar" role="img" aria-label="{label}">{_bar(one)}</div>{paragraphs}</section>'
        )

    # --- tables -----------------------------------------------------------------------------

    def _table(self) -> str:
        faults = any(row.forfeits for row in self.standings.rows)
        heads = [("", "num"), (self.word("player"), ""), (self.word("points"), "num")]
        heads += [(self.word("played"), "num wide"), (self.word("results"), "num"), ("", "wide")]
        heads.append(("Elo", "num"))
        heads += [(self.word("faults"), "num")] if faults else []
        head = "".join(f'<th class="{kind}" scope="col">{escape(text)}</th>' for text, kind in heads)
        body = "".join(self._row(rank, row, faults) for rank, row in enumerate(self.standings.rows, start=1))
        note = ""
        if count := self.standings.walkovers:
            note = f'<p class="note">{escape(self.word("walkovers", count=count))}</p>'
        return self._section(
            "table",
            "",
            f'<div class="scroll" tabindex="0"><table class="standings"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{note}',
        )

    def _row(self, rank: int, row: Row, faults: bool) -> str:
        elo = f"{format_elo(row.rating.elo)} <small>±{row.rating.error:.0f}</small>" if row.rated else ""
        note = ""
        team = f' <small class="team">{escape(row.team)}</small>' if row.team else ""
        if row.disqualified is not None:
            note = f'<small class="out">{escape(self.word("disqualified", reason=row.disqualified))}</small>'
        cells = [
            f'<td class="num rank">{rank}</td><th scope="row">{escape(row.name)}{team}{note}</th>',
            f'<td class="num points">{format_points(row.points)}</td><td class="num wide">{row.games}</td>',
            f'<td class="num">{row.wins}–{row.draws}–{row.losses}</td><td class="wide"><div class="bar">{_bar(row)}</div></td>',
            f'<td class="num">{elo}</td>',
        ]
        if faults:
            cells.append(
                f'<td class="num">{f"<b class=fault>{row.forfeits}</b>" if row.forfeits else ""}</td>'
            )
        return f"<tr>{''.join(cells)}</tr>"

    def _cross_table(self) -> str:
        rows = self.standings.rows
        if len(rows) < 3:
            return ""
        if len(rows) > MAX_CROSS_TABLE:
            return self._by_round()
        meetings: dict[frozenset[str], list[GameEntry]] = {}
        for played in self.standings.games.values():
            meetings.setdefault(frozenset((played.white, played.black)), []).append(played)
        heads = "".join(
            f'<th class="num" scope="col" title="{escape(row.name)}">{rank}</th>'
            for rank, row in enumerate(rows, start=1)
        )
        cells = {
            row.name: "".join(self._cell(row.name, other.name, meetings) for other in rows)
            + f'<td class="num points">{format_points(row.points)}</td>'
            for row in rows
        }
        table = self._grid("cross", heads + '<th class="num">Σ</th>', cells)
        return self._section("cross", "cross_note", f'<div class="scroll" tabindex="0">{table}</div>')

    def _grid(self, kind: str, heads: str, cells: dict[str, str]) -> str:
        """A table with the rank and name of each player before the cells of its row."""
        rows = "".join(
            f'<tr><td class="num rank">{rank}</td><th scope="row">{escape(name)}</th>{row}</tr>'
            for rank, (name, row) in enumerate(cells.items(), start=1)
        )
        head = f"<thead><tr><th></th><th></th>{heads}</tr></thead>"
        return f'<table class="{kind}">{head}<tbody>{rows}</tbody></table>'

    def _cell(self, name: str, other: str, meetings: dict[frozenset[str], list[GameEntry]]) -> str:
        """The points of a player against another; a button that shows their games."""
        if name == other:
            return '<td class="self"></td>'
        scores = [played.points_of(name) for played in meetings.get(frozenset((name, other)), [])]
        points = [score for score in scores if score is not None]
        if not points:
            return '<td class="num"></td>'
        share = sum(points) / len(points)
        kind = "won" if share > 0.5 else "lost" if share < 0.5 else "drawn"
        label = escape(f"{name} – {other}: {format_points(sum(points))}/{len(points)}")
        pair = escape(json.dumps(sorted((name, other))))
        return (
            f'<td class="num {kind}"><button data-pair="{pair}" aria-label="{label}" title="{label}">'
            f"{format_points(sum(points))}</button></td>"
        )

    def _by_round(self) -> str:
        """For a large field: the opponent and the points of each player in each round."""
        rank = {row.name: str(number) for number, row in enumerate(self.standings.rows, start=1)}
        rounds = sorted({game.round for game in self.standings.plan})
        opponents: dict[tuple[str, int], str] = {}
        points: dict[tuple[str, int], float] = {}
        for game in self.standings.plan:
            if game.black is None:
                opponents[game.white, game.round] = self.word("bye")
                points[game.white, game.round] = self.settings.games
            elif (played := self.standings.games.get(game.id)) and played.points is not None:
                for name, other in ((game.white, game.black), (game.black, game.white)):
                    opponents[name, game.round] = rank[other]
                    before = points.get((name, game.round), 0.0)
                    points[name, game.round] = before + (played.points_of(name) or 0.0)
        cells = {
            name: "".join(
                f'<td class="num"><b>{format_points(points[name, number])}</b>'
                f" <small>{escape(opponents[name, number])}</small></td>"
                if (name, number) in opponents
                else "<td></td>"
                for number in rounds
            )
            for name in rank
        }
        heads = "".join(f'<th class="num" scope="col">{number}</th>' for number in rounds)
        table = self._grid("cross rounds", heads, cells)
        return self._section("cross", "", f'<div class="scroll tall" tabindex="0">{table}</div>')

    def _ratings(self) -> str:
        rows = [row for row in self.standings.rows if row.rated]
        if len(rows) < 2:
            return ""
        figure = f'<div class="figure"><h3>Elo</h3>{plot.elo_plot(rows[:MAX_PLOTTED])}</div>'
        return self._section("ratings", "ratings_note", figure)

    # --- games ------------------------------------------------------------------------------

    def _games(self) -> str:
        replays: list[dict[str, Any]] = []
        items = []
        for game in self.standings.plan:
            played = self.standings.games.get(game.id)
            if not played or game.black is None:
                continue
            if len(replays) >= MAX_REPLAYS:
                break
            replay = None if played.reason == DISQUALIFIED else replay_of(pdn_of(self.folder, game.id))
            if replay is None:
                continue
            self.replay_index[game.id] = len(replays)
            replays.append(
                {
                    "w": game.white,
                    "b": game.black,
                    "r": played.result,
                    "why": self._why(played),
                    "art": played.article,
                    "s": replay.start,
                    "t": "|".join(replay.texts),
                    "c": ",".join(replay.changes),
                    "l": ",".join(replay.routes),
                }
            )
            items.append(self._item(len(replays) - 1, game, played))
        if not replays:
            return ""
        data = {
            "letters": SQUARES,
            "places": board.corners(self.book),
            "square": board.layout_of(self.book).square,
            "ply": self.word("ply", number="#", total="%"),
            "games": replays,
        }
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        buttons = "".join(
            f'<button class="step" data-step="{step}" aria-label="{escape(self.word(key))}">'
            f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{shape}"/></svg></button>'
            for step, key, shape in (
                ("first", "begin", "M18 5l-8 7 8 7M6 5v14"),
                ("back", "back", "M15 5l-8 7 8 7"),
                ("play", "play", "M8 5l11 7-11 7z"),
                ("forward", "forward", "M9 5l8 7-8 7"),
                ("last", "end", "M6 5l8 7-8 7M18 5v14"),
            )
        )
        cut = ""
        if len(self.standings.games) > len(replays) >= MAX_REPLAYS:
            cut = f'<p class="note">{escape(self.word("cut", count=MAX_REPLAYS))}</p>'
        stage = board.frame(self.word("board"), '<g class="marks"></g><g class="pieces"></g>')
        inside = (
            f'<noscript><p class="note">{escape(self.word("no_script"))}</p></noscript>{cut}'
            f'<div class="replay" data-testid="replay"><div class="stage">'
            '<p class="seat black"><svg viewBox="0 0 60 60" aria-hidden="true"><use href="#piece-b"/></svg><b></b></p>'
            f'{stage}<p class="seat white"><svg viewBox="0 0 60 60" aria-hidden="true"><use href="#piece-w"/></svg><b></b></p>'
            f'<div class="steps">{buttons}</div>'
            f'<input type="range" class="slider" min="0" value="0" aria-label="{escape(self.word("games"))}">'
            '<p class="caption" aria-live="polite"></p></div>'
            f'<div class="side"><div class="chosen"><span></span><button hidden>{escape(self.word("all_games"))}</button></div>'
            f'<ol class="list">{"".join(items)}</ol><div class="moves"></div></div></div>'
            f'<script type="application/json" id="data">{text}</script>'
        )
        return self._section("games", "", inside)

    def _item(self, number: int, game: Pairing, played: GameEntry) -> str:
        kind = ' class="fault"' if played.offender else ""
        return (
            f'<li><button data-game="{number}"{kind}><small>{game.round}.{game.board}.{game.game}</small>'
            f"<span>{escape(game.white)} <b>{played.result}</b> {escape(game.black or '')}</span>"
            f"<small>{escape(self._why(played))}</small></button></li>"
        )

    def _why(self, played: GameEntry) -> str:
        try:
            return self.word(f"reason.{played.reason}")
        except KeyError:
            return played.reason

    # --- receipts ---------------------------------------------------------------------------

    def _receipts(self) -> str:
        lost = [game for game in self.standings.games.values() if game.receipt]
        if not lost:
            return ""
        parts = [self._receipt(game) for game in lost[:MAX_RECEIPTS]]
        tail = ""
        if parts[VISIBLE_RECEIPTS:]:
            inside = "".join(parts[VISIBLE_RECEIPTS:])
            tail = f'<details class="more"><summary>+ {len(lost) - VISIBLE_RECEIPTS}</summary><div>{inside}</div></details>'
        if len(lost) > MAX_RECEIPTS:
            tail += f'<p class="note">{escape(self.word("in_folder", count=len(lost) - MAX_RECEIPTS))}</p>'
        return self._section("receipts", "receipts_note", "".join(parts[:VISIBLE_RECEIPTS]) + tail)

    def _receipt(self, game: GameEntry) -> str:
        receipt = receipt_of(self.folder, game.receipt) or {}
        name = game.black if game.offender == "black" else game.white
        title = f"{name}: {self._why(game)}" if game.offender else self._why(game)
        raw = _bytes(receipt.get("raw", ""))
        stderr = "" if self.public else str(receipt.get("stderr") or "")[-2000:]
        rows = [
            ("said", f"<pre>{escape(raw)}</pre>" if raw else f"<i>{escape(self.word('nothing'))}</i>"),
            ("nearest", _code(receipt.get("nearest"))),
            ("article", escape(game.article)),
            ("after", f"{receipt['seconds']:.3f} s" if isinstance(receipt.get("seconds"), float) else ""),
            ("tier", escape(str(receipt.get("tier") or ""))),
            ("stderr", f"<pre>{escape(stderr)}</pre>" if stderr else ""),
            ("repeat", _code(f"damas repro {receipt['id']}") if receipt.get("id") else ""),
        ]
        if receipt.get("trace"):
            last = str(receipt["trace"]).strip().splitlines()[-1:]  # the rest names folders of this machine
            rows = [("stderr", f"<pre>{escape(''.join(last)[:500])}</pre>")]
        facts = "".join(f"<dt>{escape(self.word(key))}</dt><dd>{value}</dd>" for key, value in rows if value)
        picture = self._picture(str(receipt.get("fen") or ""))
        watch = ""
        if game.id in self.replay_index:
            watch = f'<button class="watch" data-game="{self.replay_index[game.id]}" data-last>{escape(self.word("games"))} →</button>'
        message = f"<p>{escape(str(receipt['message']))}</p>" if receipt.get("message") else ""
        return (
            f'<details class="receipt"><summary><b>{escape(title)}</b> <small>{escape(game.white)} {game.result} '
            f"{escape(game.black)} · {game.id}</small></summary><div>{picture}<div>{message}<dl>{facts}</dl>{watch}</div></div></details>"
        )

    def _picture(self, fen: str) -> str:
        try:
            return board.picture(Position.from_fen(fen, self.book), fen) if fen else ""
        except DamasError:
            return ""

    # --- frame ------------------------------------------------------------------------------

    def _section(self, key: str, note: str, inside: str) -> str:
        caption = f'<p class="note">{escape(self.word(note))}</p>' if note else ""
        return (
            f'<section class="card" id="{key}"><h2>{escape(self.word(key))}</h2>{caption}{inside}</section>'
        )

    def _footer(self) -> str:
        links = " ".join(
            f'<a href="{name}">{name}</a>' for name in ("games.pdn", "results.json", "games.csv", "table.csv")
        )
        text = self.word("made", version=version("damas"))
        return f"<footer><p>{escape(text)} {links}</p></footer>"


def _asset(name: str) -> str:
    return (files("damas.tournaments.report") / name).read_text(encoding="utf-8")


def _bar(row: Row) -> str:
    """Wins, draws and losses as parts of a bar."""
    counts = {"won": row.wins, "drawn": row.draws, "lost": row.losses}
    return "".join(f'<i class="{kind}" style="flex:{n}"></i>' for kind, n in counts.items() if n)


def _code(value: object) -> str:
    return f"<code>{escape(str(value))}</code>" if value else ""


def _bytes(text: str) -> str:
    """Exact bytes so that each can be told: letters as they are, the rest by their numbers."""
    try:
        raw = base64.b64decode(text)[:2000]
    except ValueError:
        return ""
    return raw.decode("utf-8", "backslashreplace").encode("unicode_escape").decode().replace("\\n", "⏎\n")
