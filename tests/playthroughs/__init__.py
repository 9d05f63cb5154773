"""Whole games, printed. If one changes on purpose, run `regenerate.py` and review the difference."""
