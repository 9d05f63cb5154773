"""Stages that are repeated, interrupted or run in parallel never mix up files of different runs."""

import json
import shutil
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from training import campaign, gate, generate, harvest, ladder, shards, train
from training.atomic_files import write_text

from damas import _core
from damas.cli.progress import ProgressBar
from damas.engine import levels
from damas.game.core import rules_of
from damas.game.laws import laws_of
from damas.openings import random_line
from damas.rules import rulebook
from matches.processes import wait_until_it_computes

ROOT = Path(__file__).resolve().parents[3]
NETWORKS = ROOT / "src/damas/engine/networks"
TIMEOUT_S = 60
needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not here")

BRASILEIRA = rules_of(rulebook("brasileira"))
ORIGIN = shards.Origin(
    rulebook="brasileira",
    rules=_core.rules_fingerprint(BRASILEIRA),
    network="material",
    nodes=1000,
    seed=1,
    first_game=0,
    games=100_000,
    record_bytes=_core.record_bytes(BRASILEIRA),
    random=(6, 12),
    fair=200,
    threatened=False,
    tables=0,
)
"""A shard so large that it would take hours."""
ARGUMENTS = ("-r", "brasileira", "--games-a-shard", "100000", "--threads", "1")


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a stage in this process; returns its exit code and stderr."""

    def run(stage, *arguments):
        monkeypatch.setattr(sys, "argv", [stage.__name__, *map(str, arguments)])
        try:
            code = stage.main()
        except SystemExit as end:
            code = end.code
        return code, capsys.readouterr().err

    return run


@pytest.fixture
def shard(tmp_path):
    """One shard of one position."""
    path = tmp_path / "00000.pos"
    shards.write(path, ORIGIN, bytes(ORIGIN.record_bytes), {"positions": 1})
    return path


# --- files ---------------------------------------------------------------------------------


def test_an_interrupted_write_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "card.json"
    write_text(path, "before")

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_text(path, "after")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("card.json", "before")]


# --- games ---------------------------------------------------------------------------------


def test_shards_with_the_same_options_are_kept(run, shard):
    before = shard.read_bytes()
    assert run(generate, *ARGUMENTS, "--positions", "1", "--out", shard.parent) == (0, "")
    assert [path.read_bytes() for path in shard.parent.iterdir()] == [before]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-r", "portuguesa"), "rulebook brasileira, not portuguesa"),
        (("--network", "shipped"), "network material, not "),
        (("--nodes", "500"), "nodes 1000, not 500"),
        (("--seed", "2"), "seed 1, not 2"),
        (("--games-a-shard", "64"), "games 100000, not 64"),
        (("--random", "4", "9"), "random [6, 12], not [4, 9]"),
        (("--fair", "100"), "fair 200, not 100"),
        (("--threatened",), "threatened False, not True"),
        (("--tables", "2"), "tables 0, not 2"),
    ],
)
def test_shards_with_other_options_are_rejected(run, shard, arguments, message):
    code, stderr = run(generate, *ARGUMENTS, "--positions", "1", *arguments, "--out", shard.parent)
    assert (code, stderr.count("\n")) == (2, 1)
    assert f"{shard} was played with other options" in stderr and message in stderr


def test_a_file_that_is_not_a_shard_is_rejected(run, shard):
    shard.write_text("text")
    code, stderr = run(generate, *ARGUMENTS, "--out", shard.parent)
    assert (code, stderr.count("\n")) == (2, 1) and "is not a shard" in stderr


def test_ctrl_c_ends_the_games_and_keeps_complete_shards(shard):
    before = shard.read_bytes()
    with subprocess.Popen(
        [sys.executable, "-m", "training.generate", *ARGUMENTS, "--out", str(shard.parent)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            wait_until_it_computes(process.pid)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=TIMEOUT_S)
        finally:
            process.kill()  # otherwise it would play for hours
    assert (process.returncode, out, err.count("\n")) == (130, "", 1), err
    assert "stopped" in err
    assert [path.read_bytes() for path in shard.parent.iterdir()] == [before]


@pytest.mark.parametrize(
    ("have", "wanted", "shard_size", "end"),
    [(0, 2000, 400_000, 400_000), (300, 1000, 300, 1200), (900, 1000, 300, 1200), (1200, 1000, 300, 1200)],
)
def test_the_current_shard_counts_as_complete(have, wanted, shard_size, end):
    assert generate.expected_end(have, wanted, shard_size) == end


def test_the_bar_shows_the_share_of_the_shard_played(run, tmp_path, monkeypatch):
    """One position is requested, and half of the games are done when the bar is shown."""

    class Progress:
        done = 0

    half_shown = threading.Event()

    def half_of_the_games(*_, progress, games, **__):
        progress.done = games // 2
        assert half_shown.wait(TIMEOUT_S)
        return b"", {"positions": 700}

    shown = []

    class Bar(ProgressBar):
        def show(self, done, note="", *, last=False):
            shown.append((done / self.total, last))
            if done:
                half_shown.set()

    monkeypatch.setattr(generate, "ProgressBar", Bar)
    monkeypatch.setattr(generate._core, "Progress", Progress)
    monkeypatch.setattr(harvest._core, "harvest", half_of_the_games)
    arguments = ("-r", "brasileira", "--positions", "1", "--games-a-shard", "64", "--out", tmp_path)
    assert run(generate, *arguments)[0] == 0
    assert (0.5, False) in shown and shown[-1] == (1.0, True)


# --- proofs --------------------------------------------------------------------------------


@pytest.fixture
def learned(tmp_path):
    """The folder of a campaign that was interrupted before its matches."""
    folder = tmp_path / "learned0"
    folder.mkdir()
    shutil.copy(NETWORKS / "brasileira.net", folder)
    card = json.loads((NETWORKS / "brasileira.json").read_text(encoding="utf-8"))
    write_text(folder / "brasileira.json", json.dumps(card | {"sprt": []}))
    return folder / "brasileira.net"


def stop_before_the_first_stage(monkeypatch):
    """Make a campaign exit with the name of the first stage that it would run."""

    def stage(name, *_, **__):
        raise SystemExit(name)

    monkeypatch.setattr(campaign, "stage", stage)
    monkeypatch.setattr(campaign, "require_torch", lambda: None)


def proofs(network):
    return json.loads(network.with_suffix(".json").read_text(encoding="utf-8"))["sprt"]


def test_a_campaign_plays_only_missing_matches(run, learned):
    arguments = ("-r", "brasileira", "--pairs", "1", "--gate-nodes", "20", "--threads", "1")
    for _ in range(2):
        assert run(campaign, *arguments, "--out", learned.parent.parent)[0] == 0
        assert [proof["against"] for proof in proofs(learned)] == ["material"]


@pytest.mark.parametrize("card", [None, '{"checksum": "0"}'])
def test_a_network_without_its_own_card_is_trained_again(run, learned, card, monkeypatch):
    learned.with_suffix(".json").unlink()
    if card:
        write_text(learned.with_suffix(".json"), card)

    stop_before_the_first_stage(monkeypatch)
    assert run(campaign, "-r", "brasileira", "--out", learned.parent.parent)[0] == "generate"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--player", "none.net"), "none.net: No such file"),
        (("--player", NETWORKS / "brasileira.json"), "is no network"),
        (("--player", NETWORKS / "internacional.net"), "is a network of another board"),
        (("--from", "none.pt"), "none.pt: No such file"),
        (("--from", NETWORKS / "internacional.net"), "is a network of another board"),
        (("--out", "/proc/x"), "/proc/x: "),
        (("--deliver", "/proc/x"), "/proc/x: "),
        (("--deliver", __file__), f"{__file__}: Not a directory"),
    ],
)
def test_a_campaign_checks_later_stages_before_the_games(run, tmp_path, monkeypatch, arguments, message):
    stop_before_the_first_stage(monkeypatch)
    code, stderr = run(campaign, "-r", "brasileira", "--out", tmp_path / "out", *arguments)
    assert (code, stderr.count("\n")) == (2, 1) and message in stderr


def test_a_match_is_added_to_the_card_as_it_is_after_the_games(run, learned, monkeypatch):
    play = _core.pairs

    def meanwhile(*args, **arguments):
        write_text(learned.with_suffix(".json"), json.dumps({"sprt": [{"against": "another"}]}))
        return play(*args, **arguments)

    monkeypatch.setattr(gate._core, "pairs", meanwhile)
    arguments = ("-r", "brasileira", "--nodes", "20", "--pairs", "1", "--threads", "1", "--card")
    assert run(gate, learned, *arguments)[0] in (0, 1)
    assert [proof["against"] for proof in proofs(learned)] == ["another", "material"]


# --- the ladder ----------------------------------------------------------------------------


@pytest.mark.parametrize("changed", [None, "level", "network_for", "ballot"])
def test_a_meeting_is_replayed_only_if_its_settings_changed(tmp_path, monkeypatch, changed):
    monkeypatch.setattr(ladder, "ballot", lambda book, seed: "openings")
    meeting, folder = ladder.Meeting("brasileira", ladder.GREEDY, 1, 1, 1), ladder.Folder(tmp_path)
    folder.add(meeting, ladder.play_meeting(meeting))
    others = {
        "level": lambda number: replace(levels.level(number), noise=1),
        "network_for": lambda book: None,
        "ballot": lambda book, seed: "others",
    }
    if changed:
        monkeypatch.setattr(ladder, changed, others[changed])
    assert (folder.get(meeting) is not None) is (changed is None)


# --- learning ------------------------------------------------------------------------------

LEARN = ("--epochs", "1", "--batch", "64", "--device", "cpu")


@pytest.fixture
def games(run, tmp_path):
    """Too few games to hold any out."""
    few = ("--positions", "1", "--nodes", "20", "--threads", "1", "--games-a-shard", "1")
    assert run(generate, "-r", "brasileira", *few, "--out", tmp_path / "games")[0] == 0
    return tmp_path / "games"


@needs_torch
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--blend", "0.1"), "blend 0.7, not 0.1"),
        (("--rate", "0.1"), "rate 0.001, not 0.1"),
        (("--batch", "32"), "batch 64, not 32"),
        (("--seed", "5"), "seed 1, not 5"),
        (("--scale", "200"), "scale None, not 200.0"),
        (("--epochs", "2"), "epochs 1, not 2"),
        (("--from", NETWORKS / "brasileira.net"), "from None, not "),
    ],
)
def test_training_state_with_other_options_is_rejected(run, games, arguments, message):
    out = games.parent
    assert run(train, games, "--out", out, *LEARN)[0] == 0
    before = (out / "training.json").read_bytes()
    code, stderr = run(train, games, "--out", out, *LEARN, *arguments)
    assert (code, stderr.count("\n")) == (2, 1)
    assert message in stderr and "another --out, or delete it" in stderr
    assert (out / "training.json").read_bytes() == before


@needs_torch
def test_the_same_options_resume_whatever_the_unit(run, games):
    out = games.parent
    assert run(train, games, "--out", out, *LEARN)[0] == 0
    weights = (out / "state.pt").read_bytes()
    assert run(train, games, "--out", out, *LEARN, "--unit", "100")[0] == 0
    assert (out / "state.pt").read_bytes() == weights
    card = json.loads((out / "training.json").read_text(encoding="utf-8"))
    assert (card["scale"], card["training"]["seed"], len(card["training"]["learned"])) == (100.0, 1, 1)
    assert not list(out.glob("*.part"))


@needs_torch
def test_interrupted_training_gives_the_same_losses(run, games, monkeypatch):
    from training import learning

    whole, broken = games.parent / "whole", games.parent / "broken"
    arguments = (*LEARN, "--epochs", "2")
    assert run(train, games, "--out", whole, *arguments)[0] == 0
    save = learning.save

    def keep_one(path, values):
        save(path, values)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(learning, "save", keep_one)
        with pytest.raises(KeyboardInterrupt):
            run(train, games, "--out", broken, *arguments)
    assert not (broken / "training.json").exists()
    assert run(train, games, "--out", broken, *arguments)[0] == 0
    one, other = (
        json.loads((out / "training.json").read_text(encoding="utf-8"))["training"]["learned"]
        for out in (whole, broken)
    )
    assert one == other and len(one) == 2


@needs_torch
def test_unwritable_weights_are_named(run, games):
    from training import quantise

    out = games.parent
    assert run(train, games, "--out", out, *LEARN)[0] == 0
    (out / "weights.pt").rename(out / "kept.pt")
    (out / "weights.pt").mkdir()
    code, stderr = run(train, games, "--out", out, *LEARN)
    assert code == 2 and stderr.endswith(f"{out / 'weights.pt'}: Is a directory\n")
    (out / "weights.pt").rmdir()
    (out / "kept.pt").rename(out / "weights.pt")
    code, stderr = run(quantise, out, "--out", games / "00000.pos" / "x.net")
    assert code == 2 and stderr.endswith(f"{games / '00000.pos'}: Not a directory\n")


@needs_torch
def test_a_network_is_written_after_its_card(run, games, monkeypatch):
    from training import integers, quantise

    out = games.parent
    assert run(train, games, "--out", out, *LEARN)[0] == 0
    network, card = out / "new.net", out / "new.json"
    arguments = (out, "--out", network, "--data", games)

    def killed(*_):
        raise KeyboardInterrupt

    for last in ("compare", "write_text"):
        with monkeypatch.context() as patch:
            patch.setattr(integers, last, killed)
            with pytest.raises(KeyboardInterrupt):
                run(quantise, *arguments)
        assert not network.exists() and not card.exists()
    assert run(quantise, *arguments)[0] == 0
    card_data = json.loads(card.read_text(encoding="utf-8"))
    assert card_data["integers"] == {"positions": 0}
    assert card_data["checksum"] == f"{_core.Network.read(network.read_bytes()).checksum:016x}"


@needs_torch
@pytest.mark.parametrize(
    ("size", "all_squares", "pieces"), [(8, False, 24), (10, False, 40), (12, False, 60), (8, True, 32)]
)
def test_the_first_layer_holds_all_pieces_of_the_start(size, all_squares, pieces):
    import torch
    from training.command_line import StageError
    from training.integers import check_int16_sums
    from training.model import FIRST, Shape

    shape = Shape(size, all_squares)
    bias = torch.zeros(FIRST, dtype=torch.int64)
    most = torch.full((shape.inputs, FIRST), 32767 // pieces)
    check_int16_sums(most, bias, shape)
    with pytest.raises(StageError, match="more than int16 holds"):
        check_int16_sums(most + 1, bias, shape)


@needs_torch
@pytest.mark.parametrize(("first", "buckets", "same"), [(256, 8, True), (512, 8, False), (512, 16, False)])
def test_a_larger_network_begins_with_the_scores_of_the_one_before(first, buckets, same):
    from training.integers import decode_weights, encode
    from training.model import Model, Shape, widened

    book = rulebook("brasileira")
    data = (NETWORKS / "brasileira.net").read_bytes()
    model = Model(Shape(8, False, first, buckets))
    model.load_state_dict(widened(decode_weights(data), model.shape))
    model.requires_grad_(False)
    before = _core.Network.read(data)
    after = encode(model, {"rules": before.rules, "scale": 150.0}, before.card)
    assert (after == data) is same
    engines = []
    for network in (before, _core.Network.read(after)):
        engines.append(_core.Engine(rules_of(book), laws_of(book), hash_bytes=1 << 16, threads=1))
        engines[-1].use(network)
    for plies in range(4, 60, 4):
        position = random_line(book, plies, seed=1, plies=plies).position
        assert len({engine.standing(position) for engine in engines}) == 1
