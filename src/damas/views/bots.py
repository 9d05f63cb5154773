"""What programs that play are sent: as JSON lines by a referee, or over HTTP by a server.

docs/reference/bot-protocol.md describes the first, docs/how-to/write-a-bot-over-http.md the second.
"""

from dataclasses import dataclass
from typing import Any

from damas.arbiter import Table
from damas.board import Color
from damas.game import Position
from damas.rules.schema import SECTIONS
from damas.views.outcomes import ClaimView, claim_view
from damas.views.table import ClockView

PROTOCOL = 1
"""Version of the JSON lines."""


# JSON lines


@dataclass(frozen=True, slots=True, kw_only=True)
class HelloView:
    """The greeting, before the first question."""

    type: str = "hello"
    protocol: int = PROTOCOL
    rulebook: str
    color: str
    name: str
    time: dict[str, int]
    """`move_ms` for each move, or `main_ms` and `increment_ms` for the game; empty without a clock."""
    rules: dict[str, Any]
    squares: tuple[str, ...]
    legal: bool


@dataclass(frozen=True, slots=True)
class BotClockView:
    """Milliseconds left; null without a clock."""

    you_ms: int | None
    opponent_ms: int | None


@dataclass(frozen=True, slots=True)
class BotCountView:
    """A draw law that counts."""

    rule: str
    have: int
    """Plies, or moves of the stronger side, or times."""
    need: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """The question for a move."""

    type: str = "move?"
    nonce: str
    ply: int
    """Number of the ply asked for, from 1."""
    fen: str
    board: tuple[tuple[str, ...], ...]
    """Rows from White's side."""
    last: str | None
    moves: tuple[str, ...]
    clock: BotClockView
    counts: tuple[BotCountView, ...]
    legal: tuple[str, ...] | None = None
    refused: str | None = None
    """Why the claim just made was refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndView:
    """The end of the game."""

    type: str = "end"
    result: str
    reason: str
    article: str
    message: str


def hello_view(table: Table, color: Color, name: str, time: dict[str, int], *, legal: bool) -> HelloView:
    """The greeting of a program that plays a color."""
    book = table.book
    return HelloView(
        rulebook=book.id,
        color=color.value,
        name=name,
        time=time,
        rules={each.key: getattr(book, each.key).value for section in SECTIONS.values() for each in section},
        squares=book.square_names,
        legal=legal,
    )


def question_view(
    table: Table, nonce: str, clock: BotClockView, *, legal: bool, refused: str | None
) -> QuestionView:
    """The question for the move of the player to move."""
    moves = tuple(move.text for move in table.game.record.moves)
    return QuestionView(
        nonce=nonce,
        ply=table.ply + 1,
        fen=table.position.fen,
        board=board_rows(table.position),
        last=moves[-1] if moves else None,
        moves=moves,
        clock=clock,
        counts=tuple(
            BotCountView(progress.rule.id, progress.have, progress.need) for progress in table.game.progress()
        ),
        legal=tuple(move.text for move in table.game.legal_moves) if legal else None,
        refused=refused or None,
    )


def board_rows(position: Position) -> tuple[tuple[str, ...], ...]:
    """The rows of the board from White's side: w W b B for pieces, a dot for an empty square.

    >>> board_rows(Position.start("concurso"))[0]
    ('w', '.', 'w', '.', 'w', '.', 'w', '.')
    """
    geometry = position.rulebook.geometry
    rows = [["."] * geometry.size for _ in range(geometry.size)]
    for (row, column), letter in zip(geometry.shown, position.diagram, strict=True):
        rows[row][column] = letter
    return tuple(map(tuple, rows))


# HTTP


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
