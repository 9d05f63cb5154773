"""Games for programs that learn: a PettingZoo environment, tensors, and thousands of games at once.

Needs the extra `damas[learn]`; the encoding of moves as numbers (`actions`) needs nothing.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from damas.environments.actions import Actions

if TYPE_CHECKING:
    from damas.environments.aec import DamasEnv, env
    from damas.environments.planes import from_tensor, tensor
    from damas.environments.vector import VectorGames

__all__ = ["Actions", "DamasEnv", "VectorGames", "env", "from_tensor", "tensor"]

NEEDED = {"aec": ("gymnasium", "numpy", "pettingzoo"), "planes": ("numpy",), "vector": ("numpy",)}
"""Packages that each module needs."""
_LATER = {
    "DamasEnv": "aec",
    "env": "aec",
    "VectorGames": "vector",
    "tensor": "planes",
    "from_tensor": "planes",
}


def __dir__() -> list[str]:
    return sorted({*__all__, *globals()} - {"TYPE_CHECKING"})


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _LATER[name]
    missing = [package for package in NEEDED[module] if find_spec(package) is None]
    if missing:
        raise ImportError(
            f'damas.environments.{name} needs {", ".join(missing)}: install with pip install "damas[learn]"',
            name=missing[0],
        )
    return getattr(import_module(f"damas.environments.{module}"), name)
