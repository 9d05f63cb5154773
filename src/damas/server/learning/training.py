"""Training with puzzles: ratings of solvers and puzzles, and which puzzle comes next."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from random import Random

from damas.server.learning.puzzle import Entry, Sheet
from damas.server.store.puzzles import Rating
from damas.server.store.rows import PuzzleAttempt, RatingRow
from damas.tournaments.glicko import Glicko

FIRST_RATING = 1000.0
"""A solver begins with about that of the middle puzzle of a sheet."""
FIRST_VOLATILITY = 0.06
PUZZLE_DEVIATION = 150.0
"""How far the rating of a sheet may be from what people find."""
MIN_DEVIATION = 45.0
"""Below it a rating would hardly follow its owner any more."""
PROVISIONAL_DEVIATION = 110.0
"""Above it a rating is a guess."""
PERIOD_MS = 86_400_000
"""A rating period: the deviation grows with each day without a try."""
NEAREST_COUNT = 12
"""The next puzzle is one of so many, those nearest to the solver's rating."""
DAILY_GRADES = (2, 3, 4)
"""Grades of the daily puzzle."""
RUN_STEPS = 60
"""Puzzles of a run, each harder than the one before."""
MIN_TRIES = 5
"""Puzzles of a motif before it is called strong or weak."""


def _row(glicko: Glicko, attempts: int, at_ms: int) -> RatingRow:
    return RatingRow(
        rating=glicko.rating,
        deviation=max(MIN_DEVIATION, glicko.deviation),
        volatility=glicko.volatility,
        attempts=attempts,
        updated_ms=at_ms,
    )


NEW_SOLVER = _row(Glicko(FIRST_RATING, volatility=FIRST_VOLATILITY), 0, 0)
"""Somebody who has not tried a puzzle."""


def rated_try(entry: Entry) -> Rating:
    """How the store is to rate a first try at a puzzle."""
    puzzle = _row(Glicko(entry.rating, PUZZLE_DEVIATION, FIRST_VOLATILITY), 0, 0)
    return Rating(solver=NEW_SOLVER, puzzle=puzzle, rate=rate)


def rate(solver: RatingRow, puzzle: RatingRow, solved: bool, at_ms: int) -> tuple[RatingRow, RatingRow]:
    """Both ratings after a try, which is a game that one of the two has won."""
    first, second = (Glicko(each.rating, each.deviation, each.volatility) for each in (solver, puzzle))
    score = 1.0 if solved else 0.0
    after = first.after([(second, score)], _periods(solver, at_ms))
    played = second.after([(first, 1 - score)], _periods(puzzle, at_ms))
    return _row(after, solver.attempts + 1, at_ms), _row(played, puzzle.attempts + 1, at_ms)


def _periods(row: RatingRow, at_ms: int) -> float:
    return max(0, at_ms - row.updated_ms) / PERIOD_MS if row.updated_ms else 0.0


def next_puzzle(
    sheet: Sheet,
    levels: Mapping[str, float],
    met: Sequence[str],
    rating: float,
    motif: str = "",
    random: Random | None = None,
) -> Entry | None:
    """A puzzle near a rating that the solver has not met, or has met longest ago; None where the motif has none.

    `levels` are the ratings that puzzles have by now, `met` what the solver has tried, longest ago first.
    """
    entries = [entry for entry in sheet.entries.values() if not motif or motif in entry.motifs.split(";")]
    if not entries:
        return None
    seen = set(met)
    new = [entry for entry in entries if entry.id not in seen]
    if not new:
        offered = {entry.id: entry for entry in entries}
        return next(offered[name] for name in met if name in offered)
    new.sort(key=lambda entry: abs(levels.get(entry.id, entry.rating) - rating))
    return (random or Random()).choice(new[:NEAREST_COUNT])


@cache
def _daily_order(sheet: Sheet) -> list[str]:
    """The puzzles of medium difficulty in a fixed order that looks like none."""
    names = [entry.id for entry in sheet.entries.values() if entry.puzzle.grade in DAILY_GRADES]
    return sorted(names, key=lambda name: sha256(f"{sheet.rulebook} {name}".encode()).digest())


def daily_puzzle(sheet: Sheet, day: date) -> str:
    """The puzzle of a day, the same for everybody; none comes again before all have been."""
    order = _daily_order(sheet)
    return order[day.toordinal() % len(order)]


def run_of(sheet: Sheet, seed: int) -> list[str]:
    """A run: puzzles from the easiest to the hardest, others for another seed."""
    entries = sorted(sheet.entries.values(), key=lambda entry: (entry.rating, entry.id))
    random, count = Random(seed), min(RUN_STEPS, len(entries))
    bounds = [number * len(entries) // count for number in range(count + 1)]
    return [entries[random.randrange(bounds[step], bounds[step + 1])].id for step in range(count)]


def days_in_a_row(days: Sequence[int], today: int) -> int:
    """How many days without a gap end today, or yesterday where today is still to come; `days` latest first.

    >>> days_in_a_row([7, 6, 4], 7), days_in_a_row([7, 6, 4], 8), days_in_a_row([7, 6, 4], 9)
    (2, 2, 0)
    """
    if not days or days[0] < today - 1:
        return 0
    return next((gap for gap, day in enumerate(days) if day != days[0] - gap), len(days))


@dataclass(frozen=True)
class MotifRecord:
    """How the first tries at puzzles of a motif went."""

    motif: str
    tried: int
    solved: int


def motif_records(sheet: Sheet, attempts: Iterable[PuzzleAttempt]) -> list[MotifRecord]:
    """By motif how first tries went, those motifs first that are solved least; tries with hints are not solved."""
    first: dict[str, bool] = {}
    for attempt in attempts:
        first.setdefault(attempt.puzzle, attempt.solved and not attempt.hints)
    tried: dict[str, list[bool]] = {}
    for name, solved in first.items():
        if (entry := sheet.entries.get(name)) is not None:
            for motif in entry.motifs.split(";"):
                tried.setdefault(motif, []).append(solved)
    records = [
        MotifRecord(motif, len(results), sum(results))
        for motif, results in tried.items()
        if len(results) >= MIN_TRIES
    ]
    return sorted(records, key=lambda record: (record.solved / record.tried, record.motif))
