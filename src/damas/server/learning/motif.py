"""What puzzles are about. `puzzle_motifs` finds those of a line of moves."""

SHOTS = ("two", "three", "more", "even", "free")
"""What the solver gives and takes: `two` for one; at least two more than given (`three`); one more than the several
given (`more`), such as three for two; no more than given, but with a king or a block (`even`); or nothing is given
(`free`). A puzzle that a search proves has exactly one of them."""
MOTIFS = (
    *SHOTS,
    "ending",
    "saved",
    "majority",
    "king",
    "crown",
    "breakthrough",
    "block",
    "clear",
    "deep",
)
"""All motifs, in the order of the list on the page; `ending` is a win, and `saved` a draw, that the tables prove."""
