"""`damas book`: a book is built, asked and described."""


def test_build_probe_and_stats(damas, tmp_path):
    file = str(tmp_path / "out.book")
    built = damas("book", "build", "--positions", "4", "--nodes", "100", "--out", file, "--json").json
    assert (built["positions"], built["rulebook"], built["nodes"]) == (4, "brasileira", 100)
    probed = damas("book", "probe", "--book", file, "--json").json
    assert probed["moves"][0]["text"] in damas("book", "probe", "--book", file).text
    assert "does not have" in damas("book", "probe", "--book", file, "-f", "W:WKa1:BKh6").text
    assert damas("book", "stats", "--book", file, "--json").json["digest"] == built["digest"]
    assert "brasileira" in damas("book", "stats", "--book", file).text
    assert damas("book", "stats", "-r", "faraes", "--json").json["rulebook"] == "brasileira"


def test_bad_input(damas, tmp_path):
    assert "--positions" in damas("book", "build", "--out", str(tmp_path / "out.book")).refused
    assert "no book for turca" in damas("book", "probe", "-r", "turca").refused
    bad = tmp_path / "bad.book"
    bad.write_text("nothing")
    assert "no opening book" in damas("book", "stats", "--book", str(bad)).refused
