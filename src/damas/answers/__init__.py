"""The answers of damas as data: what page, API and command line all say with the same object.

`explain.explanation` why a move is refused; `lens.lens` one position under every rulebook; `rulebooks.book_answer` a
rulebook article by article; `judgement.verdicts` what the rules say about recorded games; `tables.verdict_object` what
the endgame tables say.
"""

from damas.answers.errors import error_object
from damas.answers.moves import move_object

__all__ = ["error_object", "move_object"]
