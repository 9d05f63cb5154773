"""What `damas play` is made of: the keyboard, the screen, the words typed, the file, the computer."""
