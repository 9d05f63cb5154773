"""Let two engines analyse a PDN game at once: `analyse_game_async.py GAME.pdn ENGINE [ARGUMENT ...]`.

The first is the Hub engine of the command line, the second our own in this process.
"""

import asyncio
import sys
from pathlib import Path

from damas import Game
from damas.client import AsyncClient, Limits
from damas.notation import PdnGame, read_game

LIMITS = Limits(depth=6)


async def analyse(engine: AsyncClient, recorded: PdnGame) -> list[str]:
    """The first choice of an engine before each move."""
    game, choices = Game.of(recorded.start, ()), []
    for node in recorded.moves:
        info = await engine.analyse(game, LIMITS)
        choices.append(info.move.text if info.move else "?")
        game = game.play(node.move)
    return choices


async def main(path: Path, command: list[str]) -> None:
    """Print where the engines differ."""
    recorded = read_game(path)
    async with (
        await AsyncClient.open(command, recorded.rulebook) as first,
        await AsyncClient.open("damas", recorded.rulebook) as second,
    ):
        both = await asyncio.gather(analyse(first, recorded), analyse(second, recorded))
    agreed = sum(one == other for one, other in zip(*both, strict=True))
    print(f"{agreed} of {len(recorded.moves)} choices are the same")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2:]))
