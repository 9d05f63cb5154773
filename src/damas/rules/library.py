"""Finds rulebooks: built-in ones by id or alias, a user's own by file."""

from functools import cache
from os import PathLike, listdir
from os.path import exists, join
from threading import RLock
from typing import Any

from damas.errors import (
    BadRegulation,
    BadRulebook,
    Mistake,
    UnknownRulebook,
    file_trouble,
    toml_trouble,
    wanted,
)
from damas.rules.about import about
from damas.rules.readings import other_readings
from damas.rules.ruleset import FOLDER, Rulebook


@cache
def rulebook_ids() -> tuple[str, ...]:
    """Ids of the built-in rulebooks: the folders under `rulebooks`, in the order that their about.toml gives.

    Other readings of their texts are not among them: see `damas.rules.readings`.
    """
    folders = [name for name in listdir(FOLDER) if exists(join(FOLDER, name, "rules.toml"))]
    return tuple(sorted(folders, key=lambda name: (about(name).order, name)))


@cache
def aliases() -> dict[str, str]:
    """English names of the built-in rulebooks and their other readings, each with the id it stands for."""
    books = (*rulebooks(), *map(_builtin, other_readings()))
    return {alias: book.id for book in books for alias in book.aliases}


def home_rulebooks(language: str) -> list[str]:
    """Ids of the rulebooks that players of a language are offered first, the default before those beside it."""
    home = [book_id for book_id in rulebook_ids() if about(book_id).home == language]
    return home + [book_id for book_id in rulebook_ids() if about(book_id).beside_home == language]


def home_rulebook(language: str) -> str:
    """Id of the default rulebook of a language."""
    return home_rulebooks(language)[0]


# A built-in rulebook is known by being the same object (`is_builtin`), and `cache` alone lets two threads make two.
_making = RLock()
_made: dict[str, Rulebook] = {}
_made_editions: dict[str, dict[str, Rulebook]] = {}


@cache
def _builtin(rulebook_id: str) -> Rulebook:
    with _making:
        if rulebook_id not in _made:
            _made[rulebook_id] = _make_builtin(rulebook_id)
        return _made[rulebook_id]


def _make_builtin(rulebook_id: str) -> Rulebook:
    from damas.rules.reader import read

    if reading := other_readings().get(rulebook_id):
        return read(reading.applied(_builtin(reading.rulebook).source), rulebook_id)
    path = join(FOLDER, rulebook_id, "rules.toml")
    return _parsed(read_text(path, BadRulebook), path)


@cache
def earlier_editions(rulebook_id: str) -> dict[str, Rulebook]:
    """Earlier editions of a built-in rulebook, by their hash."""
    with _making:
        if rulebook_id not in _made_editions:
            _made_editions[rulebook_id] = _make_editions(rulebook_id)
        return _made_editions[rulebook_id]


def _make_editions(rulebook_id: str) -> dict[str, Rulebook]:
    from damas.rules.reader import read

    if reading := other_readings().get(rulebook_id):
        editions = earlier_editions(reading.rulebook).values()
        books = [read(reading.applied(book.source), rulebook_id) for book in editions]
        return {book.hash: book for book in books}
    path = join(FOLDER, rulebook_id, "editions.toml")
    changes = parse_toml(read_text(path, BadRulebook), path, BadRulebook) if exists(path) else {}
    today = _builtin(rulebook_id).source
    return {key: read({**today, **answers}, path) for key, answers in changes.items()}


def edition(name: str, hash: str) -> Rulebook:
    """The edition of a rulebook that has this hash, or today's: a game goes on under the one it began with."""
    rulebook_id = builtin_id(name)
    earlier = earlier_editions(rulebook_id) if rulebook_id else {}
    return earlier.get(hash) or rulebook(name)


