"""Games that are played live: one owner for each, which handles everything that concerns it one at a time.

The protocol, item by item: docs/reference/protocol.md.

| file                | what it holds                                                                    |
|---------------------|----------------------------------------------------------------------------------|
| rooms.py            | the games in memory: created, loaded, dropped                                    |
| new_game.py         | what somebody wants to play, and the game that is stored for it                  |
| local_game.py       | a game that a browser played by itself, as the game that is stored for it        |
| room.py             | one game's owner: its queue, its timer; commit, answer, tell                     |
| ledger.py           | what is decided and stored: the arbiter's table and the events on disk           |
| audience.py         | who watches, and what they are shown                                             |
| record.py           | games as rows of the store, and back                                             |
| commands.py         | commands as events of the arbiter                                                |
| answers.py          | commands that wait for their answer, and the answers                             |
| queue.py            | work that is done one at a time                                                  |
| clockwork.py        | the game's own time; credit for network lag                                      |
| timekeeper.py       | when a command counts as given, and what comes due by itself                     |
| outages.py          | compensation for games that stood still                                          |
| seats.py            | who plays which side                                                             |
| computer_players.py | levels that play a side                                                          |
| watchers.py         | one socket or stream, and its outbox                                             |
| sockets.py          | message limits, liveness and round trips of sockets                              |
| chat.py             | the chat of a game                                                               |
| lobby.py            | open seeks and live games                                                        |
| metrics.py          | Prometheus metrics                                                               |
"""
