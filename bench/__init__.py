"""What `make bench` measures; `python -m bench` puts it into one table."""
