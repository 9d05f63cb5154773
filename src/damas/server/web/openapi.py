"""OpenAPI 3.1 of the API, made from the declarations of its calls; and the page that shows them."""

import textwrap
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from damas.server.encoding import encode
from damas.server.services import services_of
from damas.server.web.endpoints import CALLS, EVENTS, JSON, NDJSON, TAGS, Call, Endpoints
from damas.server.web.pages import page
from damas.server.web.replies import Created, Refused
from damas.server.words import Words, language_of
from damas.views.plain import MORE

Schema = dict[str, Any]
"""A JSON Schema."""
REFERENCE = "#/components/schemas/"
"""Beginning of a reference to a component."""
STREAMS = {NDJSON: "api.stream", EVENTS: "api.events"}
"""Key of the sentence that describes each kind of stream."""
NUMBER = {"type": "integer", "minimum": 0, "maximum": 99_999}
TEXT = {"type": "string", "minLength": 1, "maxLength": 60}
IDEMPOTENCY_KEY = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"}
"""Schemas of parameters."""

endpoints = Endpoints()


def document(words: Words, language: str) -> dict[str, Any]:
    """The whole description, in one of the languages."""
    replies, components = reply_schemas()
    paths: dict[str, dict[str, Any]] = {}
    for call in CALLS:
        operation = _operation(call, replies[call.id], words, language)
        paths.setdefault(call.path, {})[call.method.lower()] = operation
        if call.for_boards:
            board = {"operationId": f"board_{call.id}", "security": [{"token": ["board:play"]}, {}]}
            path = call.path.replace("/bot/", "/board/", 1)
            paths.setdefault(path, {})[call.method.lower()] = {**operation, **board}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "damas",
            "version": version("damas"),
            "summary": words.say("frame.name", language),
            "description": words.say("api.intro", language),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": tag, "description": words.say(f"api.tag.{tag}", language)} for tag in TAGS],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": words.say("api.token", language)}
            },
        },
    }


@cache
def reply_schemas() -> tuple[dict[str, Schema], dict[str, Schema]]:
    """The schema of each call's reply by the call's id, and all components."""
    with_reply = [call for call in CALLS if call.reply is not None]
    bodies = {call.body: None for call in CALLS if call.body}
    shown, components = schemas([*(call.reply for call in with_reply), *bodies, Refused, Created])
    replies = {call.id: schema for call, schema in zip(with_reply, shown, strict=False)}
    return {call.id: replies.get(call.id, {}) for call in CALLS}, components


def _operation(call: Call, reply: Schema, words: Words, language: str) -> dict[str, Any]:
    content: dict[str, Any] = {call.media: {"schema": reply}}
    if call.media in STREAMS:
        # The values are objects; the stream of them has no schema of its own in 3.1.
        description = words.say(STREAMS[call.media], language)
        content = {call.media: {"schema": {"type": "string", "description": description}}}
    if call.id == "seek":  # somebody may be looking for the same game already
        content[JSON] = {"schema": {"$ref": f"{REFERENCE}Created"}}
    answered = {"description": words.say("api.answered", language), "content": content}
    refused = {
        "description": words.say("api.refused", language),
        "content": {JSON: {"schema": {"$ref": f"{REFERENCE}Refused"}}},
    }
    operation: dict[str, Any] = {
        "operationId": call.id,
        "tags": [call.tag],
        "summary": words.say(f"api.call.{call.id}", language),
        "parameters": _parameters(call),
        "responses": {
            **dict.fromkeys(_statuses(call), answered),
            "4XX": refused,
            "503": refused,
        },
    }
    if call.scopes is not None:
        operation["security"] = [{"token": list(call.scopes)}]
    if call.body:
        body = {"schema": {"$ref": f"{REFERENCE}{call.body.__name__}"}, "example": call.example}
        operation["requestBody"] = {"required": True, "content": {JSON: body}}
    return operation


def _statuses(call: Call) -> list[str]:
    """With which statuses a call is answered: work that is accepted (202) may be done already."""
    return [str(call.status), *(["200"] if call.status == 202 else [])]


def _parameters(call: Call) -> list[dict[str, Any]]:
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": TEXT, "example": value}
        for name, value in call.parameters.items()
    ]
    for name, value in call.query.items():
        schema, example = (NUMBER, int(value)) if value.isdecimal() else (TEXT, value)
        parameters.append({"name": name, "in": "query", "schema": schema, "example": example})
    if call.for_boards and call.method == "POST":
        parameters.append({"name": "Idempotency-Key", "in": "header", "schema": IDEMPOTENCY_KEY})
    return parameters


def schemas(types: Iterable[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    """The schema of each type, and the components that they refer to by name.

    >>> from damas.views import MoveView
    >>> first, components = schemas([MoveView])
    >>> first, components["MoveView"]["properties"]["from"]
    ([{'$ref': '#/components/schemas/MoveView'}], {'type': 'string'})
    """
    shown, components = msgspec.json.schema_components(types, ref_template=REFERENCE + "{name}")
    return list(shown), {name: _as_sent(component) for name, component in components.items()}


def _as_sent(component: Schema) -> Schema:
    """A component as `damas.views.plain` writes it."""
    if "description" in component:
        component["description"] = textwrap.dedent("    " + component["description"]).strip()
    fields = component.get("properties", {})
    if MORE in fields:
        component["additionalProperties"] = True
    properties = {name.rstrip("_"): _without_null(field) for name, field in fields.items() if name != MORE}
    required = [name.rstrip("_") for name in component.get("required", ())]
    return {**component, **({"properties": properties, "required": required} if fields else {})}


def _without_null(field: Schema) -> Schema:
    """A field that is left out while it is None is never null."""
    if field.get("default", ...) is not None or "anyOf" not in field:
        return field
    kinds = [kind for kind in field["anyOf"] if kind != {"type": "null"}]
    return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def curl(call: Call) -> str:
    """The example of a call as one would type it."""
    path = call.path.format(**call.parameters)
    if call.query:
        path += "?" + "&".join(f"{name}={value}" for name, value in call.query.items())
    parts = ["curl -N" if call.media in STREAMS else "curl"]
    if call.method != "GET":
        parts.append(f"-X {call.method}")
    if call.scopes is not None:
        parts.append('-H "Authorization: Bearer $TOKEN"')
    elif call.method != "GET":
        parts.append('-H "X-Damas: 1"')
    if call.example is not None:
        parts.append(f"--json '{msgspec.json.encode(call.example).decode()}'")
    return " ".join([*parts, f'"$URL{path}"'])


@endpoints.route("GET /api/openapi.json")
async def _document(request: Request) -> Response:
    encoded = _encoded(services_of(request).words, language_of(request))
    return Response(encoded, headers={"Cache-Control": "no-store"}, media_type="application/json")


@cache
def _encoded(words: Words, language: str) -> bytes:
    """Once for each language: it takes milliseconds."""
    return encode(document(words, language))


@endpoints.route("GET /api")
async def _page(request: Request) -> Response:
    groups = [(tag, [(call, curl(call)) for call in CALLS if call.tag == tag]) for tag in TAGS]
    return page(request, "api.html", groups=groups)
