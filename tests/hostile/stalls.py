"""Measure how long each request keeps the event loop to itself: run by `make soak-edge`.

    python tests/hostile/stalls.py --most 5

Every call of the API that needs no account is made with its example, and where a visitor can send something worse within
all limits, with that. A request is a row of steps, between which the loop serves others; printed is the processor time
of the longest step, in milliseconds, and the answer's status: of the first request of a kind and of the next, once the
server has filled its caches. Ends with 1 where a step is longer than `--most`.
"""

import argparse
import asyncio
import gc
import random
import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import httpx

from damas.server.app import create_app
from damas.server.learning.puzzle import sheet_of
from damas.server.messages import Move
from damas.server.rooms.new_game import AgainstFriend, NewGame
from damas.server.security.visitors import Visitor
from damas.server.services import Services
from damas.server.settings import Limits, Settings
from damas.server.web.caches import fill_caches
from damas.server.web.endpoints import CALLS
from damas.server.web.fair_play import MAX_GAMES_IN_PROGRESS
from damas.server.web.fields import EXAMPLE_PDN
from hostile.attacks.hard_questions import HARD, QUESTIONS
from hostile.attacks.large_files import FILES, SHUFFLE

PLIES = 300
"""Length of the long game."""
MOST = 10_000_000
BACK_AND_FORTH = SHUFFLE.split(".")
KINGS = "W:WKa1:BKh6"
PDN = f'[Rulebook "brasileira"] [FEN "{KINGS}"] {" ".join(BACK_AND_FORTH)} *\n'

MANY_KINGS = "W:WK15,K40,K21,K48,K39,K47,K7,K9,K19,K17,K36,K5:BK26"
"""Ninety-two moves; fair play looks at each of them in every game that the visitor plays."""

WORST: tuple[tuple[str, dict[str, Any] | None], ...] = (
    *QUESTIONS,
    *FILES,
    ("/api/position", {"rulebook": "brasileira", "fen": KINGS, "moves": BACK_AND_FORTH[:60]}),
    ("/api/analysis/line", {"rulebook": "brasileira", "fen": KINGS, "moves": BACK_AND_FORTH}),
    ("/api/analysis/setup", {"rulebook": "turca", "fen": HARD}),
    ("/api/judge", {"pdn": (PDN * 40)[:60_000]}),
    ("/api/judge", {"pdn": (EXAMPLE_PDN + "\n") * 1000}),
    ("/api/pdn/read", {"pdn": (PDN * 40)[:60_000]}),
    ("/api/pdn/write", {"rulebook": "brasileira", "fen": KINGS, "moves": [{"text": text} for text in BACK_AND_FORTH]}),
    ("/api/endings/reply", {"rulebook": "brasileira", "fen": KINGS, "moves": BACK_AND_FORTH[:100]}),
    ("/api/tablebase", {"rulebook": "brasileira", "fen": KINGS, "moves": BACK_AND_FORTH}),
    ("/api/tablebase", {"rulebook": "internacional", "fen": "W:WK46:BK1"}),
    ("/api/games", {"rulebook": "turca", "fen": HARD, "opponent": {"kind": "friend"}}),
    ("/game/export/LONG.pdn", None),
    ("/game/export/LONG.json", None),
    ("/game/export/LONG.svg", None),
    ("/game/export/LONG.png?size=1200", None),
    ("/paper/scoresheet/LONG.pdf", None),
    ("/paper/scoresheet/LONG", None),
    ("/api/games/LONG", None),
    ("/api/games/LONG/certificate", None),
    ("/game/LONG", None),
    ("/rules/internacional", None),
    ("/rules", None),
    ("/glossary", None),
    ("/endings", None),
    ("/drills", None),
    ("/qr.svg?path=/game/" + "x" * 500, None),
    ("/api/archive.pdn", None),
)  # fmt: skip
"""What a visitor can send within all limits that takes most work; `LONG` is a long game."""


class Steps:
    """Drives a coroutine and notes the processor time of its longest step."""

    def __init__(self, coroutine: Any) -> None:
        self._coroutine = coroutine
        self.longest_s = 0.0

    def __await__(self) -> Generator[Any, Any, Any]:
        iterator, sent, error = self._coroutine.__await__(), None, None
        while True:
            began = time.thread_time()
            try:
                waited_for = iterator.send(sent) if error is None else iterator.throw(error)
            except StopIteration as stop:
                return stop.value
            finally:
                self.longest_s = max(self.longest_s, time.thread_time() - began)
            sent, error = None, None
            try:
                sent = yield waited_for
            except BaseException as thrown:  # noqa: BLE001 whatever it is goes to the coroutine
                error = thrown


