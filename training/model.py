"""The network in floating point, with the same structure as the integer network of cpp/eval/network.hpp."""

import torch
from torch import nn

FIRST, SECOND, THIRD, BUCKETS = 256, 16, 32, 8
MAX_SECOND_WEIGHT = 127 / 256
"""Second-layer weights are stored as signed bytes in units of 1/256."""
MAX_THIRD_WEIGHT, MAX_LAST_WEIGHT = 4.0, 8.0


class Shape:
    """Sizes that follow from the board."""

    def __init__(self, size: int, all_squares: bool) -> None:
        self.size, self.all_squares = size, all_squares
        self.row = size if all_squares else size // 2
        self.squares = self.row * size
        self.men = self.squares - self.row
        self.inputs = 2 * (self.squares + self.men)
        self.most = {8: 24, 10: 40, 12: 60}[size] if not all_squares else 32
        """Number of pieces at the start, the most there can be."""
        self.crowd = tuple(self.most * share // 24 for share in (8, 12, 16))
        """Upper piece counts of the first three buckets."""


class Model(nn.Module):
    """A small fully connected network with one output head per bucket of material."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.w0 = nn.Parameter(torch.empty(shape.inputs, FIRST).uniform_(-0.15, 0.15))
        self.b0 = nn.Parameter(torch.full((FIRST,), 0.25))
        self.w1 = nn.Parameter(torch.empty(SECOND, FIRST).uniform_(-0.08, 0.08).repeat(BUCKETS, 1, 1))
        self.b1 = nn.Parameter(torch.full((BUCKETS, SECOND), 0.3))
        self.w2 = nn.Parameter(torch.empty(THIRD, SECOND).uniform_(-0.3, 0.3).repeat(BUCKETS, 1, 1))
        self.b2 = nn.Parameter(torch.full((BUCKETS, THIRD), 0.1))
        self.w3 = nn.Parameter(torch.empty(THIRD).uniform_(-0.2, 0.2).repeat(BUCKETS, 1))
        self.b3 = nn.Parameter(torch.zeros(BUCKETS))
        self.register_buffer("bits", torch.arange(shape.squares), persistent=False)
        self.register_buffer("crowd", torch.tensor(shape.crowd), persistent=False)

    def unpack(self, boards: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the inputs and the bucket of packed boards."""
        shape = self.shape
        on = (boards.unsqueeze(-1) >> self.bits) & 1
        own, theirs, kings = on[:, 0], on[:, 1], on[:, 2]
        inputs = torch.cat(
            [
                (own & ~kings)[:, : shape.men],
                own & kings,
                (theirs & ~kings)[:, shape.row :],
                theirs & kings,
            ],
            dim=1,
        )
        pieces = (own + theirs).sum(1)
        bucket = (pieces.unsqueeze(1) > self.crowd).sum(1) * 2 + kings.any(1).long()
        return inputs.to(self.w0.dtype), bucket

    def forward(self, boards: torch.Tensor) -> torch.Tensor:
        """Return the log-odds that the side to move wins."""
        inputs, bucket = self.unpack(boards)
        a0 = (inputs @ self.w0 + self.b0).clamp(0, 1)
        every = a0 @ self.w1.reshape(BUCKETS * SECOND, FIRST).T
        mine = (
            every.view(-1, BUCKETS, SECOND).gather(1, bucket.view(-1, 1, 1).expand(-1, 1, SECOND)).squeeze(1)
        )
        a1 = (mine + self.b1[bucket]).clamp(0, 1).square()
        every = torch.einsum("bj,nkj->bnk", a1, self.w2)
        mine = every.gather(1, bucket.view(-1, 1, 1).expand(-1, 1, THIRD)).squeeze(1)
        a2 = (mine + self.b2[bucket]).clamp(0, 1)
        return (a2 * self.w3[bucket]).sum(1) + self.b3[bucket]

    @torch.no_grad()
    def clip(self) -> None:
        """Clamp the weights to the range the integer format can hold."""
        self.w1.clamp_(-MAX_SECOND_WEIGHT, MAX_SECOND_WEIGHT)
        self.w2.clamp_(-MAX_THIRD_WEIGHT, MAX_THIRD_WEIGHT)
        self.w3.clamp_(-MAX_LAST_WEIGHT, MAX_LAST_WEIGHT)
