"""A process to be killed while it writes: `python writer_process.py <database url> <folder> honest|liar`.

It imports everything once and then forks a child for each line on its input, so that a kill costs little. A child opens
the store, takes all the games and writes to them as fast as it can. It prints `ack <game> <seq> <chain>` after the store
has answered; the liar prints it before, to prove that the test would notice.
"""

import asyncio
import os
import sys
from pathlib import Path

from damas.server.settings import Limits, Settings
from damas.server.store import Store
from damas.server.store.rows import NO_CHAIN, linked
from server.store.sample_rows import event, game

GAMES = [f"g{number}" for number in range(12)]


async def play(store: Store, name: str, liar: bool) -> None:
    epoch = (await store.games.take([name], "main"))[name]
    log = await store.games.events(name)
    seq, chain = (log[-1].seq, log[-1].chain) if log else (0, NO_CHAIN)
    while True:
        seq += 1
        rows = linked(chain, [event(seq, epoch=epoch, client_id=f"c{seq}", data="x" * 300)])
        chain = rows[0].chain
        message = f"ack {name} {seq} {chain}\n".encode()
        if liar:
            os.write(1, message)
        await store.games.append(name, epoch, rows)
        if not liar:
            os.write(1, message)


async def write(settings: Settings, liar: bool) -> None:
    store = await Store.open(settings)
    if settings.sqlite_path is not None:  # so that kills meet checkpoints too
        await store.writer.do(
            lambda connection: connection.exec_driver_sql("PRAGMA wal_autocheckpoint = 40").all()
        )
    if await store.games.head(GAMES[0]) is None:
        for name in GAMES:
            await store.games.create(game(name))
    os.write(1, b"open\n")
    await asyncio.gather(*(play(store, name, liar) for name in GAMES))


def main() -> None:
    url, folder, kind = sys.argv[1:]
    limits = Limits(read_s=60, connect_s=60, commit_s=60)  # a busy machine is no reason to end
    settings = Settings(data=Path(folder), database_url=url, limits=limits)
    for _line in sys.stdin:
        child = os.fork()
        if child == 0:
            asyncio.run(write(settings, kind == "liar"))
        os.write(1, f"pid {child}\n".encode())
        os.waitpid(child, 0)
        os.write(1, b"dead\n")


if __name__ == "__main__":
    main()
