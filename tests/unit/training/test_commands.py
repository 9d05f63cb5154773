"""Command lines of the training stages: help works without PyTorch, bad input fails with one line."""

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
NETWORKS = ROOT / "src/damas/engine/networks"
STAGES = ("generate", "train", "quantise", "gate", "plot", "campaign", "ladder")
MEETING = ("-r", "brasileira", "--bottom", "2", "--top", "3", "--jobs", "1")
QUICK = ("--nodes", "20", "--pairs", "1", "--threads", "1")


def stage(
    name: str, *arguments: object, without_torch: Path | None = None
) -> subprocess.CompletedProcess[str]:
    before = os.environ.get("PYTHONPATH", "")
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (str(without_torch or ""), before)))}
    return subprocess.run(
        [sys.executable, "-m", f"training.{name}", *map(str, arguments)],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def without_torch(tmp_path: Path) -> Path:
    """A folder for PYTHONPATH that hides PyTorch."""
    folder = tmp_path / "bare"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] == 'torch':\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Missing())\n"
    )
    return folder


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """A writable copy of a network and its card."""
    for name in ("brasileira.net", "brasileira.json"):
        shutil.copy(NETWORKS / name, tmp_path)
    return tmp_path / "brasileira.net"


def refused(result: subprocess.CompletedProcess[str]) -> str:
    """The one sentence of an error; a slow machine shows progress before it."""
    assert result.returncode == 2, result
    sentences = [line for line in result.stderr.splitlines(keepends=True) if "━" not in line]
    assert len(sentences) == 1, result.stderr
    return sentences[0]


@pytest.mark.parametrize("name", STAGES)
def test_every_stage_has_help(without_torch: Path, name: str) -> None:
    result = stage(name, "--help", without_torch=without_torch)
    assert result.returncode == 0 and "usage: " in result.stdout, result.stderr


def test_without_pytorch_it_says_what_to_install(without_torch: Path, tmp_path: Path) -> None:
    for name, arguments in (
        ("train", (tmp_path, "--out", tmp_path)),
        ("quantise", (tmp_path, "--out", "x.net")),
    ):
        assert "pip install" in refused(stage(name, *arguments, without_torch=without_torch))


def test_the_error_names_the_extra_of_pyproject() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["optional-dependencies"]["training"] == ["torch>=2.4,<3"]
    assert '"torch>=2.4,<3"' in (ROOT / "training/command_line.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("/nonexistent.net",), "/nonexistent.net: No such file"),
        ((NETWORKS / "brasileira.json",), "is no network"),
        ((NETWORKS / "brasileira.net", "--against", "/nonexistent.net"), "/nonexistent.net: No such file"),
        ((NETWORKS / "brasileira.net", "-r", "nowhere"), "nowhere"),
        ((NETWORKS / "brasileira.net", "-r", "turca"), "is not a network for turca"),
        (
            (NETWORKS / "brasileira.net", "--against", NETWORKS / "internacional.net"),
            "internacional.net is a network of another board than that of brasileira",
        ),
        ((NETWORKS / "brasileira.net", "--elo0", "5", "--elo1", "5"), "--elo0 5 must be less than --elo1 5"),
    ],
)
def test_gate_reports_why_it_cannot_play(arguments: tuple[object, ...], message: str) -> None:
    assert message in refused(stage("gate", *arguments, *QUICK))


def test_a_network_without_its_card_needs_a_rulebook(network: Path) -> None:
    network.with_suffix(".json").unlink()
    assert "is not there" in refused(stage("gate", network, *QUICK))
    assert "is not there" in refused(stage("gate", network, "-r", "brasileira", "--card", *QUICK))
    assert stage("gate", network, "-r", "brasileira", *QUICK).returncode in (0, 1)
    network.with_suffix(".json").write_text("[]")
    assert "is not a card" in refused(stage("gate", network, *QUICK))


def test_the_card_is_written_only_with_the_option(network: Path) -> None:
    card = network.with_suffix(".json")
    before = card.read_bytes()
    result = stage("gate", network, *QUICK)
    assert result.returncode in (0, 1) and json.loads(result.stdout)["rulebook"] == "brasileira"
    assert card.read_bytes() == before
    result = stage("gate", network, "--card", *QUICK)
    assert json.loads(card.read_text(encoding="utf-8"))["sprt"][-1] == json.loads(result.stdout)