def rulebook(name: str | Rulebook) -> Rulebook:
    """A built-in rulebook by id or English alias, in any case, or a user's own by the path of its TOML file.

    Another reading of a text has an id of its own: `oficial-men-backward`. A rulebook itself is returned unchanged.

    >>> rulebook("Brazilian").id
    'brasileira'
    """
    if isinstance(name, Rulebook):
        return name
    if not isinstance(name, str):
        raise TypeError(f"a rulebook is given as itself, its id or the path of its file, not as {name!r}")
    rulebook_id = builtin_id(name)
    if rulebook_id:
        return _builtin(rulebook_id)
    if name.endswith(".toml"):
        return from_file(name)
    raise UnknownRulebook(name, rulebook_ids())


def builtin_id(name: str) -> str:
    """The id of the built-in rulebook or reading with this id or alias, in any case; empty if there is none."""
    plain = name.lower()
    return plain if plain in rulebook_ids() or plain in other_readings() else aliases().get(plain, "")


def rulebooks() -> list[Rulebook]:
    """Every built-in rulebook, in the order of `rulebook_ids`."""
    return [_builtin(rulebook_id) for rulebook_id in rulebook_ids()]


def is_builtin(book: Rulebook) -> bool:
    """Whether it is a built-in rulebook in any of its readings and editions, and not a user's own."""
    return builtin_id(book.id) == book.id and edition(book.id, book.hash) is book


def from_source(source: dict[str, Any]) -> Rulebook:
    """The rulebook of a parsed file (`Rulebook.source`): the built-in one itself where the file is that of one."""
    from damas.rules.reader import read

    book = read(source)
    known = edition(book.id, book.hash) if builtin_id(book.id) == book.id else None
    return known if known and known.source == source else _checked_identity(book, book.id)


def from_file(path: str | PathLike[str]) -> Rulebook:
    """A user's own rulebook from a TOML file."""
    return parse(read_text(path, BadRulebook), str(path))


def parse(text: str, name: str = "rules") -> Rulebook:
    """A user's own rulebook from the text of a TOML file.

    Raises `BadRulebook` where it has the id or the GameType of a built-in rulebook with other answers, or an alias as
    its id.
    """
    return _checked_identity(_parsed(text, name), name)


def _checked_identity(book: Rulebook, name: str) -> Rulebook:
    """The rulebook itself, unless it would be taken for another; `name` is the name of its file."""
    mistakes = []
    same_name = builtin_id(book.id)
    if same_name != book.id and same_name:
        mistakes.append(Mistake("id", f'"{book.id}"', wanted("no_alias", book=same_name)))
    elif same_name and book.hash != _builtin(same_name).hash:
        mistakes.append(Mistake("id", f'"{book.id}"', wanted("own_name")))
    family = (
        [other for other in rulebooks() if _gametype_number(other) == _gametype_number(book)]
        if book.gametype
        else []
    )
    if family and all(other.hash != book.hash for other in family):
        ids = ", ".join(other.id for other in family)
        allowed = wanted("own_gametype", number=_gametype_number(book), books=ids)
        mistakes.append(Mistake("notation.gametype", f'"{book.gametype}"', allowed))
    if mistakes:
        raise BadRulebook(name, mistakes)
    return book


def _gametype_number(book: Rulebook) -> str:
    """The number of the game in PDN."""
    return book.gametype.partition(",")[0].strip()


def read_text(path: str | PathLike[str], error_class: type[BadRulebook | BadRegulation]) -> str:
    """The text of a file; raises `error_class` where it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError) as error:
        mistake = Mistake("file", str(path), wanted("readable", why=file_trouble(error)))
        raise error_class(str(path), [mistake]) from None


def parse_toml(text: str, name: str, error_class: type[BadRulebook | BadRegulation]) -> dict[str, Any]:
    """A parsed TOML text; raises `error_class` where it is none. `name` is the name of its file."""
    import tomllib  # imported here to keep `import damas` fast

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: no TOML, or a number of thousands of digits
        raise error_class(name, [Mistake("file", name, toml_trouble(error))]) from None


def _parsed(text: str, name: str) -> Rulebook:
    from damas.rules.reader import read

    return read(parse_toml(text, name, BadRulebook), name)
