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

        # counters of plies, or of moves of the stronger side; None: the condition does not hold
        self.king_plies = 0
        self.quiet_plies = 0
        self.five: int | None = None
        self.diagonal: int | None = None
        self.three_v_king: int | None = None
        self.two_v_king: int | None = None
        self.kings_v_king: int | None = None
        self.balance_4_5: int | None = None
        self.balance_6_7: int | None = None
        self.strong: int | None = None
        self.article_12: int | None = None
        self.forcada: int | None = None
        self.fpd: int | None = None
        self.two_kings: int | None = None

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
        if self.article_12 is None and three_kings_side(self.position) is not None:
            self.article_12 = 0

    # -- counting -----------------------------------------------------------------

    def count(self, move: Move | None, piece: str | None) -> None:
        """Update every counter after a move; `move` and `piece` are None for the first position."""
        position = self.position
        capture = move is not None and bool(move.captured)
        promotion = move is not None and move.promotes
        by_king = piece is not None and is_king(piece)

        if move is not None:
            # B.000-2: a capture or any man move begins anew
            self.king_plies = self.king_plies + 1 if by_king and not capture else 0
            # B.001-6: only a capture begins anew
            self.quiet_plies = 0 if capture else self.quiet_plies + 1

        # These run while their condition holds; the ply that brings it about is not counted (G2).
        self.five = advanced(self.five, five_move_ending(position))
        self.diagonal = advanced(self.diagonal, three_v_king_on_diagonal(self.book, position))
        self.three_v_king = advanced(self.three_v_king, pieces_v_king(position, 3, 3))
        self.two_v_king = advanced(self.two_v_king, pieces_v_king(position, 1, 2))
        self.kings_v_king = advanced(self.kings_v_king, kings_v_king(position))
        self.two_kings = advanced(self.two_kings, balance(position) == ((0, 1), (0, 2)))

        # These also begin anew with every capture or promotion.
        progress = capture or promotion
        both = kings_on_both_sides(position)
        pieces = len(position.pieces)
        self.balance_4_5 = advanced(None if progress else self.balance_4_5, both and 4 <= pieces <= 5)
        self.balance_6_7 = advanced(None if progress else self.balance_6_7, both and 6 <= pieces <= 7)

        self.count_strong_moves(move is not None)
        small = both and all(len(men) + len(kings) <= 4 for men, kings in armies(position))
        off = "forcada" in self.book.draws and self.forcada is not None  # B.003-10
        self.fpd = advanced(None if progress else self.fpd, small and not off)

    def count_strong_moves(self, moved: bool) -> None:
        """Update the counters of moves of the side with three kings against one."""
        side = three_kings_side(self.position)
        rio = long_diagonal(self.book)
        if side is None:
            self.strong = self.article_12 = self.forcada = None
            return
        one = 1 if moved and side == other(self.position.turn) else 0
        # C: from the moment when the balance stands
        self.strong = 0 if self.strong is None else self.strong + one
        # 002-12: the same; without a record, from the claim (B.002-5)
        if self.article_12 is not None:
            self.article_12 += one
        elif self.recorded:
            self.article_12 = 0
        # 003-9: from the moment when one of the three stands on the Rio, and on until the
        # balance changes (B.003-7..9). Both sides on the Rio at once counts as held by the three.
        if self.forcada is not None:
            self.forcada += one
        elif any(square in rio and piece == side for square, piece in self.position.pieces.items()):
            self.forcada = 0

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
                if balance(position) == ((0, 1), (0, 1)) and not every_capture(self.book, position):
                    return DRAW, "king-v-king"
            else:
                counter, reason = self.counter(rule)
                if counter is not None and counter >= limit:
                    return DRAW, reason
        return OPEN, ""

    def counter(self, rule: str) -> tuple[int | None, str]:
        """The counter of a draw rule, and the reason it gives."""
        return {
            "repetition": (self.seen[self.position.key()], "repetition"),
            "king plies": (self.king_plies, "king-moves"),
            "quiet plies": (self.quiet_plies, "no-capture"),
            "five": (self.five, "five-moves"),
            "diagonal": (self.diagonal, "long-diagonal"),
            "three v king": (self.three_v_king, "three-v-king"),
            "two v king": (self.two_v_king, "two-v-king"),
            "kings v king": (self.kings_v_king, "kings-v-king"),
            "balance 4-5": (self.balance_4_5, "balance"),
            "balance 6-7": (self.balance_6_7, "balance"),
            "strong": (self.strong, "three-kings"),
            "article 12": (self.article_12, "three-kings"),
            "forcada": (self.forcada, "forcada"),
            "fpd": (self.fpd, "fpd"),
            "two kings": (self.two_kings, "two-kings"),
        }[rule]

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


def advanced(counter: int | None, holds: bool) -> int | None:
    """A counter one ply later: None while its condition fails, 0 when it begins to hold."""
    if not holds:
        return None
    return 0 if counter is None else counter + 1


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
