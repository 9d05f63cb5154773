"""Errors speak: a stable code, the sentence in the visitor's language, a page where a person is reading."""

import re
from pathlib import Path

import httpx
import pytest

import damas.server
from damas.language import LANGUAGES
from damas.server.words import Words

SERVER = Path(damas.server.__file__).parent
RAISED = re.compile(r'ApiError\(\s*\d+,\s*"(\w+)"')


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_refusal_is_told_in_the_language_of_the_visitor(
    web: httpx.AsyncClient, language: str
) -> None:
    answer = await web.get("/api/nothing", headers={"Accept-Language": language})
    assert answer.status_code == 404
    assert answer.json() == {
        "error": {"code": "NOT_FOUND", "message": Words().say("errors.NOT_FOUND", language), "lang": language}
    }


async def test_a_rule_is_cited_in_every_language(web: httpx.AsyncClient) -> None:
    query = {"rulebook": "faraes", "fen": "W:Wc3:Bb4,d4,f6", "moves": ["c3xa5"]}
    messages = set()
    for language in LANGUAGES:
        answer = await web.post("/api/position", json=query, headers={"Accept-Language": language})
        reply = answer.json()["error"]
        assert (answer.status_code, reply["code"], reply["article"]) == (400, "MAJORITY", "Art. 7")
        assert reply["legal"] == ["c3xe5xg7"]
        messages.add(reply["message"])
    assert len(messages) >= 3


async def test_a_person_sees_a_page(web: httpx.AsyncClient) -> None:
    answer = await web.get("/nothing", headers={"Accept": "text/html", "Accept-Language": "pt-PT"})
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "Página não encontrada" in answer.text


async def test_a_program_sees_the_object_even_if_it_takes_pages(web: httpx.AsyncClient) -> None:
    answer = await web.get("/api/nothing", headers={"Accept": "text/html"})
    assert answer.json()["error"]["code"] == "NOT_FOUND"


async def test_a_method_that_is_not_there(web: httpx.AsyncClient) -> None:
    answer = await web.delete("/api/rulebooks", headers={"X-Damas": "1"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "METHOD")
    assert "GET" in answer.headers["allow"]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({"rulebook": "none"}, 404, "UNKNOWN_RULEBOOK"),
        ({"rulebook": "../../etc/passwd.toml"}, 404, "UNKNOWN_RULEBOOK"),
        ({"rulebook": "/tmp/rules.toml"}, 404, "UNKNOWN_RULEBOOK"),
        ({"rulebook": "faraes", "fen": "nonsense"}, 400, "NOTATION"),
        ({"rulebook": "faraes", "fen": "W:Wc3,c3:Bb4"}, 400, "SETUP"),
        ({"rulebook": "faraes", "moves": ["c3-d4", "c3-d4"]}, 400, "EMPTY_SQUARE"),
        ({"rulebook": "faraes", "moves": ["d6-c5"]}, 400, "NOT_YOUR_PIECE"),
    ],
)
async def test_what_cannot_be_read_is_said(
    web: httpx.AsyncClient, query: object, status: int, code: str
) -> None:
    answer = await web.post("/api/position", json=query)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.json()["error"]["message"]


def test_every_code_has_its_sentence() -> None:
    known = set(Words())
    raised = {
        (path.name, code) for path in SERVER.rglob("*.py") for code in RAISED.findall(path.read_text("utf-8"))
    }
    assert len(raised) > 30
    assert not {(name, code) for name, code in raised if f"errors.{code}" not in known}
