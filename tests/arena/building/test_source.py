"""What authors send, unpacked: honest files and zips, and zips that attack whoever opens them."""

import io
import stat
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from damas.arena.building import BadSource, Source, SourceLimits, source, unpack
from damas.language import LANGUAGES

BOT = b"print('hello')\n"


def zipped(*files: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return data.getvalue()


def unpacked(
    tmp_path: Path, data: bytes, name: str = "bot.zip", limits: SourceLimits | None = None
) -> Source:
    upload, folder = tmp_path / "upload", tmp_path / "outer" / "folder"
    upload.write_bytes(data)
    folder.mkdir(parents=True)
    return unpack(upload, name, folder, limits)


def why(tmp_path: Path, data: bytes, name: str = "bot.zip", limits: SourceLimits | None = None) -> str:
    with pytest.raises(BadSource) as refused:
        unpacked(tmp_path, data, name, limits)
    assert all(refused.value.sentence(language) for language in LANGUAGES)
    outside = {path for path in tmp_path.rglob("*") if path.is_file()} - {tmp_path / "upload"}
    assert all(path.is_relative_to(tmp_path / "outer" / "folder") for path in outside)
    return refused.value.reason


def test_a_single_file_keeps_a_safe_name(tmp_path: Path) -> None:
    source = unpacked(tmp_path, BOT, "../../meu robô.PY")
    assert (source.main, source.language) == ("meu_rob_.py", "Python")


def test_only_languages_of_this_machine_are_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "installed", lambda language: language.name in ("Python", "C++"))
    with pytest.raises(BadSource) as refused:
        unpacked(tmp_path, b"hello", "readme.txt")
    assert refused.value.facts["kinds"] == ".py, .cpp, .zip, Linux"


def test_java_wants_a_public_class_in_a_file_of_its_name(tmp_path: Path) -> None:
    assert unpacked(tmp_path, b"public final class Dama {}", "meu-bot.java").main == "Dama.java"


@pytest.mark.parametrize(
    ("files", "main"),
    [
        (("main.py", "rules.py", "book/openings.txt"), "main.py"),
        (("meu/main.py", "meu/rules.py", "__MACOSX/meu/._main.py"), "main.py"),
        (("robo.py", "weights.bin"), "robo.py"),
        (("a.cpp", "Bot.cpp", "a.hpp"), "Bot.cpp"),
        (("src/main.rs", "src/board.rs"), "src/main.rs"),
    ],
)
def test_the_main_file_of_a_zip(tmp_path: Path, files: tuple[str, ...], main: str) -> None:
    source = unpacked(tmp_path, zipped(*((name, BOT) for name in files)))
    assert source.main == main and main in source.files and (source.folder / main).read_bytes() == BOT


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (("one.py", "two.py"), "main"),
        (("main.py", "main.js"), "mains"),
        (("read.me",), "main"),
        ((), "zip"),
        (("__MACOSX/x",), "empty"),
    ],
)
def test_a_zip_without_one_main_file(tmp_path: Path, files: tuple[str, ...], reason: str) -> None:
    data = zipped(*((name, BOT) for name in files))
    assert why(tmp_path, data) == ("empty" if not files else reason)


@pytest.mark.parametrize(
    "name",
    ["../main.py", "/etc/main.py", "a/../../main.py", "C:\\main.py", "..\\main.py", "a//main.py", "./main.py",
     "main.py\0.txt", "nova\nlinha.py", "x" * 121, "a/" * 9 + "main.py", "con|pipe.py", "-o.cpp", "@more.cpp"],
)  # fmt: skip
def test_a_name_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    info = zipfile.ZipInfo("main.py")
    info.filename = info.orig_filename = name
    data = zipped(("main.py", BOT), ("extra.txt", BOT))
    written = (
        zipped((info, BOT), ("main.py", BOT))
        if "\0" not in name
        else data.replace(b"extra.txt", b"ext\0a.txt")
    )
    assert why(tmp_path, written) == "name"


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_and_special_files_are_refused(tmp_path: Path, kind: int) -> None:
    info = zipfile.ZipInfo("main.py")
    info.external_attr = (kind | 0o777) << 16
    assert why(tmp_path, zipped((info, b"/etc/passwd"))) == "link"


