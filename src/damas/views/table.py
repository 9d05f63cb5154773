"""A table of the arbiter: a game that is being played, with its clocks, offers and claims.

The rules are asked here, never decided: what may be played, what is counted, what can be claimed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from damas.arbiter import Corrected, OpenClaim, ProcedureRefused, Table
from damas.arbiter.conduct import register, registers, reportable, whole_capture
from damas.arbiter.procedures.time import gifts_left, gives_time
from damas.arbiter.table import Stretch
from damas.board import Color
from damas.errors import DamasError, IllegalMove, NotationError, Refusal
from damas.judging.history import stages
from damas.language import language_of
from damas.rules.articles import cite_topic
from damas.views.boards import GameView, last_move, position_fields
from damas.views.errors import RefusalView, refusal_view
from damas.views.moves import BoardMoveView, alternatives, board_moves
from damas.views.outcomes import ClaimView, claim_view, color_name, count_view, outcome_view
from damas.views.over_the_board import (
    ConductView,
    CrowningView,
    LiftingView,
    NewsView,
    RegisterView,
    conduct_views,
    crowning_view,
    lifting_view,
    news_views,
    register_view,
    standing_pieces,
)
from damas.views.words import article_text


@dataclass(frozen=True, slots=True)
class ClockView:
    """Milliseconds that each side has left (null without a clock), and whose time runs."""

    white: int | None
    black: int | None
    running: str | None


@dataclass(frozen=True, slots=True)
class PlayedMoveView:
    """A move of the score sheet and what it left on the player's clock."""

    text: str
    by: str
    number: int
    """Its number on the score sheet; both moves of a pair have the same."""
    clock_ms: int | None
    unfinished: bool
    """Whether it is a capture that stopped early and was accepted so."""
    start: str | None
    """FEN of the position before it, if that was set up: by the arbiter, or by an accepted unfinished capture."""


