"""What players do with the pieces: illegal moves, touched pieces, captures released too early, hints."""

from damas.arbiter import events
from damas.arbiter.conduct import registers, reportable, whole_capture
from damas.arbiter.events import Event
from damas.arbiter.moves import continues_capture, keeps_touched, legal, legal_move, unfinished_capture
from damas.arbiter.refused import ProcedureRefused
from damas.arbiter.table import Table
from damas.board import Color
from damas.errors import Citation, DamasError, IllegalMove
from damas.game import Outcome
from damas.rules import cite
from damas.rules.articles import cite_topic

NO_MOVE = ("NOTATION", "AMBIGUOUS", "NOT_YOUR_TURN", "NOT_UNFINISHED")
"""Codes of what is no illegal move unless the first one loses: unreadable, ambiguous or out of turn."""
OTHER_DUTIES = ("FLAG", "TOUCHED", "MUST_COMPLETE", "CROWNING_DUE")
"""Codes of recorded moves that are legal on the board, and refused for another reason."""
NO_PIECE_MOVED = ("EMPTY_SQUARE", "NOT_YOUR_PIECE")
"""Codes of wrong squares: the player moved no piece of their own."""


def text_decides(table: Table) -> bool:
    """Whether both rulebook (004-4.4) and regulation make a person lose by the first invalid move."""
    return table.regulation.people_lose_under(table.book)


def is_counted(code: str, table: Table) -> bool:
    """Whether a person's refused move counts as an illegal move.

    Where the first one loses, everything does that is not a valid move (B.004-8). Elsewhere a wrong square and no move
    at all do not count.
    """
    return table.regulation.first_invalid_loses_under(table.book) or code not in (*NO_MOVE, *NO_PIECE_MOVED)


def statement(table: Table, key: str, *, king: bool = False) -> Citation | None:
    """The citation of one of `schema.STATEMENTS`; None where the text has none."""
    article = table.book.statement(key, king=king)
    return cite(table.book, article) if article else None


def mistake(event: events.Moved, table: Table) -> ProcedureRefused | None:
    """Why a move is not allowed by the rules of the board or is out of turn; None if it is allowed."""
    if event.by is not table.to_move:
        return ProcedureRefused("NOT_YOUR_TURN", statement(table, "turn"), color=table.to_move)
    why = table.reading(event)
    return ProcedureRefused(str(why.code), cause=why) if isinstance(why, DamasError) else None


def illegal_move_by_bot(event: Event, table: Table) -> Outcome | None:
    """An invalid move by a program is refused or loses, by the rulebook (004-4.4) or the regulation."""
    loses = table.regulation.bots_lose_under(table.book)
    if isinstance(event, events.Moved) and table.player(event.by).bot and (why := mistake(event, table)):
        why.written = loses
        raise why
    match event:
        case events.Refused(attempt=events.Moved() | events.StoppedEarly() as tried) if (
            loses and event.code != "FLAG" and table.player(tried.by).bot
        ):
            clause = table.book.invalid_move
            article = table.regulation.cite_clause(table.book, clause, "loses", "bots_illegal_moves")
            return _invalid(event, article)
    return None


def _invalid(event: Event, article: Citation) -> Outcome:
    """The outcome of an invalid move that loses."""
    assert isinstance(event, events.Refused)
    tried = event.attempt
    assert isinstance(tried, events.Moved | events.StoppedEarly)
    return Outcome.loss(tried.by, "INVALID_MOVE", article, tried=tried.move[:80], code=event.code)


