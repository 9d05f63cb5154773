"""PDN in the browser: what Python wrote is read alike, and what was read is written alike."""

import json
from typing import Any

import msgspec
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from damas.notation import PdnGame
from damas.server.analysing import trees
from damas.server.analysing.places import book_named
from javascript.test_core import answers, needs_node
from unit.notation.games import annotated_games

pytestmark = needs_node


def by_python(text: str, rulebook: str = "") -> dict[str, Any]:
    book = book_named(rulebook) if rulebook else None
    return dict(json.loads(msgspec.json.encode(trees.read(text, book, "en"))))


def by_browser(*texts: str, rulebook: str = "") -> list[Any]:
    return answers([{"kind": "readPdn", "text": text, "rulebook": rulebook} for text in texts])


@settings(max_examples=2, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(st.lists(annotated_games(), min_size=20, max_size=20))
def test_games_are_read_and_written_alike(games: list[PdnGame]) -> None:
    texts = [game.pdn(scheme) for game in games for scheme in (None, "numbers", "algebraic")]
    expected = [by_python(text) for text in texts]
    read = by_browser(*texts)
    for text, one, other in zip(texts, read, expected, strict=True):
        assert one["games"] == other["games"], text
    kept = ("rulebook", "fen", "moves", "comments", "tags", "result")
    trees_read = [{key: game[key] for key in kept} for answer in read for game in answer["games"]]
    sent = [{**tree, "numbering": scheme} for tree in trees_read for scheme in ("", "numbers")]
    written = answers([{"kind": "writePdn", "tree": tree} for tree in sent])
    assert written == [trees.write(msgspec.convert(tree, trees.Tree)) for tree in sent]


BAD = {
    "a move that is refused": "1. c3-d4 f6-g5 2. d4-c5 h6-g7 *",
    "a move that is none": "1. c3-d4 xyzzy *",
    "a variation that nobody closes": "1. c3-d4 (1. e3-f4 f6-g5 *",
    "a bracket too many": "1. c3-d4 ) f6-g5 *",
    "a sign before any move": "$3 1. c3-d4 *",
    "a comment that nobody closes": '1. c3-d4 {never\nclosed\n[Event "next"]\n\n1. c3-d4 *',
    "a bad tag": '[Event "a"]\n[Bad tag]\n\n1. c3-d4 *\n\n[Event "b"]\n\n1. e3-f4 *',
    "an unknown rulebook": '[Rulebook "xadrez"]\n\n1. c3-d4 *',
    "an unknown GameType": '[GameType "999"]\n\n1. c3-d4 *',
    "a position that cannot be": '[FEN "W:Wd8:Bc7"]\n\n1. d8-e7 *',
    "two games, the first bad": '[Event "a"]\n\n1. c3-c4 *\n\n[Event "b"]\n\n1. e3-f4 f6-g5 1-0',
    "a mistake behind the result": '[Event "a"]\n\n1. c3-d4 1-0 )\n\n[Event "b"]\n\n1. e3-f4 *',
    "a bad move in a variation": "1. c3-d4 (1. e3-e4) f6-g5 *",
}
FINE = {
    "no tags": "1. c3-d4 f6-g5 2. b2-c3",
    "only tags": '[Event "a"]\n[Result "1-0"]\n',
    "GameType alone": '[GameType "20"] 1. 32-28 18-23 2-0',
    "an alias and another case": '[Rulebook "Brasileira"] 1. 22-18 *',
    "signs, stars and numbers": "1. c3-d4!? f6-g5* (1... b6-a5?! $14) 2. b2-c3 (!!) *",
    "a comment over lines": "1. c3-d4 {one\ntwo} ; and three\nf6-g5 *",
    "a variation of words alone": "1. c3-d4 ({nothing}) f6-g5 *",
    "a result in a variation": "1. c3-d4 (1. e3-f4 1-0) f6-g5 0-1",
    "loose quotes": '[White "Ana "A" Silva"]\n\n1. c3-d4 *',
    "rows and columns": "1. 2,2 3,3 5,5 4,6 *",
    "an ellipsis and an escape": "% nothing\n1. c3-d4 ... f6-g5 *",
    "a game that went on behind its end": '[FEN "W:WKg1,a3:BKb8,h6"] '
    + "g1-h2 b8-a7 h2-g1 a7-b8 " * 12
    + "*",
    "Windows": '\ufeff[Event "a"]\r\n\r\n1. c3-d4 *\r\n',
}


def test_odd_texts_are_read_and_bad_ones_refused_alike() -> None:
    texts = [*BAD.values(), *FINE.values()]
    places = ("game", "line", "column", "tags", "rulebook", "fen", "moves")
    codes: set[str] = set()
    for text, one in zip(texts, by_browser(*texts, rulebook="brasileira"), strict=True):
        other = by_python(text, "brasileira")
        assert one["games"] == other["games"], text
        shown = [[{key: game[key] for key in places} for game in answer["bad"]] for answer in (one, other)]
        assert shown[0] == shown[1], text
        assert bool(one["bad"]) == (text in BAD.values()), text
        codes |= {problem["code"] for game in one["bad"] for problem in game["problems"]}
    assert {"PDN_VARIATION", "PDN_MISPLACED", "PDN_COMMENT", "PDN_TAG"} <= codes
