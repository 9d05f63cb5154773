"""Whole games, printed. A difference is a decision: run `regenerate.py` and read what has changed."""
