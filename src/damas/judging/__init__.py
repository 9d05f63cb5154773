"""Recorded games: replaying them, judging their results, certificates and PDN score sheets."""
