"""A table as a PDN game and back: moves, clocks, result and reason. Only the ledger has all events."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from damas.arbiter.control import TimeControl
from damas.arbiter.events import (
    Aborted,
    Accepted,
    CalledAttention,
    Claimed,
    ClaimedAbsence,
    Disconnected,
    Ended,
    Event,
    Flag,
    Lot,
    Moved,
    Offered,
    Player,
    Resigned,
    Started,
)
from damas.arbiter.refused import ProcedureRefused
from damas.arbiter.regulation import PRESETS, Regulation, regulation
from damas.arbiter.table import Table, draw_lots
from damas.board import Color
from damas.errors import NotationError
from damas.game import Customs, Game, Move, Position
from damas.game.record import Claims
from damas.judging import termination
from damas.judging.history import stages
from damas.notation import BadGame, Clock, Node, PdnGame, Result, clean_comment, result_of

MOVES_ONLY = "record"
"""Id of the regulation of a game of which only the moves are known."""

_ATTENTION = re.compile(r"\[%event called_attention (?:(white|black) )?([^\s\]]+)\]")


def to_pdn(table: Table, tags: Mapping[str, str] | None = None) -> PdnGame:
    """The final game, without moves taken back; if the arbiter set a position, the game from there.

    Each move has the time it took and, under a limit, the time left. Comments hold what rulings depend on: attention
    called to a limit, and why the arbiter ended the game.
    """
    stretch = table.stretches[-1]
    clocks, comments = _clocks(table), _comments(table)
    nodes = tuple(
        Node(move, comments=comments.get(ply, ()), clock=clocks.get(ply))
        for ply, move in enumerate(stretch.game.record.moves, start=stretch.ply + 1)
    )
    result = Result("*")
    if table.outcome and not table.outcome.void:
        result = result_of(table.outcome.winner, table.book)
    start = stretch.game.record.start
    return PdnGame({**_tags(table), **(tags or {})}, start, nodes, result, comments.get(stretch.ply, ()))


def _tags(table: Table) -> dict[str, str]:
    started = table.started
    tags = {"White": table.white.name, "Black": table.black.name}
    if table.white.bot or table.black.bot:
        kinds = {True: "program", False: "human"}
        tags |= {"WhiteType": kinds[table.white.bot], "BlackType": kinds[table.black.bot]}
    tags["Regulation"] = table.regulation.id
    if table.regulation.time_control.kind != "none":
        tags["TimeControl"] = str(table.regulation.time_control)
    if not started.recorded:
        tags["Recorded"] = "no"
    if started.lot:
        tags["Lot"] = str(started.lot.seed)
    return tags | (termination.tags(table.outcome) if table.outcome else {})


def _clocks(table: Table) -> dict[int, Clock]:
    """The clock after each ply of the final game."""
    clocks = {}
    for event, before, now in stages(table):
        if isinstance(event, Moved):
            spent = event.at - before.clocks.since if before.clocks.running is event.by else 0
            clocks[now.ply] = Clock(left=now.clocks.side(event.by).remaining, spent=spent)
    return clocks


def _comments(table: Table) -> dict[int, tuple[str, ...]]:
    """The comments after each ply."""
    comments: dict[int, tuple[str, ...]] = {}
    for event, _, now in stages(table):
        if isinstance(event, CalledAttention):
            text = f"[%event {event.kind} {event.by.value} {event.rule}]"
        elif isinstance(event, Ended):
            text = clean_comment(event.reason)
        else:
            continue
        comments[now.ply] = (*comments.get(now.ply, ()), text)
    return comments


def attention(game: PdnGame | BadGame) -> Claims:
    """The plies of a PDN game after which a player called attention to a limit, and the limits."""
    return tuple((ply, rule) for ply, _, rule in _attention(game))


def _attention(game: PdnGame | BadGame) -> Iterable[tuple[int, Color | None, str]]:
    comments = (
        game.comments
        if isinstance(game, BadGame)
        else (game.comments, *(node.comments for node in game.moves))
    )
    for ply, texts in enumerate(comments):
        for text in texts:
            for side, rule in _ATTENTION.findall(text):
                yield ply, Color(side) if side else None, rule


def is_recorded(game: PdnGame | BadGame) -> bool:
    """Whether the players wrote the game down; yes, unless the tag Recorded says no."""
    return game.tags.get("Recorded", "").strip().lower() != "no"


# From PDN


def from_pdn(game: PdnGame, rules: Regulation | None = None) -> Table:
    """The table of a PDN game: its moves at their times, and its recorded end.

    The regulation is `rules`, or the preset and time control of the tags. An end that the rules do not give becomes
    the event that the Termination tag describes, or else a decision of the arbiter.
    """
    rules = rules or regulation_of(game.tags)
    table = _open(game, rules)
    called = list(_attention(game))
    for ply, node in enumerate((None, *game.moves)):
        if table.outcome:
            return table
        if node:
            table = table.play(node.move, table.now + _spent(node.clock, table))
        for _, side, rule in (call for call in called if call[0] == ply and not table.outcome):
            table = table.apply(CalledAttention(table.now, side or table.to_move, rule))
    return table if table.outcome else _end(table, game)


def regulation_of(tags: Mapping[str, str]) -> Regulation:
    """The preset and time control of the tags; casual if they name no preset."""
    name = tags.get("Regulation", "")
    rules = regulation(name if name in PRESETS else "casual")
    try:
        control = TimeControl.parse(tags.get("TimeControl", "none"))
    except NotationError:  # written by another program
        control = TimeControl("none")
    return replace(rules, time_control=control)


def table_of(
    start: Position,
    moves: Iterable[Move],
    customs: Customs,
    *,
    players: tuple[str, str] = ("", ""),
    recorded: bool = True,
    claims: Claims = (),
) -> Table:
    """A table with these moves, up to the one that ends the game, if nothing but the moves is known."""
    rules = replace(
        regulation("casual"),
        id=MOVES_ONLY,
        platform_rules=customs.platform_rules,
        claims="player" if customs.claims else "automatic",
        recorded=recorded,
    )
    table = Table.start(start.rulebook, rules, players, fen=start.fen, recorded=recorded)
    for ply, move in enumerate((None, *moves)):
        if table.outcome:
            break
        table = table.play(move, 0) if move else table
        for _, rule in (claim for claim in claims if claim[0] == ply):
            table = table if table.outcome else table.apply(CalledAttention(0, table.to_move, rule))
    return table


def table_of_game(game: Game, players: tuple[str, str] = ("", "")) -> Table:
    """A table with the moves of a game."""
    record = game.record
    return table_of(
        record.start,
        record.moves,
        game.customs,
        players=players,
        recorded=record.recorded,
        claims=record.claims,
    )


def _open(game: PdnGame, rules: Regulation) -> Table:
    book, tags = game.rulebook, game.tags
    seed = tags.get("Lot", "")
    lot = Lot(int(seed), draw_lots(int(seed))) if seed.isdecimal() else None
    if lot is None and rules.lot_under(book):
        rules = replace(rules, colours="free")  # the record does not say who drew which colour
    white, black = (
        Player(tags.get(side, ""), bot=tags.get(f"{side}Type", "").lower() == "program")
        for side in ("White", "Black")
    )
    recorded = is_recorded(game)
    started = Started(0, book.id, book.hash, rules, game.start.fen, white, black, lot, recorded)
    return Table.open(started, book)


def _spent(clock: Clock | None, table: Table) -> int:
    if clock is None:
        return 0
    if clock.spent is not None:
        return clock.spent
    control, had = table.clocks.control, table.clocks.side(table.to_move).remaining
    if clock.left is None or had is None or control.kind not in ("sudden", "fischer"):
        return 0
    return max(0, had + control.extra - clock.left)


def _end(table: Table, game: PdnGame) -> Table:
    """Applies the recorded end of a game that the rules have not ended."""
    result, winner = game.result.meaning, game.winner
    why = termination.read(game.tags.get("Termination", ""))
    reason = game.tags.get("Reason", "") or (why.reason if why else "")
    if result == "*" and reason not in ("ABORTED", "ARBITER", "SUSPENDED"):
        return table
    for event in (*_procedure(table, reason, winner), _decision(table, game, why.text if why else reason)):
        try:
            table = table.apply(event)
        except ProcedureRefused:
            continue
        if table.outcome:
            break
    return table


def _procedure(table: Table, reason: str, winner: Color | None) -> Iterable[Event]:
    """The events that end a game for this reason."""
    now = table.now
    if reason == "ABORTED":
        yield Aborted(now, table.to_move)
    if winner is None:
        if reason == "AGREEMENT":
            yield Offered(now, table.to_move.other)
            yield Accepted(now, table.to_move)
        for progress in table.game.claimable() if reason in ("LIMIT", "REPETITION") else ():
            yield Claimed(now, table.to_move, progress.rule.id)
        return
    loser = winner.other
    if reason == "RESIGNATION":
        yield Resigned(now, loser)
    elif reason == "FLAG":
        left = table.clocks.remaining(loser, now)
        yield Flag(now + (left or 0) + 1, loser)
    elif reason == "ABANDONED":
        yield Disconnected(now, loser)
        yield ClaimedAbsence(now + table.regulation.disconnection_grace_ms, winner)


def _decision(table: Table, game: PdnGame, why: str) -> Ended:
    comments = game.moves[-1].comments if game.moves else game.comments
    if comments and game.tags.get("Reason", "") in ("ARBITER", "SUSPENDED"):
        why = comments[-1]
    winners = {Color.WHITE: "1-0", Color.BLACK: "0-1", None: "1/2-1/2"}
    result = "*" if game.result.meaning in ("*", "0-0") else winners[game.winner]
    return Ended(table.now, clean_comment(why) or game.result.text, result)
