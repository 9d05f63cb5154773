"""Bots on a damas server: the arena's own account challenges them there, and our referee judges what they play."""
