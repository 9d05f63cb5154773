"""Results as an arbiter types and reads them."""

import re
from dataclasses import replace

from damas.errors import TournamentRefused
from damas.tournaments.hall.conditions import Conditions
from damas.tournaments.hall.rounds import PLAYED, Result, reversed_signs
from damas.tournaments.hall.table import board_points, encounter_share

_FORFEITS = {"+-": "+", "-+": "-", "--": "n"}
_NOBODY = {"+": "+ -", "-": "- +", "n": "- -"}
"""What is shown where no game was played because the same players did not come to any."""
_TOTAL = re.compile(r"(\d*(?:[.,]5|½)?|\d+(?:[.,]0)?)\s*[-–:x]\s*(\d*(?:[.,]5|½)?|\d+(?:[.,]0)?)")
_EXAMPLES = {1: "1-0, =, 0-1", 2: "2-0, 1.5-0.5, 10, ==", 4: "4-0, 11==, 1100"}


def read_result(text: str, conditions: Conditions) -> str:
    """The signs of the games of a result, for the player named first; raises `TournamentRefused`.

    It may be the points of both (1-0, 2-0, 1.5-0.5), a sign for each game (1=), or say who did not come (+-, -+, --).

    >>> micro_match = Conditions("Open", "brasileira", games=2)
    >>> [read_result(text, micro_match) for text in ("2-0", "½-1½", "10", "--")]
    ['11', '0=', '10', 'nn']
    """
    text = text.strip().lower().replace("−", "-").replace("–", "-")
    games = conditions.games
    if text in _FORFEITS:
        return _FORFEITS[text] * games
    signs = PLAYED if games == 1 else PLAYED + "+-n"
    if text and not set(text) - set(signs) and len(text) >= games and "-" not in text[1:-1]:
        return text
    match = _TOTAL.fullmatch(text)
    own, other = (_number(part) for part in match.groups()) if match else (None, None)
    if own is None or other is None or own + other == 0:
        raise TournamentRefused("result", {"got": text, "examples": _EXAMPLES[games]})
    if own + other not in (games, 2 * games):
        raise TournamentRefused("result", {"got": text, "examples": _EXAMPLES[games]})
    share = own * games / (own + other)
    possible = [
        "1" * wins + "=" * draws + "0" * (games - wins - draws)
        for wins in range(games, -1, -1)
        for draws in range(games - wins + 1)
        if wins + draws / 2 == share
    ]
    if not possible:
        raise TournamentRefused("result", {"got": text, "examples": _EXAMPLES[games]})
    if len(possible) > 1:
        raise TournamentRefused("ambiguous", {"got": text, "examples": ", ".join(possible)})
    return possible[0] if share * 2 >= games else possible[0][::-1]


def _number(text: str) -> float | None:
    text = text.replace("½", ".5").replace(",", ".")
    return float(text) if text else None


def points_text(value: float) -> str:
    """Points as people write them.

    >>> [points_text(value) for value in (0, 0.5, 3.5, 2.0, 2.25)]
    ['0', '½', '3½', '2', '2.25']
    """
    whole, rest = divmod(value, 1)
    if rest == 0.5:
        return f"{int(whole)}½" if whole else "½"
    return str(int(whole)) if rest == 0 else f"{value:.2f}"


def result_text(result: Result | None, conditions: Conditions) -> str:
    """The result of a board in points; with several games counted as one encounter, the games in brackets.

    >>> result_text(Result("1="), Conditions("", "", games=2, win=2.0, draw=1.0))
    '2-0 (1½-½)'
    """
    if result is None:
        return ""
    signs = result.games
    if signs and signs == signs[0] * len(signs) and signs[0] in _NOBODY:
        return _NOBODY[signs[0]]
    if conditions.boards:
        return _match_text(signs, conditions)
    values = {"1": conditions.win, "+": conditions.win, "=": conditions.draw}
    reverse = {"0": conditions.win, "-": conditions.win, "=": conditions.draw}
    if conditions.games == 1 or conditions.scored_by == "game":
        first = sum(values.get(sign, conditions.loss) for sign in signs)
        second = sum(reverse.get(sign, conditions.loss) for sign in signs)
        return f"{points_text(first)}-{points_text(second)}"
    own = sum({"1": 1.0, "+": 1.0, "=": 0.5}.get(sign, 0.0) for sign in signs)
    other = sum({"0": 1.0, "-": 1.0, "=": 0.5}.get(sign, 0.0) for sign in signs)
    share = encounter_share(signs)
    points = {1.0: (conditions.win, conditions.loss), 0.5: (conditions.draw, conditions.draw)}.get(
        share, (conditions.loss, conditions.win)
    )
    return f"{points_text(points[0])}-{points_text(points[1])} ({points_text(own)}-{points_text(other)})"


def _match_text(signs: str, conditions: Conditions) -> str:
    """The result of a match between teams: match points, then board points in brackets."""
    own, other = (sum(board_points(conditions, games)) for games in (signs, reversed_signs(signs)))
    points = (conditions.win, conditions.loss) if own > other else (conditions.loss, conditions.win)
    if own == other:
        points = (conditions.draw, conditions.draw)
    return f"{points_text(points[0])}-{points_text(points[1])} ({points_text(own)}-{points_text(other)})"


def board_text(signs: str, conditions: Conditions) -> str:
    """The result of one board of a match, in the points of boards; empty without a result.

    >>> board_text("1=", Conditions("", "", games=2, boards=("open",)))
    '1-0 (1½-½)'
    """
    alone = replace(
        conditions,
        boards=(),
        tie_breaks=(),
        win=conditions.board_win,
        draw=conditions.board_draw,
        loss=conditions.board_loss,
    )
    return result_text(Result(signs), alone) if signs else ""
