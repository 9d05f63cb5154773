"""The errors that damas raises on purpose, and why a move is refused.

DamasError
├─ NotationError      the text cannot be read
├─ IllegalMove        it was read, and the rules refuse it
│  ├─ AmbiguousMove   several legal moves fit: name the route
│  ├─ NotYourTurn
│  └─ GameOver
├─ IllegalSetup       the pieces cannot stand so: all the reasons at once
├─ TooManyCaptures    a position set up by hand with too many ways to capture
├─ BadRulebook        a rules file with mistakes: all of them at once
├─ UnknownRulebook
├─ NoTable            an ending with more pieces than there are tables for
├─ NoTablesForRules   rules that no table can follow
├─ DamagedTable       a table's file that is not what it should be
├─ BadRegulation      a regulation with mistakes: all of them at once
├─ UnknownRegulation
├─ NotEnoughMemory    an engine that wants more than the machine gives
├─ BadEntrant         a text that names no player of the arena
├─ BadTemplate        a file's ending for which there is no template of a bot
├─ NoContainment      a program that is not trusted, where nothing can contain it
├─ RemoteTrouble      a server where a bot of the arena plays: not reached, or it refuses
├─ ProcedureRefused   the arbiter does not allow it (in `damas.arbiter`: it carries the table)
├─ BadEvent           an event of a game that cannot be read
├─ DamagedTournament  the folder of a tournament that does not hold
├─ TournamentBusy     another process plays it
└─ BadRecord          the record of a game that does not hold: the line, and what is wrong with it

Each carries data under a stable code; sentences come from the catalogue, in any of its languages.
"""

import errno
import re
from dataclasses import dataclass, field
from typing import Self

from damas.language import Saying, sentence, word

MAX_QUOTED = 120
"""Characters of a text that an error quotes."""
MAX_REASONS = 8
"""Reasons that one sentence gives."""


@dataclass(frozen=True)
class Citation:
    """Where a rule is written."""

    rulebook: str
    article: str
    """As the text itself is cited: "Art. 7", "Lei da Maioria"; empty where a house file names no article."""
    id: str
    """Our stable id of the statement: "002-7c"."""

    def sentence(self, language: str) -> str:
        if self.id.startswith("regulation."):  # one of its settings: its name stands in place of a rulebook's
            name = word("regulation", self.rulebook, language)
            return sentence("citation.regulation", language, name=name)
        if self.article:
            return f"{self.rulebook}, {self.article}"
        if self.id:
            return sentence("citation.reading", language, rulebook=self.rulebook, id=self.id)
        return self.rulebook


class SquareName(str):
    """A square named as in FEN and JSON; `shown` is its name in the rulebook's moves, for people."""

    __slots__ = ("shown",)
    shown: str

    def __new__(cls, name: str, shown: str) -> Self:
        square = super().__new__(cls, name)
        square.shown = shown
        return square

    def __reduce__(self) -> tuple[object, ...]:
        return SquareName, (str(self), self.shown)


@dataclass(frozen=True)
class Refusal:
    """Why a move is refused: the one answer that library, command line, web and referee all give."""

    code: str
    tried: str
    citation: Citation
    facts: dict[str, object] = field(default_factory=dict)
    """What the sentence of this code is filled with: squares, numbers of pieces."""
    legal: tuple[str, ...] = ()
    """What may be played instead: for a broken priority law the captures it asks for, with their routes."""
    further: tuple["Refusal", ...] = ()
    """The other rules that the same attempt breaks."""

    @property
    def also(self) -> tuple[str, ...]:
        """Codes of the other rules that the same attempt breaks."""
        return tuple(other.code for other in self.further)

    def sentence(self, language: str) -> str:
        facts = {key: _fact(value, language) for key, value in self.facts.items()}
        text = sentence(f"refusal.{self.code}", language, tried=self.tried, **facts)
        parts = [f"{text} ({self.citation.sentence(language)})."]
        if self.legal:
            apart = "; " if any("," in text for text in self.legal) else ", "
            shown = apart.join(self.legal[:8]) + (" …" if len(self.legal) > 8 else "")
            parts.append(sentence("refusal.legal", language, legal=shown))
        return " ".join(parts)


