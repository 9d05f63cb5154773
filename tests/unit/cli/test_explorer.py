"""`damas explorer`: a file is built, asked and added to."""


def test_build_probe_and_stats(damas, tmp_path):
    file = str(tmp_path / "openings.db")
    build = ("explorer", "build", "--out", file, "--self-play", "3", "--nodes", "60", "-r", "brasileira")
    built = damas(*build, "--json").json
    assert (built["games"], built["rulebooks"], built["skipped"]) == (3, {"brasileira": 3}, {})
    assert damas("explorer", "stats", file, "--json").json == built
    probed = damas("explorer", "probe", file, "--json").json
    assert sum(move["games"] for move in probed["moves"]) == 3
    assert probed["moves"][0]["text"] in damas("explorer", "probe", file).text
    assert "No game came" in damas("explorer", "probe", file, "-f", "W:WKa1:BKh6").text
    assert "--add" in damas(*build).refused
    assert damas(*build, "--add", "--seed", "2", "--json").json["games"] == 6


def test_bad_sources(damas, tmp_path):
    out = ("--out", str(tmp_path / "openings.db"))
    assert "--self-play" in damas("explorer", "build", *out).refused
    assert "no PDN file" in damas("explorer", "build", *out, str(tmp_path)).refused
    assert "missing.pdn" in damas("explorer", "build", *out, str(tmp_path / "missing.pdn")).refused
    assert not list(tmp_path.iterdir())
