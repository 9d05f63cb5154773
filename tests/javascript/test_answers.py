"""What the browser answers without a network is what the server answers: the same requests to both, in every rulebook.

The real worker and its core run in node (`answers.js`); the server's answers come from the functions of `damas.server.work`.
"""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from tests.javascript.test_javascript import node

from damas.errors import DamasError
from damas.game import Position
from damas.rules import rulebook, rulebook_ids
from damas.server.analysing import trees
from damas.server.analysing.places import record_of
from damas.server.encoding import encode
from damas.server.learning.course import courses, lessons_of
from damas.server.learning.ending import books_with_endings, endings_of
from damas.server.learning.example import examples
from damas.server.learning.puzzle import rulebooks_with_puzzles, sheet_of
from damas.server.settings import Limits
from damas.server.web.local_files import local_words_json
from damas.server.web.rules import rulebook_json
from damas.server.work import lessons as lesson_work
from damas.server.work import questions, tables
from damas.tablebase.store import root
from damas.views.errors import error_view
from damas.views.local import local_rulebooks

HERE = Path(__file__).parent
LANGUAGES = {"faraes": "pt-BR", "portuguesa": "pt-PT", "concurso": "es", "internacional": "en"}
"""Each language is asked about the rulebook of its players; the others are asked in Portuguese."""


class Request(NamedTuple):
    """A request, and what the server answers."""

    kind: str
    language: str
    method: str
    path: str
    body: Any
    make: Callable[[], bytes]


def language_of(book: str) -> str:
    return LANGUAGES.get(book, "pt-BR")


def kept(language: str) -> dict[str, Any]:
    """What the service worker keeps and answers are made of."""
    return {
        f"/words/local/{language}.json": json.loads(local_words_json(language).data),
        f"/words/learning/{language}.json": json.loads(lesson_work.local_learning(language)),
        "/api/rulebooks": json.loads(rulebook_json("", language).data),
        **{
            f"/api/rulebook/{book.id}": json.loads(rulebook_json(book.id, language).data)
            for book in local_rulebooks()
        },
    }


@pytest.fixture(scope="module")
def replies() -> dict[str, list[tuple[Any, Any]]]:
    """The browser's and the server's answer to each request, by kind: one process answers them all."""
    requests = [request for book in rulebook_ids() for request in requests_about(book)]
    sent = [request._asdict() | {"make": None} for request in requests]
    files = {language: kept(language) for language in LANGUAGES.values()}
    command = [node(), str(HERE / "answers.js")]
    text = json.dumps({"files": files, "requests": sent})
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    pairs: dict[str, list[tuple[Any, Any]]] = {}
    for request, reply in zip(requests, json.loads(done.stdout), strict=True):
        assert reply, f"nobody answers {request.method} {request.path} {request.body}"
        local = reply.get("content", reply.get("error"))
        pairs.setdefault(request.kind, []).append((local, served(request)))
    return pairs


def served(request: Request) -> Any:
    try:
        return json.loads(request.make())
    except DamasError as error:
        return json.loads(encode(error_view(error, request.language)))


def positions(book: str, count: int) -> list[Position]:
    """Positions of a random game."""
    random, position, shown = Random(book), Position.start(book), []
    while len(shown) < count:
        moves = position.legal_moves
        if moves:
            shown.append(position)
            position = position.play(moves[random.randrange(len(moves))])
        else:
            position = Position.start(book)
    return shown[::5]


def requests_about(book: str) -> Iterator[Request]:
    yield from explanations(book)
    yield from positions_and_lenses(book)
    yield from learning(book)
    yield from analysis(book)
    yield from endgames(book)


PASSING = (("W:Wf6:Be7,c7", "f6xd8xb6"), ("W:Wf6:Be7,c7", "f6xd8"), ("W:W19:B14,13,23", "19x10"))
"""Captures that lead a man over the last row."""


