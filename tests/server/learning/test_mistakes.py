"""One's own mistakes as puzzles: only where one line wins, and nothing about a game that goes on."""

import httpx
import pytest

from damas.engine import Engine
from damas.game import Position
from damas.server.learning.own_puzzle import prove
from damas.server.learning.puzzle import Puzzle, load

BOOK = "brasileira"
SHOTS = [puzzle for puzzle in load(BOOK) if puzzle.goal == "gain" and puzzle.own_moves == 2]


def wrong_move(puzzle: Puzzle) -> str:
    legal = Position.from_fen(puzzle.fen, BOOK).legal_moves
    return next(move.text for move in legal if move.text != puzzle.line[0])


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(BOOK, hash_mb=8)


def test_a_mistake_is_a_puzzle_where_one_line_wins(engine: Engine) -> None:
    for puzzle in SHOTS[:3]:
        position = Position.from_fen(puzzle.fen, BOOK)
        verdict = prove(engine, position, wrong_move(puzzle))
        assert verdict.puzzle is not None, verdict.why
        assert (verdict.puzzle.id, verdict.puzzle.line) == (puzzle.id, puzzle.line)
        assert verdict.puzzle.motifs == puzzle.motifs
        assert prove(engine, position, puzzle.line[0]).why == "solved"


@pytest.mark.parametrize(
    ("fen", "played", "why"),
    [
        ("W:Wc3:Bd4,h8", "c3xe5", "forced"),
        ("W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8", "c3-d4", "no_gain"),
        ("W:Wa1,c1,e1,g1,b2,d2:Bb8,h8,d8", "b2-c3", "second_way"),
    ],
)
def test_why_a_mistake_is_no_puzzle(engine: Engine, fen: str, played: str, why: str) -> None:
    verdict = prove(engine, Position.from_fen(fen, BOOK), played)
    assert (verdict.puzzle, verdict.why) == (None, why)


async def test_mistakes_of_a_game_come_into_the_review(web: httpx.AsyncClient) -> None:
    puzzle = SHOTS[0]
    wrong = wrong_move(puzzle)
    after = Position.from_fen(puzzle.fen, BOOK).play(wrong)
    moves = [wrong, after.legal_moves[0].text]
    body = {
        "rulebook": BOOK,
        "fen": puzzle.fen,
        "moves": moves,
        "mistakes": [{"ply": 1, "message": "Perdeu um golpe."}],
    }
    reply = (await web.post("/api/training/mistakes", json=body)).json()
    assert reply == {"rulebook": BOOK, "taken": [{"ply": 1, "id": puzzle.id}], "left": []}
    due = (await web.get(f"/api/reviews/puzzle:{BOOK}")).json()
    assert [each["item"] for each in due["items"]] == [puzzle.id]
    assert (await web.post("/api/training/mistakes", json=body)).json() == reply, "twice is once"
    for bad, status in (
        ({"mistakes": [{"ply": 3}]}, 400),
        ({"mistakes": []}, 400),
        ({"moves": ["a1-a1"]}, 400),
        ({"rulebook": "turca"}, 404),
        ({"account": "somebody"}, 403),
        ({"mistakes": [{"ply": 1}] * 9}, 400),
    ):
        answer = await web.post("/api/training/mistakes", json={**body, **bad})
        assert answer.status_code == status and answer.json()["error"]["message"], bad


async def test_a_puzzle_of_ones_own_is_ones_own(web: httpx.AsyncClient) -> None:
    """A position of no sheet: a shot of one, with a man less on h8."""
    found = None
    for puzzle in SHOTS[:60]:
        fen = puzzle.fen.replace(",h8", "", 1)
        if fen == puzzle.fen or load(BOOK).entries.get(Puzzle(0, (), fen, ()).id):
            continue
        try:
            position = Position.from_fen(fen, BOOK)
        except ValueError:
            continue
        wrong = next((move.text for move in position.legal_moves if move.text != puzzle.line[0]), "")
        body = {
            "rulebook": BOOK,
            "fen": position.fen,
            "moves": [wrong],
            "mistakes": [{"ply": 1, "message": "Ai."}],
        }
        reply = (await web.post("/api/training/mistakes", json=body)).json()
        if reply["taken"]:
            found = reply["taken"][0]["id"], wrong
            break
    assert found
    name, wrong = found
    view = (await web.get(f"/api/puzzles/{BOOK}/{name}")).json()
    assert view["mistake"] == {"played": wrong, "message": "Ai."}
    tried = await web.post(f"/api/puzzles/{BOOK}/{name}", json={"solved": True, "rated": True})
    assert tried.json()["rating"] is None, "puzzles of one's own change no rating"
    web.cookies.clear()
    await web.get("/learn", headers={"Accept": "text/html"})
    assert (await web.get(f"/api/puzzles/{BOOK}/{name}")).status_code == 404, "somebody else's"


async def test_a_running_game_is_not_trained(web: httpx.AsyncClient) -> None:
    terms = {"rulebook": BOOK, "opponent": {"kind": "level", "level": 1}, "color": "white", "time": "none"}
    created = await web.post("/api/games", json=terms)
    assert created.status_code == 201, created.text
    game = created.json()["id"]
    body = {"rulebook": BOOK, "moves": ["c3-d4"], "mistakes": [{"ply": 1}], "game": game}
    answer = await web.post("/api/training/mistakes", json=body)
    assert answer.json()["error"]["code"] == "FAIR_PLAY"
