"""What an author sends, unpacked: one source file, a Linux program, or a zip of files with one main file.

Nothing of it is trusted: names stay inside the folder, links and special files are refused, and what a zip holds is
counted while it is unpacked, whatever its directory claims.
"""

import re
import stat
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from damas.arena.building.languages import LANGUAGES, installed
from damas.language import Saying

ELF = b"\x7fELF"
"""First bytes of a Linux program."""
ZIP = b"PK\x03\x04"
"""First bytes of a zip."""
MAIN_STEMS = ("__main__", "main", "bot")
"""Names of main files, in any case, without their ending."""
MAX_DIRECTORY_BYTES = 1 << 18
"""The directory of a zip: it is read whole, before anything is counted."""
MAX_NAME, MAX_DEPTH = 120, 8
"""Characters and folders of a name in a zip."""
END_OF_DIRECTORY = struct.Struct("<4s4H2LH")
"""The last record of a zip."""
LOCATOR_BYTES = 20
"""What stands before it where another record, of 64 bits, says how large the directory is."""
CHUNK = 1 << 16
"""Bytes that are unpacked at a time."""
JUNK = ("__MACOSX/", ".git/", "__pycache__/", ".DS_Store")
"""What systems and tools put beside the program."""
PLAIN_NAME = re.compile(r"[\w.][\w .+()@$-]*")
"""One part of a name: a compiler must not take it for an option."""


class BadSource(ValueError):
    """What was sent is no program; `reason` is a stable code with a sentence under `source`."""

    def __init__(self, reason: str, **facts: object) -> None:
        self.reason, self.facts = reason, facts
        self.log = ""
        """What the compiler wrote."""
        self._saying = Saying(f"source.{reason}", facts)
        super().__init__(self._saying.sentence("en"))

    def sentence(self, language: str) -> str:
        """Why, and what to do."""
        return self._saying.sentence(language)


MAX_FILES = 400
"""Files of a zip."""


@dataclass(frozen=True)
class SourceLimits:
    """How much a program may be, unpacked."""

    bytes: int = 32 << 20
    files: int = MAX_FILES


@dataclass(frozen=True)
class Source:
    """An unpacked program, not compiled yet."""

    folder: Path
    main: str
    """The main file within the folder."""
    files: tuple[str, ...]
    zipped: bool

    @property
    def ending(self) -> str:
        """The ending of its language; empty for a Linux program."""
        ending = PurePosixPath(self.main).suffix.lower()
        return ending if ending in LANGUAGES else ""

    @property
    def language(self) -> str:
        """The name of its language."""
        return LANGUAGES[self.ending].name if self.ending else "Linux"


def unpack(upload: Path, name: str, folder: Path, limits: SourceLimits | None = None) -> Source:
    """Puts what was sent under that name into an empty folder; raises `BadSource` if it is no program."""
    limits = limits or SourceLimits()
    with upload.open("rb") as file:
        head = file.read(4)
    if head == ZIP or name.lower().endswith(".zip"):
        files = _unzip(upload, folder, limits)
        main = _main_file(files, folder)
        source = Source(folder, main, tuple(files), zipped=True)
    else:
        data = upload.read_bytes()
        main = _single_name(name, data)
        (folder / main).write_bytes(data)
        source = Source(folder, main, (main,), zipped=False)
    _check(source)
    return source


def _check(source: Source) -> None:
    language = LANGUAGES.get(source.ending)
    if language is None:
        return
    if not installed(language):
        raise BadSource("compiler", language=language.name, tool=language.tool)
    text = (source.folder / source.main).read_bytes()
    if not text.strip() or b"\0" in text:
        raise BadSource("text", name=source.main)


def _single_name(name: str, data: bytes) -> str:
    """A safe name with the ending of the language; Java wants a public class in a file of its name."""
    if data.startswith(ELF):
        return "program"
    path = PurePosixPath(name.replace("\\", "/"))
    ending = path.suffix.lower()
    if ending not in LANGUAGES:
        here = [known for known, language in LANGUAGES.items() if installed(language)]
        raise BadSource("kind", kinds=", ".join((*here, ".zip", "Linux")))
    stem = re.sub(r"\W", "_", path.stem, flags=re.ASCII)[:60] or "bot"
    public = re.search(
        rb"\bpublic\s+(?:final\s+|abstract\s+)*(?:class|record|enum|interface)\s+(\w{1,60})", data
    )
    if ending == ".java" and public:
        stem = public[1].decode("ascii", "ignore") or stem
    return stem + ending


# --- zip -----------------------------------------------------------------------------------------


def _unzip(upload: Path, folder: Path, limits: SourceLimits) -> list[str]:
    try:
        with upload.open("rb") as file:
            _check_directory(file)
            with zipfile.ZipFile(file) as archive:
                return _extract(archive, folder, limits)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError, struct.error) as error:
        if isinstance(error, BadSource):
            raise
        raise BadSource("zip") from None


