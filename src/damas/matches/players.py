"""Players made from entrants, and players kept from one game to the next."""

from typing import Self

from damas.matches.entrant import Entrant
from damas.matches.in_process import InProcessPlayer
from damas.matches.player import Player
from damas.matches.terms import Terms


def player_for(entrant: Entrant, tier: str, terms: Terms, seed: int) -> Player:
    """Makes a player. Nothing is started before its `start` or `greet`."""
    # What is not needed is not imported: most games need one or two of these modules.
    match entrant.kind:
        case "program":
            from damas.matches.programs.json_lines import JsonPlayer

            return JsonPlayer(entrant.command, tier, terms)
        case "text":
            from damas.matches.programs.text import TextPlayer

            return TextPlayer(entrant.command, tier, terms)
        case "hub":
            from damas.matches.hub.player import HubPlayer

            return HubPlayer(entrant.command, tier, terms)
        case "python":
            from damas.matches.programs.python_class import ClassPlayer

            return ClassPlayer(entrant.rest, tier, terms)
        case "dxp":
            from damas.matches.dxp.player import DxpPlayer

            return DxpPlayer(entrant, tier, terms)
        case "http":
            from damas.matches.remote.player import HttpPlayer

            return HttpPlayer(entrant, tier)
    return InProcessPlayer(entrant, tier, terms, seed)


class IdlePlayers:
    """Reusable players that wait for their next game, so that a program is started once and not for every game.

    Use with `with`: whoever still waits is closed at the end.
    """

    def __init__(self, *, alone: bool = True) -> None:
        self._alone = alone
        """Whether no other process plays with the same entrants: a DXP program serves one caller at a time."""
        self._idle: dict[Entrant, Player] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for player in self._idle.values():
            player.close()
        self._idle.clear()

    def take(self, entrant: Entrant, tier: str, terms: Terms, seed: int) -> Player:
        """The player of this entrant that waits, or a new one."""
        return self._idle.pop(entrant, None) or player_for(entrant, tier, terms, seed)

    def give_back(self, entrant: Entrant, player: Player) -> None:
        """Keeps a reusable player after its game and closes any other."""
        shared = entrant.kind == "dxp" and not self._alone
        if player.reusable and entrant not in self._idle and not shared:
            self._idle[entrant] = player
        else:
            player.close()
