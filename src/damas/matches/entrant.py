"""Entrants: a short text names any kind of player.

| text                      | player                                                                    |
|---------------------------|---------------------------------------------------------------------------|
| `random`, `greedy`        | any legal move; one ply of material                                       |
| `level:N`                 | our engine at a level                                                     |
| `moves:A;B;…`             | these moves in order, and from the first again                            |
| `damas`, `material`       | our engine by the clock, with its network or counting men                 |
| `damas+book`              | the same with its opening book                                            |
| `FILE.py`, `FOLDER`       | a program in Python, run by this Python; a folder has a `__main__.py`     |
| any command line          | a program that speaks JSON lines: `node bot.js`, `./bot`                  |
| `text:COMMAND`            | a program that speaks the text mode, in rows and columns                  |
| `hub:COMMAND`             | a program that speaks Hub                                                 |
| `dxp:HOST:PORT`           | a program that listens there; `dxp:PORT:COMMAND` starts it first          |
| `http:NAME@URL`           | the bot of that name on the damas server at that address                  |
| `python:FILE:CLASS`       | a class in a process without a box, for one's own code only               |
"""

import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from damas.engine.levels import LEVELS
from damas.errors import BadEntrant

PLAIN_KINDS = ("random", "greedy", "damas", "damas+book", "material")
"""Our own players whose text is one word."""
SCRIPTS = (".py", ".js", ".jar")
"""File names that an interpreter runs end with one of these."""
_FOLDERS = re.compile(
    r"""(?:^|(?<=[=:,'"]))/(?:[^=:,'"]*/)?"""  # a path that is a whole word or follows one of these signs, spaces included
    r"""|(?:(?<=[\s;(&|<>@])|(?<=^-\w)|(?<=\s-\w))/(?:[^\s=:,;'"()&|<>]*/)?"""  # within a shell command, or as in -I/…
)
"""The folders of absolute paths, anywhere in a word."""


