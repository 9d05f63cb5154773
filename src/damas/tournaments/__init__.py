"""Tournaments: pairings, standings, ratings and reports, computed from results; who plays does not matter."""
