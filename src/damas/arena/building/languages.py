"""The programming languages that can be sent: how each is compiled and started."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

JAVA_HEAP = "-Xmx320m"
"""Java would plan with a quarter of the machine, which is more than the box allows."""


@dataclass(frozen=True)
class Language:
    """A programming language by the ending of its files."""

    ending: str
    name: str
    tool: str
    """The command that must be installed; empty for Python, which is always there."""
    compiled: bool = True


LANGUAGES = {
    language.ending: language
    for language in (
        Language(".py", "Python", "", compiled=False),
        Language(".js", "JavaScript", "node", compiled=False),
        Language(".java", "Java", "javac"),
        Language(".cpp", "C++", "g++"),
        Language(".rs", "Rust", "rustc"),
        Language(".go", "Go", "go"),
    )
}
"""Languages by ending."""


def installed(language: Language) -> bool:
    """Whether programs of this language can be made and run here."""
    if language.ending == ".java" and not shutil.which("java"):
        return False
    return not language.tool or tool_path(language) is not None


@cache
def tool_path(language: Language) -> str | None:
    """The compiler itself: rustup puts another program in front of it, which finds nothing in a box."""
    found = shutil.which(language.tool)
    if found and language.ending in (".rs", ".go"):
        question = ["--print", "sysroot"] if language.ending == ".rs" else ["env", "GOROOT"]
        try:
            answer = subprocess.run(
                [found, *question], capture_output=True, text=True, timeout=30, check=True
            )
        except (OSError, subprocess.SubprocessError):
            return None
        own = Path(answer.stdout.strip()) / "bin" / language.tool
        return str(own) if own.is_file() else found
    return found


def runtime_of(language: Language) -> tuple[str, ...]:
    """Folders outside the system's own that the compiler reads."""
    path = tool_path(language)
    places = list(map(str, Path("/etc").glob("java*"))) if language.ending == ".java" else []
    if path and not path.startswith("/usr/"):
        places.append(str(Path(path).resolve().parent.parent))
    return tuple(places)


def compile_command(language: Language, main: str, files: list[str], out: str) -> list[str]:
    """The command that compiles the program, run in its source folder; `main` is its main file."""
    tool = tool_path(language) or language.tool
    of_language = sorted(file for file in files if file.endswith(language.ending))
    match language.ending:
        case ".java":
            options = ["-J-Xmx400m", "-J-XX:+UseSerialGC", "-proc:none", "-encoding", "UTF-8"]
            return [tool, *options, "-d", out, *of_language]
        case ".cpp":
            return [tool, "-O2", "-std=c++20", "-pthread", "-o", f"{out}/program", *of_language]
        case ".rs":
            return [tool, "-O", "--edition", "2021", "-C", "strip=symbols", "-o", f"{out}/program", main]
    whole = "go.mod" in files or any("/" in file for file in of_language)
    return [tool, "build", "-o", f"{out}/program", *(["."] if whole else of_language)]


COMPILE_ENVIRONMENT = {"GOCACHE": "/tmp/go", "GOPATH": "/tmp/gopath", "GOFLAGS": "-mod=mod", "GOPROXY": "off"}
"""Go wants a cache, and must not look for modules in the network."""


def main_class(source: str, stem: str) -> str:
    """The class of a Java file that has `main`, with its package.

    >>> main_class("package a.b; class Board {} class Bot { public static void main(String[] a) {} }", "Other")
    'a.b.Bot'
    """
    # Only blanks before it: a search over lines would begin anew at each of a million empty ones.
    package = re.search(r"^[ \t\ufeff]*package\s+([\w.]+)\s*;", source, re.MULTILINE)
    before = re.split(r"static\s+void\s+main\s*\(|void\s+main\s*\(", source, maxsplit=1)
    classes = re.findall(r"\b(?:class|record|enum|interface)\s+(\w+)", before[0]) if len(before) > 1 else []
    name = classes[-1] if classes else stem
    return f"{package[1]}.{name}" if package else name
