"""The result after each ply by the letter of a book, with plain counters.

Every rule keeps one counter that goes up or back to nothing as the game goes on;
nothing is ever derived from the record of the game. Platform rules are off and
rules that a federation applies on claim are applied by themselves (G3), except
the claim of 002-12 in a game that nobody writes down.
"""

from collections import Counter

from .board import Position, colour, is_king, long_diagonal, other, read_fen
from .books import Book, book_of
from .moves import Move, every_capture, legal, read_move

OPEN = "*"
DRAW = "1/2-1/2"
REASONS = {
    "repetition": "repetition",
    "king plies": "king-moves",
    "quiet plies": "no-capture",
    "five": "five-moves",
    "diagonal": "long-diagonal",
    "three v king": "three-v-king",
    "two v king": "two-v-king",
    "kings v king": "kings-v-king",
    "balance 4-5": "balance",
    "balance 6-7": "balance",
    "strong": "three-kings",
    "article 12": "three-kings",
    "forcada": "forcada",
    "fpd": "fpd",
    "two kings": "two-kings",
}
"""The reason that each counted rule of `books` gives."""


def judge(book: Book | str, fen: str, moves: list[str], recorded: bool = True) -> list[tuple[str, str]]:
    """(result, reason) after each ply; the word `claim` among the moves is not a ply.

    Once the game is over its result stands, and what follows is not looked at.
    """
    referee = Referee(book, fen, recorded)
    verdicts = []
    for written in moves:
        if written == "claim":
            referee.claim()
            continue
        if referee.result == OPEN:
            referee.play(read_move(referee.book, referee.position, written))
        verdicts.append((referee.result, referee.reason))
    return verdicts


