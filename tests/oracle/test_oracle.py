"""The oracle against published numbers, hand positions and its own symmetries."""

from random import Random

import pytest

from perft.tables import ROWS

from .board import Position, long_diagonal, read_fen, start, write_fen
from .books import BOOKS
from .draws import Referee, judge
from .hostile import endings, positions
from .moves import by_order, every_capture, legal, merged, read_move, text
from .perft import perft

# --- published numbers ---------------------------------------------------------


@pytest.mark.parametrize("row", [row for row in ROWS if row.source != "core and oracle"], ids=str)
def test_perft(row):
    """As deep as stays below a few thousand leaves."""
    book = row.rulebook
    position = start(book) if row.position == "start" else read_fen(book, row.position)
    depth = row.depth_within(6000)
    assert [perft(book, position, d, row.routes) for d in range(1, depth + 1)] == list(row.counts[:depth])


# --- positions by hand, beside the cases of tests/conformance -------------------


@pytest.mark.parametrize(
    ("book", "fen", "expected"),
    [
        # 000-24: the square it came from counts as empty
        ("brasileira", "W:Wc3:Bb4,b6,d6,d4", "c3xa5xc7xe5xc3 c3xe5xc7xa5xc3"),
        # B.001-2: directly behind in every jump, from any distance
        ("oficial", "W:WKa1:Bc3,f6", "a1xd4xg7"),
        # B.003-3
        ("portuguesa", "W:W24:B28,K27", "24x31="),
        # C: the king must take (g3 could take two); dagger: it must land on e5
        ("checa", "W:WKa1,g3:Bb2,f4,d6", "a1xe5xc7 a1xe5xb8"),
        # C: a man may not take a king
        ("italiana", "W:W30:BK27", "30-26"),
        ("concurso", "W:WKa1:Bb2,d2,f4", "a1xc3xe1"),
        # B.001-1, B.001-4 and B.004-1 read the other way
        ("oficial-men-backward", "W:We5:Bd4", "e5xc3"),
        ("oficial-men-backward", "W:Wf6:Bc7,e7", "f6xd8xb6"),
        ("concurso-men-forward", "W:We5:Bd4", "e5-d6 e5-f6"),
        ("concurso-men-forward", "W:Wf6:Bc7,e7", "f6xd8xb6="),
    ],
)
def test_legal(book, fen, expected):
    texts = [text(book, move) for move in legal(book, read_fen(book, fen))]
    assert sorted(texts) == sorted(expected.split())


def test_conventions():
    """Four orders of one square capture: two ways round are kept, one is dropped."""
    position = read_fen("brasileira", "W:Wc3:Bb4,b6,d6,d4")
    assert len(by_order(legal("brasileira", position))) == 2
    assert len(merged(legal("brasileira", position))) == 1


def test_straight_on_is_one_route():
    """a1 over c3 and f6: whether it rests on d4 or e5 in between makes no other route."""
    position = read_fen("brasileira", "W:WKa1:Bc3,f6")
    assert sorted(text("brasileira", m) for m in legal("brasileira", position)) == ["a1xd4xg7", "a1xd4xh8"]
    assert read_move("brasileira", position, "a1xe5xh8").to == (7, 7)
    assert read_move("brasileira", position, "a1xh8").to == (7, 7)


def test_fen():
    assert read_fen("inglesa", "B:B1-12:W21-32.") == start("inglesa")
    assert read_fen("portuguesa", "W:B21-32:W1-12") == start("portuguesa")
    assert read_fen("brasileira", "W:W21-32:B1-12") == start("brasileira")
    assert read_fen("brasileira", "W:WK29:B") == Position("W", {(0, 0): "W"})
    assert read_fen("portuguesa", "W:WKh1,4:Ba8") == Position("W", {(0, 7): "W", (0, 1): "w", (7, 0): "b"})
    assert read_fen("italiana", "W:W32:BK1") == Position("W", {(0, 7): "w", (7, 0): "B"})
    assert read_fen("internacional", "W:W46:BK5") == Position("W", {(0, 0): "w", (9, 9): "B"})
    assert write_fen("canadense", read_fen("canadense", "B:W72,K67:B1")) == "B:WK67,72:B1"
    for broken in ("W:Wa2:Bb8", "W:W33:B1", "X:Wa1:Bb8", "W:Wa1:Ba1", "W:Wa1:Wc1", ""):
        with pytest.raises(ValueError, match=r"no square|who is to move|two pieces|one list"):
            read_fen("brasileira", broken)


