"""`damas openings`: what matches begin from, with names and numbers."""

from damas.openings import opening


def test_the_names_of_all(damas):
    assert damas("openings", "-r", "inglesa").text.split() == ["start", "ballot", "random:N", "two-move"]


def test_a_ballot_line_by_line(damas):
    lines = damas("openings", "two-move", "-r", "inglesa", "--count", "3").out.splitlines()
    assert [line.split() for line in lines] == [
        ["1", "Edinburgh,", "21-17", "9-13", "21-17"],
        ["2", "Edinburgh,", "22-17", "9-13", "22-17"],
        ["3", "Edinburgh,", "22-18", "9-13", "22-18"],
    ]


def test_with_a_seed_they_are_those_of_a_match(damas):
    answer = damas("openings", "random:3", "--seed", "9", "--count", "2", "--json").json
    drawn = [opening("random:3", (), "brasileira", number, 9) for number in range(2)]
    assert [tuple(line["moves"]) for line in answer["openings"]] == [each.moves for each in drawn]
    assert answer["openings"][1] == {"number": 2, "name": "random:3 9/2", "moves": list(drawn[1].moves)}


def test_an_unknown_name_is_refused_with_those_there_are(damas):
    refused = damas("openings", "three-move", "-r", "inglesa").refused
    assert "two-move" in refused and "three-move" in refused
