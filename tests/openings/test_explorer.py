"""Opening statistics: what is counted, what is left out, and a build that is interrupted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from damas import Color, Position
from damas.errors import BadBook
from damas.openings.explorer import Explorer, Results
from damas.openings.gathering import Games, Gathering, pdn_games
from damas.openings.lines import PlayedLine, SkippedGame, line_keys, position_key
from damas.openings.self_play import engine_games
from damas.rules import rulebook

PDN = """
[White "Ana"] [Opening "Centre"] [Result "1-0"] 1. c3-d4 f6-g5 2. b2-c3 1-0

[White "Eva"] [Result "0-1"] 1. b2-c3?
[White "Bia"] [Opening "Centre"] [Variation "Edge"] [Result "1/2-1/2"] 1. c3-d4 (1. a3-b4 b6-a5) f6-e5 1/2-1/2

[White "Lia"] [Result "*"] 1. c3-d4 *
[White "Rui"] [Result "1-0"] 1-0
"""


def built(path: Path, *sources: Games, **settings: object) -> Explorer:
    gathering = Gathering(path, **settings)  # type: ignore[arg-type]
    for source in sources:
        gathering.gather(source)
    gathering.finish()
    return Explorer(path)


@pytest.fixture
def pdn(tmp_path: Path) -> Path:
    path = tmp_path / "games.pdn"
    path.write_text(PDN)
    return path


def line(*moves: str, winner: Color | None = None, book: str = "brasileira") -> PlayedLine:
    positions = [Position.start(book)]
    for move in moves:
        positions.append(positions[-1].play(move))
    return PlayedLine(book, line_keys(positions), winner)


def test_games_of_a_pdn(tmp_path, pdn):
    with built(tmp_path / "out.db", pdn_games(pdn, rulebook=rulebook("brasileira"))) as explorer:
        start = Position.start("brasileira")
        assert {move.text: results for move, results in explorer.moves(start).items()} == {
            "c3-d4": Results(1, 1, 0)
        }
        after = start.play("c3-d4")
        assert {move.text: results for move, results in explorer.moves(after).items()} == {
            "f6-g5": Results(1, 0, 0),
            "f6-e5": Results(0, 1, 0),
        }
        assert explorer.names(after) == ["Centre", "Centre, Edge"]
        contents = explorer.contents()
    assert contents.rulebooks == {"brasileira": 2}
    assert (
        contents.skipped == {"ILLEGAL": 1, "NO_RESULT": 1, "NO_MOVES": 1}
        or sum(contents.skipped.values()) == 3
    )


def test_two_ways_to_a_position_are_counted_together(tmp_path):
    ways = [
        line("c3-d4", "b6-a5", "g3-h4", "f6-g5", "h4xf6"),
        line("g3-h4", "b6-a5", "c3-d4", "f6-g5", "h4xf6"),
    ]
    with built(tmp_path / "out.db", Games("two", lambda first: iter(ways[first:]))) as explorer:
        position = Position.start("brasileira").play("c3-d4").play("b6-a5").play("g3-h4")
        assert [each.games for each in explorer.moves(position).values()] == [2]


def test_rulebooks_do_not_mix(tmp_path):
    start, other = Position.start("brasileira"), Position.start("faraes")
    assert (start.key, start.fen) == (other.key, other.fen)
    assert position_key(start) != position_key(other)
    with built(tmp_path / "out.db", Games("one", lambda _: iter([line("c3-d4")]))) as explorer:
        assert explorer.moves(start) and not explorer.moves(other)


def test_a_build_that_was_interrupted_goes_on_and_counts_nothing_twice(tmp_path, monkeypatch):
    monkeypatch.setattr("damas.openings.gathering.MAX_BATCH", 2)
    path, lines = (
        tmp_path / "out.db",
        [line("c3-d4"), line("a3-b4"), line("c3-d4"), line("c3-b4"), line("c3-d4")],
    )

    def broken_off(first: int) -> Iterator[PlayedLine | SkippedGame]:
        for number, each in enumerate(lines):
            if number == 3:
                raise KeyboardInterrupt
            if number >= first:
                yield each

    gathering = Gathering(path)
    with pytest.raises(KeyboardInterrupt):
        gathering.gather(Games("lines", broken_off))
    gathering.close()
    assert not path.exists()
    with built(path, Games("lines", lambda first: iter(lines[first:]))) as explorer:
        moves = explorer.moves(Position.start("brasileira"))
        assert {move.text: results.games for move, results in moves.items()} == {
            "c3-d4": 3,
            "a3-b4": 1,
            "c3-b4": 1,
        }
        assert explorer.contents().games == 5


def test_the_same_source_is_not_counted_again(tmp_path, pdn):
    path, source = tmp_path / "out.db", pdn_games(pdn, rulebook=rulebook("brasileira"))
    built(path, source, source).close()
    with built(path, source, add=True) as explorer:
        assert explorer.contents().games == 2


def test_games_of_the_engine_are_the_same_for_the_same_seed():
    book = rulebook("faraes")
    whole = list(engine_games(book, 3, nodes=60, seed=5).read(0))
    assert whole[2:] == list(engine_games(book, 3, nodes=60, seed=5).read(2))
    assert len({each.keys for each in whole if isinstance(each, PlayedLine)}) == 3


def test_a_file_that_is_none_is_refused(tmp_path, pdn):
    with pytest.raises(BadBook, match="no file of opening statistics"):
        Explorer(pdn)
    with pytest.raises(FileNotFoundError):
        Explorer(tmp_path / "missing.db")
    gathering = Gathering(tmp_path / "out.db", plies=10)
    gathering.close()
    with pytest.raises(BadBook, match="--plies 10"):
        Gathering(tmp_path / "out.db", plies=12)
