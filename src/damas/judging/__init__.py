"""Recorded games: their history, judging their results, certificates and PDN score sheets."""
