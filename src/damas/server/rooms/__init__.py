"""Games that are played live: one owner for each, and everything that reaches it comes one by one.

The protocol, numbered: docs/reference/protocol.md.

| file           | what it knows                                                                   |
|----------------|---------------------------------------------------------------------------------|
| rooms.py       | which games are in memory, how one is made, loaded, let go                      |
| room.py        | one game: its table, its queue, commit then answer then tell                    |
| opening.py     | the table at which a game begins                                                |
| seats.py       | who sits where                                                                  |
| commands.py    | what a message asks, as an event of the arbiter                                 |
| rulings.py     | what the arbiter answered                                                       |
| clockwork.py   | when something happened, in the game's own time; credit for lag                 |
| timekeeper.py  | when a command counts as made, and what comes due by itself                     |
| outages.py     | what a game that stood still is owed                                            |
| record.py      | events as rows of the store, and back                                           |
| disk.py        | the way to the store: returning means that it is there                          |
| audience.py    | what everybody is sent, and who missed what                                     |
| chat.py        | what people say to each other                                                   |
| watchers.py    | one who looks on, and the outbox                                                |
| sockets.py     | how much a socket may say, and whether it is still there                        |
| computer.py    | levels that play a seat                                                         |
| lobby.py       | open seeks and live games                                                       |
| views.py       | a table as boards read it                                                       |
| measures.py    | what operators see                                                              |
"""
