"""The table of a game in the browser decides and says what the arbiter does: random games, played by both."""

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from damas.arbiter import Event, Player, ProcedureRefused, Table, events, regulation
from damas.arbiter.events import to_json
from damas.arbiter.regulation import PRESETS
from damas.board import Color, Piece, Setup
from damas.engine.opponent import Computer
from damas.errors import DamasError
from damas.game import Move, Position
from damas.language import LANGUAGES
from damas.rules import Rulebook, rulebook, rulebooks
from damas.rules.readings import other_readings
from damas.server.encoding import encode
from damas.views.local import local_words
from damas.views.plain import plain
from damas.views.table import command_refusal_view, table_view
from javascript.test_levels import knows_by_heart

ROOT = Path(__file__).parents[2]
NODE = ROOT / ".venv/node"
BOOKS = [*(book.id for book in rulebooks()), *other_readings()]
SEED, LEVEL = 7, 4
"""Of the computer, which plays one side of some games."""
TIMES = ("none", "1+2", "3", "10s/move", "1d", "2b3")
NOT_IN_THE_BROWSER = ("call", "absence", "give")
"""Without a network nobody is called, nobody is missed, and no other person is there to be given time."""
SPOKEN = ("code", "message", "article", "article_id", "tried", "marks")

pytestmark = pytest.mark.skipif(not NODE.exists(), reason="node is not in .venv: run `make lint-js`")


def opened(book: str, preset: str, chance: random.Random) -> tuple[Table, dict[str, Any]]:
    """A new table, and the record with which the browser opens it."""
    time = chance.choice(TIMES)
    rules, text = regulation(preset).with_time(time), rulebook(book)
    level = chance.choice((None, None, LEVEL))
    first, second = Player("a"), Player("b", bot=level is not None)
    lot = chance.randrange(1000) if rules.lot_under(text) else None
    fen = some_ending(text, chance) if chance.random() < 0.6 else None
    table = Table.start(text, rules, (first, second), fen=fen, lot=lot)
    you = "both" if level is None else "white" if table.white is first else "black"
    return table, {
        "version": 2,
        "rulebook": book,
        "preset": preset,
        "time": time,
        "level": level,
        "you": you,
        "events": [],
        "created_ms": 0,
        **({"start": table.started.fen} if fen else {}),
    }


def some_ending(book: Rulebook, chance: random.Random) -> str:
    """A position with few pieces: laws, promotions and captures are near."""
    squares = range(len(book.square_names))
    while True:
        count = chance.choice((2, 3, 4, 4, 5, 8))
        pieces = [Piece(letter) for letter in ("W", "B", *chance.choices("WWwwBb", k=count - 2))]
        setup = Setup(
            dict(zip(chance.sample(squares, count), pieces, strict=True)), chance.choice(list(Color))
        )
        try:
            position = Position.of(setup, book)
        except DamasError:
            continue
        if position.count_moves():
            return position.fen


def some_event(table: Table, chance: random.Random, kinds: tuple[type[Event], ...]) -> Event:
    """Something that a player might do now, sensible or not: a move, or one of these kinds."""
    at = table.now + chance.choice((0, 10, 900, 900, 2000, 20_000 if chance.random() < 0.1 else 50))
    side = chance.choice((table.to_move, table.to_move, table.awaited, *Color))
    if (answer := some_answer(table, at, chance)) and chance.random() < 0.7:
        return answer
    if chance.random() < 0.6 and (move := some_move(table, chance)):
        return events.Moved(at, table.to_move, move.text)
    kind = chance.choice(kinds if chance.random() < 0.96 else ENDS)
    if kind is events.Moved:
        return events.Moved(at, side, some_text(table, chance))
    if kind is events.StoppedEarly:
        routes = [move.route for move in table.position.routes() if len(move.route) > 2]
        route = chance.choice(routes)[:-1] if routes else ()
        text = "x".join(table.book.move_names[square] for square in route[: chance.choice((2, 9))])
        return events.StoppedEarly(at, table.to_move if routes else side, text or some_text(table, chance))
    if kind in (events.Touched, events.Lifted, events.Crowned, events.Blew):
        mine = [table.book.square_names[move.origin] for move in table.playable]
        square = chance.choice([*mine, *mine, *table.book.square_names, "z9"])
        return kind(at, side, square)  # type: ignore[call-arg]
    if kind in (events.Claimed, events.CalledAttention):
        return kind(at, side, chance.choice([*table.game.draw_rules, "platform-third-occurrence"]))  # type: ignore[call-arg]
    if kind is events.Reported:
        return events.Reported(at, side, chance.choice(("pointing", "touching", "lifting", "hands", "other")))
    return kind(at, side)  # type: ignore[call-arg]


