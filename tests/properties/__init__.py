"""One invariant a file."""
