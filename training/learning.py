"""Trains a network from shards of positions; the work behind `training.train`."""

import argparse
import io
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch

from damas import _core
from damas.cli.progress import ProgressBar
from damas.rules import rulebook
from training.atomic_files import ensure_writable_folder, write_bytes, write_text
from training.command_line import StageError
from training.data import Corpus, Positions, load
from training.integers import decode_weights
from training.model import Model, Shape, widened
from training.plot import plot
from training.shards import difference

POWER = 2.5


def origin(start: Path) -> str:
    """Name the starting weights for the card: a network by its checksum, other weights by the hash of their file."""
    data = start.read_bytes()
    if start.suffix == ".net":
        return f"{_core.Network.read(data).checksum:016x}"
    return f"{start.name} sha256:{sha256(data).hexdigest()}"


def settings_of(options: argparse.Namespace, corpus: Corpus) -> dict[str, object]:
    """Return every setting the weights depend on; a fitted scale depends on the games alone."""
    return {
        "games": corpus.digest,
        **{
            name: getattr(options, name)
            for name in ("first", "buckets", "epochs", "batch", "rate", "blend", "scale", "seed")
        },
        "power": POWER,
        "from": origin(options.start) if options.start else None,
    }


def load_state(state: Path, settings: dict[str, object], device: torch.device) -> dict[str, Any] | None:
    """Load the state saved after the last complete epoch, or None; raises `StageError` if its settings differ."""
    if not state.exists():
        return None
    kept: dict[str, Any] = torch.load(state, map_location=device, weights_only=True)
    if other := difference(kept.get("settings", {}), settings):
        raise StageError(
            f"{state} was trained with other options ({other}): choose another --out, or delete it"
        )
    return kept


def save(path: Path, values: dict[str, object]) -> None:
    """Write tensors to a file atomically."""
    data = io.BytesIO()  # PyTorch does not report why a file cannot be written
    torch.save(values, data)
    write_bytes(path, data.getvalue())


def fit_scale(positions: Positions) -> float:
    """Fit the K for which sigmoid(score / K) best predicts the results, by ternary search."""
    scores, results = positions.scores.double(), positions.results.double()
    if len(scores) > 1_000_000:
        step = len(scores) // 1_000_000
        scores, results = scores[::step], results[::step]

    def loss(log_k: float) -> float:
        x = scores / math.exp(log_k)
        return float(torch.nn.functional.binary_cross_entropy_with_logits(x, results))

    low, high = math.log(30), math.log(1000)
    for _ in range(30):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if loss(a) < loss(b) else (a, high)
    return math.exp((low + high) / 2)