def test_moves_of_the_contest_are_rows_and_columns():
    assert text("concurso", read_move("concurso", start("concurso"), "2,2 3,3")) == "c3-d4"


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_turning_the_board_changes_nothing(book):
    """Half a turn and the colours exchanged: the same moves, seen from the other side."""

    def turned_square(at):
        return book.size - 1 - at[0], book.size - 1 - at[1]

    met_captures = 0
    for fen in positions(book, 7, 100):
        position = read_fen(book, fen)
        assert write_fen(book, position) == fen
        turned = Position(
            "B" if position.turn == "W" else "W",
            {
                turned_square(s): p.translate(str.maketrans("wWbB", "bBwW"))
                for s, p in position.pieces.items()
            },
        )
        ours = legal(book, position)
        met_captures += any(move.captured for move in ours)
        seen = {(m.origin, m.captured, m.route, m.promotes) for m in legal(book, turned)}
        assert len(seen) == len(ours)
        assert seen == {
            (
                turned_square(m.origin),
                tuple(map(turned_square, m.captured)),
                tuple(map(turned_square, m.route)),
                m.promotes,
            )
            for m in ours
        }
    assert met_captures > 40


def test_positions_are_seeded_and_acceptable():
    for book in BOOKS.values():
        first = list(positions(book, 3, 40)) + list(endings(book, 3, 20))
        assert first == list(positions(book, 3, 40)) + list(endings(book, 3, 20))
        most = len(start(book).pieces) // 2
        for fen in first:
            pieces = read_fen(book, fen).pieces
            for side, last in (("W", book.size - 1), ("B", 0)):
                own = [at for at, piece in pieces.items() if piece.upper() == side]
                assert 1 <= len(own) <= most
                assert not any(at[0] == last and pieces[at].islower() for at in own)


# --- results -------------------------------------------------------------------


def results(book, fen, moves, **how):
    return judge(book, fen, moves.split(), **how)


def test_decision_before_draw():
    """G5: the tenth ply of dama contra dama e dama takes the last piece."""
    line = "b8-a7 g1-h2 a7-b8 h2-g1 b8-a7 g1-h2 a7-b8 h2-g1 b8-e5 a1xh8"
    assert results("brasileira", "B:WKa1,Kg1:BKb8", line)[-2:] == [("*", ""), ("1-0", "no-pieces")]


def test_no_moves_loses():
    for book in ("brasileira", "oficial", "faraes", "concurso", "russa", "checa"):
        assert results(book, "B:Wa5:Bc7,a7", "a7-b6") == [("0-1", "no-moves")]
    assert results("faraes", "B:Wa5,h4:Bc7,h6", "c7-b6 a5xc7 h6-g5 h4xf6")[-1] == ("1-0", "no-pieces")
    assert Referee("concurso", "W:Wa5:Bc7,b6").result == "0-1"


def test_unrecorded_game_without_claim_goes_on():
    shuttle = "g1-h2 b8-a7 h2-g1 a7-b8 " * 8
    fen = "W:WKa3,Kc1,Kg1:BKb8"
    assert [r for r, _ in results("faraes", fen, shuttle, recorded=False)] == ["*"] * 32
    early = results("faraes", fen, "claim " + shuttle, recorded=False)
    assert early[23][0] == "*"
    assert early[24] == ("1/2-1/2", "three-kings")


def test_leaving_the_long_diagonal_ends_the_count():
    """CBD 100: the lone king steps off at ply 6 and comes back at ply 8; ten plies from there."""
    line = "a3-f8 a1-h8 f8-e7 h8-g7 e7-d8 g7-f8 d8-c7 f8-g7"
    more = " c7-b8 g7-h8 b8-a7 h8-g7 a7-b8 g7-h8 b8-c7 h8-g7 c7-d8 g7-h8"
    verdicts = results("brasileira-cbd", "W:WKa3,Kc1,Kg1:BKa1", line + more)
    assert [r for r, _ in verdicts[:17]] == ["*"] * 17
    assert verdicts[17] == ("1/2-1/2", "long-diagonal")


