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


def ordinal(number: int, language: str) -> str:
    """A place as it stands before the word place: puesto, lugar.

    >>> [ordinal(number, "en") for number in (1, 2, 3, 4, 11, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd']
    >>> ordinal(1, "es"), ordinal(2, "es"), ordinal(3, "pt-PT")
    ('1.er', '2.º', '3.º')
    """
    if language == "en":
        ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{number}{ending}"
    return (
        f"{number}.er" if language == "es" and number % 10 in (1, 3) and number % 100 != 11 else f"{number}.º"
    )
