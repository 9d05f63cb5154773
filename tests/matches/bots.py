"""Bots with one habit each, written to a folder by name, and games of theirs."""

from pathlib import Path

from damas.arbiter import TimeControl
from damas.matches import Entrant, GameResult, Start, Terms, play

FRAME = """\
import json, os, signal, sys, time
def legal(message):
    return json.dumps({{"move": message["legal"][0], "nonce": message["nonce"]}})
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{{"type": "ready"}}', flush=True)
    elif message["type"] == "move?":
        {habit}
"""
HABITS = {
    "good": "print(legal(message), flush=True)",
    "liar": 'print(json.dumps({"move": "9,9 8,8", "nonce": message["nonce"]}), flush=True)',
    "printer": 'print("9,9 8,8", flush=True)',
    "sleeper": "time.sleep(2)",
    "crasher": 'raise RuntimeError("no idea")',
    "quitter": "sys.exit(0)",
    "segfault": "os.kill(os.getpid(), signal.SIGSEGV)",
    "flooder": 'os.write(1, b"x" * 200_000); time.sleep(9)',
    "dripper": "exec(\"while True: os.write(1, b'x'); time.sleep(0.02)\")",
    "early": "print(legal(message) + '\\n' + legal(message), flush=True)",
    "forker": 'exec("while True:\\n try: os.fork()\\n except OSError: pass")',  # one that ends would have crashed
    "thinker": "until = time.monotonic() + message['clock']['you_ms'] / 2000\n        while time.monotonic() < until: pass\n"
    "        print(legal(message), flush=True)",
    "steady": "first = globals().setdefault('first', message['clock']['you_ms'])\n        time.sleep(0.45 * first / 1000)\n"
    "        print(legal(message), flush=True)",
    "resigner": 'print(json.dumps({"resign": True, "nonce": message["nonce"]}), flush=True)',
    "claimer": 'print(json.dumps({"claim": "cycle", "nonce": message["nonce"]}), flush=True)',
    "offerer": 'print(json.dumps({"move": message["legal"][0], "offer": True, "nonce": message["nonce"]}), flush=True)',
    "finder": 'assert "legal" not in message; print(json.dumps({"resign": True, "nonce": message["nonce"]}), flush=True)',
}


def play_game(
    white: Entrant | str,
    black: Entrant | str = "random",
    *,
    book: str = "concurso",
    control: str = "20s/move",
    start: Start | None = None,
    trusted: bool = False,
    **options: object,
) -> GameResult:
    """One game; `options` are those of `Terms`, `trusted` is for players given as texts."""
    players = [
        Entrant.parse(player, trusted=trusted) if isinstance(player, str) else player
        for player in (white, black)
    ]
    return play(*players, start or Start(), Terms(book, TimeControl.parse(control), **options))  # type: ignore[arg-type]


def write(folder: Path, habit: str) -> str:
    path = folder / f"{habit}.py"
    path.write_text(FRAME.format(habit=HABITS[habit]))
    return str(path)
