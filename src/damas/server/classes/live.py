"""A class as it is now, for its teacher and for each pupil, again and again while a page is open."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import suppress
from typing import Any

from damas.arbiter.conduct import register, totals
from damas.board import Color
from damas.game import Position
from damas.rules.library import edition
from damas.server.classes.homework import tasks_of
from damas.server.rooms.outages import is_held
from damas.server.rooms.room import Room
from damas.server.rooms.rooms import Rooms
from damas.server.rooms.seats import Seats
from damas.server.security.visitors import Signature
from damas.server.store import Store
from damas.server.store.rows import GameRow, Pupil, SchoolClass
from damas.views import plain
from damas.views.classes import ClassBoardView, ClassPupilView, ClassTermsView, ClassView, PupilView

SETTLING_S = 0.3
"""Changes within this time are sent together."""
RECHECK_S = 15.0
"""A class is looked at again after this time: another process may have changed it."""
LAST_GAMES = 200
"""The newest games of a class, among which the last of each pupil is shown: a year has thousands."""


class Live:
    """The classes that pages follow now."""

    def __init__(self, store: Store, rooms: Rooms, signature: Signature) -> None:
        self._store = store
        self._rooms = rooms
        self._signature = signature
        self._news: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        """Set when a class changes, one for each page that follows it."""
        self._here: Counter[str] = Counter()
        """Open pages of each pupil, besides games."""

    def changed(self, class_id: str) -> None:
        """Something has changed in a class: its pages are told."""
        for news in self._news.get(class_id, ()):
            news.set()

    def here(self, pupils: Collection[str]) -> set[str]:
        """Those of some pupils who have a page open."""
        present = {pupil for pupil in pupils if self._here[pupil]}
        for room in self._rooms:
            present |= {room.seats[side].id or "" for side in Color if room.audience.holds(side)} & set(
                pupils
            )
        return present

    # For the teacher

    async def view(self, class_id: str) -> ClassView | None:
        """The class as its teacher is shown it; None if it is gone."""
        school_class = await self._store.classes.get(class_id)
        if school_class is None:
            return None
        pupils = await self._store.classes.pupils(class_id)
        shown = await self._last_games(school_class, {pupil.id for pupil in pupils})
        names = {pupil.id: pupil.name for pupil in pupils}
        here = self.here(names)
        playing = {
            person: head.id
            for head in shown
            if head.status == "playing"
            for person in (head.white_id, head.black_id)
        }
        return ClassView(
            id=school_class.id,
            title=school_class.title,
            code=school_class.code,
            terms=ClassTermsView(school_class.rulebook, school_class.preset, school_class.time_control),
            chat=school_class.chat,
            held=school_class.held,
            notice=school_class.notice,
            pupils=[
                ClassPupilView(pupil.id, pupil.number, pupil.name, pupil.id in here, playing.get(pupil.id))
                for pupil in pupils
            ],
            boards=[self._board(head, names) for head in shown],
        )

    async def _last_games(self, school_class: SchoolClass, pupils: set[str]) -> list[GameRow]:
        """The last game of each pupil in the class, in the order in which they were started."""
        classes = self._store.classes
        newest = await classes.games(school_class.id, most=LAST_GAMES)
        games = dict.fromkeys([*await classes.games(school_class.id, playing=True), *newest])
        heads = await self._store.games.heads(list(games))
        shown, seen = [], set[str]()
        for game in games:
            if head := heads.get(game):
                players = {head.white_id or "", head.black_id or ""} & pupils
                if head.status == "playing" or (players and not players & seen):
                    shown.append(head)
                seen |= players
        return sorted(shown, key=lambda head: (head.created_ms, head.id))

    def _board(self, head: GameRow, names: dict[str, str]) -> ClassBoardView:
        seats, room = Seats.of(head), self._rooms.in_memory(head.id)
        table = room.table if room else None
        if table:
            awaited, move, counts = table.awaited.value, table.move_number, totals(register(table))
        else:
            position = Position.from_fen(head.fen, edition(head.rulebook, head.rulebook_hash))
            awaited, move, counts = position.turn.value, head.plies // 2 + 1, {}
        return ClassBoardView(
            id=head.id,
            key=self._signature.arbiter_key(head.id),
            white=names.get(seats.white.id or "", seats.white.name),
            black=names.get(seats.black.id or "", seats.black.name),
            status=room.head.status if room else head.status,
            result=room.head.result if room else head.result,
            rulebook=head.rulebook,
            fen=room.head.fen if room else head.fen,
            move=move,
            awaited=awaited,
            held=is_held(table) if table else False,
            calls=sorted(side.value for side in table.calls) if table else [],
            irregularities={side.value: counts[side].total() if side in counts else 0 for side in Color},
            clocks=room.audience.clocks() if room else None,
        )

    async def watch_class(self, class_id: str, teacher: str) -> AsyncIterator[dict[str, Any]]:
        """The class now, and whenever it has changed; it ends when the class is gone or the teacher no longer teaches it."""

        async def persons() -> set[str]:
            return {pupil.id for pupil in await self._store.classes.pupils(class_id)}

        async def view() -> ClassView | None:
            return await self.view(class_id) if await self._store.classes.teaches(class_id, teacher) else None

        async for shown in self._watch(class_id, persons, view):
            yield shown

    # For a pupil

    async def pupil_view(self, pupil_id: str, language: str) -> PupilView | None:
        """The class as a pupil is shown it; None if the pupil was removed."""
        found = (await self._store.classes.class_of([pupil_id])).get(pupil_id)
        if found is None:
            return None
        school_class, pupil = found
        pupils = await self._store.classes.pupils(school_class.id)
        names = {each.id: each.name for each in pupils}
        games = await self._store.classes.games(school_class.id, playing=True)
        heads = await self._store.games.heads(games)
        game = next((head for each in games if (head := heads.get(each)) and _plays(head, pupil_id)), None)
        other = "" if game is None else _other(game, pupil_id)
        return PupilView(
            title=school_class.title,
            name=pupil.name,
            number=pupil.number,
            held=school_class.held,
            notice=school_class.notice,
            game=game.id if game else None,
            opponent=names.get(other, ""),
            mates=[each.name for each in pupils if each.id != pupil_id],
            tasks=await tasks_of(self._store, school_class, pupil, language),
        )

    async def watch_pupil(self, pupil: str, class_id: str, language: str) -> AsyncIterator[dict[str, Any]]:
        """The same now, and whenever it has changed. The pupil is here as long."""
        self._here[pupil] += 1
        self.changed(class_id)

        async def persons() -> set[str]:
            return {pupil}

        try:
            async for view in self._watch(class_id, persons, lambda: self.pupil_view(pupil, language)):
                yield view
        finally:
            self._here[pupil] -= 1
            self.changed(class_id)

    async def _watch(
        self,
        class_id: str,
        persons: Callable[[], Awaitable[set[str]]],
        view: Callable[[], Awaitable[ClassView | PupilView | None]],
    ) -> AsyncIterator[dict[str, Any]]:
        news, followed = asyncio.Event(), set[str]()
        sent: Any = None
        subscribers = self._rooms.services.subscribers

        def notice(room: Room) -> None:
            if {room.seats.white.id, room.seats.black.id} & followed:
                news.set()

        self._news[class_id].add(news)
        subscribers.append(notice)
        try:
            while True:
                news.clear()
                followed |= await persons()
                shown = plain(await view())
                if shown is None:
                    return
                # A running clock alone is no change: the page counts it down.
                still = {**shown, "boards": [{**board, "clocks": None} for board in shown.get("boards", ())]}
                if still != sent:
                    sent = still
                    yield shown
                await asyncio.sleep(SETTLING_S)
                with suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), RECHECK_S)
        finally:
            subscribers.remove(notice)
            self._news[class_id].discard(news)
            if not self._news[class_id]:
                del self._news[class_id]


def _plays(head: GameRow, pupil: str) -> bool:
    return head.status == "playing" and pupil in (head.white_id, head.black_id)


def _other(head: GameRow, pupil: str) -> str:
    return (head.black_id if head.white_id == pupil else head.white_id) or ""


def real_names(
    head: GameRow, pupils: dict[str, tuple[SchoolClass, Pupil]], classes: Collection[str]
) -> dict[str, str]:
    """The real names of a game's players, by side: those of pupils whose class is among these."""
    names = {}
    for side, person in (("white", head.white_id), ("black", head.black_id)):
        if person in pupils and pupils[person][0].id in classes:
            names[side] = pupils[person][1].name
    return names
