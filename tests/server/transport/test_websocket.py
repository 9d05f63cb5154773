"""Frames of a socket, at the limit and one past it."""

import asyncio
import json

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from damas.server.settings import Limits
from damas.server.transport.frames import FrameCounter
from server.rooms.clients import Board, Server

PING, PONG, FRAGMENT = (bytes([first, 0x80, 0, 0, 0, 0]) for first in (0x89, 0x8A, 0x00))


async def close_code(board: Board) -> int:
    async def read_for_ever() -> None:
        while True:
            await board.socket.recv()

    with pytest.raises(ConnectionClosed):
        await asyncio.wait_for(read_for_ever(), 60)
    return board.socket.close_code or 0


@pytest.mark.parametrize("limits", [Limits(socket_frames=20, socket_window_s=1_000_000)])
@pytest.mark.parametrize("frame", [PING, PONG, FRAGMENT], ids=["ping", "pong", "fragment"])
async def test_so_many_frames_are_read_and_one_more_closes_the_socket(server: Server, frame: bytes) -> None:
    person = await server.person()
    board = await person.sit(await person.create(kind="device"))
    assert (await board.move(board.view["legal"][0]["text"]))["t"] == "ack"
    begin = b"\x01\x80\x00\x00\x00\x00" if frame is FRAGMENT else frame
    board.socket.transport.write(begin + frame * 17)
    answered = await board.socket.ping()  # the twentieth
    await asyncio.wait_for(answered, 60)
    board.socket.transport.write(frame)
    assert await close_code(board) == 1008
    again = await person.sit(board.hello["game"])
    assert again.view["ply"] == 1, "the game goes on"


@pytest.mark.parametrize("limits", [Limits(socket_bytes=5_000, socket_window_s=1_000_000)])
async def test_so_many_bytes_and_no_more(server: Server) -> None:
    person = await server.person()
    board = await person.sit(await person.create(kind="device"))
    await board.send(t="ping", n=1, more="a" * 3_000)
    assert (await board.next("pong", "nack"))["t"]
    await board.send(t="ping", n=1, more="a" * 3_000)
    assert await close_code(board) == 1008


@pytest.mark.parametrize("more", [{"trusted_proxies": ("127.0.0.1",)}])
@pytest.mark.parametrize(
    "limits", [Limits(socket_frames=300, socket_window_s=1_000_000, socket_frames_of_address=30)]
)
async def test_an_address_pays_for_those_who_send_much(server: Server) -> None:
    """Behind a proxy the address is the forwarded one."""
    person = await server.person()
    url = f"ws://127.0.0.1:{server.port}/game/{await person.create(kind='device')}/socket"

    async def sit(address: str) -> Board:
        headers = {"X-Forwarded-For": address}
        board = Board(await connect(url, additional_headers=headers, ping_interval=None))
        await board.next("hello")
        return board

    loud, quiet, elsewhere = await sit("203.0.113.7"), await sit("203.0.113.7"), await sit("203.0.113.8")
    loud.socket.transport.write(
        PING * 38
    )  # an eighth of its own limit, which a closed socket would have anew
    assert await close_code(loud) == 1008
    for board in (quiet, elsewhere):
        await board.socket.send(json.dumps({"t": "ping", "n": 7}))
        assert (await board.next("pong"))["n"] == 7
        await board.close()


@pytest.mark.parametrize("limits", [Limits(requests_per_second=0.01, request_wait_s=350)])
async def test_opening_a_socket_counts_as_four_requests(server: Server) -> None:
    """The next request would have to wait for 400 seconds, after another request for a hundred."""
    async with connect(f"ws://127.0.0.1:{server.port}/game/none/socket") as socket:
        await asyncio.wait_for(socket.wait_closed(), 60)
    async with httpx.AsyncClient() as http:
        reply = await asyncio.wait_for(http.get(f"http://127.0.0.1:{server.port}/healthz"), 60)
    assert reply.status_code == 429


@pytest.mark.parametrize("cut", [1, 2, 3, 5, 7, 11])
def test_frames_are_counted_however_they_are_cut(cut: int) -> None:
    def masked(length: int) -> bytes:
        size = (
            bytes([0x80 | length]) if length < 126 else b"\xfe" + length.to_bytes(2)
            if length < 65_536 else b"\xff" + length.to_bytes(8)
        )  # fmt: skip
        return b"\x82" + size + bytes(4) + b"\x89" * length

    data = b"".join(masked(length) for length in (0, 5, 125, 126, 300, 65_536, 0, 1))
    counter = FrameCounter()
    pieces = [data[at : at + cut] for at in range(0, len(data), cut)]
    assert sum(counter.count(piece, 1000) for piece in pieces) == 8
