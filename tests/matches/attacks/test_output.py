"""Bounded per turn and per game on every stream; whatever the bytes, the result is a verdict, never an exception."""

import json

import pytest

from damas.matches import BoxLimits
from damas.matches.box.limits import MIB
from matches.bots import play_game

SMALL = BoxLimits(turn_output=256 * 1024, game_output=MIB)
ANSWERS = """\
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}')
    elif message["type"] == "move?":
        NONCE = message["nonce"]
        sys.stdout.buffer.write(ANSWER)
        sys.stdout.buffer.flush()
"""


def test_control_a_talkative_program(box):
    attempt = box.run(
        "def attack():\n    sys.stderr.write('x' * 200_000)\n    sys.stderr.flush()\n    return 'y' * 60_000\n",
        limits=SMALL,
    )
    assert attempt.answer == "y" * 60_000
    assert len(attempt.stderr) <= 64 * 1024


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ("while True: os.write(1, b'x' * 65536)", "line too long"),
        ("os.write(1, b'x' * 70_000 + b'\\n'); time.sleep(9)", "line too long"),
        ("while True: os.write(1, b'\\n' * 65536)", "stdout"),
        ("while True: os.write(2, b'x' * 65536)", "stderr"),
        ("while True: os.write(2, b'\\0\\n')", "stderr"),
    ],
)
def test_floods(box, body, detail):
    attempt = box.run(f"def attack():\n    {body}\n", limits=SMALL)
    assert attempt.verdict == "TOO_MUCH_OUTPUT"
    assert attempt.fault and attempt.fault.detail == detail
    assert len(attempt.stderr) <= 64 * 1024


def test_a_little_too_much_in_every_turn(tier, tmp_path):
    bot = tmp_path / "chatter.py"
    bot.write_text(
        ANSWERS.replace(
            "ANSWER)", "b'\\n' * 60_000 + json.dumps({'choice': 0, 'nonce': NONCE}).encode() + b'\\n')"
        )
    )
    result = play_game(str(bot), tier=tier, limits=BoxLimits(game_output=200_000))
    assert (result.reason, result.offender) == ("TOO_MUCH_OUTPUT", "white")
    assert result.plies == 6


NONSENSE = [
    b"\xff\xfe\x00\n",
    b"\x00" * 500 + b"\n",
    b"null\n",
    b"[]\n",
    b'"move"\n',
    b"{}\n",
    b"[" * 30_000 + b"\n",
    b'{"move":' * 8_000 + b"\n",
    b'{"nonce": ' + b"9" * 5_000 + b"}\n",
    b'{"nonce": NaN, "choice": Infinity}\n',
    b"Traceback (most recent call last):\n",
    b"\x1b[2J\x1b[31mgotcha\n",
]


@pytest.mark.parametrize("answer", NONSENSE)
def test_nonsense_is_garbage(tmp_path, answer):
    """Reading is the same in every tier: the owner's will do."""
    result = _answered(tmp_path, f"{answer!r}")
    assert (result.reason, result.points) == ("GARBAGE", 0.0)
    assert result.receipt and json.dumps(result.receipt)


@pytest.mark.parametrize(
    "move",
    [
        *(
            '"\\\\ud800"',
            '"c3-d4\\\\u0000"',
            '"' + "c3-d4 " * 2000 + '"',
            '"}{][;\\\\n]}"',
            '"c3-d4 {[%clk 0]} 1-0"',
        ),
        *('"' + "9" * 3000 + '"', '"٣,٣ ٤,٤"'),
    ],
)
def test_a_move_of_strange_letters_is_an_invalid_move(tmp_path, move):
    result = _answered(tmp_path, f"""('{{"nonce": "' + NONCE + '", "move": {move}}}\\n').encode()""")
    assert (result.reason, result.points) == ("INVALID_MOVE", 0.0)
    assert result.receipt and json.loads(json.dumps(result.receipt))["nearest"]
    result.pdn.encode()


@pytest.mark.parametrize(
    "answer", ['"choice": 99', '"choice": -1', '"choice": true', '"choice": 1e3', '"move": 5', '"move": ""']
)
def test_choices_that_are_none(tmp_path, answer):
    result = _answered(tmp_path, f"""('{{"nonce": "' + NONCE + '", {answer}}}\\n').encode()""")
    assert result.reason in ("INVALID_MOVE", "GARBAGE")
    assert result.points == 0.0


def _answered(tmp_path, answer):
    bot = tmp_path / "strange.py"
    bot.write_text(ANSWERS.replace("(ANSWER)", f"({answer})"), encoding="utf-8")
    return play_game(str(bot), trusted=True)
