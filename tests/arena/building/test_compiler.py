"""Programs are compiled in the box: what they make plays, and what attacks the compiler ends there."""

import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from damas.arbiter import TimeControl
from damas.arena.building import BadSource, build, compiler, unpack
from damas.arena.building.program import store
from damas.arena.templates import new_bot
from damas.matches import Entrant, Start, Terms, play
from damas.matches.box.limits import MIB
from damas.matches.box.tiers import missing


def compilable(tool: str) -> None:
    if why := missing("bubblewrap"):
        pytest.skip(f"not proved: {why}")
    if not shutil.which(tool):
        pytest.skip(f"not proved: no {tool} here")


def built(tmp_path: Path, files: dict[str, str], name: str = "bot.zip") -> tuple[str, str]:
    """The command of the program made of these files, stored below the working folder, and the compiler's log."""
    upload = tmp_path / "upload"
    if name.endswith(".zip"):
        with zipfile.ZipFile(upload, "w") as archive:
            for file, text in files.items():
                archive.writestr(file, text)
    else:
        upload.write_text(next(iter(files.values())), encoding="utf-8")
    for folder in ("source", "built"):
        (tmp_path / folder).mkdir()
    program, log = build(unpack(upload, name, tmp_path / "source"), tmp_path / "built")
    file = store(program.path, tmp_path / "programs", ".d" if program.path.is_dir() else program.ending)
    return program.command(f"programs/{file}"), log


def plays(command: str) -> None:
    terms = Terms("concurso", TimeControl.parse("20s/move"), max_plies=8)
    result = play(Entrant.parse(command), Entrant.parse("random"), Start(1), terms)
    assert result.offender is None, result.receipt


PYTHON = {
    "robo.py": "import rules, pathlib\nassert (pathlib.Path(__file__).parent / 'book/a.txt').read_text() == 'book'\n"
    "rules.run()\n",
    "rules.py": "",
    "book/a.txt": "book",
}


def test_a_zip_in_python_finds_its_other_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compilable("python3")
    monkeypatch.chdir(tmp_path)
    text = new_bot(Path("bot.py"), "en").text
    rules = "def run():\n" + "".join(f"    {line}\n" for line in text.splitlines())
    command, log = built(tmp_path, {"main.py": PYTHON["robo.py"], **PYTHON, "rules.py": rules, "robo.py": ""})
    assert log == ""
    plays(command)


def test_a_zip_in_cpp_is_compiled_together_and_gets_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compilable("g++")
    monkeypatch.chdir(tmp_path)
    text = new_bot(Path("bot.cpp"), "en").text
    check = '#include <cstdlib>\n#include <fstream>\nvoid look(const char* place) {\n  std::ifstream file(std::string(place) + "/data/a.txt");\n  std::string word;\n  if (!(file >> word) || word != "book") std::exit(3);\n}\n'
    text = text.replace(
        "int main()", "#include <string>\nvoid look(const char*);\nint main(int, char** words)"
    )
    text = text.replace("words) {", "words) {\n  look(words[1]);", 1)
    assert "look(words[1])" in text
    files = {"bot/main.cpp": text, "bot/look.cpp": "#include <string>\n" + check, "bot/data/a.txt": "book"}
    command, _ = built(tmp_path, files)
    plays(command)


def test_endings_in_capitals_are_compiled_too(tmp_path: Path) -> None:
    compilable("g++")
    files = {
        "MAIN.CPP": "int look();\nint main() { return look(); }\n",
        "LOOK.CPP": "int look() { return 0; }\n",
    }
    assert built(tmp_path, files)[1] == ""


def test_the_log_says_where_a_program_does_not_compile(tmp_path: Path) -> None:
    compilable("g++")
    with pytest.raises(BadSource) as refused:
        built(tmp_path, {"bot.cpp": "int main() {\n  return none;\n}\n"}, "bot.cpp")
    assert refused.value.reason == "compile"
    assert "bot.cpp:2:10: error" in refused.value.log and str(tmp_path) not in refused.value.log


def test_a_compiler_reads_no_file_of_the_machine(tmp_path: Path) -> None:
    compilable("g++")
    secret = tmp_path / "secret.hpp"
    secret.write_text("int secret = 1;")
    secret.chmod(0o644)
    wanted = (secret, Path("/etc/hostname"), Path("/etc/passwd"))
    text = "".join(
        f'#if __has_include("{path}")\n#error {path.name} can be read\n#endif\n' for path in wanted
    )
    built(tmp_path, {"bot.cpp": f"{text}int main() {{}}\n"}, "bot.cpp")


@pytest.mark.parametrize(
    ("text", "limits", "reasons"),
    [
        ("int main() {}\n" + '#include "bot.cpp"\n' * 3, {}, {"compile"}),
        ("char big[80'000'000] = {1};\nint main() { return big[5]; }\n", {}, {"compile", "built", "failed"}),
        (f"// {'x' * 100}\n" + "#error again and again\n" * 2_000, {}, {"compile"}),
        ("int main() {}\n", {"memory": 8 * MIB}, {"memory", "failed"}),
    ],
    ids=["endless inclusion", "a huge program", "a long log", "more memory than there is"],
)
def test_what_attacks_the_compiler_ends_in_the_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, limits: dict[str, int], reasons: set[str]
) -> None:
    compilable("g++")
    if limits:
        monkeypatch.setattr(compiler, "COMPILE_LIMITS", replace(compiler.COMPILE_LIMITS, **limits))
    with pytest.raises(BadSource) as refused:
        built(tmp_path, {"bot.cpp": text}, "bot.cpp")
    assert refused.value.reason in reasons
    assert len(refused.value.log) <= compiler.MAX_LOG_BYTES


def test_compiling_has_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compilable("g++")
    monkeypatch.setattr(compiler, "COMPILE_TIMEOUT_S", 0.01)
    with pytest.raises(BadSource) as refused:
        built(tmp_path, {"bot.cpp": "int main() {}\n"}, "bot.cpp")
    assert refused.value.reason == "slow"


@pytest.mark.parametrize(
    "files",
    [
        {"robo": "\x7fELF", "program/data.txt": "1"},
        {"robo.py": "print()", "__main__.py/data.txt": "1"},
        {"main.js": "require('./index.js')", "index.js": "1"},
    ],
)
def test_files_in_the_place_of_ours_are_named(tmp_path: Path, files: dict[str, str]) -> None:
    if "main.js" in files and not shutil.which("node"):
        pytest.skip("not proved: no node here")
    with pytest.raises(BadSource) as refused:
        built(tmp_path, files)
    assert refused.value.reason == "twice"
    assert refused.value.facts["name"] in "program __main__.py index.js"
