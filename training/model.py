"""The network in floating point, with the same structure as the integer network of cpp/eval/network.hpp."""

import torch
from torch import nn

FIRST, SECOND, THIRD, BUCKETS = 256, 16, 32, 8
MAX_SECOND_WEIGHT = 127 / 256
"""Second-layer weights are stored as signed bytes in units of 1/256."""
MAX_THIRD_WEIGHT, MAX_LAST_WEIGHT = 4.0, 8.0


class Shape:
    """Sizes that follow from the board, and those that may be chosen: 256 or 512 outputs of the first layer, 8 or 16 buckets."""

    def __init__(self, size: int, all_squares: bool, first: int = FIRST, buckets: int = BUCKETS) -> None:
        self.size, self.all_squares, self.first, self.buckets = size, all_squares, first, buckets
        self.row = size if all_squares else size // 2
        self.squares = self.row * size
        self.men = self.squares - self.row
        self.inputs = 2 * (self.squares + self.men)
        self.most = {8: 24, 10: 40, 12: 60}[size] if not all_squares else 32
        """Number of pieces at the start, the most there can be."""
        shares = (8, 12, 16) if buckets == BUCKETS else (4, 8, 10, 12, 14, 16, 20)
        self.crowd = tuple(self.most * share // 24 for share in shares)
        """Upper piece counts of all pairs of buckets but the last; sixteen buckets divide each pair of eight."""


class Model(nn.Module):
    """A small fully connected network with one output head per bucket of material."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        first, buckets = shape.first, shape.buckets
        self.w0 = nn.Parameter(torch.empty(shape.inputs, first).uniform_(-0.15, 0.15))
        self.b0 = nn.Parameter(torch.full((first,), 0.25))
        self.w1 = nn.Parameter(torch.empty(SECOND, first).uniform_(-0.08, 0.08).repeat(buckets, 1, 1))
        self.b1 = nn.Parameter(torch.full((buckets, SECOND), 0.3))
        self.w2 = nn.Parameter(torch.empty(THIRD, SECOND).uniform_(-0.3, 0.3).repeat(buckets, 1, 1))
        self.b2 = nn.Parameter(torch.full((buckets, THIRD), 0.1))
        self.w3 = nn.Parameter(torch.empty(THIRD).uniform_(-0.2, 0.2).repeat(buckets, 1))
        self.b3 = nn.Parameter(torch.zeros(buckets))
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
        every = (a0 @ self.w1.flatten(0, 1).T).view(-1, self.shape.buckets, SECOND)
        mine = every.gather(1, bucket.view(-1, 1, 1).expand(-1, 1, SECOND)).squeeze(1)
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


def widened(weights: dict[str, torch.Tensor], shape: Shape) -> dict[str, torch.Tensor]:
    """Return weights of a smaller shape as weights of `shape`; the network they make gives the same scores.

    New outputs of the first layer begin without influence, and divided buckets begin alike.
    """
    weights = dict(weights)
    new = shape.first - weights["w0"].shape[1]
    if new > 0:
        w0 = torch.empty(shape.inputs, new, device=weights["w0"].device).uniform_(-0.15, 0.15)
        weights["w0"] = torch.cat([weights["w0"], w0], dim=1)
        weights["b0"] = torch.cat([weights["b0"], torch.full_like(weights["b0"], 0.25)[:1].expand(new)])
        weights["w1"] = torch.nn.functional.pad(weights["w1"], (0, new))
    if len(weights["b3"]) < shape.buckets:
        bucket = torch.arange(shape.buckets, device=weights["b3"].device)
        for name in ("w1", "b1", "w2", "b2", "w3", "b3"):
            weights[name] = weights[name][bucket // 4 * 2 + bucket % 2]
    return weights
