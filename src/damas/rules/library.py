"""Finding rulebooks: the built-in ones by id or alias, a user's own by file."""

from functools import cache
from os import PathLike
from os.path import join
from typing import Any

from damas.errors import BadRulebook, UnknownRulebook
from damas.rules.ruleset import FOLDER, Rulebook

# The seeds first, in their order, then the wider family. The folder is the truth; a test compares.
IDS = (
    "brasileira",
    "oficial",
    "faraes",
    "portuguesa",
    "concurso",
    "internacional",
    "russa",
    "inglesa",
    "italiana",
    "espanhola",
    "checa",
    "pool",
    "canadense",
    "frisia",
    "turca",
    "brasileira-cbd",
    "brasileira-64",
    "portuguesa-fpd",
)
ALIASES = {
    "brazilian": "brasileira",
    "official": "oficial",
    "school": "faraes",
    "portuguese": "portuguesa",
    "contest": "concurso",
    "international": "internacional",
    "russian": "russa",
    "english": "inglesa",
    "italian": "italiana",
    "spanish": "espanhola",
    "czech": "checa",
    "canadian": "canadense",
    "frisian": "frisia",
    "turkish": "turca",
    "brazilian-cbd": "brasileira-cbd",
    "brazilian-64": "brasileira-64",
    "portuguese-fpd": "portuguesa-fpd",
}


@cache
def _builtin(rulebook_id: str) -> Rulebook:
    return from_file(join(FOLDER, rulebook_id, "rules.toml"))


def rulebook(name: str) -> Rulebook:
    """A built-in rulebook by id or English alias, or a user's own by the path of its TOML file.

    >>> rulebook("brazilian").id
    'brasileira'
    """
    rulebook_id = ALIASES.get(name, name)
    if rulebook_id in IDS:
        return _builtin(rulebook_id)
    if name.endswith(".toml"):
        return house_rules(name)
    raise UnknownRulebook(name, IDS)


def rulebooks() -> list[Rulebook]:
    """Every built-in rulebook."""
    return [_builtin(rulebook_id) for rulebook_id in IDS]


def is_builtin(book: Rulebook) -> bool:
    return book.id in IDS and _builtin(book.id) is book


def again(source: dict[str, Any]) -> Rulebook:
    """The rulebook read from such a file: the built-in one itself, where it is one."""
    from damas.rules.reader import read

    builtin = _builtin(source["id"]) if source["id"] in IDS else None
    return builtin if builtin and builtin.source == source else read(source)


def house_rules(path: str | PathLike[str]) -> Rulebook:
    """A user's own rulebook. It may not pass for a built-in one that answers otherwise."""
    book = from_file(path)
    if book.id in IDS and book.hash != _builtin(book.id).hash:
        raise BadRulebook(
            str(path), [("id", f'"{book.id}"', "a name of its own: that rulebook answers otherwise")]
        )
    return book


def from_file(path: str | PathLike[str]) -> Rulebook:
    """A rulebook from a TOML file."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise BadRulebook(str(path), [("file", str(path), f"a readable TOML file ({error})")]) from None
    return parse(text, str(path))


def parse(text: str, name: str = "rules") -> Rulebook:
    """A rulebook from the text of a TOML file."""
    import tomllib  # reading is for those who ask for a rulebook, not for everyone who imports damas

    from damas.rules.reader import read

    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: no TOML, or a number of thousands of digits
        raise BadRulebook(name, [("file", name, f"TOML ({error})")]) from None
    return read(data)
