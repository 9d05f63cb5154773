"""Only a reply to the current question counts."""

import pytest

from matches.bots import play_game

BOT = """\
import json, sys, time
last = ""
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
        AFTER_HELLO
    elif message["type"] == "move?":
        nonce, move = message["nonce"], message["legal"][0]
        answer = json.dumps({"nonce": nonce, "move": move})
        ANSWER
        last = nonce
"""
WELL = "print(answer, flush=True)"


def bot(folder, answer=WELL, after_hello="pass"):
    path = folder / "bot.py"
    path.write_text(BOT.replace("ANSWER", answer).replace("AFTER_HELLO", after_hello))
    return str(path)


def test_control_one_answer_to_each_question(tmp_path, tier):
    result = play_game(bot(tmp_path), tier=tier)
    assert result.offender is None
    assert result.tiers["white"] == tier


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("print(answer + '\\n' + answer, flush=True)", "DOUBLE_ANSWER"),
        ("print(answer, flush=True); time.sleep(0.05); print(answer, flush=True)", "EARLY_ANSWER"),
        ("print(json.dumps({'nonce': '0' * 8, 'move': move}), flush=True)", "EARLY_ANSWER"),
        ("print(json.dumps({'nonce': last or nonce, 'move': move}), flush=True)", "EARLY_ANSWER"),
        ("print(json.dumps({'move': move}), flush=True)", "GARBAGE"),
        ("print(answer + '\\n{', end='', flush=True)", "DOUBLE_ANSWER"),
    ],
    ids=["twice", "twice slowly", "guessed", "old nonce", "no nonce", "begun again"],
)
def test_answers_that_answer_nothing(tmp_path, tier, answer, verdict):
    # The opponent thinks a little, so that what is message too much is there when it is asked again.
    result = play_game(bot(tmp_path, answer), "level:2", tier=tier)
    slow = "sleep" in answer
    assert result.offender == "white"
    assert result.reason == verdict or (slow and result.reason in ("DOUBLE_ANSWER", "EARLY_ANSWER"))
    assert result.points == 0.0


def test_answer_before_the_first_question(tmp_path, tier):
    early = "print(json.dumps({'nonce': '0' * 8, 'move': '2,0 3,1'}), flush=True)"
    result = play_game(bot(tmp_path, after_hello=early), tier=tier)
    assert (result.reason, result.offender) == ("EARLY_ANSWER", "white")


def test_text_mode_takes_no_byte_before_the_question(tmp_path, tier):
    path = tmp_path / "text.py"
    path.write_text("print('2,0 3,1', flush=True)\nimport sys\nsys.stdin.read()\n")
    result = play_game(f"text:python3 {path}", tier=tier)
    assert (result.points, result.offender, result.reason) == (0.0, "white", "EARLY_ANSWER")