class DamasError(Exception):
    """Base of everything damas raises on purpose."""

    code = "ERROR"
    """Stable; its sentence in the catalogue is `error.CODE` in small letters, filled with the attributes."""

    def sentence(self, language: str) -> str:
        """Why, in one sentence of a language."""
        facts = {name: _quoted(fact) if isinstance(fact, str) else fact for name, fact in vars(self).items()}
        lists = {name: ", ".join(fact) for name, fact in facts.items() if isinstance(fact, tuple)}
        return sentence(f"error.{self.code.lower()}", language, **{**facts, **lists})

    def __str__(self) -> str:
        return self.sentence("en")


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a text or a setup."""

    code: str
    token: str
    offset: int
    squares: tuple[str, ...] = ()

    def sentence(self, language: str) -> str:
        token = self.token if len(self.token) <= MAX_QUOTED else _quoted(self.token)
        return sentence(f"problem.{self.code}", language, token=token, offset=self.offset, most=self.offset)


def _reasons(problems: tuple[Problem, ...], language: str) -> str:
    """The problems as one text, each once."""
    reasons = list(dict.fromkeys(problem.sentence(language) for problem in problems))
    return "; ".join(reasons[:MAX_REASONS]) + ("; …" if len(reasons) > MAX_REASONS else "")


class NotationError(DamasError):
    """The text cannot be read."""

    code = "NOTATION"

    def __init__(self, text: str, problems: tuple[Problem, ...]) -> None:
        super().__init__(text, problems)
        self.text = text
        self.problems = problems

    def sentence(self, language: str) -> str:
        reasons = _reasons(self.problems, language)
        return sentence("error.notation", language, text=_quoted(self.text), reasons=reasons)


class IllegalMove(DamasError):
    """Read, and not allowed: `refusal` says by which article and what is legal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal
        self.code = refusal.code

    @property
    def article(self) -> str:
        return self.refusal.citation.article

    @property
    def legal(self) -> tuple[str, ...]:
        return self.refusal.legal

    def sentence(self, language: str) -> str:
        return self.refusal.sentence(language)


class AmbiguousMove(IllegalMove):
    """Several legal moves fit the text; `legal` names them with their routes."""


class NotYourTurn(IllegalMove):
    pass


class GameOver(IllegalMove):
    pass


class IllegalSetup(DamasError):
    """The pieces cannot stand so; `problems` has every reason."""

    code = "SETUP"

    def __init__(self, text: str, problems: tuple[Problem, ...]) -> None:
        super().__init__(text, problems)
        self.text = text
        self.problems = problems

    def sentence(self, language: str) -> str:
        reasons = _reasons(self.problems, language)
        return sentence("error.setup", language, text=_quoted(self.text), reasons=reasons)


class TooManyCaptures(DamasError):
    """The captures of a position branch beyond all bounds, as rings of pieces around flying kings do.

    Asking for its moves stops after about a tenth of a second; no position of a game comes near.
    """

    code = "TOO_MANY_CAPTURES"


@dataclass(frozen=True)
class Mistake:
    """One thing wrong with a file: where it stands, what was found there, and what may stand there."""

    key: str
    got: str | None
    """As JSON writes it; None where there is nothing."""
    wanted: Saying
    """A sentence of the catalogue under `wanted`."""

    def allowed(self, language: str) -> str:
        return self.wanted.sentence(language)

    def sentence(self, language: str) -> str:
        got = sentence("wanted.nothing", language) if self.got is None else _quoted(self.got)
        return sentence("error.rulebook_key", language, key=self.key, got=got, allowed=self.allowed(language))