def some_move(table: Table, chance: random.Random) -> Move | None:
    """A legal move; often one that goes back, so that positions are repeated."""
    legal, record = list(table.position.legal_moves), table.game.record
    if table.playable and chance.random() < 0.8:
        legal = table.playable
    if not legal:
        return None
    if record.length > 1 and chance.random() < 0.7:
        last = record.move(record.length - 1)
        back = [move for move in legal if (move.origin, move.destination) == (last.destination, last.origin)]
        if back:
            return back[0]
    longest = max(legal, key=lambda move: len(move.route))
    return longest if chance.random() < 0.2 else chance.choice(legal)


def some_answer(table: Table, at: int, chance: random.Random) -> Event | None:
    """What a player has to do before the game goes on, or is asked, or may claim."""
    if table.lifting:
        return events.Lifted(at, table.to_move.other, table.lifting[0])
    if table.crowning:
        return events.Crowned(at, table.to_move, table.crowning)
    if table.chain and not table.chain.demanded:
        kind = chance.choice((events.AcceptedUnfinished, events.DemandedCompletion))
        return kind(at, table.chain.by.other)
    if table.offer:
        return chance.choice((events.Accepted, events.Declined, events.Declined))(at, table.offer.other)
    if table.take_back:
        return chance.choice((events.TakeBackGranted, events.TakeBackRefused))(at, table.take_back.other)
    if (claims := table.claims_open()) and chance.random() < 0.4:
        claim = chance.choice(claims)
        kind = events.Claimed if claim.kind == "claim" else events.CalledAttention  # type: ignore[assignment]
        return kind(at, chance.choice(list(Color)), claim.rule.id)  # type: ignore[call-arg]
    return None


KINDS: tuple[type[Event], ...] = (
    *(events.Moved, events.Moved, events.StoppedEarly, events.StoppedEarly, events.Touched, events.Touched),
    *(events.Lifted, events.Crowned, events.Blew, events.Reported, events.Adjusting, events.Adjusted),
    *(events.Claimed, events.Claimed, events.CalledAttention, events.CalledAttention, events.Pressed),
    *(events.Offered, events.Offered, events.Accepted, events.Declined, events.Withdrew),
    *(events.TakeBackAsked, events.TakeBackAsked, events.TakeBackGranted, events.TakeBackRefused),
    *(events.AcceptedUnfinished, events.DemandedCompletion),
)
ENDS: tuple[type[Event], ...] = (events.Flag, events.Flag, events.Aborted, events.Resigned)
"""Whatever ends a game is done less often."""


def some_text(table: Table, chance: random.Random) -> str:
    """The text of a move that is probably not allowed."""
    names = table.book.move_names
    apart = " " if table.book.move_text == "rows-columns" else "-"
    squares = [names[chance.choice(table.playable).origin]] if table.playable else []
    squares += [chance.choice(names) for _ in range(chance.choice((1, 1, 2)))]
    return chance.choice((apart.join(squares), apart.join(squares), squares[0], "c3-", "?" * 200))


def game_of(book: str, preset: str, chance: random.Random, language: str) -> tuple[Any, Any]:
    """A random game: what the browser is asked, and what it must answer."""
    table, record = opened(book, preset, chance)
    kinds = KINDS + 20 * (chance.choice(KINDS),)  # each game has its favourite
    tried: list[dict[str, Any]] = []
    asked: list[bool] = []
    steps: list[dict[str, Any]] = []
    while len(tried) < 90 and (not table.outcome or chance.random() < 0.3):
        event, refusal = some_event(table, chance, kinds), None
        before = table
        try:
            table = table.apply(event)
            wrote = table.events[len(before.events)]
            if isinstance(wrote, events.Refused):
                refusal = True  # it ended the game, and nobody raised it
        except ProcedureRefused as refused:
            refusal = plain(command_refusal_view(refused, before, language))
            table = refused.table or table
        act = computer_act(table)
        tried.append(to_json(event))
        asked.append(act is not None)
        steps.append({"refusal": refusal, "act": act, "view": plain(table_view(table, language))})
    stored = [event.attempt if isinstance(event, events.Refused) else event for event in table.events[1:]]
    kept = [to_json(event) for event in stored if not isinstance(event, events.Ruled)]
    return {"record": record, "events": tried, "asked": asked}, {"steps": steps, "stored": kept}


