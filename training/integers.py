"""The integer format of a network file: encoding, and decoding to continue training."""

import argparse
import json
import math
import struct
import sys

import torch

from damas import _core
from training.atomic_files import ensure_writable_folder, write_bytes, write_text
from training.command_line import StageError
from training.model import BUCKETS, FIRST, SECOND, THIRD, Model, Shape

MAGIC = b"DAMASNET"
FIXED, VERSION = 1, 2
"""The first version knew one shape, 256 outputs of the first layer and 8 buckets, and still means it."""
ONE0, ONE1, ONE2 = 127 * 8, 127 * 256, 127 * 127 << 8
HEAD: tuple[tuple[str, torch.dtype, int, int, tuple[int, ...]], ...] = (
    ("b1", torch.int32, ONE1, 2**26, (SECOND,)),
    ("w1", torch.int8, 256, 127, (SECOND, -1)),
    ("b2", torch.int32, ONE2, 2**27, (THIRD,)),
    ("w2", torch.int16, 256, 1024, (THIRD, SECOND)),
    ("b3", torch.int32, ONE2, 2**30, ()),
    ("w3", torch.int16, 256, 2048, (THIRD,)),
)
"""The weights of one bucket in the order of the file: name, type, integer for 1.0, largest magnitude, shape; -1 stands
for the outputs of the first layer."""


def fnv(data: bytes) -> int:
    """Return the 64-bit FNV-1a hash."""
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return h


def to_integers(values: torch.Tensor, one: float, most: int) -> torch.Tensor:
    """Scale by `one` and round; fail if any magnitude exceeds `most`."""
    rounded = torch.round(values.double() * one).long()
    if int(rounded.abs().max()) > most:
        raise StageError(f"a weight of {int(rounded.abs().max()) / one:.3f} does not fit")
    return rounded


def little_endian(values: torch.Tensor, kind: torch.dtype) -> bytes:
    """Return integers as little-endian bytes (assumes a little-endian machine)."""
    return bytes(values.to(kind).contiguous().view(-1).view(torch.uint8).tolist())


def check_int16_sums(w0: torch.Tensor, b0: torch.Tensor, shape: Shape) -> None:
    """Prove that no position can overflow int16 in the first layer: the worst piece on each of the worst squares."""
    n, row, men = shape.squares, shape.row, shape.men
    for sign in (1, -1):
        best = torch.zeros((n, w0.shape[1]), dtype=torch.int64)
        best[:men] = torch.maximum(best[:men], sign * w0[:men])
        best = torch.maximum(best, sign * w0[men : men + n])
        best[row:] = torch.maximum(best[row:], sign * w0[men + n : 2 * men + n])
        best = torch.maximum(best, sign * w0[2 * men + n :])
        worst = best.sort(dim=0).values[-shape.most :].sum(dim=0) + sign * b0
        if int(worst.max()) > 32767:
            raise StageError(f"the first layer could reach {int(worst.max())}, more than int16 holds")


def encode(model: Model, record: dict, card: str) -> bytes:
    """Return the network as the bytes of a file."""
    shape = model.shape
    w0 = to_integers(model.w0, ONE0, 32767)
    b0 = to_integers(model.b0, ONE0, 32000) + 4  # the shift by three rounds to the nearest
    check_int16_sums(w0, b0, shape)
    version = FIXED if (shape.first, shape.buckets) == (FIRST, BUCKETS) else VERSION
    parts = [
        MAGIC,
        struct.pack("<IBBH", version, shape.size, shape.all_squares, shape.inputs),
        struct.pack("<HHHH", shape.first, SECOND, THIRD, shape.buckets),
        struct.pack("<Q", record["rules"]),
        bytes([*shape.crowd, 0]),
        struct.pack("<I", round(record["scale"] * 2**32 / ONE2)),
        struct.pack("<H", len(card.encode())) + card.encode(),
        little_endian(b0, torch.int16),
        little_endian(w0, torch.int16),
    ]
    for n in range(shape.buckets):
        for name, kind, one, most, _ in HEAD:
            parts.append(little_endian(to_integers(getattr(model, name)[n], one, most), kind))
    data = b"".join(parts)
    return data + struct.pack("<Q", fnv(data))


