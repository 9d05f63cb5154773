"""Players that are Python classes of the owner's own: each in a process of its own, which can be ended."""