def computer_act(table: Table) -> dict[str, Any] | None:
    """What the computer does with an offer or a capture that was let go, or where something may be claimed."""
    side = next((side for side in Color if table.player(side).bot), None)
    if side is None or table.outcome or knows_by_heart(table.game):
        return None
    is_asked = side.other in (table.offer, table.take_back) or (table.chain and not table.chain.demanded)
    if not is_asked and not (table.awaited is side and table.claims_open()):
        return None
    computer = Computer(side, SEED, LEVEL, hash_mb=1)
    event = computer.acts(table, table.now)
    computer.close()
    # Here the engines have no network.
    return to_json(event) if event and not isinstance(event, events.Moved) else None


def seen(view: Any) -> Any:
    """A view as far as both have it."""
    view["can"] = [word for word in view["can"] if word not in NOT_IN_THE_BROWSER]
    view["legal"] = [move["text"] for move in view["legal"]]
    view["register"]["totals"].sort(key=str)
    return view


def differences(given: Any, wanted: Any, path: str = "") -> list[str]:
    """Where the browser's answer has something else than what is wanted; more than that it may have."""
    if isinstance(wanted, dict) and isinstance(given, dict):
        return [line for key in wanted for line in differences(given.get(key), wanted[key], f"{path}.{key}")]
    if isinstance(wanted, list) and isinstance(given, list) and len(given) == len(wanted):
        return [
            line
            for n, (a, b) in enumerate(zip(given, wanted, strict=True))
            for line in differences(a, b, f"{path}[{n}]")
        ]
    return [] if given == wanted else [f"{path}: {given!r}, not {wanted!r}"]


def play_and_compare(chance: random.Random, games: list[tuple[str, str]], language: str) -> set[str]:
    """Plays games by both; returns the codes and reasons that were met."""
    played = [game_of(book, preset, chance, language) for book, preset in games]
    asked = {"words": json.loads(encode(local_words(language))), "games": [game for game, _ in played]}
    script = Path(__file__).parent / "core/tables.js"
    run = subprocess.run([NODE, script], input=json.dumps(asked), capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-3000:]
    met: set[str] = set()
    for (game, wanted), answer in zip(played, json.loads(run.stdout), strict=True):
        for n, (here, there) in enumerate(zip(answer["steps"], wanted["steps"], strict=True)):
            where = f"{game['record']} after {json.dumps(game['events'][: n + 1])}"
            if there["refusal"] is True:
                assert here["refusal"], where
            elif there["refusal"]:
                met.add(there["refusal"]["code"])
                spoken = {key: there["refusal"].get(key) for key in SPOKEN}
                assert not differences(here["refusal"], spoken), (differences(here["refusal"], spoken), where)
            else:
                assert here["refusal"] is None, (here["refusal"], where)
            if there["act"]:
                met.add(f"computer {there['act']['kind']}")
                assert here["act"] == there["act"], where
            if outcome := there["view"]["outcome"]:
                met.add(outcome["reason"])
            assert not (other := differences(seen(here["view"]), seen(there["view"]))), (other, where)
        assert answer["stored"] == wanted["stored"], game
    return met


MET = {
    "casual": {
        "computer declined",
        "computer take_back_granted",
        "REPETITION",
        "LIMIT",
        "AGREEMENT",
        "ABORTED",
        "NOTHING_TO_TAKE_BACK",
        "NOT_CLAIMABLE",
    },
    "school": {"REPETITION", "TOUCHED", "LIFTING_DUE", "NO_BLOWING"},
    "club": {"WRONG_CLAIM", "ILLEGAL_MOVES", "INVALID_MOVE", "FLAG", "NO_TAKE_BACK"},
    "contest": {"INVALID_MOVE", "FLAG", "NO_AGREEMENT", "GAME_OVER"},
}
"""Some of what the games of each regulation must come to, or they would show nothing."""


@pytest.mark.parametrize("preset", PRESETS)
def test_the_browser_decides_and_says_what_the_arbiter_does(preset: str) -> None:
    chance = random.Random(20)
    games = [(book, preset) for book in BOOKS] * 3
    met = play_and_compare(chance, games, LANGUAGES[PRESETS.index(preset)])
    assert MET[preset] <= met, MET[preset] - met


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(40))
def test_many_games_are_decided_by_both(seed: int) -> None:
    games = [(book, preset) for preset in PRESETS for book in BOOKS] * 3
    met = play_and_compare(random.Random(seed), games, LANGUAGES[seed % len(LANGUAGES)])
    assert {"REPETITION", "INVALID_MOVE", "FLAG", "AGREEMENT"} <= met, met