@dataclass(frozen=True, slots=True)
class UnfinishedView:
    """A capture that stopped early."""

    by: str
    move: str
    route: tuple[int, ...]
    demanded: bool
    """Whether the opponent demands that it be completed."""
    article: str
    """The article that asks for the whole capture, as a sentence cites it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView(GameView):
    """A game that is being played, as boards show it."""

    moves: Sequence[PlayedMoveView]
    to_move: str
    awaited: str
    """The side that has to do something: move, or answer for an unfinished capture."""
    claims: Sequence[ClaimView]
    offer: str | None
    """The side that offers a draw."""
    take_back: str | None
    """The side that asks to take a move back."""
    touched: str | None
    """The square of the piece that must be moved."""
    touched_square: int | None
    adjusting: Sequence[str]
    unfinished: UnfinishedView | None
    lifting: LiftingView | None
    crowning: CrowningView | None
    conduct: Sequence[ConductView]
    """What a player may report of the opponent."""
    register: RegisterView
    news: Sequence[NewsView]
    """The latest claims, irregularities and interventions, for everybody at the table."""
    absent: dict[str, int]
    """Milliseconds since each absent side left."""
    calls: Sequence[str]
    """Players who have called the arbiter and wait."""
    clocks: ClockView
    suspended: bool
    hints: bool
    """Whether a board may show what can be played."""
    touch_move: bool
    preset: str
    time: str
    can: Sequence[str]
    """What players may do now, whichever seat they have."""
    corrected: bool
    """Whether the arbiter has set the position on the board and nobody has moved since."""
    waiting: bool
    """Whether the second player has not come yet."""


def table_view(
    table: Table, language: str, now: int | None = None, moves: Sequence[Any] | None = None
) -> TableView:
    """A table at the time `now` (that of the last event if not given).

    `moves` are the views of the moves so far, where somebody keeps them; otherwise they are put together from the events.
    """
    now = table.now if now is None else max(now, table.now)
    language = language_of(table.book.id, language)
    record = table.game.record
    claims, conduct = table.claims_open(), conduct_views(table, language)
    touched, entries = table.touched, register(table)
    board = position_fields(record.position, table.game.legal_moves if table.crowning else table.playable)
    return TableView(
        **board | {"pieces": standing_pieces(table, board["pieces"])},
        ply=table.ply,
        last=last_move(record.move(record.length)) if record.length else None,
        moves=list(played_moves(table, time_left(table))) if moves is None else moves,
        to_move=table.to_move.value,
        awaited=table.awaited.value,
        counts=[count_view(count, language) for count in table.progress()],
        claims=[claim_view(claim, language) for claim in claims],
        offer=color_name(table.offer),
        take_back=color_name(table.take_back),
        touched=touched,
        touched_square=table.book.square_names.index(touched) if touched else None,
        adjusting=sorted([side.value for side in table.adjusting]),
        unfinished=_unfinished_view(table, language),
        lifting=lifting_view(table),
        crowning=crowning_view(table),
        conduct=conduct,
        register=register_view(entries, table, language),
        news=news_views(entries, table, language),
        calls=sorted([side.value for side in table.calls]),
        absent={side.value: now - since for side, since in table.absent.items()},
        outcome=outcome_view(table.outcome, language),
        clocks=clock_view(table, now),
        suspended=table.suspended,
        hints=table.hints_allowed,
        touch_move=table.touch_move,
        preset=table.regulation.id,
        time=str(table.regulation.time_control),
        can=can(table, claims, conduct),
        corrected=_is_corrected(table),
        waiting=False,
    )


def played_move(stretch: Stretch, ply: int, clock_ms: int | None, *, set_up: bool = False) -> PlayedMoveView:
    """The move of a ply, and what it left on the clock; `set_up`: the stretch starts from a position that was set up."""
    record = stretch.game.record
    start = record.start.fen if set_up and ply == 1 else None
    text, by, number = record.move(ply).text, record.mover(ply).value, stretch.move_number(ply)
    return PlayedMoveView(text, by, number, clock_ms, False, start)


def played_moves(table: Table, left: Sequence[int | None]) -> Iterator[PlayedMoveView]:
    """The moves of the game as it stands. A capture that was accepted unfinished was a turn as well."""
    before: Stretch | None = None
    for stretch in table.stretches:
        if before and stretch.broken_off:
            record = before.game.record
            number, by = before.move_number(record.length + 1), record.position.turn.value
            yield PlayedMoveView(stretch.broken_off, by, number, None, unfinished=True, start=None)
        for ply in range(1, stretch.game.record.length + 1):
            at = stretch.ply + ply - 1
            yield played_move(stretch, ply, left[at] if at < len(left) else None, set_up=before is not None)
        before = stretch


def _unfinished_view(table: Table, language: str) -> UnfinishedView | None:
    chain = table.chain
    if chain is None:
        return None
    article = whole_capture(table, chain.route[0]).sentence(language)
    return UnfinishedView(chain.by.value, chain.move, chain.route, chain.demanded, article)


def _is_corrected(table: Table) -> bool:
    """Whether the position on the board was set by the arbiter and nobody has moved since."""
    return isinstance(table.stretches[-1].begun_by, Corrected) and not table.game.record.length


def time_left(table: Table) -> list[int | None]:
    """What each ply of the game as it stands left on the clock of the player who made it."""
    if table.regulation.time_control.budget is None:
        return []
    left: list[int | None] = []
    for _, before, after in stages(table):
        note_time(left, before, after)
    return left


def note_time(left: list[int | None], before: Table, after: Table) -> None:
    """Continues the list of `time_left` from one table to the next."""
    ply = after.ply
    if ply > before.ply:
        left += [None] * (ply - 1 - len(left))
        left.append(after.clocks.side(before.to_move).remaining)
    del left[ply:]


def clock_view(table: Table, now: int) -> ClockView:
    """The clocks at a moment of the game's time."""
    clocks, now = table.clocks, max(now, table.now)
    white, black = clocks.remaining(Color.WHITE, now), clocks.remaining(Color.BLACK, now)
    return ClockView(white, black, color_name(clocks.running))


