"""`damas match`: two players in colour-reversed pairs from a frozen ballot, until a test decides or the games are played."""

import argparse
import os
import shlex
import signal
import sys
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from itertools import islice
from math import inf, isinf
from multiprocessing import active_children, get_context
from multiprocessing.util import Finalize
from pathlib import Path
from typing import NoReturn

from damas.arena.players import Entrant
from damas.cli import page
from damas.cli.answers import print_json
from damas.cli.arguments import BadInput, add_rulebook, book_of, sprt_of, whole
from damas.cli.best import add_move_limits
from damas.cli.new_file import NewFile
from damas.engine import Limits
from damas.engine.dxp import DxpPlayer
from damas.engine.engine import MOST_HASH
from damas.engine.interrupts import leave_with_the_parent, termination_heard, uninterrupted
from damas.engine.levels import LEVELS, Greedy, LevelPlayer
from damas.engine.match import (
    EnginePlayer,
    NeverStarted,
    Played,
    Player,
    Standing,
    TimeControl,
    ballot_hash,
    play_pair,
)
from damas.engine.peer import HubPlayer
from damas.errors import BadEntrant
from damas.language import Saying, sentence
from damas.rules import Rulebook
from damas.tournaments.sprt import Test

USUAL_NODES = 10_000
INTERRUPTED = 130
TERMINATED = 143
PATIENCE = 2.0
"""Seconds in which a process whose parent is gone may put its programs away."""