def learn(options: argparse.Namespace) -> None:
    """Train a network and write its weights, its record and a plot of the loss."""
    ensure_writable_folder(options.out)
    device = torch.device(options.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    torch.manual_seed(options.seed)
    if device.type == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = True

    started = time.monotonic()
    corpus = load(options.data)
    book = rulebook(str(corpus.origins[0]["rulebook"]))
    shape = Shape(book.size.value, book.squares.value == "all", options.first, options.buckets)
    scale = options.scale or fit_scale(corpus.learn)
    settings = settings_of(options, corpus)
    state = options.out / "state.pt"
    kept = load_state(state, settings, device)
    learn, held_out = corpus.learn.to(device), corpus.held_out.to(device)
    print(
        f"{book.id}: {len(learn):,} positions to learn from, {len(held_out):,} held out "
        f"({corpus.read:,} read), K = {scale:.1f}, on {device}, read in {time.monotonic() - started:.0f} s",
        file=sys.stderr,
    )
    model = Model(shape).to(device)
    if options.start:
        weights = (
            decode_weights(options.start.read_bytes())
            if options.start.suffix == ".net"
            else torch.load(options.start, map_location=device, weights_only=True)["model"]
        )
        model.load_state_dict(widened(weights, shape))
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=options.rate, weight_decay=1e-4, fused=device.type == "cuda"
    )
    batches_per_epoch = math.ceil(len(learn) / options.batch)
    steps = options.epochs * batches_per_epoch
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps, eta_min=options.rate / 100)
    losses: dict[str, list[float]] = {"learned": [], "held out": []}

    first_epoch, spent = 0, 0.0
    if kept:
        model.load_state_dict(kept["model"])
        optimizer.load_state_dict(kept["optimizer"])
        schedule.load_state_dict(kept["schedule"])
        losses, first_epoch, spent = kept["losses"], kept["epoch"], kept["seconds"]

    def loss_of(some: Positions, out: torch.Tensor) -> torch.Tensor:
        target = options.blend * torch.sigmoid(some.scores / scale) + (1 - options.blend) * some.results
        return (torch.sigmoid(out) - target).abs().pow(POWER).mean()

    bar = ProgressBar(f"{book.id}: learning", steps, log_every_s=10)
    generator = torch.Generator(device=device)
    for epoch in range(first_epoch, options.epochs):
        generator.manual_seed(options.seed * 1000 + epoch)
        order = torch.randperm(len(learn), device=device, generator=generator)
        total = torch.zeros((), device=device)
        for i in range(batches_per_epoch):
            rows = order[i * options.batch : (i + 1) * options.batch]
            some = learn.where(rows)
            loss = loss_of(some, model(some.boards))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            schedule.step()
            model.clip()
            total += loss.detach()
            if i % 50 == 0:
                bar.show(epoch * batches_per_epoch + i, f"epoch {epoch + 1}")
        losses["learned"].append(float(total) / batches_per_epoch)
        losses["held out"].append(held_out_loss(model, held_out, loss_of, options.batch))
        bar.show(
            (epoch + 1) * batches_per_epoch,
            f"epoch {epoch + 1}  held out {losses['held out'][-1]:.6f}",
            last=epoch + 1 == options.epochs,
        )
        save(
            state,
            {
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict(),
                "schedule": schedule.state_dict(),
                "losses": losses,
                "epoch": epoch + 1,
                "seconds": spent + time.monotonic() - started,
                "settings": settings,
            },
        )
    save(
        options.out / "weights.pt",
        {"model": {name: tensor.cpu() for name, tensor in model.state_dict().items()}},
    )
    plot(options.out / "loss.svg", f"{book.id}: loss by epoch", losses)
    record = {
        "rulebook": book.id,
        "rules": corpus.origins[0]["rules"],
        "size": shape.size,
        "all_squares": shape.all_squares,
        "first": shape.first,
        "buckets": shape.buckets,
        "scale": options.unit,
        "data": describe(corpus),
        "training": {
            **{
                name: settings[name] for name in ("epochs", "batch", "rate", "blend", "power", "seed", "from")
            },
            "fitted_scale": scale,
            "seconds": round(spent + time.monotonic() - started),
            "device": torch.cuda.get_device_name() if device.type == "cuda" else "cpu",
            "learned": losses["learned"],
            "held_out": losses["held out"],
        },
    }
    write_text(options.out / "training.json", json.dumps(record, indent=1))


@torch.no_grad()
def held_out_loss(
    model: Model, held_out: Positions, loss_of: Callable[[Positions, torch.Tensor], torch.Tensor], batch: int
) -> float:
    """Return the mean loss on the validation positions."""
    total = 0.0
    for i in range(0, len(held_out), batch):
        some = held_out.where(slice(i, i + batch))
        total += float(loss_of(some, model(some.boards))) * len(some)
    return total / max(len(held_out), 1)


def describe(corpus: Corpus) -> dict[str, object]:
    """Summarise the training data for the card."""
    players: dict[tuple[object, ...], Counter[str]] = {}
    for origin in corpus.origins:
        player = players.setdefault((origin["network"], origin["nodes"], origin["seed"]), Counter())
        player.update({name: origin["counts"][name] for name in ("games", "positions")})
    return {
        "positions": corpus.read,
        "without_duplicates": len(corpus.learn) + len(corpus.held_out),
        "held_out": len(corpus.held_out),
        "sha256": corpus.digest,
        "players": [
            dict(zip(("network", "nodes", "seed"), player, strict=True)) | counts
            for player, counts in players.items()
        ],
    }