def _check_directory(file: IO[bytes]) -> None:
    """Refuses a directory that would take much memory before the first file is seen."""
    size = file.seek(0, 2)
    tail_at = max(0, size - 65_536 - END_OF_DIRECTORY.size - LOCATOR_BYTES)
    file.seek(tail_at)
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < END_OF_DIRECTORY.size:
        raise BadSource("zip")
    record = END_OF_DIRECTORY.unpack_from(tail, at)
    if b"PK\x06\x07" in tail[max(0, at - LOCATOR_BYTES) : at] or record[5] > MAX_DIRECTORY_BYTES:
        raise BadSource("many", most=MAX_FILES)
    file.seek(0)


def _extract(archive: zipfile.ZipFile, folder: Path, limits: SourceLimits) -> list[str]:
    infos = [info for info in archive.infolist() if not _is_junk(info.filename)]
    entries = [(info, _safe_name(info)) for info in infos if not info.filename.endswith("/")]
    if len(entries) > limits.files or len(infos) > 4 * limits.files:
        raise BadSource("many", most=limits.files)
    if not entries:
        raise BadSource("empty")
    top = _common_folder([name for _, name in entries])
    names: dict[str, str] = {}
    left = limits.bytes
    for info, name in entries:
        name = name[len(top) :]
        if names.setdefault(name.casefold(), name) != name or (folder / name).exists():
            raise BadSource("twice", name=_shown(name))
        left -= _copy(archive, info, folder / name, left, limits.bytes)
    return sorted(names.values())


def _is_junk(name: str) -> bool:
    return any(f"/{junk}" in f"/{name}" for junk in JUNK)


def _safe_name(info: zipfile.ZipInfo) -> str:
    """The name of a file, which stays in its folder; raises `BadSource` for any other, and for links."""
    # The name as it was written: zipfile would cut it at a zero byte.
    name = info.orig_filename
    parts = name.split("/")
    plain = all(PLAIN_NAME.fullmatch(part) and part not in (".", "..") for part in parts)
    if not plain or len(name) > MAX_NAME or len(parts) > MAX_DEPTH:
        raise BadSource("name", name=_shown(name))
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise BadSource("link", name=_shown(name))
    if info.flag_bits & 0x1:
        raise BadSource("secret", name=_shown(name))
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BadSource("zip")
    return _with_plain_ending(name)


def _with_plain_ending(name: str) -> str:
    """The name with the ending of its language in small letters, as compilers want it.

    >>> _with_plain_ending("src/MAIN.CPP"), _with_plain_ending("Book.TXT")
    ('src/MAIN.cpp', 'Book.TXT')
    """
    ending = PurePosixPath(name).suffix
    return name.removesuffix(ending) + ending.lower() if ending.lower() in LANGUAGES else name


def _shown(name: str) -> str:
    """A name as a message can hold it."""
    return "".join(letter if letter.isprintable() else "�" for letter in name)[:60]


def _common_folder(names: list[str]) -> str:
    """The folder in which everything lies, with its slash, as when somebody packs a folder; empty if there is none.

    >>> _common_folder(["bot/main.py", "bot/book/a.txt"]), _common_folder(["main.py", "book/a.txt"])
    ('bot/', '')
    """
    first = names[0].partition("/")[0] + "/"
    # The folder `src` of a Rust program stays: its name says where the main file is.
    return first if first != "src/" and all(name.startswith(first) for name in names) else ""


def _copy(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path, left: int, most: int) -> int:
    """Unpacks one file, as much as there is room for; returns its bytes."""
    size = 0
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(info) as packed, path.open("xb") as file:
            while chunk := packed.read(CHUNK):
                size += len(chunk)
                if size > left:
                    raise BadSource("large", most=most >> 20)
                file.write(chunk)
    except OSError:  # a file where another name needs a folder
        raise BadSource("name", name=_shown(info.filename)) from None
    return size


def _main_file(files: list[str], folder: Path) -> str:
    """The file that a zip's program begins with."""
    places = [PurePosixPath(file) for file in files]
    top = [path for path in places if len(path.parts) == 1 or path.parts[:-1] == ("src",)]
    sources = [path for path in top if path.suffix.lower() in LANGUAGES]
    for stem in MAIN_STEMS:
        named = [path for path in sources if path.stem.lower() == stem]
        if len(named) == 1:
            return str(named[0])
        if len(named) > 1:
            raise BadSource("mains", names=", ".join(map(str, named)))
    if len(sources) == 1:
        return str(sources[0])
    programs = [path for path in top if _is_program(folder / path)]
    if not sources and len(programs) == 1:
        return str(programs[0])
    raise BadSource("main")


def _is_program(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == ELF
