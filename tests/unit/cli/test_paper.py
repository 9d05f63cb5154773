"""`damas paper` writes PDF files, and says what it needs."""

from damas.arbiter import Table, ledger
from damas.judging.certificate import Certificate
from paper.printed import Printed


def test_a_leaflet_and_a_blank_sheet_in_the_language_asked_for(damas, tmp_path):
    for kind, title in (("leaflet", "Concurso"), ("scoresheet", "Planilla de anotación")):
        file = tmp_path / f"{kind}.pdf"
        answer = damas("paper", kind, "-r", "concurso", "-o", str(file), "--lang", "es")
        assert (answer.code, answer.out) == (0, f"Guardado: {file}\n")
        assert title in Printed(file.read_bytes()).texts[0]


def test_the_papers_of_a_game_come_from_its_ledger_certificate_or_pdn(damas, tmp_path):
    table = Table.start("brasileira", "casual", ("Ana", "Rui"), fen="W:We5:Bd4").play("e5xc3", at=900)
    files = {"game.jsonl": ledger.dump(table), "game.json": Certificate(table).json}
    files["game.pdn"] = b'[White "Ana"]\n[GameType "26"]\n[FEN "W:We5:Bd4"]\n\n1. e5xc3 1-0\n'
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        sheet = tmp_path / "sheet.pdf"
        assert damas("paper", "scoresheet", str(tmp_path / name), "-o", str(sheet), "--force").code == 0
        [text] = Printed(sheet.read_bytes()).texts
        assert "e5xc3" in text and "Ana" in text
        words = ["certificate", str(tmp_path / name), "-o", str(tmp_path / "c.pdf"), "--json"]
        answer = damas("paper", *words, "--force")
        if name.endswith(".pdn"):
            assert "moves alone" in answer.refused
        else:
            assert answer.json["file"] == str(tmp_path / "c.pdf")
            assert Certificate(table).data["seal"] in Printed((tmp_path / "c.pdf").read_bytes()).squeezed
            assert "--force" in damas("paper", *words).json["error"]["message"]


def test_a_certificate_that_does_not_hold_is_not_printed(damas, tmp_path):
    table = Table.start("brasileira", "casual", ("Ana", "Rui"), fen="W:We5:Bd4").play("e5xc3", at=900)
    changed = tmp_path / "changed.json"
    changed.write_bytes(Certificate(table).json.replace(b"Ana", b"Eva"))
    answer = damas("paper", "certificate", str(changed), "-o", str(tmp_path / "c.pdf"))
    assert "changed.json" in answer.refused and not (tmp_path / "c.pdf").exists()


def test_what_cannot_be_printed_is_said(damas, tmp_path):
    for arguments, why in (
        (["certificate"], "ledger"),
        (["leaflet", "x.pdn"], "-r"),
        (["scoresheet", str(tmp_path / "nothere.pdn")], "nothere.pdn"),
        (["cake"], "cake"),
        ([], "KIND"),
    ):
        answer = damas("paper", *arguments)
        assert why in answer.refused


def test_a_game_that_a_pdn_does_not_have_is_named_with_how_many_it_has(damas, tmp_path):
    file = tmp_path / "two.pdn"
    file.write_text('[GameType "26"]\n1. c3-d4 *\n\n[GameType "26"]\n1. c3-d4 *\n')
    words = ("paper", "scoresheet", str(file), "-o", str(tmp_path / "s.pdf"))
    assert damas(*words, "--game", "2").code == 0
    assert "it has only 2 games" in damas(*words, "--game", "3", "--force").refused
