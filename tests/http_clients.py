"""HTTP clients of a process share what each of them, or each of its requests, would look for again."""

import sys
from functools import cache
from importlib.util import find_spec

import httpx
import httpx._transports.default as transport


def share_preparations() -> None:
    """One TLS context for all: reading the machine's certificates takes 17 ms, and the servers of tests speak no TLS.

    And one search for an optional package of httpcore: where it is missing, each request looks for it four times.
    """
    vars(transport)["create_ssl_context"] = cache(httpx.create_ssl_context)
    if "sniffio" not in sys.modules and find_spec("sniffio") is None:
        sys.modules["sniffio"] = None  # type: ignore[assignment]
