"""Files of endgame tables, read and written without the core: to plant wrong values in them."""

import struct
import zlib
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

    def put(self, table: int, black_to_move: bool, block: int, codes: list[int]) -> None:
        """Replaces the codes of one block."""
        self.blocks[self._place(table, black_to_move, block)] = pack(codes, self.width)

    def codes(self, table: int, black_to_move: bool, block: int) -> list[int]:
        count = min(BLOCK, self.count - block * BLOCK)
        return unpack(self.blocks[self._place(table, black_to_move, block)], count, self.width)

    def _place(self, table: int, black_to_move: bool, block: int) -> int:
        return (2 * self.tables.index(table) + black_to_move) * self.side + block


class Model:
    """The questions of the coder, by number, each with the chance of "no" that it has learnt, out of 4096."""

    def __init__(self) -> None:
        self.chances = [EVEN] * (512 * 8 + 2 * 3 * 256)
        self.previous = self.run = 0

    def repeat(self) -> int:
        return 8 * (self.previous & 511) + min(7, self.run.bit_length())

    def nodes(self, low: bool) -> int:
        """The number before those of the 255 questions about a byte."""
        kind = 0 if self.previous == 0 else 1 + self.previous % 2
        return 512 * 8 + 256 * (3 * low + kind)

    def saw(self, code: int) -> None:
        self.run = self.run + 1 if code == self.previous else 0
        self.previous = code

    def learn(self, question: int, bit: bool) -> None:
        chance = self.chances[question]
        self.chances[question] = chance - (chance >> 4) if bit else chance + ((4096 - chance) >> 4)


def pack(codes: list[int], width: int) -> bytes:
    model, low, span = Model(), 0, 0xFFFFFFFF
    settled = bytearray()

    def put(question: int, bit: bool) -> None:
        nonlocal low, span
        bound = (span >> 12) * model.chances[question]
        if bit:
            low, span = low + bound, span - bound
        else:
            span = bound
        model.learn(question, bit)
        if low >> 32:
            carry()
        while span < TOP:
            settled.append(low >> 24)
            span, low = span << 8, (low & TOP - 1) << 8

    def carry() -> None:
        nonlocal low
        low &= 0xFFFFFFFF
        at = len(settled) - 1
        while settled[at] == 255:
            settled[at] = 0
            at -= 1
        settled[at] += 1

    def put_byte(byte: int, is_low: bool) -> None:
        nodes, node = model.nodes(is_low), 1
        for place in range(7, -1, -1):
            bit = bool(byte >> place & 1)
            put(nodes + node, bit)
            node = 2 * node + bit

    for code in codes:
        same = code == model.previous
        put(model.repeat(), same)
        if not same:
            if width == 2:
                put_byte(code >> 8, False)
            put_byte(code & 255, True)
        model.saw(code)
    return bytes(settled) + low.to_bytes(4, "big")


def unpack(data: bytes, count: int, width: int) -> list[int]:
    model, span, at = Model(), 0xFFFFFFFF, 4
    value = int.from_bytes(data[:4], "big")

    def get(question: int) -> bool:
        nonlocal span, value, at
        bound = (span >> 12) * model.chances[question]
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
        nodes, node = model.nodes(is_low), 1
        while node < 256:
            node = 2 * node + get(nodes + node)
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
