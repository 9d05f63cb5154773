"""Programs from what their authors send: a file or a zip is unpacked, compiled in the box, and made ready to run."""

from damas.arena.building.compiler import build
from damas.arena.building.languages import LANGUAGES, Language, installed
from damas.arena.building.program import BuiltProgram
from damas.arena.building.source import BadSource, Source, SourceLimits, unpack

__all__ = [
    "LANGUAGES",
    "BadSource",
    "BuiltProgram",
    "Language",
    "Source",
    "SourceLimits",
    "build",
    "installed",
    "unpack",
]