def illegal_move_by_person(event: Event, table: Table) -> Outcome | None:
    """An illegal move by a person is refused and explained; a regulation may count them and make them lose."""
    if isinstance(event, events.Moved) and not table.player(event.by).bot and (why := mistake(event, table)):
        why.written = registers(table) and is_counted(why.code, table)
        raise why
    offender = illegal_move_of(event)
    limit = 1 if text_decides(table) else table.regulation.people_lose_at
    if offender is None or not limit or table.player(offender).bot:
        return None
    count = 1 + sum(1 for earlier in table.irregularities if illegal_move_of(earlier) is offender)
    if count < limit:
        return None
    if text_decides(table):
        return _invalid(event, cite(table.book, table.book.invalid_move.article))
    article = table.regulation.cite("people_lose_at")
    if limit == 1:
        return _invalid(event, article)
    return Outcome.loss(offender, "ILLEGAL_MOVES", article, count=count)


def illegal_move_of(event: Event) -> Color | None:
    """Whose illegal move was written down, if it is one: a touched piece left alone is another matter."""
    if not isinstance(event, events.Refused) or not isinstance(
        event.attempt, events.Moved | events.StoppedEarly
    ):
        return None
    return None if event.code in OTHER_DUTIES else event.attempt.by


def touch_move(event: Event, table: Table) -> Outcome | None:
    """A touched piece that can move must be moved (001-7.4, 002-15, 003-10), unless adjusting was announced first.

    A piece without a legal move binds nobody. While it is held its destination may still change (002-16).
    """
    match event:
        case events.Touched():
            _touch(event, table)
        case events.Moved() if (move := legal(event, table)) and not keeps_touched(move, table):
            raise bound(table)
        case events.Adjusting():
            _adjust(event, table)
        case events.Adjusted() if event.by not in table.adjusting:
            raise ProcedureRefused("NOT_ADJUSTING", cite_topic(table.book, "adjusting"))
    return None


def _touch(event: events.Touched, table: Table) -> None:
    names = table.book.square_names
    for square in (event.square, *filter(None, (event.held_over,))):
        if square not in names:
            raise ProcedureRefused("NO_SUCH_SQUARE", square=square)
    if table.position.piece_at(names.index(event.square)) is None:
        raise ProcedureRefused("NO_PIECE_THERE", square=event.square)
    if binds(event, table) and table.touched not in (None, event.square):
        raise bound(table)


def _adjust(event: events.Adjusting, table: Table) -> None:
    article = cite_topic(table.book, "adjusting")
    if event.by in table.adjusting:
        raise ProcedureRefused("ALREADY_ADJUSTING", article)
    if table.touched and event.by is table.to_move:
        raise ProcedureRefused("ADJUST_TOO_LATE", article or touch_article(table), square=table.touched)


def touch_article(table: Table) -> Citation:
    """The article or setting by which a touched piece must be moved."""
    return table.regulation.cite_clause(table.book, table.book.touch_move, True, "touch_move")


def bound(table: Table) -> ProcedureRefused:
    """The refusal of an action with another piece than the touched one."""
    return ProcedureRefused("TOUCHED", touch_article(table), written=registers(table), square=table.touched)


def binds(event: events.Touched, table: Table) -> bool:
    """Whether the player must now move the touched piece: their own, in turn, not being adjusted, under touch-move.

    Not while a capture is to be completed: that piece is already chosen.
    """
    if (
        not table.touch_move
        or table.chain
        or table.lifting
        or event.by is not table.to_move
        or event.by in table.adjusting
    ):
        return False
    piece = table.position.piece_at(table.book.square_names.index(event.square))
    return piece is not None and piece.color is event.by


