"""Loads shards into memory; boards stay packed and are unpacked one batch at a time."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from training import shards
from training.command_line import StageError

HELD_OUT = 0.01
"""Share of each shard kept for validation."""


@dataclass
class Positions:
    """Packed positions, one row each, from the side to move's point of view."""

    boards: torch.Tensor
    """int64 columns: own squares, opponent squares, kings."""
    scores: torch.Tensor
    results: torch.Tensor
    """0, 0.5 or 1."""

    def __len__(self) -> int:
        return len(self.scores)

    def where(self, chosen: torch.Tensor | slice) -> "Positions":
        """Return some of the positions."""
        return Positions(self.boards[chosen], self.scores[chosen], self.results[chosen])

    def to(self, device: torch.device) -> "Positions":
        """Return the positions in the memory of a device."""
        return Positions(self.boards.to(device), self.scores.to(device), self.results.to(device))


@dataclass
class Corpus:
    """Training and validation positions, and where they came from."""

    learn: Positions
    held_out: Positions
    origins: list[dict[str, Any]]
    digest: str
    read: int
    """Number of positions before duplicates were merged."""


def load(folders: list[str]) -> Corpus:
    """Read folders of shards; `folder:0.25` takes that share of its shards.

    Duplicate positions are merged into one with the mean score and result; no validation position is also learned.
    """
    paths: list[Path] = []
    for folder in folders:
        name, _, share = folder.partition(":")
        in_folder = shards.shards(Path(name))
        paths += in_folder[: max(1, round(len(in_folder) * float(share)))] if share else in_folder
    origins: list[dict[str, Any]] = []
    learn, held_out = [], []
    for path in paths:
        origin, data = shards.read(path)
        if origins and origin["rules"] != origins[0]["rules"]:
            raise StageError(f"{path} was played by other rules than {paths[0]}")
        origins.append(origin)
        rows = torch.frombuffer(bytearray(data), dtype=torch.uint8).view(-1, origin["record_bytes"])
        # Positions of one game are adjacent, so the end of a shard comes from other games.
        split = len(rows) - int(len(rows) * HELD_OUT)
        learn.append(rows[:split])
        held_out.append(rows[split:])
    read = sum(map(len, learn)) + sum(map(len, held_out))
    learned, validation = (merge_duplicates(_positions(torch.cat(rows))) for rows in (learn, held_out))
    unseen = ~torch.isin(_keys(validation.boards), _keys(learned.boards))
    return Corpus(learned, validation.where(unseen), origins, shards.digest(paths), read)


def _positions(rows: torch.Tensor) -> Positions:
    width = rows.shape[1] // 4
    if width > 8:
        raise StageError("boards of more than 64 squares cannot be learned yet")
    word = torch.int32 if width == 4 else torch.int64
    boards = rows[:, : 3 * width].contiguous().view(word).to(torch.int64)
    if width == 4:
        boards &= 0xFFFFFFFF
    scores = rows[:, 3 * width : 3 * width + 2].contiguous().view(torch.int16).squeeze(1)
    return Positions(boards, scores.float(), rows[:, 3 * width + 2].float() / 2)


def _keys(boards: torch.Tensor) -> torch.Tensor:
    """64-bit hash of each board."""
    key = torch.zeros(len(boards), dtype=torch.int64)
    for column in range(3):
        key = (key ^ boards[:, column]) * -0x61C8864680B583EB
        key ^= (key >> 29) & 0x7FFFFFFFF
    return key


def merge_duplicates(positions: Positions) -> Positions:
    """Keep each position once, with the mean of its scores and results: one game's result says little."""
    keys, index, times = torch.unique(_keys(positions.boards), return_inverse=True, return_counts=True)
    boards = torch.empty(len(keys), 3, dtype=torch.int64)
    boards[index] = positions.boards

    def mean(values: torch.Tensor) -> torch.Tensor:
        return torch.zeros(len(keys), dtype=torch.float64).index_add_(0, index, values.double()) / times

    return Positions(boards, mean(positions.scores).float(), mean(positions.results).float())
