"""A table as a PDN game: moves, clocks, result and reason. Only the ledger has all events."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from damas.arbiter.events import CalledAttention, Ended, Moved
from damas.arbiter.regulation import regulation
from damas.arbiter.table import Table
from damas.game import Customs, Move, Position
from damas.game.record import Claims
from damas.judging import termination
from damas.judging.history import stages
from damas.judging.stretches import NO_BREAK, beginning, scored_moves, stretches
from damas.notation import BadGame, Clock, Node, PdnGame, Result, clean_comment, result_of
from damas.notation.pdn.tags import FIRST_NUMBER

MOVES_ONLY = "record"
"""Id of the regulation of a game of which only the moves are known."""

_ATTENTION = re.compile(r"\[%event called_attention (?:(?:white|black) )?([^\s\]]+)\]")


def to_pdn(table: Table, tags: Mapping[str, str] | None = None) -> PdnGame:
    """The final game, without moves taken back; if a position was set up, the game from there, with the right numbers.

    Each move has the time it took and, under a limit, the time left. Comments hold what rulings depend on: attention
    called to a limit, and why the arbiter ended the game; and all that came before a position that was set up.
    """
    stretch, comments = table.stretches[-1], _comments(table)
    result = Result("*")
    if table.outcome and not table.outcome.void:
        result = result_of(table.outcome.winner, table.book)
    before = tuple(filter(None, (_before(table),)))
    return PdnGame(
        {**_tags(table), **(tags or {})},
        stretch.game.record.start,
        scored_nodes(table)[-1],
        result,
        (*before, *comments.get(stretch.ply, ())),
    )


def scored_nodes(table: Table) -> list[tuple[Node, ...]]:
    """The moves of each stretch with their clocks and comments."""
    clocks, comments = _clocks(table), _comments(table)
    return [
        tuple(
            Node(move, comments=comments.get(ply, ()), clock=clocks.get(ply))
            for ply, move in enumerate(stretch.game.record.moves, start=stretch.ply + 1)
        )
        for stretch in table.stretches
    ]


def _before(table: Table) -> str:
    """What came before the last stretch: its moves, and what set up the positions; empty where it is the only one."""
    parts = []
    for stretch, following in stretches(table):
        if following:
            moves = " ".join(scored_moves(stretch, following)).replace(NO_BREAK, " ")
            parts += [moves, beginning(following, "en")]
    if not parts:
        return ""
    start = table.stretches[0].game.record.start
    where = "" if start == Position.start(table.book) else f", from {start.fen}"
    return clean_comment(f"Before{where}: {'; '.join(filter(None, parts))}")


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
    if (number := table.stretches[-1].move) > 1:
        tags[FIRST_NUMBER] = str(number)
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
    comments = (
        game.comments
        if isinstance(game, BadGame)
        else (game.comments, *(node.comments for node in game.moves))
    )
    return tuple(
        (ply, rule)
        for ply, texts in enumerate(comments)
        for text in texts
        for rule in _ATTENTION.findall(text)
    )


def is_recorded(game: PdnGame | BadGame) -> bool:
    """Whether the players wrote the game down; yes, unless the tag Recorded says no."""
    return game.tags.get("Recorded", "").strip().lower() != "no"


def table_of(
    start: Position,
    moves: Iterable[Move],
    customs: Customs,
    *,
    players: tuple[str, str] = ("", ""),
    recorded: bool = True,
    claims: Claims = (),
    first_number: int = 1,
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
    table = replace(table, stretches=(replace(table.stretches[0], move=first_number),))
    for ply, move in enumerate((None, *moves)):
        if table.outcome:
            break
        table = table.play(move, 0) if move else table
        for _, rule in (claim for claim in claims if claim[0] == ply):
            table = table if table.outcome else table.apply(CalledAttention(0, table.to_move, rule))
    return table
