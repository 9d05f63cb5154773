"""For operators: health checks, metrics, and closing accounts."""

import hmac
import logging
from importlib.metadata import version
from typing import Literal

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Gauge, generate_latest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from damas.server.classes.leaving import leave_classes
from damas.server.rooms.room import NO_LEASE
from damas.server.security.bodies import Json, read
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import BadSecret, secret_in
from damas.server.services import services_of
from damas.server.web.endpoints import Endpoints

log = logging.getLogger("damas")

endpoints = Endpoints()

OPERATOR = "operator"
"""File of the data folder with the key of operators."""
LOOPBACK = ("127.0.0.1", "local", "::1", "::/64")
"""Addresses of clients on this machine."""


@endpoints.route("GET /healthz")
async def _healthz(_: Request) -> Response:
    """Whether the process responds; the database is not checked, since a restart would not help it."""
    return PlainTextResponse("ok\n", headers={"Cache-Control": "no-store"})


@endpoints.route("GET /readyz")
async def _readyz(request: Request) -> Response:
    """Whether games can be played now."""
    services = services_of(request)
    trouble = "stopping" if services.closing.is_set() else services.store.trouble
    if trouble is None and not services.rooms.ownership.lease.held:
        trouble = NO_LEASE
    state = {"ready": trouble is None, "trouble": trouble, "version": version("damas")}
    return Json(state, 200 if trouble is None else 503)


@endpoints.route("GET /metrics")
async def _metrics(request: Request) -> Response:
    """Metrics for Prometheus, for clients on this machine only; gauges are read now, events are counted in the rooms."""
    if not _may_measure(request):
        raise ApiError(403, "FORBIDDEN")
    services, gauges = services_of(request), CollectorRegistry()
    games = Gauge("damas_live_games", "Games between two players that are being played", registry=gauges)
    games.set(len(services.rooms.live))
    ownership = services.rooms.ownership
    owned = Gauge("damas_games_owned", "Games in memory that this node owns", registry=gauges)
    owned.set(sum(room.ledger.epoch > 0 for room in services.rooms))
    if ownership.keeper:
        left = Gauge("damas_lease_seconds_left", "How long this node may still acknowledge", registry=gauges)
        left.set(ownership.lease.left_s)
        peers = Gauge("damas_nodes", "Nodes of this database, this one too", ["state"], registry=gauges)
        living = len(services.passing.peers)
        peers.labels("alive").set(1 + living)
        peers.labels("gone").set(len(ownership.keeper.peers) - living)
    for name, value in services.store.figures().items():
        Gauge(f"damas_store_{name}", f"Of the store: {name.replace('_', ' ')}", registry=gauges).set(value)
    text = generate_latest(REGISTRY) + generate_latest(gauges)
    return Response(text, media_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


def _may_measure(request: Request) -> bool:
    # A proxy on this machine forwards requests of others, whether the settings trust it or not.
    return address_of(request) in LOOPBACK and "x-forwarded-for" not in request.headers


def check_operator(request: Request) -> None:
    """Raises `ApiError` unless the request has the operator's key, which lies in the data folder."""
    services = services_of(request)
    services.rates.spend("login", (address_of(request), "operator"))
    try:
        key = secret_in(services.settings.data / OPERATOR).decode()
    except BadSecret as trouble:
        log.error("nobody can be recognised as operator: %s", trouble)
        raise ApiError(403, "FORBIDDEN") from None
    kind, _, shown = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "operator" or not hmac.compare_digest(shown.strip().encode(), key.encode()):
        raise ApiError(403, "FORBIDDEN")


class Deed(msgspec.Struct, forbid_unknown_fields=True):
    """What an operator does to an account."""

    name: str
    do: Literal["revoke", "close"]


@endpoints.route("POST /api/operator")
async def _operate(request: Request) -> None:
    """Ends every login and token of an account, or closes it. The key lies in the data folder, in the file `operator`:
    whoever can read it runs the server.
    """
    services = services_of(request)
    check_operator(request)
    deed = await read(request, Deed)
    people = services.store.people
    account = await people.account_named(deed.name)
    if account is None:
        raise ApiError(404, "NO_PLAYER", name=deed.name[:60])
    if deed.do == "close":
        await leave_classes(services, account.id)
        await people.close_account(account.id)
    else:
        await people.close_logins(account.id)
        for token in await people.tokens(account.id):
            await people.revoke_token(account.id, token.id)
    await services.logins.changed(account.id)
    log.warning("an operator did this to the account %s: %s", account.name, deed.do)
