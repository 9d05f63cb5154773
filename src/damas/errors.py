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
├─ BadBook            an opening book with a line or a game that cannot be used
├─ BadEntrant         a text that names no player of the arena
├─ BadTemplate        a file's ending for which there is no template of a bot
├─ NoContainment      a program that is not trusted, where nothing can contain it
├─ EngineError        an engine that does not do its part, or cannot do what it is asked for
│  ├─ EngineDied      its program has ended, or it has hung up
│  ├─ EngineTimeout   it has not answered in time, and was closed
│  └─ BadOption       it has no such option, or the option cannot have this value
├─ RemoteTrouble      a server where a bot of the arena plays: not reached, or it refuses
├─ ProcedureRefused   the arbiter does not allow it (in `damas.arbiter`: it carries the table)
├─ BadEvent           an event of a game that cannot be read
├─ DamagedTournament  the folder of a tournament that does not hold
├─ RulesChanged       the rules of a tournament are not those it began with
├─ TournamentBusy     another process plays it
├─ BadLedger          a file of finished pieces that cannot be gone on with
├─ PieceLost          every process that tried a piece of work ended
├─ ClusterTrouble     a Ray cluster that cannot be used
├─ TournamentRefused  the arbiter's desk: an entry that the tournament cannot take
└─ BadRecord          the record of a game that does not hold: the line, and what is wrong with it

Each carries data under a stable code; sentences come from the catalogue, in any of its languages.
"""

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from damas.language import Saying, language_of, rulebook_word, sentence, word

MAX_QUOTED = 120
"""Characters of a text that an error quotes."""
MAX_SHOWN_CHARS = 200
"""Characters of a wrong value that a mistake keeps."""
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
        """The citation as it stands in a sentence of a language."""
        return self._worded(rulebook_word(self.rulebook, language), language)

    @property
    def record(self) -> str:
        """The citation as records have it: in English, with the rulebook's id."""
        return self._worded(self.rulebook, "en")

    def _worded(self, rulebook: str, language: str) -> str:
        if self.id.startswith("regulation."):  # one of its settings: its name stands in place of a rulebook's
            name = word("regulation", self.rulebook, language)
            return sentence("citation.regulation", language, name=name)
        if self.article:
            return f"{rulebook}, {self.article}"
        return sentence("citation.reading", language, rulebook=rulebook) if self.id else rulebook


class SquareName(str):
    """A square named as in FEN and JSON; `shown` is its name in the rulebook's moves, for people."""

    __slots__ = ("shown",)
    shown: str

    def __new__(cls, name: str, shown: str) -> Self:
        square = super().__new__(cls, name)
        square.shown = shown
        return square

    def sentence(self, _language: str) -> str:
        """The name for people, the same in every language."""
        return self.shown

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
        """The refusal with its article and what is legal, in a language."""
        own = language_of(self.citation.rulebook, language)
        text = sentence(f"refusal.{self.code}", own, tried=self.tried, **self.facts)
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
        return sentence(f"error.{self.code.lower()}", language, **self._facts(language))

    def _facts(self, language: str) -> dict[str, object]:  # noqa: ARG002 (some errors need it)
        """What the sentence is filled with: the attributes, long texts shortened and lists joined."""
        facts: dict[str, object] = {}
        for name, fact in vars(self).items():
            text = ", ".join(fact) if isinstance(fact, tuple) else fact
            facts[name] = _quoted(text) if isinstance(fact, str) else text
        return facts

    def __str__(self) -> str:
        return self.sentence("en")

    def __reduce__(self) -> tuple[object, ...]:
        return (_unpickled, (type(self), self.args), vars(self))


