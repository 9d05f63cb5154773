"""`damas serve`: the web app on this machine, or for a room full of phones."""

import argparse
import sys
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from damas.cli.answers import print_json
from damas.cli.arguments import BadInput, add_flag, add_integer, add_storage
from damas.language import Saying, sentence

if TYPE_CHECKING:
    from damas.server.services import Services
    from damas.server.settings import Settings

NEEDED = ("alembic", "argon2", "jinja2", "msgspec", "sqlalchemy", "starlette", "uvicorn", "websockets")
"""Modules of the packages in `damas[web]` without which the server does not start."""
EVERYBODY = "0.0.0.0"
"""The host that listens on every address of this machine."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--host", metavar="HOST", help="address to listen on (default: 127.0.0.1, this machine only)"
    )
    add_integer(parser, "--port", 0, 65535, "default: 8000; 0 takes any free port")
    add_flag(parser, "--lan", "for every machine of the local network, with a QR code for phones")
    parser.add_argument(
        "--open", nargs="?", const=True, type=_yes, metavar="true|false", dest="browser",
        help="open the browser (default: only from a terminal)",
    )  # fmt: skip
    parser.add_argument("--no-open", action="store_false", dest="browser", help="leave the browser alone")
    add_storage(parser)
    add_flag(parser, "--json-logs", "write what happens as JSON, a line each, on stderr")


def _yes(value: str) -> bool:
    known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if value.lower() not in known:
        raise BadInput("cli.serve.yes_or_no", got=value)
    return known[value.lower()]


def need_web() -> None:
    """Says what to install where the library was installed alone."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise BadInput("cli.serve.missing", command='pip install "damas[web]"', packages=", ".join(missing))


def settings_of(options: argparse.Namespace, **given: object) -> "Settings":
    """The server's settings: `given` and the storage of the options, otherwise from the environment."""
    from damas.server.settings import BadSetting, Settings

    try:
        return Settings.from_env({**given, "database_url": options.database, "data": options.data})
    except BadSetting as error:
        raise BadInput("cli.serve.setting", text=error) from None


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    need_web()
    host = EVERYBODY if options.lan and not options.host else options.host
    settings = settings_of(options, host=host, port=options.port)
    opens = options.browser if options.browser is not None else sys.stdout.isatty() and not options.json

    def tell(here: str, others: list[str]) -> str:
        _tell(here, others, options)
        return here

    return serve_app(settings, tell, opens=opens, json_logs=options.json_logs)


def serve_app(
    settings: "Settings",
    tell: Callable[[str, list[str]], str],
    *,
    opens: bool,
    json_logs: bool = False,
    prepare: "Callable[[Services], Awaitable[None]] | None" = None,
) -> int:
    """Runs the web app until it is stopped.

    `tell` gets its address on this machine and those for others, once it serves, and returns what the browser opens;
    `prepare` is called before.
    """
    from damas.server.gc_tuning import imports_uncollected

    with imports_uncollected():
        from damas.server import serve
        from damas.server.addresses import lan_urls
        from damas.server.store.errors import InUse, StoreError

    try:
        listener = serve.listening_socket(settings)
        port = listener.getsockname()[1]
        urls = lan_urls(settings, port)
        here = f"http://{'127.0.0.1' if settings.host in (EVERYBODY, '::') else settings.host}:{port}"

        def ready() -> None:
            address = tell(here, urls)
            sys.stdout.flush()
            if opens:
                import webbrowser

                webbrowser.open(address)

        serve.run(settings, listener, ready, json_logs=json_logs, prepare=prepare)
    except serve.CannotStart as error:
        raise BadInput(f"cli.serve.{error.why}", **error.facts) from None
    except StoreError as error:
        key = "in_use" if isinstance(error, InUse) else "store"
        raise BadInput(f"cli.serve.{key}", text=error) from None
    return 0


def _tell(here: str, others: list[str], options: argparse.Namespace) -> None:
    """Where the server is: its address first, alone on its line."""
    if options.json:
        print_json({"url": here, "others": others})
        return
    print(here)
    for url in others:
        print(sentence("cli.serve.others", options.language, url=url))
    if others:
        print_qr(others[0])
    print(Saying("cli.serve.stop").sentence(options.language))


def print_qr(url: str) -> None:
    """A QR code in a terminal."""
    if find_spec("segno") is None or not sys.stdout.isatty():
        return
    import segno

    segno.make(url, error="m").terminal(compact=True)
