"""What `make bench` measures; `tools/bench.py` puts it into one table."""