def can(
    table: Table,
    claims: Sequence[OpenClaim] | None = None,
    conduct: Sequence[ConductView] | None = None,
) -> list[str]:
    """What people may do at this table now, whichever seat they have. The arbiter still decides on each attempt."""
    if table.outcome or table.suspended:
        return []
    claimed = [claim.kind for claim in (table.claims_open() if claims is None else claims)]
    rules, chain, offer, take_back = table.regulation, table.chain, table.offer, table.take_back
    waits = chain is not None and not chain.demanded
    touch_move = table.touch_move
    allowed = {
        "move": table.playable,
        "resign": True,
        "offer": offer is None
        and table.move_number >= rules.offers_from_move
        and rules.agreement_under(table.book),
        "accept": offer or waits,
        "decline": offer,
        "withdraw": offer,
        "claim": "claim" in claimed,
        "attention": "attention" in claimed,
        "take_back": rules.take_back and take_back is None and table.game.record.length > 0 and not waits,
        "grant": take_back,
        "refuse": take_back,
        "abort": table.ply < rules.abort_before_ply,
        "absence": table.absent,
        "touch": touch_move,
        "adjust": touch_move,
        "press": rules.clock_stopped_by == "press",
        "give": gives_time(table) and any(gifts_left(side, table) > 0 for side in Color),
        "stop": (rules.opponent_judges_chain_under(table.book) or rules.first_invalid_loses_under(table.book))
        and not chain
        and table.position.must_capture(),
        "demand": waits,
        "lift": table.lifting,
        "crown": table.crowning and not table.lifting,
        "blow": registers(table) and cite_topic(table.book, "blowing"),
        "report": reportable(table) if conduct is None else conduct,
        "call": len(table.calls) < len(Color),
    }
    return [word for word, open_now in allowed.items() if open_now]


# Refused commands


def command_refusal_view(refused: DamasError, table: Table, language: str) -> RefusalView:
    """Why a player's command is refused, with what a board shows about it.

    Where the regulation forbids aids, nothing is shown that could be played.
    """
    cause = refused.cause if isinstance(refused, ProcedureRefused) else refused
    if isinstance(cause, IllegalMove):
        return _illegal_move_view(cause.refusal, table, language)
    view = procedure_view(refused, language)
    tried = cause.text[:80] if isinstance(cause, NotationError) else None
    names = {str(name) for name in (view.more.get("square"), tried) if name}
    return replace(
        view,
        tried=tried,
        article_text=article_text(table.book, view.article_id or "", language),
        alternatives=(),
        marks=tuple(square for square, name in enumerate(table.book.square_names) if name in names),
    )


def _illegal_move_view(why: Refusal, table: Table, language: str) -> RefusalView:
    instead: tuple[BoardMoveView, ...] = ()
    if table.hints_allowed:
        instead = tuple(board_moves(table.position, alternatives(table.position, why)))
    else:
        why = replace(why, legal=())
    return replace(
        refusal_view(why, language),
        best=why.legal,
        article_text=article_text(table.book, why.citation.id, language),
        alternatives=instead,
        route=table.position.read(why.tried)[1] or (),
        marks=tuple(sorted({move.routes[0][0] for move in instead})),
    )


def procedure_view(refused: DamasError, language: str) -> RefusalView:
    """What the arbiter does not allow, and by which article; a refused move by that of the rulebook."""
    if not isinstance(refused, ProcedureRefused):
        return RefusalView(code=refused.code, message=refused.sentence(language), lang=language)
    if isinstance(refused.cause, IllegalMove):
        return refusal_view(refused.cause.refusal, language)
    citation = refused.citation
    return RefusalView(
        code=refused.code,
        message=refused.sentence(language),
        lang=language,
        rulebook=citation.rulebook if citation else "",
        article=refused.article,
        article_id=citation.id if citation else "",
        more=refused.facts,
    )
