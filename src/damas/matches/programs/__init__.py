"""Players that are programs behind pipes: JSON lines, the text mode, Hub, and Python classes."""
