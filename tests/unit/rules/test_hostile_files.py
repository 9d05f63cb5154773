"""Rules files that once got more than a refusal out of the reader, found by `make fuzz`."""

import time

import pytest

from damas import BadRulebook, rulebook
from damas.game import Game
from damas.rules import parse, to_toml

DRAW = """
[[draw]]
id = "d"
rule = "limit"
limit = 5
counts = "each"
endings = ["{pattern}"]
starts = "entry"
while = "always"
resets = []
claim = "automatic"
decides = "draw"
"""


def house_rules(extra: str = "", **changed: str) -> str:
    text = to_toml(rulebook("canadense")).split("[[draw]]")[0].replace('id = "canadense"', 'id = "casa"')
    for old, new in changed.items():
        lines = [f"{old} = {new}" if line.startswith(f"{old} = ") else line for line in text.splitlines()]
        text = "\n".join(lines)
    return text + extra


@pytest.mark.parametrize("number", ["1" * 5000, "0x" + "f" * 5000, "[" * 5000, "[0x" + "f" * 5000 + "]"])
@pytest.mark.parametrize("key", ["id", "size", "men_rows", "flying_king"])
def test_a_number_that_python_will_not_write_is_refused(key: str, number: str) -> None:
    with pytest.raises(BadRulebook) as refused:
        parse(house_rules(**{key: number}))
    assert len(str(refused.value)) < 1000


@pytest.mark.parametrize(
    "pattern",
    [
        "K{5,3}-K",  # no number is both
        "M{0,99}" * 12 + "-K",  # thirty men could be shared out among twelve in thousands of millions of ways
        "MK-K",  # kings come first
        "-K",
        "K-",
        "K{٣}-K",
        "K-K\n",
    ],
)
def test_a_pattern_of_endings_that_cannot_be_asked_is_refused(pattern: str) -> None:
    with pytest.raises(BadRulebook) as refused:
        parse(house_rules(DRAW.replace("{pattern}", pattern.replace("\n", "\\n"))))
    assert [mistake.key for mistake in refused.value.problems] == ["draw[1].endings"]


@pytest.mark.parametrize(
    "line",
    [
        "pieces = [0, 0x" + "f" * 5000 + "]",
        "pieces = [-1, 3]",
        "pieces_a_side = 0x" + "f" * 5000,
        "pieces_a_side = true",
    ],
)
def test_a_number_of_pieces_is_one(line: str) -> None:
    with pytest.raises(BadRulebook) as refused:
        parse(house_rules(DRAW.replace("{pattern}", "K-K") + line))
    assert [mistake.key for mistake in refused.value.problems] == [f"draw[1].{line.partition(' ')[0]}"]


@pytest.mark.parametrize("pattern", ["M{0,99}-K{0,99}M{0,99}", "K{3,}-K", "KKKMM-KM", "K{2}M{1,3}-M", "M-M"])
def test_a_pattern_of_endings_is_answered_at_once(pattern: str) -> None:
    game = Game.start(parse(house_rules(DRAW.replace("{pattern}", pattern))))
    began = time.process_time()
    game.progress()
    assert time.process_time() - began < 1
