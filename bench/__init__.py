"""Measurements of speed and memory; `make bench` runs `python -m bench`, which prints them in one table."""
