"""The answers of each rulebook, each beside the statement that gives it.

Ids such as 000-12 and B.001-3 are those of RULEBOOKS.md, parts A and B; "C" is
its matrix (part C). Each of the five documents speaks for itself; a national game is written
as what distinguishes it from another in the matrix, a profile as what distinguishes it from its document.
"""

from dataclasses import dataclass, field, replace

# A direction is one step of a line: (rows forward, files to the right). Rows are
# counted in the sense of play of the piece, so (1, 1) is forward for both sides.
FORWARD = ((1, -1), (1, 1))
DIAGONAL = ((1, -1), (1, 1), (-1, -1), (-1, 1))
# On one colour the next square of a row or a file is two squares away (frisia-7).
FRISIAN = (*DIAGONAL, (2, 0), (-2, 0), (0, 2), (0, -2))
AHEAD_AND_SIDEWAYS = ((1, 0), (0, 1), (0, -1))
ORTHOGONAL = ((1, 0), (0, 1), (0, -1), (-1, 0))


@dataclass(frozen=True, kw_only=True)
class Book:
    """A rulebook as the oracle reads it: an answer to every question, without defaults."""

    id: str

    # the board
    size: int
    corner: str  # the playable corner at each player's "left" or "right", or "all" squares
    men_rows: tuple[int, ...]  # rows full of men at the start, counted from the owner's edge (0)
    starter: str  # "W" or "B"
    numbers: str | None  # square 1 is "top left" or "bottom right"; None: no numbers
    written: str  # squares in FEN: "algebraic" or "numbers"

    # movement
    man_steps: tuple[tuple[int, int], ...]
    man_jumps: tuple[tuple[int, int], ...]
    king_steps: tuple[tuple[int, int], ...]
    king_jumps: tuple[tuple[int, int], ...]
    king_flies: bool
    king_lands: str  # "any" free square behind, directly "behind", or "onward": the dagger of C
    king_turns_about: bool  # may a king reverse by 180 degrees inside a chain?
    man_takes_king: bool
    crowning: str  # a man on the last row in mid-capture "passes", "stops" or "continues" as king
    lifting: str  # taken pieces leave at the "end" or "at once"
    duty: tuple[str, ...]  # what a capture must be greatest in, in order; () is free choice

    king_rests_after: (
        int | None
    )  # simple moves in a row of one king while its side has men; None: no such rule

    # results: name of the rule -> limit (plies, or moves of the stronger side as noted below), in the order of rules.toml
    draws: dict[str, int] = field(hash=False)


# The numbers of `draws`; "each" means moves by each side, so twice as many plies (G1).
#   repetition     the n-th occurrence of a position (G4)
#   king plies     successive quiet king moves, in plies
#   quiet plies    plies without capture
#   five           plies in the five declared endings of 000
#   diagonal       plies of 3 pieces (a king among them) v a king on the long diagonal
#   three v king   plies of 3 pieces (a king among them) v a lone king
#   two v king     plies of at most 2 pieces (a king among them) v a lone king
#   kings v king   plies of 3 or more kings v a lone king
#   balance 4-5    plies without capture or promotion, 4-5 pieces in all, kings on both sides
#   balance 6-7    the same with 6-7 pieces
#   strong         moves of the three kings against one
#   article 12     the same, counted only from a claim if nobody writes the game down
#   forcada        the same, counted once the three have held the rio
#   fpd            plies without capture or promotion, at most 4 a side, kings on both sides
#   two kings      plies of exactly 2 kings v 1
#   duel           king v king is drawn at once unless a capture is certain within so many plies
#   cycle          times in a row the same block of moves has been played

