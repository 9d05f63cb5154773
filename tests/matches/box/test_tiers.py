"""Tiers are proved by a canary, and a machine without any says so."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from damas.arbiter import TimeControl
from damas.errors import NoContainment
from damas.matches.box import landlock, plan, tiers
from damas.matches.box.files import files_of
from damas.matches.box.limits import BoxLimits
from damas.matches.box.plan import FIRST_UID, cpu_seconds, launch_for
from damas.matches.entrant import Entrant

ONE = TimeControl.parse("1s/move")


def test_each_tier_says_that_it_holds_or_why_not():
    assert list(tiers.tiers()) == ["bubblewrap", "landlock"]
    assert tiers.missing("chroot") == "no such tier"


def test_a_tier_whose_canary_gets_out_is_no_tier(monkeypatch):
    """The canary without any box: it must say that it can do what it should not."""
    monkeypatch.setattr(plan, "launch_for", lambda command, *_: plan.trusted_launch(command))
    escaped = tiers._test_tier("bubblewrap")
    assert "read" in escaped and "write" in escaped and "call" in escaped and "signal" in escaped


def test_old_landlock_alone_is_not_enough(monkeypatch):
    monkeypatch.setattr(landlock, "version", lambda: 5)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "signals" in tiers.missing.__wrapped__("landlock")
    monkeypatch.setattr(landlock, "version", lambda: 0)
    assert "no Landlock" in tiers.missing.__wrapped__("landlock")


def test_without_bubblewrap(monkeypatch):
    monkeypatch.setattr(tiers.shutil, "which", lambda _: None)
    assert "bwrap" in tiers.missing.__wrapped__("bubblewrap")


def test_who_needs_which_tier(monkeypatch):
    held = {"bubblewrap": "no", "landlock": ""}
    monkeypatch.setattr(tiers, "missing", held.__getitem__)
    monkeypatch.setattr(tiers.cgroup, "usable", lambda: (None, "no"))
    stranger, own = Entrant("cat", "cat"), Entrant("cat", "cat", trusted=True)
    assert tiers.tier_for(stranger) == "landlock"
    assert tiers.tier_for(own) == "none"
    assert tiers.tier_for(own, "landlock") == "landlock"
    assert tiers.tier_for(Entrant("random", "random")) == "in-process"
    assert tiers.tier_for(Entrant("dxp:127.0.0.1:27531", "far")) == "remote"
    for entrant, wanted in (
        (stranger, "none"),
        (stranger, "bubblewrap"),
        (Entrant("dxp:27531:scan", "listener"), "auto"),
        (Entrant("python:x.py:X", "X"), "auto"),
    ):
        with pytest.raises(NoContainment) as refused:
            tiers.tier_for(entrant, wanted)
        assert all(refused.value.sentence(language) for language in ("pt-BR", "pt-PT", "es", "en"))


@pytest.mark.parametrize("control", ["1s/move", "5+3", "10b2", "1+3x30s", "2m", "100ms/move"])
def test_the_limit_of_cpu_follows_the_time_control(control):
    """Thinking all one's time, and all the opponent's, on every core, stays below it."""
    time = TimeControl.parse(control)
    longest = 400
    own = time.extra * (longest // 2) + (0 if time.by_the_turn else time.budget or 0)
    allowed = cpu_seconds(time, longest)
    assert allowed is not None and allowed * 1000 > 2 * own * (os.cpu_count() or 1)
    assert cpu_seconds(TimeControl.parse("none"), longest) is None


def test_only_named_files_are_the_programs_own(tmp_path):
    own, other = tmp_path / "bot.py", tmp_path / "other.py"
    for file in (own, other):
        file.write_text("")
    files = files_of([sys.executable, str(own), "--level=3", "5"], stranger=False)
    assert files.own == {1: own.resolve()}
    assert not any(str(tmp_path) == place or place == "/tmp" for place in files.runtime)
    folder = files_of(["python3", str(tmp_path)], stranger=False)
    assert folder.own == {1: tmp_path.resolve()}


def test_a_script_is_run_by_the_interpreter_it_names(tmp_path):
    script = tmp_path / "bot"
    script.write_text("#!/usr/bin/env python3\n")
    script.chmod(0o755)
    files = files_of([str(script), "x"], stranger=False)
    assert files.words[1:] == [str(script), "x"]
    assert Path(files.words[0]).name.startswith("python")


def test_root_gives_each_program_a_user_and_copies_of_its_files(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("not proved: not root")
    bot = tmp_path / "bot.py"
    bot.write_text("secret")
    bot.chmod(0o600)
    launches = [launch_for([sys.executable, str(bot)], "landlock", BoxLimits(), ONE, 400) for _ in range(2)]
    try:
        users = [launch.confine["uid"] for launch in launches if launch.confine]
        assert len(set(users)) == 2
        assert all(user >= FIRST_UID for user in users)
        assert all(str(tmp_path) not in word for launch in launches for word in launch.argv)
    finally:
        for launch in launches:
            assert launch.stage
            tiers.shutil.rmtree(launch.stage)


def test_what_a_killed_process_had_staged_is_swept(tmp_path, monkeypatch):
    """Killed between the copy of a program's files and the keeper that takes them away."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True
    )
    pid = int(gone.stdout)
    stale, fresh, ours = (
        tmp_path / f"{plan.STAGE_PREFIX}{name}" for name in (f"{pid}-x", f"{pid}-y", f"{os.getpid()}-x")
    )
    other = tmp_path / f"{plan.STAGE_PREFIX}old"
    for place in (stale, fresh, ours, other):
        (place / "1").mkdir(parents=True)
        if place is not fresh:
            os.utime(place, (0, 0))
    plan.sweep.cache_clear()
    plan.sweep()
    assert not stale.exists() and fresh.exists() and ours.exists() and other.exists()
