"""The networks that ship with damas: one for each way of moving, named by nobody but its own header."""

from functools import cache
from pathlib import Path

from damas import _core
from damas.game.core import rules_of
from damas.rules import Rulebook

FOLDER = Path(__file__).parent / "networks"
"""The folder of the shipped networks."""


def read_network(path: Path | str) -> _core.Network:
    """Reads a network; raises ValueError where the file is no network of ours or is damaged."""
    try:
        return _core.Network.read(Path(path).read_bytes())
    except ValueError as error:
        raise ValueError(f"{path} is no network that damas can read: {error}") from None


@cache
def _shipped() -> dict[int, _core.Network]:
    networks = (read_network(path) for path in sorted(FOLDER.glob("*.net")))
    return {network.rules: network for network in networks}


def name_for(book: Rulebook) -> str:
    """The file name of the network for the way this rulebook moves; empty where there is none."""
    wanted = network_for(book)
    paths = (path for path in sorted(FOLDER.glob("*.net")) if wanted)
    return next((path.name for path in paths if read_network(path).checksum == wanted.checksum), "")  # type: ignore[union-attr]


def network_for(book: Rulebook) -> _core.Network | None:
    """The network trained for the way this rulebook moves, or None: then the engine counts pieces."""
    return _shipped().get(_core.rules_fingerprint(rules_of(book)))
