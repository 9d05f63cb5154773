"""The files of a command: its own, and the runtime it needs. It sees no others."""

import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from damas.errors import BadEntrant
from damas.matches.entrant import shown_command

PACKAGE = Path(__file__).parents[2]
"""The folder of damas, which a bot in Python may import."""
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Folders of the system that every program reads."""
SETTINGS = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
"""Files under /etc that every program reads."""
SETTINGS_OF = {"java": "java*", "dotnet": "dotnet", "node": "ssl/openssl.cnf", "nodejs": "ssl/openssl.cnf"}
"""Files of a runtime under /etc."""
PYTHON = re.compile(r"python(\d(\.\d+)?)?")
"""A plain name of Python."""
RUNTIMES = ("java", "node", "nodejs", "deno", "bun", "ruby", "dotnet", "perl", "lua", "php")
"""Runtimes whose whole folder is shown if it is not a system folder."""
VIRTUAL = ("java", "node", "nodejs", "deno", "bun", "dotnet", "go")
"""Runtimes that reserve far more address space than they use."""


@dataclass(frozen=True)
class Files:
    """A command, and which of its words are its own files."""

    words: list[str]
    own: dict[int, Path]
    """Files and folders of the program itself, by their place among the words."""
    runtime: tuple[str, ...]
    """Folders and files of the system that it reads."""

    @property
    def virtual(self) -> bool:
        """Whether its runtime reserves far more address space than it uses."""
        return Path(self.words[0]).name in VIRTUAL


def files_of(command: list[str], *, stranger: bool) -> Files:
    """The files of a command; a `stranger` runs as a user who may not enter every folder that we may.

    Raises `BadEntrant` for a program or an interpreter that does not exist.
    """
    # A plain `python3` is this Python, whatever comes first in the path.
    words = list(command) if PYTHON.fullmatch(command[0]) else _with_interpreter(command)
    name = Path(words[0]).name
    runtime = [place for place in (*SYSTEM, *SETTINGS) if Path(place).exists()]
    own: dict[int, Path] = {}
    ours = Path(words[0]).is_absolute() and Path(words[0]).parent == Path(sys.executable).parent
    python = PYTHON.fullmatch(name) and (words[0] == name or ours)
    if python:
        words[0], folders = _python(stranger)
        runtime += folders
    else:
        program = shutil.which(words[0])
        if program is None:
            raise BadEntrant(shown_command(command), "unknown" if words[0] == command[0] else "interpreter")
        path = Path(program).resolve()
        words[0] = str(Path(program).absolute())
        if not within(path, runtime):
            if name in RUNTIMES and path.parent.name == "bin":
                words[0] = str(path)
                runtime.append(str(path.parent.parent))
            else:
                own[0] = path
        if name in SETTINGS_OF:
            runtime += [str(setting) for setting in Path("/etc").glob(SETTINGS_OF[name])]
    for place, word in enumerate(words[1:], start=1):
        if word.startswith("-") or not word:
            continue
        path = Path(word)
        if path.exists() and path.resolve() != Path("/"):
            own[place] = path.resolve()
    return Files(words, own, tuple(dict.fromkeys(runtime)))


def _with_interpreter(command: list[str]) -> list[str]:
    """The command of a script with its interpreter, as the kernel would run it: in a box both have other paths."""
    program = shutil.which(command[0])
    if program is None:
        raise BadEntrant(shown_command(command), "unknown")
    with Path(program).open("rb") as file:
        first = file.readline(200)
    if not first.startswith(b"#!") or Path(program).resolve().is_relative_to("/usr"):
        return list(command)
    interpreter = first[2:].decode("utf-8", "replace").split()
    if interpreter and Path(interpreter[0]).name == "env":
        interpreter = interpreter[1:]
    return [*interpreter, str(Path(program).absolute()), *command[1:]] if interpreter else list(command)


def _python(stranger: bool) -> tuple[str, list[str]]:
    """This Python and its folders, or the system's Python if the program's user cannot reach ours."""
    folders = [sys.base_prefix, sys.prefix, str(PACKAGE)]
    if stranger and not all(reachable(Path(folder)) for folder in folders):
        return str(Path("/usr/bin/python3").resolve()), []
    return sys.executable, [folder for folder in folders if not within(Path(folder), SYSTEM)]


def reachable(path: Path) -> bool:
    """Whether every user may enter the folder."""
    path = path.resolve()
    return all(os.stat(place).st_mode & 0o001 for place in (path, *path.parents))  # noqa: PTH116


def within(path: Path, places: list[str] | tuple[str, ...]) -> bool:
    """Whether a path lies in or below one of these places."""
    return any(path.is_relative_to(place) for place in places)


def stage(files: Files, folder: Path) -> Files:
    """Copies the program's files into a folder readable by every user; returns the command with the copies' paths."""
    folder.chmod(0o755)
    own, words = {}, list(files.words)
    for place, path in files.own.items():
        subfolder = folder / str(place)
        subfolder.mkdir()
        subfolder.chmod(0o755)
        copy = subfolder / path.name
        if path.is_dir():
            shutil.copytree(path, copy, symlinks=True, ignore_dangling_symlinks=True)
            for inner in (copy, *copy.rglob("*")):
                if not inner.is_symlink():
                    inner.chmod(0o755 if inner.is_dir() or os.access(inner, os.X_OK) else 0o644)
        else:
            shutil.copyfile(path, copy)
            copy.chmod(0o755)
        own[place] = copy
        words[place] = str(copy)
    return Files(words, own, files.runtime)