def test_king_v_king():
    """Drawn at once, unless the side to move can take."""
    assert Referee("frisia", "W:WK46:BK1").reason == "king-v-king"
    assert Referee("frisia", "W:WK46:BK28").result == "*"
    assert Referee("turca", "W:WKa1:BKb2").reason == "king-v-king"
    assert Referee("turca", "W:WKa1:BKa4").result == "*"
    assert Referee("brasileira", "W:WKa1:BKb8").result == "*"


def wander(referee, dice, wish=lambda move: True):
    """Play a random move that loses no piece, repeats no position and, if possible, meets a wish."""
    moves = referee.legal()
    safe = [m for m in moves if not every_capture(referee.book, m.becomes)] or moves
    fresh = [m for m in safe if not referee.seen[m.becomes.key()]] or safe
    referee.play(dice.choice([m for m in fresh if wish(m)] or fresh))


def test_forcada_begins_on_the_rio_and_runs_on():
    """003-9: nothing is counted before the Rio is held; twelve moves later it is a draw (B.003-8)."""
    counts_started = 0
    rio = long_diagonal(BOOKS["portuguesa"])
    for seed in range(12):
        dice = Random(seed)
        referee = Referee("portuguesa", "W:WK2,K3,K4:BK29")
        white_moves = None
        while referee.result == "*" and referee.plies < 80 and len(referee.position.pieces) == 4:
            mover, hold = referee.position.turn, referee.plies in (10, 11)
            wander(referee, dice, lambda m, mover=mover, hold=hold: mover == "B" or (m.to in rio) == hold)
            if white_moves is not None:
                white_moves += mover == "W"
            elif any(at in rio and piece == "W" for at, piece in referee.position.pieces.items()):
                white_moves = 0
        if referee.reason == "forcada":
            counts_started += 1
            assert white_moves == 12
        elif referee.reason == "":
            assert white_moves is None or white_moves < 12 or len(referee.position.pieces) < 4
    assert counts_started >= 5


def test_balance_of_four_pieces():
    """C: 30 moves each without capture or promotion, kings on both sides; man moves do not begin anew."""
    for seed in range(20):
        dice = Random(seed)
        referee = Referee("russa", "W:WKc1,a3:BKf8,h6")
        man_moves = 0
        while referee.result == "*":
            man = referee.position.turn.lower()
            due = referee.king_plies >= 25
            before = referee.position.pieces
            wander(referee, dice, lambda m, due=due, man=man, before=before: (before[m.origin] == man) == due)
            man_moves += referee.king_plies == 0
        if referee.reason == "balance":
            assert referee.plies == 60
            assert man_moves >= 2
            return
    pytest.fail("no game came so far")


def test_every_draw_rule_is_reached():
    """Endings played at random without losing pieces; the two rules left out have their own tests."""
    missing = {
        "no-pieces", "repetition", "king-moves", "no-capture", "five-moves", "long-diagonal", "three-v-king",
        "two-v-king", "kings-v-king", "three-kings", "forcada", "fpd", "two-kings", "king-v-king",
    }  # fmt: skip
    dice = Random(5)
    for book in BOOKS.values():
        for fen in endings(book, 1, 14):
            referee = Referee(book, fen)
            while referee.result == "*" and referee.plies < 90:
                moves = legal(book, referee.position)
                safe = [m for m in moves if not every_capture(book, m.becomes)]
                referee.play(dice.choice(safe or moves))
            missing.discard(referee.reason)
            if not missing:
                return
    assert not missing


def test_cycle():
    """B.004-3: six times the identical block; a block of six plies counts as well as one of four."""
    fen = "W:Wa3,Kg1:BKb8,h6"
    long_block = "g1-h2 b8-a7 h2-g3 a7-b8 g3-f2 b8-c7 f2-g1 c7-b8 "
    verdicts = results("concurso", fen, long_block * 6)
    assert [r for r, _ in verdicts[:-1]] == ["*"] * 47
    assert verdicts[-1] == ("1/2-1/2", "cycle")
    # one different ply in the third time: the count begins again after it
    broken = long_block * 2 + "g1-h2 b8-a7 h2-g1 a7-b8 " + long_block * 5
    assert results("concurso", fen, broken)[-1] == ("*", "")
