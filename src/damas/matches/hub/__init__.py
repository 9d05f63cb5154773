"""Hub, the protocol of draughts engines: a conversation with a program that speaks it, and a player that does."""