def test_a_card_is_plotted(tmp_path: Path) -> None:
    picture = tmp_path / "loss.svg"
    assert stage("plot", NETWORKS / "brasileira.json", "--out", picture).returncode == 0
    text = picture.read_text(encoding="utf-8")
    assert text.startswith("<svg") and text.count("<polyline") == 2
    assert "No such file" in refused(stage("plot", tmp_path / "none.json", "--out", picture))
    (tmp_path / "other.json").write_text("{}")
    assert "has no losses" in refused(stage("plot", tmp_path / "other.json", "--out", picture))


def test_games_need_a_rulebook_and_a_player_that_exist(tmp_path: Path) -> None:
    assert "nowhere" in refused(stage("generate", "-r", "nowhere", "--out", tmp_path / "x"))
    arguments = ("-r", "brasileira", "--network", "/nonexistent.net", "--out", tmp_path / "x")
    assert "/nonexistent.net" in refused(stage("generate", *arguments))
    assert not (tmp_path / "x").exists()


GATE = (NETWORKS / "brasileira.net",)
GENERATE = ("-r", "brasileira", "--out", "OUT")
LADDER = ("-r", "brasileira", "--out", "OUT")
TRAIN = ("OUT", "--out", "OUT")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("gate", (*GATE, "--pairs", "0"), "--pairs: a whole number from 1"),
        ("gate", (*GATE, "--threads", "0"), "--threads: a whole number from 1"),
        ("gate", (*GATE, "--nodes", "0"), "--nodes: a whole number from 1"),
        ("gate", (*GATE, "--seed=-1"), "--seed: a whole number from 0"),
        ("gate", (*GATE, "--pairs", "9" * 5000), "--pairs: a whole number from 1"),
        ("generate", (*GENERATE, "--games-a-shard", "0"), "--games-a-shard: a whole number from 1"),
        ("generate", (*GENERATE, "--random", "12", "6"), "--random 12 6: the smaller number comes first"),
        ("generate", (*GENERATE, "--positions", "many"), "--positions: a whole number from 1"),
        ("generate", (*GENERATE, "--tables", "8"), "--tables: a whole number from 0 to 7"),
        (
            "generate",
            (*GENERATE, "--network", NETWORKS / "internacional.net"),
            "internacional.net is a network of another board",
        ),
        ("ladder", ("-r", "nope", "--out", "OUT"), "nope"),
        ("ladder", (*LADDER, "--bottom", "4", "--top", "4"), "--bottom 4 must be less than --top 4"),
        ("ladder", (*LADDER, "--top", "11"), "--top: a whole number from 1 to 10"),
        ("ladder", (*LADDER, "--jobs", "0"), "--jobs: a whole number from 1"),
        ("train", (*TRAIN, "--epochs", "0"), "--epochs: a whole number from 1"),
        ("train", (*TRAIN, "--batch", "0"), "--batch: a whole number from 1"),
        ("quantise", (*TRAIN, "--generation=-1"), "--generation: a whole number from 0"),
        ("campaign", (*GENERATE, "--generations", "0"), "--generations: a whole number from 1"),
        ("campaign", ("-r", "nope", "--out", "OUT"), "nope"),
        ("plot", (), "required"),
    ],
)
def test_numbers_out_of_range_are_rejected_before_the_stage_starts(
    tmp_path: Path, name: str, arguments: tuple[object, ...], message: str
) -> None:
    out = tmp_path / "out"
    assert message in refused(
        stage(name, *(out if argument == "OUT" else argument for argument in arguments))
    )
    assert not out.exists()


def test_games_without_positions_end_with_an_error(tmp_path: Path) -> None:
    few = ("--positions", "1", "--nodes", "1", "--threads", "1", "--games-a-shard", "1000")
    # No random game lasts that long, so no game starts.
    arguments = ("-r", "brasileira", *few, "--random", "300", "300", "--out", tmp_path)
    assert "1000 games without a single position" in refused(stage("generate", *arguments))


def test_part_of_the_ladder_can_be_played(tmp_path: Path) -> None:
    result = stage("ladder", *MEETING, "--pairs", "1", "--out", tmp_path)
    assert result.returncode == 0, result.stderr
    assert "| 2 | 0 |" in result.stdout and "| brasileira | 3 | 2 | 2 |" in result.stdout