BRASILEIRA = Book(
    id="brasileira",
    size=8,  # 000-1
    corner="left",  # 000-2
    men_rows=(0, 1, 2),  # 000-5
    starter="W",  # 000-6
    numbers="top left",  # square maps: 1=b8
    written="algebraic",  # notation table
    man_steps=FORWARD,  # 000-8, 000-9
    man_jumps=DIAGONAL,  # 000-20
    king_steps=DIAGONAL,  # 000-12
    king_jumps=DIAGONAL,  # 000-20
    king_flies=True,  # 000-13
    king_lands="any",  # B.000-9
    king_turns_about=False,  # 000-27: the taken piece stands behind it
    man_takes_king=True,  # 000-18
    crowning="passes",  # 000-23, B.000-8
    lifting="end",  # 000-27
    duty=("quantity",),  # 000-22, 000-19
    king_rests_after=None,
    draws={"king plies": 40, "five": 10},  # 000-28, B.000-1; 000-29..33, B.000-4
)

OFICIAL = Book(
    id="oficial",
    size=8,  # 001-1.1
    corner="left",  # B.001-8
    men_rows=(0, 1, 2),  # 001-1.4
    starter="W",  # 001-7.1
    numbers="top left",  # square maps
    written="algebraic",  # notation table
    man_steps=FORWARD,  # 001-2.1, 001-2.2
    man_jumps=FORWARD,  # 001-8.1, B.001-1
    king_steps=DIAGONAL,  # 001-4.2
    king_jumps=DIAGONAL,  # 001-4.3
    king_flies=True,  # 001-4.2, 001-4.3
    king_lands="behind",  # 001-4.4, B.001-2
    king_turns_about=False,  # B.001-10
    man_takes_king=True,  # 001-2.5, C
    crowning="stops",  # B.001-4
    lifting="end",  # B.001-3
    duty=("quantity",),  # 001-5.1, B.001-9
    king_rests_after=None,
    draws={"repetition": 3, "quiet plies": 40},  # 001-6.4; 001-6.5, B.001-5, B.001-6
)

FARAES = Book(
    id="faraes",
    size=8,  # 002-2 (three rows of twelve; B.002: 000)
    corner="left",  # 002-1
    men_rows=(0, 1, 2),  # 002-2
    starter="W",  # B.002-1
    numbers="top left",  # square maps
    written="algebraic",  # notation table
    man_steps=FORWARD,  # 002-3
    man_jumps=DIAGONAL,  # 002-6b
    king_steps=DIAGONAL,  # 002-5a
    king_jumps=DIAGONAL,  # 002-6b
    king_flies=True,  # 002-5a
    king_lands="any",  # C
    king_turns_about=False,  # 002-10: the taken piece stands behind it
    man_takes_king=True,  # 002-6a
    crowning="passes",  # 002-4a, 002-9
    lifting="end",  # 002-10
    duty=("quantity",),  # 002-7c
    king_rests_after=None,
    draws={"article 12": 13},  # 002-12, B.002-4
)

PORTUGUESA = Book(
    id="portuguesa",
    size=8,  # 003-1a
    corner="right",  # 003-1d, B.003-12
    men_rows=(0, 1, 2),  # 003-1b, B.003-12
    starter="W",  # 003-2a
    numbers="bottom right",  # 003-1c
    written="numbers",  # notation table
    man_steps=FORWARD,  # 003-2b
    man_jumps=FORWARD,  # 003-2c, B.003-1
    king_steps=DIAGONAL,  # 003-4c
    king_jumps=DIAGONAL,  # 003-5a
    king_flies=True,  # 003-4c
    king_lands="any",  # 003-5a, B.003-6
    king_turns_about=False,  # B.003-4: the taken piece stands behind it
    man_takes_king=True,  # B.003-14
    crowning="stops",  # 003-4a, B.003-3
    lifting="end",  # 003-2f, 003-6b
    duty=("quantity", "kings taken"),  # 003-3a, 003-3b, B.003-2
    king_rests_after=None,
    draws={"repetition": 3, "forcada": 12},  # 003-8; 003-9, B.003-7
)

