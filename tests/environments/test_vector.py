"""Many games at once are the same games: legal moves, draw laws and results as `damas.game` has them."""

import pickle
import time
from random import Random

import numpy as np
import pytest

import damas
from damas.environments import Actions, VectorGames
from damas.environments.aec import DamasEnv
from damas.game import Game, Move
from environments.positions import endings

BOOKS = [book.id for book in damas.rulebooks()]


def careful(game: Game, legal: dict[int, Move], chance: Random) -> int:
    """A move that leaves nothing to capture, often the last one taken back: so that games last until a law ends them."""
    safe = [a for a, move in legal.items() if not game.position.play(move).must_capture()]
    if game.record.length > 1 and chance.random() < 0.6:
        last = game.record.move(game.record.length - 1)
        safe = [a for a in safe if legal[a].route == last.route[::-1]] or safe
    return chance.choice(safe or list(legal))


def play_both(
    book: str, fen: str | None, count: int, plies: int, seed: int, *, cautious: bool = False
) -> set[str]:
    """Plays the same moves both ways and compares everything; returns why games ended."""
    vector = VectorGames(book, count, fen=fen)
    encoding = Actions.of(book)
    games = [Game.start(book, fen=fen) for _ in range(count)]
    chance, luck = np.random.default_rng(seed), Random(seed)
    seen = set()
    for _ in range(plies):
        for number, game in enumerate(games):
            legal = encoding.legal(game.legal_moves)
            own = vector.actions[vector.offsets[number] : vector.offsets[number + 1]].tolist()
            assert own == list(legal), (game.position.fen, [m.text for m in legal.values()])
        if vector.done.all():
            break
        actions = vector.sample(chance)
        if cautious:
            for number, game in enumerate(games):
                if not vector.done[number]:
                    actions[number] = careful(game, encoding.legal(game.legal_moves), luck)
        was_done = vector.done
        step = vector.step(actions)
        laws = vector.progress()
        for number, game in enumerate(games):
            if was_done[number]:
                games[number] = Game.start(book, fen=fen)
                assert not step.terminated[number]
                continue
            game = games[number] = game.play(encoding.legal(game.legal_moves)[int(actions[number])])
            outcome = game.outcome
            assert bool(step.terminated[number]) is bool(outcome), (
                game,
                vector.reasons[step.reasons[number]],
            )
            if outcome:
                reason = outcome.rule or outcome.reason
                assert vector.reasons[step.reasons[number]] == reason
                points = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}[outcome.result]
                assert step.rewards[number] == points
                seen.add(reason)
            else:
                assert step.rewards[number] == 0
                counts = {p.rule.id: (p.have, p.need) for p in game.progress() if p.rule.id in laws}
                counted = {
                    name: (int(have[number]), need)
                    for name, (have, need) in laws.items()
                    if have[number] >= 0
                }
                assert counted == counts, game
    return seen


@pytest.mark.parametrize("book", BOOKS)
def test_games_are_those_of_the_game_room(book: str) -> None:
    seen = play_both(book, None, 4, 150, seed=1)
    assert seen & {"NO_PIECES", "NO_MOVES"}


@pytest.mark.parametrize("book", BOOKS)
def test_endings_end_by_the_same_law_at_the_same_ply(book: str) -> None:
    seen = set()
    for number, fen in enumerate(endings(book, seed=1)):
        seen |= play_both(book, fen, 3, 90, seed=number, cautious=True)
    own = {rule.id for rule in damas.rulebook(book).draws}
    assert seen & own, "no draw law was ever complete"


def test_a_cycle_decides_by_pieces() -> None:
    """S5: from these squares the sixth run of the cycle ends the game, and White has more pieces."""
    game = Game.start("concurso", fen="W:WKg1,a3:BKb8")
    vector = VectorGames("concurso", 1, fen="W:WKg1,a3:BKb8")
    encoding = Actions.of("concurso")
    for ply in range(24):
        text = ("g1-h2", "b8-a7", "h2-g1", "a7-b8")[ply % 4]
        assert not vector.done[0]
        action = next(
            a for a, m in encoding.legal(game.legal_moves).items() if m == game.position.parse(text)
        )
        game = game.play(text)
        step = vector.step(np.array([action]))
    assert game.outcome and game.outcome.reason == "CYCLE"
    assert step.rewards.tolist() == [1]
    assert vector.reasons[step.reasons[0]] == "cycle"


@pytest.mark.parametrize("book", BOOKS)
def test_tensors_are_those_of_the_environment(book: str) -> None:
    vector, single = VectorGames(book, 1), DamasEnv(book)
    single.reset()
    chance = np.random.default_rng(5)
    for ply in range(80):
        if ply % 4 == 0 or vector.done[0]:
            assert np.array_equal(vector.observe()[0], single.tensor())
            assert np.array_equal(vector.mask()[0], single.observe(single.agent_selection)["action_mask"])
        if vector.done[0]:
            break
        action = vector.sample(chance)
        vector.step(action)
        single.step(int(action[0]))


def test_an_illegal_action_is_refused_with_the_legal_ones() -> None:
    games = VectorGames("concurso", 3)
    with pytest.raises(ValueError, match=r"action 1 is not legal in game 0; legal: \[1072, "):
        games.step(np.ones(3, np.int64))
    with pytest.raises(ValueError, match="3 actions are needed"):
        games.step(np.ones(2, np.int64))


def test_a_game_is_cut_short_at_the_longest() -> None:
    games = VectorGames("brasileira", 2, max_plies=3)
    chance = np.random.default_rng(1)
    steps = [games.step(games.sample(chance)) for _ in range(4)]
    assert [step.truncated.tolist() for step in steps] == [[False] * 2] * 2 + [[True] * 2] + [[False] * 2]
    assert games.ply.tolist() == [0, 0]


@pytest.mark.parametrize("book", ["concurso", "internacional"])
def test_it_is_quick(book: str) -> None:
    """Meant: more than 100,000 random moves a second on one core. Asserted: a fifth, for a machine that is shared."""
    games = VectorGames(book, 2048)
    chance = np.random.default_rng(1)
    began = time.process_time()
    moves = 0
    for _ in range(60):
        moves += int((~games.done).sum())
        games.step(games.sample(chance))
    assert moves / (time.process_time() - began) > 20_000


@pytest.mark.parametrize("book", ["frisia", "concurso"])
def test_a_clone_plays_on_alone_and_counts_as_the_original(book: str) -> None:
    random = np.random.default_rng(5)
    games = VectorGames(book, 8)
    for _ in range(30):
        games.step(games.sample(random))
    before = (
        games.codes.copy(),
        games.ply.copy(),
        {rule: have for rule, (have, _) in games.progress().items()},
    )
    other = games.clone()
    chosen = other.sample(np.random.default_rng(6))
    there = other.step(chosen)
    for was, now in zip(before[:2], (games.codes, games.ply), strict=True):
        assert (was == now).all()
    assert all((games.progress()[rule][0] == have).all() for rule, have in before[2].items())
    here = games.step(chosen)
    assert (games.codes == other.codes).all()
    assert (here.reasons == there.reasons).all()
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(games)


@pytest.mark.parametrize("count", [0, -1])
def test_no_games_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match="at least one game"):
        VectorGames("brasileira", count)