class Watched:
    """The app, and the longest step of each request."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self.longest_s = 0.0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        steps = Steps(self._app(scope, receive, send))
        try:
            await steps
        finally:
            self.longest_s = max(self.longest_s, steps.longest_s)


async def long_game(services: Services) -> str:
    """A game of many plies, whose id is given."""
    players = [Visitor("a" * 32, "Ana"), Visitor("b" * 32, "Rui")]
    rooms, chance = services.rooms, random.Random(1)
    room = await rooms.room(
        await rooms.create(NewGame("internacional", AgainstFriend(), color="white"), players[0])
    )
    await room.take_seat(players[1].id, players[1].name, "person")
    while room.table.outcome is None and room.table.ply < PLIES:
        player = players[room.table.to_move.value == "black"]
        move = chance.choice(room.table.playable).text
        command = Move(id=f"{room.table.ply:032x}", ply=room.table.ply, last_seq=room.seq, move=move)
        answer = await room.submit(command, player.id)
        assert answer.message["t"] == "ack", answer
    return room.id


async def much_progress(http: httpx.AsyncClient) -> None:
    """As much progress of the visitor who asks as the server stores."""
    for key in ("lesson.dama", *(f"puzzles.{book}" for book in ("brasileira", "portuguesa", "turca"))):
        body = {"progress": {key: [{}] * 21_000}}
        (await http.post("/api/progress", json=body, headers={"X-Damas": "1"})).raise_for_status()


async def king_games(http: httpx.AsyncClient) -> None:
    """As many games of the visitor who asks as fair play looks at."""
    for _ in range(MAX_GAMES_IN_PROGRESS):
        terms = {"rulebook": "internacional", "fen": MANY_KINGS, "opponent": {"kind": "device"}}
        (await http.post("/api/games", json=terms, headers={"X-Damas": "1"})).raise_for_status()


def described() -> list[tuple[str, str, dict[str, Any] | None]]:
    """Method, path and body of every example that needs no account."""
    names = {"PUZZLE": next(iter(sheet_of("brasileira"))).id, "GAME": "LONG"}
    calls = []
    for call in CALLS:
        path = call.path
        for name, value in call.parameters.items():
            path = path.replace(f"{{{name}}}", names.get(value, value))
        if call.scopes is None and "stream" not in path and not call.media.endswith("ndjson"):
            calls.append((call.method, path, call.example))
    return calls


async def measure(most_ms: float) -> bool:
    """Print a row for each request, the longest first, and return whether all are short enough."""
    limits = Limits(
        requests_per_minute=MOST, work_s_per_minute=MOST, password_s_per_minute=MOST, logins_per_minute=MOST
    )
    with tempfile.TemporaryDirectory(prefix="damas-stalls-") as folder:
        app = create_app(Settings(data=Path(folder), limits=limits, log_level="error"))
        watched = Watched(app)
        rows = []
        async with app.router.lifespan_context(app):
            game = await long_game(app.state.services)
            await asyncio.to_thread(fill_caches, app.state.services.words)
            gc.disable()  # a server collects when it is idle
            transport = httpx.ASGITransport(watched, raise_app_exceptions=False)
            requests = [
                *described(),
                *(("GET" if body is None else "POST", path, body) for path, body in WORST),
            ]
            async with httpx.AsyncClient(
                transport=transport, base_url="http://127.0.0.1", timeout=120
            ) as http:
                await king_games(http)
                await much_progress(http)
                for method, path, body in requests:
                    path = path.replace("LONG", game)
                    watched.longest_s = 0.0
                    for _ in range(2):
                        reply = await http.request(method, path, json=body, headers={"X-Damas": "1"})
                    rows.append((1000 * watched.longest_s, reply.status_code, method, path[:70]))
    for held_ms, status, method, path in sorted(rows, reverse=True):
        print(f"{held_ms:8.2f} ms  {status}  {method:<6} {path}")
    return max(rows)[0] <= most_ms


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--most", type=float, default=5.0, help="milliseconds of the longest step")
    return 0 if asyncio.run(measure(parser.parse_args().most)) else 1


if __name__ == "__main__":
    sys.exit(main())
