"""Child processes: pipes that never block, deadlines that never move, trees that are killed whole."""