def explanations(book: str) -> Iterator[Request]:
    language, random = language_of(book), Random(1)
    names = rulebook(book).move_names

    def explain(position: Position, **tried: Any) -> Request:
        body = {"rulebook": book, "fen": position.fen, **tried}
        make = partial(questions.explanation, book, position.fen, *tried.values(), language)
        return Request("explain", language, "POST", "/api/explain", body, make)

    for position in positions(book, 40):
        yield explain(position, move=position.legal_moves[0].text)
        for _ in range(2):
            route = random.sample(range(len(names)), 2)
            yield explain(position, route=route)
            yield explain(position, move="-".join(names[each] for each in route))
    for text in ("zz9", "9-13", " 12 : 16 ", "9-999", "c3 b4", "6-2", "22-18"):
        yield explain(Position.start(book), move=text)
    for fen, text in PASSING:
        with suppress(DamasError):
            yield explain(Position.from_fen(fen, book), move=text)


def positions_and_lenses(book: str) -> Iterator[Request]:
    language = language_of(book)
    fens = ["", *(position.fen for position in positions(book, 40)[::2]), "W:W:B", "nothing"]
    for fen in fens:
        body = {"rulebook": book, "fen": fen, "moves": []}
        make = partial(questions.position, book, fen, [], language)
        yield Request("position", language, "POST", "/api/position", body, make)
    for fen in fens[1:]:
        make = partial(questions.comparison, fen, book, language)
        yield Request("lens", language, "POST", "/api/compare", {"rulebook": book, "fen": fen}, make)
    for other in rulebook_ids()[:: len(rulebook_ids()) - 1] if book in LANGUAGES else ():
        if other != book:
            make = partial(lesson_work.difference, book, other, language)
            path = f"/api/difference/{book}/{other}"
            yield Request("difference", language, "GET", path, None, make)


def learning(book: str) -> Iterator[Request]:
    language = language_of(book)
    if book in courses():
        for lesson in lessons_of(book):
            make = partial(lesson_work.lesson, lesson.id, language)
            yield Request("lesson", language, "GET", f"/api/lessons/{lesson.id}", None, make)
    yield Request(
        "examples", language, "GET", f"/api/examples/{book}", None, partial(lesson_work.examples, book)
    )
    for example in examples(book):
        case = example.case
        if case.moves:
            make = partial(lesson_work.example, book, case.article, case.name, language)
            path = f"/api/examples/{book}/{case.article}/{case.name}"
            yield Request("frames", language, "GET", path, None, make)
    for seed in (1, 99_999):
        path = f"/api/drills/{book}?seed={seed}"
        yield Request("drill", language, "GET", path, None, partial(lesson_work.drill, book, seed))
    if book in rulebooks_with_puzzles():
        for puzzle in sheet_of(book).sample()[::10]:
            make = partial(lesson_work.puzzle, book, puzzle, language, None)
            yield Request("puzzle", language, "GET", f"/api/puzzles/{book}/{puzzle.id}", None, make)
    if book in books_with_endings():
        for ending in endings_of(book):
            exercise = json.loads(tables.exercise(root(), book, ending.id, 5, language) or b"")
            moves = [exercise["verdict"]["moves"][-1]["text"]]
            body = {"rulebook": book, "fen": exercise["fen"], "moves": moves}
            make = partial(tables.ending_reply, root(), book, exercise["fen"], moves, language)
            yield Request("ending", language, "POST", "/api/endings/reply", body, make)


ENDGAMES = ("W:WKa1,Kg1:BKb8", "B:Wa3,Kg1:BKb8", "W:WKa1,Kc1,Ke1:BKb8", "W:WK46,K47:B5", "")
"""Positions with few pieces, whose tables are made here, and one with many."""
WITH_TABLES = (*LANGUAGES, "frisia", "turca")


def endgames(book: str) -> Iterator[Request]:
    language = language_of(book)
    for fen in ENDGAMES if book in WITH_TABLES else ():
        with suppress(DamasError):
            body = {"rulebook": book, "fen": fen, "moves": list[str]()}
            make = partial(tables.verdict, root(), record_of(book, fen, []), language)
            yield Request("tablebase", language, "POST", "/api/tablebase", body, make)


