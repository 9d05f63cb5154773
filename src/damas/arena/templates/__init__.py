"""Templates of bots: one complete program for each language, chosen by the ending of a file name.

They are text files, so that nothing runs them by accident. «words» in them are replaced in the user's language.
"""

import re
import shlex
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from damas.errors import BadTemplate
from damas.language import sentence

ARENA = "damas arena {run} random --rulebook concurso --games 20 --time 1"
"""The command by which a new bot plays its first games."""
WORD = re.compile("«([a-z]+)»")
"""A place in a template that is filled in."""


@dataclass(frozen=True)
class Template:
    """A programming language, and the commands that build and run its program: `{file}` is given, `{program}` built."""

    language: str
    text: str
    build: str = ""
    run: str = "{program}"


TEMPLATES = {
    ".py": Template("Python", "bot.py.txt", run="{file}"),
    ".cpp": Template("C++", "bot.cpp.txt", "g++ -O2 -o {program} {file}"),
    ".java": Template("Java", "Bot.java.txt", run="java {file}"),
    ".js": Template("JavaScript", "bot.js.txt", run="node {file}"),
    ".go": Template("Go", "bot.go.txt", "go build -o {program} {file}"),
    ".rs": Template("Rust", "bot.rs.txt", "rustc -O -o {program} {file}"),
}
"""Templates by the ending of the file name."""
TEXT_MODE = Template("Python", "text.py.txt", run="text:{file}")
"""A bot of the text mode, which finds the legal moves itself."""


@dataclass(frozen=True)
class NewBot:
    """A program's text, and the commands for what comes next."""

    template: Template
    text: str
    build: str
    """Empty where nothing need be built."""
    run: str
    """As `damas arena` and `damas check` take it."""

    @property
    def commands(self) -> list[str]:
        """What to type next: build, check, play."""
        quoted = shlex.quote(self.run)
        every = (self.build, f"damas check {quoted}", ARENA.format(run=quoted))
        return [command for command in every if command]


def new_bot(path: Path, language: str, *, text_mode: bool = False) -> NewBot:
    """The bot for a file of that name, its comments in that language; raises `BadTemplate` for an ending we know nothing of."""
    template = TEMPLATES.get(path.suffix)
    if template is None or (text_mode and path.suffix != ".py"):
        raise BadTemplate(path.name, (".py",) if text_mode else tuple(TEMPLATES))
    if text_mode:
        template = TEXT_MODE
    own = path.with_suffix("")
    program = str(own) if len(own.parts) > 1 else f"./{own}"
    words = {"file": shlex.quote(str(path)), "program": shlex.quote(program)}
    build, run = template.build.format(**words), template.run.format(**words)
    arena = ARENA.format(run=shlex.quote(run))
    facts = {
        # It stands in a comment, which no file's name may end.
        "run": re.sub(r"[^\w ./~+&:='-]", "", " && ".join(filter(None, (build, arena)))),
        "name": re.sub(r"[^\w .-]", "", path.stem)[:60] or "bot",
    }

    def fill(match: re.Match[str]) -> str:
        return facts.get(match[1]) or sentence(f"template.{match[1]}", language)

    text = (files("damas.arena.templates") / template.text).read_text(encoding="utf-8")
    return NewBot(template, WORD.sub(fill, text), build, run)