def test_a_bomb_is_counted_while_it_is_unpacked(tmp_path: Path) -> None:
    bomb = zipped(("main.py", b"#" * 3_000_000))
    assert len(bomb) < 10_000
    assert why(tmp_path, bomb, limits=SourceLimits(bytes=1_000_000)) == "large"
    assert sum(path.stat().st_size for path in (tmp_path / "outer").rglob("*") if path.is_file()) <= 1_000_000


def test_a_bomb_that_lies_about_its_size(tmp_path: Path) -> None:
    bomb = bytearray(zipped(("main.py", b"#" * 3_000_000)))
    directory = bomb.rfind(b"PK\1\2")
    struct.pack_into("<L", bomb, directory + 24, 10)
    struct.pack_into("<L", bomb, 22, 10)
    assert why(tmp_path, bytes(bomb), limits=SourceLimits(bytes=1_000_000)) in ("large", "zip")


def test_bytes_of_many_files_are_counted_together(tmp_path: Path) -> None:
    data = zipped(*((f"{number}.txt", b"#" * 400_000) for number in range(4)), ("main.py", BOT))
    assert why(tmp_path, data, limits=SourceLimits(bytes=1_000_000)) == "large"


def test_too_many_files(tmp_path: Path) -> None:
    data = zipped(*((f"{number}.txt", b"") for number in range(12)))
    assert why(tmp_path, data, limits=SourceLimits(files=10)) == "many"


def test_a_directory_of_too_many_names_is_not_even_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = zipped(*((f"{number:080}", b"") for number in range(3000)))
    monkeypatch.setattr(zipfile, "ZipFile", lambda *_: pytest.fail("it was read"))
    assert why(tmp_path, data) == "many"


def test_a_second_directory_behind_a_long_comment_is_not_read_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record of 64 bits counts, and its locator ends just where the longest comment lets others begin to look."""
    at = 10
    wide = struct.pack("<4sQHHLLQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 10**6, 10**6, 1 << 24, 0)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, at, 1)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, 53, 0, 65_535)
    monkeypatch.setattr(zipfile, "ZipFile", lambda *_: pytest.fail("it was read"))
    assert why(tmp_path, b"PK\3\4______" + wide + locator + end + bytes(65_536)) == "many"


@pytest.mark.parametrize("cut", [10, 100, 300])
def test_a_torn_zip(tmp_path: Path, cut: int) -> None:
    data = zipped(("main.py", BOT * 30), ("rules.py", bytes(range(256))), method=zipfile.ZIP_STORED)
    assert why(tmp_path, data[:-cut]) == "zip"


def test_damaged_contents(tmp_path: Path) -> None:
    data = zipped(("main.py", BOT), method=zipfile.ZIP_STORED).replace(BOT, b"#" * len(BOT), 1)
    assert why(tmp_path, data) == "zip"


def test_other_methods_and_passwords(tmp_path: Path) -> None:
    assert why(tmp_path, zipped(("main.py", BOT), method=zipfile.ZIP_LZMA)) == "zip"
    locked = bytearray(zipped(("main.py", BOT)))
    locked[6] |= 1
    locked[locked.rfind(b"PK\1\2") + 8] |= 1
    (tmp_path / "outer" / "folder").rmdir()
    assert why(tmp_path, bytes(locked)) == "secret"


@pytest.mark.parametrize("names", [("main.py", "MAIN.py"), ("main.py", "main.py"), ("a", "a/main.py")])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_of_one_name(tmp_path: Path, names: tuple[str, str]) -> None:
    assert why(tmp_path, zipped(*((name, BOT) for name in names))) in ("twice", "name")


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [("bot.rb", BOT, "kind"), ("bot", BOT, "kind"), ("bot.py", b" \n", "text"), ("bot.js", b"a\0", "text")],
)
def test_a_file_that_is_no_program(tmp_path: Path, name: str, data: bytes, reason: str) -> None:
    assert why(tmp_path, data, name) == reason


def test_a_language_that_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damas.arena.building.source.installed", lambda language: language.ending != ".go")
    upload = tmp_path / "upload"
    upload.write_bytes(b"package main")
    with pytest.raises(BadSource, match="has no Go"):
        unpack(upload, "bot.go", tmp_path)


def test_the_main_class_is_found_in_a_file_of_empty_lines() -> None:
    question = "from damas.arena.building.languages import main_class\nprint(main_class('\\n' * 4_000_000 + {text!r}, 'Other'))"
    text = "\tpackage a.b;\nclass Bot { public static void main(String[] a) {} }"
    command = [sys.executable, "-c", question.format(text=text)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert answer.stdout == "a.b.Bot\n"
