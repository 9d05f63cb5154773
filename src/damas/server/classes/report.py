"""What the pupils of a class have done: irregularities by article, refused moves, lessons, puzzles, homework; also as CSV."""

import asyncio
import csv
import io
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from damas.arbiter import Moved, Refused
from damas.arbiter.conduct import register
from damas.arbiter.ledger import table_of
from damas.judging.history import article_words
from damas.server.classes.homework import Learnt, homework_views, learnt_by
from damas.server.rooms.seats import Seats
from damas.server.store import Store
from damas.server.store.errors import DamagedGame
from damas.server.store.rows import EventRow, GameRow, SchoolClass
from damas.server.words import Words
from damas.tournaments.cells import format_cell
from damas.views.classes import ArticleCountView, ClassReportView, PupilReportView

MAX_GAMES = 400
"""Games of a class whose registers are read, newest first."""


@dataclass
class Conduct:
    """What one player did at the board in some games."""

    articles: Counter[str] = field(default_factory=Counter)
    refused: int = 0


Entries = list[tuple[str, str, bool]]
"""Side, article in words, and whether it was a refused move, of each entry of a register."""


class Reports:
    """Reads the registers of games; those of a game that has not changed are read once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: dict[tuple[str, str], tuple[str, Entries]] = {}
        """By game and language: the chain up to which a register was read, and the register."""

    async def report(self, school_class: SchoolClass, language: str) -> ClassReportView:
        """What every pupil has done."""
        pupils = await self._store.classes.pupils(school_class.id)
        ids = [pupil.id for pupil in pupils]
        conduct = await self._conduct(ids, language)
        learnt = await learnt_by(self._store, ids)
        given = await self._store.classes.homework(school_class.id)
        views = []
        for pupil in pupils:
            did, at_board = learnt.get(pupil.id, Learnt()), conduct[pupil.id]
            articles = sorted(at_board.articles.items())
            views.append(
                PupilReportView(
                    pupil.id,
                    pupil.number,
                    pupil.name,
                    [ArticleCountView(article, count) for article, count in articles],
                    at_board.refused,
                    len(did.lessons),
                    len(did.puzzles),
                    sum(did.has_done(each) for each in given),
                )
            )
        return ClassReportView(views, homework_views(given, learnt, language))

    async def _conduct(self, pupils: list[str], language: str) -> defaultdict[str, Conduct]:
        conduct: defaultdict[str, Conduct] = defaultdict(Conduct)
        for game in await self._store.classes.irregular_games(pupils, MAX_GAMES):
            try:
                head, rows = await self._store.games.history(game)
            except DamagedGame:
                continue
            seats = Seats.of(head)
            players = {"white": seats.white.id or "", "black": seats.black.id or ""}
            for side, article, is_move in await self._register(head, rows, language):
                conduct[players[side]].articles[article] += 1
                conduct[players[side]].refused += is_move
        return conduct

    async def _register(self, head: GameRow, rows: list[EventRow], language: str) -> Entries:
        chain, entries = self._read.get((head.id, language), ("", []))
        if chain != head.chain:
            entries = await asyncio.to_thread(_entries, [row.data for row in rows], language)
            if len(self._read) >= MAX_GAMES:
                self._read.clear()
            self._read[head.id, language] = head.chain, entries
        return entries


def _entries(events: list[str], language: str) -> Entries:
    table = table_of(events)
    return [
        (
            entry.by.value,
            article_words(entry.article, table, language),
            isinstance(entry.event, Refused) and isinstance(entry.event.attempt, Moved),
        )
        for entry in register(table)
    ]


def as_csv(report: ClassReportView, language: str) -> bytes:
    """The report for a spreadsheet: with the separator that it expects in the language, and no formulas."""
    words, file = Words(), io.StringIO()
    writer = csv.writer(file, delimiter="," if language == "en" else ";", lineterminator="\r\n")
    titles = ("number", "name", "irregularities", "refused", "lessons", "puzzles", "homework")
    writer.writerow([words.say(f"school.column.{title}", language) for title in titles])
    for pupil in report.pupils:
        irregular = "; ".join(f"{each.article or '–'}: {each.count}" for each in pupil.irregularities)
        facts = (pupil.refused, pupil.lessons, pupil.puzzles, pupil.homework)
        writer.writerow([pupil.number, format_cell(pupil.name), format_cell(irregular), *facts])
    return file.getvalue().encode("utf-8-sig")
