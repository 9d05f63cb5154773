"""The error for events that the arbiter does not allow."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from damas.errors import Citation, DamasError, IllegalMove
from damas.language import language_of, sentence, word
from damas.rules.limits import LimitName

if TYPE_CHECKING:
    from damas.arbiter.table import Table


class ProcedureRefused(DamasError):
    """The arbiter does not allow an event now.

    `table` is the table to continue with: unchanged, unless the attempt is recorded (`written`), which may also cost
    something. None if the table itself could not be opened.
    """

    table: "Table | None" = None

    def __init__(
        self,
        code: str,
        citation: Citation | None = None,
        *,
        cause: DamasError | None = None,
        written: bool = False,
        **facts: object,
    ) -> None:
        super().__init__(code, citation, facts)
        self.code = code
        self.citation = citation
        self.facts = facts
        self.cause = cause
        """The refusal of the move or text, if that is the reason."""
        self.written = written

    @property
    def article(self) -> str:
        """The article as the rulebook cites it; empty if there is none."""
        if isinstance(self.cause, IllegalMove):
            return self.cause.article
        return self.citation.article if self.citation else ""

    def sentence(self, language: str) -> str:
        """Why the event is not allowed, with the article, in a language."""
        if self.cause:
            return self.cause.sentence(language)
        if self.table:
            language = language_of(self.table.book.id, language)
        facts = dict(self.facts)
        if "square" in facts and self.table:
            facts["square"] = self.table.book.shown(str(facts["square"]))
        if self.table and (rule := self.table.game.draw_rules.get(str(facts.get("rule")))):
            facts["rule"] = LimitName(self.table.book, rule)
        if self.code == "NO_SUCH_CONDUCT":
            known = cast("Sequence[str]", facts["known"])
            facts["known"] = "; ".join(word("conduct", conduct, language) for conduct in known) or "–"
        text = sentence(f"procedure.{self.code}", language, **facts)
        return f"{text} ({self.citation.sentence(language)})." if self.citation else f"{text}."
