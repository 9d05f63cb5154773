import errno
import xml.etree.ElementTree as ET

import damas as library
from damas.drawing import unicode_board


def test_the_board_its_side_to_move_and_its_fen(damas):
    position = library.Position.from_fen("W:WKa1:Bd4", "brasileira")
    out = damas("show", "-f", "W:WKa1:Bd4").out
    assert str(position) in out
    assert position.fen in out
    assert "White to move" in out
    assert "\033" not in out, "colour is for terminals"


def test_options_reach_the_board(damas):
    drawing = library.Position.start("portuguesa").draw()
    flipped = unicode_board(drawing, orientation="black", numbering="algebraic", ascii=True)
    assert flipped in damas("show", "-r", "portuguesa", "--flip", "--numbering", "algebraic", "--ascii").out
    assert flipped not in damas("show", "-r", "portuguesa", "--ascii").out


def test_svg_to_a_file(damas, tmp_path):
    path = tmp_path / "board.svg"
    answer = damas("show", "-r", "internacional", "--svg", str(path))
    assert (answer.code, answer.out) == (0, "")
    assert ET.parse(path).getroot().tag.endswith("svg")


def test_a_picture_that_cannot_be_written_leaves_the_file_as_it_was(damas, tmp_path, monkeypatch):
    path = tmp_path / "board.svg"
    path.write_text("before")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    assert (
        damas("show", "--svg", str(path)).refused
        == f"damas: {path}: it exists already; --force replaces it\n"
    )
    monkeypatch.setattr("os.fsync", full)
    assert damas("show", "--svg", str(path), "--force").refused == f"damas: {path}: there is no space left\n"
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_svg_to_standard_output_is_only_the_picture(damas):
    out = damas("show", "--svg", "-").out
    assert ET.fromstring(out).tag.endswith("svg")
    assert out != damas("show", "--svg", "-", "--flip").out


def test_json(damas):
    answer = damas("show", "-f", "B:WKa1:Bd4", "--json").json
    assert answer["turn"] == "black"
    assert answer["diagram"] == str(library.Position.from_fen("B:WKa1:Bd4", "brasileira"))
    assert "svg" not in answer
    assert damas("show", "--svg", "-", "--json").json["svg"].startswith("<svg")
