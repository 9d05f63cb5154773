"""Frames of a websocket, counted before they are parsed."""


class FrameCounter:
    """Counts the frames of a websocket by their headers alone, however the bytes are cut.

    >>> counter = FrameCounter()
    >>> ping = bytes([0x89, 0x80, 0, 0, 0, 0])
    >>> counter.count(ping * 3 + ping[:1], 9), counter.count(ping[1:], 9), counter.count(ping * 50, 9)
    (3, 1, 10)
    """

    __slots__ = ("_begun", "_skip")

    def __init__(self) -> None:
        self._skip = 0
        """Bytes until the next header."""
        self._begun = b""
        """The part of a header that has come."""

    def count(self, data: bytes, most: int) -> int:
        """Frames whose header ends in these bytes; looks no further when there are more than `most`."""
        if self._begun:
            data, self._begun = self._begun + data, b""
        at, end, frames = self._skip, len(data), 0
        while at < end and frames <= most:
            if end - at < 2:
                break
            length = data[at + 1] & 127
            size = 2 if length < 126 else 4 if length == 126 else 10
            if end - at < size:
                break
            if size > 2:
                length = int.from_bytes(data[at + 2 : at + size])
            at += size + length + (4 if data[at + 1] & 128 else 0)
            frames += 1
        if at < end:
            self._begun = data[at : at + 10]
            at = end
        self._skip = at - end
        return frames
