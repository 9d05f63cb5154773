"""Every statement that a position can show has a case here; every other has a line that says why not.

A case is one file <rulebook>/<article>-<slug>.toml:

    rulebook, article, claim, position; `start = true` where it is the position in which a game begins
    legal       the exact legal moves, every landing named, `=` where a man is crowned
    refused     { move = code }; with `cited = true` each refusal cites this very article
    unreadable  texts that are no move of this board at all
    leads_to    { move = the position after it }
    pieces      White's men and kings, Black's men and kings
    moves       a game from the position; `claim` is a player's claim, `recorded = false` a game nobody writes down
    expect      { ply = result } by the letter of the rulebook; `law` or `reason` is what ends it
    then_legal, then_refused    the same as `legal` and `refused` after that game, where the moves before matter
"""

import json
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from damas import IllegalMove, NotationError, Position, refusal, rulebook
from damas.game import LETTER, Game
from damas.language import LANGUAGES
from damas.rules import IDS, articles
from oracle.board import read_fen
from oracle.books import BOOKS
from oracle.draws import Referee
from oracle.moves import legal, merged, read_move

HERE = Path(__file__).parent
SEEDS = ("brasileira", "oficial", "faraes", "portuguesa", "concurso")
KEYS = {
    *(
        "rulebook",
        "article",
        "claim",
        "position",
        "start",
        "pieces",
        "legal",
        "refused",
        "cited",
        "unreadable",
    ),
    *("leads_to", "moves", "recorded", "expect", "law", "reason", "then_legal", "then_refused"),
}
SHOWN_BY = {"legal", "refused", "unreadable", "leads_to", "expect", "pieces"}


def read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


CASES = {path: read(path) for path in sorted(HERE.glob("*/*.toml"))}
SHARED = {
    case["id"]: case
    for path in sorted((HERE.parent / "cases").glob("*.json"))
    for case in json.loads(path.read_text(encoding="utf-8"))
}
SHARED_ARTICLES: dict[str, list[str]] = read(HERE / "shared.toml")
WITHOUT: dict[str, dict[str, str]] = read(HERE / "without_case.toml")

every_case = pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")


def with_key(*keys: str):
    some = [path for path, case in CASES.items() if any(key in case for key in keys)]
    return pytest.mark.parametrize("path", some, ids=lambda path: f"{path.parent.name}/{path.stem}")


# --- the files --------------------------------------------------------------------


@every_case
def test_a_case_is_well_formed(path: Path) -> None:
    case = CASES[path]
    assert not set(case) - KEYS
    assert set(case) & SHOWN_BY, "it shows nothing"
    assert case["rulebook"] == path.parent.name
    assert path.stem.startswith(case["article"] + "-")
    assert case["article"] in articles(rulebook(case["rulebook"])).by_id
    assert case["claim"].endswith(".")


# --- the core ---------------------------------------------------------------------


def position_of(path: Path) -> Position:
    return Position.from_fen(CASES[path]["position"], CASES[path]["rulebook"])


@with_key("legal")
def test_legal_moves_are_exactly_these(path: Path) -> None:
    position, texts = position_of(path), CASES[path]["legal"]
    meant = {text: position.parse(text) for text in texts}
    assert len(position.legal_moves) == len(texts)
    assert set(meant.values()) == set(position.legal_moves)
    assert {text: move.promotes for text, move in meant.items()} == {
        text: text.endswith("=") for text in texts
    }
    assert position.fen.count(",") == CASES[path]["position"].count(",")


@with_key("refused", "unreadable")
def test_refusals(path: Path) -> None:
    position, case = position_of(path), CASES[path]
    for text, code in case.get("refused", {}).items():
        why = refusal(position, text)
        assert why is not None, f"{text} is legal"
        assert why.code == code, text
        assert why.citation.rulebook == case["rulebook"]
        if case.get("cited"):
            assert why.citation.id == case["article"], text
    for text in case.get("unreadable", ()):
        with pytest.raises(NotationError):
            refusal(position, text)


@with_key("leads_to", "pieces", "start")
def test_what_stands_on_the_board(path: Path) -> None:
    position, case = position_of(path), CASES[path]
    if case.get("start"):
        assert position == Position.start(case["rulebook"])
    if "pieces" in case:
        assert list(position.counts) == case["pieces"]
    for text, fen in case.get("leads_to", {}).items():
        assert position.play(text) == Position.from_fen(fen, case["rulebook"])


