"""Numbers as each language writes them."""

_THOUSANDS = {"pt-BR": ".", "pt-PT": " ", "es": " ", "en": ","}
_POINT = {"pt-BR": ",", "pt-PT": ",", "es": ",", "en": "."}
_UNGROUPED_BELOW = {"pt-PT": 10_000, "es": 10_000}
"""Languages that write numbers of four digits without a separator."""


def number(value: float, language: str, decimals: int = 0, *, signed: bool = False) -> str:
    """Write a number with the separators of a language; `signed` puts a plus before positive numbers.

    >>> number(1234567, "en"), number(1234567, "pt-BR"), number(1234567, "es")
    ('1,234,567', '1.234.567', '1 234 567')
    >>> number(0.5, "pt-PT", 2, signed=True)
    '+0,50'
    """
    grouped = abs(value) >= _UNGROUPED_BELOW.get(language, 0)
    text = f"{value:{'+' if signed else ''}{',' if grouped else ''}.{decimals}f}"
    return text.translate({ord(","): _THOUSANDS[language], ord("."): _POINT[language]})
