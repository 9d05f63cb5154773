"""Openings of this server's games: counted as games end, and looked up for the explorer."""
