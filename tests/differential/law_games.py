"""Random games in which the core's laws are compared with the stateless text after every ply."""

from collections import Counter
from functools import cache
from random import Random

from damas import Game, Move, Position, Rulebook, rulebook, rulebooks
from damas.board import Color, Piece, Setup
from damas.errors import IllegalSetup
from damas.game import Customs, Record
from damas.game.laws import progress_of
from damas.rules import parse, to_toml
from differential import stateless_laws
from differential.stateless_laws import PlainRecord

MATERIALS = (
    "K-K", "KK-K", "KKK-K", "KKM-K", "KMM-K", "KM-K", "KK-KK", "KK-KM", "K-KM", "KKK-KK", "KKK-KKM", "KKKK-K", "KMM-KM",
    "KM-KM", "KMMM-KM", "KKMM-KKMM", "KKMMM-KMMM",
)  # fmt: skip
CUSTOMS = tuple(Customs(platform, claims) for platform in (True, False) for claims in (True, False))
MAX_PLIES = 120

HOUSE_LAWS = """
[[draw]]
id = "cycle"
rule = "cycle"
limit = 3
claim = "automatic"
decides = "pieces"

[[draw]]
id = "on-diagonal"
rule = "limit"
limit = 6
counts = "strong"
endings = ["K{2,}M{0,2}-KM{0,1}", "KK-K"]
starts = "strong_king_on_diagonal"
while = "always"
resets = ["promotion"]
claim = "unrecorded"
decides = "draw"

[[draw]]
id = "kings"
rule = "limit"
limit = 4
counts = "each"
endings = []
pieces = [2, 6]
kings = "both"
starts = "entry"
while = "always"
resets = ["capture"]
off_during = "on-diagonal"
claim = "unrecorded"
decides = "pieces"

[[draw]]
id = "held"
rule = "limit"
limit = 3
counts = "each"
endings = ["K{1,3}-K{1,2}M{0,}"]
starts = "weak_king_on_diagonal"
while = "weak_king_on_diagonal"
resets = ["man_move"]
unless = "capture_unavoidable"
off_during = "cycle"
claim = "player"
decides = "draw"

[[draw]]
id = "long"
rule = "length"
limit = 70
claim = "player"
decides = "draw"

[[draw]]
id = "quiet"
rule = "limit"
limit = 9
counts = "strong"
endings = []
pieces_a_side = 4
starts = "entry"
while = "always"
resets = ["capture", "man_move"]
claim = "automatic"
decides = "draw"

[[platform]]
id = "platform-fourth"
rule = "repetition"
limit = 4
off_during = "on-diagonal"
claim = "player"
decides = "draw"
"""
"""Draw rules with every word that a file can use, in company no rulebook has."""


@cache
def house(book_id: str) -> Rulebook:
    """A rulebook's moves with the house's draw rules, and two rest rules."""
    written = to_toml(rulebook(book_id)).split("[[", 1)[0]
    rests = "".join(f'\n[[rest]]\nid = "rest-{n}"\nlimit = {n}\n' for n in (4, 2))
    return parse(written.replace(f'id = "{book_id}"', 'id = "our-house"', 1) + rests + HOUSE_LAWS)


def books() -> list[Rulebook]:
    return [*rulebooks(), *(house(book_id) for book_id in ("brasileira", "internacional", "turca", "frisia"))]


def start_of(book: Rulebook, random: Random) -> Position:
    """The opening position in one game of five, else a random ending."""
    while random.random() > 0.2:
        sides = random.choice(MATERIALS).split("-")
        white, black = random.sample(sides, 2)
        squares = random.sample(range(len(book.geometry.places)), len(white) + len(black))
        letters = white.replace("M", "w").replace("K", "W") + black.replace("M", "b").replace("K", "B")
        pieces = {square: Piece(letter) for square, letter in zip(squares, letters, strict=True)}
        try:
            return Position.of(Setup(pieces, random.choice(list(Color))), book)
        except IllegalSetup:
            continue
    return Position.start(book)


def choose(record: PlainRecord, moves: list[Move], random: Random) -> Move:
    """Mostly a move that gives nothing away, often the side's last one taken back, so that laws run far."""
    if record.length > 1 and random.random() < 0.5:
        last = record.move(record.length - 1)
        back = [m for m in moves if (m.origin, m.destination) == (last.destination, last.origin)]
        if back:
            return back[0]
    kings = [move for move in moves if move.by_king and not move.is_capture]
    if kings and random.random() < 0.6:
        moves = kings
    safe = [move for move in moves if not record.position.play(move).must_capture()]
    return random.choice(safe or moves)


def compare_game(book: Rulebook, seed: int) -> Counter[str]:
    """Play one game both ways, past every draw, with claims and take-backs; fail where the two differ.

    Returns how many counts, ends of the game, take-backs and resting kings were compared.
    """
    random = Random(f"{book.id} {seed} laws")
    start, recorded = start_of(book, random), random.random() < 0.6
    plain, record = PlainRecord([start], recorded), Record(start, recorded=recorded)
    compared: Counter[str] = Counter()
    compare(plain, record, compared)
    unrecorded = [rule.id for rule in book.draws if rule.claim == "unrecorded"]
    while plain.length < MAX_PLIES:
        if not recorded and unrecorded and random.random() < 0.08:
            rule_id = random.choice(unrecorded)
            plain.claims.append((plain.length, rule_id))
            record = record.claim(rule_id)
            compare(plain, record, compared)
        if plain.length and random.random() < 0.02:
            plies = random.randint(1, min(6, plain.length))
            plain.take_back(plies)
            record = record.until(record.length - plies)
            compared["taken_back"] += 1
            compare(plain, record, compared)
        moves = stateless_laws.legal_moves(plain)
        if not moves:
            break
        move = choose(plain, moves, random)
        plain.play(move)
        record = record.play(move)
        compare(plain, record, compared)
    return compared


def compare(plain: PlainRecord, record: Record, compared: Counter[str]) -> None:
    """Compare counts, legal moves, resting kings and the end of a game."""
    book = plain.rulebook
    expected = [progress for law in stateless_laws.laws(book) if (progress := law.progress(plain))]
    assert progress_of(record, book.draws) == expected, (book.id, record)
    moves = stateless_laws.legal_moves(plain)
    assert list(record.legal_moves) == moves, (book.id, record)
    for number, rule in enumerate(book.rests):
        assert record.resting_king(number) == stateless_laws.resting_king(rule, plain), (book.id, record)
    for customs in CUSTOMS:
        outcome = Game(record, customs).take_back(0).outcome
        ended = "" if outcome is None else outcome.rule or "board"
        assert ended == stateless_laws.ended_by(plain, customs), (book.id, customs, record)
        compared["ends"] += bool(ended)
    compared["counts"] += len(expected)
    compared["resting"] += len(moves) < plain.position.count_moves()
