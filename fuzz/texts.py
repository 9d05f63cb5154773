"""Texts that are right, or nearly: the ground from which broken ones are made."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from damas import Move, Position, Rulebook, rulebooks
from damas.notation import SCHEMES, move_text
from damas.rules import schema, to_toml

CORPUS = Path(__file__).parent / "corpus"

TAGS = (
    'Event "Taça"', 'Site "Évora"', 'Date "2026.11.15"', 'Round "1"', 'White "Ana"', 'Black "B. \\"x\\""', 'Result "1-0"',
    'Result "2-0"', 'Result "1-1"', 'Result "*"', 'Result "1/2-1/2"', 'GameType "20"', 'GameType "26,W,8,8,A0,0"',
    'GameType "99"', 'Rulebook "oficial"', 'Rulebook "x"', 'SetUp "1"', 'SetUp "0"', 'FEN "W:W31:B1"', 'FEN "B:WKa1:Bh8"',
    'FEN ""', 'Annotator "?"',
)  # fmt: skip
COMMENTS = (
    "{good}", "{ [%clk 0:09:58] }", "{[%clock w0:09:58 B0:10:00] said}", "{[%emt 0:00:02.5]}", "{}", "{ { }", "; rest of line\n",
    "{[%clk 99:99:99]}", "{\n[Event \"inside\"]\n}", "%escaped\n", "{unclosed", "$1", "$255", "$", "$9999", "!", "??", "!?", "(!)",
)  # fmt: skip
RESULTS = ("1-0", "0-1", "2-0", "0-2", "1-1", "1/2-1/2", "0-0", "*", "")
DRAW_KEYS = (
    "id", "rule", "article", "limit", "counts", "endings", "starts", "while", "resets", "claim", "decides", "pieces",
    "pieces_a_side", "kings", "unless", "off_during",
)  # fmt: skip
ENDINGS = (
    "KKK-K",
    "KM-K",
    "K{3,}-K",
    "K{1,2}M{0,3}-K",
    "K-K",
    "KK-KM",
    "K{5,3}-K",
    "M{0,99}M{0,99}M{0,99}-K",
    "K{0}-M",
)


def corpus(kind: str) -> list[str]:
    """The seeds of one reader; bytes that are no UTF-8 come as Latin-1."""
    texts = []
    for path in sorted((CORPUS / kind).glob("*")):
        data = path.read_bytes()
        try:
            texts.append(data.decode())
        except UnicodeDecodeError:
            texts.append(data.decode("latin-1"))
    if kind == "toml":
        texts += [to_toml(book) for book in rulebooks()]
    return texts or [""]


def some_positions(book: Rulebook, rng: Random, count: int) -> list[Position]:
    """Out of random games, from the opening to the bare ending."""
    found: list[Position] = []
    position = Position.start(book)
    while len(found) < count:
        moves = position.legal_moves
        if not len(moves) or rng.random() < 0.01:
            position = Position.start(book)
            continue
        position = position.play(moves[rng.randrange(len(moves))])
        if rng.random() < 0.2:
            found.append(position)
    return found


def fen(book: Rulebook, rng: Random) -> str:
    """Pieces anywhere: mostly where they may stand, now and then too many, on squares twice, or men where none stands."""
    if rng.random() < 0.7:
        return _fen_of_a_game(book, rng)
    names = rng.choice((book.square_names, book.geometry.algebraic, book.geometry.numbers))
    sides = []
    for letter in rng.choice(("WB", "BW", "WB", "WB", "WW")):
        king = rng.choice((0.0, 0.1, 0.5, 1.0))
        squares = rng.sample(range(len(names)), min(len(names), int(rng.expovariate(0.15))))
        sides.append(
            letter + ",".join(("K" if rng.random() < king else "") + names[square] for square in squares)
        )
    return f"{rng.choice('WB')}:{':'.join(sides)}{rng.choice(('', '', '', '.', ':H12:F3', ' '))}"


def _fen_of_a_game(book: Rulebook, rng: Random) -> str:
    names = rng.choice((book.square_names, book.geometry.algebraic, book.geometry.numbers))
    most, last = len(book.start_squares(book.first_to_move)), book.size.value - 1
    king = rng.choice((0.0, 0.1, 0.5, 1.0))
    squares = rng.sample(range(len(names)), min(len(names), rng.randrange(1, 2 * most + 1)))
    sides: dict[str, list[str]] = {"W": [], "B": []}
    for square in squares:
        letter = rng.choice("WB")
        if len(sides[letter]) < most:
            crowned = book.geometry.places[square][0] == (last if letter == "W" else 0) or rng.random() < king
            sides[letter].append(("K" if crowned else "") + names[square])
    return f"{rng.choice('WB')}:W{','.join(sides['W'])}:B{','.join(sides['B'])}"


def lattice(book: Rulebook, rng: Random) -> str:
    """Kings among pieces that stand a square apart: the positions with most captures."""
    geometry = book.geometry
    names, most = book.square_names, len(book.start_squares(book.first_to_move))
    odd = rng.randrange(2)
    grid = [
        s
        for s, (row, column) in enumerate(geometry.places)
        if row % 2 == odd and (column % 2 == odd or not geometry.all_squares)
    ]
    theirs = set(rng.sample(grid, min(len(grid), most, rng.randrange(4, most + 1))))
    free = [square for square in geometry.squares if square not in theirs]
    for _ in range(rng.randrange(4)):  # a few out of place
        theirs.discard(next(iter(theirs)))
        theirs.add(rng.choice(free))
    ours = [square for square in rng.sample(free, min(3, len(free))) if square not in theirs][
        : rng.randrange(1, 4)
    ]
    return "W:W{}:B{}".format(
        ",".join("K" + names[s] for s in ours), ",".join("K" + names[s] for s in sorted(theirs))
    )


def a_move_text(position: Position, rng: Random) -> str:
    """Something like a move: a legal one in some scheme, or squares in a row."""
    moves = position.legal_moves
    geometry = position.rulebook.geometry
    scheme = rng.choice(SCHEMES)
    if len(moves) and rng.random() < 0.5:
        move: Move = moves[rng.randrange(len(moves))]
        return move_text(position, move, scheme, short=rng.random() < 0.3)
    names = {
        "algebraic": geometry.algebraic,
        "numbers": geometry.numbers,
        "rows-columns": geometry.rows_columns,
    }[scheme]
    sign = rng.choice(("-", "x", ":", "*", "×", " ", "–", "-", "x"))
    squares = [rng.choice(names) for _ in range(rng.choice((1, 2, 2, 2, 2, 3, 4, 9)))]
    if len(squares) > 1 and rng.random() < 0.5:
        # From one of the pieces on the board, along its lines.
        occupied = [square for square, letter in enumerate(position.diagram) if letter != "."]
        square = rng.choice(occupied)
        walk = [square]
        for _ in range(len(squares) - 1):
            row, column = geometry.places[walk[-1]]
            far = rng.choice((1, 2, 2, 2, 3, 4, -1, -2, -2, -3))
            step = rng.choice(((far, far), (far, -far), (2 * far, 0), (0, 2 * far), (far, 0), (0, far)))
            walk.append(geometry.by_place.get((row + step[0], column + step[1]), rng.randrange(len(names))))
        squares = [names[square] for square in walk]
    return sign.join(squares) + rng.choice(("", "", "", "", "!", "?", "=K", "=D", " "))


def pdn(books: Sequence[Rulebook], rng: Random) -> str:
    """One to three games with everything that games have."""
    games = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        book = rng.choice(books)
        tags = [f"[{rng.choice(TAGS)}]" for _ in range(rng.randrange(5))]
        if rng.random() < 0.9:
            tags.append(f'[Rulebook "{book.id}"]')
        position = Position.start(book)
        if rng.random() < 0.3:
            position = rng.choice(some_positions(book, rng, 3))
            tags.append(f'[FEN "{position.fen}"]')
        words = list(_line(position, rng, rng.randrange(24), 0))
        games.append("\n".join(tags) + "\n\n" + " ".join(words) + f" {rng.choice(RESULTS)}\n")
    return "\n".join(games)


def _line(position: Position, rng: Random, plies: int, depth: int) -> list[str]:
    words = []
    scheme = rng.choice(SCHEMES[:2]) if rng.random() < 0.2 else ""
    for ply in range(plies):
        moves = position.legal_moves
        if not len(moves):
            break
        move = moves[rng.randrange(len(moves))]
        if ply % 2 == 0 or rng.random() < 0.1:
            words.append(f"{ply // 2 + 1}" + ("." if ply % 2 == 0 else "..."))
        words.append(
            move_text(position, move, scheme, short=rng.random() < 0.5)
            if scheme
            else move.text.replace(" ", "-")
        )
        if rng.random() < 0.1:
            words.append(rng.choice(COMMENTS))
        if rng.random() < 0.05 and depth < 3:
            words += ["(", *_line(position, rng, rng.randrange(6), depth + 1), ")"]
        position = position.play(move)
    return words


def toml(rng: Random) -> str:
    """A rules file with random answers, most of which fit together."""
    straight = rng.random() < 0.15
    size = 8 if straight else rng.choice((8, 8, 10, 12))
    flying = rng.random() < 0.7
    answers: dict[str, object] = {
        "size": size,
        "squares": "all" if straight else "dark",
        "corner": "left" if straight else rng.choice(("left", "right")),
        "men_rows": rng.choice(([1], [1, 2], [1, 2, 3], [2, 3], [1, 2, 3, 4], [3, 1], [1, 2, 3, 4, 5], [])),
        "lines": "orthogonal" if straight else "diagonal",
        "capture_lines": "orthogonal" if straight else rng.choice(("diagonal", "diagonal", "all")),
        "flying_king": flying,
        "king_landing": rng.choice(("any", "behind", "continuing")) if flying else "behind",
        "capture_priority": rng.sample(schema.PRIORITIES, rng.randrange(len(schema.PRIORITIES) + 1)),
    }
    lines = [f"id = {_value(rng.choice(('x', 'casa', 'a-1', 'brasileira', 'Ã', '')), rng)}"]
    for section, questions in schema.SECTIONS.items():
        lines.append(f"[{section}]")
        for question in questions:
            answer = answers.get(question.key, rng.choice(question.allowed))
            if rng.random() < 0.01:
                answer = _odd(rng)
            text = _value(answer, rng)
            if rng.random() < 0.3:
                text = f'{{ value = {text}, article = "Art. {rng.randrange(99)}" }}'
            lines.append(f"{question.key} = {text}")
    lines.append("[notation]")
    lines += [f"{key} = {_value(rng.choice(allowed), rng)}" for key, allowed in schema.NOTATION.items()]
    if rng.random() < 0.5:
        lines.append('gametype = "26,W,8,8,A0,0"')
    for number in range(rng.choice((0, 0, 1, 2, 4))):
        lines += _draw(number, rng)
    return "\n".join(lines) + "\n"


def _draw(number: int, rng: Random) -> list[str]:
    rule = rng.choice(schema.RULES)
    entry: dict[str, object] = {
        "id": f"d{number}",
        "rule": rule,
        "limit": rng.choice((0, 1, 2, 3, 5, 20, 10_000, -1)) if rng.random() < 0.2 else rng.randrange(1, 20),
        "claim": rng.choice(schema.CLAIMS),
        "decides": rng.choice(schema.DECIDES),
    }
    if rule == "limit":
        entry |= {
            "counts": rng.choice(schema.COUNTS),
            "endings": rng.sample(ENDINGS, rng.randrange(3)),
            "starts": rng.choice(schema.STARTS),
            "while": rng.choice(schema.WHILE),
            "resets": rng.sample(schema.RESETS, rng.randrange(4)),
        }
        optional = {
            "pieces": [rng.randrange(9), rng.randrange(9)],
            "pieces_a_side": rng.randrange(9),
            "kings": "both",
            "unless": "capture_pending",
            "off_during": f"d{rng.randrange(4)}",
        }
        entry |= {key: value for key, value in optional.items() if rng.random() < 0.2}
    if rng.random() < 0.05:
        entry[rng.choice(DRAW_KEYS)] = _odd(rng)
    return [
        f"[[{rng.choice(('draw', 'platform'))}]]",
        *(f"{key} = {_value(value, rng)}" for key, value in entry.items()),
    ]


def _odd(rng: Random) -> object:
    return rng.choice(
        (
            0,
            1,
            -1,
            True,
            "",
            "x",
            [],
            [[]],
            ["x"],
            {},
            {"value": []},
            1.5,
            float("nan"),
            1 << 70,
            "K-K",
            [1, 1],
            [True],
        )
    )


def _value(value: object, rng: Random) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return (
            f"'{value}'"
            if rng.random() < 0.1 and "'" not in value
            else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item, rng) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(item, rng)}" for key, item in value.items()) + " }"
    return rng.choice(("0x" + "f" * 6000, "1" * 5000)) if value == 1 << 70 else str(value)


def all_books() -> list[Rulebook]:
    return rulebooks()
