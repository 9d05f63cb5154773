"""Finding rulebooks: the built-in ones by id or alias, a user's own by file."""

from functools import cache
from os import PathLike, listdir
from os.path import exists, join
from typing import Any

from damas.errors import BadRulebook, Mistake, UnknownRulebook, file_trouble, toml_trouble, wanted
from damas.rules.about import about
from damas.rules.ruleset import FOLDER, Rulebook


@cache
def rulebook_ids() -> tuple[str, ...]:
    """Ids of the built-in rulebooks: the folders under `rulebooks`, in the order that their about.toml gives."""
    folders = [name for name in listdir(FOLDER) if exists(join(FOLDER, name, "rules.toml"))]
    return tuple(sorted(folders, key=lambda name: (about(name).order, name)))


@cache
def aliases() -> dict[str, str]:
    """English names of the built-in rulebooks, each with the id it stands for."""
    return {alias: book.id for book in rulebooks() for alias in book.aliases}


def home_rulebook(language: str) -> str:
    """Id of the rulebook that players of a language are offered first."""
    return next(book_id for book_id in rulebook_ids() if about(book_id).home == language)


@cache
def _builtin(rulebook_id: str) -> Rulebook:
    path = join(FOLDER, rulebook_id, "rules.toml")
    return _parsed(_text(path), path)


def rulebook(name: str) -> Rulebook:
    """A built-in rulebook by id or English alias, in any case, or a user's own by the path of its TOML file.

    >>> rulebook("Brazilian").id
    'brasileira'
    """
    rulebook_id = builtin_id(name)
    if rulebook_id:
        return _builtin(rulebook_id)
    if name.endswith(".toml"):
        return from_file(name)
    raise UnknownRulebook(name, rulebook_ids())


def builtin_id(name: str) -> str:
    """The id of the built-in rulebook that somebody means by a name; empty if there is none."""
    plain = name.lower()
    return plain if plain in rulebook_ids() else aliases().get(plain, "")


def rulebooks() -> list[Rulebook]:
    """Every built-in rulebook, in the order of `rulebook_ids`."""
    return [_builtin(rulebook_id) for rulebook_id in rulebook_ids()]


def is_builtin(book: Rulebook) -> bool:
    """Whether it is a built-in rulebook, and not a user's own."""
    return book.id in rulebook_ids() and _builtin(book.id) is book


def again(source: dict[str, Any]) -> Rulebook:
    """The rulebook read from such a file: the built-in one itself, where it is one."""
    from damas.rules.reader import read

    builtin = _builtin(source["id"]) if source["id"] in rulebook_ids() else None
    return builtin if builtin and builtin.source == source else _of_its_own(read(source), source["id"])


def from_file(path: str | PathLike[str]) -> Rulebook:
    """A user's own rulebook from a TOML file."""
    return parse(_text(path), str(path))


def parse(text: str, name: str = "rules") -> Rulebook:
    """A user's own rulebook from the text of a TOML file. It may not pass for a built-in one that answers otherwise,
    neither by its id nor by its GameType, and never call itself by an alias, which finds the built-in one.
    """
    return _of_its_own(_parsed(text, name), name)


def _of_its_own(book: Rulebook, name: str) -> Rulebook:
    """The rulebook itself, if it does not pass for another; `name` is that of its file."""
    mistakes = []
    meant = builtin_id(book.id)
    if meant != book.id and meant:
        mistakes.append(Mistake("id", f'"{book.id}"', wanted("no_alias", book=meant)))
    elif meant and book.hash != _builtin(meant).hash:
        mistakes.append(Mistake("id", f'"{book.id}"', wanted("own_name")))
    family = [other for other in rulebooks() if _number(other) == _number(book)] if book.gametype else []
    if family and all(other.hash != book.hash for other in family):
        ids = ", ".join(other.id for other in family)
        allowed = wanted("own_gametype", number=_number(book), books=ids)
        mistakes.append(Mistake("notation.gametype", f'"{book.gametype}"', allowed))
    if mistakes:
        raise BadRulebook(name, mistakes)
    return book


def _number(book: Rulebook) -> str:
    """PDN's number of the game."""
    return book.gametype.partition(",")[0].strip()


def _text(path: str | PathLike[str]) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError) as error:
        mistake = Mistake("file", str(path), wanted("readable", why=file_trouble(error)))
        raise BadRulebook(str(path), [mistake]) from None


def _parsed(text: str, name: str) -> Rulebook:
    import tomllib  # reading is for those who ask for a rulebook, not for everyone who imports damas

    from damas.rules.reader import read

    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: no TOML, or a number of thousands of digits
        raise BadRulebook(name, [Mistake("file", name, toml_trouble(error))]) from None
    return read(data, name)
