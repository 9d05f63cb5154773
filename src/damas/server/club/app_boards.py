"""Boards that are played in the app: their games, and the results that follow from them, also after a restart."""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import Any

from msgspec import structs

from damas.arbiter import Event as GameEvent
from damas.arbiter import Table
from damas.errors import TournamentRefused
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
from damas.tournaments.hall.events import Event, Pair, PlayedInApp, Scored
from damas.tournaments.hall.rounds import Result, Round, winner
from damas.tournaments.hall.state import State

log = logging.getLogger("damas.club")

NO_RESULT = "*"
"""The sign of a game that ended without a result."""
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
        self._boards: dict[str, tuple[str, int, int]] = {}
        """The tournament, round and board of each game that is not over."""
        self._tasks: set[asyncio.Task[None]] = set()
        rooms.services.subscribers.append(self._game_changed)
        tournaments.loaded.append(self.follow)

    async def close(self) -> None:
        """Waits for results that are being entered."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def want(
        self, tournament: Tournament, player: str, visitor: Visitor, number: int, board: int
    ) -> str | None:
        """The id of the game once both players want to play in the app; None while the opponent does not."""
        played, pair = _board(tournament.state, number, board)
        if games := played.app_games.get(board):
            return games[0]
        if board in played.results:
            raise TournamentRefused("reported_late", {"board": board})
        conditions = tournament.state.conditions
        if not conditions.in_app:
            raise TournamentRefused("app_time", {})
        wanting = tournament.wanting.setdefault((number, board), {})
        # Whoever wanted to play here may sit elsewhere now: the round was drafted again.
        for name in wanting.keys() - {pair.first, pair.second}:
            del wanting[name]
        is_known, wanting[player] = player in wanting, visitor.id
        if len(wanting) < 2:
            if not is_known:  # a button that is pressed again and again makes no phone ask again
                tournament.touch()
            return None
        games = self._new_ids(tournament, number, board)
        ids = (wanting[pair.first], wanting[pair.second])
        await self._start(tournament, played, _seats(pair, ids), games[0])
        event = PlayedInApp(number, board, games)

        def events(state: State) -> list[Event]:
            return [] if board in state.round(number).app_games else [event]

        await tournament.add(events, who=player, now_ms=self._rooms.time.wall_ms())
        tournament.wanting.pop((number, board), None)
        self._boards[games[0]] = (tournament.id, number, board)
        return games[0]

    def _new_ids(self, tournament: Tournament, number: int, board: int) -> tuple[str, ...]:
        """The ids of the games of a board: the same again where the server was killed before they were written down."""
        events = (entry.event for entry in tournament.state.entries)
        earlier = sum(
            isinstance(event, PlayedInApp) and (event.round, event.board) == (number, board)
            for event in events
        )
        place = f"{tournament.id}/{number}/{board}/{earlier}"
        return tuple(
            game_id_of(self._signature.derived(f"game:{place}/{game}"))
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
            for board in played.app_games:
                if board not in played.results:
                    self._do(self._settle(tournament, played.number, board))

    def _game_changed(self, room: Room) -> None:
        place = self._boards.get(room.id)
        if place and room.head.status not in ("waiting", "playing"):
            del self._boards[room.id]
            self._do(self._settle_at(*place))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _settle_at(self, tournament_id: str, number: int, board: int) -> None:
        await self._settle(await self._tournaments.find(tournament_id), number, board)

    async def _settle(self, tournament: Tournament, number: int, board: int) -> None:
        """Enters the result if all games of a board are over, or leaves it to the desk; begins its next game if only the
        last one is over.
        """
        try:
            played, pair = _board(tournament.state, number, board)
            if board in played.results:  # the desk was quicker
                return
            signs = await self._signs(tournament, number, board)
            if signs is None:
                return
            games = played.app_games[board]
            is_tie = played.phase == "knockout" and not winner(pair, Result(signs))
            if is_tie or NO_RESULT in signs:
                tournament.undecided[games[0]] = signs
                tournament.touch()
                return

            def events(state: State) -> list[Event]:
                return [] if board in state.round(number).results else [Scored(number, board, signs)]

            now_ms = self._rooms.time.wall_ms()
            await tournament.add(events, who=WHO, client_id=f"app:{games[-1]}", now_ms=now_ms)
        except (
            TournamentRefused,
            StoreError,
            DamagedGame,
            ApiError,
        ) as error:  # it is tried again when it is loaded again
            log.warning("the result of a board in the app could not be entered: %s", error)

    async def _signs(self, tournament: Tournament, number: int, board: int) -> str | None:
        """The signs of the games, for the player named first, up to one without a result; None while one is missing."""
        played, _ = _board(tournament.state, number, board)
        signs = ""
        before: GameRow | None = None
        games = played.app_games.get(board, ())
        for place, game in enumerate(games):
            head = await self._rooms.store.games.head(game)
            if head is None and before is not None:
                seats = Seats.of(before)
                ends = [await self._time_left(each) for each in games[:place]]
                events = first_events(tournament.state.conditions, ends)
                self._boards[game] = (tournament.id, number, board)
                await self._start(
                    tournament, played, Seats(seats.black, seats.white), game, events, before.id
                )
                if room := self._rooms.in_memory(before.id):
                    room.lead_on(game)
                return None
            if head is None or head.status in ("waiting", "playing"):
                self._boards[game] = (tournament.id, number, board)
                return None
            if head.result not in SIGNS:
                return signs + NO_RESULT
            signs += SIGNS[head.result][place % 2]
            before = head
        return signs or None

    async def _time_left(self, game: str) -> tuple[int, int]:
        """What White and Black had left at the end of a game, in milliseconds; 0 where time is not limited."""
        _, rows = await self._rooms.store.games.history(game)
        return rows[-1].white_ms or 0, rows[-1].black_ms or 0


def _board(state: State, number: int, board: int) -> tuple[Round, Pair]:
    played = state.round(number)
    pair = played.pair_at(board)
    if pair is None:
        raise TournamentRefused("no_board", {"board": board, "boards": len(played.pairs)})
    return played, pair


def _seats(pair: Pair, ids: tuple[str, str]) -> Seats:
    seat = Seat(ids[0], pair.first, "person")
    return Seats(seat, replace(seat, id=ids[1], name=pair.second))


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
