"""How the networks are made: games, learning, integers, proof. Produces files; nobody imports it.

    python -m training.generate -r brasileira --positions 5000000 --out runs/b0
    python -m training.train runs/b0 --out runs/b0
    python -m training.quantise runs/b0 --out runs/b0/brasileira.net
    python -m training.gate runs/b0/brasileira.net --against material --card

Games, learning and whole campaigns can be broken off and started again with the same words: they go on where they were.
docs/how-to/train-a-network.md tells each stage.
"""