def wanted(code: str, **facts: object) -> Saying:
    """What may stand somewhere in a file."""
    return Saying(f"wanted.{code}", facts)


class BadRulebook(DamasError):
    """A rules file with mistakes; `name` is that of the file, or of the rules where there is none."""

    code = "RULEBOOK"

    def __init__(self, name: str, problems: list[Mistake]) -> None:
        super().__init__(name, problems)
        self.name = name
        self.problems = problems

    def sentence(self, language: str) -> str:
        reasons = "; ".join(mistake.sentence(language) for mistake in self.problems)
        return sentence("error.rulebook", language, name=_quoted(self.name), reasons=reasons)


class UnknownRulebook(DamasError):
    code = "UNKNOWN_RULEBOOK"

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name, known)
        self.name = name
        self.known = known


class NoTable(DamasError):
    """A position has more pieces than there are tables for."""

    code = "NO_TABLE"

    def __init__(self, book: str, pieces: int) -> None:
        super().__init__(book, pieces)
        self.book = book
        self.pieces = pieces


class NoTablesForRules(DamasError):
    """Rules that tables cannot follow: another board, or a limit of another kind."""

    code = "NO_TABLES_FOR_RULES"

    def __init__(self, book: str) -> None:
        super().__init__(book)
        self.book = book


class DamagedTable(DamasError):
    """A file that is not what it should be."""

    code = "DAMAGED_TABLE"

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what

    def sentence(self, language: str) -> str:
        return sentence("error.damaged_table", language, what=self.what)


class BadRegulation(DamasError):
    """A regulation with mistakes; `name` is that of the file, or of the regulation where there is none."""

    code = "REGULATION"

    def __init__(self, name: str, problems: list[Mistake]) -> None:
        super().__init__(name, problems)
        self.name = name
        self.problems = problems

    def sentence(self, language: str) -> str:
        reasons = "; ".join(mistake.sentence(language) for mistake in self.problems)
        return sentence("error.regulation", language, name=_quoted(self.name), reasons=reasons)


class UnknownRegulation(DamasError):
    code = "UNKNOWN_REGULATION"

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name, known)
        self.name = name
        self.known = known


class NotEnoughMemory(DamasError, MemoryError):
    """An engine was to have more memory than the machine gives."""

    code = "NO_MEMORY"

    def __init__(self, megabytes: int) -> None:
        super().__init__(megabytes)
        self.megabytes = megabytes

    def sentence(self, language: str) -> str:
        return sentence("error.memory", language, megabytes=self.megabytes)


class BadEntrant(DamasError):
    """A text that names no player; `reason` is a stable code: unknown, missing, interpreter, level, address,
    remote, class or quotes.
    """

    code = "ENTRANT"

    def __init__(self, spec: str, reason: str) -> None:
        super().__init__(spec, reason)
        self.spec = spec
        self.reason = reason

    def sentence(self, language: str) -> str:
        reason = sentence(f"entrant.{self.reason}", language)
        return sentence("error.entrant", language, spec=_quoted(self.spec), reason=reason)


class BadTemplate(DamasError):
    """There is no template of a bot for a file of that name; `known` has the endings that there are."""

    code = "TEMPLATE"

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name, known)
        self.name = name
        self.known = known


class NoContainment(DamasError):
    """A program that is not trusted may not run here: `tried` has each tier and why it does not hold."""

    code = "NO_CONTAINMENT"

    def __init__(self, name: str, tried: dict[str, str]) -> None:
        super().__init__(name, tried)
        self.name = name
        self.tried = tried

    def sentence(self, language: str) -> str:
        tried = "; ".join(f"{tier}: {why}" for tier, why in self.tried.items()) or "–"
        return sentence("error.no_containment", language, name=_quoted(self.name), tried=tried)


