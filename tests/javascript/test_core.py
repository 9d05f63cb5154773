"""The core as WebAssembly gives the same answers as the core of this machine."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from damas.engine import Engine, Limits
from damas.engine.networks import FOLDER, name_for
from damas.errors import IllegalMove, NotationError
from damas.game import Game, Position
from damas.rules import rulebook, rulebooks
from damas.rules.readings import other_readings

ROOT = Path(__file__).parents[2]
NODE = ROOT / ".venv/node"
BOOKS = [*(book.id for book in rulebooks()), *other_readings()]

needs_node = pytest.mark.skipif(not NODE.exists(), reason="node is not in .venv: run `make lint-js`")
pytestmark = needs_node


MODULES = ("damas-core.wasm", "damas-core-threads.wasm")


def answers(requests: list[dict[str, Any]], module: str = MODULES[0]) -> list[Any]:
    run = subprocess.run(
        [NODE, Path(__file__).parent / "core/answers.js", module],
        input=json.dumps(requests),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_the_module_is_made_from_these_sources() -> None:
    check = [sys.executable, "tools/build_wasm.py", "--check"]
    run = subprocess.run(check, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_the_same_rulebooks() -> None:
    assert sorted(answers([{"kind": "ids"}])[0]) == sorted(BOOKS)


def test_the_same_perft() -> None:
    starts = {book: Position.start(book) for book in BOOKS}
    asked = [{"kind": "perft", "book": book, "fen": "", "depth": 5} for book in BOOKS]
    assert dict(zip(BOOKS, answers(asked), strict=True)) == {
        book: start.perft(5) for book, start in starts.items()
    }


def random_games(count: int) -> list[tuple[str, list[str], list[str]]]:
    """Positions of random games: the rulebook, the moves so far, and some texts to try there."""
    chance = random.Random(20)
    found: list[tuple[str, list[str], list[str]]] = []
    while len(found) < count:
        for book in BOOKS:
            game = Game.start(book)
            names = rulebook(book).move_names
            apart = " " if rulebook(book).move_text == "rows-columns" else "-"
            while not game.outcome and game.record.length < 160:
                game = game.play(chance.choice(game.legal_moves))
                if chance.random() < 0.25 or game.outcome:
                    mine = [move.origin for move in game.position.legal_moves] or [0]
                    origin = names[chance.choice(mine)] if chance.random() < 0.5 else chance.choice(names)
                    ends = [chance.choice(names) for _ in range(chance.choice((1, 1, 1, 2)))]
                    tries = [apart.join([origin, *ends]), apart.join([ends[0], origin])]
                    found.append((book, [move.text for move in game.moves], tries))
    return found[:count]


def expected_view(game: Game) -> dict[str, Any]:
    outcome = game.outcome
    book = game.rulebook
    return {
        "fen": game.position.fen,
        "turn": game.turn.value,
        "legal": [move.text for move in game.legal_moves],
        "captured": [list(move.captured) for move in game.legal_moves],
        "outcome": outcome
        and [
            outcome.result,
            outcome.reason,
            outcome.citation.id,
            outcome.rule,
            outcome.platform,
            {key: getattr(fact, "value", fact) for key, fact in outcome.facts.items()},
        ],
        "counts": [
            [
                p.rule.id,
                min(p.counted, p.rule.limit),
                p.rule.limit,
                game.record.move_number(p.first),
                p.article,
            ]
            for p in game.progress()
        ],
        "claimable": [p.rule.id for p in game.claimable()],
        "rulebook": book.id,
    }


def shown_view(view: dict[str, Any]) -> dict[str, Any]:
    out = view["outcome"]
    keys = ("result", "reason", "article", "rule", "platform", "facts")
    return {
        **{key: view[key] for key in ("fen", "turn", "rulebook")},
        "legal": [move["text"] for move in view["legal"]],
        "captured": [move["captured"] for move in view["legal"]],
        "outcome": out and [out[key] for key in keys],
        "counts": [[c[key] for key in ("rule", "have", "need", "since", "article")] for c in view["counts"]],
        "claimable": [c["rule"] for c in view["claimable"]],
    }


def expected_refusal(game: Game, text: str) -> Any:
    try:
        game.play(text)
    except NotationError as error:
        return [[p.code, p.token, p.offset] for p in error.problems]
    except IllegalMove as error:
        why = error.refusal
        facts = {key: getattr(fact, "value", fact) for key, fact in why.facts.items()}
        return [why.code, why.citation.id, facts, list(why.legal), list(why.also)]
    return None


def shown_refusal(answer: dict[str, Any]) -> Any:
    if problems := answer.get("problems"):
        return [[p["code"], p["token"], p["offset"]] for p in problems]
    why = answer["refusal"]
    return why and [
        why["code"],
        why["article"],
        why["facts"],
        why["legal"],
        [other["code"] for other in why["further"]],
    ]


def check_random_positions(count: int) -> None:
    places = random_games(count)
    asked: list[dict[str, Any]] = []
    expected: list[Any] = []
    for book, moves, tries in places:
        game = Game.of(Position.start(book), moves)
        settings = {"moves": moves}
        asked.append({"kind": "view", "book": book, "settings": settings})
        expected.append(expected_view(game))
        for text in tries:
            asked.append({"kind": "refusal", "book": book, "settings": settings, "text": text})
            expected.append(expected_refusal(game, text))
    codes: set[str] = set()
    for request, answer, wanted in zip(asked, answers(asked), expected, strict=True):
        if request["kind"] == "view":
            assert shown_view(answer) == wanted, request
        else:
            shown = shown_refusal(answer)
            assert shown == wanted, request
            codes.add(shown[0] if shown and isinstance(shown[0], str) else "")
    assert len(codes) > 8, "too few kinds of refusals were met"


def test_random_positions_have_the_same_moves_refusals_and_outcomes() -> None:
    check_random_positions(1000)


@pytest.mark.soak
def test_twenty_thousand_random_positions() -> None:
    check_random_positions(20_000)


@pytest.mark.parametrize("module", MODULES)
def test_the_search_finds_the_same_with_as_many_nodes(module: str) -> None:
    asked: list[dict[str, Any]] = []
    expected: list[dict[str, Any]] = []
    moves_of = {book: moves for book, moves, _ in random_games(300) if 8 < len(moves) < 40}
    for book in (book.id for book in rulebooks()):
        network = name_for(rulebook(book))
        with Engine(book, hash_mb=1, tables=False) as engine:
            for moves in ([], moves_of.get(book, [])):
                engine.forget()
                found = engine.search(Game.of(Position.start(book), moves), Limits(nodes=4000, lines=2))
                expected.append(
                    {
                        "lines": [
                            {"score": line.score, "depth": line.depth, "moves": [m.text for m in line.moves]}
                            for line in found.lines
                        ],
                        "nodes": found.nodes,
                        "depth": found.depth,
                        "deepest": found.deepest,
                        "tableHits": found.table_hits,
                        "hashFull": found.hash_full,
                    }
                )
                asked.append(
                    {
                        "kind": "search",
                        "book": book,
                        "settings": {"moves": moves},
                        "limits": {"nodes": 4000, "lines": 2},
                        "network": str(FOLDER / network) if network else None,
                    }
                )
    for request, answer, wanted in zip(asked, answers(asked, module), expected, strict=True):
        assert answer == wanted, request


def test_threads_help_a_search_and_end() -> None:
    run = subprocess.run(
        [NODE, Path(__file__).parent / "core/threads.js"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found == {"counts": [1, 2, 1, 2, 1, 2, 1], "withoutHelp": 1, "single": 1, "same": True}


@pytest.mark.soak
def test_the_same_sources_make_the_same_module(tmp_path: Path) -> None:
    pytest.importorskip("ziglang", reason="the compiler is not installed: run `make wasm`")
    import build_wasm

    for module in build_wasm.MODULES:
        build_wasm.build(tmp_path / module.name)
        assert (tmp_path / module.name).read_bytes() == module.read_bytes()
