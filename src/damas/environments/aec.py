"""A PettingZoo environment: two agents take turns under any rulebook, its draw laws included."""

from copy import deepcopy
from typing import Any, Self

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]

from damas.board import Color
from damas.environments import planes
from damas.environments.actions import Actions
from damas.game import Game, Move
from damas.rules import rulebook
from damas.views import plain
from damas.views.outcomes import outcome_view

Observation = dict[str, np.ndarray[Any, Any]]
MAX_PLIES = 1000
"""Plies after which a game is cut short (truncated), where no law has ended it."""
RENDER_MODES = ["ansi"]
"""How `render` can show a game: as text."""


def env(rulebook: str = "concurso", **options: Any) -> "AECEnv[str, Observation, int]":
    """The environment with PettingZoo's usual guards: an illegal action ends the game and costs its player 1."""
    guarded: Any = DamasEnv(rulebook, **options)
    guarded = wrappers.TerminateIllegalWrapper(guarded, illegal_reward=-1)
    guarded = wrappers.AssertOutOfBoundsWrapper(guarded)
    return wrappers.OrderEnforcingWrapper(guarded)


class DamasEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """Agents `white` and `black`. Whatever the rulebook says ends the game, ends it here, with its article in `infos`.

    The reward comes once, at the end: 1 for a win, -1 for a loss, 0 for a draw. Limits that the federation words as a
    claim are applied by themselves; what is only an offer (the threefold of `faraes`) is not made. A raw environment
    raises `ValueError` for an action that is not legal; `env()` is the guarded one.

    >>> game = DamasEnv("brasileira")
    >>> game.reset()
    >>> game.agent_selection, int(game.observe("white")["action_mask"].sum())
    ('white', 7)
    """

    metadata = {  # noqa: RUF012 (PettingZoo declares it as a plain attribute)
        "render_modes": RENDER_MODES,
        "name": "damas_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self, rulebook: str = "concurso", render_mode: str | None = None, max_plies: int = MAX_PLIES
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is None or one of {RENDER_MODES}, not {render_mode!r}")
        self.render_mode = render_mode
        self.max_plies = max_plies
        self.rulebook = _rulebook(rulebook)
        self.actions = Actions.of(self.rulebook)
        self.possible_agents = ["white", "black"]
        self.agents: list[str] = []
        self._action_space = spaces.Discrete(self.actions.count)
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, planes.shape(self.rulebook), np.float32),
                "action_mask": spaces.Box(0, 1, (self.actions.count,), np.int8),
            }
        )
        self.game = Game.start(self.rulebook)
        self.legal: dict[int, Move] = {}

    def observation_space(self, agent: str) -> spaces.Dict:  # noqa: ARG002 (the same for both)
        """The space of observations, the same for both agents."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete[Any]:  # noqa: ARG002 (the same for both)
        """The space of actions, the same for both agents."""
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """A new game. Nothing here is left to chance, so `seed` changes nothing; `options` may give a `fen`."""
        self.game = Game.start(self.rulebook, fen=(options or {}).get("fen"))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._turn()

    def step(self, action: int | None) -> None:
        """Plays the action of `agent_selection`."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or int(action) not in self.legal:
            raise ValueError(
                f"action {action} is not legal for {agent} here; legal: {', '.join(map(str, self.legal))}"
            )
        self.game = self.game.play(self.legal[int(action)])
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._turn()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """The board for either player; the mask has ones only for the one whose turn it is."""
        mask = np.zeros(self.actions.count, np.int8)
        if agent == self.agent_selection:
            mask[list(self.legal)] = 1
        return {"observation": self.tensor(), "action_mask": mask}

    def tensor(self) -> np.ndarray[Any, Any]:
        """The planes of the position now: see `damas.environments.planes`."""
        return planes.tensor(self.game)

    def observation_string(self) -> str:
        """The position and every law that counts: what a player sees."""
        counts = [f"{p.rule.id} {p.have}/{p.need}" for p in self.game.progress()]
        return "; ".join([self.game.position.fen, *counts])

    def information_state_string(self) -> str:
        """The whole game so far, from which everything follows: both players know it."""
        record = self.game.record
        return "; ".join([record.start.fen, *(move.text for move in record.moves)])

    def render(self) -> str | None:
        """The board as text, if a render mode was chosen."""
        if self.render_mode is None:
            return None
        return str(self.game.position)

    def clone(self) -> Self:
        """An independent copy in the middle of the same game, for a search of the moves to come.

        >>> first = DamasEnv("brasileira")
        >>> first.reset()
        >>> second = first.clone()
        >>> second.step(next(iter(second.legal)))
        >>> first.game.record.length, second.game.record.length
        (0, 1)
        """
        return deepcopy(self)

    def close(self) -> None:
        """Nothing is held open."""

    def _turn(self) -> None:
        """What follows from the game as it stands: whose turn it is, or how it has ended."""
        outcome = self.game.outcome
        self.agent_selection = self.game.position.turn.value
        self.legal = self.actions.legal(self.game.legal_moves)
        if outcome:
            self.terminations = dict.fromkeys(self.agents, True)
            if outcome.winner:
                self.rewards = {
                    agent: 1.0 if Color(agent) is outcome.winner else -1.0 for agent in self.agents
                }
            for agent in self.agents:
                self.infos[agent] = plain(outcome_view(outcome, "en"))
        elif self.game.record.length >= self.max_plies:
            self.truncations = dict.fromkeys(self.agents, True)
            self.legal = {}


_rulebook = rulebook  # the environment's own option has the same name
