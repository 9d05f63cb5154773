"""How a network learns; the words of `training.train` say from what."""

import argparse
import io
import json
import math
import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch

from damas import _core
from damas.rules import rulebook
from training.data import Corpus, Positions, load
from training.integers import restored
from training.model import Model, Shape
from training.plot import plot
from training.progress import Bar
from training.refusing import Refused
from training.shards import difference
from training.writing import made_folder, whole_file, write_text

POWER = 2.5


def origin(start: Path) -> str:
    """What learning began with, for the card: a network by its checksum, weights by the hash of their file."""
    data = start.read_bytes()
    if start.suffix == ".net":
        return f"{_core.Network.read(data).checksum:016x}"
    return f"{start.name} sha256:{sha256(data).hexdigest()}"


def words_of(options: argparse.Namespace, corpus: Corpus) -> dict[str, object]:
    """All that the weights depend on. A scale that is not given is fitted, and depends on the games alone."""
    return {
        "games": corpus.digest,
        **{name: getattr(options, name) for name in ("epochs", "batch", "rate", "blend", "scale", "seed")},
        "power": POWER,
        "from": origin(options.start) if options.start else None,
    }


def kept_of(state: Path, words: dict[str, object], device: torch.device) -> dict[str, Any] | None:
    """What was kept after the last whole epoch; None if nothing was. Refuses what was learned with other words."""
    if not state.exists():
        return None
    kept: dict[str, Any] = torch.load(state, map_location=device, weights_only=True)
    if other := difference(kept.get("words", {}), words):
        raise Refused(f"{state} was learned with other words ({other}): give another --out, or delete it")
    return kept


def keep(path: Path, values: dict[str, object]) -> None:
    data = io.BytesIO()  # PyTorch itself does not say why a file cannot be written
    torch.save(values, data)
    with whole_file(path) as unfinished:
        unfinished.write_bytes(data.getvalue())


def fit_scale(positions: Positions) -> float:
    """The K for which sigmoid(score / K) tells the results best: one parameter, found by halving."""
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
    made_folder(options.out)
    device = torch.device(options.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    torch.manual_seed(options.seed)
    if device.type == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = True

    started = time.monotonic()
    corpus = load(options.data)
    book = rulebook(str(corpus.origins[0]["rulebook"]))
    shape = Shape(book.size.value, book.squares.value == "all")
    scale = options.scale or fit_scale(corpus.learn)
    words = words_of(options, corpus)
    state = options.out / "state.pt"
    kept = kept_of(state, words, device)
    learn, held_out = corpus.learn.to(device), corpus.held_out.to(device)
    print(
        f"{book.id}: {len(learn):,} positions to learn from, {len(held_out):,} held out "
        f"({corpus.read:,} read), K = {scale:.1f}, on {device}, read in {time.monotonic() - started:.0f} s",
        file=sys.stderr,
    )
    model = Model(shape).to(device)
    if options.start:
        model.load_state_dict(
            restored(options.start.read_bytes())
            if options.start.suffix == ".net"
            else torch.load(options.start, map_location=device, weights_only=True)["model"]
        )
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=options.rate, weight_decay=1e-4, fused=device.type == "cuda"
    )
    a_epoch = math.ceil(len(learn) / options.batch)
    steps = options.epochs * a_epoch
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps, eta_min=options.rate / 100)
    losses: dict[str, list[float]] = {"learned": [], "held out": []}

    begin, spent = 0, 0.0
    if kept:
        model.load_state_dict(kept["model"])
        optimizer.load_state_dict(kept["optimizer"])
        schedule.load_state_dict(kept["schedule"])
        losses, begin, spent = kept["losses"], kept["epoch"], kept["seconds"]

    def loss_of(some: Positions, out: torch.Tensor) -> torch.Tensor:
        wanted = options.blend * torch.sigmoid(some.scores / scale) + (1 - options.blend) * some.results
        return (torch.sigmoid(out) - wanted).abs().pow(POWER).mean()

    forward = model
    bar = Bar(f"{book.id}: learning", steps)
    generator = torch.Generator(device=device)
    for epoch in range(begin, options.epochs):
        generator.manual_seed(options.seed * 1000 + epoch)
        order = torch.randperm(len(learn), device=device, generator=generator)
        total = torch.zeros((), device=device)
        for i in range(a_epoch):
            rows = order[i * options.batch : (i + 1) * options.batch]
            some = Positions(learn.boards[rows], learn.scores[rows], learn.results[rows])
            loss = loss_of(some, forward(some.boards))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            schedule.step()
            model.clip()
            total += loss.detach()
            if i % 50 == 0:
                bar.show(epoch * a_epoch + i, f"epoch {epoch + 1}")
        losses["learned"].append(float(total) / a_epoch)
        losses["held out"].append(held_out_loss(model, held_out, loss_of, options.batch))
        bar.show(
            (epoch + 1) * a_epoch,
            f"epoch {epoch + 1}  held out {losses['held out'][-1]:.6f}",
            last=epoch + 1 == options.epochs,
        )
        keep(
            state,
            {
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict(),
                "schedule": schedule.state_dict(),
                "losses": losses,
                "epoch": epoch + 1,
                "seconds": spent + time.monotonic() - started,
                "words": words,
            },
        )
    keep(
        options.out / "weights.pt",
        {"model": {name: tensor.cpu() for name, tensor in model.state_dict().items()}},
    )
    plot(options.out / "loss.svg", f"{book.id}: loss by epoch", losses)
    record = {
        "rulebook": book.id,
        "rules": int(corpus.origins[0]["rules"]),  # type: ignore[call-overload]
        "size": shape.size,
        "all_squares": shape.all_squares,
        "scale": options.unit,
        "data": describe(corpus),
        "training": {
            "epochs": options.epochs,
            "batch": options.batch,
            "rate": options.rate,
            "blend": options.blend,
            "power": POWER,
            "fitted_scale": scale,
            "seed": options.seed,
            "from": words["from"],
            "seconds": round(spent + time.monotonic() - started),
            "device": torch.cuda.get_device_name() if device.type == "cuda" else "cpu",
            "learned": losses["learned"],
            "held_out": losses["held out"],
        },
    }
    write_text(options.out / "training.json", json.dumps(record, indent=1))


@torch.no_grad()
def held_out_loss(model: Model, held_out: Positions, loss_of: object, batch: int) -> float:
    total, n = 0.0, 0
    for i in range(0, len(held_out), batch):
        some = Positions(
            held_out.boards[i : i + batch], held_out.scores[i : i + batch], held_out.results[i : i + batch]
        )
        total += float(loss_of(some, model(some.boards))) * len(some)  # type: ignore[operator]
        n += len(some)
    return total / max(n, 1)


def describe(corpus: Corpus) -> dict[str, object]:
    """What the card says about the data."""
    players: dict[str, dict[str, object]] = {}
    for origin in corpus.origins:
        player = players.setdefault(
            f"{origin['network']} {origin['nodes']} {origin['seed']}",
            {
                "network": origin["network"],
                "nodes": origin["nodes"],
                "seed": origin["seed"],
                "games": 0,
                "positions": 0,
            },
        )
        counts = origin["counts"]
        player["games"] += counts["games"]  # type: ignore[index,operator]
        player["positions"] += counts["positions"]  # type: ignore[index,operator]
    return {
        "positions": corpus.read,
        "without_duplicates": len(corpus.learn) + len(corpus.held_out),
        "held_out": len(corpus.held_out),
        "sha256": corpus.digest,
        "players": list(players.values()),
    }
