"""Boards that are played in the app: their games, and the results that follow from them, also after a restart."""

import asyncio
import logging
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import structs

from damas.arbiter import Event as GameEvent
from damas.arbiter import Table
from damas.errors import DamagedTournament, TournamentRefused
from damas.server.club.encounter_clock import first_events
from damas.server.club.tournament import Tournament
from damas.server.club.tournaments import Tournaments
from damas.server.rooms.new_game import NewGame, OnOneDevice, game_id_of
from damas.server.rooms.room import Room
from damas.server.rooms.rooms import Rooms
from damas.server.rooms.seats import Seat, Seats
from damas.server.security.errors import ApiError
from damas.server.security.visitors import Signature, Visitor
from damas.server.store.errors import DamagedGame, StoreError
from damas.server.store.rows import GameRow
from damas.tournaments.hall.events import Event, Pair, Place, PlayedInApp, Scored
from damas.tournaments.hall.rounds import Result, Round, winner
from damas.tournaments.hall.state import State

log = logging.getLogger("damas.club")

NO_RESULT = "*"
"""The sign of a game that ended without a result."""
TAKE_UP_MS = 2 * 24 * 3600 * 1000
"""Boards of tournaments that changed within this time go on after a start by themselves."""
MAX_TAKEN_UP = 50
"""Tournaments that are loaded after a start; the others are when somebody opens them."""
WHO = "damas"
"""Who enters the result of a game in the app."""
SIGNS = {"1-0": ("1", "0"), "0-1": ("0", "1"), "1/2-1/2": ("=", "=")}
"""The sign of a game for White and for Black."""


