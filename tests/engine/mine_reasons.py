"""Mines mistakes from games of levels against each other and proves the reason for each: `python -m engine.mine_reasons`.

Prints for each rulebook how many mistakes have a reason, of which kinds, and which sentences are false. It fails where
one is false or too few have a reason.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from json import dumps, loads
from pathlib import Path

from damas.engine import Engine, Limits, Line, Result
from damas.engine.analysis import MIN_LOSS, SECOND_LOOK, judge, look_again, mistakes
from damas.engine.continuations import Continuations
from damas.engine.levels import LevelPlayer
from damas.engine.reasons import Mistake, Reason, reason_of
from damas.game import Game, Record
from damas.game.game import ending
from damas.language import LANGUAGES
from engine.reason_checker import check

FIVE = ("brasileira", "oficial", "faraes", "portuguesa", "concurso")
LEVELS_PLAYED = ((2, 3), (4, 1), (3, 5), (6, 4), (2, 7), (5, 6), (1, 2), (7, 5))
MAX_PLIES = 120
MIN_SHARE = 0.95
UNDECIDED = 150
"""Hundredths of a man up to which a game is called undecided."""

Lines = dict[int, tuple[int, list[str]]]
"""At each ply the score and the moves of the best line."""


def mined(name: str, seed: int, nodes: int) -> tuple[list[str], Lines]:
    """A game between two levels, and what a search found at each of its plies, from the last to the first."""
    levels = LEVELS_PLAYED[seed % len(LEVELS_PLAYED)]
    players = [LevelPlayer(name, number, seed=seed) for number in levels]
    game = Game.start(name)
    while not game.outcome and game.record.length < MAX_PLIES:
        game = game.play(players[game.record.length % 2].choose(game))
    for player in players:
        player.close()
    record, lines = game.record, {}
    with Engine(name, hash_mb=8, tables=False) as engine:
        for ply in range(record.length, -1, -1):
            part = record.until(ply)
            if part.legal_moves and (ply < record.length or not ending(part, engine.customs)):
                best = engine.search(part, Limits(nodes=nodes)).lines[0]
                lines[ply] = best.score, [move.text for move in best.moves]
    return [move.text for move in record.moves], lines


def games(
    name: str, count: int, nodes: int, folder: Path | None
) -> Iterator[tuple[Record, dict[int, Result]]]:
    """Mined games; those that `folder` keeps are not played again."""
    for seed in range(count):
        file = folder and folder / f"{name}-{seed}-{nodes}.json"
        if file and file.exists():
            moves, lines = loads(file.read_text())
        else:
            moves, lines = mined(name, seed, nodes)
            if file:
                file.write_text(dumps([moves, lines]))
        record = Game.start(name).record
        for text in moves:
            record = record.play(text)
        yield record, {int(ply): Result((line_of(record, int(ply), *line),)) for ply, line in lines.items()}


def line_of(record: Record, ply: int, score: int, texts: list[str]) -> Line:
    """A line of a ply from its score and its moves."""
    position, moves = record.position_after(ply), []
    for text in texts:
        moves.append(position.parse(text))
        position = position.play(moves[-1])
    return Line(score, tuple(moves), len(moves))


@dataclass
class Tally:
    """The reasons for the mistakes of one rulebook."""

    kinds: Counter[str] = field(default_factory=Counter)
    unexplained: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    called_off: int = 0
    """Mistakes that a deeper search called none any more."""

    @property
    def mistakes(self) -> int:
        """How many mistakes there were."""
        return sum(self.kinds.values()) + len(self.unexplained)

    @property
    def share(self) -> float:
        """The share of mistakes with a reason."""
        return sum(self.kinds.values()) / self.mistakes

    def add(self, mistake: Mistake, reason: Reason | None) -> None:
        """Counts a mistake and checks its sentences."""
        if reason is None:
            self.unexplained.append(shown(mistake))
            return
        self.kinds[reason.kind] += 1
        try:
            check(mistake, reason)
            assert all("{" not in reason.saying(mistake).sentence(each) for each in LANGUAGES)
        except AssertionError as error:
            self.false.append(f"{reason.saying(mistake).sentence('en')}  {error}\n{shown(mistake)}")


def shown(mistake: Mistake) -> str:
    """A mistake as somebody who looks into it needs it."""
    reply = mistake.reply
    lines = [(mistake.best.score, mistake.best.moves)]
    lines.append((mistake.score, (mistake.move, *(reply.moves if reply else ()))))
    best, played = (f"{score:+} {' '.join(move.text for move in moves)}" for score, moves in lines)
    return f"  {mistake.before.position.fen}\n    best   {best}\n    played {played}"


def tally_of(name: str, arguments: argparse.Namespace) -> Tally:
    """The reasons for the mistakes of the games of one rulebook."""
    tally, limits = Tally(), Limits(nodes=SECOND_LOOK * arguments.nodes)
    with Engine(name, hash_mb=8, tables=False) as engine:
        for record, results in games(name, arguments.games, arguments.nodes, arguments.keep):
            continuations = Continuations(engine)
            first = judge(record, results, engine)
            judged = look_again(record, first, results, continuations, limits)
            tally.called_off += sum(
                bool(each.kind) and not now.kind for each, now in zip(first, judged, strict=True)
            )
            for each in mistakes(judged):
                if arguments.mistakes and tally.mistakes >= arguments.mistakes:
                    return tally
                before = record.until(each.ply - 1)
                mistake = Mistake(before, each.move, each.best, each.reply, each.score)
                tally.add(mistake, each.reason if each.has_reason else None)
    return tally


def control(name: str, arguments: argparse.Namespace) -> Counter[str]:
    """The reasons that would be given for moves about as good as the best, where the game is undecided.

    What is proved by force should be rare among them; what the expected sequence shows is an indication, and this
    says how strong a one.
    """
    kinds: Counter[str] = Counter()
    with Engine(name, hash_mb=8, tables=False) as engine:
        for record, results in games(name, arguments.games, arguments.nodes, arguments.keep):
            continuations = Continuations(engine)
            for each in judge(record, results, engine):
                best = results[each.ply - 1].lines[0]
                is_equal = abs(best.score) < UNDECIDED and each.lost < MIN_LOSS and each.reply is not None
                if not is_equal or each.forced or each.move == best.moves[0]:
                    continue
                if kinds.total() == arguments.mistakes:
                    return kinds
                mistake = Mistake(record.until(each.ply - 1), each.move, best, each.reply, each.score)
                reason = reason_of(mistake, engine, continuations)
                kinds[reason.kind if reason else "none"] += 1
    return kinds


def main() -> int:
    """Prints the table; 1 where a sentence is false or too few mistakes have a reason."""
    parser = argparse.ArgumentParser(prog="python -m engine.mine_reasons", description=__doc__)
    parser.add_argument("rulebooks", nargs="*", default=FIVE)
    parser.add_argument("--games", type=int, default=40, help="games of each rulebook")
    parser.add_argument("--mistakes", type=int, default=0, help="at most so many mistakes of each rulebook")
    parser.add_argument("--nodes", type=int, default=20_000, help="searched for each move")
    parser.add_argument("--keep", type=Path, help="folder that keeps the games for the next run")
    parser.add_argument("--control", action="store_true", help="the same for moves that are no mistakes")
    parser.add_argument("--list", action="store_true", help="list the mistakes without a reason")
    arguments = parser.parse_args()
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    if arguments.control:
        kinds = sum((control(name, arguments) for name in arguments.rulebooks), Counter[str]())
        print(f"{kinds.total()} moves that are no mistakes: {dict(kinds.most_common())}")
        return 0
    total = Tally()
    for name in arguments.rulebooks:
        tally = tally_of(name, arguments)
        print_tally(name, tally)
        for text in [*tally.false, *(tally.unexplained if arguments.list else ())]:
            print(text)
        total.kinds += tally.kinds
        total.unexplained += tally.unexplained
        total.false += tally.false
        total.called_off += tally.called_off
    print_tally("all", total)
    return int(bool(total.false) or total.share < MIN_SHARE)


def print_tally(name: str, tally: Tally) -> None:
    """One row of the table."""
    kinds = ", ".join(f"{kind} {count}" for kind, count in tally.kinds.most_common())
    print(
        f"{name}: {tally.mistakes} mistakes, {tally.share:.1%} with a reason, {len(tally.false)} false, {tally.called_off} called off; {kinds}"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
