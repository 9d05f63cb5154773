import json
import subprocess
import sys
from dataclasses import replace

import pytest

from damas.errors import DamagedTournament, TournamentBusy
from damas.language import LANGUAGES
from damas.matches.pool import run
from damas.tournaments import journal
from damas.tournaments.journal import Disqualification, Journal
from damas.tournaments.report.page import html
from damas.tournaments.result import GameEntry
from damas.tournaments.settings import Settings
from damas.tournaments.tournament import Tournament
from matches.playing import fake_play
from tournaments.results import settings

GAME = GameEntry("001-001-01", "p01", "p02", 1.0, "NO_MOVES", "Art. 4", None, 40, 1.5, {"white": "none"})


def play_on(folder, chosen=None, games=10**6):
    """Begins a tournament with these settings, or goes on with it, until so many games are played; its table."""
    with Tournament.create(folder, chosen) if chosen else Tournament.open(folder) as tournament:
        run(tournament, play=fake_play, stop=lambda: len(tournament.played) >= games)
        return tournament.standings()


def test_what_is_written_is_read_back(tmp_path):
    chosen = settings(3, games=4, sprt=None, lines=("W:Wc3:Bd6",), openings="file", title="Taça “ç”")
    with Journal.create(tmp_path / "t", chosen) as book:
        book.add(GAME, '[Event "x"]\n', {"id": "abc", "said": "é"})
        book.add(replace(GAME, id="001-001-02", points=None, receipt="abc"), "", {"id": "abc"})
        book.add(Disqualification("p03", "dois programas"))
    read, entries = journal.read(tmp_path / "t")
    assert read == chosen
    assert entries == [GAME, replace(GAME, id="001-001-02", points=None, receipt="abc"), Disqualification("p03", "dois programas")]  # fmt: skip
    assert journal.pdn_of(tmp_path / "t", GAME.id) == '[Event "x"]\n'
    assert journal.receipt_of(tmp_path / "t", "abc") == {"id": "abc", "game": "001-001-02"}


@pytest.fixture
def written(tmp_path):
    """The journal of a tournament with two games."""
    with Journal.create(tmp_path, settings(2)) as book:
        book.add(GAME)
        book.add(replace(GAME, id="001-001-02"))
    return tmp_path / journal.JOURNAL


def test_a_lone_surrogate_does_not_stop_a_tournament(tmp_path):
    name = "bad\udcff"
    with Journal.create(tmp_path, settings(2)) as book:
        book.add(replace(GAME, white=name))
        book.add(replace(GAME, id="001-001-02"))
    assert [game.white for game in journal.read(tmp_path)[1]] == [name, "p01"]


def test_a_journal_without_settings_is_not_overwritten(tmp_path, written):
    (tmp_path / journal.SETTINGS).unlink()
    with pytest.raises(FileExistsError):
        Journal.create(tmp_path, settings(2))


def test_settings_survive_json():
    chosen = settings(2, sprt=(0.0, 5.0), games=8, seed=7)
    assert Settings.from_json(json.loads(json.dumps(chosen.as_json()))) == chosen


@pytest.mark.parametrize("torn", [b"{", b'{"kind": "game"}\t00000000\n', b"\0" * 40, b"\xff\r\n"])
def test_an_incomplete_last_line_is_dropped_and_overwritten(tmp_path, written, torn):
    whole, entries = written.read_bytes(), journal.read(tmp_path)[1]
    written.write_bytes(whole + torn)
    assert journal.read(tmp_path)[1] == entries
    with Journal.open(tmp_path) as book:
        assert book.entries == entries
        book.add(replace(GAME, id="001-001-03"))
    assert len(journal.read(tmp_path)[1]) == 3
    assert written.read_bytes().startswith(whole)


def test_every_cut_of_the_last_line_leaves_the_lines_before(tmp_path, written):
    whole = written.read_bytes()
    first = whole.index(b"\n") + 1
    for end in range(first, len(whole)):
        written.write_bytes(whole[:end])
        assert journal.read(tmp_path)[1] == [GAME], end


def test_damage_elsewhere_is_an_error(tmp_path, written):
    whole = written.read_bytes()
    written.write_bytes(whole.replace(b'"points": 1.0', b'"points": 0.0', 1))
    with pytest.raises(DamagedTournament) as caught:
        Journal.open(tmp_path)
    assert caught.value.what == "line 1" and all(caught.value.sentence(language) for language in LANGUAGES)
    written.write_bytes(whole + whole[: whole.index(b"\n") + 1])
    with pytest.raises(DamagedTournament, match="line 3"):
        Journal.open(tmp_path)
    (tmp_path / journal.SETTINGS).write_text("{}")
    with pytest.raises(DamagedTournament, match="settings"):
        Journal.open(tmp_path)


