"""The rules over HTTP: the same answers as the command line gives, with the squares that boards draw with."""

import json
import subprocess
import sys
from typing import Any

import httpx

from damas.rules import rulebook, rulebook_ids

P3 = "W:Wc3:Bb4,d4,f6"


async def ask(web: httpx.AsyncClient, call: str, language: str = "pt-BR", **query: Any) -> dict[str, Any]:
    answer = await web.post(f"/api/{call}", json=query, headers={"Accept-Language": language})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def command_line(*arguments: str) -> dict[str, Any]:
    """What the command line says."""
    ran = subprocess.run(
        [sys.executable, "-m", "damas", *arguments, "--json", "--lang", "pt-BR"],
        capture_output=True,
        check=False,
    )
    return dict(json.loads(ran.stdout))


async def test_every_rulebook_is_listed_with_its_name(web: httpx.AsyncClient) -> None:
    listed = (await web.get("/api/rulebooks", headers={"Accept-Language": "pt-BR"})).json()["rulebooks"]
    assert [book["id"] for book in listed] == list(rulebook_ids())
    assert listed[0]["name"] == "Brasileira"
    assert all(book["summary"] and book["alias"] and book["name"] != f"books.{book['id']}" for book in listed)


async def test_the_portuguese_board_is_seen_as_its_players_see_it(web: httpx.AsyncClient) -> None:
    book = (await web.get("/api/rulebook/portuguese")).json()
    board = book["board"]
    assert book["id"] == "portuguesa"
    assert (board["corner"], board["scheme"], board["first_number"]) == ("right", "numbers", "bottom-right")
    first, last = board["squares"][0], board["squares"][-1]
    assert (first["row"], first["column"], first["numbers"]) == (0, 7, "1")
    assert (last["row"], last["column"], last["numbers"]) == (7, 0, "32")
    river = [board["squares"][square]["numbers"] for square in board["main_diagonal"]]
    assert sorted(map(int, river)) == [1, 5, 10, 14, 19, 23, 28, 32]
    assert book["river"]
    assert book["presets"]["school"]["touch_move"]


async def test_only_the_portuguese_have_a_river(web: httpx.AsyncClient) -> None:
    having = [name for name in rulebook_ids() if (await web.get(f"/api/rulebook/{name}")).json()["river"]]
    assert having == ["portuguesa", "portuguesa-fpd"]


async def test_a_rulebook_answers_every_language_by_its_own_tag(web: httpx.AsyncClient) -> None:
    """The address is the same, so a cache must not give one visitor the words of another."""
    tags = set()
    for language in ("pt-BR", "pt-PT", "es", "en"):
        answer = await web.get("/api/rulebook/faraes", headers={"Accept-Language": language})
        assert answer.json()["lang"] == language
        assert "Accept-Language" in answer.headers["vary"]
        tags.add(answer.headers["etag"])
    assert len(tags) == 4


async def test_a_position_is_a_table(web: httpx.AsyncClient) -> None:
    view = await ask(web, "position", rulebook="brasileira", moves=["c3-d4", "f6-g5"])
    assert (view["ply"], view["turn"], view["last"]["text"]) == (2, "white", "f6-g5")
    assert len(view["legal"]) > 0
    assert view["outcome"] is None
    assert view["pieces"]["13"] == "w"


async def test_the_end_of_a_game_is_told(web: httpx.AsyncClient) -> None:
    view = await ask(web, "position", rulebook="brasileira", fen="W:We5:Bd4", moves=["e5xc3"])
    assert (view["outcome"]["winner"], view["outcome"]["reason"]) == ("white", "NO_PIECES")
    assert view["outcome"]["article"] == "O objetivo do jogo"


# Por que não posso?


async def test_a_refusal_is_that_of_the_command_line_with_squares(web: httpx.AsyncClient) -> None:
    answer = await ask(web, "explain", rulebook="faraes", fen=P3, route=[9, 16])
    line = command_line("explain", "-r", "faraes", "-f", P3, "c3xa5")
    assert {**line["refusal"], "best": ["c3xe5xg7"], "best_takes": 2} == answer["refusal"]
    assert answer["article_text"] == line["article_text"]
    assert answer["tried"] == "c3xa5"
    assert (answer["refusal"]["code"], answer["refusal"]["article"]) == ("MAJORITY", "Art. 7")
    assert "2 peças" in answer["refusal"]["message"]
    assert answer["alternatives"] == [
        {"text": "c3xe5xg7", "routes": [[9, 18, 27]], "captured": [13, 22], "promotes": False}
    ]
    assert answer["marks"] == [9]
    assert answer["route"] == [9, 16]


async def test_free_choice_is_legal_in_the_contest(web: httpx.AsyncClient) -> None:
    for route in ([9, 16], [9, 18, 27]):
        answer = await ask(web, "explain", rulebook="concurso", fen=P3, route=route)
        assert answer["legal"], answer
    assert answer["tried"] == "2,2 4,4 6,6"