@with_key("moves")
def test_results(path: Path) -> None:
    case = CASES[path]
    game = Game.start(
        case["rulebook"], fen=case["position"], recorded=case.get("recorded", True), customs=LETTER
    )
    results = [game.outcome.result if game.outcome else "*"]
    for text in case["moves"]:
        if text == "claim":
            (law,) = (draw.id for draw in rulebook(case["rulebook"]).draws if draw.claim == "unrecorded")
            game = game.call_attention(law)
            continue
        game = game.play(text)
        results.append(game.outcome.result if game.outcome else "*")
    assert {ply: results[int(ply)] for ply in case["expect"]} == case["expect"]
    assert str(len(results) - 1) in case["expect"], "the last ply is not stated"
    if "then_legal" in case:
        assert sorted(move.text for move in game.legal_moves) == sorted(case["then_legal"])
    for text, code in case.get("then_refused", {}).items():
        with pytest.raises(IllegalMove) as refused:
            game.play(text)
        why = refused.value.refusal
        assert (why.code, why.citation.id) == (code, case["article"])
        assert set(why.legal) == {move.text for move in game.legal_moves}
        assert all("{" not in why.sentence(language) for language in LANGUAGES)
    if "law" in case or "reason" in case:
        assert game.outcome is not None
        assert case.get("law", game.outcome.rule) == game.outcome.rule
        assert case.get("reason", game.outcome.reason) == game.outcome.reason
        if "law" in case:
            assert game.outcome.citation.id in (case["article"], stated_for(case))


def stated_for(case: dict[str, Any]) -> str:
    """The article that the rulebook gives for the law; a case may show another statement of the same law."""
    return next(draw.article for draw in rulebook(case["rulebook"]).draws if draw.id == case["law"])


# --- the oracle agrees with every case, so no case is wrong by itself -----------------


@every_case
def test_the_oracle_says_the_same(path: Path) -> None:
    case = CASES[path]
    book = BOOKS[case["rulebook"]]
    position = read_fen(book, case["position"])
    if "legal" in case:
        theirs = merged(legal(book, position))
        meant = {read_move(book, position, text).becomes.key() for text in case["legal"]}
        assert meant == {move.becomes.key() for move in theirs}
        assert len(theirs) == len(case["legal"])
    for text in case.get("refused", {}):
        with pytest.raises(ValueError, match=r"illegal|ambiguous"):
            read_move(book, position, text)
    if "moves" in case:
        referee = Referee(book, case["position"], case.get("recorded", True))
        results = [referee.result]
        for text in case["moves"]:
            if text == "claim":
                referee.claim()
                continue
            referee.play(read_move(book, referee.position, text))
            results.append(referee.result)
        assert {ply: results[int(ply)] for ply in case["expect"]} == case["expect"]
        if "then_legal" in case:
            meant = {read_move(book, referee.position, text).becomes.key() for text in case["then_legal"]}
            assert meant == {move.becomes.key() for move in referee.legal()}
        for text in case.get("then_refused", {}):
            with pytest.raises(ValueError, match="often enough"):
                referee.play(read_move(book, referee.position, text))


# --- counting -----------------------------------------------------------------------


def shown(book_id: str) -> Counter[str]:
    """How many cases each statement of a rulebook has."""
    own = [case["article"] for case in CASES.values() if case["rulebook"] == book_id]
    shared = [a for id_, ids in SHARED_ARTICLES.items() if SHARED[id_]["rulebook"] == book_id for a in ids]
    return Counter(own + shared)


def test_the_shared_cases_are_mapped_to_statements_that_exist() -> None:
    assert set(SHARED_ARTICLES) == set(SHARED)
    for case_id, ids in SHARED_ARTICLES.items():
        assert ids
        assert set(ids) <= set(articles(rulebook(SHARED[case_id]["rulebook"])).by_id), case_id


@pytest.mark.parametrize("book_id", SEEDS)
def test_every_article_of_a_seed_has_a_case_or_a_reason(book_id: str) -> None:
    """Neither is a gap, both is a contradiction, and an unknown id is a slip."""
    statements = {id_ for id_, article in articles(rulebook(book_id)).by_id.items() if not article.is_reading}
    cased, excused = set(shown(book_id)) & statements, set(WITHOUT[book_id])
    assert not statements - cased - excused
    assert not cased & excused
    assert not excused - statements
    assert all(reason.endswith(".") for reason in WITHOUT[book_id].values())


def test_reasons_are_given_for_seeds_only() -> None:
    assert set(WITHOUT) == set(SEEDS)


@pytest.mark.parametrize("book_id", [book_id for book_id in IDS if book_id not in SEEDS])
def test_every_statement_a_national_game_is_built_on_has_a_case(book_id: str) -> None:
    """Those its file names for the board, the moves, what every game has, and the laws that end it."""
    source = rulebook(book_id).source
    answers = [answer["article"] for section in ("board", "moves") for answer in source[section].values()]
    named = [*source["statements"].values(), *(draw["article"] for draw in source["draw"]), *answers]
    used = {article for one in named for article in (one if isinstance(one, list) else [one])}
    assert not used - set(shown(book_id))


def test_there_are_many() -> None:
    assert len(CASES) + len(SHARED) >= 500
