"""The parts of `damas play`: keyboard, screen, commands, game file and session."""
