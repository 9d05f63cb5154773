"""`damas play`: through a pipe, in a terminal, killed in mid-game, and with whatever people type."""

import contextlib
import fcntl
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from damas.arbiter import Player, Table, ledger
from damas.cli.play import Opponent
from damas.cli.playing.commands import COMMAND_WORDS, SIDES, command_words, read
from damas.engine.levels import ahead
from damas.engine.opponent import Computer
from damas.game import Position
from damas.judging.certificate import check
from damas.language import LANGUAGES
from damas.notation import PdnGame, read_games
from damas.rules import rulebook

from .conftest import ROUND, THREE_KINGS, Run

DAMAS = [sys.executable, "-m", "damas"]
ENV = {**os.environ, "LC_ALL": "C.UTF-8", "LANG": "en_US.UTF-8", "TERM": "xterm-256color"}
ENV.pop("LC_ALL")
ENV.pop("NO_COLOR", None)
ANSI = re.compile(r"\033\[[0-9;?]*[A-Za-z]")


def typed(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def two(*more: str, book: str = "brasileira") -> tuple[str, ...]:
    """Arguments for a game of two people."""
    return ("play", "-r", book, "--against", "person", *more)


# Through a pipe


def test_a_game_is_won_saved_and_certified(damas: Run, tmp_path: Path) -> None:
    sheet, paper, proof = (tmp_path / name for name in ("jogo.pdn", "certidao.txt", "certidao.json"))
    stdin = typed(
        "e5xc3", f"save {sheet}", f"certificate {paper}", f"certificate {proof}", "certificate", "quit"
    )
    answer = damas(*two("--fen", "W:We5:Bd4", "--name", "Ana", "--name", "Rui"), stdin=stdin)
    assert (answer.code, answer.err) == (0, "")
    assert "White wins: Black has no pieces left (brasileira, O objetivo do jogo)." in answer.out
    assert "CERTIFICATE OF A GAME OF DRAUGHTS" in answer.out
    (game,) = read_games(sheet.read_text(encoding="utf-8"))
    assert isinstance(game, PdnGame)
    assert (game.tags["White"], game.result.text) == ("Ana", "1-0")
    assert "Ana" in paper.read_text(encoding="utf-8")
    assert check(proof.read_bytes()) == []
    assert damas("judge", str(proof)).code == 0
    assert damas("judge", str(sheet)).code == 0


def test_the_computer_answers_and_says_what_it_is(damas: Run) -> None:
    answer = damas("play", "-r", "brasileira", "--seed", "1", stdin=typed("c3-d4"))
    assert "plays at level 4 of 10" in answer.text
    assert re.search(r"Last move: 1\.\.\. \w\d-\w\d", answer.out)
    assert answer.out == damas("play", "-r", "brasileira", "--seed", "1", stdin=typed("c3-d4")).out
    black = damas("play", "-r", "brasileira", "--seed", "1", "--black", stdin="")
    assert re.search(r"Last move: 1\. \w\d-\w\d", black.out)


@pytest.mark.parametrize(
    ("language", "book"),
    [("pt-BR", "brasileira"), ("pt-PT", "portuguesa"), ("es", "espanhola"), ("en", "internacional")],
)
def test_the_rules_of_home_without_a_question(damas: Run, language: str, book: str) -> None:
    answer = damas("play", "--lang", language, stdin="")
    assert answer.code == 0
    assert f"{book} · " in answer.out


@pytest.mark.parametrize("words", ["offer accept", "empate aceitar", "tablas aceptar"])
def test_a_draw_is_offered_and_accepted_in_three_languages(damas: Run, words: str) -> None:
    assert "Draw: the players agreed" in damas(*two(), stdin=typed("c3-d4", *words.split())).out


def test_offers_may_be_declined_and_withdrawn(damas: Run) -> None:
    out = damas(*two(), stdin=typed("offer", "decline", "offer", "withdraw", "accept", "quit")).out
    assert out.count("· White offers a draw: accept or decline") == 2
    assert "There is no offer that this could answer." in out


def test_a_refused_move_is_explained_when_asked(damas: Run) -> None:
    fen = "W:Wc3,h2:Bd4"
    out = damas(*two("--fen", fen), stdin=typed("h2-g3", "?", "? h2-g3", "? c3xe5", "?", "moves")).out
    text = " ".join(out.split())
    assert text.count("h2-g3 takes nothing") == 3
    assert "A captura é obrigatória: " in text  # the article in our words
    assert "c3xe5 may be played." in text
    assert text.count("White must capture: c3xe5") == 2


def test_where_aids_are_forbidden_nothing_is_shown(damas: Run) -> None:
    options = two("--regulation", "school", "--fen", "W:Wc3,h2:Bd4", book="faraes")
    out = damas(*options, stdin=typed("?", "? h2-g3", "moves", "h2-g3", "?")).text
    assert out.count("No aids are allowed in this game (faraes, Art. 14).") == 3
    assert "h2-g3 takes nothing" in out
    assert "c3xe5" not in out


def test_a_counted_illegal_move_warns_before_it_loses(damas: Run) -> None:
    options = two("--regulation", "club", book="portuguesa")
    text = " ".join(damas(*options, stdin=typed("10-15", "10-16", "10-17")).out.split())
    assert text.index("(1 of 3; 3 lose the game)") < text.index("(2 of 3; 3 lose the game)")
    assert "Black wins" in text.split("(2 of 3;")[1]


def test_a_move_is_taken_back(damas: Run) -> None:
    out = damas(*two(), stdin=typed("c3-d4", "back", "decline", "back", "accept", "e3-f4")).out
    assert "Last move: 1. e3-f4" in out
    against = damas("play", "-r", "brasileira", "--seed", "1", stdin=typed("c3-d4", "voltar", "c3-b4")).out
    assert "Black grants the take-back." in against


def test_attention_is_called_and_the_count_is_shown(damas: Run) -> None:
    """PRODUCT A3."""
    moves = [ROUND[ply % 4] for ply in range(4)]
    after = [ROUND[ply % 4] for ply in range(25)]
    options = two("--regulation", "school", "--lang", "pt-BR", book="faraes")
    text = damas(*options, "--fen", THREE_KINGS, stdin=typed(*moves, "pretas atenção", *after)).text
    assert "Chamar a atenção do adversário (três damas contra" in text
    assert "três damas contra uma: 7 de 13 lances" in text
    limit = "Empate: três damas contra uma, limite de 13 lances do lado mais forte, contado desde o lance 3"
    assert f"{limit} (faraes, Art. 12)." in " ".join(text.split())


@pytest.mark.parametrize("style", [(), ("--plain",)])
def test_whoever_claims_too_early_reads_what_may_be_done_instead(damas: Run, style: tuple[str, ...]) -> None:
    options = two("--regulation", "school", "--lang", "pt-BR", *style, book="faraes")
    moves = [ROUND[ply % 4] for ply in range(4)]
    out = damas(*options, "--fen", THREE_KINGS, stdin=typed(*moves, "reclamar")).out
    answer = " ".join(out[out.index("Não há o que reclamar agora.") :].split())
    assert "Chamar a atenção do adversário (três damas contra" in answer and ": atenção" in answer
    assert max(map(len, out.splitlines())) <= 80


def test_a_count_that_was_called_for_is_shown_at_once(damas: Run) -> None:
    options = two("--unrecorded", "--lang", "pt-BR", book="faraes")
    for style in ((), ("--plain",)):
        answer = damas(*options, *style, "--fen", THREE_KINGS, stdin=typed("atenção"))
        before, after = answer.text.split("> atenção")
        assert "0 de 13" not in before
        assert "três damas contra uma: 0 de 13 lances" in after


@pytest.mark.parametrize("line", ["zz", "5,1 4,0", "3,3 4,4", "black 5,1 4,0"])
def test_in_a_contest_an_invalid_line_loses(damas: Run, line: str) -> None:
    """B.004-8: unreadable, another's piece, an empty square, out of turn."""
    out = damas(*two("--regulation", "contest", "--lot", "3", book="concurso"), stdin=typed(line)).text
    loser = "Black" if line.startswith("black") else "White"
    assert f"{loser} made an invalid move, “{line.removeprefix('black ')}”" in out


def test_the_contest_is_played_in_rows_and_columns(damas: Run) -> None:
    stdin = typed("touch c3", "2,4 3,5", "2,2 3,3")
    out = damas(*two("--touch", book="concurso"), stdin=stdin).text
    assert "the piece on 2,2 is touched" in out
    assert "The touched piece on 2,2 must be moved" in out
    assert "c3" not in out.replace("touch c3", "")


def test_touched_is_moved(damas: Run) -> None:
    stdin = typed("touch c3", "e3-f4", "?", "c3-d4", "adjust", "touch f6", "adjust", "h6-g5")
    out = damas(*two("--touch", book="faraes"), stdin=stdin).text
    assert out.count("The touched piece on c3 must be moved (faraes, Art. 15).") == 2
    assert "Black is adjusting" in out
    assert "Last move: 1... h6-g5" in out


def test_a_capture_broken_off_is_the_opponents_choice(damas: Run) -> None:
    options = two("--regulation", "school", "--fen", "W:Wc3:Bd4,f6,a7", book="faraes")
    demanded = damas(*options, stdin=typed("stop c3xe5", "demand", "c3xe5xg7")).out
    assert "White must complete c3xe5" in " ".join(demanded.split())
    assert "Last move: 1. c3xe5xg7" in demanded
    accepted = damas(*options, stdin=typed("soltar c3xe5", "aceitar", "quit")).out
    assert "move 1" in accepted


def test_claims_are_ruled_on(damas: Run) -> None:
    options = two("--regulation", "club", "--fen", "W:W21,K32:BK1,12", book="inglesa")
    four = ("32-27", "1-5", "27-32", "5-1")
    out = damas(*options, stdin=typed("claim", *four, "claim threefold", *four, "claim")).text
    assert "There is nothing to claim now." in out
    assert "is not complete: 2 of 3" in out
    assert "Draw: the same position stood 3 times" in out


def test_whose_command_it_is_may_be_said(damas: Run) -> None:
    assert "White wins: Black resigned" in damas(*two(), stdin=typed("black resign")).out
    assert "White wins: Black resigned" in damas(*two(), stdin=typed("pretas abandonar")).out
    mine = damas("play", "-r", "brasileira", stdin=typed("black resign", "quit")).out
    assert "The computer plays Black." in mine


def test_moves_are_typed_in_any_notation(damas: Run) -> None:
    for move in ("22-18", "c3d4", "2,2 3,3", "C3-D4"):
        assert "Last move: 1. c3-d4" in damas(*two(), stdin=typed(move)).out, move


def test_plain_words_for_those_who_hear_them(damas: Run) -> None:
    for language in LANGUAGES:
        stdin = typed("c3-d4", "board", "help", "resign")
        answer = damas(*two("--plain", "--lang", language), stdin=stdin)
        assert answer.code == 0
        assert not set("│┌●○·\033") & set(answer.out)
    out = damas(*two("--plain", "--lang", "pt-PT"), stdin=typed("tabuleiro")).out
    assert "Brancas: pedras em a1, c1, e1, g1, b2, d2, f2, h2, a3, c3, e3, g3." in out
    assert "Lance 1: jogam as brancas." in out


def test_numbers_and_rows_are_shown_as_the_rulebook_writes_moves(damas: Run) -> None:
    out = damas(*two(book="concurso"), stdin=typed("2,2 3,3")).out
    assert "0 1 2 3 4 5 6 7" in out
    assert "Last move: 1. 2,2 3,3" in out
    assert "32 │" in damas(*two(book="portuguesa"), stdin="").out


def test_the_lot_decides_and_is_told(damas: Run) -> None:
    first = damas("play", "-r", "concurso", "--lot", "1", "--name", "Ana", stdin="").out
    assert "drawn with seed 1" in first
    assert "● Black, Ana" in first
    by_rule = damas("play", "-r", "concurso", "--regulation", "contest", "--time", "none", stdin="").out
    assert re.search(r"drawn with seed \d+", by_rule)


def test_people_in_a_contest_have_time_to_play(damas: Run) -> None:
    for given, left in (((), "0:30"), (("--time", "60s/move"), "1:00")):
        out = damas(*two("--regulation", "contest", "--lot", "3", *given, book="concurso"), stdin="").out
        assert left in out


def test_files_that_cannot_be_written_are_told(damas: Run) -> None:
    out = damas(*two(), stdin=typed("save /no/such/folder/x.pdn", "save", "certificate", "c3-d4")).out
    assert "/no/such/folder/x.pdn: there is no such file or folder" in out
    assert "Name the file" in out
    assert "The game is not over yet." in out
    assert "Last move: 1. c3-d4" in out


def test_an_error_of_ours_suspends_the_game_and_nobody_loses(
    damas: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("damas.arbiter.procedures.draws._offer", broken)
    out = damas(*two(), stdin=typed("c3-d4", "offer", "f6-g5", "resume", "f6-g5")).text
    assert "An error of ours has suspended the game; nobody loses by it." in out
    assert "the arbiter resumes it or ends it" in out
    assert "Last move: 1... f6-g5" in out
    assert "a bug" not in out


def test_a_terminal_without_such_letters_gets_others(tmp_path: Path) -> None:
    env = {**ENV, "PYTHONIOENCODING": "ascii", "LANG": "C"}
    done = subprocess.run(
        [*DAMAS, "play", "-r", "brasileira", "--seed", "1"],
        input=b"c3-d4\n",
        capture_output=True,
        env=env,
        check=True,
    )
    assert b"\\u" not in done.stdout
    assert b"w White, you" in done.stdout


# The words


def test_every_word_means_one_command() -> None:
    for command, words in COMMAND_WORDS.items():
        for word in words:
            assert read(word).name == command, word
            assert read(word.upper()).name == command, word
    for word, side in SIDES.items():
        assert read(f"{word} resign").side is side
    assert read("atencao").name == "attention"
    assert read("c3-d4").name == "move"
    assert read("  ?c3-d4 ").argument == "c3-d4"
    assert read("white").name == "move"  # no command follows: let the arbiter say what it is
    assert command_words("pt-BR")["accept"] == "aceitar"


def test_whatever_is_typed_nothing_breaks(damas: Run) -> None:
    random = Random(5)
    commands = (words for name, words in COMMAND_WORDS.items() if name not in ("quit", "save", "certificate"))
    words = [*chain(*commands), "c3-d4", "f6-g5", "a3-b4", "g3xh9", "😀", "1-2-3", "\x00"]
    for number in range(30):
        lines = []
        for _ in range(40):
            side = random.choice(["", "", "white ", "black "])
            lines.append(side + " ".join(random.choices(words, k=random.choice([1, 1, 2]))))
        book = random.choice(["brasileira", "faraes", "concurso", "portuguesa", "inglesa"])
        rules = random.choice(["casual", "school", "club"])
        against = random.choice(["person", "computer"])
        style = random.choice([(), ("--plain",)])
        options = ("play", "-r", book, "--regulation", rules, "--against", against, "--white", *style)
        answer = damas(*options, "--seed", str(number), stdin=typed(*lines))
        assert answer.code == 0, lines
        assert answer.err == ""
        assert "is suspended" not in answer.out


# The computer


def test_the_computer_takes_what_is_offered_and_gives_nothing_away() -> None:
    table = Table.start("brasileira", "casual", fen="W:Wc3,g3:Bd4,h6")
    assert Computer(table.to_move, 1).choose(table).text == "c3xe5"
    table = Table.start("brasileira", "casual", fen="W:Wc3,a1:Be5,h8")
    assert Computer(table.to_move, 1).choose(table).text != "c3-d4"
    for level in (1, 5, 10):
        game = Table.start("brasileira", "casual", fen="W:Wc3:Bd4,f6")
        assert Computer(game.to_move, 1, level).choose(game).text == "c3xe5xg7"
    assert ahead(Position.from_fen("W:WKa1,c3:Bd6", "brasileira"), table.to_move) == 3


def test_the_help_tells_which_rulebook_it_is_without_one(damas: Run) -> None:
    help_text = damas("play", "--help").text
    assert "portuguesa for pt-PT" in help_text and "internacional for en" in help_text


def test_the_level_is_told_and_must_be_one(damas: Run) -> None:
    assert "level 2 of 10" in damas("play", "-r", "brasileira", "--level", "2", stdin="").out
    assert "--level" in damas("play", "--level", "11").refused


def test_two_computers_can_play_a_game_to_its_end() -> None:
    for book in ("brasileira", "concurso", "portuguesa"):
        table = Table.start(book, "casual")
        sides = {side: Computer(side, 3) for side in (table.to_move, table.to_move.other)}
        while not table.outcome:
            event = sides[table.to_move].acts(table, table.now)
            assert event
            table = table.apply(event)
        assert table.ply > 20


# Files


def test_a_game_is_kept_and_resumed(damas: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "jogo.jsonl")
    first = damas(*two("--save", file), stdin=typed("c3-d4", "f6-g5"))
    assert f"To go on:\n  damas play --resume {file}" in first.out
    assert file in damas(*two("--save", file), stdin="").refused
    second = damas("play", "--resume", file, stdin=typed("g3-h4", "resign"))
    assert "Last move: 1... f6-g5" in second.out
    table = ledger.load(Path(file).read_bytes())
    assert (table.ply, table.outcome.reason) == (3, "RESIGNATION")  # type: ignore[union-attr]
    third = damas("play", "--resume", file, stdin=typed("c1-d2"))
    assert "The game is over" in third.out
    assert ledger.load(Path(file).read_bytes()) == table
    assert damas("judge", file).code == 0


def test_a_game_against_the_computer_is_resumed_against_it(damas: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "jogo.jsonl")
    damas("play", "-r", "faraes", "--black", "--seed", "1", "--save", file, stdin=typed("f6-g5"))
    again = damas("play", "--resume", file, "--seed", "2", stdin="")
    assert "○ White, computer" in again.out
    assert again.out.index("● Black, you") > again.out.index("○ White, computer")  # Black sits at the bottom


def test_the_computer_of_a_resumed_game_is_the_one_it_was_begun_against(damas: Run, tmp_path: Path) -> None:
    whole, parted = tmp_path / "whole.jsonl", tmp_path / "parted.jsonl"
    start = ("play", "-r", "brasileira", "--level", "2", "--seed", "7", "--name", "Ana", "--name", "Hal")
    damas(*start, "--save", str(parted), stdin=typed("c3-d4"))
    second = ledger.load(parted.read_bytes()).position.legal_moves[0].text
    again = damas("play", "--resume", str(parted), stdin=typed(second))
    damas(*start, "--save", str(whole), stdin=typed("c3-d4", second))
    assert "plays at level 2 of 10" in again.text
    assert "● Black, Hal  " in again.out
    one, other = (ledger.load(path.read_bytes()) for path in (whole, parted))
    assert one.game.record.moves == other.game.record.moves and one.ply == 4
    assert other.black.name == "Hal, level 2, seed 7"
    anew = damas("play", "--resume", str(parted), "--level", "3", stdin="")
    assert "plays at level 3 of 10" in anew.text


def test_a_record_that_tells_no_level_is_resumed_at_the_usual_one(damas: Run, tmp_path: Path) -> None:
    file = tmp_path / "old.jsonl"
    table = Table.start("brasileira", "casual", (Player("Ana"), Player("computer", bot=True)))
    file.write_bytes(ledger.dump(table))
    answer = damas("play", "--resume", str(file), stdin="")
    assert "plays at level 4 of 10" in answer.text
    assert "● Black, computer  " in answer.out
    assert file.read_bytes() == ledger.dump(table)


@pytest.mark.parametrize(
    ("name", "level", "seed"),
    [("computer", 10, 0), ("Hal, level 3, seed 4", 1, 10**18 - 1), ("", 4, 5), ("two\nlines", 9, 6)],
)
def test_a_name_gives_level_and_seed_back(name: str, level: int, seed: int) -> None:
    assert Opponent.named(str(Opponent(name, level, seed))) == Opponent(name, level, seed)


def test_time_does_not_run_while_nobody_plays(
    damas: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_000_000]
    monkeypatch.setattr("damas.cli.play._milliseconds", lambda: now[0])
    file = tmp_path / "jogo.jsonl"
    damas(*two("--save", str(file), "--time", "5+3"), stdin=typed("c3-d4", "quit"))
    left = ledger.load(file.read_bytes())
    assert left.suspended
    now[0] += 3_600_000
    damas("play", "--resume", str(file), stdin=typed("f6-g5"))
    table = ledger.load(file.read_bytes())
    assert table.ply == 2
    assert table.clocks.black.charged + table.clocks.white.charged == 0


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_what_a_crash_cut_off_is_left_out(damas: Run, tmp_path: Path, cut: int) -> None:
    file = tmp_path / "jogo.jsonl"
    damas(*two("--save", str(file)), stdin=typed("c3-d4", "f6-g5"))
    whole = file.read_bytes()
    file.write_bytes(whole[:-cut])
    answer = damas("play", "--resume", str(file), stdin=typed("h6-g5"))
    assert "Last move: 1... h6-g5" in answer.out
    assert ledger.load(file.read_bytes()).ply == 2


def test_a_missing_ruling_is_supplied(damas: Run, tmp_path: Path) -> None:
    file = tmp_path / "jogo.jsonl"
    damas(*two("--save", str(file), "--fen", "W:We5:Bd4"), stdin=typed("e5xc3"))
    whole = file.read_bytes()
    without = whole[: whole[:-1].rfind(b"\n") + 1]
    file.write_bytes(without)
    damas("play", "--resume", str(file), stdin="")
    assert file.read_bytes() == whole


def test_a_changed_ledger_is_not_resumed(damas: Run, tmp_path: Path) -> None:
    file = tmp_path / "jogo.jsonl"
    damas(*two("--save", str(file)), stdin=typed("c3-d4", "f6-g5"))
    file.write_bytes(file.read_bytes().replace(b"c3-d4", b"c3-b4"))
    assert "line 2" in damas("play", "--resume", str(file), stdin="").refused


# A process of its own


class Terminal:
    """The real command in a terminal of 80 columns and 24 rows."""

    def __init__(self, *arguments: str, rows: int = 24, **env: str) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
        self.process = subprocess.Popen(
            [*DAMAS, "play", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**ENV, **env},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509
        )
        os.close(slave)
        self.seen = ""

    def until(self, words: str, seconds: float = 60) -> str:
        """What was shown since the last time, once the words have appeared."""
        deadline = time.monotonic() + seconds
        while words not in ANSI.sub("", self.seen):
            ready = select.select([self.master], [], [], max(0, deadline - time.monotonic()))[0]
            try:
                chunk = os.read(self.master, 65536) if ready else b""
            except OSError:
                chunk = b""
            if not chunk:
                raise AssertionError(f"{words!r} did not appear in {self.seen!r}")
            self.seen += chunk.decode("utf-8", "replace")
        shown, self.seen = self.seen, ""
        return shown

    def type(self, line: str) -> None:
        os.write(self.master, f"{line}\n".encode())

    def interrupt(self, words: str) -> str:
        """Ctrl-C, as a person presses it: once more if nothing happens. (Between showing its prompt and waiting for
        a key, readline is deaf to a signal until the next key.)
        """
        for _ in range(5):
            os.write(self.master, b"\x03")
            with contextlib.suppress(AssertionError):
                return self.until(words, 5)
        raise AssertionError(f"{words!r} did not appear in {self.seen!r}")

    def end(self, seconds: float = 60) -> int:
        code = self.process.wait(seconds)
        os.close(self.master)
        return code


@pytest.fixture
def terminal() -> Iterator[type[Terminal]]:
    started: list[Terminal] = []

    class Kept(Terminal):
        def __init__(self, *arguments: str, rows: int = 24, **env: str) -> None:
            super().__init__(*arguments, rows=rows, **env)
            started.append(self)

    yield Kept
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


def screen(shown: str) -> list[str]:
    """The last screen drawn."""
    return ANSI.sub("", shown.rpartition("\033[H\033[J")[2]).split("\n")


def test_make_play_is_three_times_enter_and_a_move(terminal: type[Terminal]) -> None:
    play = terminal(LANG="pt_BR.UTF-8")
    menu = play.until("Regras [1]:")
    assert "1  brasileira" in ANSI.sub("", menu)
    play.type("")
    play.until("Contra: 1 computador, 2 pessoa [1]:")
    play.type("")
    play.until("Cor: 1 brancas, 2 pretas, 3 sorteio [1]:")
    play.type("")
    first = play.until("1. brancas>")
    assert "\033[48;5;" in first  # squares in colour
    play.type("c3-d4")
    second = play.until("2. brancas>")
    lines = screen(second)
    assert "brasileira · lance 2" in lines[1]
    assert any("Último lance: 1... " in line for line in lines)
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    play.type("sair")
    assert play.end() == 0


@pytest.mark.parametrize("book", ["portuguesa", "internacional", "canadense", "turca"])
def test_every_board_fits_into_80_by_24(terminal: type[Terminal], book: str) -> None:
    play = terminal("-r", book, "--against", "person", "--time", "5+3")
    lines = screen(play.until("> "))
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    play.type("quit")
    assert play.end() == 0


def test_help_has_the_screen_for_itself(terminal: type[Terminal]) -> None:
    play = terminal("-r", "brasileira")
    play.until("1. White>")
    play.type("help")
    lines = screen(play.until("1. White>"))
    assert any("claim a limit that is complete" in line for line in lines)
    assert len(lines) <= 24
    play.type("board")
    assert any("brasileira · move 1" in line for line in screen(play.until("1. White>")))


def test_help_of_a_contest_has_only_what_works_there(terminal: type[Terminal]) -> None:
    terms = ("--regulation", "contest", "--time", "600s/move", "--against", "person")
    play = terminal("-r", "concurso", *terms, "--lang", "es")
    play.until("1. blancas>")
    play.type("ayuda")
    shown = {line.split()[0] for line in screen(play.until("1. blancas>")) if line.strip()}
    assert "abandonar" in shown and not shown & {"empate", "tocar", "soplar", "componer", "retirar"}
    play.type("salir")


def test_interrupt_and_end_of_file_leave_cleanly(terminal: type[Terminal], tmp_path: Path) -> None:
    file = tmp_path / "jogo.jsonl"
    play = terminal("-r", "brasileira", "--against", "person", "--save", str(file))
    play.until("1. White>")
    play.type("c3-d4")
    play.until("1. Black>")
    assert "Traceback" not in play.interrupt("To go on:")
    assert play.end() == 130
    assert ledger.load(file.read_bytes()).ply == 1
    play = terminal("--resume", str(file))
    play.until("1. Black>")
    os.write(play.master, b"\x04")
    play.until("To go on:")
    assert play.end() == 0


def test_a_flag_falls_by_itself(terminal: type[Terminal]) -> None:
    play = terminal("-r", "brasileira", "--against", "person", "--time", "1s/move")
    play.until("1. White>")
    shown = play.until("Black wins: White ran out of time")
    assert "Traceback" not in shown
    play.type("quit")
    assert play.end() == 0


def test_two_cannot_go_on_with_the_same_game(terminal: type[Terminal], tmp_path: Path) -> None:
    file = tmp_path / "jogo.jsonl"
    play = terminal("-r", "brasileira", "--against", "person", "--save", str(file))
    play.until("1. White>")
    done = subprocess.run(
        [*DAMAS, "play", "--resume", str(file)], input=b"", capture_output=True, env=ENV, check=False
    )
    assert done.returncode == 2
    assert b"in use by another game" in done.stderr


def test_no_acknowledged_move_is_lost_by_a_kill(tmp_path: Path) -> None:
    """Again and again: play on, kill -9 at some moment, resume. What was acknowledged is there."""
    file = tmp_path / "jogo.jsonl"
    random = Random(1)
    acknowledged = 0
    for round_ in range(4):
        start = ("--save", str(file), "-r", "faraes", "--regulation", "casual", "--against", "person")
        options = ("--resume", str(file)) if round_ else (*start, "--fen", "W:WKa1,Kg1,Kc1,Ka3:BKb8")
        play = subprocess.Popen(
            [*DAMAS, "play", *options, "--plain"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENV
        )
        assert play.stdin
        assert play.stdout
        wanted = random.randint(2, 5)
        seen = b""
        for _ in range(wanted):
            while not seen.rstrip(b" ").endswith(b">"):
                seen += os.read(play.stdout.fileno(), 4096)
            seen = b""
            play.stdin.write(f"{ROUND[acknowledged % 4]}\n".encode())
            play.stdin.flush()
            while not seen.rstrip(b" ").endswith(b">"):  # the next prompt: the move is acknowledged
                seen += os.read(play.stdout.fileno(), 4096)
            acknowledged += 1
        play.stdin.write(f"{ROUND[acknowledged % 4]}\n".encode())  # and one that may or may not arrive
        play.stdin.flush()
        time.sleep(random.random() * 0.02)
        play.send_signal(signal.SIGKILL)
        play.wait()
        play.stdin.close()
        play.stdout.close()
        table = ledger.load(file.read_bytes(), drop_unfinished=True)
        assert acknowledged <= table.ply <= acknowledged + 1
        acknowledged = table.ply
    assert acknowledged >= 8


# The arbiter, house rules and touched pieces


def test_the_arbiter_steps_in_with_a_reason(damas: Run, tmp_path: Path) -> None:
    path = tmp_path / "jogo.jsonl"
    stdin = typed(
        "c3-d4",
        "arbiter time black 60 the clock had stopped",
        "arbiter position W:Wc3,a1:Bf6 a piece fell",
        "c3-d4",
        "árbitro repor 1 lance errado",
        "arbiter end 1-0",
        "arbiter end 1-0 walkover",
        "arbiter restore 1 no, he is here",
        "arbiter end 1/2-1/2 lights out",
        "quit",
    )
    answer = damas(*two("--time", "5", "--save", str(path)), stdin=stdin)
    text = answer.text
    assert "The arbiter must give a reason." in text
    assert "the arbiter's decision: walkover" in text
    assert "the arbiter's decision: lights out" in text
    table = ledger.load(path.read_bytes())
    kinds = ["time_added", "corrected", "moved", "restored", "ended", "ruled", "restored", "ended", "ruled"]
    assert [event.kind for event in table.events[2:]] == kinds


@pytest.mark.parametrize(
    "text", ["", "time 60", "time white soon", "restore back", "end", "dance now", "time white ٣"]
)
def test_what_the_arbiter_cannot_be_asked_for_is_explained(damas: Run, text: str) -> None:
    answer = damas(*two(), stdin=typed(f"arbiter {text}", "quit"))
    assert "The arbiter steps in with a reason" in answer.text


def test_house_rules_are_found_again_where_they_were(damas: Run, tmp_path: Path) -> None:
    rules, path = tmp_path / "as nossas regras.toml", tmp_path / "jogo.jsonl"
    rules.write_text(damas("rules", "brasileira", "--toml").out.replace('id = "brasileira"', 'id = "casa"'))
    start = ("play", "-r", str(rules), "--against", "person", "--save", str(path))
    out = damas(*start, stdin=typed("c3-d4", "quit")).out
    command = next(line for line in out.splitlines() if "--resume" in line)
    again = damas(*shlex.split(command)[1:], stdin=typed("f6-g5", "quit"))
    assert (again.code, again.err) == (0, "")
    assert command in again.out
    assert ledger.load(path.read_bytes(), book=rulebook(str(rules))).ply == 2


@pytest.mark.parametrize(("square", "bound"), [("f6", False), ("a1", False), ("c3", True)])
def test_a_touch_is_always_answered(damas: Run, square: str, bound: bool) -> None:
    answer = damas(*two("--touch"), stdin=typed(f"touch {square}", "quit"))
    assert ("Touching that piece binds nobody." in answer.out) is not bound
    assert (f"the piece on {square} is touched" in answer.text) is bound


def test_captures_in_two_tempi_and_crowning_by_hand(
    damas: Run, tmp_path: Path
) -> None:  # 003-6a, 003-6b, 003-11d
    path = tmp_path / "jogo.jsonl"
    stdin = typed(
        *("10x19x28", "30-26", "lift", "lift 23", "lift 14", "levantar 23"),
        *("blow 28", "report", "report hands", "brancas assinalar segurar", "arbiter note black other talks"),
        *(
            "arbiter release nothing is touched",
            "30-26",
            "28-32",
            "26-22",
            "crown",
            "26-22",
            "register",
            "quit",
        ),
    )
    options = ("--plain", "--regulation", "school", "--save", str(path), "-f", "W:W10,1:B14,23,30,29")
    text = damas(*two(*options, book="portuguesa"), stdin=stdin).text
    assert "White lifts the 2 captured pieces in the order of the jumps: lift SQUARE" in text
    assert "White still has captured pieces to lift (portuguesa, n.º 6)." in text
    assert "The piece on 23 is not the next" in text
    assert "there is no huffing (portuguesa, n.º 11, alínea a)." in text
    assert "keeping the hands over the board (portuguesa, n.º 11, alínea b)" in text
    assert "There is no touched piece and no capture to complete." in text
    assert "Black crowns the man on 32 before playing: crown" in text
    assert "nobody plays on without crowning it (portuguesa, n.º 11, alínea d)." in text
    assert "White's move 1: lifting captured pieces out of order (n.º 6): 23." in text
    assert "Black's move 1: as the arbiter notes, another irregularity: talks." in text
    assert "Total of White: 2 (n.º 11, alínea b: 1, n.º 6: 1)." in text
    assert "Total of Black: 4 (–: 1, n.º 11, alínea a: 1, n.º 11, alínea c: 1, n.º 11, alínea d: 1)." in text
    assert "White reports an irregularity of the opponent: holding a piece to work out the move." in text
    table = ledger.load(path.read_bytes())
    assert [event.kind for event in table.events if event.kind in ("lifted", "crowned")] == [
        *("lifted", "lifted", "crowned")
    ]
