"""Trains the networks: self-play games, learning, quantisation, proof by matches. The package never imports it.

    python -m training.generate -r brasileira --positions 5000000 --out runs/b0
    python -m training.train runs/b0 --out runs/b0
    python -m training.quantise runs/b0 --out runs/b0/brasileira.net
    python -m training.gate runs/b0/brasileira.net --against material --card

An interrupted stage continues where it stopped when it is started again with the same options.
docs/how-to/train-a-network.md describes each stage.
"""
