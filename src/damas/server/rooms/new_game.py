"""New games: what somebody wants to play, and the game that is stored for it."""

import random
import secrets
from dataclasses import replace
from hashlib import sha256
from typing import Annotated, Literal

from msgspec import Meta, Struct, structs

from damas.arbiter import PRESETS, TimeControl, draw_lots, regulation
from damas.arbiter.regulation import usual_time
from damas.board import Color
from damas.errors import NotationError, Problem, TooManyCaptures, UnknownRegulation, UnknownRulebook
from damas.game import Position
from damas.rules import rulebook
from damas.rules.library import builtin_id, rulebook_ids
from damas.server.rooms.ledger import Ledger
from damas.server.rooms.record import seed_of
from damas.server.rooms.seats import INVITED, SOUGHT, Seat, Seats
from damas.server.security.visitors import Visitor
from damas.server.store.rows import GameRow
from damas.server.words import Words

ID_LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""None that look alike: ids are read aloud and typed."""
ID_LENGTH = 12
"""Letters of a game's id: 69 random bits."""
MAX_DAYS = 14
"""Longest time for one move of a correspondence game."""


class AgainstLevel(Struct, tag_field="kind", tag="level", frozen=True):
    """A level of the computer."""

    level: Annotated[int, Meta(ge=1, le=10)] = 4


class AgainstFriend(Struct, tag_field="kind", tag="friend", frozen=True):
    """By a link: whoever has it may take the other seat."""


class OnOneDevice(Struct, tag_field="kind", tag="device", frozen=True):
    """Two people, one screen."""


class AgainstSeek(Struct, tag_field="kind", tag="seek", frozen=True):
    """Whoever looks into the lobby."""


class NewGame(Struct, frozen=True):
    """What somebody wants to play."""

    rulebook: Annotated[str, Meta(max_length=40)]
    opponent: AgainstLevel | AgainstFriend | OnOneDevice | AgainstSeek
    color: Literal["white", "black", "random"] | None = None
    """Random where it is left out."""
    colour: Literal["white", "black", "random"] = "random"
    """Deprecated: the same as `color`."""
    time: Annotated[str, Meta(max_length=40)] | None = None
    """The preset's usual time where it is left out."""
    preset: Annotated[str, Meta(max_length=20)] = "casual"
    fen: Annotated[str, Meta(max_length=400)] | None = None
    public: bool | None = None
    """Whether others find it in the lobby and in the archive; None: unless it is a game by link."""

    def head(
        self,
        visitor: Visitor,
        invited: str | None,
        words: Words,
        language: str,
        now_ms: int,
        *,
        played_as: str | None = None,
    ) -> GameRow:
        """The game to be stored. `invited` is the only one who may take the other seat, if it is kept for somebody.

        `played_as` is the id of a game that has been played already: nobody draws its colours again.
        """
        book_id = builtin_id(self.rulebook)
        if not book_id:
            raise UnknownRulebook(self.rulebook, rulebook_ids())
        if self.preset not in PRESETS:
            raise UnknownRegulation(self.preset, PRESETS)
        time = usual_time(self.preset) if self.time is None else self.time
        control = TimeControl.parse(time)
        if control.kind == "days" and control.extra > MAX_DAYS * 86_400_000:
            raise NotationError(time, (Problem("TIME_CONTROL", time, 0),))
        book, game_id = rulebook(book_id), played_as or game_id_of(secrets.token_bytes(32))
        position = Position.from_fen(self.fen, book) if self.fen else Position.start(book)
        if position.takes_long:  # everybody else's games would wait for this one's
            raise TooManyCaptures
        color = self.color or self.colour
        side = Color(color) if color != "random" else random.choice(list(Color))
        if regulation(self.preset).lot_under(book) and not played_as:
            side = draw_lots(seed_of(game_id))
        shown = not isinstance(self.opponent, AgainstFriend) if self.public is None else self.public
        row = GameRow(
            id=game_id,
            rulebook=book_id,
            rulebook_hash=book.hash,
            preset=self.preset,
            time_control=str(control),
            created_ms=now_ms,
            updated_ms=now_ms,
            fen=position.fen,
            public=shown or invited is not None,
        )
        seats = self._seats(visitor, side, invited, words, language)
        return structs.replace(row, **seats.columns)

    def _seats(
        self, visitor: Visitor, side: Color, invited: str | None, words: Words, language: str
    ) -> Seats:
        own = Seat(visitor.id, visitor.name, "bot" if visitor.bot else "person")
        match self.opponent:
            case OnOneDevice():  # nobody says which of the two sits where: they are called White and Black
                names = [words.say(f"board.side.{each.value}", language) for each in Color]
                return Seats(*(replace(own, name=name) for name in names))
            case AgainstLevel(level=level):
                other = Seat.of_level(level)
            case AgainstSeek():
                other = Seat(None, "", SOUGHT)
            case AgainstFriend():
                other = Seat(None, "", f"{INVITED}{invited}" if invited else "person")
        return Seats(own, other) if side is Color.WHITE else Seats(other, own)


def rematch_head(ledger: Ledger, now_ms: int) -> GameRow:
    """The next game of the same players under today's rules, colours changed unless a lot decides them."""
    head, table, seats = ledger.head, ledger.table, ledger.seats
    game_id = rematch_id(ledger)
    book = rulebook(head.rulebook)
    by_lot = regulation(head.preset).lot_under(book)
    # At one device the names are those of the colours, and stay with them.
    if not seats.shared and not (by_lot and draw_lots(seed_of(game_id)) is Color.BLACK):
        seats = Seats(seats.black, seats.white)
    row = GameRow(
        id=game_id,
        rulebook=head.rulebook,
        rulebook_hash=book.hash,
        preset=head.preset,
        time_control=head.time_control,
        created_ms=now_ms,
        updated_ms=now_ms,
        fen=table.started.fen,
        previous=head.id,
        public=head.public,
    )
    return structs.replace(row, **seats.columns)


def rematch_id(ledger: Ledger) -> str:
    """The id of a game's rematch. It follows from the game's events, so that restarts and double requests make only
    one, and nobody knows it before the game is over.
    """
    return game_id_of(sha256(f"rematch/{ledger.id}/{ledger.chain}".encode()).digest())


def game_id_of(random_bytes: bytes) -> str:
    """A game id made of random bytes."""
    number = int.from_bytes(random_bytes, "big")
    letters = len(ID_LETTERS)
    return "".join(ID_LETTERS[number // letters**place % letters] for place in range(ID_LENGTH))


def is_game_id(text: str) -> bool:
    """Whether a text has the form of a game id."""
    return len(text) == ID_LENGTH and all(letter in ID_LETTERS for letter in text)
