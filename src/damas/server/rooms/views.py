"""A position and a table as boards read them: squares are internal indices, names are only for people.

The rules are asked here, never decided: what may be played, what is counted, what can be claimed.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from damas.arbiter import OpenClaim, ProcedureRefused, StoppedEarly, Table
from damas.board import Color
from damas.errors import DamasError, IllegalMove, NotationError, Refusal
from damas.game import Move, Position, Record
from damas.judging.story import stages
from damas.rules import Rulebook, articles

View = dict[str, Any]


def position_view(position: Position, playable: Iterable[Move] | None = None) -> View:
    """A position; `playable` says which of its moves are open, where that is not all of them.

    >>> view = position_view(Position.from_fen("W:Wc3:Bb4,d4,f6", "faraes"))
    >>> view["legal"]
    [{'text': 'c3xe5xg7', 'routes': [[9, 18, 27]], 'captured': [13, 22], 'promotes': False}]
    """
    moves = position.legal_moves if playable is None else playable
    return {
        "rulebook": position.rulebook.id,
        "fen": position.fen,
        "turn": position.turn.value,
        "pieces": {str(square): letter for square, letter in enumerate(position.diagram) if letter != "."},
        "legal": moves_view(position, moves),
        "must_capture": position.must_capture(),
    }


def moves_view(position: Position, moves: Iterable[Move]) -> list[View]:
    """Each move once, with every route that leads to the same position."""
    wanted = list(moves)
    if not any(move.is_capture for move in wanted):
        return [_move_view(move, [move]) for move in wanted]
    routes: dict[Move, list[Move]] = {move: [] for move in wanted}
    whole = {move.route for move in wanted}
    several = len(whole) > len(routes)  # a begun capture has its routes apart: only these
    for routed in position.routes():
        if routed in routes and (not several or routed.route in whole):
            routes[routed].append(routed)
    return [_move_view(move, same or [move]) for move, same in routes.items()]


def _move_view(move: Move, routes: Sequence[Move]) -> View:
    return {
        "text": move.text,
        "routes": [list(routed.route) for routed in routes],
        "captured": list(move.captured),
        "promotes": move.promotes,
    }


def table_view(
    table: Table, language: str, now: int | None = None, moves: Sequence[object] | None = None
) -> View:
    """A table at the time `now` (the last event's if not given); `moves` are those so far as somebody keeps them, put
    together from the events where nobody does.
    """
    now = table.now if now is None else max(now, table.now)
    record = table.game.record
    last = record.move(record.length) if record.length else None
    names = table.book.square_names
    claims = table.claims_open()
    return {
        **position_view(table.position, table.playable),
        "ply": table.ply,
        "last": _last_view(last) if last else None,
        "moves": list(moves_so_far(table, time_left(table)) if moves is None else moves),
        "to_move": table.to_move.value,
        "awaited": table.awaited.value,
        "counts": [count.as_json(language) for count in table.progress()],
        "claims": [claim.as_json(language) for claim in claims],
        "offer": _side(table.offer),
        "take_back": _side(table.take_back),
        "touched": table.touched,
        "touched_square": names.index(table.touched) if table.touched else None,
        "adjusting": sorted(side.value for side in table.adjusting),
        "unfinished": _chain_view(table),
        "absent": {side.value: now - since for side, since in table.absent.items()},
        "outcome": outcome_view(table, language),
        "clocks": clocks_view(table, now),
        "suspended": table.suspended,
        "hints": table.hints_allowed,
        "touch_move": table.touch_move,
        "preset": table.regulation.id,
        "time": str(table.regulation.time_control),
        "can": can(table, claims),
    }


def _side(color: Color | None) -> str | None:
    return color.value if color else None


def _last_view(move: Move) -> View:
    return {"text": move.text, "route": list(move.route), "captured": list(move.captured)}


def _chain_view(table: Table) -> View | None:
    chain = table.chain
    if chain is None:
        return None
    return {
        "by": chain.by.value,
        "move": chain.move,
        "route": list(chain.route),
        "demanded": chain.demanded,
    }


def move_view(record: Record, ply: int, clock_ms: int | None) -> View:
    """A move that was made, and what it left on the clock."""
    return {"text": record.move(ply).text, "by": record.mover(ply).value, "clock_ms": clock_ms}


def moves_so_far(table: Table, left: Sequence[int | None]) -> Iterator[View]:
    """The moves of the game as it stands. A capture that was accepted unfinished was a turn as well."""
    stopped = [event for event in table.events if isinstance(event, StoppedEarly)]
    for place, stretch in enumerate(table.stretches):
        record = stretch.game.record
        for ply in range(1, record.length + 1):
            at = stretch.ply + ply - 1
            yield move_view(record, ply, left[at] if at < len(left) else None)
        following = table.stretches[place + 1 : place + 2]
        if following and following[0].ply > stretch.ply + record.length and stopped:
            broken = next((event for event in stopped if event.by is record.position.turn), stopped[0])
            stopped.remove(broken)
            yield {"text": broken.move, "by": broken.by.value, "clock_ms": None, "unfinished": True}


def time_left(table: Table) -> list[int | None]:
    """What each ply of the game as it stands left on the clock of the player who made it."""
    if table.regulation.time_control.budget is None:
        return []
    left: list[int | None] = []
    for _, before, after in stages(table):
        note_time(left, before, after)
    return left


def note_time(left: list[int | None], before: Table, after: Table) -> None:
    """Goes on with the list of `time_left` from one table to the next."""
    if after.ply > before.ply:
        left += [None] * (after.ply - 1 - len(left))
        left.append(after.clocks.side(before.to_move).remaining)
    del left[after.ply :]


def clocks_view(table: Table, now: int) -> View:
    """What each side has left; `running` names the side whose time runs."""
    face = table.clock(max(now, table.now))
    return {"white": face.white, "black": face.black, "running": _side(face.running)}


def outcome_view(table: Table, language: str) -> View | None:
    outcome = table.outcome
    if outcome is None:
        return None
    told = outcome.as_json(language)
    return {**told, "sentence": told["message"], "void": outcome.void}


def can(table: Table, claims: Sequence[OpenClaim] | None = None) -> list[str]:
    """What people may do at this table now, whichever seat they have. The arbiter still decides on each attempt."""
    if table.outcome or table.suspended:
        return []
    claimed = {claim.kind for claim in (table.claims_open() if claims is None else claims)}
    return [word for word, open_now in _permitted(table, claimed) if open_now]


def _permitted(table: Table, claims: set[str]) -> Iterator[tuple[str, object]]:
    rules, chain = table.regulation, table.chain
    waits = chain is not None and not chain.demanded
    yield "move", table.playable
    yield "resign", True
    agreed = rules.agreement_under(table.book) and table.move_number >= rules.offers_from_move
    yield "offer", agreed and table.offer is None
    yield "accept", table.offer or waits
    yield "decline", table.offer
    yield "withdraw", table.offer
    yield "claim", "claim" in claims
    yield "attention", "attention" in claims
    played = table.game.record.length > 0
    yield "take_back", rules.take_back and table.take_back is None and played and not waits
    yield "grant", table.take_back
    yield "refuse", table.take_back
    yield "abort", table.ply < rules.abort_before_ply
    yield "absence", table.absent
    yield "touch", table.touch_move
    yield "adjust", table.touch_move
    yield "press", rules.clock_stopped_by == "press"
    yield "stop", rules.unfinished_chain == "opponent" and not chain and table.position.must_capture()
    yield "demand", waits


# Why something is refused


def refusal_view(refused: DamasError, table: Table, language: str) -> View:
    """Why a command is refused, as `POST /api/explain` tells it: the object, the article's text in our words, and what
    could be played instead with its squares. Where aids are forbidden, nothing is shown that could be played.
    """
    cause = refused.cause if isinstance(refused, ProcedureRefused) else refused
    if isinstance(cause, IllegalMove):
        return _illegal_view(cause.refusal, table, language)
    if isinstance(refused, ProcedureRefused):
        told: View = dict(refused.as_json(language))
        if isinstance(cause, NotationError):
            told["tried"] = cause.text[:80]
    else:
        told = {"code": refused.code, "message": refused.sentence(language), "lang": language}
    squares = {str(fact) for fact in (told.get("square"), told.get("tried")) if fact}
    return {
        **told,
        "article_text": article_text(table.book, str(told.get("article_id", "")), language),
        "alternatives": [],
        "marks": [square for square, name in enumerate(table.book.square_names) if name in squares],
    }


def _illegal_view(why: Refusal, table: Table, language: str) -> View:
    """A move that the rules refuse, and what they ask for."""
    told = why.as_json(language)
    if not table.hints_allowed:
        told = replace(why, legal=()).as_json(language)
    alternatives = alternatives_view(table.position, why) if table.hints_allowed else []
    named = table.position.read(why.tried)[1] or ()
    return {
        **told,
        "best": told["legal"],
        "article_text": article_text(table.book, why.citation.id, language),
        "alternatives": alternatives,
        "route": list(named),
        "marks": sorted({move["routes"][0][0] for move in alternatives}),
    }


def alternatives_view(position: Position, why: Refusal) -> list[View]:
    """The moves that a refusal names, every route of theirs."""
    named = set(why.legal)
    meant = [move for move in position.legal_moves if move.text in named]
    by_route = [move for move in position.routes() if move.text in named and move not in meant]
    return moves_view(position, [*meant, *dict.fromkeys(by_route)])


def article_text(book: Rulebook, article_id: str, language: str) -> str:
    """What an article says, in our words; empty where no rulebook speaks."""
    found = articles(book).by_id.get(article_id)
    return found.text[language] if found else ""
