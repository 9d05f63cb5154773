"""Broken inputs for every reader, and what must hold whatever they say. Run by `tools/fuzz.py` (`make fuzz`)."""
