"""Files of endgame tables, read and written without the core: to plant wrong values in them."""

import struct
import zlib
from collections.abc import Callable
from pathlib import Path

HEADER = struct.Struct("<8s32s2B2BBBHQQ")
BLOCK = 1 << 15
"""Codes in a block."""
EVEN = 1 << 11
TOP = 1 << 24


class TableFile:
    """The packed blocks of one material's tables, by table, side to move and place."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        self.header = data[: HEADER.size]
        *_, self.width, _, tables, self.count, blocks = HEADER.unpack(self.header)
        self.tables = [table for table in range(16) if tables >> table & 1]
        self.side = -(-self.count // BLOCK)
        ends = struct.unpack_from(f"<{blocks}Q", data, HEADER.size)
        first = HEADER.size + 8 * blocks + 4
        starts = [0, *ends[:-1]]
        self.blocks = [data[first + a : first + b - 4] for a, b in zip(starts, ends, strict=True)]

    def write(self, path: Path) -> None:
        body, ends, end = [], [], 0
        for block in self.blocks:
            body.append(block + struct.pack("<I", zlib.crc32(block)))
            ends.append(end := end + len(body[-1]))
        front = self.header + struct.pack(f"<{len(ends)}Q", *ends)
        path.write_bytes(front + struct.pack("<I", zlib.crc32(front)) + b"".join(body))

    def change(
        self, table: int, black_to_move: bool, block: int, changed: Callable[[list[int]], None]
    ) -> None:
        """Lets the codes of one block be changed in place."""
        codes = self.codes(table, black_to_move, block)
        changed(codes)
        self.blocks[self._place(table, black_to_move, block)] = pack(codes, self.width)

    def codes(self, table: int, black_to_move: bool, block: int) -> list[int]:
        count = min(BLOCK, self.count - block * BLOCK)
        return unpack(self.blocks[self._place(table, black_to_move, block)], count, self.width)

    def _place(self, table: int, black_to_move: bool, block: int) -> int:
        return (2 * self.tables.index(table) + black_to_move) * self.side + block


class Model:
    """The questions of the coder, each with the chance of "no" that it has learnt, out of 4096."""

    def __init__(self) -> None:
        self.chances: dict[tuple[int, ...], int] = {}
        self.previous = self.run = 0

    def repeat(self) -> tuple[int, ...]:
        return (0, self.previous & 511, min(7, self.run.bit_length()))

    def node(self, low: bool, node: int) -> tuple[int, ...]:
        kind = 0 if self.previous == 0 else 1 + self.previous % 2
        return (1, low, kind, node)

    def saw(self, code: int) -> None:
        self.run = self.run + 1 if code == self.previous else 0
        self.previous = code

    def split(self, question: tuple[int, ...], width: int) -> int:
        return (width >> 12) * self.chances.get(question, EVEN)

    def learn(self, question: tuple[int, ...], bit: bool) -> None:
        chance = self.chances.get(question, EVEN)
        self.chances[question] = chance - (chance >> 4) if bit else chance + ((4096 - chance) >> 4)


def pack(codes: list[int], width: int) -> bytes:
    model, low, span, shifts = Model(), 0, 0xFFFFFFFF, 0

    def put(question: tuple[int, ...], bit: bool) -> None:
        nonlocal low, span, shifts
        bound = model.split(question, span)
        if bit:
            low, span = low + bound, span - bound
        else:
            span = bound
        model.learn(question, bit)
        while span < TOP:
            span, low, shifts = span << 8, low << 8, shifts + 1

    def put_byte(byte: int, is_low: bool) -> None:
        node = 1
        for place in range(7, -1, -1):
            bit = bool(byte >> place & 1)
            put(model.node(is_low, node), bit)
            node = 2 * node + bit

    for code in codes:
        same = code == model.previous
        put(model.repeat(), same)
        if not same:
            if width == 2:
                put_byte(code >> 8, False)
            put_byte(code & 255, True)
        model.saw(code)
    return low.to_bytes(shifts + 4, "big")


def unpack(data: bytes, count: int, width: int) -> list[int]:
    model, span, at = Model(), 0xFFFFFFFF, 4
    value = int.from_bytes(data[:4], "big")

    def get(question: tuple[int, ...]) -> bool:
        nonlocal span, value, at
        bound = model.split(question, span)
        bit = value >= bound
        if bit:
            value, span = value - bound, span - bound
        else:
            span = bound
        model.learn(question, bit)
        while span < TOP:
            span, value, at = span << 8, value << 8 | data[at], at + 1
        return bit

    def get_byte(is_low: bool) -> int:
        node = 1
        while node < 256:
            node = 2 * node + get(model.node(is_low, node))
        return node - 256

    codes = []
    for _ in range(count):
        code = model.previous
        if not get(model.repeat()):
            code = get_byte(False) << 8 if width == 2 else 0
            code |= get_byte(True)
        model.saw(code)
        codes.append(code)
    return codes
