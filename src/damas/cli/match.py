"""`damas match`: two players in pairs of games with colours changed, until a test decides or the games are played."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from math import inf, isinf
from pathlib import Path

from damas.cli import page
from damas.cli.answers import print_json
from damas.cli.arguments import BadInput
from damas.cli.match_options import (
    INTERRUPTED,
    TERMINATED,
    Defaults,
    accept_earlier_spellings,
    add_options,
    refuse_settled,
    resumable,
    resume_command,
    settings_of,
    sprt_text,
)
from damas.cli.new_file import NewFile
from damas.cli.progress import StatusLine
from damas.jobs.interrupts import Terminated, termination_heard, uninterrupted
from damas.language import sentence
from damas.matches import pool
from damas.matches.entrant import shown_spec
from damas.matches.match import MatchScore
from damas.matches.player import DEFAULT_NODES
from damas.matches.players import IdlePlayers
from damas.matches.referee import play
from damas.openings import ballot_hash
from damas.rules import rulebook
from damas.tournaments import report
from damas.tournaments.result import OURS, GameEntry
from damas.tournaments.settings import Settings
from damas.tournaments.sprt import Test
from damas.tournaments.tournament import Tournament

_DEFAULT_GAMES = 200
_DEFAULTS = Defaults(
    "ballot",
    "alternating",
    trusted=True,
    nodes=DEFAULT_NODES,
    games=f"{_DEFAULT_GAMES}, an even number",
    jobs="1",
    plain_time_is_a_clock=True,
)


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_options(parser, _DEFAULTS)
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the games in a new PDN")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    accept_earlier_spellings(options, _DEFAULTS)
    try:
        with ExitStack() as stack:
            stack.enter_context(termination_heard())
            settings = None if options.resume else _settings(options)
            with uninterrupted():  # a signal finds the file where it will be removed
                file = stack.enter_context(NewFile(options.save)) if options.save else None
            tournament = stack.enter_context(_tournament(options, settings))
            return _play(options, tournament, file)
    except Terminated:  # before the first game or after the last
        return TERMINATED


def _settings(options: argparse.Namespace) -> Settings:
    if len(options.players) != 2:
        raise BadInput("cli.match.bad.two")
    settings = settings_of(options, _DEFAULTS, _DEFAULT_GAMES)
    if settings.games % 2:
        raise BadInput("cli.match.bad.games", got=settings.games)
    return replace(settings, title=settings.title or "damas match")


def _tournament(options: argparse.Namespace, settings: Settings | None) -> Tournament:
    """The tournament in the folder that an option names, otherwise in memory."""
    if settings is not None:
        return Tournament.create(options.out, settings) if options.out else Tournament.in_memory(settings)
    refuse_settled(options)
    tournament = Tournament.open(options.resume)
    settings = tournament.settings
    if len(settings.entries) != 2 or settings.games % 2:
        tournament.journal.close()
        if len(settings.entries) != 2:
            raise BadInput("cli.match.bad.two")
        raise BadInput("cli.match.bad.games", got=settings.games)
    return tournament


class _Progress:
    """Counts the pairs of a match in their order, whichever ends first, and saves them.

    Short games must not be counted before long ones, or the test would hear of them more.
    """

    def __init__(self, options: argparse.Namespace, tournament: Tournament, file: NewFile | None) -> None:
        self.options, self.tournament, self.file = options, tournament, file
        self.score = MatchScore()
        self.status = StatusLine(interval_s=0)
        self.faults: list[GameEntry] = []
        self._counted = 0
        self._ready: set[str] = set()
        """Players that have taken part in a game."""
        self.count()

    def __call__(self, notice: pool.Notice) -> None:
        if notice.kind == "over" and notice.played:
            self._check_started(notice.played)
            self.count()
            self._show()

    def count(self) -> None:
        """Adds the pairs that are complete."""
        plan, played = self.tournament.plan, self.tournament.played
        first = self.tournament.settings.names[0]
        while pair := [
            played[game.id] for game in plan[self._counted : self._counted + 2] if game.id in played
        ]:
            if len(pair) < 2:
                return
            with uninterrupted():  # what is counted is saved, and what is saved is counted
                self.score.add(pair[0].points_of(first), pair[1].points_of(first))
                self.faults += [game for game in pair if game.offender]
                if self.file:
                    texts = [self.tournament.journal.pdn(game.id) for game in pair]
                    self.file.write("".join(text + "\n" for text in texts))
                self._counted += 2

    def _check_started(self, game: GameEntry) -> None:
        """Raises `BadInput` for a program that does not start at all: nobody is there to lose a game."""
        if game.reason != "NOT_READY":
            self._ready |= {game.white, game.black}
            return
        receipt = self.tournament.journal.receipt(game.receipt) or {}
        name = str(receipt.get("name"))
        if name not in self._ready:
            spec = self.tournament.settings.entry(name).spec
            program = spec.partition(":")[2] if spec.startswith(("hub:", "dxp:", "text:")) else spec
            raise BadInput("cli.bad.program", name=program, why=receipt.get("detail"))

    def _show(self) -> None:
        score = self.score
        elo, low, high = map(_signed, score.sample.elo())
        self.status.show(
            f"{score.games}/{self.tournament.settings.games}  "
            f"+{score.wins} ={score.draws} -{score.losses}  {elo} [{low}, {high}]"
        )


def _play(options: argparse.Namespace, tournament: Tournament, file: NewFile | None) -> int:
    progress, code = _Progress(options, tournament, file), 0
    folder: Path | None = options.out or options.resume
    written: dict[str, Path] = {}
    try:
        with resumable(options, folder):
            if (options.jobs or 1) == 1 and not options.cluster:  # a worker process would only cost its start
                with IdlePlayers() as idle:
                    pool.run(tournament, listener=progress, play=partial(play, idle=idle))
            else:
                pool.run(tournament, jobs=options.jobs or 0, cluster=options.cluster, listener=progress)
    except KeyboardInterrupt as interrupt:
        code = TERMINATED if isinstance(interrupt, Terminated) else INTERRUPTED
    progress.status.clear()
    if folder:
        written["folder"] = folder
        if code:
            command = resume_command(options, folder)
            print(sentence("cli.arena.resume", options.language, command=command), file=sys.stderr)
        else:
            standings = tournament.standings()
            with resumable(options, folder):
                written |= report.write(folder, tournament.settings, standings, options.language, shown_spec)
    if file and file.written:
        written["pdn"] = options.save
    if code and not progress.score.games:
        return code
    for game in tournament.played.values():
        if game.reason == OURS:
            receipt = tournament.journal.receipt(game.receipt) or {}
            print(f"damas: {game.id}: {receipt.get('trace', OURS)}", file=sys.stderr)
    faults = [(game, _fault_detail(tournament, game)) for game in progress.faults]
    answer = _answer(progress.score, tournament.settings)
    answer["forfeits"] = [_fault_text(*fault, "en") for fault in faults]
    if options.json:
        print_json({**answer, **{name: str(path) for name, path in written.items()}})
    else:
        print(_text(answer, options.language, [_fault_text(*fault, options.language) for fault in faults]))
        if folder and not code:
            text = sentence("cli.arena.written", options.language, folder=f"{folder}{os.sep}")
            print(page.paragraph(text))
    return code


# --- the answer -----------------------------------------------------------------------------


def _fault_detail(tournament: Tournament, game: GameEntry) -> str:
    return str((tournament.journal.receipt(game.receipt) or {}).get("detail", ""))


def _fault_text(game: GameEntry, detail: str, language: str) -> str:
    """Who forfeited a game and why."""
    name = game.white if game.offender == "white" else game.black
    reason = sentence(f"verdict.{game.reason}", language)
    return f"{name}: {reason} ({detail})" if detail else f"{name}: {reason}"


def _signed(elo: float) -> str:
    """A whole number with its sign; zero is positive.

    >>> _signed(-0.3), _signed(float("-inf"))
    ('+0', '-∞')
    """
    return f"{round(elo):+d}" if not isinf(elo) else "+∞" if elo > 0 else "-∞"


def _answer(score: MatchScore, settings: Settings) -> dict[str, object]:
    # 0.0 is added because a small negative number is rounded to -0.0.
    elo, low, high = (None if isinf(value) else round(value, 1) + 0.0 for value in score.sample.elo())
    book = rulebook(settings.rulebook)
    answer: dict[str, object] = {
        "rulebook": book.id,
        "first": settings.names[0],
        "second": settings.names[1],
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "score": round(score.sample.score, 4),
        "pairs": score.pairs,
        "elo": elo,
        "elo_low": low,
        "elo_high": high,
        "forfeits": [],
        "ballot": ballot_hash(book, seed=settings.seed) if settings.openings == "ballot" else None,
        "seed": settings.seed,
    }
    if settings.sprt:
        test = Test(*settings.sprt)
        llr = round(score.sample.llr(test.elo0, test.elo1), 2)
        verdict = test.verdict(score.sample)
        answer["test"] = {"elo0": test.elo0, "elo1": test.elo1, "llr": llr, "verdict": verdict}
    return answer


def _text(answer: dict[str, object], language: str, faults: Sequence[str] = ()) -> str:
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
    if isinstance(test := answer.get("test"), dict):
        lines.append(sprt_text(test, language))
    if answer["ballot"]:
        lines.append(sentence("cli.match.ballot", language, hash=answer["ballot"]))
    lines.append(sentence("cli.arena.seed", language, seed=answer["seed"]))
    if faults:
        reasons = "; ".join(dict.fromkeys(faults))
        lines.append(sentence("cli.match.forfeits", language, count=len(faults), reasons=reasons))
    return "\n".join(page.paragraph(line) for line in lines)