class RemoteTrouble(DamasError):
    """The server where a bot of the arena plays cannot be reached, or does not do its part: nobody's loss.

    `reason` is a stable code: token, login, scope, name, away, refused, redirect, garbage, other_game, clock, ended,
    trust. `detail` is a fact for the sentence: a name, or what the server said.
    """

    code = "REMOTE"

    def __init__(self, url: str, reason: str, detail: str = "") -> None:
        super().__init__(url, reason, detail)
        self.url = url
        self.reason = reason
        self.detail = detail

    def sentence(self, language: str) -> str:
        reason = sentence(f"remote.{self.reason}", language, detail=_quoted(self.detail) or "–")
        return sentence("error.remote", language, url=_quoted(self.url), reason=reason)


class BadEvent(DamasError):
    """An event that cannot be read, and the mistake in it."""

    code = "EVENT"

    def __init__(self, kind: str, mistake: Mistake) -> None:
        super().__init__(kind, mistake)
        self.kind = kind
        self.mistake = mistake

    def sentence(self, language: str) -> str:
        reason = self.mistake.sentence(language)
        return sentence("error.event", language, kind=_quoted(self.kind), reason=reason)


class BadRecord(DamasError):
    """The record of a game does not hold. `line` counts from 1; `reason` is a stable code with its facts."""

    code = "RECORD"

    def __init__(
        self, line: int, reason: str, facts: dict[str, object], cause: DamasError | None = None
    ) -> None:
        super().__init__(line, reason, facts)
        self.line = line
        self.reason = reason
        self.facts = facts
        self.cause = cause

    def sentence(self, language: str) -> str:
        facts = dict(self.facts)
        if self.cause:
            facts["cause"] = self.cause.sentence(language)
        reason = sentence(f"record.{self.reason}", language, **facts).removesuffix(".")  # a cause has its own
        return sentence("error.record", language, line=self.line, reason=reason)


class DamagedTournament(DamasError):
    """The folder of a tournament does not hold: `what` is settings, version, rulebook (it has changed since), or
    the line of the journal.
    """

    code = "DAMAGED_TOURNAMENT"

    def __init__(self, folder: str, what: str) -> None:
        super().__init__(folder, what)
        self.folder = folder
        self.what = what


class TournamentBusy(DamasError):
    """Another process plays the tournament of this folder."""

    code = "TOURNAMENT_BUSY"

    def __init__(self, folder: str) -> None:
        super().__init__(folder)
        self.folder = folder


_TROUBLE = {
    errno.ENOENT: "missing",
    errno.EACCES: "forbidden",
    errno.EPERM: "forbidden",
    errno.EISDIR: "folder",
    errno.ENOTDIR: "no_folder",
    errno.EEXIST: "exists",
    errno.ENOSPC: "full",
}


def file_trouble(error: OSError | ValueError) -> Saying:
    """Why a file cannot be used. A `ValueError` is what Python raises for bytes that are no text, and for a name that
    no file can have.
    """
    if isinstance(error, UnicodeDecodeError):
        return Saying("file.not_text")
    if isinstance(error, ValueError):
        return Saying("file.bad_name")
    known = _TROUBLE.get(error.errno or 0)
    return Saying(f"file.{known}") if known else Saying("file.other", {"text": error.strerror or str(error)})


def toml_trouble(error: Exception) -> Saying:
    """What is wanted where `tomllib` found no TOML. It tells the place in words only."""
    place = re.search(r"\(at line (\d+), column (\d+)\)$", str(error))
    if place:
        return wanted("toml", line=place[1], column=place[2])
    return wanted("whole_toml" if str(error).endswith("(at end of document)") else "plain_toml")


def _fact(value: object, language: str) -> object:
    """A piece by its name in the language, a square by that of the moves, anything else as it is. (Pieces belong to a
    later room.)
    """
    if isinstance(value, SquareName):
        return value.shown
    return sentence(f"piece.{getattr(value, 'value', '')}", language) if hasattr(value, "is_king") else value


def _quoted(text: str) -> str:
    """Short enough for one line of an error."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_QUOTED else line[: MAX_QUOTED - 3] + "…"
