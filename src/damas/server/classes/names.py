"""Names of pupils as teachers paste them: one a line, numbered, or cells of a spreadsheet."""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, field

from damas.server.store.classes import pupil_key

MAX_NAME = 60
"""Characters of a name."""
_NUMBER = re.compile(r"^(?:[-*•–]\s+|(?:n\.?º\s*|#\s*)?\d{1,3}(?:[.)\]:º°ª–-]+\s*|\s+|$))")
"""A bullet or the number of a line before a name."""
_FIRST = {
    "nome",
    "nome proprio",
    "nombre",
    "nombres",
    "name",
    "first name",
    "given name",
    "prenome",
    "aluno",
    "aluna",
}
_FIRST |= {"alunos", "alumno", "alumna", "pupil", "student", "nome completo", "full name", "nombre completo"}
_LAST = {"apelido", "apelidos", "sobrenome", "apellido", "apellidos", "surname", "last name", "family name"}
_OTHER = {
    "n",
    "no",
    "n.o",
    "numero",
    "#",
    "number",
    "turma",
    "clase",
    "class",
    "ano",
    "serie",
    "email",
    "e-mail",
}
"""Titles of columns, as `pupil_key` writes them."""


@dataclass(frozen=True)
class PastedNames:
    """The names in a pasted list."""

    names: list[str] = field(default_factory=list)
    """New names, in the order of the list."""
    twice: list[str] = field(default_factory=list)
    """Names that the list or the class has already."""
    unreadable: list[str] = field(default_factory=list)
    """Lines that are no name."""


def checked_pupil_name(text: str) -> str | None:
    r"""The name with single spaces; None where it is empty, too long, or has signs that cannot be seen.

    >>> checked_pupil_name("  Ana   d'Ávila "), checked_pupil_name("a\u202eb"), checked_pupil_name("12")
    ("Ana d'Ávila", None, None)
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name or len(name) > MAX_NAME or not any(letter.isalpha() for letter in name):
        return None
    if any(unicodedata.category(letter)[0] == "C" for letter in name):
        return None
    return name


def pasted_names(text: str, present: Collection[str] = ()) -> PastedNames:
    r"""Reads a pasted list; `present` are the names that the class has.

    >>> pasted_names("1. Ana Silva\n2) Zé\n\n3\tana silva").names
    ['Ana Silva', 'Zé']
    >>> pasted_names("N.º;Apelido;Nome\n1;Silva;Ana\n2;d'Ávila;João").names
    ['Ana Silva', "João d'Ávila"]
    """
    pasted, last_first = PastedNames(), True
    known = set(map(pupil_key, present))
    for line in text.lstrip("\ufeff").splitlines():
        cells = _cells(line)
        if not cells:
            continue
        titles = [pupil_key(cell).rstrip(".:º° ") for cell in cells]
        if set(titles) <= _FIRST | _LAST | _OTHER and set(titles) & (_FIRST | _LAST) and not pasted.names:
            places = [title in _LAST for title in titles if title in _FIRST | _LAST]
            last_first = places[0]
            continue
        words = [cell for cell in cells if any(letter.isalpha() for letter in cell)]
        if len(words) > 1:
            last, first = (words[0], words[1]) if last_first else (words[1], words[0])
            words = [f"{first} {last}"]
        name = checked_pupil_name(words[0]) if words else None
        if name is None:
            pasted.unreadable.append(line.strip()[:MAX_NAME])
        elif pupil_key(name) in known:
            pasted.twice.append(name)
        else:
            known.add(pupil_key(name))
            pasted.names.append(name)
    return pasted


def _cells(line: str) -> list[str]:
    """The cells of a line: by tabs or semicolons, or by one comma between surname and name."""
    separator = "\t" if "\t" in line else ";" if ";" in line else "," if line.count(",") == 1 else None
    parts = line.split(separator) if separator else [line]
    parts[0] = _NUMBER.sub("", parts[0].lstrip(), count=1)
    return [cell for part in parts if (cell := part.strip().strip('"').strip())]
