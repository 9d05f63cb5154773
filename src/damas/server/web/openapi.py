"""OpenAPI 3.1 of the API, made from the table of calls and the types they read and answer with; and the page that shows it."""

from functools import cache
from importlib.metadata import version
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from damas.server.security.bodies import Json
from damas.server.services import services_of
from damas.server.web.api_table import BOARD_TOO, CALLS, EVENTS, NDJSON, Call
from damas.server.web.pages import page
from damas.server.web.replies import Created, Refused
from damas.server.web.schemas import REFERENCE, Schema, schemas
from damas.server.words import Words, language_of

STREAMS = {NDJSON: "api.stream", EVENTS: "api.events"}
"""Key of the sentence that describes each kind of stream."""
NUMBER = {"type": "integer", "minimum": 0, "maximum": 99_999}


def document(words: Words, language: str) -> dict[str, Any]:
    """The whole description, in one of the languages."""
    answers, components = answer_schemas()
    paths: dict[str, dict[str, Any]] = {}
    for call in CALLS:
        operation = _operation(call, answers[call.id], words, language)
        paths.setdefault(call.path, {})[call.method.lower()] = operation
        if call.path.startswith(BOARD_TOO):
            other = {
                **operation,
                "operationId": f"board_{call.id}",
                "security": [{"token": ["board:play"]}, {}],
            }
            paths.setdefault(call.path.replace("/bot/", "/board/", 1), {})[call.method.lower()] = other
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
        "tags": [{"name": tag, "description": words.say(f"api.tag.{tag}", language)} for tag in _tags()],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": words.say("api.token", language)}
            },
        },
    }


@cache
def answer_schemas() -> tuple[dict[str, Schema], dict[str, Schema]]:
    """The schema of each call's answer by the call's id, and all components."""
    with_answer = [call for call in CALLS if call.answer is not None]
    bodies = {call.body: None for call in CALLS if call.body}
    shown, components = schemas([*(call.answer for call in with_answer), *bodies, Refused, Created])
    answers = {call.id: schema for call, schema in zip(with_answer, shown, strict=False)}
    return {call.id: answers.get(call.id, {}) for call in CALLS}, components


def _tags() -> list[str]:
    return list(dict.fromkeys(call.tag for call in CALLS))


def _operation(call: Call, answer: Schema, words: Words, language: str) -> dict[str, Any]:
    content: dict[str, Any] = {call.kind: {"schema": answer}}
    if call.kind in STREAMS:
        # What it brings are objects; the stream of them has no schema of its own in 3.1.
        description = words.say(STREAMS[call.kind], language)
        content = {call.kind: {"schema": {"type": "string", "description": description}}}
    refused = {
        "description": words.say("api.refused", language),
        "content": {"application/json": {"schema": {"$ref": f"{REFERENCE}Refused"}}},
    }
    described: dict[str, Any] = {
        "operationId": call.id,
        "tags": [call.tag],
        "summary": words.say(f"api.call.{call.id}", language),
        "parameters": _parameters(call),
        "responses": {
            str(call.status): {"description": words.say("api.answered", language), "content": content},
            "4XX": refused,
            "503": refused,
        },
    }
    if call.id == "seek":  # somebody may have looked for the same already
        content["application/json"] = {"schema": {"$ref": f"{REFERENCE}Created"}}
    if call.scopes is not None:
        described["security"] = [{"token": list(call.scopes)}]
    if call.body:
        described["requestBody"] = {
            "required": True,
            "content": {
                "application/json": {
                    "schema": {"$ref": f"{REFERENCE}{call.body.__name__}"},
                    "example": call.sent,
                }
            },
        }
    return described


def _parameters(call: Call) -> list[dict[str, Any]]:
    text = {"type": "string", "minLength": 1, "maxLength": 60}
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": text, "example": value}
        for name, value in call.parameters.items()
    ]
    parameters += [
        {
            "name": name,
            "in": "query",
            "schema": NUMBER if value.isdecimal() else text,
            "example": int(value) if value.isdecimal() else value,
        }
        for name, value in call.query.items()
    ]
    if call.path.startswith(BOARD_TOO) and call.method == "POST":
        key = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"}
        parameters.append({"name": "Idempotency-Key", "in": "header", "schema": key})
    return parameters


def curl(call: Call) -> str:
    """The example of a call as one would type it."""
    path = call.path
    for name, value in call.parameters.items():
        path = path.replace("{" + name + "}", value)
    if call.query:
        path += "?" + "&".join(f"{name}={value}" for name, value in call.query.items())
    parts = ["curl -N" if call.kind in STREAMS else "curl"]
    if call.method != "GET":
        parts.append(f"-X {call.method}")
    if call.scopes is not None:
        parts.append('-H "Authorization: Bearer $TOKEN"')
    elif call.method != "GET":
        parts.append('-H "X-Damas: 1"')
    if call.sent is not None:
        parts.append(f"--json '{msgspec.json.encode(call.sent).decode()}'")
    return " ".join([*parts, f'"$URL{path}"'])


async def _document(request: Request) -> Response:
    return Json(document(services_of(request).words, language_of(request)))


async def _page(request: Request) -> Response:
    groups = [(tag, [(call, curl(call)) for call in CALLS if call.tag == tag]) for tag in _tags()]
    return page(request, "api.html", groups=groups)


routes: list[BaseRoute] = [
    Route("/api/openapi.json", _document),
    Route("/api", _page),
]