def _unpickled(kind: type[DamasError], args: tuple[object, ...]) -> DamasError:
    """An error that was pickled, before its attributes: `__init__`, which may want keywords, is not called again."""
    return kind.__new__(kind, *args)


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a text or a setup."""

    code: str
    token: str
    offset: int
    squares: tuple[str, ...] = ()

    def sentence(self, language: str) -> str:
        """The problem in a few words of a language."""
        token = self.token if len(self.token) <= MAX_QUOTED else _quoted(self.token)
        return sentence(f"problem.{self.code}", language, token=token, offset=self.offset, most=self.offset)


@dataclass(eq=False, repr=False)
class _BadText(DamasError):
    """A text with problems."""

    text: str
    problems: tuple[Problem, ...]

    def _facts(self, language: str) -> dict[str, object]:
        reasons = list(dict.fromkeys(problem.sentence(language) for problem in self.problems))
        shown = "; ".join(reasons[:MAX_REASONS]) + ("; …" if len(reasons) > MAX_REASONS else "")
        return {"text": _quoted(self.text), "reasons": shown}


class NotationError(_BadText):
    """The text cannot be read."""

    code = "NOTATION"


class IllegalSetup(_BadText):
    """The pieces cannot stand so; `problems` has every reason."""

    code = "SETUP"


class IllegalMove(DamasError):
    """Read, and not allowed: `refusal` says by which article and what is legal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal
        self.code = refusal.code

    @property
    def article(self) -> str:
        """The article that forbids the move, as the rulebook cites it."""
        return self.refusal.citation.article

    @property
    def legal(self) -> tuple[str, ...]:
        """What may be played instead."""
        return self.refusal.legal

    def sentence(self, language: str) -> str:
        """Why the move is refused, with the article and what is legal."""
        return self.refusal.sentence(language)


class AmbiguousMove(IllegalMove):
    """Several legal moves fit the text; `legal` names them with their routes."""


class NotYourTurn(IllegalMove):
    """The piece is the other side's, which could play so if it were its turn."""


class GameOver(IllegalMove):
    """The game has ended: nothing may be played."""


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

    @classmethod
    def of(cls, key: str, got: object, allowed: Saying) -> Self:
        """The mistake that a key has the value `got`, or none at all (None), where `allowed` is expected."""
        import json  # imported here to keep `import damas` fast

        try:
            shown = None if got is None else json.dumps(got, default=str, ensure_ascii=False)
        except (
            ValueError
        ):  # Python writes no number of thousands of digits, which TOML can hold in hexadecimal
            shown = "…"
        if shown and len(shown) > MAX_SHOWN_CHARS:
            shown = f"{shown[: MAX_SHOWN_CHARS - 1]}…"
        return cls(key, shown, allowed)

    def allowed(self, language: str) -> str:
        """What may stand there, in a language."""
        return self.wanted.sentence(language)

    def sentence(self, language: str) -> str:
        """The mistake in one sentence of a language."""
        got = sentence("wanted.nothing", language) if self.got is None else _quoted(self.got)
        return sentence("error.rulebook_key", language, key=self.key, got=got, allowed=self.allowed(language))


def wanted(code: str, **facts: object) -> Saying:
    """What may stand somewhere in a file."""
    return Saying(f"wanted.{code}", facts)


@dataclass(eq=False, repr=False)
class _BadFile(DamasError):
    """A file with mistakes; `name` is that of the file, or of its content where there is none."""

    name: str
    problems: list[Mistake]

    def _facts(self, language: str) -> dict[str, object]:
        reasons = "; ".join(mistake.sentence(language) for mistake in self.problems)
        return {"name": _quoted(self.name), "reasons": reasons}


class BadRulebook(_BadFile):
    """A rules file with mistakes."""

    code = "RULEBOOK"


class BadRegulation(_BadFile):
    """A regulation with mistakes."""

    code = "REGULATION"


@dataclass(eq=False, repr=False)
class _UnknownName(DamasError):
    """There is nothing of that name; `known` has the names that there are."""

    name: str
    known: tuple[str, ...]


class UnknownRulebook(_UnknownName):
    """There is no rulebook of that name."""

    code = "UNKNOWN_RULEBOOK"


class UnknownRegulation(_UnknownName):
    """There is no regulation of that name."""

    code = "UNKNOWN_REGULATION"


class BadTemplate(_UnknownName):
    """There is no template of a bot for a file of that name; `known` has the endings that there are."""

    code = "TEMPLATE"


@dataclass(eq=False, repr=False)
class NoTable(DamasError):
    """A position has more pieces than there are tables for."""

    code = "NO_TABLE"
    book: str
    pieces: int


