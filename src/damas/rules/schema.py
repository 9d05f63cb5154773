"""The questions that every rulebook answers, for the reader, the writer and the docs."""

from dataclasses import dataclass

PRIORITIES = ("most_pieces", "most_value", "with_king", "most_kings", "king_first")
"""Laws by which some captures are compulsory."""


@dataclass(frozen=True)
class Question:
    """A question with its allowed answers."""

    key: str
    allowed: tuple[object, ...]
    meaning: str
    many: bool = False
    """Whether the answer is an ordered list of some of `allowed`."""


BOARD = (
    Question("size", (8, 10, 12), "squares along one side of the board"),
    Question("squares", ("dark", "all"), "play on the squares of one colour, or on all of them"),
    Question("corner", ("left", "right"), "at which hand each player has a playing corner"),
    Question("men_rows", (1, 2, 3, 4, 5), "rows of men, counted from each player's side", many=True),
    Question("starter", ("white", "black"), "who moves first"),
)
"""Questions about the board."""
MOVES = (
    Question("lines", ("diagonal", "orthogonal"), "lines of a move without capture"),
    Question("capture_lines", ("diagonal", "orthogonal", "all"), "lines of a capture"),
    Question("men_capture_backward", (True, False), "may a man capture backwards?"),
    Question("men_capture_kings", (True, False), "may a man capture a king?"),
    Question("flying_king", (True, False), "does the king move any number of squares?"),
    Question(
        "king_landing",
        ("any", "behind", "continuing"),
        "where a capturing king stops: any free square, right behind the piece, or any but where it can go on",
    ),
    Question(
        "promotion",
        ("passes", "stops", "continues"),
        "a man reaching the last row in a capture: crowned only if it ends there, stops crowned, goes on as a king",
    ),
    Question("removal", ("after_capture", "at_once"), "when captured pieces leave the board"),
    Question(
        "capture_priority", PRIORITIES, "which captures are compulsory, most important first", many=True
    ),
)
"""Questions about moves and captures."""
MOVE_SWITCHES = {question.key: question.allowed for question in MOVES if question.key != "lines"}
"""The answers on which legal moves depend, once two rulebooks share a board; `lines` goes with the board."""
PROCEDURE = (
    Question("agreement", (True, False), "does the text name the draw by agreement?"),
    Question("touch_move", (True, False), "must a touched piece be moved?"),
    Question("invalid_move", ("refused", "loses"), "what an invalid move brings"),
    Question("time_out", ("loses",), "what exceeding the time brings"),
    Question("colours_by_lot", (True, False), "are colours drawn by lot?"),
)
"""Questions about conduct."""
SECTIONS: dict[str, tuple[Question, ...]] = {"board": BOARD, "moves": MOVES, "procedure": PROCEDURE}
"""All questions by the section of the file."""

NOTATION: dict[str, tuple[str, ...]] = {
    "squares": ("algebraic", "numbers"),
    "first_number": ("top-left", "bottom-right"),
    "moves": ("squares", "rows-columns"),
}
"""Questions about texts, with their allowed answers."""

STATEMENTS: dict[str, str] = {
    "turn": "players move in turn",
    "must_capture": "capturing is compulsory",
    "man_forward": "a man moves forward only",
    "man_one_square": "a man moves one square",
    "king_moves": "how a king moves",
    "own_piece_blocks": "no jumping over one's own pieces",
    "two_in_a_row": "two pieces in a row cannot be jumped",
    "same_piece_once": "no piece is captured twice",
    "no_turn_back": "a capture does not turn straight back",
    "whole_chain": "a capture is carried to its end",
    "no_move_loses": "a player who cannot move has lost",
    "no_pieces_loses": "a player without pieces has lost",
    "route": "a capture is shown by its route",
}
"""What every draughts game has, so that no question asks for it. A rulebook names its article for each, or two: that of the
man and that of the king. Refusals and outcomes cite them."""

RULES = ("limit", "repetition", "cycle", "length")
"""Kinds of draw rules."""
CLAIMS = ("automatic", "player", "unrecorded")
"""When a draw rule applies: by itself, on a claim, or from a claim where nobody writes the game down."""
DECIDES = ("draw", "pieces")
"""What a complete draw rule gives: a draw, or a win for more pieces."""
COUNTS = ("each", "strong")
"""Whose moves a limit counts."""
STARTS = ("entry", "strong_king_on_diagonal", "weak_king_on_diagonal")
"""When a limit starts to count."""
WHILE = ("always", "weak_king_on_diagonal")
"""How long a limit goes on counting."""
UNLESS = ("capture_pending", "capture_unavoidable")
"""When a limit is silent: while the side to move must capture; or also while it cannot avoid being captured next."""
RESETS = ("capture", "man_move", "promotion")
"""Moves that start a limit anew."""