def analysis(book: str) -> Iterator[Request]:
    language, position, moves = language_of(book), Position.start(book), list[str]()
    random = Random(book)
    while len(moves) < 60 and position.legal_moves:
        moves.append(random.choice(position.legal_moves).text)
        position = position.play(moves[-1])
    for line in (moves, [*moves[:5], moves[0]], [*moves[:5], "zz9"]):
        body = {"rulebook": book, "fen": "", "moves": line, "since": 3}
        make = partial(questions.line, book, "", line, 3, language)
        yield Request("line", language, "POST", "/api/analysis/line", body, make)
    pdn = f'[Rulebook "{book}"]\n\n{" ".join(moves[:5])} {moves[0]} *\n\n[Rulebook "xadrez"]\n\n1. c3-d4 *'
    make = partial(trees.read_as_json, pdn, None, language, Limits())
    yield Request("pdn", language, "POST", "/api/pdn/read", {"pdn": pdn}, make)
    tree = trees.Tree(book, moves=[trees.Branch(text) for text in moves], tags={"White": "Ana"}, result="1-0")
    body = json.loads(encode(tree))
    yield Request("pdn", language, "POST", "/api/pdn/write", body, lambda: encode({"pdn": trees.write(tree)}))


def test_explanations(replies: Any) -> None:
    assert len({server["refusal"]["code"] for _, server in replies["explain"] if server["refusal"]}) > 5
    assert any(server["hint"] for _, server in replies["explain"])
    assert any(server["not_crowned"] for _, server in replies["explain"])
    for local, server in replies["explain"]:
        assert local == server


def test_lines_of_analysis(replies: Any) -> None:
    assert {server["error"] and server["error"]["code"] for _, server in replies["line"]} > {None, "NOTATION"}
    for local, server in replies["line"]:
        assert local == server


def test_pdn(replies: Any) -> None:
    assert any(server.get("bad") for _, server in replies["pdn"])
    for local, server in replies["pdn"]:
        for game in server.get("bad", ()):
            game["hint"] = None  # what a number would mean elsewhere
        assert local == server


def test_positions(replies: Any) -> None:
    """A position has no clocks, offers and touched pieces: what only a table has is left out."""
    for local, server in replies["position"]:
        assert local == {field: server[field] for field in local}
        if "error" not in server:
            assert {"fen", "legal", "counts", "outcome"} <= local.keys() or "code" in local


def test_the_lens(replies: Any) -> None:
    assert any(len(server["groups"]) > 2 for _, server in replies["lens"] if "groups" in server)
    for local, server in replies["lens"]:
        assert local == server


def test_differences(replies: Any) -> None:
    """Positions that show a difference are found by a long search, which the browser leaves out."""
    for local, server in replies["difference"]:
        for field in ("positions", "without_position"):
            local.pop(field)
            server.pop(field)
        assert local == server


@pytest.mark.parametrize("kind", ["lesson", "examples", "frames", "puzzle", "drill"])
def test_learning(replies: Any, kind: str) -> None:
    assert replies[kind]
    for local, server in replies[kind]:
        assert local == server


COUNTED = ("limit", "budget", "message", "sentence", "left_out")
"""Of a verdict: which count is in force is in the values, the browser does not put it into words."""


def test_endings(replies: Any) -> None:
    endings = {(book, ending.id) for book in books_with_endings() for ending in endings_of(book)}
    assert len(replies["ending"]) == len(endings), "each ending has its tables in the browser"
    for local, server in replies["ending"]:
        for field in COUNTED:
            for reply in (local, server):
                (reply["verdict"] or {}).pop(field, None)
        assert local == server


def test_tables_on_the_analysis_board(replies: Any) -> None:
    answered = 0
    for local, server in replies["tablebase"]:
        if local.get("code") == "NO_TABLE_HERE":
            assert local["message"] and not local["there"]
            continue
        answered += local["there"]
        for field in COUNTED if local["there"] else ():
            for reply in (local, server):
                reply.pop(field, None)
        assert local == server
    assert answered >= 8
