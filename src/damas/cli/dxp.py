"""`damas dxp`: our engine plays other programs over a connection, by the DamExchange protocol."""

import argparse
import errno
import os
import socket

from damas.cli.arguments import BadInput, add_integer, add_rulebook, book_of
from damas.cli.best import add_engine
from damas.errors import file_trouble
from damas.game import Outcome
from damas.language import Saying, sentence
from damas.matches.dxp.connection import Connection, DxpError
from damas.matches.dxp.server import DEFAULT_PORT, DxpEngine


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_rulebook(parser, default="internacional")
    add_engine(parser)
    end = parser.add_mutually_exclusive_group()
    end.add_argument(
        "--listen",
        nargs="?",
        const=str(DEFAULT_PORT),
        metavar="[HOST:]PORT",
        help=f"wait for a call (default port: {DEFAULT_PORT})",
    )
    end.add_argument("--call", metavar="HOST:PORT", help="call a program that listens")
    add_integer(parser, "--games", 1, 10**6, "ask for this many games; without it the other program asks")
    add_integer(parser, "--minutes", 1, 999, "minutes for --moves moves (default: 5)", default=5)
    moves = "moves to play in --minutes; 0: the whole game (default: 75)"
    add_integer(parser, "--moves", 0, 999, moves, default=75)


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""

    def notify(key: str, facts: dict[str, object]) -> None:
        outcome = facts.get("outcome")
        if isinstance(outcome, Outcome):
            print(outcome.sentence(options.language), flush=True)
        else:
            print(Saying(f"cli.dxp.{key}", facts).sentence(options.language), flush=True)

    book = book_of(options)
    connection = _connect(options)
    try:
        engine = DxpEngine(connection, book, threads=options.threads, hash_mb=options.hash, notify=notify)
        try:
            if options.games:
                engine.initiate(options.games, options.minutes, options.moves)
            else:
                engine.follow()
        finally:
            engine.close()
    except DxpError as error:
        raise BadInput("cli.bad.dxp", why=error.saying) from None
    return 0


def _connect(options: argparse.Namespace) -> Connection:
    if options.call:
        host, port = _address(options.call, "--call")
        try:
            return Connection.call(host, port)
        except DxpError as error:
            raise BadInput("cli.bad.dxp_call", why=error.saying, port=str(port)) from None
    host, port = _address(options.listen or str(DEFAULT_PORT), "--listen")
    try:
        server = socket.create_server((host, port))
    except OSError as error:
        raise BadInput("cli.bad.dxp_listen", address=f"{host}:{port}", why=_why(error, host)) from None
    with server:
        print(sentence("cli.dxp.listening", options.language, host=host, port=port), flush=True)
        return Connection(server.accept()[0])


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