class Referee:
    """A game in progress; `result` and `reason` are those of the current position."""

    def __init__(self, book: Book | str, fen: str, recorded: bool = True) -> None:
        self.book = book_of(book)
        self.position = read_fen(self.book, fen)
        self.recorded = recorded
        self.last_king: dict[str, tuple[tuple[int, int], int] | None] = {"W": None, "B": None}
        self.plies = 0
        self.seen = Counter([self.position.key()])  # the first position is occurrence 1 (G4)

        # counters of plies, or of moves of the stronger side, by the names of `books`; None: the condition does not hold
        self.counters: dict[str, int | None] = dict.fromkeys(REASONS)
        self.counters |= {"king plies": 0, "quiet plies": 0}

        # for cycles: the moves so far, positions before each, and for each length L how many
        # plies running have equalled the ply L before them
        self.played: list[tuple[object, ...]] = []
        self.stood = [self.position.key()]
        self.running: Counter[int] = Counter()

        self.count(None, None)
        self.result, self.reason = self.verdict()

    # -- the game goes on ---------------------------------------------------------

    def play(self, move: Move) -> None:
        if self.result != OPEN:
            raise ValueError("the game is over")
        if self.king_must_rest(move):
            raise ValueError("this king has moved often enough (frisia)")
        mover, piece = self.position.turn, self.position.pieces[move.origin]
        self.note_king_run(mover, piece, move)
        self.position = move.becomes
        self.plies += 1
        self.seen[self.position.key()] += 1
        self.note_cycle(move)
        self.count(move, piece)
        self.result, self.reason = self.verdict()

    def claim(self) -> None:
        """002-12§: in an unrecorded game the thirteen moves are counted from here."""
        if self.counters["article 12"] is None and three_kings_side(self.position) is not None:
            self.counters["article 12"] = 0

    # -- counting -----------------------------------------------------------------

    def count(self, move: Move | None, piece: str | None) -> None:
        """Update every counter after a move; `move` and `piece` are None for the first position."""
        position = self.position
        capture = move is not None and bool(move.captured)
        promotion = move is not None and move.promotes
        by_king = piece is not None and is_king(piece)

        self.counters["repetition"] = self.seen[position.key()]
        if move is not None:
            # B.000-2: a capture or any man move begins anew
            self.advance("king plies", by_king and not capture, begins=1)
            # B.001-6: only a capture begins anew
            self.advance("quiet plies", not capture, begins=1)

        # These run while their condition holds; the ply that brings it about is not counted (G2).
        self.advance("five", five_move_ending(position))
        self.advance("diagonal", three_v_king_on_diagonal(self.book, position))
        self.advance("three v king", pieces_v_king(position, 3, 3))
        self.advance("two v king", pieces_v_king(position, 1, 2))
        self.advance("kings v king", kings_v_king(position))
        self.advance("two kings", balance(position) == ((0, 1), (0, 2)))

        # These also begin anew with every capture or promotion.
        both = kings_on_both_sides(position)
        pieces = len(position.pieces)
        self.count_strong_moves(move is not None)
        small = both and all(len(men) + len(kings) <= 4 for men, kings in armies(position))
        off = "forcada" in self.book.draws and self.counters["forcada"] is not None  # B.003-10
        if capture or promotion:
            self.counters |= {"balance 4-5": None, "balance 6-7": None, "fpd": None}
        self.advance("balance 4-5", both and 4 <= pieces <= 5)
        self.advance("balance 6-7", both and 6 <= pieces <= 7)
        self.advance("fpd", small and not off)

    def advance(self, name: str, holds: bool, begins: int = 0, by: int = 1) -> None:
        """Move a counter on: None while its condition fails, `begins` when it begins to hold, then `by` more a ply."""
        counter = self.counters[name]
        self.counters[name] = None if not holds else begins if counter is None else counter + by

    @property
    def king_plies(self) -> int:
        """Quiet king moves in a row."""
        return self.counters["king plies"] or 0

    def count_strong_moves(self, moved: bool) -> None:
        """Update the counters of moves of the side with three kings against one."""
        side = three_kings_side(self.position)
        rio = long_diagonal(self.book)
        one = 1 if moved and side == other(self.position.turn) else 0
        # C: from the moment when the balance stands
        self.advance("strong", side is not None, by=one)
        # 002-12: the same; without a record, from the claim (B.002-5)
        counts = self.recorded or self.counters["article 12"] is not None
        self.advance("article 12", side is not None and counts, by=one)
        # 003-9: from the moment when one of the three stands on the Rio, and on until the
        # balance changes (B.003-7..9). Both sides on the Rio at once counts as held by the three.
        held = any(square in rio and piece == side for square, piece in self.position.pieces.items())
        started = held or self.counters["forcada"] is not None
        self.advance("forcada", side is not None and started, by=one)

    def note_cycle(self, move: Move) -> None:
        """B.004-3: count, for each length L, how many plies in a row equal the ply L before them."""
        self.played.append(
            (move.origin, move.route, move.captured, move.promotes)
        )  # a crowning is no king's move
        self.stood.append(self.position.key())
        for length in range(4, self.plies, 2):
            if self.played[-1] == self.played[-1 - length]:
                self.running[length] += 1
            else:
                self.running[length] = 0

    def note_king_run(self, mover: str, piece: str, move: Move) -> None:
        """Count the quiet moves that one king of a side has made in a row."""
        last = self.last_king[mover]
        if move.captured or not is_king(piece):
            self.last_king[mover] = None
        elif last is not None and last[0] == move.origin:
            self.last_king[mover] = (move.to, last[1] + 1)
        else:
            self.last_king[mover] = (move.to, 1)

    def king_must_rest(self, move: Move) -> bool:
        """Whether the king of this quiet move must rest (frisia) while its side has men."""
        last = self.last_king[self.position.turn]
        man = self.position.turn.lower()
        return (
            self.book.king_rests_after is not None
            and not move.captured
            and man in self.position.pieces.values()
            and last is not None
            and last[0] == move.origin
            and last[1] >= self.book.king_rests_after
        )

    def legal(self) -> list[Move]:
        """The legal moves of the position without those of a king that must rest."""
        return [move for move in legal(self.book, self.position) if not self.king_must_rest(move)]

    # -- the verdict --------------------------------------------------------------

    def verdict(self) -> tuple[str, str]:
        """The result and its reason: no pieces, then no moves, then the draws, as a win comes before a draw (G5)."""
        position, side = self.position, self.position.turn
        lost = "0-1" if side == "W" else "1-0"
        if not any(colour(piece) == side for piece in position.pieces.values()):
            return lost, "no-pieces"
        if not self.legal():
            return lost, "no-moves"
        for rule, limit in self.book.draws.items():
            if rule == "cycle":
                if self.cycled(limit):
                    return self.by_count(), "cycle"
            elif rule == "duel":
                if balance(position) == ((0, 1), (0, 1)) and not self.capture_comes(limit):
                    return DRAW, "king-v-king"
            elif (self.counters[rule] or 0) >= limit:
                return DRAW, REASONS[rule]
        return OPEN, ""

    def capture_comes(self, plies: int) -> bool:
        """Whether the side to move captures; with two plies, also whether it cannot avoid being captured next."""
        if every_capture(self.book, self.position):
            return True
        return plies >= 2 and all(every_capture(self.book, move.becomes) for move in self.legal())

    def cycled(self, limit: int) -> bool:
        """Whether one block of moves that returns to the same position has been played `limit` times.

        The first time nothing repeats yet, so the plies that equal those L before
        must be limit - 1 whole blocks.
        """
        for length in range(4, self.plies // limit + 1, 2):
            if self.running[length] >= (limit - 1) * length and self.stood[-1] == self.stood[-1 - length]:
                return True
        return False

    def by_count(self) -> str:
        """004-4.3: the player with more pieces wins, kings and men alike (B.004-4)."""
        (white_men, white_kings), (black_men, black_kings) = armies(self.position)
        white = len(white_men) + len(white_kings)
        black = len(black_men) + len(black_kings)
        return DRAW if white == black else "1-0" if white > black else "0-1"


# -- what stands on the board -------------------------------------------------------


def armies(position: Position) -> tuple[tuple[list[tuple[int, int]], list[tuple[int, int]]], ...]:
    """(men, kings) of White, then of Black, as squares."""
    return tuple(
        (
            [square for square, piece in position.pieces.items() if piece == side.lower()],
            [square for square, piece in position.pieces.items() if piece == side],
        )
        for side in ("W", "B")
    )


def balance(position: Position) -> tuple[tuple[int, int], ...]:
    """The numbers (men, kings) of both sides, the smaller pair first, whatever their colours."""
    return tuple(sorted((len(men), len(kings)) for men, kings in armies(position)))


def kings_on_both_sides(position: Position) -> bool:
    return all(kings for _, kings in armies(position))


def five_move_ending(position: Position) -> bool:
    """000-29..33 and no other (B.000-3); pairs are (men, kings)."""
    return balance(position) in (
        ((0, 2), (0, 2)),  # 2 damas v 2
        ((0, 1), (0, 2)),  # 2 damas v 1
        ((0, 2), (1, 1)),  # 2 damas v dama and pedra
        ((0, 1), (0, 1)),  # dama v dama
        ((0, 1), (1, 1)),  # dama v dama and pedra
    )


def lone_king_sides(position: Position) -> list[tuple[tuple[int, int], int, int]]:
    """For each side that is a lone king: its square, and the men and kings against it."""
    white, black = armies(position)
    sides = []
    for (men, kings), (their_men, their_kings) in ((white, black), (black, white)):
        if not men and len(kings) == 1:
            sides.append((kings[0], len(their_men), len(their_kings)))
    return sides


def pieces_v_king(position: Position, fewest: int, most: int) -> bool:
    """Whether `fewest` to `most` pieces, at least one of them a king, stand against a lone king."""
    return any(fewest <= men + kings <= most and kings >= 1 for _, men, kings in lone_king_sides(position))


def kings_v_king(position: Position) -> bool:
    """Three or more kings and no men against exactly one king."""
    return any(men == 0 and kings >= 3 for _, men, kings in lone_king_sides(position))


def three_v_king_on_diagonal(book: Book, position: Position) -> bool:
    """3K, 2K+M or K+2M against a king on the long diagonal (B.000-7)."""
    return any(
        men + kings == 3 and kings >= 1 and square in long_diagonal(book)
        for square, men, kings in lone_king_sides(position)
    )


def three_kings_side(position: Position) -> str | None:
    """The side that has exactly three kings against exactly one, no men anywhere."""
    if balance(position) != ((0, 1), (0, 3)):
        return None
    return "W" if list(position.pieces.values()).count("W") == 3 else "B"