async def test_a_legal_move_has_its_squares_and_its_scheme(web: httpx.AsyncClient) -> None:
    answer = await ask(web, "explain", rulebook="brasileira", move="22-18")
    assert answer["legal"] and answer["scheme"] == "numbers"
    assert (answer["move"]["text"], answer["move"]["routes"]) == ("c3-d4", [[9, 13]])


# The lens and the judge


async def test_the_lens_is_that_of_the_command_line(web: httpx.AsyncClient) -> None:
    answer = await ask(web, "compare", fen="W:WKa1:Bd4")
    line = command_line("compare", "W:WKa1:Bd4")
    counts = {book["id"]: group["count"] for group in answer["groups"] for book in group["rulebooks"]}
    assert (counts["brasileira"], counts["faraes"], counts["oficial"], counts["concurso"]) == (4, 4, 1, 1)
    assert counts["portuguesa"] == 4
    for group in answer["groups"]:
        for move in (*group["moves"], *group["added"], *group["missing"]):
            assert len(move["squares"]) == len(move["route"])
    assert answer["pieces"] == {"0": "W", "13": "b"}
    assert answer == line


async def test_squares_of_the_lens_are_those_of_every_board(web: httpx.AsyncClient) -> None:
    answer = await ask(web, "compare", fen="W:WK1:B14", rulebook="portuguesa")
    first = answer["groups"][0]
    assert first["rulebooks"][0]["moves"][0] == "1x19"
    names = rulebook("portuguesa").square_names
    assert [names[square] for square in first["moves"][0]["squares"]] == ["1", "19"]


async def test_a_recorded_game_is_judged(web: httpx.AsyncClient) -> None:
    pdn = '[Rulebook "faraes"] [FEN "W:Wc3:Bb4,d4,f6"] 1. c3xa5 *'
    answer = await ask(web, "judge", pdn=pdn)
    assert not answer["holds"]
    assert answer["games"][0]["refusal"]["code"] == "MAJORITY"
    fine = await ask(web, "judge", pdn="1. c3-d4 f6-g5 2. b2-c3 *", rulebook="brasileira")
    assert fine["holds"]


async def test_no_file_is_read_for_a_visitor(web: httpx.AsyncClient, tmp_path: Any) -> None:
    secret = tmp_path / "secret.toml"
    secret.write_text("id = 'the secret'")
    for call, query in (
        ("position", {"rulebook": str(secret)}),
        ("explain", {"rulebook": str(secret), "move": "c3-d4"}),
        ("compare", {"rulebook": str(secret), "fen": P3}),
        ("judge", {"rulebook": str(secret), "pdn": "1. c3-d4 *"}),
        ("games", {"rulebook": str(secret), "opponent": {"kind": "device"}}),
    ):
        answer = await web.post(f"/api/{call}", json=query, headers={"X-Damas": "1"})
        assert answer.status_code in (400, 404), (call, answer.text)
        assert "the secret" not in answer.text
    tagged = f'[Rulebook "{secret}"] 1. c3-d4 *'
    assert "the secret" not in (await web.post("/api/judge", json={"pdn": tagged})).text


async def test_a_position_of_endless_captures_is_refused(web: httpx.AsyncClient) -> None:
    """Told one by one its captures would take hours: that there is an answer shows that they were not."""
    rings = "W:WKa1,Ka5,Ka7,Ka9:BKe1,Kf2,Kc3,Kg3,Ki3,Kd4,Kh4,Kc5,Kg5,Kb6,Kj6,Kg7,Kf8,Kc9,Ke9,Kg9,Ki9,Kd10"
    answer = await web.post("/api/position", json={"rulebook": "frisia", "fen": rings}, timeout=60)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "TOO_MANY_CAPTURES"


async def test_another_reading_has_its_board_and_the_page_of_its_text(web: httpx.AsyncClient) -> None:
    listed = (await web.get("/api/rulebooks")).json()["rulebooks"]
    readings = {other["id"]: book["id"] for book in listed for other in book["other_readings"]}
    assert readings == {"oficial-men-backward": "oficial", "concurso-men-forward": "concurso"}
    for other, base in readings.items():
        book = (await web.get(f"/api/rulebook/{other}")).json()
        assert (book["id"], book["reading_of"]) == (other, base)
        assert book["presets"]["contest"]["invalid_loses"]
        assert not book["presets"]["casual"]["invalid_loses"]
        assert (await web.get(f"/api/examples/{other}")).json()[0]["rulebook"] == other
        answer = await web.get(f"/rules/{other}")
        assert (answer.status_code, answer.headers["location"]) == (307, f"/rules/{base}")
    refused = await ask(web, "explain", rulebook="concurso-men-forward", fen="W:We5:Bd4", move="e5xc3")
    assert refused["refusal"]["code"] == "NO_BACKWARD"
