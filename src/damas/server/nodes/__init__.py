"""Several server processes on one database: a request for a game is answered by the node that owns it.

| file        | what it holds                                                               |
|-------------|-----------------------------------------------------------------------------|
| tunnel.py   | messages of a request or socket between two nodes                            |
| listener.py | requests that other nodes pass on to this one                                |
| passing.py  | requests that this node passes on: which node owns the game, and its answer  |
"""