FEW = ("--positions", "1", "--nodes", "20", "--threads", "1", "--games-a-shard", "64")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("generate", ("-r", "brasileira", *FEW, "--out", "OUT")),
        ("ladder", (*MEETING, "--pairs", "1", "--out", "OUT")),
        ("plot", (NETWORKS / "brasileira.json", "--out", "OUT")),
    ],
)
@pytest.mark.parametrize("out", ["/proc/x", "file/x"])
def test_an_unwritable_path_is_named(
    tmp_path: Path, name: str, arguments: tuple[object, ...], out: str
) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / out
    message = refused(stage(name, *(path if argument == "OUT" else argument for argument in arguments)))
    assert message.startswith(f"python -m training.{name}: {path}: ")
    assert message.endswith(("No such file or directory\n", "Not a directory\n", "Permission denied\n"))


def test_a_file_cannot_be_the_output_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert f"{file}: Not a directory" in refused(stage("generate", "-r", "brasileira", *FEW, "--out", file))


@pytest.mark.parametrize(
    ("name", "arguments", "written"),
    [
        ("generate", ("-r", "brasileira", *FEW, "--out", "OUT"), "00000.pos"),
        ("ladder", (*MEETING, "--pairs", "4", "--out", "OUT"), "brasileira-3-2.pdn"),
        ("plot", (NETWORKS / "brasileira.json", "--out", "OUT/loss.svg"), "loss.svg"),
        ("gate", ("OUT/brasileira.net", "--card", *QUICK), "brasileira.json"),
        (
            "campaign",
            ("-r", "brasileira", "--pairs", "0", "--out", "OUT", "--deliver", "OUT/given"),
            "given/brasileira.net",
        ),
    ],
)
def test_a_full_disk_names_the_file(
    network: Path, name: str, arguments: tuple[object, ...], written: str
) -> None:
    out = network.parent
    (out / "learned0").symlink_to(out)  # for the campaign, which only has to deliver
    before = {path: path.read_bytes() for path in out.iterdir() if path.is_file()}
    result = subprocess.run(
        ["bash", "-c", 'ulimit -f 1; exec "$@"', "bash", sys.executable, "-m", f"training.{name}"]
        + [str(argument).replace("OUT", str(out)) for argument in arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2, result
    *bars, message = result.stderr.splitlines()
    assert message == f"python -m training.{name}: {out / written}: File too large"
    assert len(bars) <= 1 and not list(out.rglob("*.part"))
    assert {path: path.read_bytes() for path in out.iterdir() if path.is_file()} == before


def test_a_campaign_checks_for_pytorch_before_the_games(without_torch: Path, tmp_path: Path) -> None:
    arguments = ("-r", "brasileira", *FEW, "--out", tmp_path / "out")
    assert "pip install" in refused(stage("campaign", *arguments, without_torch=without_torch))
    assert not (tmp_path / "out").exists()


def test_the_help_says_that_whole_shards_are_played() -> None:
    for name in ("generate", "campaign"):
        assert "whole shards are played" in " ".join(stage(name, "--help").stdout.split())


@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not here")
def test_duplicate_positions_are_averaged() -> None:
    import torch
    from training.data import Positions, merge_duplicates

    boards = torch.tensor([[1, 2, 0], [3, 4, 0], [1, 2, 0]])
    unique = merge_duplicates(
        Positions(boards, torch.tensor([10.0, 20.0, 30.0]), torch.tensor([1.0, 0.0, 0.5]))
    )
    rows = zip(unique.boards.tolist(), unique.scores.tolist(), unique.results.tolist(), strict=True)
    assert sorted(rows) == [([1, 2, 0], 20.0, 0.75), ([3, 4, 0], 20.0, 0.0)]


@pytest.mark.soak
@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not here")
def test_a_network_is_made_from_games_to_integers(tmp_path: Path) -> None:
    """Every stage with the smallest possible input."""
    games, learned = tmp_path / "games", tmp_path / "learned"
    few = ("--positions", "1", "--nodes", "50", "--threads", "1", "--games-a-shard", "64")
    for name, arguments in (
        ("generate", ("-r", "brasileira", *few, "--out", games)),
        ("train", (games, "--out", learned, "--epochs", "1", "--batch", "64", "--device", "cpu")),
        ("quantise", (learned, "--out", learned / "brasileira.net", "--data", games)),
    ):
        result = stage(name, *arguments)
        assert result.returncode == 0, result.stderr
    assert stage("gate", learned / "brasileira.net", *QUICK).returncode in (0, 1)
    for arguments in ((tmp_path,), (f"{games}:more",), (games, "--from", tmp_path / "none.pt")):
        assert refused(stage("train", *arguments, "--out", tmp_path / "no"))
    assert not (tmp_path / "no").exists()
    assert "training.json is not there" in refused(stage("quantise", games, "--out", learned / "x.net"))
