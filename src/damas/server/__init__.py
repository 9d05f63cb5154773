"""The web app: pages, rooms where games are played, an API for boards and bots. Rules are never decided here.

Needs the extra `damas[web]`; nothing else of damas imports this room but `damas serve` and `damas backup`.
"""
