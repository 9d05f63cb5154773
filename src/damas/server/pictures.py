"""Pixel pictures: a position as PNG, a game as an animated GIF, with the shapes of `damas.drawing`.

Pieces are painted once, larger than needed for smooth edges, scaled down and pasted on the board.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import cos, pi, sin

from PIL import GifImagePlugin, Image, ImageChops, ImageDraw, ImageFont

from damas.board import Piece, Square
from damas.drawing.layout import (
    CANVAS,
    CAPTURED_RING,
    EDGE,
    OUTLINE_CORNER,
    OUTLINE_INSET,
    OUTLINE_STROKES,
    Layout,
)
from damas.drawing.palette import DAY
from damas.drawing.pieces import TEETH, TOOTH_SHARE, Crown, Disc, Ring, piece_layers
from damas.drawing.view import View
from damas.game import Move, Position, Record

OVERSAMPLING = 4
"""Factor by which a piece is painted larger before it is scaled down."""
TEETH_BEGIN = 0.70 / 0.79
"""Where teeth begin, in radii of their ring: a little further out than in the SVG, so that pixels keep a clean edge."""
LABEL = 11.5
"""Height of the letters, in units of the canvas."""
MOVE_MS, JUMP_MS, END_MS = 800, 320, 3000
"""How long a frame of the film is shown."""
MAX_FRAMES = 300
"""Frames of the longest film."""
MAX_FILM_SIZE = 480
"""Width and height of a film in pixels."""
COLOURS = 64
"""Colours of a film."""

Pieces = Mapping[Square, Piece]
"""What stands on each square."""


@dataclass(frozen=True)
class Frame:
    """One frame of a film."""

    pieces: Pieces
    route: tuple[Square, ...] = ()
    taken: tuple[Square, ...] = ()
    """Squares of captured pieces that are not removed yet."""
    milliseconds: int = MOVE_MS


def png(
    position: Position,
    *,
    size: int,
    orientation: str = "white",
    numbering: str = "rulebook",
    route: Sequence[Square] = (),
) -> bytes:
    """A picture of a position; options as for `damas.drawing.svg`."""
    board = _board(View.of(position.draw(), orientation, numbering), size)
    picture = board.picture(Frame(position.setup.pieces, tuple(route)))
    return _saved(picture, "PNG", optimize=True)


CARD_SIZE = (1200, 630)
"""Width and height of the picture of a link; those that cut it to a square keep the board, in the middle."""


def card(position: Position, *, orientation: str, route: Sequence[Square] = ()) -> bytes:
    """A position in the middle of a picture as messengers want it of a link."""
    width, height = CARD_SIZE
    board = _board(View.of(position.draw(), orientation, "rulebook"), height)
    picture = Image.new("RGB", CARD_SIZE, DAY["frame"])
    picture.paste(board.picture(Frame(position.setup.pieces, tuple(route))), ((width - height) // 2, 0))
    return _saved(picture, "PNG", optimize=True)


class FilmTooLong(Exception):
    """The film would have more than `MAX_FRAMES` frames."""


def gif(
    record: Record,
    *,
    size: int,
    orientation: str = "white",
    numbering: str = "rulebook",
    check: Callable[[], None] = lambda: None,
) -> bytes:
    """A game as an animated GIF; a capture of several pieces is shown jump by jump.

    Raises `FilmTooLong`, and whatever `check` raises, which is called before each frame. One frame at a time is in
    memory, and only the part that differs from the frame before is written.
    """
    if length(record) > MAX_FRAMES:
        raise FilmTooLong
    board = _board(View.of(record.start.draw(), orientation, numbering), min(size, MAX_FILM_SIZE))
    colours = board.palette()
    pieces: list[bytes] = []
    before: Image.Image | None = None
    for frame in film(record):
        check()
        picture = board.picture(frame)
        if before is None:
            canvas = picture.quantize(palette=colours, dither=Image.Dither.NONE)
            pieces += GifImagePlugin.getheader(canvas, info={"loop": 0, "duration": frame.milliseconds})[0]
        changed = before and (ImageChops.difference(before, picture).getbbox() or (0, 0, 1, 1))
        part = (picture.crop(changed) if changed else picture).quantize(
            palette=colours, dither=Image.Dither.NONE
        )
        corner = changed[:2] if changed else (0, 0)
        pieces += GifImagePlugin.getdata(part, corner, duration=frame.milliseconds, disposal=1)
        before = picture
    return b"".join([*pieces, b";"])


def length(record: Record) -> int:
    """Number of frames of the film of a game."""
    jumps = (len(move.route) - 2 for move in record.moves if len(move.captured) > 1)
    return 1 + record.length + sum(jumps)


def film(record: Record) -> Iterator[Frame]:
    """The frames of a game in order; the last one is shown longest."""
    frame = Frame(record.start.setup.pieces)
    for ply, move in enumerate(record.moves, start=1):
        yield frame
        yield from _jumps(record.position_after(ply - 1), move)
        frame = Frame(record.position_after(ply).setup.pieces, tuple(move.route))
    yield Frame(frame.pieces, frame.route, frame.taken, END_MS)


def _jumps(position: Position, move: Move) -> Iterator[Frame]:
    """The frames before the last jump of a capture, whose pieces stay until it ends."""
    if len(move.captured) < 2:
        return
    pieces = position.setup.pieces
    moving = pieces[move.origin]
    for jump in range(1, len(move.route) - 1):
        there = {square: piece for square, piece in pieces.items() if square != move.origin}
        there[move.route[jump]] = moving
        yield Frame(there, tuple(move.route[: jump + 1]), tuple(move.captured[:jump]), JUMP_MS)


def _saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    data = BytesIO()
    picture.save(data, kind, **options)
    return data.getvalue()


class Board(Layout):
    """A board of one size seen from one side, with everything that is put on it already painted."""

    def __init__(self, view: View, size: int) -> None:
        self.size = size
        self.unit = size / CANVAS
        super().__init__(view, self.unit)
        self.ground = self._ground()
        self.labels = self._labels()
        self.sprites = {kind: self._sprite(kind) for kind in Piece}

    def picture(self, frame: Frame) -> Image.Image:
        """One frame, painted."""
        picture = self.ground.copy()
        if len(frame.route) > 1:
            self._last_move(picture, frame.route)
        for square, piece in frame.pieces.items():
            sprite = self.sprites[piece]
            x, y = self.centre(square)
            place = (round(x - sprite.width / 2), round(y - sprite.height / 2))
            faint = square in frame.taken
            picture.paste(sprite, place, _halved(sprite) if faint else sprite)
            if faint:
                self._cross(picture, square)
        picture.paste(self.labels, (0, 0), self.labels)
        return picture

    def palette(self) -> Image.Image:
        """A palette for all frames of a film, so that colours do not flicker."""
        squares = self.view.drawing.geometry.squares
        kinds = list(Piece)
        shown = {square: kinds[square % len(kinds)] for square in squares if square % 6 < len(kinds)}
        route = (squares[0], squares[-1])
        sample = self.picture(Frame(shown, route, tuple(squares[::7])))
        return sample.quantize(COLOURS, method=Image.Quantize.MEDIANCUT)

    def _ground(self) -> Image.Image:
        geometry = self.view.drawing.geometry
        picture = Image.new("RGB", (self.size, self.size), DAY["frame"])
        pen = ImageDraw.Draw(picture)
        side = self.side
        edge = 2 * self.unit
        box = (self.left - edge, self.top - edge, self.left + side + edge, self.top + side + edge)
        pen.rectangle(box, fill=DAY["edge"])
        plain = DAY["dark-square" if geometry.all_squares else "light-square"]
        pen.rectangle((self.left, self.top, self.left + side, self.top + side), fill=plain)
        for square in geometry.squares:
            x, y = self.corner(square)
            box = (round(x), round(y), round(x + self.square) - 1, round(y + self.square) - 1)
            outline = DAY["light-square"] if geometry.all_squares else None
            pen.rectangle(box, fill=DAY["dark-square"], outline=outline)
        return picture

    def _labels(self) -> Image.Image:
        """A transparent layer with the names of squares, or of rows and columns."""
        picture = Image.new("RGBA", (self.size, self.size))
        pen = ImageDraw.Draw(picture)
        view = self.view
        font = ImageFont.load_default(max(8.0, LABEL * self.unit))
        if view.labels_inside:
            for square, name in enumerate(view.names):
                x, y = self.corner(square)
                box = pen.textbbox((x + 2 * self.unit, y + self.unit), name, font=font)
                pen.rectangle((round(x), round(y), box[2] + 1, box[3] + 1), fill=DAY["dark-square"])
                pen.text((x + 2 * self.unit, y + self.unit), name, fill=DAY["number"], font=font)
        elif view.edges:
            columns, rows = view.edges
            below, beside = self.size - (EDGE - 3) / 2 * self.unit, (EDGE - 1) / 2 * self.unit
            for index, name in enumerate(columns):
                x = self.left + (index + 0.5) * self.square
                pen.text((x, below), name, fill=DAY["coordinate"], font=font, anchor="mm")
            for index, name in enumerate(rows):
                y = self.top + (index + 0.5) * self.square
                pen.text((beside, y), name, fill=DAY["coordinate"], font=font, anchor="mm")
        return picture

    def _last_move(self, picture: Image.Image, route: tuple[Square, ...]) -> None:
        """An outline of the first and last square and a line between them."""
        pen = ImageDraw.Draw(picture)
        inset = OUTLINE_INSET * self.square
        for colour, width in OUTLINE_STROKES:
            thick = max(1, round(width * self.square))
            pen.line([self.centre(square) for square in route], fill=DAY[colour], width=thick, joint="curve")
            for square in (route[0], route[-1]):
                x, y = self.corner(square)
                box = (x + inset, y + inset, x + self.square - inset, y + self.square - inset)
                pen.rounded_rectangle(box, OUTLINE_CORNER * self.square, outline=DAY[colour], width=thick)

    def _cross(self, picture: Image.Image, square: Square) -> None:
        """A ring and a stroke over a captured piece."""
        pen = ImageDraw.Draw(picture)
        x, y = self.centre(square)
        reach = CAPTURED_RING * self.radius
        thick = max(1, round(0.05 * self.square))
        pen.ellipse((x - reach, y - reach, x + reach, y + reach), outline=DAY["captured"], width=thick)
        half = reach * 0.7
        pen.line((x - half, y + half, x + half, y - half), fill=DAY["captured"], width=thick)

    def _sprite(self, kind: Piece) -> Image.Image:
        """One piece, with transparent pixels around it."""
        room = round(self.square * 1.04) * OVERSAMPLING
        layers = piece_layers(kind, self.square * OVERSAMPLING, self.radius * OVERSAMPLING)
        transparent = next(layer.outline for layer in layers if isinstance(layer, Disc))
        picture = Image.new("RGBA", (room, room), DAY[transparent] + "00")
        pen = ImageDraw.Draw(picture)
        middle = room / 2
        for layer in layers:
            if isinstance(layer, Crown):
                corners = [(middle + x, middle + y) for x, y in layer.points]
                pen.polygon(corners, fill=DAY[layer.color])
                continue
            x, y, reach = middle, middle + layer.y, layer.radius
            box = (x - reach, y - reach, x + reach, y + reach)
            width = max(1, round(layer.width))
            if isinstance(layer, Disc):
                pen.ellipse(box, fill=DAY[layer.fill], outline=DAY[layer.outline], width=width)
            elif layer.teeth:
                _mill(pen, (x, y), layer)
            else:
                pen.ellipse(box, outline=DAY[layer.color], width=width)
        return picture.resize((room // OVERSAMPLING, room // OVERSAMPLING), Image.Resampling.LANCZOS)


def _mill(pen: ImageDraw.ImageDraw, centre: tuple[float, float], rim: Ring) -> None:
    """Teeth all around, as a coin has."""
    x, y = centre
    inner, outer = TEETH_BEGIN * rim.radius, rim.radius + rim.width / 2
    half = TOOTH_SHARE * pi / TEETH
    for tooth in range(TEETH):
        angle = 2 * pi * tooth / TEETH
        places = [
            (x + reach * cos(angle + turn), y + reach * sin(angle + turn))
            for reach, turn in ((inner, -half), (outer, -half), (outer, half), (inner, half))
        ]
        pen.polygon(places, fill=DAY[rim.color])


def _halved(sprite: Image.Image) -> Image.Image:
    """The mask of a half-transparent piece."""
    alpha = sprite.getchannel("A")
    return ImageChops.multiply(alpha, Image.new("L", alpha.size, 140))


def _board(view: View, size: int) -> Board:
    """A cached board. Two threads may paint the same one; both results are equal."""
    key = (view.drawing.geometry, view.side, view.numbering, size)
    board = _BOARDS.get(key)
    if board is None:
        board = Board(view, size)
        if len(_BOARDS) >= MAX_CACHED_BOARDS:
            _BOARDS.clear()
        _BOARDS[key] = board
    return board


MAX_CACHED_BOARDS = 32
"""Painted boards kept in memory."""
_BOARDS: dict[tuple[object, ...], Board] = {}
