"""PDN, the notation of whole games: tags, moves, variations, comments, clocks, results."""
