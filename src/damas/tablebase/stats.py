"""What the tables of so many pieces hold: wins, draws and losses of every material, and the longest way to win."""

from dataclasses import dataclass
from functools import cached_property

from damas.board import Color, Piece, Setup
from damas.game.position import Position
from damas.tablebase.laws import law_of
from damas.tablebase.material import Material, canonical_materials
from damas.tablebase.store import Store


@dataclass(frozen=True)
class Tally:
    """Of all positions of one material with White to move."""

    wins: int
    draws: int
    losses: int
    longest: int | None
    """Plies: to the end of the game without limits, to the end of the count with them; None where nothing is decided."""
    where: Position | None

    @property
    def positions(self) -> int:
        """Positions counted."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class MaterialStats:
    """What the tables hold of one material."""

    material: Material
    unlimited: Tally
    limited: Tally
    """With fresh counts."""

    @property
    def cursed(self) -> int:
        """Decided positions that the limits draw."""
        return max(0, self.limited.draws - self.unlimited.draws)


@dataclass(frozen=True)
class Stats:
    """What the tables of so many pieces hold."""

    pieces: int
    materials: list[MaterialStats]

    @cached_property
    def total(self) -> tuple[Tally, Tally]:
        """All materials together: without limits and with them."""
        return (_sum([m.unlimited for m in self.materials]), _sum([m.limited for m in self.materials]))


def _sum(tallies: list[Tally]) -> Tally:
    longest = max((t for t in tallies if t.longest is not None), key=lambda t: t.longest or 0, default=None)
    return Tally(
        sum(t.wins for t in tallies),
        sum(t.draws for t in tallies),
        sum(t.losses for t in tallies),
        longest.longest if longest else None,
        longest.where if longest else None,
    )


def stats(store: Store, pieces: int, threads: int) -> Stats:
    """Of all materials of exactly so many pieces; their tables must be there."""
    materials: list[MaterialStats] = []
    for material in canonical_materials(pieces):
        store.load(material, threads)
        endless = law_of(store.book, material).endless is not None
        for counts, halves in store.core.tally(material.counts, Position):
            unlimited, limited = (
                Tally(
                    wins,
                    draws,
                    losses,
                    longest if wins + losses else None,
                    white_to_move(where) if wins + losses else None,
                )
                for wins, draws, losses, longest, where in halves
            )
            if endless:  # such values have no distance
                limited = Tally(limited.wins, limited.draws, limited.losses, None, None)
            materials.append(MaterialStats(Material(*counts), unlimited, limited))
        store.core.release(material.counts)
    return Stats(pieces, materials)


def white_to_move(position: Position) -> Position:
    """The same position seen from the other side of the board, colours exchanged, where Black is to move."""
    if position.turn is Color.WHITE:
        return position
    exchanged = position.diagram[::-1].translate(str.maketrans("wWbB", "bBwW"))
    pieces = {square: Piece(letter) for square, letter in enumerate(exchanged) if letter != "."}
    return Position.of(Setup(pieces, Color.WHITE), position.rulebook)
