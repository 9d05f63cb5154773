"""From an entrant to its seat."""

from typing import TYPE_CHECKING

from damas.arbiter import Table
from damas.arena.players import Entrant
from damas.arena.seats import Chooser, InnerSeat, MovesPlayer, RandomPlayer, Seat
from damas.engine.dxp import DxpPlayer
from damas.engine.levels import Greedy, LevelPlayer
from damas.engine.limits import Limits
from damas.engine.match import EnginePlayer

if TYPE_CHECKING:
    from damas.arena.referee import Terms


def seat_for(entrant: Entrant, tier: str, terms: "Terms", seed: int) -> Seat:
    """The seat of one game. Programs are started by `greet`."""
    kind = entrant.kind
    if kind in ("program", "text", "hub"):
        from damas.arena.protocol.hub import HubSeat
        from damas.arena.protocol.json_lines import JsonSeat
        from damas.arena.protocol.text import TextSeat

        seats: dict[str, type[JsonSeat | TextSeat | HubSeat]]
        seats = {"program": JsonSeat, "text": TextSeat, "hub": HubSeat}
        seat = seats[kind](entrant.command, tier, terms.limits, terms.control, terms.longest)
        if isinstance(seat, JsonSeat):
            seat.tells_legal = terms.legal
        return seat

    if kind == "python":
        from damas.arena.classes.seat import ClassSeat

        return ClassSeat(entrant.rest, tier)

    if kind == "http":
        from damas.arena.remote.seat import HttpSeat

        return HttpSeat(entrant, tier)

    def make(table: Table) -> Chooser:
        match kind:
            case "random":
                return RandomPlayer(seed)
            case "greedy":
                return Greedy(seed)
            case "moves":
                return MovesPlayer([move.strip() for move in entrant.rest.split(";")])
            case "level":
                return LevelPlayer(table.book, int(entrant.rest), seed, customs=table.game.customs)
            case "damas" | "material":
                return EnginePlayer(
                    table.book,
                    Limits(),
                    entrant.name,
                    hash_mb=16,
                    network=kind == "damas",
                    customs=table.game.customs,
                )
        address = entrant.address  # the only kind that is left is dxp
        assert address
        return DxpPlayer(address[0], address[1], Limits(), command=address[2], name=entrant.name)

    return InnerSeat(make, tier)
