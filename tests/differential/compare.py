"""Compares the core and the oracle on a position; their squares are matched by name alone."""

from damas import Move, Position, Rulebook
from damas.game.core import core_rules
from oracle import board as oracle_board
from oracle.board import Square, name, names, order, read_fen, square_of, start
from oracle.books import Book
from oracle.moves import legal, merged

DUTY = {
    "most_pieces": "quantity",
    "most_value": "value",
    "with_king": "with king",
    "most_kings": "kings taken",
    "king_first": "kings first",
}
"""The laws that prefer some captures: the core's names and the oracle's."""

Result = tuple[Square, Square, frozenset[Square], bool, str]
Route = tuple[Square, tuple[Square, ...], tuple[Square, ...]]


class Boards:
    """The squares of a rulebook of the core matched with those of the oracle's book."""

    def __init__(self, book: Rulebook, oracle: Book) -> None:
        self.book, self.oracle = book, oracle
        self.squares = [square_of(oracle, text) for text in book.square_names]

    def difference(self) -> str | None:
        """How the two differ on the empty board and the start, or None if they agree."""
        if set(self.squares) != set(oracle_board.squares(self.oracle)):
            return "the boards have other squares"
        geometry = self.book.geometry
        for i, (square, text) in enumerate(zip(self.squares, self.book.square_names, strict=True)):
            if name(self.oracle, square) != text:
                return f"{text} is {name(self.oracle, square)} to the oracle"
            if (
                names(self.oracle.size, self.oracle.corner, "top left", "algebraic")[square]
                != geometry.algebraic[i]
            ):
                return f"{text} is {geometry.algebraic[i]} in the core only"
            if self.oracle.numbers and order(self.oracle)[int(geometry.numbers[i]) - 1] != square:
                return f"{text} has the number {geometry.numbers[i]} in the core only"
        if read_fen(self.oracle, Position.start(self.book).fen) != start(self.oracle):
            return "the start positions differ"
        return None

    def diagram(self, position: oracle_board.Position) -> str:
        """An oracle's position in the order of the core's squares."""
        return position.turn + "".join([position.pieces.get(square, ".") for square in self.squares])

    def results(self, position: Position) -> list[Result]:
        """Each legal move by the core: origin, destination, captured squares, promotion, and the board after it."""
        at = self.squares
        moves = []
        for move in position.legal_moves:
            following = position.after(move)
            assert following is not None, f"{move.text} is listed and not playable in {position.fen}"
            taken = frozenset([at[s] for s in move.captured])
            diagram = following.turn.letter + following.diagram
            moves.append((at[move.origin], at[move.destination], taken, move.promotes, diagram))
        return moves

    def routes(self, position: Position) -> list[Route]:
        """Each route by the core: origin, captured squares in order, and every landing."""
        return [self.route(move) for move in position.routes()]

    def route(self, move: Move) -> Route:
        at = self.squares
        return at[move.origin], tuple([at[s] for s in move.captured]), tuple([at[s] for s in move.route[1:]])


class Expected:
    """The legal moves of one position by the oracle."""

    def __init__(self, boards: Boards, oracle: Book, fen: str) -> None:
        self.fen = fen
        self.position = read_fen(oracle, fen)
        moves = legal(oracle, self.position)
        self.results = sorted(
            (move.origin, move.to, frozenset(move.captured), move.promotes, boards.diagram(move.becomes))
            for move in merged(moves)
        )
        self.routes = sorted((move.origin, move.captured, move.route) for move in moves)
        self.captures = bool(moves) and bool(moves[0].captured)


def sorted_results(results: list[Result]) -> list[Result]:
    # Origin, destination and the position afterwards order them; the captured set need not.
    return sorted(results, key=lambda result: (result[0], result[1], result[3:], sorted(result[2])))


def move_difference(boards: Boards, position: Position, expected: Expected) -> str | None:
    """How the legal moves of the core differ from those of the oracle, in words, or None."""
    if len(position.legal_moves) != len(expected.results):  # soon seen, where thousands would be listed
        return (
            f"{expected.fen}: {len(position.legal_moves)} legal moves, {len(expected.results)} by the oracle"
        )
    ours, theirs = sorted_results(boards.results(position)), sorted_results(expected.results)
    if ours != theirs:
        return f"{expected.fen}: legal moves {_only(ours, theirs)}"
    ours_kept, theirs_kept = sorted(boards.routes(position)), expected.routes
    if ours_kept != theirs_kept:
        return f"{expected.fen}: routes {_only(ours_kept, theirs_kept)}"
    return None


def difference(boards: Boards, fen: str, *, thorough: bool = True) -> str | None:
    """How core and oracle differ on one position: moves, routes, counts, FEN; None if they agree."""
    position = Position.from_fen(fen, boards.book)
    expected = Expected(boards, boards.oracle, fen)
    moves_differ = move_difference(boards, position, expected)
    if moves_differ or not thorough:
        return moves_differ
    if read_fen(boards.oracle, position.fen) != expected.position:
        return f"{fen}: the core writes {position.fen}"
    if position.must_capture() != expected.captures:
        return f"{fen}: must_capture is {position.must_capture()}"
    if position.count_moves() != len(expected.results) or position.perft(1) != len(expected.results):
        return f"{fen}: {position.count_moves()} moves counted, {position.perft(1)} by perft"
    if position.perft(1, routes=True) != len(expected.routes):
        return f"{fen}: {position.perft(1, routes=True)} routes by perft"
    if stray := [move.text for move in position.legal_moves if boards.route(move) not in expected.routes]:
        return f"{fen}: no route is {stray}"
    interpreted = position.under(core_rules(boards.book, interpreted=True))
    if boards.results(interpreted) != boards.results(position):
        return f"{fen}: the run-time generator differs from the compiled one"
    following = next(iter(position.legal_moves), None)
    if following is not None:
        text = position.play(following).fen
        if boards.diagram(read_fen(boards.oracle, text)) not in {result[4] for result in expected.results}:
            return f"{fen}: {following.text} leads to {text}"
    return None


def _only(ours: list, theirs: list) -> str:
    mine = [entry for entry in ours if entry not in theirs]
    missing = [entry for entry in theirs if entry not in ours]
    return f"only in the core {mine}, only in the oracle {missing}, {len(ours)} against {len(theirs)}"
