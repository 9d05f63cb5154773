"""Files that are written whole or not at all: who is killed half-way leaves what was there before."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Another name to write to; what was written there then takes the place of `path`."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")  # two stages may write the same card
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    with whole_file(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")
