"""The PettingZoo environment: their own test for every rulebook, and that games end by the book."""

import copy
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test

import damas
from damas.environments import DamasEnv, env

BOOKS = [book.id for book in damas.rulebooks()]


@pytest.mark.parametrize("book", BOOKS)
def test_pettingzoo_accepts_it(book: str) -> None:
    with warnings.catch_warnings():
        # It advises sizes that suit convolutions and images; a board has its own.
        warnings.simplefilter("ignore", UserWarning)
        api_test(env(book), num_cycles=60, verbose_progress=False)


def played(game: DamasEnv, *texts: str) -> None:
    for text in texts:
        wanted = game.game.position.parse(text)
        game.step(next(action for action, move in game.legal.items() if move == wanted))


def test_a_win_gives_one_and_minus_one() -> None:
    game = DamasEnv("brasileira")
    game.reset(options={"fen": "W:Wc3:Bd4"})
    played(game, "c3xe5")
    assert game.rewards == {"white": 1.0, "black": -1.0}
    assert game.terminations == {"white": True, "black": True}
    assert game.infos["black"]["reason"] == "NO_PIECES"
    assert game.observe("black")["action_mask"].sum() == 0


def test_a_limit_draws_with_its_article() -> None:
    """A3: three kings against one, draw at ply 25, the strong side's thirteenth move."""
    game = DamasEnv("faraes")
    game.reset(options={"fen": "W:WKg1,Kc1,Ka3:BKb8"})
    played(game, *("g1-h2", "b8-a7", "h2-g1", "a7-b8") * 6)
    assert not any(game.terminations.values())
    assert game.tensor()[6].max() == pytest.approx(12 / 13)
    played(game, "g1-h2")
    assert all(game.terminations.values())
    assert game.rewards == {"white": 0.0, "black": 0.0}
    assert (game.infos["white"]["rule"], game.infos["white"]["article"]) == ("thirteen-moves", "Art. 12")


def test_the_starter_is_the_rulebooks() -> None:
    game = DamasEnv("inglesa")
    game.reset()
    assert game.agent_selection == "black"
    assert game.observe("white")["action_mask"].sum() == 0
    assert game.observe("black")["action_mask"].sum() == 7


def test_an_illegal_action_loses_where_guarded_and_raises_where_raw() -> None:
    guarded = env("concurso")
    guarded.reset()
    guarded.step(0)
    assert guarded.rewards == {"white": -1, "black": 0}
    raw = DamasEnv("concurso")
    raw.reset()
    with pytest.raises(ValueError, match="action 0 is not legal for white here"):
        raw.step(0)


def test_strings_tell_the_game_and_the_position() -> None:
    game = DamasEnv("concurso")
    game.reset(options={"fen": "W:WKg1,a3:BKb8"})
    played(game, "g1-h2", "b8-a7", "h2-g1", "a7-b8")
    assert game.information_state_string() == "W:WKg1,a3:BKb8; 0,6 1,7; 7,1 6,0; 1,7 0,6; 6,0 7,1"
    assert game.observation_string().startswith("W:WKg1,a3:BKb8; platform-ply-400 4/400")


def test_planes_show_the_board_as_white_sees_it() -> None:
    game = DamasEnv("portuguesa")  # the playing corner is at the right
    game.reset()
    planes = game.tensor()
    assert planes.shape == (7, 8, 8)
    assert planes.dtype == np.float32
    assert planes[0, 0].tolist() == [0, 1, 0, 1, 0, 1, 0, 1]
    assert planes[2, 7].tolist() == [1, 0, 1, 0, 1, 0, 1, 0]
    assert planes[:4].sum() == 24
    assert planes[4].sum() == 0
    assert planes[5].sum() == 32


def test_it_is_cut_short_and_copied() -> None:
    game = DamasEnv("turca", max_plies=2)
    game.reset()
    for _ in range(2):
        game.step(next(iter(game.legal)))
    assert all(game.truncations.values())
    for again in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game), game.clone()):
        assert all(again.truncations.values())
        again.reset()
        assert again.rulebook.id == "turca"
        assert again.max_plies == 2


@pytest.mark.parametrize("make", [DamasEnv, env])
def test_a_copy_in_mid_game_is_in_mid_game_and_goes_its_own_way(make: Callable[[str], Any]) -> None:
    game = make("brasileira")
    game.reset()
    game.step(next(iter(game.unwrapped.legal)))
    before = game.observe(game.agent_selection)
    for again in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game), game.unwrapped.clone()):
        assert again.unwrapped.game == game.unwrapped.game
        assert again.agent_selection == "black"
        assert (again.observe("black")["action_mask"] == before["action_mask"]).all()
        again.step(next(iter(again.unwrapped.legal)))
        assert again.unwrapped.game.record.length == 2
    assert game.unwrapped.game.record.length == 1
    assert (game.observe("black")["observation"] == before["observation"]).all()


def test_what_is_missing_is_named_with_the_command() -> None:
    code = """
import sys
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numpy", "pettingzoo", "gymnasium"):
            raise ModuleNotFoundError(name)
import importlib.util
real = importlib.util.find_spec
import damas.environments as room
room.find_spec = lambda name: None if name in ("pettingzoo", "gymnasium") else real(name)
assert room.Actions.of("concurso").count == 4096
try:
    room.env
except ImportError as error:
    print(error)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == (
        'damas.environments.env needs gymnasium, pettingzoo: install with pip install "damas[learn]"\n'
    )


def test_a_render_mode_renders_or_is_refused() -> None:
    game = DamasEnv("brasileira", render_mode="ansi")
    game.reset()
    assert game.render() == str(damas.Position.start("brasileira"))
    with pytest.raises(ValueError, match="ansi"):
        DamasEnv("brasileira", render_mode="human")