def test_one_process_at_a_time(tmp_path):
    with Journal.create(tmp_path, settings(2)):
        code = f"from pathlib import Path; from damas.tournaments.journal import Journal; Journal.open(Path({str(tmp_path)!r}))"
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "TournamentBusy" in ran.stderr
        with pytest.raises(TournamentBusy):
            Journal.open(tmp_path)
        with pytest.raises(FileExistsError):
            Journal.create(tmp_path, settings(2))
        assert journal.read(tmp_path)[1] == [], "anybody may look"
    Journal.open(tmp_path).close()


@pytest.mark.parametrize("format", ["round-robin", "gauntlet", "swiss", "knockout", "ladder"])
@pytest.mark.parametrize("stops", [(), (1,), (3, 5, 9)])
def test_an_interrupted_tournament_has_the_same_table(tmp_path, format, stops):
    chosen = settings(5, format=format, games=2)
    whole = play_on(tmp_path / "whole", chosen)
    play_on(tmp_path / "cut", chosen, games=0)
    for games in (*stops, 10**6):
        cut = play_on(tmp_path / "cut", games=games)
    assert [row.as_json() for row in cut.rows] == [row.as_json() for row in whole.rows]
    assert cut.plan == whole.plan and cut.due == 0


def test_a_test_that_is_interrupted_ends_at_the_same_pair(tmp_path):
    chosen = settings(2, games=2000, sprt=(0, 60))
    whole = play_on(tmp_path / "whole", chosen)
    assert whole.trial.verdict != "open" and whole.trial.last == len(whole.plan) == len(whole.games) < 2000
    play_on(tmp_path / "cut", chosen, games=0)
    for games in (7, 30, 31, 10**6):
        cut = play_on(tmp_path / "cut", games=games)
    assert cut.trial == whole.trial and cut.plan == whole.plan and cut.games == whole.games


def test_a_disqualified_player_loses_what_is_left(tmp_path):
    play_on(tmp_path, settings(3, games=4), games=3)
    journal.disqualify(tmp_path, "p02", "two\nprograms at once")
    journal.disqualify(tmp_path, "nobody", "x")
    table = play_on(tmp_path)
    assert len(table.games) == 12
    last = table.rows[-1]
    assert (last.name, last.disqualified) == ("p02", "two programs at once")
    walked = [game for game in table.games.values() if game.reason == "DISQUALIFIED"]
    assert walked and all((game.points == 0.0) == (game.white == "p02") for game in walked)
    with Tournament.open(tmp_path) as again:
        assert again.disqualified == {"p02": "two programs at once"} and again.over


def test_walkovers_give_points_and_no_rating(tmp_path):
    chosen = settings(3, games=4)
    before = play_on(tmp_path, chosen, games=5)
    journal.disqualify(tmp_path, "p02", "x")
    journal.disqualify(tmp_path, "p03", "x")
    after = play_on(tmp_path)
    [winner] = (row for row in after.rows if row.name == "p01")
    then = {row.name: row for row in before.rows}
    assert winner.points == then["p01"].points + winner.walkovers
    assert after.walkovers == winner.walkovers > 0 and winner.rated == then["p01"].games
    assert {row.name: row.rating for row in after.rows} == {name: row.rating for name, row in then.items()}
    page = html(tmp_path, chosen, after, "en")
    assert f"{after.walkovers} games were not played after a disqualification" in page


def test_the_elo_difference_counts_only_played_games(tmp_path):
    before = play_on(tmp_path, settings(2, games=8, sprt=(0, 50)), games=4)
    journal.disqualify(tmp_path, "p02", "x")
    after = play_on(tmp_path)
    assert len(after.games) == 8 and after.walkovers == 4
    assert (after.difference, after.trial.pairs) == (before.difference, before.trial.pairs)


@pytest.mark.parametrize("format", ["round-robin", "swiss", "knockout", "ladder", "gauntlet"])
def test_a_winner_disqualified_later_does_not_advance(tmp_path, format):
    first, second, *_ = (row.name for row in play_on(tmp_path, settings(4, format=format)).rows)
    journal.disqualify(tmp_path, first, "two programs in one")
    rows = play_on(tmp_path).rows
    assert (rows[0].name, rows[-1].name, rows[-1].disqualified) == (second, first, "two programs in one")


def test_two_disqualified_players_get_no_points(tmp_path):
    play_on(tmp_path, settings(2, games=2), games=0)
    for name in ("p01", "p02"):
        journal.disqualify(tmp_path, name, "x")
    assert [row.points for row in play_on(tmp_path).rows] == [0, 0]
