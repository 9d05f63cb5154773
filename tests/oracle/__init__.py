"""The slow, literal oracle: draughts written once more, from the texts alone.

It imports nothing of `damas` and shares no table with it, so that an error of
the one is not an error of the other. Clarity comes before speed.

    books     the answers every rulebook gives, each beside its statement
    board     squares, names, FEN, start positions
    moves     legal moves, whole captures only
    perft     counting, in both published conventions
    draws     results after each ply, with plain counters
    hostile   seeded positions worth comparing
"""
