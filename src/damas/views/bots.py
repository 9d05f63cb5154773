"""What programs that play over HTTP are sent; docs/how-to/write-a-bot-over-http.md describes it."""

from dataclasses import dataclass
from typing import Any

from damas.arbiter import Table
from damas.board import Color
from damas.views.outcomes import ClaimView, claim_view
from damas.views.table import ClockView


@dataclass(frozen=True, slots=True)
class StreamClockView(ClockView):
    """The clocks, and the server's time for which they hold."""

    serverMs: int  # noqa: N815 - the API is shaped like that of lichess


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStateView:
    """What changes with every event of a game."""

    type: str = "gameState"
    seq: int
    ply: int
    moves: tuple[str, ...]
    fen: str
    turn: str
    legal: tuple[str, ...]
    claimable: tuple[ClaimView, ...]
    clocks: StreamClockView
    wtime: int | None
    btime: int | None
    wdraw: bool
    bdraw: bool
    wtakeback: bool
    btakeback: bool
    status: str
    """created, started, finished or aborted."""
    more: dict[str, Any]
    """How the game ended, once it has: winner, termination, article, articleId, result, certificate, message."""


def game_state_view(
    table: Table,
    clocks: ClockView,
    *,
    seq: int,
    status: str,
    server_ms: int,
    language: str,
    ending: dict[str, Any],
) -> GameStateView:
    """The state of a game from its table, clocks and stored status; `ending` says how it ended, once it has."""
    return GameStateView(
        seq=seq,
        ply=table.ply,
        moves=tuple(move.text for stretch in table.stretches for move in stretch.game.record.moves),
        fen=table.position.fen,
        turn=table.to_move.value,
        legal=tuple(move.text for move in table.playable) if status == "playing" else (),
        claimable=tuple(claim_view(claim, language) for claim in table.claims_open()),
        clocks=StreamClockView(clocks.white, clocks.black, clocks.running, server_ms),
        wtime=clocks.white,
        btime=clocks.black,
        wdraw=table.offer is Color.WHITE,
        bdraw=table.offer is Color.BLACK,
        wtakeback=table.take_back is Color.WHITE,
        btakeback=table.take_back is Color.BLACK,
        status={"waiting": "created", "playing": "started", "over": "finished"}.get(status, status),
        more=ending,
    )
