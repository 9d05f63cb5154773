"""Who sits where: people by their visitor's id, levels of the computer, programs."""

from dataclasses import dataclass

from damas.arbiter import Player
from damas.board import Color
from damas.server.store.rows import GameRow

LEVEL = "level:"
SOUGHT = "seek"
INVITED = "invited:"
"""Kinds of a seat while it is free: for whoever looks into the lobby; for the player with this id."""


@dataclass(frozen=True)
class Seat:
    """One side of a game. `id` is None while nobody sits there."""

    id: str | None
    name: str
    kind: str
    """person, level:N or bot; of a free seat also for whom it is kept."""

    @classmethod
    def of_level(cls, level: int) -> "Seat":
        return cls(f"{LEVEL}{level}", f"damas {level}", f"{LEVEL}{level}")

    @property
    def level(self) -> int | None:
        return int(self.kind.removeprefix(LEVEL)) if self.kind.startswith(LEVEL) else None

    @property
    def free(self) -> bool:
        return self.id is None

    @property
    def sought(self) -> bool:
        return self.free and self.kind == SOUGHT

    @property
    def invited(self) -> str | None:
        """The only one who may sit down here."""
        return self.kind.removeprefix(INVITED) if self.free and self.kind.startswith(INVITED) else None

    @property
    def shown_kind(self) -> str:
        """For everybody: person, level:N or bot."""
        return "person" if self.free else self.kind

    @property
    def player(self) -> Player:
        """As the arbiter knows it: a level's slips would be ours, so it counts as a program."""
        return Player(self.name, bot=self.shown_kind != "person")


_HELD = {
    (white, black): frozenset(side for side, held in zip(Color, (white, black), strict=True) if held)
    for white in (False, True)
    for black in (False, True)
}
"""Which sides somebody holds, by whether it is White and whether it is Black."""


@dataclass(frozen=True)
class Seats:
    white: Seat
    black: Seat

    @classmethod
    def of(cls, head: GameRow) -> "Seats":
        return cls(
            Seat(head.white_id, head.white_name, head.white_kind),
            Seat(head.black_id, head.black_name, head.black_kind),
        )

    def __getitem__(self, side: Color) -> Seat:
        return self.white if side is Color.WHITE else self.black

    def sides_of(self, visitor: str) -> frozenset[Color]:
        """What a visitor holds: one side, both at a shared device, or nothing."""
        return _HELD[self.white.id == visitor, self.black.id == visitor]

    def you(self, visitor: str) -> str:
        """The same in a word: white, black, both or viewer."""
        held = self.sides_of(visitor)
        return "viewer" if not held else "both" if len(held) == 2 else next(iter(held)).value

    @property
    def full(self) -> bool:
        return not self.white.free and not self.black.free

    @property
    def invited(self) -> str | None:
        """For whom a seat is kept, if it is kept for somebody."""
        return self.white.invited or self.black.invited

    @property
    def shared(self) -> bool:
        """Whether both sides play at one device."""
        return self.full and self.white.id == self.black.id

    @property
    def apart(self) -> bool:
        """Whether two different people (or programs of theirs) play, who wait for each other."""
        levels = self.white.level or self.black.level
        return self.full and not self.shared and not levels

    @property
    def free_side(self) -> Color | None:
        return next((side for side in Color if self[side].free), None)
