"""Rulebooks as data: every question answered, each answer beside its article."""

from damas.rules.articles import Article, Articles, articles, cite
from damas.rules.clause import Clause
from damas.rules.library import from_file, parse, rulebook, rulebook_ids, rulebooks
from damas.rules.ruleset import DrawRule, RestRule, Rulebook
from damas.rules.writer import to_toml

__all__ = [
    "Article",
    "Articles",
    "Clause",
    "DrawRule",
    "RestRule",
    "Rulebook",
    "articles",
    "cite",
    "from_file",
    "parse",
    "rulebook",
    "rulebook_ids",
    "rulebooks",
    "to_toml",
]
