"""Broken inputs for every reader of damas, and what must hold of each: `python -m fuzz`, run by `make fuzz`."""
