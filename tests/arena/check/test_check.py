"""Bots with planted bugs: each fails its check by name, and nothing else."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from damas.arbiter import TimeControl
from damas.arena.check import CHECKS, Report, examine
from damas.arena.templates import new_bot
from damas.cli import main
from damas.language import entries, sentence
from damas.matches.entrant import Entrant

BOT = Path(__file__).with_name("bad_bot.py")
BUGS = {
    "no-start": "start",
    "not-ready": "start",
    "garbage": "answers",
    "no-nonce": "nonce",
    "old-nonce": "nonce",
    "chatty": "quiet",
    "debug-first": "quiet",
    "everything-is-a-question": "unknown",
    "crash": "stays",
    "slow": "speed",
    "pawn-to": "notation",
    "white-only": "colours",
    "opponents-piece": "own-pieces",
    "backward-man": "men",
    "flying-king": "kings",
    "no-crown": "promotions",
    "never-captures": "captures",
    "one-jump": "chains",
    "small-capture": "capture-laws",
    "draw-crash": "draws",
    "short-buffer": "long-history",
    "late-to-leave": "leaves",
    "deaf": "closed-input",
}
Examined = Callable[..., Report]
BOOKS = {"small-capture": "brasileira", "draw-crash": "brasileira", "short-buffer": "russa"}
"""Rulebooks in which these bugs show; the others show in concurso. In russa a law ends games long before the longest."""


@pytest.fixture
def bot(tmp_path: Path) -> Callable[[str], str]:
    """The file of a bot with that bug."""

    def copy(bug: str) -> str:
        return str(shutil.copy(BOT, tmp_path / f"{bug}.py"))

    return copy


@pytest.fixture
def examined(bot: Callable[[str], str]) -> Examined:
    def report(bug: str, *, milliseconds: int = 5000, book: str = "") -> Report:
        entrant = Entrant.parse(bot(bug), trusted=True)
        book = book or BOOKS.get(bug, "concurso")
        return examine(
            entrant, book, TimeControl("move", extra=milliseconds), each=4 if bug == "small-capture" else 1
        )

    return report


@pytest.mark.parametrize(("bug", "check"), BUGS.items())
def test_a_planted_bug_fails_by_name(examined: Examined, bug: str, check: str) -> None:
    report = examined(bug, milliseconds=1500 if bug == "slow" else 5000)
    assert report.failed() == [check], report.as_json("en")
    assert not report.passed


def test_every_check_has_its_bug() -> None:
    assert set(BUGS.values()) == set(CHECKS)


@pytest.mark.parametrize("book", ["concurso", "brasileira"])
def test_a_good_bot_passes_everything(examined: Examined, book: str) -> None:
    report = examined("good", book=book)
    assert report.passed
    untried = [check.name for check in report.checks if check.status == "not tried"]
    assert untried == (["capture-laws"] if book == "concurso" else [])
    assert report.positions > 30
    assert report["speed"].facts["answers"] == report.positions
    assert 0 <= report["speed"].facts["p50_ms"] <= report["speed"].facts["slowest_ms"]


def test_a_crash_is_told_with_its_position_and_said_to_happen_again(examined: Examined) -> None:
    trouble = examined("crash")["stays"].trouble
    assert trouble
    assert trouble.code == "CRASH"
    assert "K" in trouble.fen
    assert "RuntimeError: what is a king?" in trouble.stderr
    assert trouble.again is True


def test_what_could_not_be_tried_is_not_said_to_pass(examined: Examined) -> None:
    report = examined("no-start")
    statuses = {check.name: check.status for check in report.checks}
    assert statuses.pop("start") == "fail"
    assert set(statuses.values()) == {"not tried"}


@pytest.mark.parametrize("language", ["pt-BR", "pt-PT", "es", "en"])
def test_the_command_tells_what_to_do(
    capsys: pytest.CaptureFixture[str], bot: Callable[[str], str], language: str
) -> None:
    assert main(["check", bot("old-nonce"), "--trust", "--lang", language]) == 1
    out = capsys.readouterr().out
    assert "nonce" in out
    assert f": {sentence('check.detail.another nonce', language)} [EARLY_ANSWER]" in out
    assert f": {sentence('check.tier.none', language)}\n" in out
    assert "{" not in out.replace('{"move"', "").replace('{"type"', "")


def test_the_command_answers_with_json(capsys: pytest.CaptureFixture[str], bot: Callable[[str], str]) -> None:
    assert main(["check", bot("pawn-to"), "--trust", "--json", "--lang", "en"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert not report["passed"]
    assert report["tier"] == "none"
    assert [check["name"] for check in report["checks"]] == list(CHECKS)
    failed = next(check for check in report["checks"] if check["status"] == "fail")
    assert failed["name"] == "notation"
    assert failed["trouble"]["fen"].startswith("W:W")
    assert failed["advice"]
    assert failed["trouble"]["detail"] == "man�[31m forward"


def test_a_program_of_the_text_mode_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "contest.py"
    path.write_text(new_bot(path, "en", text_mode=True).text, encoding="utf-8")
    entrant = Entrant.parse(f"text:{path}", trusted=True)
    report = examine(entrant, "concurso", TimeControl("move", extra=5000), each=1)
    assert report.passed, report.as_json("en")
    untried = {check.name for check in report.checks if check.status == "not tried"}
    assert untried - {"chains", "promotions", "kings"} == {
        "nonce",
        "unknown",
        "capture-laws",
        "draws",
        "long-history",
    }


def test_who_needs_the_list_fails_without_it(bot: Callable[[str], str]) -> None:
    entrant = Entrant.parse(bot("good"), trusted=True)
    report = examine(entrant, "concurso", TimeControl("move", extra=5000), legal=False, each=1)
    assert report.failed() == ["stays"]
    trouble = report["stays"].trouble
    assert trouble and "KeyError: 'legal'" in trouble.stderr


@pytest.mark.parametrize("time", ["0", "-1", "soon", "nan", "inf", "3601"])
def test_a_time_that_is_none_is_refused(
    capsys: pytest.CaptureFixture[str], bot: Callable[[str], str], time: str
) -> None:
    assert main(["check", bot("good"), f"--time={time}", "--lang", "en"]) == 2
    assert "--time is a number of seconds" in capsys.readouterr().err


def test_only_programs_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "random", "--lang", "en"]) == 2
    assert "can be checked" in capsys.readouterr().err


def test_every_check_has_its_words() -> None:
    words = entries("check")
    assert list(words["title"]) == list(words["advice"]) == list(CHECKS)


def test_a_program_that_falls_at_once_is_told_what_it_cannot_find(tmp_path: Path) -> None:
    path = tmp_path / "two_files.py"
    path.write_text("import a_file_beside_it\n")
    report = examine(
        Entrant.parse(str(path), trusted=True), "concurso", TimeControl("move", extra=5000), each=1
    )
    assert report.failed() == ["start"]
    assert "__main__.py" in report["start"].advice("en", "concurso")
