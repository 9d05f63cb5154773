"""`damas dxp`: the engine plays other programs over a connection, by the DamExchange protocol."""

import argparse
import errno
import os
import socket

from damas.cli.arguments import BadInput, add_rulebook, book_of, whole
from damas.cli.best import add_engine
from damas.engine.dxp import PORT, Line, Seat
from damas.engine.match import Forfeit
from damas.errors import file_trouble
from damas.game import Outcome
from damas.language import Saying, sentence


def add(parser: argparse.ArgumentParser) -> None:
    add_rulebook(parser, default="internacional")
    add_engine(parser)
    end = parser.add_mutually_exclusive_group()
    end.add_argument(
        "--listen",
        nargs="?",
        const=str(PORT),
        metavar="[HOST:]PORT",
        help=f"wait for a call (otherwise {PORT})",
    )
    end.add_argument("--call", metavar="HOST:PORT", help="call a program that listens")
    parser.add_argument(
        "--games",
        type=whole("--games", 1, 10**6),
        metavar="N",
        help="ask for so many games, otherwise follow",
    )
    parser.add_argument("--minutes", type=whole("--minutes", 1, 999), default=5, metavar="N", help="for ...")
    parser.add_argument(
        "--moves",
        type=whole("--moves", 0, 999),
        default=75,
        metavar="N",
        help="... so many moves; 0: the game",
    )


def run(options: argparse.Namespace) -> int:
    if options.json:
        raise BadInput("cli.bad.dxp_json")

    def tell(key: str, facts: dict[str, object]) -> None:
        outcome = facts.get("outcome")
        if isinstance(outcome, Outcome):
            print(outcome.sentence(options.language), flush=True)
        else:
            print(Saying(f"cli.dxp.{key}", facts).sentence(options.language), flush=True)

    book = book_of(options)
    line = _called(options)
    try:
        seat = Seat(line, book, threads=options.threads, hash_mb=options.hash, tell=tell)
        try:
            if options.games:
                seat.initiate(options.games, options.minutes, options.moves)
            else:
                seat.follow()
        finally:
            seat.close()
    except Forfeit as why:
        raise BadInput("cli.bad.dxp", why=why.saying) from None
    return 0


def _called(options: argparse.Namespace) -> Line:
    if options.call:
        host, port = _address(options.call, "--call")
        try:
            return Line.call(host, port)
        except Forfeit as why:
            raise BadInput("cli.bad.dxp_call", why=why.saying, port=str(port)) from None
    host, port = _address(options.listen or str(PORT), "--listen")
    try:
        server = socket.create_server((host, port))
    except OSError as error:
        raise BadInput("cli.bad.dxp_listen", address=f"{host}:{port}", why=_why(error, host)) from None
    with server:
        print(sentence("cli.dxp.listening", options.language, host=host, port=port), flush=True)
        return Line(server.accept()[0])


def _why(error: OSError, host: str) -> Saying:
    if (error.errno or 0) < 0:  # of the names, not of the system
        return Saying("forfeit.no_host", {"host": host})
    if error.errno == errno.EADDRINUSE:
        return Saying("cli.dxp.taken")
    # Python adds English words and a tuple to what the system says.
    return file_trouble(OSError(error.errno, os.strerror(error.errno or 0)))


def _address(text: str, name: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise BadInput("cli.bad.address", name=name, got=text)
    return host or "127.0.0.1", int(port)