@dataclass(eq=False, repr=False)
class NoTablesForRules(DamasError):
    """Rules that tables cannot follow: another board, or a limit of another kind."""

    code = "NO_TABLES_FOR_RULES"
    book: str


@dataclass(eq=False, repr=False)
class DamagedTable(DamasError):
    """A file that is not what it should be."""

    code = "DAMAGED_TABLE"
    what: str

    def _facts(self, language: str) -> dict[str, object]:  # noqa: ARG002 (see DamasError)
        return {"what": self.what}


@dataclass(eq=False, repr=False)
class NotEnoughMemory(DamasError, MemoryError):
    """An engine was to have more memory than the machine gives."""

    code = "NO_MEMORY"
    megabytes: int

    def sentence(self, language: str) -> str:
        """How much memory was asked for."""
        return sentence("error.memory", language, megabytes=self.megabytes)


@dataclass(eq=False, repr=False)
class BadBook(DamasError):
    """An opening book with a line or a game that cannot be used; `why` says which and what is wrong with it."""

    code = "BOOK"
    name: str
    why: Saying

    def _facts(self, language: str) -> dict[str, object]:
        return {"name": _quoted(self.name), "why": self.why.sentence(language).removesuffix(".")}


@dataclass(eq=False, repr=False)
class BadEntrant(DamasError):
    """A text that names no player; `reason` is a stable code: unknown, missing, interpreter, level, address,
    remote, class, quotes or engine.
    """

    code = "ENTRANT"
    spec: str
    reason: str

    def _facts(self, language: str) -> dict[str, object]:
        return {"spec": _quoted(self.spec), "reason": sentence(f"entrant.{self.reason}", language)}


@dataclass(eq=False, repr=False)
class NoContainment(DamasError):
    """A program that is not trusted may not run here: `tried` has each tier and why it does not hold."""

    code = "NO_CONTAINMENT"
    name: str
    tried: dict[str, str]

    def _facts(self, language: str) -> dict[str, object]:
        tried = "; ".join(f"{tier}: {why}" for tier, why in self.tried.items()) or "–"
        return {**super()._facts(language), "tried": tried}


@dataclass(eq=False, repr=False)
class EngineError(DamasError):
    """An engine does not do its part, or cannot do what it is asked for.

    `reason` is a stable code: start, closed, died, late, silent, deaf, garbage, illegal, no_move, multipv, no_analysis,
    rulebook, option, option_value, option_refused, dxp. `detail` is a fact for the sentence: a move, an exit code, what
    the engine said.
    """

    code = "ENGINE"
    name: str
    reason: str
    detail: str | Saying = ""

    def sentence(self, language: str) -> str:
        """The engine's name and the reason."""
        said = self.detail.sentence(language) if isinstance(self.detail, Saying) else _quoted(self.detail)
        reason = sentence(f"engine.{self.reason}", language, detail=said or "–")
        return sentence("error.engine", language, name=_quoted(self.name), reason=reason)


class EngineDied(EngineError):
    """The program of an engine has ended, or it has hung up."""

    code = "ENGINE_DIED"


class EngineTimeout(EngineError, TimeoutError):
    """An engine has not answered in time. It was closed: what it would say later answers nothing."""

    code = "ENGINE_TIMEOUT"


class BadOption(EngineError):
    """An engine has no such option, or the option cannot have this value, or the engine refuses it."""

    code = "ENGINE_OPTION"


@dataclass(eq=False, repr=False)
class RemoteTrouble(DamasError):
    """The server where a bot of the arena plays cannot be reached, or does not do its part: nobody's loss.

    `reason` is a stable code: plain, private, token, login, scope, name, away, refused, redirect, garbage, other_game,
    clock, ended, trust. `detail` is a fact for the sentence: a name, or what the server said.
    """

    code = "REMOTE"
    url: str
    reason: str
    detail: str = ""

    def _facts(self, language: str) -> dict[str, object]:
        reason = sentence(f"remote.{self.reason}", language, detail=_quoted(self.detail) or "–")
        return {"url": _quoted(self.url), "reason": reason}