CONCURSO = Book(
    id="concurso",
    size=8,  # 004-1.1
    corner="left",  # 004-1.2, B.004-10
    men_rows=(0, 1, 2),  # 004-1.2, 004-1.3
    starter="W",  # 004-1.6
    numbers="top left",  # square maps
    written="algebraic",  # notation table
    man_steps=FORWARD,  # 004-2.1
    man_jumps=DIAGONAL,  # 004-2.3, B.004-1
    king_steps=DIAGONAL,  # 004-2.2
    king_jumps=DIAGONAL,  # 004-2.3
    king_flies=False,  # 004-2.2
    king_lands="behind",  # 004-2.3: two squares
    king_turns_about=True,  # 004 is silent; nothing is left to take there (B.004-7)
    man_takes_king=True,  # 004-2.3 "una ficha del oponente"
    crowning="continues",  # 004-3, B.004-2
    lifting="at once",  # 004-2.3, B.004-7
    duty=(),  # 004-2.4, 004-2.5
    king_rests_after=None,
    draws={"cycle": 6},  # 004-4.3, B.004-3
)

# The national games, as rows of the matrix (C): each is what distinguishes it from the international game. A man steps
# forward and jumps in four directions, a king flies and reverses nowhere, taken pieces leave at the end.

INTERNACIONAL = Book(
    id="internacional",
    size=10,  # C; 000-7
    corner="left",  # C
    men_rows=(0, 1, 2, 3),  # C: 20x4
    starter="W",  # C
    numbers="top left",  # notation table
    written="numbers",  # notation table
    man_steps=FORWARD,  # C
    man_jumps=DIAGONAL,  # C: back yes
    king_steps=DIAGONAL,  # C
    king_jumps=DIAGONAL,  # C
    king_flies=True,  # C
    king_lands="any",  # C
    king_turns_about=False,  # C: removal at the end
    man_takes_king=True,  # C
    crowning="passes",  # C
    lifting="end",  # C
    duty=("quantity",),  # C: Q
    king_rests_after=None,
    draws={"repetition": 3, "king plies": 50, "three v king": 32, "two v king": 10},  # C: 25, 16, 5 each
)

CANADENSE = replace(
    INTERNACIONAL, id="canadense", size=12, men_rows=(0, 1, 2, 3, 4)
)  # C: 30x5, draws as FMJD

FRISIA = replace(
    INTERNACIONAL,
    id="frisia",
    man_jumps=FRISIAN,  # C: 8 directions; quiet moves are diagonal
    king_jumps=FRISIAN,  # C: 8 directions
    duty=("value", "with king"),  # C: man 100, king 199; K
    king_rests_after=3,  # C: same king max 3 quiet moves running while men remain
    draws={"two kings": 14, "duel": 2},  # C: 7 each; at once unless forced
)

RUSSA = replace(
    INTERNACIONAL,
    id="russa",
    size=8,  # C
    men_rows=(0, 1, 2),  # C
    written="algebraic",  # notation table
    king_lands="onward",  # C: dagger
    crowning="continues",  # C: go
    duty=(),  # C: free choice
    draws={
        "repetition": 3,  # C
        "kings v king": 30,  # C: 15 each
        "king plies": 30,  # C: 15 each
        "balance 4-5": 60,  # C: 30 each
        "balance 6-7": 120,  # C: 60 each
        "diagonal": 10,  # C: 5 each
        "two v king": 10,  # C: 5 each
    },
)

CHECA = replace(
    RUSSA,
    id="checa",
    man_jumps=FORWARD,  # C: back no
    crowning="stops",  # C
    duty=("with king",),  # C: K
    draws={"repetition": 3, "king plies": 30},  # C: 15 each without capture or man move
)

POOL = replace(
    RUSSA,
    id="pool",
    starter="B",  # C
    written="numbers",  # notation table: 1=b8
    crowning="passes",  # C
    draws={"repetition": 3, "strong": 13},  # C
)