def add(parser: argparse.ArgumentParser) -> None:
    add_rulebook(parser)
    for name in ("first", "second"):
        parser.add_argument(
            name,
            metavar=name.upper(),
            help=(
                "damas, material, greedy, level:N, hub:COMMAND LINE, dxp:HOST:PORT of a program that listens, "
                "or dxp:PORT:COMMAND LINE that starts it"
            ),
        )
    limit = add_move_limits(parser, USUAL_NODES)
    limit.add_argument(
        "--time", metavar="S+I", help="a clock: seconds for the game and for each move, as 60+0.5"
    )
    parser.add_argument(
        "--pairs", type=whole("--pairs", 1, 10**7), default=100, metavar="N", help="at most (otherwise 100)"
    )
    parser.add_argument("--sprt", metavar="E0 E1", help="stop when this Elo test is decided, as 0 5 or 0,5")
    parser.add_argument(
        "--seed", type=whole("--seed", 0, 10**9), default=1, metavar="N", help="of the ballot"
    )
    parser.add_argument(
        "--jobs", type=whole("--jobs", 1, 256), default=1, metavar="N", help="games at a time"
    )
    parser.add_argument("--hash", type=whole("--hash", 1, MOST_HASH), default=16, metavar="MB")
    parser.add_argument(
        "--no-tables", action="store_true", help="our engine asks no endgame tables, for a fair comparison"
    )
    parser.add_argument(
        "--param", action="append", default=[], metavar="NAME=VALUE", help="for programs that speak Hub"
    )
    parser.add_argument(
        "--grace",
        type=whole("--grace", 0, 600_000),
        default=500,
        metavar="MS",
        help="beyond its time, before a program that speaks Hub is late (otherwise 500)",
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the games in a new PDN")


def run(options: argparse.Namespace) -> int:
    book = book_of(options)
    test = _test(options.sprt)
    control = _control(options.time)
    for spec in (options.first, options.second):
        _check(spec)
    _check_params(options)
    with ExitStack() as opened:
        opened.enter_context(termination_heard())
        file = opened.enter_context(_Games(options.save)) if options.save else None
        return _play(options, book, test, control, file)


class _Games(NewFile):
    """Whole pairs of games: of one that could not be written nothing stays."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._whole = 0
        """Bytes of what was written to its end."""

    def write(self, text: str) -> None:
        super().write(text)
        if not self._trouble:
            self._whole = os.fstat(self._file.fileno()).st_size

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        try:
            super().__exit__(kind, *rest)  # closing may still write, so it comes first
        finally:
            if self._trouble and self.written:
                with suppress(OSError):  # the first trouble is the one to tell
                    os.truncate(self._path, self._whole)


def _play(
    options: argparse.Namespace,
    book: Rulebook,
    test: Test | None,
    control: TimeControl | None,
    file: NewFile | None,
) -> int:
    standing, names, code = Standing(), (options.first, options.second), 0
    try:
        with closing(_pairs(options, book, control)) as pairs:
            for pair in pairs:
                with uninterrupted():  # what is counted is kept, and what is kept is counted
                    standing.add(pair)
                    names = (pair[0].white, pair[0].black)
                    if file:
                        file.write("".join(played.pdn + "\n" for played in pair))
                _show(standing, options)
                if test and test.verdict(standing.sample) != "open":
                    break
    except NeverStarted as nobody:
        raise BadInput("cli.bad.program", name=nobody.program, why=nobody.saying) from None
    except (KeyboardInterrupt, BrokenProcessPool) as why:  # the latter if somebody ends one that plays
        code = INTERRUPTED if type(why) is KeyboardInterrupt else TERMINATED
        if not standing.games:
            return code  # otherwise what was played is told all the same
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    answer = _answer(standing, names, book, test, options)
    if options.json:
        print_json(answer)
    else:
        print(_text(answer, options.language, standing.faults))
    return code


def _test(text: str | None) -> Test | None:
    bounds = sprt_of(text)
    return Test(*bounds) if bounds else None


def _control(text: str | None) -> TimeControl | None:
    if text is None:
        return None
    seconds, _, increment = text.partition("+")
    try:
        control = TimeControl(float(seconds), float(increment or 0))
    except ValueError:
        raise BadInput("cli.bad.control", got=text) from None
    if not 0 < control.seconds < 1e6 or not 0 <= control.increment < 1e5:
        raise BadInput("cli.bad.control", got=text)
    return control


def _check(spec: str) -> None:
    kind, _, rest = spec.partition(":")
    known = kind in ("damas", "material", "greedy") and not rest
    known = (
        known
        or (kind == "hub" and bool(rest.strip()))
        or (kind == "dxp" and Entrant(spec, spec).address is not None)
    )
    known = known or (kind == "level" and rest.isdecimal() and len(rest) < 3 and int(rest) in LEVELS)
    if not known:
        raise BadInput("cli.bad.player", got=spec)
    try:
        shlex.split(rest)
    except ValueError:
        raise BadEntrant(spec, "quotes") from None


def _check_params(options: argparse.Namespace) -> None:
    for param in options.param:
        name, equals, _ = param.partition("=")
        if not name.strip() or not equals:
            raise BadInput("cli.bad.param", got=param)
    if options.param and not any(spec.startswith("hub:") for spec in (options.first, options.second)):
        raise BadInput("cli.bad.param_hub")


def _limits(options: argparse.Namespace) -> Limits:
    if options.time:
        return Limits()
    if options.movetime:
        return Limits(movetime=options.movetime / 1000)
    if options.depth:
        return Limits(depth=options.depth)
    return Limits(nodes=options.nodes or USUAL_NODES)


def _player(spec: str, book: Rulebook, options: argparse.Namespace, seed: int) -> Player:
    kind, _, rest = spec.partition(":")
    if kind == "level":
        return LevelPlayer(book, int(rest), seed)
    if kind == "greedy":
        return Greedy(seed)
    limits = _limits(options)
    if kind == "hub":
        params = dict(param.partition("=")[::2] for param in options.param)
        return HubPlayer(rest, limits, params=params, grace=options.grace / 1000)
    if kind == "dxp" and (address := Entrant(spec, spec).address):
        host, port, command = address
        return DxpPlayer(host, port, limits, command=command)
    return EnginePlayer(
        book,
        limits,
        spec,
        hash_mb=options.hash,
        network=kind != "material",
        tables=not options.no_tables,
    )


# --- games, several at a time ---------------------------------------------------------------

_seated: tuple[Rulebook, Player, Player] | None = None


def _sit(options: argparse.Namespace, book: Rulebook | None = None) -> tuple[Rulebook, Player, Player]:
    global _seated  # noqa: PLW0603 (one pair of players for each process)
    if _seated is None:
        book = book or book_of(options)
        first, second = (
            _player(spec, book, options, seed) for seed, spec in enumerate((options.first, options.second), 1)
        )
        _seated = (book, first, second)
        Finalize(None, _stand_up, exitpriority=10)  # other programs end with the process that asked them
    return _seated


def _stand_up() -> None:
    global _seated  # noqa: PLW0603
    if _seated:
        for player in _seated[1:]:
            player.close()
    _seated = None


def _one(number: int, options: argparse.Namespace, control: TimeControl | None) -> tuple[Played, Played]:
    global _playing  # noqa: PLW0603
    _playing = True
    try:
        book, first, second = _sit(options)
        pair = play_pair(book, number, first, second, seed=options.seed, control=control)
    except SystemExit:
        _go()
    finally:
        _playing = False
    return replace(pair[0], game=None), replace(pair[1], game=None)


def _pairs(
    options: argparse.Namespace, book: Rulebook, control: TimeControl | None
) -> Generator[tuple[Played, Played]]:
    """Pairs in the order of their numbers, whichever is finished first: short games must not come before long ones, or
    the test that ends the match hears of them more. Whoever wants no more closes it: games in progress are given up.
    """
    if options.jobs == 1:
        _stand_up()
        try:
            _sit(options, book)
            for number in range(options.pairs):
                yield _one(number, options, control)
        finally:
            _stand_up()
        return
    others = set(active_children())
    # A fresh process for each job: threads of an engine do not survive a fork.
    with ProcessPoolExecutor(options.jobs, get_context("spawn"), _stand_apart) as pool:
        waiting: deque[Future[tuple[Played, Played]]] = deque()
        numbers = iter(range(options.pairs))
        try:
            while True:
                running = [job for job in waiting if not job.done()]
                for number in islice(numbers, options.jobs - len(running)):
                    # A process that is born here must not hear Ctrl-C before it knows what to do.
                    with uninterrupted():
                        waiting.append(pool.submit(_one, number, options, control))
                if not waiting:
                    return
                if waiting[0].done():
                    yield waiting.popleft().result()
                elif running:
                    wait(running, return_when=FIRST_COMPLETED)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in set(active_children()) - others:
                process.terminate()
            raise


_playing = False


def _stand_apart() -> None:
    """A process that plays games leaves Ctrl-C to the one that counts them, gives up its game when told to, and is gone
    with its parent, however that may end.
    """
    leave_with_the_parent(_leave, PATIENCE)


def _leave(*_: object) -> None:
    if _playing:
        raise SystemExit  # out of the game, wherever it stands
    _go()


def _go() -> NoReturn:
    """Ends a process that plays. Not by way of the pool, whose pipes may be half read."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _stand_up()
    os._exit(0)


# --- what is told ---------------------------------------------------------------------------


def _signed(elo: float) -> str:
    """A whole number with its sign, of which nothing has none that matters.

    >>> _signed(-0.3), _signed(float("-inf"))
    ('+0', '-∞')
    """
    return f"{round(elo):+d}" if not isinf(elo) else "+∞" if elo > 0 else "-∞"


def _show(standing: Standing, options: argparse.Namespace) -> None:
    if sys.stderr.isatty():
        elo, low, high = map(_signed, standing.sample.elo())
        print(
            f"\r\033[K{standing.games}/{2 * options.pairs}  +{standing.wins} ={standing.draws} -{standing.losses}  "
            f"{elo} [{low}, {high}]",
            end="",
            file=sys.stderr,
            flush=True,
        )


def _answer(
    standing: Standing,
    names: tuple[str, str],
    book: Rulebook,
    test: Test | None,
    options: argparse.Namespace,
) -> dict[str, object]:
    # 0.0 is added because less than nothing is written -0.0.
    elo, low, high = (None if isinf(value) else round(value, 1) + 0.0 for value in standing.sample.elo())
    answer: dict[str, object] = {
        "rulebook": book.id,
        "first": names[0],
        "second": names[1],
        "games": standing.games,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "score": round(standing.sample.score, 4),
        "pairs": standing.pairs,
        "elo": elo,
        "elo_low": low,
        "elo_high": high,
        "forfeits": standing.forfeits,
        "ballot": ballot_hash(book, seed=options.seed),
        "seed": options.seed,
    }
    if test:
        llr = round(standing.sample.llr(test.elo0, test.elo1), 2)
        verdict = test.verdict(standing.sample)
        answer["test"] = {"elo0": test.elo0, "elo1": test.elo1, "llr": llr, "verdict": verdict}
    return answer


def _text(answer: dict[str, object], language: str, faults: Sequence[Saying] = ()) -> str:
    def signed(name: str, infinite: float) -> str:
        value = answer[name]
        return _signed(value if isinstance(value, float) else infinite)

    lines = [
        sentence("cli.match.score", language, book=answer["rulebook"], **{**answer, "rulebook": ""}),
        sentence(
            "cli.match.elo",
            language,
            elo=signed("elo", -inf if answer["score"] == 0 else inf),
            low=signed("elo_low", -inf),
            high=signed("elo_high", inf),
            pairs=" ".join(map(str, answer["pairs"])),  # type: ignore[call-overload]
        ),
    ]
    test = answer.get("test")
    if isinstance(test, dict):
        verdict = sentence(f"cli.match.{test['verdict']}", language)
        lines.append(sentence("cli.match.test", language, **{**test, "verdict": verdict}))
    lines.append(sentence("cli.match.ballot", language, hash=answer["ballot"], seed=answer["seed"]))
    if faults:
        reasons = "; ".join(dict.fromkeys(fault.sentence(language) for fault in faults))
        lines.append(sentence("cli.match.forfeits", language, count=len(faults), reasons=reasons))
    return "\n".join(page.paragraph(line) for line in lines)