@dataclass(frozen=True)
class Entrant:
    """A player by its text. A trusted one is the owner's own code, which may run without a box.

    >>> Entrant.parse("level:4").name
    'level 4'
    """

    spec: str
    name: str
    trusted: bool = False

    @classmethod
    def parse(cls, spec: str, *, name: str | None = None, trusted: bool = False) -> Self:
        """Raises `BadEntrant` for a text that names no player."""
        default = cls(spec.strip(), "", trusted)._default_name()
        return cls(spec.strip(), name or default, trusted)

    @property
    def kind(self) -> str:
        """One of random, greedy, moves, level, damas, damas+book, material, hub, dxp, http, python, text and program."""
        head, colon, rest = self.spec.partition(":")
        kinds = ("level", "moves", "hub", "dxp", "http", "python", "text") if rest else PLAIN_KINDS
        return head if head in kinds and bool(colon) == bool(rest) else "program"

    @property
    def rest(self) -> str:
        """The text after the kind."""
        return self.spec.partition(":")[2] if self.kind != "program" else self.spec

    @property
    def address(self) -> tuple[str, int, str] | None:
        """Host, port and command of a DXP player; the command is empty for a program that already listens."""
        first, _, rest = self.rest.partition(":")
        host, port, command = ("127.0.0.1", first, rest) if first.isdecimal() else (first, rest, "")
        good = port.isdecimal() and 0 < int(port) < 65536 and host and (command or not first.isdecimal())
        return (host, int(port), command) if good else None

    @property
    def remote(self) -> tuple[str, str] | None:
        """Name and server address of a bot on a server; None for any other player.

        >>> Entrant("http:Rui@https://damas.example/", "Rui").remote
        ('Rui', 'https://damas.example')
        """
        if self.kind != "http":
            return None
        name, _, url = self.rest.partition("@")
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            return None
        plain = url.isascii() and url.isprintable() and not set(url) & set(' @?#\\"<>')
        good = parts.scheme in ("http", "https") and parts.hostname and port != 0 and plain
        return (name, url.rstrip("/")) if good and 0 < len(name) <= 60 and name.isprintable() else None

    @property
    def runs_program(self) -> bool:
        """Whether a program is started for it on this machine."""
        if self.kind == "dxp":
            return bool(self.address and self.address[2])
        return self.kind in ("hub", "text", "program", "python")

    @property
    def boxable(self) -> bool:
        """Whether that program can be contained: a class that gets our own objects cannot, nor a program that listens at a port."""
        return self.kind in ("hub", "text", "program")

    @property
    def command(self) -> list[str]:
        """The command that starts it."""
        words = _split(self.spec, self.rest)
        python = len(words) == 1 and (words[0].endswith(".py") or (Path(words[0]) / "__main__.py").is_file())
        return [sys.executable, *words] if python else words

    @property
    def shown(self) -> str:
        """The text for a published result: of the paths of this machine only the file names are left.

        >>> Entrant("hub:sh /home/ana/engine.sh --book=/home/ana/my.book", "engine").shown
        'hub:sh engine.sh --book=my.book'
        >>> Entrant("python:/home/ana/own.py:Own", "Own").shown
        'python:own.py:Own'
        """
        match self.kind:
            case "python":
                file, _, cls = self.rest.rpartition(":")
                return f"python:{Path(file).name if Path(file).is_absolute() else file}:{cls}"
            case "dxp" if self.address and self.address[2]:
                return f"dxp:{self.address[1]}:{shown_command(shlex.split(self.address[2]))}"
            case "program":
                return shown_command(shlex.split(self.spec))
            case "text" | "hub":
                return f"{self.kind}:{shown_command(shlex.split(self.rest))}"
        return self.spec

    def _check(self, good: object, reason: str) -> None:
        if not good:
            raise BadEntrant(self.spec, reason)

    def _default_name(self) -> str:
        """The name of a player that was given none; raises `BadEntrant` for a text that names no player."""
        match self.kind:
            case "level":
                self._check(re.fullmatch("[0-9]{1,2}", self.rest) and int(self.rest) in LEVELS, "level")
                return f"level {int(self.rest)}"
            case "dxp":
                self._check(self.address, "address")
                host, port, command = self.address or ("", 0, "")
                _split(self.spec, command)
                return f"{host}:{port}"
            case "http":
                self._check(self.remote, "remote")
                return self.remote[0] if self.remote else ""
            case "python":
                file, _, cls = self.rest.rpartition(":")
                self._check(cls.isidentifier() and file, "class")
                self._check(Path(file).is_file(), "missing")
                return cls
            case "program" | "text" | "hub":
                return self._program_name()
        return self.kind

    def _program_name(self) -> str:
        words = self.command
        self._check(words and not any("\0" in word for word in words) and shutil.which(words[0]), "unknown")
        script = next((word for word in words[1:] if not word.startswith("-")), "")
        self._check(not script.endswith(SCRIPTS) or Path(script).is_file(), "missing")
        own = [word for word in words if not word.startswith("-") and _is_program(Path(word))]
        return Path(own[-1] if own else words[0]).stem[:60] or words[0][:60]


def shown_spec(spec: str) -> str:
    """The text of a player for a published result, without the folders of this machine."""
    return Entrant(spec, "").shown


def _split(spec: str, command: str) -> list[str]:
    """The words of a command; raises `BadEntrant` for unclosed quotes."""
    try:
        return shlex.split(command)
    except ValueError:
        raise BadEntrant(spec, "quotes") from None


def _is_program(path: Path) -> bool:
    return path.is_file() or (path / "__main__.py").is_file()


def shown_command(words: list[str]) -> str:
    """A command without the folders of this machine. It still runs in the folder of its files.

    >>> shown_command(["/home/ana/my bot", "-v"]), shown_command(["bots/bot.py"])
    ("'./my bot' -v", 'bots/bot.py')
    >>> shown_command(["sh", "-c", "cd /home/ana && exec ./bot -I/home/ana/lib"])
    "sh -c 'cd ana && exec ./bot -Ilib'"
    """
    shown = [_FOLDERS.sub("", word) for word in words]
    if shown and shown[0] != words[0] and not shutil.which(shown[0]):
        shown[0] = f"./{shown[0]}"
    return shlex.join(shown)