def unfinished_chain(event: Event, table: Table) -> Outcome | None:
    """A capture released too early: the opponent accepts it as it stands, or demands that it be completed.

    No rulebook lets a capture stand unfinished: the choice is the regulation's, after the habit of federations (FMJD
    5.4; the codex of Brazilian competitions, item 7), and cited as such. That it be carried to its end is the rulebook's.

    A capture in two tempi (003-6) is complete when its pieces have been lifted.
    """
    _lift(event, table)
    chain = table.chain
    if chain is None and not isinstance(
        event, events.StoppedEarly | events.AcceptedUnfinished | events.DemandedCompletion
    ):
        return None
    choice = table.regulation.cite("unfinished_chain")
    match event:
        case events.StoppedEarly() if chain is None:
            _stopped(event, table)
        case events.Moved() | events.StoppedEarly() | events.TakeBackAsked() | events.TakeBackGranted() if (
            chain and (isinstance(event, events.StoppedEarly) or not chain.demanded)
        ):
            raise ProcedureRefused("CHAIN_PENDING", choice, color=chain.by.other, move=chain.move)
        case events.Moved() if chain and (move := legal(event, table)) and not continues_capture(move, table):
            article = whole_capture(table, chain.route[0])
            raise ProcedureRefused("MUST_COMPLETE", article, written=registers(table), move=chain.move)
        case events.AcceptedUnfinished() | events.DemandedCompletion():
            if chain is None or chain.demanded:
                raise ProcedureRefused("NO_CHAIN", choice)
            if event.by is chain.by:
                raise ProcedureRefused("NOT_YOURS_TO_CHOOSE", choice, color=chain.by.other)
    return None


def _lift(event: Event, table: Table) -> None:
    """The second tempo of a capture: who captured lifts the pieces in the order of the jumps; nobody moves before."""
    mover = table.to_move.other
    match event:
        case events.Lifted() if event.square not in table.book.square_names:
            raise ProcedureRefused("NO_SUCH_SQUARE", square=event.square)
        case events.Lifted() if not table.lifting:
            raise ProcedureRefused("NOTHING_TO_LIFT", _tempi_article(table))
        case events.Lifted() if event.by is not mover:
            raise ProcedureRefused("OTHER_HAND", _tempi_article(table), color=mover)
        case events.Lifted() if event.square != table.lifting[0]:
            raise ProcedureRefused(
                "LIFT_ORDER", _tempi_article(table), written=registers(table), square=event.square
            )
        case events.Moved() | events.StoppedEarly() | events.Pressed() if table.lifting:
            raise ProcedureRefused("LIFTING_DUE", _tempi_article(table), color=mover)


def _tempi_article(table: Table) -> Citation:
    return cite_topic(table.book, "two_tempi") or table.regulation.cite("two_tempi")


def _stopped(event: events.StoppedEarly, table: Table) -> None:
    no_move = registers(table) and is_counted("NOT_UNFINISHED", table)
    if event.by is not table.to_move:
        raise ProcedureRefused(
            "NOT_YOUR_TURN", statement(table, "turn"), written=no_move, color=table.to_move
        )
    try:
        unfinished = unfinished_capture(table.position, event.move)
    except DamasError as why:
        raise ProcedureRefused(str(why.code), cause=why, written=no_move) from None
    if unfinished is None:
        raise ProcedureRefused("NOT_UNFINISHED", whole_capture(table), written=no_move, move=event.move)
    article = whole_capture(table, unfinished[0][0])
    origin = table.book.square_names[unfinished[0][0]]
    if table.touched not in (None, origin):
        raise bound(table)
    if not table.regulation.opponent_judges_chain_under(table.book):
        why_not = legal_move(table, event.move)
        cause = why_not if isinstance(why_not, IllegalMove) and why_not.code != "AMBIGUOUS" else None
        raise ProcedureRefused(
            "CHAIN_INCOMPLETE", article, cause=cause, written=registers(table), move=event.move
        )


def hints(event: Event, table: Table) -> Outcome | None:
    """Hints are refused where the rulebook (002-14) or the regulation forbids them; a report names what an article forbids."""
    if isinstance(event, events.Hinted) and not table.hints_allowed:
        raise ProcedureRefused("NO_HINTS", cite_topic(table.book, "aids") or table.regulation.cite("hints"))
    if isinstance(event, events.Reported):
        known = [conduct for conduct, _ in reportable(table)]
        if event.conduct not in known:
            raise ProcedureRefused("NO_SUCH_CONDUCT", conduct=event.conduct, known=known)
    return None
