"""Who plays which side: people by their visitor id, levels of the computer, programs."""

from dataclasses import dataclass

from damas.arbiter import Player
from damas.board import Color
from damas.server.store.rows import GameRow

LEVEL = "level:"
"""Begins the kind of a level's seat; its number follows."""
SOUGHT = "seek"
"""Kind of a free seat for anybody who looks into the lobby."""
INVITED = "invited:"
"""Kind of a free seat for the player with the id that follows."""
_NEITHER: frozenset[Color] = frozenset()
_WHITE, _BLACK, _BOTH = frozenset({Color.WHITE}), frozenset({Color.BLACK}), frozenset(Color)


@dataclass(frozen=True)
class Seat:
    """One side of a game. `id` is None while nobody sits there."""

    id: str | None
    name: str
    kind: str
    """person, level:N or bot; a free seat's kind may say for whom it is kept."""

    @classmethod
    def of_level(cls, level: int) -> "Seat":
        """The seat of a level of the computer."""
        return cls(f"{LEVEL}{level}", f"damas {level}", f"{LEVEL}{level}")

    @property
    def level(self) -> int | None:
        """The level that sits here, if one does."""
        return int(self.kind.removeprefix(LEVEL)) if self.kind.startswith(LEVEL) else None

    @property
    def free(self) -> bool:
        """Whether nobody sits here."""
        return self.id is None

    @property
    def sought(self) -> bool:
        """Whether it waits for anybody who looks into the lobby."""
        return self.free and self.kind == SOUGHT

    @property
    def invited(self) -> str | None:
        """Id of the only player who may take the seat, if it is kept for somebody."""
        return self.kind.removeprefix(INVITED) if self.free and self.kind.startswith(INVITED) else None

    @property
    def shown_kind(self) -> str:
        """The kind as everybody is shown it: person, level:N or bot."""
        return "person" if self.free else self.kind

    @property
    def player(self) -> Player:
        """Who sits here, as events record it: levels and bots are programs, people and free seats are not."""
        return Player(self.name, bot=self.shown_kind != "person")


@dataclass(frozen=True)
class Seats:
    """Both sides of a game."""

    white: Seat
    black: Seat

    @classmethod
    def of(cls, head: GameRow) -> "Seats":
        """The seats of a stored game."""
        return cls(
            Seat(head.white_id, head.white_name, head.white_kind),
            Seat(head.black_id, head.black_name, head.black_kind),
        )

    @property
    def columns(self) -> dict[str, str | None]:
        """The fields of a `GameRow` that say who sits where."""
        return {
            f"{side.value}_{name}": getattr(self[side], name)
            for side in Color
            for name in ("id", "name", "kind")
        }

    def __getitem__(self, side: Color) -> Seat:
        return self.white if side is Color.WHITE else self.black

    def sides_of(self, visitor: str) -> frozenset[Color]:
        """The sides a visitor plays: one, both at a shared device, or none."""
        if self.white.id == visitor:
            return _BOTH if self.black.id == visitor else _WHITE
        return _BLACK if self.black.id == visitor else _NEITHER

    def you(self, visitor: str) -> str:
        """The same in a word: white, black, both or viewer."""
        sides = self.sides_of(visitor)
        return "viewer" if not sides else "both" if len(sides) == 2 else next(iter(sides)).value

    def made_by(self, visitor: str) -> bool:
        """Whether it is certain that a visitor made the game: no other person has a seat."""
        people = {seat.id for seat in (self.white, self.black) if seat.level is None and not seat.free}
        return people == {visitor}

    @property
    def full(self) -> bool:
        """Whether both are taken."""
        return not self.white.free and not self.black.free

    @property
    def invited(self) -> str | None:
        """Id of the player for whom a seat is kept."""
        return self.white.invited or self.black.invited

    def free_for(self, visitor: str) -> bool:
        """Whether a visitor who has no seat yet may take one: a seat that is kept is free for one person alone."""
        return not self.full and not self.sides_of(visitor) and self.invited in (None, visitor)

    @property
    def shared(self) -> bool:
        """Whether both sides play at one device."""
        return self.full and self.white.id == self.black.id

    @property
    def apart(self) -> bool:
        """Whether two different people (or their programs) play each other."""
        levels = self.white.level or self.black.level
        return self.full and not self.shared and not levels

    @property
    def free_side(self) -> Color | None:
        """The side that nobody has taken, if there is one."""
        return next((side for side in Color if self[side].free), None)
