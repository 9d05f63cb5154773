"""What a draw rule is called: by its own name, by the ending that it limits, or by what starts it anew."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from damas.language import language_of, sentence
from damas.language.catalogue import entries
from damas.rules.about import about
from damas.rules.library import is_builtin
from damas.rules.ruleset import DrawRule, Rulebook

MAX_KEPT_NAMES = 1024
"""Names of limits that are kept."""


@dataclass(frozen=True)
class LimitName:
    """The name of a draw rule of a rulebook, in any language.

    >>> from damas.rules import rulebook
    >>> for id in ("brasileira", "portuguesa"):
    ...     print([LimitName(rulebook(id), rule).sentence("pt-BR") for rule in rulebook(id).draws][-1])
    duas damas contra duas ou duas damas contra uma ou duas damas contra uma dama e uma pedra ou uma dama contra uma ou uma dama contra uma dama e uma pedra
    forçada
    """

    book: Rulebook
    rule: DrawRule
    ending: int | None = None
    """Index of the rule's ending that is on the board; None stands for all of them."""

    def sentence(self, language: str) -> str:
        """The name in a language, in the words of the rulebook's text, as it stands inside a sentence."""
        return _name(self, language)


@lru_cache(MAX_KEPT_NAMES)
def _name(limit: LimitName, language: str) -> str:
    """The name of a limit: every view of a live game asks for the same few."""
    rule, language = limit.rule, language_of(limit.book.id, language)
    own = about(limit.book.id).limits.get(rule.id) if is_builtin(limit.book) else None
    if own:
        return own[language]
    if rule.rule != "limit":
        return sentence(f"limit.{rule.rule}", language)
    endings = rule.endings if limit.ending is None else rule.endings[limit.ending : limit.ending + 1]
    if endings:
        name = sentence("limit.or", language).join(ending_name(each, language) for each in endings)
        on_diagonal = rule.lasts == "weak_king_on_diagonal"
        return sentence("limit.on_diagonal", language, ending=name) if on_diagonal else name
    if rule.pieces:
        return sentence("limit.pieces", language, fewest=rule.pieces[0], most=rule.pieces[1])
    if not rule.resets:
        return sentence("limit.moves", language)
    resets = [sentence(f"limit.resets.{reset}", language) for reset in rule.resets]
    return sentence("limit.without", language, resets=sentence("limit.nor", language).join(resets))


def ending_name(pattern: str, language: str) -> str:
    """Material such as `KK-KM` in words.

    >>> ending_name("KK-K", "pt-BR"), ending_name("K{3,}-KM", "en")
    ('duas damas contra uma', 'three kings or more against one king and one man')
    """
    strong, _, weak = pattern.partition("-")
    likewise = "M" not in pattern
    sides = (_side(strong, "kings", language), _side(weak, "likewise" if likewise else "kings", language))
    return sentence("limit.versus", language).join(sides)


def _side(side: str, kings: str, language: str) -> str:
    """The pieces of one side; `kings` is the table that names its kings."""
    groups = re.findall(r"([KM])(?:\{(\d+)(,?)\d*\})?", side)
    parts = []
    for letter, group in groupby(groups, key=lambda match: match[0]):
        matches = list(group)
        table = f"limit.{kings if letter == 'K' else 'men'}"
        count = sum(int(least or 1) for _, least, _ in matches)
        key = str(count) if str(count) in entries(table) else "more"
        pieces = sentence(f"{table}.{key}", language, count=count)
        or_more = any(more for _, _, more in matches)
        parts.append(sentence("limit.or_more", language, pieces=pieces) if or_more else pieces)
    return sentence("limit.and", language).join(parts)
