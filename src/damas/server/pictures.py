"""Pictures made of dots: a position as PNG, a game as a GIF that moves. The shapes are those of `damas.drawing`.

Pieces are painted once, larger than needed so that their edges come out smooth, and then put on the board.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import cos, pi, sin

from PIL import GifImagePlugin, Image, ImageChops, ImageDraw, ImageFont

from damas.board import Color, Piece, Square
from damas.drawing.palette import DAY
from damas.drawing.shapes import _CROWN as CROWN
from damas.drawing.svg import CANVAS
from damas.drawing.view import View
from damas.game import Move, Position, Record

FINER = 4
"""Times larger a piece is painted before it is made small."""
PAD, EDGE, LABEL = 8.0, 22.0, 11.5
"""As in the SVG: units of its canvas."""
TEETH = 16
A_MOVE, A_JUMP, THE_END = 800, 320, 3000
"""Milliseconds a picture of the film stays."""
MOST_FRAMES = 300
MOST_SIZE = 480
"""Pixels a side of a film."""
COLOURS = 64

Pieces = Mapping[Square, Piece]


@dataclass(frozen=True)
class Frame:
    """One picture of a film."""

    pieces: Pieces
    route: tuple[Square, ...] = ()
    taken: tuple[Square, ...] = ()
    """Pieces that are captured and still stand there."""
    milliseconds: int = A_MOVE


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


class FilmTooLong(Exception):
    """More pictures than `MOST_FRAMES`."""


def gif(
    record: Record,
    *,
    size: int,
    orientation: str = "white",
    numbering: str = "rulebook",
    check: Callable[[], None] = lambda: None,
) -> bytes:
    """A whole game. A capture of several pieces is shown jump by jump. Raises `FilmTooLong`, and what `check` raises.

    One picture at a time is in memory, and of each only what differs from the one before is written.
    """
    if length(record) > MOST_FRAMES:
        raise FilmTooLong
    board = _board(View.of(record.start.draw(), orientation, numbering), min(size, MOST_SIZE))
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
    """How many pictures a game has."""
    jumps = (len(move.route) - 2 for move in record.moves if len(move.captured) > 1)
    return 1 + record.length + sum(jumps)


def film(record: Record) -> Iterator[Frame]:
    """The pictures of a game in their order, the last of them longest."""
    frame = Frame(record.start.setup.pieces)
    for ply, move in enumerate(record.moves, start=1):
        yield frame
        yield from _jumps(record.position_after(ply - 1), move)
        frame = Frame(record.position_after(ply).setup.pieces, tuple(move.route))
    yield Frame(frame.pieces, frame.route, frame.taken, THE_END)


def _jumps(position: Position, move: Move) -> Iterator[Frame]:
    """What is seen before the last jump of a capture: its pieces stay until it ends."""
    if len(move.captured) < 2:
        return
    pieces = position.setup.pieces
    moving = pieces[move.origin]
    for jump in range(1, len(move.route) - 1):
        there = {square: piece for square, piece in pieces.items() if square != move.origin}
        there[move.route[jump]] = moving
        yield Frame(there, tuple(move.route[: jump + 1]), tuple(move.captured[:jump]), A_JUMP)


def _saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    data = BytesIO()
    picture.save(data, kind, **options)
    return data.getvalue()


class Board:
    """A board of one size seen from one side, with everything that is put on it already painted."""

    def __init__(self, view: View, size: int) -> None:
        self.view = view
        self.size = size
        self.unit = size / CANVAS
        left = EDGE if view.edges else PAD
        self.left, self.top = left * self.unit, PAD * self.unit
        self.square = (CANVAS - left - PAD) / view.size * self.unit
        inside = view.labels_inside
        self.radius = (0.35 if inside else 0.385) * self.square
        self.shift = 0.045 * self.square if inside else 0.0
        self.ground = self._ground()
        self.labels = self._labels()
        self.sprites = {kind: self._sprite(kind) for kind in Piece}

    # Places

    def corner(self, square: Square) -> tuple[float, float]:
        column, row = self.view.places[square]
        return self.left + column * self.square, self.top + row * self.square

    def centre(self, square: Square) -> tuple[float, float]:
        x, y = self.corner(square)
        return x + self.square / 2 + self.shift, y + self.square / 2 + self.shift

    # The picture

    def picture(self, frame: Frame) -> Image.Image:
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
        """The colours of everything that may be seen, so that no picture of a film flickers."""
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
        side = self.square * self.view.size
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
        """Names of the squares, or letters and figures at the edges; nothing else."""
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
        """An outline of both ends and a line between, light on dark."""
        pen = ImageDraw.Draw(picture)
        inset = 0.055 * self.square
        for colour, width in (("shade", 0.105), ("last-move", 0.06)):
            thick = max(1, round(width * self.square))
            pen.line([self.centre(square) for square in route], fill=DAY[colour], width=thick, joint="curve")
            for square in (route[0], route[-1]):
                x, y = self.corner(square)
                box = (x + inset, y + inset, x + self.square - inset, y + self.square - inset)
                pen.rounded_rectangle(box, 0.04 * self.square, outline=DAY[colour], width=thick)

    def _cross(self, picture: Image.Image, square: Square) -> None:
        """A ring and a stroke over a piece that goes."""
        pen = ImageDraw.Draw(picture)
        x, y = self.centre(square)
        reach = 1.06 * self.radius
        thick = max(1, round(0.05 * self.square))
        pen.ellipse((x - reach, y - reach, x + reach, y + reach), outline=DAY["captured"], width=thick)
        half = reach * 0.7
        pen.line((x - half, y + half, x + half, y - half), fill=DAY["captured"], width=thick)

    def _sprite(self, kind: Piece) -> Image.Image:
        """One piece: White with a plain ring, Black with a milled rim, a king as two discs and a crown."""
        side = "white" if kind.color is Color.WHITE else "black"
        room = round(self.square * 1.04) * FINER
        picture = Image.new("RGBA", (room, room), DAY[f"{side}-line"] + "00")
        pen = ImageDraw.Draw(picture)
        square, radius = self.square * FINER, self.radius * FINER
        line = max(1, round(0.03 * square))
        lift = 0.05 * square if kind.is_king else 0.0
        middle = room / 2

        def disc(y: float, reach: float, fill: str | None, outline: str, width: int) -> None:
            box = (middle - reach, y - reach, middle + reach, y + reach)
            pen.ellipse(box, fill=fill, outline=outline, width=width)

        if kind.is_king:
            disc(middle + 1.3 * lift, radius, DAY[f"{side}-side"], DAY[f"{side}-line"], line)
        top = middle - lift
        disc(top, radius, DAY[f"{side}-piece"], DAY[f"{side}-line"], line)
        if kind.color is Color.WHITE:
            disc(top, 0.74 * radius, None, DAY["white-mark"], line)
        else:
            _mill(pen, (middle, top), radius, DAY["black-mark"])
        if kind.is_king:
            points = [(middle + x * radius, top + y * radius) for x, y in CROWN]
            pen.polygon(points, fill=DAY[f"{side}-crown"])
        return picture.resize((room // FINER, room // FINER), Image.Resampling.LANCZOS)


def _mill(pen: ImageDraw.ImageDraw, centre: tuple[float, float], radius: float, colour: str) -> None:
    """Teeth all around, as a coin has."""
    x, y = centre
    inner, outer = 0.70 * radius, 0.885 * radius
    half = 0.32 * pi / TEETH
    for tooth in range(TEETH):
        angle = 2 * pi * tooth / TEETH
        places = [
            (x + reach * cos(angle + turn), y + reach * sin(angle + turn))
            for reach, turn in ((inner, -half), (outer, -half), (outer, half), (inner, half))
        ]
        pen.polygon(places, fill=colour)


def _halved(sprite: Image.Image) -> Image.Image:
    """The mask of a piece that is half gone."""
    alpha = sprite.getchannel("A")
    return ImageChops.multiply(alpha, Image.new("L", alpha.size, 140))


def _board(view: View, size: int) -> Board:
    """Boards are painted once: there are few kinds of them. Two threads may paint the same one; both are right."""
    key = (view.drawing.geometry, view.side, view.numbering, size)
    board = _BOARDS.get(key)
    if board is None:
        board = Board(view, size)
        if len(_BOARDS) >= MOST_BOARDS:
            _BOARDS.clear()
        _BOARDS[key] = board
    return board


MOST_BOARDS = 32
_BOARDS: dict[tuple[object, ...], Board] = {}
