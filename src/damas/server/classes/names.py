"""Names of pupils as teachers paste them: one a line, numbered, or cells of a spreadsheet."""

import csv
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, field

from damas.server.store.classes import pupil_key

MAX_NAME = 60
"""Characters of a name."""
_NUMBER = re.compile(r"^(?:[-*•–]\s+|(?:n\.?º\s*|#\s*)?\d{1,3}(?:\s*[.)\]:º°ª–-]+\s*|\s+|$))")
"""A bullet or the number of a line before a name."""
_WHOLE = {
    *("nome completo", "nombre completo", "full name", "nombres y apellidos", "apellidos y nombres"),
    *("nome do aluno", "nome da aluna", "nombre del alumno", "name of pupil", "pupil name", "student name"),
    *("aluno", "aluna", "alunos", "estudante", "estudantes", "alumno", "alumna", "alumnos"),
    *("estudiante", "estudiantes", "pupil", "pupils", "student", "students"),
}
_FIRST = {
    *("nome", "nomes", "nome proprio", "prenome", "nombre", "nombres", "name", "names"),
    *("first name", "given name"),
}
_LAST = {
    *("apelido", "apelidos", "sobrenome", "sobrenomes", "apellido", "apellidos"),
    *("surname", "last name", "family name"),
}
"""Titles of columns, as `_title` writes them."""


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
    pasted, columns, separator = PastedNames(), None, None
    known = set(map(pupil_key, present))
    for line in text.lstrip("\ufeff").splitlines():
        cells = _cells(line, separator)
        if not any(cells):
            continue
        if columns is None:
            sign = _separator(line) or ","
            titled = _columns(_cells(line, sign))
            if titled and sign in line:
                columns, separator = titled, sign
                continue
            if titled and not pasted.names:  # the title of a list, whose lines are names as without it
                continue
        name = checked_pupil_name(_name(cells, columns))
        if name is None:
            pasted.unreadable.append(line.strip()[:MAX_NAME])
        elif pupil_key(name) in known:
            pasted.twice.append(name)
        else:
            known.add(pupil_key(name))
            pasted.names.append(name)
    return pasted


def _columns(cells: list[str]) -> list[int] | None:
    """The columns of a name, the first name first, where the line has their titles; None where it has none."""
    titles = [_title(cell) for cell in cells]
    places = [
        [place for place, title in enumerate(titles) if title in kind] for kind in (_WHOLE, _FIRST, _LAST)
    ]
    whole, first, last = places
    if first and last:
        return [first[0], last[0]]
    return (whole or first or last)[:1] or None


def _title(cell: str) -> str:
    """The title of a column, without what may follow it: `Aluno(a)` and `Nome:` are `aluno` and `nome`."""
    return re.sub(r"\(.*?\)", "", pupil_key(cell)).strip().rstrip(".:º° ")


def _name(cells: list[str], columns: list[int] | None) -> str:
    """The name in the cells of a line: by the titles of the columns, or else by what looks like one."""
    if columns:
        words = [cells[column] for column in columns if column < len(cells) and cells[column]]
        return " ".join(words) if len(columns) > 1 else _name(_cells("".join(words), None), None)
    words = [cell for cell in cells if any(letter.isalpha() for letter in cell)]
    if len(cells) == 1 and "," in cells[0]:  # several names
        return ""
    if len(words) > 1:  # not the class, an e-mail address, a day, or a letter for the sex
        words = [cell for cell in words if _is_name(cell)] or words[:1]
    return f"{words[1]} {words[0]}" if len(words) > 1 else words[0] if words else ""


def _is_name(cell: str) -> bool:
    return len(cell) > 1 and "@" not in cell and not any(letter.isdigit() for letter in cell)


def _separator(line: str) -> str | None:
    """What separates the cells of a line: tabs, semicolons, or commas where it begins with a number or has only one."""
    if sign := next((sign for sign in "\t;" if sign in line), None):
        return sign
    return "," if line.count(",") == 1 or re.match(r"\s*\d+\s*,", line) else None


def _cells(line: str, separator: str | None) -> list[str]:
    """The cells of a line without quotation marks, and without a number before the first."""
    if separator:  # that of the titles: here it may also stand between quotation marks
        parts = next(csv.reader([line], delimiter=separator), []) or [""]
    else:
        separator = _separator(line)
        parts = line.split(separator) if separator else [line]
    parts[0] = _NUMBER.sub("", parts[0].strip(), count=1)
    return [part.strip().strip('"').strip() for part in parts]
