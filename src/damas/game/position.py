"""A position: pieces that the rules accept, and whose turn it is. A value: it never changes."""

from collections.abc import Iterable, Sequence
from operator import index
from typing import TYPE_CHECKING, Self, Unpack

from damas import _core
from damas._core import LegalMoves, Move
from damas.board import Color, Piece, Setup, Square
from damas.errors import IllegalSetup, NotationError, Problem, Refusal
from damas.game import pickling
from damas.game.core import rulebook_of, rules_of
from damas.rules import Rulebook, rulebook

if TYPE_CHECKING:
    from array import array

    from damas.drawing import Drawing
    from damas.drawing.svg import PictureOptions

__all__ = ["LegalMoves", "Move", "Position", "refusal"]

_UNREADABLE = {"FEN_SIDE", "FEN_COLOUR", "FEN_COLOUR_TWICE", "FEN_TRAILING", "FEN_NO_WHITE", "FEN_NO_BLACK"}
_CODES = {".": 0} | {piece.value: piece.code for piece in Piece}
_PIECES = {piece.code: piece for piece in Piece}


class Position(_core.Position):
    """Immutable, hashable, and equal exactly when the repetition rule says so: same pieces, same squares,
    same side to move, same rulebook.

    >>> position = Position.start("brasileira")
    >>> position.legal_moves.count()
    7
    >>> print(position.play("c3-d4").fen)
    B:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,e3,g3,d4:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8
    """

    __slots__ = ()

    @classmethod
    def start(cls, book: Rulebook | str) -> Self:
        """The opening position of a rulebook, given as itself, its id, or the path of a rules file."""
        position: Self = _core.start(cls, rules_of(rulebook(book)))
        return position

    @classmethod
    def from_fen(cls, text: str, book: Rulebook | str) -> Self:
        """Reads a FEN in the numbers or letters of the rulebook's board; raises with all that is wrong with it."""
        return cls._accept(_core.read_fen(cls, rules_of(rulebook(book)), text), text, rulebook(book))

    @classmethod
    def of(cls, setup: Setup, book: Rulebook | str) -> Self:
        """Accepts a setup or raises `IllegalSetup` with every problem found, `ValueError` for a square that is not there."""
        try:
            answer = _core.place(
                cls,
                rules_of(rulebook(book)),
                setup.squares(Piece.WHITE_MAN),
                setup.squares(Piece.WHITE_KING),
                setup.squares(Piece.BLACK_MAN),
                setup.squares(Piece.BLACK_KING),
                setup.turn is Color.BLACK,
            )
        except (IndexError, TypeError):
            for place in setup.pieces:
                if rulebook(book).geometry.square(place) != place:
                    message = f"a setup has squares by their index: {place!r} is geometry.square({place!r})"
                    raise TypeError(message) from None
            raise
        return cls._accept(answer, "", rulebook(book))

    @classmethod
    def from_array(cls, codes: Iterable[int], book: Rulebook | str, turn: Color | str) -> Self:
        """Accepts the pieces that `to_array` writes, from any array or list of whole numbers, one for each square.

        Raises `ValueError` for another number of squares or an unknown code, `IllegalSetup` for pieces that the rules
        do not accept.

        >>> start = Position.start("brasileira")
        >>> Position.from_array(start.to_array(), "brasileira", "white") == start
        True
        """
        squares = len(rulebook(book).geometry.squares)
        numbers = [index(code) for code in codes]
        if len(numbers) != squares:
            raise ValueError(f"{len(numbers)} codes for a board of {squares} squares")
        if unknown := set(numbers) - {0, *_PIECES}:
            raise ValueError(f"no piece has the code {min(unknown)}; codes are 0 (empty), 1, 2, -1 and -2")
        pieces = {square: _PIECES[code] for square, code in enumerate(numbers) if code}
        return cls.of(Setup(pieces, Color(turn)), book)

    @classmethod
    def _accept(cls, answer: object, text: str, book: Rulebook) -> Self:
        if isinstance(answer, cls):
            return answer
        assert isinstance(answer, list)
        problems = tuple(
            Problem(code, token, offset, (book.square_names[square],) if square >= 0 else ())
            for code, token, offset, square in answer
        )
        if any(problem.code in _UNREADABLE for problem in problems):
            raise NotationError(text, problems)
        raise IllegalSetup(text, problems)

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook by which it is played."""
        return rulebook_of(self.rules)

    @property
    def turn(self) -> Color:
        """The side to move."""
        return Color.BLACK if self.black_to_move else Color.WHITE

    @property
    def setup(self) -> Setup:
        """The pieces and the side to move, without rules."""
        pieces = {square: Piece(letter) for square, letter in enumerate(self.diagram) if letter != "."}
        return Setup(pieces, self.turn)

    def to_array(self) -> "array[int]":
        """The pieces as small whole numbers, one for each square in the order of `rulebook.square_names`.

        0 is an empty square, 1 and 2 are White's man and king, -1 and -2 Black's, as `damas.successors` takes them. It
        is an array of the standard library: `numpy.asarray` and `torch.asarray` share its memory without copying.
        Planes of the board for a network are in `damas.environments.tensor`.

        >>> Position.from_fen("W:WKa1,c1:Bh8", "brasileira").to_array().tolist()[:4]
        [2, 1, 0, 0]
        """
        from array import array

        return array("b", [_CODES[letter] for letter in self.diagram])

    def piece_at(self, square: Square | str) -> Piece | None:
        """The piece on a square, or None. A square is an internal index or a name in any numbering of the board.

        >>> Position.start("brasileira").piece_at("c3")
        <Piece.WHITE_MAN: 'w'>
        """
        letter = self.diagram[self.rulebook.geometry.square(square)]
        return None if letter == "." else Piece(letter)

    def parse(self, text: str) -> Move:
        """The one legal move a text means, in letters, numbers or rows and columns.

        Raises `NotationError`, `AmbiguousMove` or `IllegalMove`, whose refusal says by which article.
        """
        try:
            reading = self.read(text)
        except TypeError:
            raise TypeError(f"the text of a move is needed, not {text!r}") from None
        if reading[1] is not None and len(reading[0]) == 1:
            return self._by_route(reading[0][0], reading[1])
        from damas.game.explain import error_for  # a legal move never needs it

        raise error_for(self, text)

    def _by_route(self, move: Move, squares: Sequence[Square]) -> Move:
        """The move by the route that these squares name, where it has several; otherwise as it is."""
        route = tuple(squares)
        if len(route) < 4 or tuple(move.route) == route:
            return move
        return next((other for other in self.routes() if other == move and tuple(other.route) == route), move)

    def play(self, move: Move | str) -> Self:
        """The next position; this one is untouched. Takes a legal move or its text."""
        if isinstance(move, str):
            move = self.parse(move)
        try:
            following: Self | None = self.after(move)
        except TypeError:
            raise no_move(move) from None
        if following is None:
            from damas.game.explain import error_for

            raise error_for(self, move.text)
        return following

    def draw(self) -> "Drawing":
        """What pictures of this position are made from."""
        from damas.drawing import Drawing

        return Drawing(self.rulebook.geometry, self.rulebook.move_names, self.setup.pieces)

    def svg(self, **options: Unpack["PictureOptions"]) -> str:
        """A picture of the position; see `damas.drawing.svg` for the options."""
        from damas.drawing import svg

        return svg(self.draw(), **options)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        from damas.drawing import unicode_board

        return unicode_board(self.draw())

    def __repr__(self) -> str:
        return f"<Position {self.rulebook.id} {self.fen}>"

    def __reduce__(self) -> tuple[object, ...]:
        return (pickling.position, (pickling.VERSION, type(self), self.fen, self.rulebook))


def no_move(given: object) -> TypeError:
    """The error of what is neither a move nor its text."""
    return TypeError(f"a move or its text is needed, not {given!r}")


def refusal(position: Position, text: str) -> Refusal | None:
    """Why `text` may not be played in this position, or None if it may; raises `NotationError` if unreadable."""
    from damas.game.explain import examine

    if not isinstance(text, str):
        raise TypeError(f"the text of a move is needed, not {text!r}")
    return examine(position, text)