def decode_weights(data: bytes) -> dict[str, torch.Tensor]:
    """Decode the weights of a network file to floating point, to continue training from it."""
    kinds = {torch.int8: "b", torch.int16: "h", torch.int32: "i"}
    if data[:8] != MAGIC or struct.unpack_from("<I", data, 8)[0] not in (FIXED, VERSION):
        raise StageError("this is not a network that training can continue from")
    inputs, first, _, _, buckets = struct.unpack_from("<HHHHH", data, 14)
    name_at = 36 + buckets // 2
    at = name_at + struct.unpack_from("<H", data, name_at)[0] + 2

    def take(kind: torch.dtype, one: float, *shape: int) -> torch.Tensor:
        nonlocal at
        count = math.prod(shape)
        values = struct.unpack_from(f"<{count}{kinds[kind]}", data, at)
        at += count * kind.itemsize
        return torch.tensor(values, dtype=torch.float64).div(one).float().view(shape)

    weights = {"b0": take(torch.int16, ONE0, first) - 4 / ONE0, "w0": take(torch.int16, ONE0, inputs, first)}
    heads: dict[str, list[torch.Tensor]] = {}
    for _ in range(buckets):
        for name, kind, one, _, shape in HEAD:
            heads.setdefault(name, []).append(take(kind, one, *(first if n < 0 else n for n in shape)))
    return weights | {name: torch.stack(values) for name, values in heads.items()}


def quantise(options: argparse.Namespace) -> None:
    """Write the network and its card."""
    ensure_writable_folder(options.out.parent)
    record = json.loads((options.folder / "training.json").read_text(encoding="utf-8"))
    model = Model(Shape(record["size"], record["all_squares"], record["first"], record["buckets"]))
    model.load_state_dict(
        torch.load(options.folder / "weights.pt", map_location="cpu", weights_only=True)["model"]
    )
    model.requires_grad_(requires_grad=False)
    card = options.out.with_suffix(".json")
    data = encode(model, record, card.name)
    network = _core.Network.read(data)
    card_data = {
        "network": options.out.name,
        "checksum": f"{network.checksum:016x}",
        "bytes": len(data),
        "generation": options.generation,
        **record,
        "sprt": [],
    }
    if options.data:
        card_data["integers"] = compare(model, network, record, options.data)
        print(f"integers against floating point: {card_data['integers']}", file=sys.stderr)
    write_text(card, json.dumps(card_data, indent=1))
    write_bytes(options.out, data)  # written last, so that a network always has its card
    print(f"{options.out}: {len(data):,} bytes, checksum {network.checksum:016x}", file=sys.stderr)


def compare(model: Model, network: object, record: dict, folder: str) -> dict[str, object]:
    """Measure how far integer evaluations differ from floating point, in hundredths of a man."""
    from damas.board import Color, Piece, Setup
    from damas.game import Position
    from damas.game.core import rules_of
    from damas.game.laws import laws_of
    from damas.rules import rulebook
    from training.data import load

    book = rulebook(record["rulebook"])
    engine = _core.Engine(rules_of(book), laws_of(book), hash_bytes=1 << 16, threads=1)
    engine.use(network)
    held_out = load([f"{folder}:0.0001"]).held_out
    if not len(held_out):  # too few games to hold any out
        return {"positions": 0}
    rows = held_out.boards[:: max(1, len(held_out) // 2000)][:2000]
    floats = (model(rows) * record["scale"]).tolist()
    errors = []
    for (own, theirs, kings), expected in zip(rows.tolist(), floats, strict=True):
        pieces = {}
        for square in range(model.shape.squares):
            if own >> square & 1:
                pieces[square] = Piece.WHITE_KING if kings >> square & 1 else Piece.WHITE_MAN
            elif theirs >> square & 1:
                pieces[square] = Piece.BLACK_KING if kings >> square & 1 else Piece.BLACK_MAN
        position = Position.of(Setup(pieces, Color.WHITE), book)
        errors.append(abs(engine.standing(position) - expected))
    return {
        "positions": len(errors),
        "mean": round(sum(errors) / len(errors), 2),
        "most": round(max(errors), 2),
    }
