"""Bots on a damas server: the arena's own account challenges them there, and our referee judges what they play."""

TOKEN = "DAMAS_ARENA_TOKEN"
"""The environment variable with the token of the arena's account: never an argument, never in a record."""
