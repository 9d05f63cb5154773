"""The levels of the browser play what those of the server play."""

import random
from pathlib import Path

import pytest

from damas.engine.levels import LevelPlayer
from damas.engine.networks import FOLDER, name_for
from damas.game import Game, Position
from damas.rules import rulebook
from damas.tablebase import probe
from javascript.test_core import BOOKS, answers, needs_node

pytestmark = needs_node

HASH_MB = 1
MOVES_AT_RANDOM = (0, 3, 12, 30, 60)


def some_game(book: str, chance: random.Random) -> Game:
    """A game after some random moves."""
    game = Game.start(book)
    for _ in range(chance.choice(MOVES_AT_RANDOM)):
        longer = game.play(chance.choice(game.legal_moves))
        if longer.outcome:
            break
        game = longer
    return game


def knows_by_heart(game: Game) -> bool:
    """Whether only a few kings are left: of several moves that win, either may take another."""
    white_men, white_kings, black_men, black_kings = game.position.counts
    return white_men + black_men == 0 and white_kings + black_kings <= 4


def network_of(book: str) -> str:
    """The file of a rulebook's network; empty where it has none."""
    name = name_for(rulebook(book))
    return str(FOLDER / name) if name else ""


@pytest.fixture(autouse=True)
def no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The higher levels ask the tables that lie on a machine: a browser has none."""
    monkeypatch.setenv("DAMAS_TABLEBASES", str(tmp_path))


def check_levels(chance: random.Random, count: int) -> None:
    asked, expected = [], []
    for book in BOOKS:
        network = network_of(book)
        for _ in range(count):
            game, level, seed = some_game(book, chance), chance.randrange(1, 10), chance.randrange(1000)
            if knows_by_heart(game):
                continue
            player = LevelPlayer(book, level, seed, hash_mb=HASH_MB)
            move = player.choose(game)
            player.close()
            settings = {"moves": [each.text for each in game.moves]}
            asked.append({"kind": "choose", "book": book, "settings": settings, "network": network})
            asked[-1] |= {"level": level, "seed": seed}
            expected.append(move and move.text)
    given = answers(asked)
    different = [
        (request["book"], request["level"], request["seed"], request["settings"], here, there)
        for request, here, there in zip(asked, given, expected, strict=True)
        if here != there
    ]
    assert not different, (len(different), len(asked), different[:3])


def test_the_same_seed_plays_the_same_move() -> None:
    check_levels(random.Random(4), 4)


@pytest.mark.soak
def test_the_same_seeds_play_the_same_moves() -> None:
    check_levels(random.Random(5), 200)


@pytest.mark.parametrize(
    ("book", "fen"),
    [
        ("brasileira", "W:WKa1,Kc1,Ke1:BKd8"),
        pytest.param("russa", "W:WKa1,Kc1,Ke1:BKd8", marks=pytest.mark.soak),
        pytest.param("frisia", "W:WK46,K47:BK3", marks=pytest.mark.soak),
    ],
)
def test_every_level_wins_a_won_ending_of_kings(book: str, fen: str) -> None:
    assert probe(Position.from_fen(fen, book)).verdict.value == "win"
    network = network_of(book)
    requests = [
        {
            "kind": "playOut",
            "book": book,
            "fen": fen,
            "network": network,
            "levels": {"white": level, "black": 9},
        }
        for level in (1, 5)
    ]
    assert [result for result, _ in answers(requests)] == ["1-0"] * 2
