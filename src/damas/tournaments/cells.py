"""Texts in CSV files: no cell begins as a formula of a spreadsheet does."""

import unicodedata


def format_cell(value: object) -> object:
    """A value as a cell of a CSV file: a text that a spreadsheet would take for a formula gets an apostrophe.

    >>> format_cell("=1+1"), format_cell("＝1+1"), format_cell("Ana"), format_cell(-1)
    ("'=1+1", "'＝1+1", 'Ana', -1)
    """
    return f"'{value}" if isinstance(value, str) and _is_formula(value) else value


def read_cell(text: str) -> str:
    """The text of a cell, without the apostrophe of `format_cell`.

    >>> read_cell("'=1+1"), read_cell("'Ana")
    ('=1+1', "'Ana")
    """
    return text[1:] if text[:1] == "'" and _is_formula(text[1:]) else text


def _is_formula(text: str) -> bool:
    # Where letters are wide, spreadsheets take the wide signs too.
    first = unicodedata.normalize("NFKC", text[:1])
    return first != "" and first in "=+-@\t\r"
