from collections.abc import Callable, Iterator
from xml.etree import ElementTree

import pytest

from damas.board import Color, Geometry, Piece
from damas.drawing import Drawing, svg
from damas.drawing.palette import ARROWS, DAY, NIGHT

Place = Callable[..., Drawing]
Start = Callable[[str], Drawing]
Element = ElementTree.Element
NS = "{http://www.w3.org/2000/svg}"

EVERYTHING = {
    "last_move": (0, 5),
    "arrows": [(0, 1), (2, 3, "red"), (4, 9, 14, "blue"), (1, 2, "yellow")],
    "route": (3, 7, 3, 8),
    "captured": (6, 6, 1),
    "marks": (2, 2, 9),
    "title": 'Golpe <&> "turco"',
}


def layers(root: Element, name: str) -> list[Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def layer(root: Element, name: str) -> Element:
    (result,) = layers(root, name)
    return result


def board_box(root: Element) -> tuple[float, float, float]:
    """Left, top and side of the board itself, after frame and edge."""
    boxes = layer(root, "damas-squares").findall(f"{NS}g/{NS}rect")
    ground = boxes[2]
    return float(ground.get("x", "")), float(ground.get("y", "")), float(ground.get("width", ""))


def cell(root: Element, size: int, x: float, y: float) -> tuple[int, int]:
    """Column from the left and row from the top of a place on the picture; -1 and `size` are the margins."""
    left, top, side = board_box(root)
    return int((x - left) // (side / size)), int((y - top) // (side / size))


def texts(element: Element) -> Iterator[tuple[str, float, float]]:
    for text in element.iter(f"{NS}text"):
        yield text.text or "", float(text.get("x", "")), float(text.get("y", ""))


def labels(picture: str, size: int) -> dict[str, tuple[int, int]]:
    root = ElementTree.fromstring(picture)
    return {name: cell(root, size, x, y) for name, x, y in texts(layer(root, "damas-labels"))}


def discs(picture: str, size: int, kind: str) -> set[tuple[int, int]]:
    root = ElementTree.fromstring(picture)
    return {
        cell(root, size, float(circle.get("cx", "")), float(circle.get("cy", "")))
        for circle in layer(root, kind).iter(f"{NS}circle")
    }


@pytest.mark.parametrize("orientation", ["white", "black", Color.WHITE, Color.BLACK])
@pytest.mark.parametrize("numbering", ["rulebook", "algebraic", "numbers", "rows-columns", "none"])
def test_every_picture_is_well_formed_and_stands_alone(
    start: Start, any_board: str, orientation: str | Color, numbering: str
) -> None:
    picture = svg(start(any_board), orientation=orientation, numbering=numbering, **EVERYTHING)  # type: ignore[arg-type]
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{NS}svg"
    assert root.get("role") == "img"
    assert [child.tag for child in root][:3] == [f"{NS}title", f"{NS}desc", f"{NS}style"]
    assert root.findtext(f"{NS}title") == EVERYTHING["title"]
    for word in ("href", "url(", "<script", "<image", "@import", "nan", "inf"):
        assert word not in picture


def test_pictures_share_a_page_without_disturbing_each_other(start: Start, any_board: str) -> None:
    plain = ElementTree.fromstring(svg(start(any_board)))
    full = ElementTree.fromstring(svg(start(any_board), size=90, orientation="black", **EVERYTHING))  # type: ignore[arg-type]
    for root in (plain, full):
        assert not [element.get("id") for element in root.iter() if element.get("id")]
        assert all(name.startswith("damas-") for e in root.iter() for name in e.get("class", "").split())
    assert plain.findtext(f"{NS}style") == full.findtext(f"{NS}style")


def test_no_attribute_class_is_without_a_colour_of_the_style_sheet(start: Start) -> None:
    root = ElementTree.fromstring(svg(start("internacional"), **EVERYTHING))  # type: ignore[arg-type]
    style = root.findtext(f"{NS}style") or ""
    used = {
        n
        for e in root.iter()
        for n in e.get("class", "").split()
        if n.startswith(("damas-fill-", "damas-stroke-"))
    }
    assert len(used) > 15
    for name in used:
        kind, colour = name.removeprefix("damas-").split("-", 1)
        assert f".{name}{{{kind}:var(--damas-{colour})}}" in style


def test_the_same_drawing_gives_the_same_text(place: Place) -> None:
    one, other = place("brasileira", w="a1 c1", b="h8"), place("brasileira", b="h8", w="c1 a1")
    assert svg(one) == svg(other)


@pytest.mark.parametrize(
    ("rulebook", "orientation", "expected"),
    [
        ("portuguesa", "white", {"1": (7, 7), "4": (1, 7), "5": (6, 6), "29": (6, 0), "32": (0, 0)}),
        ("portuguesa", "black", {"1": (0, 0), "4": (6, 0), "5": (1, 1), "29": (1, 7), "32": (7, 7)}),
        ("italiana", "white", {"1": (0, 0), "4": (6, 0), "32": (7, 7)}),
        ("internacional", "white", {"1": (1, 0), "5": (9, 0), "6": (0, 1), "46": (0, 9), "50": (8, 9)}),
        ("internacional", "black", {"1": (8, 9), "46": (9, 0)}),
        ("canadense", "white", {"1": (1, 0), "67": (0, 11), "72": (10, 11)}),
    ],
)
def test_numbers_stand_in_their_squares(
    start: Start, rulebook: str, orientation: str, expected: dict[str, tuple[int, int]]
) -> None:
    drawing = start(rulebook)
    result = labels(svg(drawing, orientation=orientation), drawing.geometry.size)
    assert len(result) == len(drawing.geometry.squares)
    assert {name: result[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("numbering", "orientation", "expected"),
    [
        ("algebraic", "white", {"a": (0, 8), "h": (7, 8), "1": (-1, 7), "8": (-1, 0)}),
        ("algebraic", "black", {"a": (7, 8), "h": (0, 8), "1": (-1, 0), "8": (-1, 7)}),
    ],
)
def test_letters_stand_along_the_edges(
    start: Start, numbering: str, orientation: str, expected: dict[str, tuple[int, int]]
) -> None:
    result = labels(svg(start("brasileira"), numbering=numbering, orientation=orientation), 8)
    assert len(result) == 16
    assert {name: result[name] for name in expected} == expected


@pytest.mark.parametrize("orientation", ["white", "black"])
def test_rows_and_columns_count_from_nought(start: Start, orientation: str) -> None:
    root = ElementTree.fromstring(svg(start("brasileira"), numbering="rows-columns", orientation=orientation))
    places = [(name, *cell(root, 8, x, y)) for name, x, y in texts(layer(root, "damas-labels"))]
    count = list(range(8)) if orientation == "white" else list(range(7, -1, -1))
    assert places[:8] == [(str(count[i]), i, 8) for i in range(8)]
    assert places[8:] == [(str(count[7 - i]), -1, i) for i in range(8)]


def test_none_writes_nothing(start: Start) -> None:
    assert "<text" not in svg(start("portuguesa"), numbering="none")


def test_own_names_of_a_board_stand_in_its_squares() -> None:
    board = Geometry(4, all_squares=False, corner="left", first_number="top-left")
    names = ("<a", "b&", "c", "d", "e", "f", "g", "h")
    result = labels(svg(Drawing(board, names, {})), 4)
    assert result["<a"] == (0, 3)
    assert result["h"] == (3, 0)


def test_a_board_with_the_corner_at_the_right_is_the_same_board_in_a_mirror(place: Place) -> None:
    left, right = place("brasileira", w="a1 d4"), place("portuguesa", w="1 14")
    assert left.pieces == right.pieces
    seen = discs(svg(left, numbering="none"), 8, "damas-white-man")
    mirrored = discs(svg(right, numbering="none"), 8, "damas-white-man")
    assert seen == {(0, 7), (3, 4)}
    assert mirrored == {(7, 7), (4, 4)}


def test_turning_the_board_turns_it_half_around(start: Start, any_board: str) -> None:
    drawing = start(any_board)
    last = drawing.geometry.size - 1
    for kind in ("damas-white-man", "damas-black-man"):
        white = discs(svg(drawing), last + 1, kind)
        black = discs(svg(drawing, orientation="black"), last + 1, kind)
        assert black == {(last - x, last - y) for x, y in white}
        assert len(white) == sum(
            piece.name.lower() == kind[6:].replace("-", "_") for piece in drawing.pieces.values()
        )


def test_playing_squares_are_the_dark_ones(start: Start) -> None:
    for rulebook, corner in (("brasileira", (0, 7)), ("portuguesa", (7, 7))):
        root = ElementTree.fromstring(svg(start(rulebook), numbering="none"))
        (dark,) = layers(layer(root, "damas-squares"), "damas-fill-dark-square")
        boxes = {
            cell(root, 8, float(box.get("x", "")) + 1, float(box.get("y", "")) + 1)
            for box in dark.iter(f"{NS}rect")
        }
        assert len(boxes) == 32
        assert corner in boxes


def test_pieces_differ_in_shape_and_not_only_in_colour(place: Place) -> None:
    """002-4b, 003-4b: a king is a man with another on top."""
    root = ElementTree.fromstring(svg(place("brasileira", w="a1", W="c1", b="e1", B="g1")))
    kinds = {
        kind: layer(root, f"damas-{kind}") for kind in ("white-man", "white-king", "black-man", "black-king")
    }

    def shape(element: Element) -> tuple[int, int, bool]:
        milled = any(part.get("stroke-dasharray") for part in element.iter())
        return len(list(element.iter(f"{NS}circle"))), len(list(element.iter(f"{NS}path"))), milled

    assert {kind: shape(element) for kind, element in kinds.items()} == {
        "white-man": (2, 0, False),
        "white-king": (3, 1, False),
        "black-man": (2, 0, True),
        "black-king": (3, 1, True),
    }


def test_an_empty_board_has_no_pieces(place: Place) -> None:
    picture = svg(place("brasileira"))
    assert not any(f'class="damas-{piece.name.lower().replace("_", "-")}"' in picture for piece in Piece)
    assert "White: no pieces. Black: no pieces." in picture


def test_the_route_is_numbered_where_each_jump_lands(place: Place) -> None:
    drawing = place("brasileira", w="c3", b="d4 d6 b6")
    root = ElementTree.fromstring(svg(drawing, route=["c3", "e5", "c7", "a5"], captured=["d4", "d6", "b6"]))
    result = [(name, cell(root, 8, x, y)) for name, x, y in texts(layer(root, "damas-route"))]
    assert result == [("1", (4, 3)), ("2", (2, 1)), ("3", (0, 3))]
    assert len(list(layer(root, "damas-captured").iter(f"{NS}circle"))) == 2 * 3


def test_a_square_landed_on_twice_shows_both_numbers(place: Place) -> None:
    drawing = place("brasileira", W="a1", b="b2")
    root = ElementTree.fromstring(svg(drawing, route=["a1", "c3", "e5", "c3", "a1"]))
    assert [name for name, _, _ in texts(layer(root, "damas-route"))] == ["1·3", "2", "4"]


def test_a_route_goes_through_the_centres_of_its_squares(place: Place) -> None:
    root = ElementTree.fromstring(svg(place("portuguesa"), route=["10", "19", "28"]))
    data = layer(root, "damas-route").findall(f"{NS}path")[0].get("d", "")
    places = [tuple(map(float, pair.split())) for pair in data.removeprefix("M").split("L")]
    assert [cell(root, 8, x, y) for x, y in places] == [(5, 5), (3, 3), (1, 1)]


def test_arrows_have_colours_and_their_own_dashes(place: Place) -> None:
    arrows = [("a1", "b2"), ("c1", "d2", "red"), ("e1", "f2", "g3", "blue"), (3, "h2", "YELLOW")]
    picture = svg(place("brasileira"), arrows=arrows)
    assert svg(place("brasileira"), arrows=(iter(arrow) for arrow in arrows)) == picture
    root = ElementTree.fromstring(picture)
    drawn = layers(root, "damas-arrow")
    assert [arrow.get("class") for arrow in drawn] == [f"damas-arrow damas-{colour}" for colour in ARROWS]
    dashes = [
        next((part.get("stroke-dasharray") for part in arrow.iter() if part.get("stroke-dasharray")), None)
        for arrow in drawn
    ]
    assert dashes[0] is None
    assert len(set(dashes)) == 4
    assert (drawn[2].findall(f"{NS}path")[0].get("d") or "").count("L") == 2


def test_the_last_move_outlines_its_two_ends(place: Place) -> None:
    root = ElementTree.fromstring(svg(place("brasileira", w="e5"), last_move=["a1", "c3", "e5"]))
    boxes = list(layer(root, "damas-last-move").iter(f"{NS}rect"))
    ends = {cell(root, 8, float(box.get("x", "")), float(box.get("y", ""))) for box in boxes}
    assert ends == {(0, 7), (4, 3)}
    assert len(boxes) == 4, "dark below light, so that the outline shows without colour"


def test_marks_are_brackets_and_leave_room_for_a_number(place: Place) -> None:
    for rulebook, corners in (("brasileira", 4), ("portuguesa", 3)):
        root = ElementTree.fromstring(svg(place(rulebook), marks=[0, 0]))
        data = layer(root, "damas-marks").findall(f"{NS}path")[0].get("d", "")
        assert data.count("M") == corners


def test_the_position_is_described_in_words(place: Place) -> None:
    drawing = place("portuguesa", w="10 9", W="1", B="32")
    options = {
        "last_move": ["6", "10"],
        "route": ["10", "19"],
        "captured": ["14"],
        "marks": ["32", "5"],
        "arrows": [("1", "5", "red")],
    }
    root = ElementTree.fromstring(svg(drawing, **options))  # type: ignore[arg-type]
    assert root.findtext(f"{NS}title") == "Draughts board: White 2 men and 1 king, Black 1 king"
    assert root.findtext(f"{NS}desc") == (
        "A board of 8 by 8 seen from White's side. White: men on 9, 10; king on 1. Black: king on 32. "
        "Last move: 6 to 10. Route of the capture: 10 to 19. Captured: 14. Marked: 5, 32. Red arrow: 1 to 5."
    )
    words = ElementTree.fromstring(svg(drawing, numbering="rows-columns", orientation="black")).findtext(
        f"{NS}desc"
    )
    assert words == (
        "A board of 8 by 8 seen from Black's side. White: men on 2,5; 2,7; king on 0,7. Black: king on 7,0."
    )


@pytest.mark.parametrize("size", [90, 400, 720.5])
def test_size_is_how_large_it_is_shown(place: Place, size: float) -> None:
    root = ElementTree.fromstring(svg(place("brasileira"), size=size))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == (
        str(size),
        str(size),
        "0 0 400 400",
    )


def test_labels_are_ten_pixels_or_more_at_the_default_size(start: Start, any_board: str) -> None:
    for numbering in ("numbers", "algebraic", "rows-columns"):
        root = ElementTree.fromstring(svg(start(any_board), numbering=numbering, route=(0, 1)))
        heights = [float(e.get("font-size", "")) for e in root.iter() if e.get("font-size")]
        assert len(heights) == 2
        assert min(heights) >= 10


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [DAY, NIGHT], ids=["day", "night"])
def test_words_and_shapes_stand_out_by_day_and_by_night(colours: dict[str, str]) -> None:
    for text, ground in (("number", "dark-square"), ("coordinate", "frame"), ("halo", "route")):
        assert contrast(colours[text], colours[ground]) >= 4.5, text
    shapes = [
        ("white-piece", "dark-square"),
        ("white-mark", "white-piece"),
        ("white-crown", "white-piece"),
        ("black-mark", "black-piece"),
        ("black-crown", "black-piece"),
        ("last-move", "dark-square"),
        ("last-move", "shade"),
        ("mark", "shade"),
        ("captured", "white-piece"),
        ("captured", "black-piece"),
        *((colour, "halo") for colour in ARROWS),
    ]
    for shape, ground in shapes:
        assert contrast(colours[shape], colours[ground]) >= 3, shape
    rim = max(contrast(colours[part], colours["dark-square"]) for part in ("black-piece", "black-line"))
    assert rim >= 2.5, "a black piece shows on its square by itself or by its rim"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"orientation": "left"}, "orientation is 'white' or 'black', not 'left'"),
        ({"orientation": None}, "orientation is 'white' or 'black', not None"),
        (
            {"numbering": "pdn"},
            "numbering is 'rulebook', 'algebraic', 'numbers', 'rows-columns' or 'none', not 'pdn'",
        ),
        ({"size": 0}, "size is a number of pixels, 1 or more, not 0"),
        ({"size": float("nan")}, "size is a number of pixels"),
        ({"last_move": "c3-d4"}, r"one by one, as in \['a1', 'c1'\], not as one text: 'c3-d4'"),
        ({"last_move": ""}, "not as one text: ''"),
        ({"marks": "12"}, "not as one text: '12'"),
        ({"last_move": ["c3"]}, "last_move needs at least two squares"),
        ({"last_move": ["c3", "z9"]}, "No square 'z9' on this board"),
        ({"route": ["c3", "c3"]}, "route names square 9 twice in a row"),
        ({"marks": ["b1"]}, "No square 'b1' on this board. Its last square is 31 "),
        (
            {"arrows": [("c3", "d4", "purple")]},
            "'purple' is neither .*: green, red, blue, yellow",
        ),
        ({"arrows": ["c3-d4"]}, "No square 'c3-d4' on this board"),
        ({"arrows": [("c3", "red")]}, "An arrow needs at least two squares"),
        ({"arrows": [()]}, "An arrow needs at least two squares"),
        ({"title": "a\0b"}, "which no XML document can carry"),
        ({"title": "\ud800"}, "which no XML document can carry"),
    ],
)
def test_bad_options_are_refused_with_what_is_allowed(
    place: Place, options: dict[str, object], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        svg(place("brasileira"), **options)  # type: ignore[arg-type]


def test_chosen_colours_hold_by_day_and_by_night(start: Start, any_board: str) -> None:
    picture = svg(start(any_board), colors={"dark-square": "#2F6F4F", "white-piece": "#ffeedd"})
    root = ElementTree.fromstring(picture)
    assert root.get("style") == "--damas-dark-square:#2f6f4f;--damas-white-piece:#ffeedd"
    painted = [e.get("fill") for e in root.iter() if "damas-fill-dark-square" in e.get("class", "").split()]
    assert set(painted) == {"#2f6f4f"}
    assert svg(start(any_board), colors={}) == svg(start(any_board))


@pytest.mark.parametrize(
    "colors", [{"dark": "#000000"}, {"dark-square": "red"}, {"dark-square": '#00"onload'}]
)
def test_an_unknown_colour_is_refused(start: Start, colors: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"colour"):
        svg(start("brasileira"), colors=colors)
