"""Rules to read, lessons to take, endings and puzzles to practise: data, each piece of it checked against the rules."""
