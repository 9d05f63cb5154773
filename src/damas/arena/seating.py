"""From an entrant to its seat."""

import importlib.util
import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from damas.arbiter import Table
from damas.arena.players import Entrant
from damas.arena.seats import Chooser, InnerSeat, MovesPlayer, RandomPlayer, Seat
from damas.engine.dxp import DxpPlayer
from damas.engine.levels import Greedy, LevelPlayer
from damas.engine.limits import Limits
from damas.engine.match import EnginePlayer
from damas.game import Game, Move

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
            case "dxp":
                address = entrant.address
                assert address
                return DxpPlayer(address[0], address[1], Limits(), command=address[2], name=entrant.name)
        return _Own(_load(entrant.rest))

    return InnerSeat(make, tier)


class _Own:
    """A class of the owner's: `choose(game)` or `choose(game, limits)`, which gives a move or its text."""

    def __init__(self, made: Any) -> None:
        self._made = made
        self._limits = len(inspect.signature(made.choose).parameters) > 1

    def choose(self, place: Game, limits: Limits | None = None) -> Move | str | None:
        chosen: Move | str | None = (
            self._made.choose(place, limits) if self._limits else self._made.choose(place)
        )
        return chosen

    def close(self) -> None:
        close = getattr(self._made, "close", None)
        if close:
            close()


def _load(text: str) -> Any:
    """A new object of a class in a file."""
    file, _, name = text.rpartition(":")
    path = Path(file).resolve()
    module_name = f"damas_entrant_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is no Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    return getattr(module, name)()