@dataclass(eq=False, repr=False)
class BadEvent(DamasError):
    """An event that cannot be read, and the mistake in it."""

    code = "EVENT"
    kind: str
    mistake: Mistake

    def _facts(self, language: str) -> dict[str, object]:
        return {"kind": _quoted(self.kind), "reason": self.mistake.sentence(language)}


@dataclass(eq=False, repr=False)
class BadRecord(DamasError):
    """The record of a game does not hold. `line` counts from 1; `reason` is a stable code with its facts."""

    code = "RECORD"
    line: int
    reason: str
    facts: dict[str, object]
    cause: DamasError | None = None

    def _facts(self, language: str) -> dict[str, object]:
        facts = dict(self.facts)
        if self.cause:
            facts["cause"] = self.cause.sentence(language)
        reason = sentence(f"record.{self.reason}", language, **facts).removesuffix(".")  # a cause has its own
        return {"line": self.line, "reason": reason}


@dataclass(eq=False, repr=False)
class DamagedTournament(DamasError):
    """The folder of a tournament does not hold: `what` is settings, version, or the line of the journal."""

    code = "DAMAGED_TOURNAMENT"
    folder: str
    what: str


@dataclass(eq=False, repr=False)
class RulesChanged(DamasError):
    """The rules `book` have changed since the tournament in `folder` began, and no edition has those it began with.

    The folder is empty for games that are kept in memory.
    """

    code = "RULES_CHANGED"
    book: str
    folder: str

    def sentence(self, language: str) -> str:
        """Since when the rules have changed, and what to do."""
        key = "rules_changed" if self.folder else "rules_changed_meanwhile"
        return sentence(f"error.{key}", language, **self._facts(language))


@dataclass(eq=False, repr=False)
class TournamentRefused(DamasError):
    """A tournament of people cannot take an entry; `reason` is a stable code of `club.toml` with its facts."""

    code = "TOURNAMENT_REFUSED"
    reason: str
    facts: dict[str, object]

    def _facts(self, language: str) -> dict[str, object]:
        return {"reason": sentence(f"club.refused.{self.reason}", language, **self.facts)}


@dataclass(eq=False, repr=False)
class TournamentBusy(DamasError):
    """Another process plays the tournament of this folder."""

    code = "TOURNAMENT_BUSY"
    folder: str


@dataclass(eq=False, repr=False)
class BadLedger(DamasError):
    """A file of finished pieces cannot be gone on with; `reason` is `damaged`, `other` settings, or `busy`."""

    code = "BAD_LEDGER"
    path: str
    reason: str

    def _facts(self, language: str) -> dict[str, object]:
        return {"path": self.path, "reason": sentence(f"ledger.{self.reason}", language)}


@dataclass(eq=False, repr=False)
class PieceLost(DamasError):
    """A piece of work has no result: every process that tried it ended."""

    code = "PIECE_LOST"
    piece: str
    reason: str


@dataclass(eq=False, repr=False)
class ClusterTrouble(DamasError):
    """A Ray cluster cannot be used; `reason` is `missing` (Ray), `none` (no cluster), `unreachable`, `version` or `memory`."""

    code = "CLUSTER_TROUBLE"
    reason: str
    address: str
    detail: str = ""

    def sentence(self, language: str) -> str:
        """What is wrong, and what to do."""
        facts = {"address": self.address, "detail": " ".join(self.detail.split())[:MAX_SHOWN_CHARS]}
        return sentence(f"cluster.{self.reason}", language, **facts)


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


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Every `OSError` of the block names this file. Python names none where writing fails, as on a full disk."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def toml_trouble(error: Exception) -> Saying:
    """What is wanted where `tomllib` found no TOML. It tells the place in words only."""
    place = re.search(r"\(at line (\d+), column (\d+)\)$", str(error))
    if place:
        return wanted("toml", line=place[1], column=place[2])
    return wanted("whole_toml" if str(error).endswith("(at end of document)") else "plain_toml")


def _quoted(text: str) -> str:
    """Short enough for one line of an error."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_QUOTED else line[: MAX_QUOTED - 3] + "…"
