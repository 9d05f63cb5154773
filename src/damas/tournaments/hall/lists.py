"""Lists of players as CSV, as spreadsheets and federations write them."""

import csv
import re
import unicodedata
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import replace
from io import StringIO
from itertools import takewhile

from damas.errors import TournamentRefused
from damas.language import Saying
from damas.tournaments.cells import format_cell, read_cell
from damas.tournaments.hall.bounds import check_person, shown
from damas.tournaments.hall.conditions import Person
from damas.tournaments.hall.state import State, folded

COLUMNS = ("name", "club", "federation", "rating", "birth", "sex", "series", "id")
"""The columns that are written."""
_HEADINGS = {
    "name": "name nome nombre jogador jugador player atleta damista",
    "club": "club clube equipe equipa equipo escola escuela school team cidade",
    "federation": "federation federacao federacion fed pais country uf",
    "rating": "rating elo ranking",
    "birth": "birth born nascimento nacimiento nasc ano year data",
    "sex": "sex sexo gender genero",
    "series": "series serie categoria category class turma",
    "id": "id numero number registro registo",
}
_WORDS_ALONE = {
    "player", "jogador", "jugador", "atleta", "damista", "ano", "year", "data", "pais", "country", "uf", "cidade", "number",
    "numero", "id", "class",
}  # fmt: skip
"""Headings that may say something else with other words beside them, as in "data de inscrição"."""
_SEXES = {"f": "f", "w": "f", "m": "m", "h": "m", "mulher": "f", "mujer": "f"}
_COLUMN_OF = {word: column for column, words in _HEADINGS.items() for word in words.split()}


def decoded(data: bytes) -> str:
    r"""The text of a list: UTF-8, or what spreadsheets under Windows write, which is their own 8 bits or UTF-16.

    >>> decoded("José".encode()), decoded("José".encode("cp1252")), decoded("José".encode("utf-16"))
    ('José', 'José', 'José')
    """
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def read_players(text: str) -> tuple[Person, ...]:
    r"""The players of a list. The first line names the columns, in any language of damas; without headings, each line is a name.

    >>> read_players("Nome;Clube;Rating\nAna;Casa;1700\n")
    (Person(name='Ana', club='Casa', federation='', rating=1700, birth='', sex='', series='', id=''),)
    >>> [person.name for person in read_players("Ana\nRui\n")]
    ['Ana', 'Rui']
    """
    lines = text.removeprefix("\ufeff").splitlines()
    empty = sum(1 for _ in takewhile(_is_empty, lines))
    lines = lines[empty:]
    first = lines[0] if lines else ""
    delimiter = max(";,\t", key=first.count)
    rows = list(csv.reader(lines, delimiter=delimiter))
    headings = _columns(rows[0]) if rows else []
    start = 2
    if any(headings) and "name" not in headings:
        raise TournamentRefused("list_heading", {"got": shown(first)})
    if "name" not in headings:
        headings, start = ["name", "club", "rating"], 1
    players = []
    for number, row in enumerate(rows[start - 1 :], start=empty + start):
        values = {key: read_cell(cell.strip()) for key, cell in zip(headings, row, strict=False) if key}
        if any(values.values()):
            players.append(_player(values, number))
    if not players:
        raise TournamentRefused("list_empty", {})
    return tuple(players)


def _columns(cells: list[str]) -> list[str]:
    """The column that each heading names, empty for none; the first of two for one column.

    Headings of several words count where one of them is a name's: a list without headings may begin with a club's name.

    >>> _columns(["Nº", "Nome completo", "Data de nascimento", "Nome do clube", "Rating FPD", "Rating"])
    ['', 'name', 'birth', 'club', '', 'rating']
    >>> _columns(["Ana Souza", "Clube de Damas"])
    ['', '']
    """
    alone = [_COLUMN_OF.get(folded(cell.strip(" .:")), "") for cell in cells]
    columns = [
        column or (among if (among := _column_among(cell)) not in alone else "")
        for cell, column in zip(cells, alone, strict=True)
    ]
    if "name" not in columns:
        columns = alone
    return [column if column not in columns[:place] else "" for place, column in enumerate(columns)]


def _column_among(heading: str) -> str:
    """The column of the last word of a heading that names one: "nome do clube" is the club's."""
    words = [word for word in re.findall(r"\w+", folded(heading)) if word not in _WORDS_ALONE]
    return next((_COLUMN_OF[word] for word in reversed(words) if word in _COLUMN_OF), "")


def _is_empty(line: str) -> bool:
    """Whether a line before the headings says nothing: blank, empty cells, or the separator that Excel is told (sep=;)."""
    return not line.strip(' ;,\t"') or line.strip().lower().startswith("sep=")


def _player(values: dict[str, str], line: int) -> Person:
    rating, sex = values.get("rating", "") or "0", values.get("sex", "").lower()
    if not values.get("name"):
        raise TournamentRefused("list_name", {"line": line})
    if not rating.isdecimal() or int(rating) > 9999:
        raise TournamentRefused("list_rating", {"line": line, "got": shown(rating)})
    person = Person(
        read_name(values["name"]),
        read_name(values.get("club", "")),
        values.get("federation", ""),
        int(rating),
        read_date(values.get("birth", "")),
        _SEXES.get(sex, _SEXES.get(sex[:1], "")),
        values.get("series", ""),
        values.get("id", ""),
    )
    try:
        check_person(person)
    except TournamentRefused as refused:
        raise TournamentRefused(
            "list_line", {"line": line, "why": Saying(f"club.refused.{refused.reason}", refused.facts)}
        ) from None
    return person


def read_name(text: str) -> str:
    r"""A name with single spaces, and with its accents in the letters, as keyboards write it: two that look the same are the same.

    >>> read_name(" Jose\u0301  Souza ") == "José Souza"
    True
    """
    return " ".join(unicodedata.normalize("NFC", text).split())


def read_date(text: str) -> str:
    """A date as 2014-05-31, from this form or from 31/05/2014; a year stays a year.

    >>> read_date("31/5/2014"), read_date("2014")
    ('2014-05-31', '2014')
    """
    parts = text.replace("-", "/").split("/")
    if len(parts) == 3 and len(parts[2]) == 4:
        parts.reverse()
    if len(parts) == 3 and all(part.isdecimal() for part in parts):
        return f"{parts[0]}-{int(parts[1]):02}-{int(parts[2]):02}"
    return text


def write_players(state: State) -> str:
    """The players in the order of numbers, as CSV; of a league the squads, with the team as club."""
    output = StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(COLUMNS)
    competitors = [state.players[name] for name in state.by_number]
    people = [each.person for each in competitors]
    if state.conditions.boards:
        people = [replace(person, club=team.person.name) for team in competitors for person in team.squad]
    for person in people:
        writer.writerow([format_cell(getattr(person, column) or "") for column in COLUMNS])
    return output.getvalue()
