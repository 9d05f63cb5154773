"""Perft: counting the leaves of the tree of moves, against numbers that others published."""