INGLESA = replace(
    POOL,
    id="inglesa",
    man_jumps=FORWARD,  # C: back no
    king_flies=False,  # C: short
    king_lands="behind",  # C: short
    crowning="stops",  # C
    draws={"repetition": 3, "king plies": 80},  # C: 40 own moves
)

ITALIANA = replace(
    INGLESA,
    id="italiana",
    corner="right",  # C
    starter="W",  # C
    man_takes_king=False,  # C: MxK no
    duty=("quantity", "with king", "kings taken", "kings first"),  # C: Q, K, V, 1st
    draws={"repetition": 4, "king plies": 80},  # C: FID 9.3; 10.4
)

ESPANHOLA = replace(
    ITALIANA,
    id="espanhola",
    numbers="bottom right",  # square maps: 1=h1
    king_flies=True,  # C
    king_lands="any",  # C
    man_takes_king=True,  # C
    duty=("quantity", "kings taken"),  # C: Q, V
    draws={"repetition": 3, "king plies": 40, "strong": 12},  # C: the last one is assumed there
)

TURCA = Book(
    id="turca",
    size=8,  # C
    corner="all",  # C: all squares
    men_rows=(1, 2),  # C: 16 on rows 2-3
    starter="W",  # C
    numbers=None,  # C: a1-h8
    written="algebraic",  # C
    man_steps=AHEAD_AND_SIDEWAYS,  # C
    man_jumps=AHEAD_AND_SIDEWAYS,  # C
    king_steps=ORTHOGONAL,  # C
    king_jumps=ORTHOGONAL,  # C
    king_flies=True,  # C
    king_lands="any",  # C
    king_turns_about=False,  # C: no 180 degree turn
    man_takes_king=True,  # C
    crowning="passes",  # C
    lifting="at once",  # C
    duty=("quantity",),  # C: Q
    king_rests_after=None,
    draws={"repetition": 3, "duel": 1},  # C: 1 v 1 (the reading "draw")
)

# Profiles of the same documents: the same moves, other draws.

BRASILEIRA_CBD = replace(
    BRASILEIRA,
    id="brasileira-cbd",
    draws={"king plies": 40, "repetition": 3, "five": 10, "diagonal": 10},  # C: CBD 97b, 98, 99, 100
)

BRASILEIRA_64 = replace(
    BRASILEIRA, id="brasileira-64", draws=RUSSA.draws
)  # C: as Russian; FMJD-64 7.2.4, 7.2.5

PORTUGUESA_FPD = replace(
    PORTUGUESA,
    id="portuguesa-fpd",
    draws={"repetition": 3, "forcada": 12, "fpd": 40},  # 003-8; 003-9; B.003-10, 20 each
)

# The other readings that RULEBOOKS.md keeps as switches.

# B.001-1: men capture backwards; B.001-4: then a man passes the crown row as a man
OFICIAL_MEN_BACKWARD = replace(OFICIAL, id="oficial-men-backward", man_jumps=DIAGONAL, crowning="passes")
CONCURSO_MEN_FORWARD = replace(CONCURSO, id="concurso-men-forward", man_jumps=FORWARD)  # B.004-1

BOOKS: dict[str, Book] = {
    book.id: book
    for book in (
        BRASILEIRA,
        OFICIAL,
        FARAES,
        PORTUGUESA,
        CONCURSO,
        INTERNACIONAL,
        RUSSA,
        INGLESA,
        ITALIANA,
        ESPANHOLA,
        CHECA,
        POOL,
        CANADENSE,
        FRISIA,
        TURCA,
        BRASILEIRA_CBD,
        BRASILEIRA_64,
        PORTUGUESA_FPD,
        OFICIAL_MEN_BACKWARD,
        CONCURSO_MEN_FORWARD,
    )
}


def book_of(book: Book | str) -> Book:
    """The book with this id; a book unchanged."""
    return book if isinstance(book, Book) else BOOKS[book]
