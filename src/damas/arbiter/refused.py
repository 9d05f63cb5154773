"""What the arbiter does not allow, and by which article."""

from typing import TYPE_CHECKING

from damas.board import Color
from damas.errors import Citation, DamasError, IllegalMove
from damas.language import sentence

if TYPE_CHECKING:
    from damas.arbiter.table import Table


class ProcedureRefused(DamasError):
    """The arbiter does not allow an event now.

    `table` is the table to go on from: the same as before, unless the regulation wants the attempt written down
    (`written`), which may also have cost something. There is none yet where the table itself may not be opened.
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
        """The refusal of the move or text itself, if that is the reason."""
        self.written = written

    @property
    def article(self) -> str:
        """As the text itself is cited; empty where no article speaks."""
        if isinstance(self.cause, IllegalMove):
            return self.cause.article
        return self.citation.article if self.citation else ""

    def sentence(self, language: str) -> str:
        if self.cause:
            return self.cause.sentence(language)
        facts = {
            key: sentence(f"color.{fact.value}", language) if isinstance(fact, Color) else fact
            for key, fact in self.facts.items()
        }
        if "square" in facts and self.table:
            facts["square"] = self.table.book.shown(str(facts["square"]))
        text = sentence(f"procedure.{self.code}", language, **facts)
        return f"{text} ({self.citation.sentence(language)})." if self.citation else f"{text}."
