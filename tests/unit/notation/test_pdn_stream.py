"""Long, deep and broken input: constant memory, linear time, and never an error of another house."""

import gc
import random
import time
import tracemalloc
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from damas import DamasError, Position
from damas.notation import BadGame, PdnGame, read_games, read_tags, write_game
from damas.notation.pdn.game import MAX_NESTED_VARIATIONS
from unit.notation.games import played


def some_games(count: int, plies: int) -> list[str]:
    seeded = random.Random(7)
    start = Position.start("brasileira")
    texts = []
    for _ in range(count):
        positions = played(start, [seeded.randrange(256) for _ in range(plies)])
        moves = []
        for before, after in pairwise(positions):
            moves.append(next(move for move in before.legal_moves if before.play(move) == after))
        texts.append(write_game(PdnGame.of(start, moves)))
    return texts


def test_a_long_file_takes_the_memory_of_one_game() -> None:
    texts = some_games(20, 4)

    def lines(count: int) -> Iterator[str]:
        for number in range(count):
            yield from texts[number % len(texts)].splitlines(keepends=True)
            yield "1. oops\n" if number % 10 == 0 else "\n"

    def peak(count: int) -> int:
        tracemalloc.start()
        read = sum(1 for _ in read_games(lines(count)))
        assert read == count + -(-count // 10)
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    # Garbage waits for the collector; how long must not depend on what ran in this process before, nor on how many
    # objects that left: the collector comes to old ones only when they have become a quarter more.
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.collect()
    gc.set_threshold(700, 10, 10)
    try:
        peak(200)  # what is loaded once and stays
        few, many = peak(200), peak(5_000)
    finally:
        gc.set_threshold(*thresholds)
    assert many < few + 32 * 1024, "less than a pointer for each game"


def seconds(text: str) -> float:
    started = time.process_time()
    games = list(read_games(text, "brasileira"))
    spent = time.process_time() - started
    assert games
    return spent


@pytest.mark.parametrize(
    "piece",
    [
        "{",
        "}",
        "(",
        "((c3-d4",
        "{}",
        "1. c3-d4 {a}",
        "{a}",
        "$1",
        "!",
        "(!",
        "1.",
        "1. ",
        "1",
        ".",
        "[a ",
        '[a "',
        '["',
        '\\"',
        "/",
        "%",
        ";",
        "c3-",
        "x",
        "1-",
        "1- ",
        "*",
        "1-0 ",
        '[a "b"]',
        '\n[a "b"]\n\n[a "c"]',
        "\n{",
        "\n",
        "\n[",
        "\n[a ",
    ],
)
@pytest.mark.parametrize("lead", ["", "1. c3-d4 ", "1. c3-d4 {"])
def test_hostile_text_is_read_in_linear_time(lead: str, piece: str) -> None:
    # Ten times the length may take thirty times as long, not a hundred; what takes no time at all is fine.
    short = min(seconds(lead + piece * 5_000 + "\n1. c3-d4 *") for _ in range(2))
    text = lead + piece * 50_000 + "\n1. c3-d4 *"
    assert any(seconds(text) < max(0.2, 30 * short) for _ in range(3))


def test_variations_may_be_deep_but_not_endless() -> None:
    def nested(depth: int) -> str:
        return "1. c3-d4 " + "(1. g3-f4 " * depth + ")" * depth + " *"

    [deep] = read_games(nested(MAX_NESTED_VARIATIONS), "brasileira")
    assert isinstance(deep, PdnGame)
    assert list(read_games(write_game(deep))) == [deep]
    [deeper] = read_games(nested(MAX_NESTED_VARIATIONS + 1), "brasileira")
    assert isinstance(deeper, BadGame)
    assert "PDN_NESTED" in repr(deeper.error)
    [bomb] = read_games(nested(100_000), "brasileira")
    assert isinstance(bomb, BadGame)


class Endless:
    """A file of many characters without the end of a line."""

    def __init__(self, text: str, chars: int) -> None:
        self.text, self.left = text, chars

    def readline(self, size: int = -1) -> str:
        text, self.text = self.text, ""
        wanted = (min(size, self.left) if size >= 0 else self.left) - len(text)
        self.left -= len(text) + wanted
        return text + "x" * wanted

    def __iter__(self) -> Iterator[str]:
        return iter(self.readline, "")


@pytest.mark.parametrize("opened", ["", "1. c3-d4 {", "1. c3-d4 (", '[Event "'])
def test_a_line_without_end_is_given_up_with_bounded_memory(opened: str) -> None:
    tracemalloc.start()
    try:
        [game] = read_games(Endless(opened, 200 << 20), "brasileira")  # type: ignore[arg-type]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert isinstance(game, BadGame)
    assert "PDN_TOO_LONG" in repr(game.error)
    assert peak < 100 << 20


def test_a_game_without_end_is_given_up_and_the_next_is_read() -> None:
    lines = [
        '[Event "endless"]\n',
        "1. c3-d4\n",
        *["{" + "x" * 100_000 + "}\n"] * 200,
        '[Event "next"]\n',
        "*",
    ]
    endless, good = read_games(lines, "brasileira")
    assert isinstance(endless, BadGame)
    assert "PDN_TOO_LONG" in repr(endless.error)
    assert (endless.line, dict(endless.tags)) == (1, {"Event": "endless"})
    assert isinstance(good, PdnGame)
    assert [game["Event"] for game in read_tags(lines)] == ["endless", "next"]  # type: ignore[index]


TOKENS = st.sampled_from(
    [
        *(
            '[Event "x"]',
            '[GameType "26"]',
            '[GameType "20"]',
            '[FEN "W:Wc3:Bb6"]',
            '[FEN "',
            '[Rulebook "faraes"]',
        ),
        *("1.", "1...", "c3-d4", "f6-g5", "c3", "22-18", "32-28", "2,2-3,3", "2-0", "1/2-1/2", "*", "1-0"),
        *(
            "{",
            "}",
            "(",
            ")",
            "()",
            "{[%clk 0:00:01]}",
            "$1",
            "$",
            "!?",
            "(!)",
            ";",
            "%",
            "/",
            '"',
            "\\",
            "[",
            "]",
        ),
        *("\n", "\n\n", "\r\n", "\r", "\0", "\ud800", "\u2028", "é", "½", "c3-d4\udc80"),
    ]
)


@example("1. c3-d4 f6-g5\udc80 *", "brasileira")
@example('[FEN "W:W\ud800c3:B"]\n*', "brasileira")
@given(
    st.lists(TOKENS | st.text(max_size=5), max_size=60).map(" ".join), st.sampled_from([None, "brasileira"])
)
def test_garbage_gives_bad_games_and_nothing_else(text: str, book: str | None) -> None:
    games = list(read_games(text, book))
    lines = max(1, text.count("\n") + text.count("\r") + 1)
    for number, game in enumerate(games, start=1):
        if isinstance(game, BadGame):
            assert isinstance(game.error, DamasError)
            assert all(game.error.sentence(language) for language in ("pt-BR", "pt-PT", "es", "en"))
            assert game.game == number
            assert 1 <= game.line <= lines
            assert 1 <= game.column <= len(text) + 1
        else:
            assert list(read_games(write_game(game), book)) == [game]
    assert all(isinstance(tags, dict | BadGame) for tags in read_tags(text))


@given(st.binary(max_size=200))
def test_bytes_of_any_kind(data: bytes) -> None:
    for game in read_games(data, "brasileira"):
        assert isinstance(game, PdnGame | BadGame)
