"""DamExchange (DXP), by which draughts programs play each other over a connection.

One of two programs listens and the other calls; apart from that, one requests games (the initiator) and the other
accepts them (the follower). The other program is never trusted: in a game every wait has a deadline, and a message has a
maximal length.
"""
