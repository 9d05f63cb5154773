"""Every case of every rulebook holds for the core and for the oracle, and every statement that can have a case has one.

The cases are `src/damas/rulebooks/ID/cases.toml`; `damas.rules.cases.Case` explains their fields.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from damas import IllegalMove, Move, NotationError, Position, refusal, rulebook
from damas.arbiter import CalledAttention, Table, regulation
from damas.game import Game
from damas.language import LANGUAGES
from damas.rules import articles, rulebook_ids
from damas.rules.about import about
from damas.rules.cases import Case, cases
from oracle.board import name, read_fen, write_fen
from oracle.board import start as oracle_start
from oracle.books import BOOKS
from oracle.draws import Referee
from oracle.moves import legal, merged, read_move
from oracle.moves import text as oracle_text

CASES = {
    f"{book_id}/{case.article}/{case.name}": case
    for book_id in rulebook_ids()
    for case in cases(book_id).cases
}


def each_case(wanted: Callable[[Case], object] = lambda case: True) -> pytest.MarkDecorator:
    some = {case_id: case for case_id, case in CASES.items() if wanted(case)}
    return pytest.mark.parametrize("case", some.values(), ids=some.keys())


def position_of(case: Case) -> Position:
    return Position.from_fen(case.position, case.rulebook) if case.position else Position.start(case.rulebook)


def squares_in(text: str) -> list[str]:
    """The squares that a move text names, in order."""
    return re.split(r"[ x-]", text.rstrip("="))


BY_THE_LETTER = replace(regulation("casual"), platform_rules=False, claims="automatic")


def outcome_text(table: Table) -> str:
    return table.outcome.result if table.outcome else "*"


# --- the files --------------------------------------------------------------------

POSITIONS_WITH_MOVES = {position_of(case) for case in CASES.values() if case.legal is not None}


@pytest.mark.parametrize("case_id", CASES)
def test_a_case_is_well_formed(case_id: str) -> None:
    case, book_id = CASES[case_id], case_id.partition("/")[0]
    known = articles(rulebook(book_id)).by_id
    assert {case.article, *case.also, *case.readings} <= set(known)
    assert case.start or case.position
    assert not case.claim or case.claim.endswith(".")
    assert case.claim or case.article in cases(book_id).no_case, "it proves nothing"
    assert bool(case.expect) == (case.moves is not None)
    assert case.refused or not case.cited
    states_something = case.refused or case.unreadable or case.leads_to or case.expect or case.pieces
    assert states_something or position_of(case) in POSITIONS_WITH_MOVES


def test_the_legal_moves_of_a_position_are_stated_once() -> None:
    stated = Counter(
        (position_of(case), frozenset(case.legal)) for case in CASES.values() if case.legal is not None
    )
    assert [position.fen for (position, _), times in stated.items() if times > 1] == []


# --- the core ---------------------------------------------------------------------


@each_case(lambda case: case.legal is not None)
def test_legal_moves_are_exactly_these(case: Case) -> None:
    position, texts = position_of(case), case.legal or ()
    by_text = {text: position.parse(text) for text in texts}
    assert len(position.legal_moves) == len(texts)
    assert set(by_text.values()) == set(position.legal_moves)
    for text, move in by_text.items():
        assert move.promotes == text.endswith("=")
        if not move.captured:
            assert route_of(position, move, text) == squares_in(text)
    if case.captured:
        assert set(case.captured) == {text for text, move in by_text.items() if move.captured}
        # Every move as the core itself lists it: landings, captured squares in order.
        listed = {tuple(route_of(position, move, "")): move for move in position.legal_moves}
        for text, captured in case.captured.items():
            move = listed[tuple(squares_in(text))]
            names = position.rulebook.square_names
            assert [names[square] for square in move.captured] == captured
            assert [names[square] for square in by_text[text].captured] == captured
    if case.position:
        assert position.fen.count(",") == case.position.count(",")


def route_of(position: Position, move: Move, text: str) -> list[str]:
    """The squares of a move, in the scheme of the text."""
    names = position.rulebook.move_names if "," in text else position.rulebook.square_names
    return [names[square] for square in move.route]


@each_case(lambda case: case.refused or case.unreadable)
def test_refusals(case: Case) -> None:
    position = position_of(case)
    for text, code in case.refused.items():
        reason = refusal(position, text)
        assert reason is not None, f"{text} is legal"
        assert reason.code == code, text
        assert reason.citation.rulebook == case.rulebook
        if case.cited:
            assert reason.citation.id == case.article, text
    for text in case.unreadable:
        with pytest.raises(NotationError):
            refusal(position, text)


@each_case(lambda case: case.leads_to or case.pieces or (case.start and case.position))
def test_what_stands_on_the_board(case: Case) -> None:
    position = position_of(case)
    if case.start:
        assert position == Position.start(case.rulebook)
    if case.pieces:
        assert position.counts == case.pieces
    for text, fen in case.leads_to.items():
        assert position.play(text) == Position.from_fen(fen, case.rulebook)


@each_case(lambda case: case.moves is not None)
def test_results(case: Case) -> None:
    table = Table.start(case.rulebook, BY_THE_LETTER, fen=case.position or None, recorded=case.recorded)
    by_default = Game.start(case.rulebook, fen=case.position or None, recorded=case.recorded)
    results = [outcome_text(table)]
    for text in case.moves or ():
        if text == "claim":
            (law,) = (draw.id for draw in rulebook(case.rulebook).draws if draw.claim == "unrecorded")
            table = table.apply(CalledAttention(0, table.to_move, law))
            by_default = by_default.call_attention(law)
            continue
        table = table.play(text, 0)
        by_default = by_default if by_default.outcome else by_default.play(text)
        assert by_default.outcome in (None, table.outcome) or by_default.outcome.platform
        results.append(outcome_text(table))
    game = table.game
    assert game.outcome == table.outcome
    if game.outcome:
        assert by_default.outcome == game.outcome, "a rule of the platform came before the text's own"
    assert {ply: results[int(ply)] for ply in case.expect} == case.expect
    assert str(len(results) - 1) in case.expect, "the last ply is not stated"
    if case.then_legal is not None:
        assert sorted(move.text for move in game.legal_moves) == sorted(case.then_legal)
    for text, code in case.then_refused.items():
        with pytest.raises(IllegalMove) as refused:
            game.play(text)
        reason = refused.value.refusal
        assert (reason.code, reason.citation.id) == (code, case.article)
        assert set(reason.legal) == {move.text for move in game.legal_moves}
        assert all("{" not in reason.sentence(language) for language in LANGUAGES)
    if case.law or case.reason:
        assert game.outcome is not None
        assert case.law in ("", game.outcome.rule)
        assert case.reason in ("", game.outcome.reason)
        if case.law:
            # A case may show another statement of the same law than the one that the rulebook cites for it.
            cited = next(draw for draw in rulebook(case.rulebook).draws if draw.id == case.law)
            assert game.outcome.citation.id in (case.article, cited.article)


# --- the oracle -------------------------------------------------------------------


@each_case()
def test_the_oracle_says_the_same(case: Case) -> None:
    book = BOOKS[case.rulebook]
    fen = case.position or write_fen(book, oracle_start(book))
    position = read_fen(book, fen)
    if case.start:
        assert position == oracle_start(book)
    if case.legal is not None:
        moves = legal(book, position)
        stated = {read_move(book, position, text).becomes.key() for text in case.legal}
        assert stated == {move.becomes.key() for move in merged(moves)}
        assert len(merged(moves)) == len(case.legal)
        if case.captured or not any(move.captured for move in moves):
            listed = [(oracle_text(book, move), [name(book, at) for at in move.captured]) for move in moves]
            texts = [oracle_text(book, read_move(book, position, text)) for text in case.legal]
            assert sorted(listed) == sorted((text, case.captured.get(text, [])) for text in texts)
    for text in case.refused:
        with pytest.raises(ValueError, match=r"illegal|ambiguous"):
            read_move(book, position, text)
    if case.moves is not None:
        referee = Referee(book, fen, case.recorded)
        results = [referee.result]
        for text in case.moves:
            if text == "claim":
                referee.claim()
                continue
            referee.play(read_move(book, referee.position, text))
            results.append(referee.result)
        assert {ply: results[int(ply)] for ply in case.expect} == case.expect
        if case.then_legal is not None:
            stated = {read_move(book, referee.position, text).becomes.key() for text in case.then_legal}
            assert stated == {move.becomes.key() for move in referee.legal()}
        for text in case.then_refused:
            with pytest.raises(ValueError, match="often enough"):
                referee.play(read_move(book, referee.position, text))


# --- counting ---------------------------------------------------------------------


def articles_with_case(book_id: str) -> set[str]:
    """The statements and readings of a rulebook that a case proves."""
    return {
        article
        for case in cases(book_id).cases
        if case.claim
        for article in (case.article, *case.also, *case.readings)
    }


@pytest.mark.parametrize("book_id", [id_ for id_ in rulebook_ids() if about(id_).document])
def test_every_article_of_a_document_has_a_case_or_a_reason(book_id: str) -> None:
    """Neither is a gap, both is a contradiction, and an unknown id is a slip."""
    statements = {id_ for id_, article in articles(rulebook(book_id)).by_id.items() if not article.is_reading}
    proved, excused = articles_with_case(book_id) & statements, cases(book_id).no_case
    assert not statements - proved - set(excused)
    assert not proved & set(excused)
    assert not set(excused) - statements
    assert all(reason.endswith(".") for reason in excused.values())


@pytest.mark.parametrize("book_id", [id_ for id_ in rulebook_ids() if not about(id_).document])
def test_every_statement_a_national_game_is_built_on_has_a_case(book_id: str) -> None:
    """The statements that its file names for the board, the moves, what every game has, and the laws that end it."""
    source = rulebook(book_id).source
    answers = [answer["article"] for section in ("board", "moves") for answer in source[section].values()]
    named = [*source["statements"].values(), *(draw["article"] for draw in source["draw"]), *answers]
    used = {article for one in named for article in (one if isinstance(one, list) else [one])}
    assert not used - articles_with_case(book_id)
    assert not cases(book_id).no_case


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_every_rulebook_states_how_a_game_begins(book_id: str) -> None:
    """Written out once, so that `start = true` alone may stand for it elsewhere."""
    (written_out,) = (case for case in cases(book_id).cases if case.start and case.position)
    assert written_out.legal


def test_there_are_many() -> None:
    assert len(CASES) >= 500
