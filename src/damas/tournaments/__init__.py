"""Tournaments: pairings, standings, ratings and reports from results alone, whoever plays."""