class AppBoards:
    """Opened after the rooms and closed before them."""

    def __init__(self, tournaments: Tournaments, rooms: Rooms, signature: Signature) -> None:
        self._tournaments = tournaments
        self._rooms = rooms
        self._signature = signature
        self._boards: dict[str, tuple[str, int, Place]] = {}
        """The tournament, round and board of each game that is not over."""
        self._tasks: set[asyncio.Task[None]] = set()
        rooms.services.subscribers.append(self._game_changed)
        tournaments.loaded.append(self.follow)
        self._do(self._take_up())

    async def _take_up(self) -> None:
        """Loads the tournaments of the last days after a start, so that their boards go on though nobody looks at them."""
        since_ms = self._rooms.time.wall_ms() - TAKE_UP_MS
        try:
            for head in await self._tournaments.latest(MAX_TAKEN_UP):
                if head.updated_ms >= since_ms:
                    with suppress(ApiError, DamagedTournament):
                        await self._tournaments.find(head.id)
        except StoreError as error:
            log.warning("tournaments were not taken up after the start: %s", error)

    async def close(self) -> None:
        """Waits for results that are being entered."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def want(
        self, tournament: Tournament, player: str, visitor: Visitor, number: int, place: Place
    ) -> str | None:
        """The id of the game once both players want to play in the app; None while the opponent does not."""
        played, seats = _board(tournament.state, number, place)
        if games := played.app_games.get(place):
            return games[0]
        if played.signs_at(place):
            raise TournamentRefused("reported_late", {"board": str(place)})
        conditions = tournament.state.conditions
        if not conditions.in_app:
            raise TournamentRefused("app_time", {})
        wanting = tournament.wanting.setdefault((number, place), {})
        # Whoever wanted to play here may sit elsewhere now: the round was drafted again.
        for name in wanting.keys() - {seats.first, seats.second}:
            del wanting[name]
        is_known, wanting[player] = player in wanting, visitor.id
        if len(wanting) < 2:
            if not is_known:  # a button that is pressed again and again makes no phone ask again
                tournament.touch()
            return None
        games = self._new_ids(tournament, number, place)
        await self._start(tournament, played, _seats(seats, place, wanting), games[0])
        event = PlayedInApp(number, place.board, games, place.match_board)

        def events(state: State) -> list[Event]:
            now, there = _board(state, number, place)
            # While the game was opened the round was drafted again, or a team was lined up again.
            if there != seats:
                raise ApiError(403, "FORBIDDEN")
            return [] if place in now.app_games else [event]

        await tournament.add(events, who=player, now_ms=self._rooms.time.wall_ms())
        tournament.wanting.pop((number, place), None)
        self._boards[games[0]] = (tournament.id, number, place)
        return games[0]

    def _new_ids(self, tournament: Tournament, number: int, place: Place) -> tuple[str, ...]:
        """The ids of the games of a board: the same again where the server was killed before they were written down."""
        events = (entry.event for entry in tournament.state.entries)
        earlier = sum(
            isinstance(event, PlayedInApp) and (event.round, event.place) == (number, place)
            for event in events
        )
        name = f"{tournament.id}/{number}/{place}/{earlier}"
        return tuple(
            game_id_of(self._signature.derived(f"game:{name}/{game}"))
            for game in range(tournament.state.conditions.games)
        )

    async def _start(
        self,
        tournament: Tournament,
        played: Round,
        seats: Seats,
        game: str,
        events: Sequence[GameEvent] = (),
        previous: str | None = None,
    ) -> None:
        """Opens a game with its first events, after another one; nothing happens if it exists."""
        conditions = tournament.state.conditions
        wanted = NewGame(
            conditions.rulebook,
            OnOneDevice(),
            "white",
            time=conditions.control or "none",
            preset="club",
            fen=_position_after(played.ballot, conditions.rulebook),
            public=tournament.head.public,
        )
        words, now_ms = self._rooms.services.words, self._rooms.time.wall_ms()
        head = wanted.head(
            Visitor(seats.white.id or "", seats.white.name), None, words, "en", now_ms, played_as=game
        )
        await self._rooms.open_game(structs.replace(head, previous=previous, **seats.columns), events)

    # Results

    def follow(self, tournament: Tournament) -> None:
        """Looks at the boards without a result of a tournament that was loaded or corrected: games may be over already."""
        for played in tournament.state.rounds:
            for place in played.app_games:
                if not played.signs_at(place):
                    self._do(self._settle(tournament, played.number, place))

    def _game_changed(self, room: Room) -> None:
        board = self._boards.get(room.id)
        if board and room.head.status not in ("waiting", "playing"):
            del self._boards[room.id]
            self._do(self._settle_at(*board))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _settle_at(self, tournament_id: str, number: int, place: Place) -> None:
        await self._settle(await self._tournaments.find(tournament_id), number, place)

    async def _settle(self, tournament: Tournament, number: int, place: Place) -> None:
        """Enters the result if all games of a board are over, or leaves it to the desk; begins its next game if only the
        last one is over.
        """
        try:
            played, seats = _board(tournament.state, number, place)
            if played.signs_at(place):  # the desk was quicker
                return
            signs = await self._signs(tournament, number, place)
            if signs is None:
                return
            games = played.app_games[place]
            is_tie = played.phase == "knockout" and not winner(seats, Result(signs))
            if is_tie or NO_RESULT in signs:
                tournament.undecided[games[0]] = signs
                tournament.touch()
                return

            def events(state: State) -> list[Event]:
                known = state.round(number).signs_at(place)
                return [] if known else [Scored(number, place.board, signs, match_board=place.match_board)]

            now_ms = self._rooms.time.wall_ms()
            await tournament.add(events, who=WHO, client_id=f"app:{games[-1]}", now_ms=now_ms)
        except (
            TournamentRefused,
            StoreError,
            DamagedGame,
            ApiError,
        ) as error:  # it is tried again when it is loaded again
            log.warning("the result of a board in the app could not be entered: %s", error)

    async def _signs(self, tournament: Tournament, number: int, place: Place) -> str | None:
        """The signs of the games, for the player named first, up to one without a result; None while one is missing."""
        played, _ = _board(tournament.state, number, place)
        signs = ""
        before: GameRow | None = None
        games = played.app_games.get(place, ())
        for count, game in enumerate(games):
            head = await self._rooms.store.games.head(game)
            if head is None and before is not None:
                seats = Seats.of(before)
                ends = [await self._time_left(each) for each in games[:count]]
                events = first_events(tournament.state.conditions, ends)
                self._boards[game] = (tournament.id, number, place)
                await self._start(
                    tournament, played, Seats(seats.black, seats.white), game, events, before.id
                )
                if room := self._rooms.in_memory(before.id):
                    room.lead_on(game)
                return None
            if head is None or head.status in ("waiting", "playing"):
                self._boards[game] = (tournament.id, number, place)
                return None
            if head.result not in SIGNS:
                return signs + NO_RESULT
            first_has_white = (count % 2 == 0) == place.first_has_white
            signs += SIGNS[head.result][0 if first_has_white else 1]
            before = head
        return signs or None

    async def _time_left(self, game: str) -> tuple[int, int]:
        """What White and Black had left at the end of a game, in milliseconds; 0 where time is not limited."""
        _, rows = await self._rooms.store.games.history(game)
        return rows[-1].white_ms or 0, rows[-1].black_ms or 0


def _board(state: State, number: int, place: Place) -> tuple[Round, Pair]:
    """A round and who sits at a board of it; raises `TournamentRefused`."""
    played = state.round(number)
    seats = played.seats_at(place)
    if seats is None:
        raise TournamentRefused("no_board", {"board": str(place), "boards": len(played.pairs)})
    return played, seats


def _seats(pair: Pair, place: Place, ids: Mapping[str, str]) -> Seats:
    """The seats of the first game, by the visitors who want to play it."""
    one, other = (Seat(ids[name], name, "person") for name in (pair.first, pair.second))
    return Seats(one, other) if place.first_has_white else Seats(other, one)


def _position_after(opening: str, book: str) -> str | None:
    """The position after an opening, as `damas.openings.opening_moves` writes it; None for the first position."""
    if not opening:
        return None
    first, *moves = opening.split()
    fen = first if ":" in first else None
    table = Table.start(book, "casual", fen=fen)
    for ply, move in enumerate(moves if fen else (first, *moves), start=1):
        table = table.play(move, at=ply)
    return table.position.fen
