"""The core against the oracle: two programs that share nothing but the texts they were written from."""
