"""One TLS context for all HTTP clients of a process.

httpx reads every certificate of the machine for each client, which takes 17 ms, and the servers of tests speak no TLS.
"""

from functools import cache

import httpx
import httpx._transports.default as transport


def read_certificates_once() -> None:
    """Clients with the same settings share their context from now on."""
    vars(transport)["create_ssl_context"] = cache(httpx.create_ssl_context)
