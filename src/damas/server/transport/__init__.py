"""The edge of the server: connections, request heads and socket frames are counted before they cost anything.

Small subclasses of uvicorn's protocols; `docs/explanation/security.md` lists the limits and what a client gets.
"""
