"""Certificates: a finished game as a document that anybody can check.

A certificate is canonical JSON, like a line of a ledger. It contains the whole ledger; everything else follows from
it, and `check` computes it again and lists the differences. Its `seal` is the SHA-256 of the rest.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from textwrap import wrap
from typing import Any

from damas.arbiter import ledger
from damas.arbiter.conduct import Irregularity, register
from damas.arbiter.counts import Count
from damas.arbiter.events import (
    Adjusted,
    Adjusting,
    Crowned,
    Event,
    Hinted,
    Lifted,
    Moved,
    Pressed,
    Started,
    Touched,
)
from damas.arbiter.ledger import canonical
from damas.arbiter.refused import ProcedureRefused
from damas.arbiter.table import Stretch, Table
from damas.board import Color
from damas.errors import BadRecord, BadRulebook, Citation, DamasError, Mistake, wanted
from damas.game import Outcome, Position
from damas.judging.history import event_sentence, last_move, stages
from damas.judging.register import register_data, register_lines
from damas.judging.stretches import NO_BREAK, beginning, scored_moves, stretches
from damas.judging.wording import control_words, position_words
from damas.language import LANGUAGES, rulebook_word, sentence, word
from damas.rules import Rulebook
from damas.rules.library import from_source, is_builtin

FORM = "damas certificate 3"
"""Name and version of the format."""
FIRST_FORM = "damas certificate 1"
"""The first version, which had no register of irregularities."""
SECOND_FORM = "damas certificate 2"
"""The second, which did not name captures released too early."""
ROUTINE = (Started, Moved, Touched, Adjusting, Adjusted, Lifted, Crowned, Pressed, Hinted)
"""Events that decide nothing by themselves."""


@dataclass(frozen=True)
class Certificate:
    """The certificate of a finished table; raises `ProcedureRefused` if the game is not over.

    >>> table = Table.start("brasileira", "casual", ("Ana", "Rui"), fen="W:We5:Bd4").play("e5xc3", at=900)
    >>> check(Certificate(table).json)
    []
    """

    table: Table
    form: str = FORM
    """Version of the format: `FORM`, or `FIRST_FORM` or `SECOND_FORM` to check an old one."""

    def __post_init__(self) -> None:
        if self.table.outcome is None:
            raise ProcedureRefused("NOT_OVER")

    @cached_property
    def data(self) -> dict[str, Any]:
        """The certificate as JSON values."""
        table, outcome = self.table, self.table.outcome
        assert outcome
        rest = {
            "form": self.form,
            "rulebook": _rulebook(table.book),
            "regulation": table.regulation.recorded_data(),
            "players": {side.value: _player(table, side) for side in Color},
            "recorded": table.started.recorded,
            "start": table.started.fen,
            "parts": [
                {
                    "start": stretch.game.record.start.fen,
                    "after_ply": stretch.ply,
                    "moves": [move.text for move in stretch.game.record.moves],
                    **(
                        {"broken_off": stretch.broken_off} if stretch.broken_off and self.form == FORM else {}
                    ),
                }
                for stretch in table.stretches
            ],
            "plies": table.ply,
            "final": table.position.fen,
            "decisive": [
                {
                    "n": n,
                    "ply": ply,
                    "kind": event.kind,
                    "by": event.by.value if event.by else None,
                    "at": event.at,
                }
                for n, ply, event in decisive(table)
            ],
            "counters": [_count(count) for count in table.progress()],
            **(
                {}
                if self.form == FIRST_FORM
                else {"irregularities": register_data(_register(table, self.form))}
            ),
            "outcome": _outcome(outcome),
            "sentence": {language: outcome.sentence(language) for language in LANGUAGES},
            "ledger": [json.loads(line) for line in ledger.lines(table)],
            "chain": ledger.head(table),
        }
        return {**rest, "seal": _seal(rest)}

    @cached_property
    def json(self) -> bytes:
        """One line of canonical JSON, its newline included."""
        return canonical(self.data) + b"\n"

    def text(self, language: str) -> str:
        """The certificate as text for people."""
        return "\n".join(_text(self, language)) + "\n"

    # What the text and the printed certificate say

    def facts(self, language: str) -> list[tuple[str, str]]:
        """Name and value of what was agreed before the game: rules, regulation, players, lot."""
        table = self.table
        named = word("regulation", table.regulation.id, language)
        rows = [
            (_word("rulebook", language), rulebook_word(table.book.id, language)),
            ("", _word("hash", language, hash=table.book.hash)),
            (_word("regulation", language), ", ".join(filter(None, (named, _control(table, language))))),
            *(
                (_word(side.value, language), _name(table, side, _word("program", language)))
                for side in Color
            ),
        ]
        if not table.started.recorded and any(rule.claim == "unrecorded" for rule in table.book.draws):
            rows.append((_word("recorded", language), _word("unwritten", language)))
        if lot := table.started.lot:
            rows.append((_word("lot", language), _word("seed", language, seed=lot.seed)))
        return rows

    def parts(self, language: str) -> list[tuple[str, list[str]]]:
        """Each part of the game: where it begins, and its moves with their numbers."""
        return [
            (_moves_heading(stretch, language), list(scored_moves(stretch, following)))
            for stretch, following in stretches(self.table)
        ]

    def deciding_events(self, language: str) -> list[str]:
        """What decided the game, a line each: after which move, time and event."""
        lines = []
        for n, ply, event in decisive(self.table):
            facts = {"time": _time(event.at), "event": event_sentence(event, language, self.table)}
            if ply:
                side, number = last_move(self._after[n])
                facts["move"] = sentence(f"move.the.{side.value}", language, number=number)
            lines.append(_word("event" if ply else "early_event", language, **facts))
        return lines

    @cached_property
    def _after(self) -> list[Table]:
        """The table after each event."""
        return [now for _, _, now in stages(self.table)]

    def counts(self, language: str) -> list[str]:
        """The limits that were counting at the end."""
        return [count.sentence(language) for count in self.table.progress()] or [_word("none", language)]

    def irregularities(self, language: str) -> list[str]:
        """The register of irregularities, a line each, then the totals of both players."""
        return list(register_lines(self.table, language))

    def proof(self, language: str) -> list[str]:
        """The codes that show whether anything was changed: chain of events, and seal."""
        chain = _word("chain", language, count=len(self.table.events), chain=self.data["chain"])
        return [chain, _word("seal", language, seal=self.data["seal"])]


def decisive(table: Table) -> Iterator[tuple[int, int, Event]]:
    """Number, ply and event of the decisive events: claims, offers, rulings, and the last move if it was ruled on."""
    last = len(table.events) - 2
    for n, (event, _, now) in enumerate(stages(table)):
        if not isinstance(event, ROUTINE) or (n == last and isinstance(event, Moved)):
            yield n, now.ply, event


def _rulebook(book: Rulebook) -> dict[str, Any]:
    """House rules are included: their id does not identify them."""
    return {"id": book.id, "hash": book.hash, "rules": None if is_builtin(book) else book.source}


def _player(table: Table, side: Color) -> dict[str, object]:
    player, lot = table.player(side), table.started.lot
    drew = None if lot is None else lot.seed
    return {"name": player.name, "bot": player.bot, "lot": drew}


def _register(table: Table, form: str) -> list[Irregularity]:
    """The register as this version of the format has it."""
    return [entry for entry in register(table) if form == FORM or entry.source != "made"]


def _count(count: Count) -> dict[str, object]:
    return {
        "rule": count.rule.id,
        "have": count.progress.have,
        "need": count.progress.need,
        "since": count.since,
        **_citation(count.citation),
        "platform": count.rule.platform,
    }


def _outcome(outcome: Outcome) -> dict[str, object]:
    return {
        "result": outcome.result,
        "winner": outcome.winner.value if outcome.winner else None,
        "reason": outcome.reason,
        **_citation(outcome.citation),
        "rule": outcome.rule,
        "platform": outcome.platform,
        "facts": {key: getattr(value, "value", value) for key, value in outcome.facts.items()},
    }


def _citation(citation: Citation) -> dict[str, object]:
    return {"rulebook": citation.rulebook, "article": citation.article, "article_id": citation.id}


def _seal(rest: dict[str, Any]) -> str:
    return sha256(canonical(rest)).hexdigest()


# Checking


@dataclass(frozen=True)
class Difference:
    """A value in a certificate that differs from what its ledger gives."""

    where: str
    """Path of the value, such as outcome.reason, or ledger.12 for the thirteenth event."""
    found: str
    expected: str
    cause: DamasError | None = None

    def sentence(self, language: str) -> str:
        """The difference in one sentence of a language."""
        if self.cause:
            why = self.cause.sentence(language)
            return sentence("certificate.broken", language, where=self.where, why=why)
        if not self.found:
            return sentence("certificate.unreadable", language, where=self.where, expected=self.expected)
        return sentence(
            "certificate.differs", language, where=self.where, found=self.found, expected=self.expected
        )


def check(certificate: bytes | str, book: Rulebook | None = None) -> list[Difference]:
    """The differences between a certificate and what its own ledger gives; empty if it is right.

    Needs no network and no file. With `book`, the house rules must be these. Where the seal is unbroken, sentences and
    articles may be worded otherwise than today; `table_in` gives the game to word it anew.
    """
    raw = certificate.encode("utf-8", "surrogatepass") if isinstance(certificate, str) else certificate
    try:
        data = json.loads(raw.decode())
    except UnicodeDecodeError as error:
        return [Difference(f"byte {error.start + 1}", "", "UTF-8")]
    except (ValueError, RecursionError) as error:
        return [Difference(f"character {getattr(error, 'pos', 0) + 1}", "", "JSON")]
    if not isinstance(data, dict):
        return [Difference("certificate", _shown(data), "{…}")]
    written = canonical(data) + b"\n"
    if raw != written:
        at = next((n for n, pair in enumerate(zip(raw, written, strict=False)) if pair[0] != pair[1]), None)
        at = min(len(raw), len(written)) if at is None else at
        return [Difference(f"byte {at + 1}", _shown_bytes(raw[at:]), _shown_bytes(written[at:]))]
    return _checked(data, book)


def table_in(certificate: bytes | str, book: Rulebook | None = None) -> Table:
    """The table of a certificate for which `check` returned no differences."""
    data = json.loads(certificate)
    lines = b"".join(canonical(entry) + b"\n" for entry in data["ledger"])
    return ledger.load(lines, book=book or _own_rules(data))


def _checked(data: dict[str, Any], book: Rulebook | None) -> list[Difference]:
    form = data.get("form")
    if form not in (FORM, FIRST_FORM, SECOND_FORM):
        return [Difference("form", _shown(data.get("form")), FORM)]
    entries = data.get("ledger")
    if not isinstance(entries, list):
        return [Difference("ledger", _shown(entries), "[…]")]
    lines = b"".join(canonical(entry) + b"\n" for entry in entries)
    try:
        table = ledger.load(lines, book=book or _own_rules(data))
        expected = Certificate(table, form).data
    except BadRecord as why:
        return [Difference(f"ledger.{why.line - 1}", "", "", why)]
    except BadRulebook as why:
        return [Difference("rulebook.rules", "", "", why)]
    except DamasError as why:
        return [Difference("ledger", "", "", why)]
    if data.get("seal") == _seal({key: value for key, value in data.items() if key != "seal"}):
        expected = _in_words_of(data, expected, table)
    return list(_differences("", data, expected))


def _in_words_of(data: dict[str, Any], expected: dict[str, Any], table: Table) -> dict[str, Any]:
    """What is expected of a certificate with an unbroken seal: sentences and articles may be worded as they were when it
    was made.
    """
    worded, sentences = {**expected, "seal": data["seal"]}, data.get("sentence")
    if isinstance(sentences, dict) and all(isinstance(text, str) for text in sentences.values()):
        worded["sentence"] = sentences
    counters = _with_articles(data.get("counters"), expected["counters"])
    worded["counters"] = [{**count, "article": article} for count, article in counters]
    if "irregularities" in expected:
        given, register_entries = data.get("irregularities"), expected["irregularities"]["entries"]
        entries = _with_articles(given.get("entries") if isinstance(given, dict) else None, register_entries)
        cited = [
            replace(entry, article=article)
            for entry, (_, article) in zip(_register(table, data["form"]), entries, strict=True)
        ]
        worded["irregularities"] = register_data(cited)
    return worded


def _with_articles(given: Any, expected: list[dict[str, Any]]) -> list[tuple[dict[str, Any], str]]:
    """Each entry that is expected, with the article as the one given in its place words it."""
    entries = given if isinstance(given, list) and len(given) == len(expected) else expected
    articles = (entry.get("article") if isinstance(entry, dict) else None for entry in entries)
    return [
        (each, article if isinstance(article, str) else each["article"])
        for each, article in zip(expected, articles, strict=True)
    ]


def _own_rules(data: dict[str, Any]) -> Rulebook | None:
    """The house rules in a certificate, or None."""
    rulebook = data.get("rulebook")
    source = rulebook.get("rules") if isinstance(rulebook, dict) else None
    if source is None:
        return None
    if not isinstance(source, dict) or not isinstance(source.get("id"), str):
        raise BadRulebook("rulebook.rules", [Mistake("id", _shown(source), wanted("text"))])
    return from_source(source)


def _differences(where: str, found: Any, expected: Any) -> Iterator[Difference]:
    if isinstance(found, dict) and isinstance(expected, dict):
        for key in sorted(found.keys() | expected.keys()):
            inner = f"{where}.{key}" if where else key
            yield from _differences(inner, found.get(key, _Nothing), expected.get(key, _Nothing))
    elif isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        for n, pair in enumerate(zip(found, expected, strict=True)):
            yield from _differences(f"{where}.{n}", *pair)
    elif found != expected or type(found) is not type(expected):
        yield Difference(where, _shown(found), _shown(expected))


class _Nothing:
    """Stands for a missing key."""


def _shown(value: object) -> str:
    if value is _Nothing:
        return "–"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else text[:79] + "…"


def _shown_bytes(raw: bytes) -> str:
    return _shown(raw[:12].decode("utf-8", "replace"))


# Text


def _word(key: str, language: str, **facts: object) -> str:
    return sentence(f"certificate.{key}", language, **facts)


def _text(certificate: Certificate, language: str) -> Iterator[str]:
    outcome = certificate.table.outcome
    assert outcome
    yield _word("title", language)
    yield ""
    rows = certificate.facts(language)
    wide = max(len(name) for name, _ in rows) + 2
    for name, value in rows:
        yield f"{name:<{wide}}{value}"
    for heading, moves in certificate.parts(language):
        yield ""
        yield from wrap(heading, 78)
        yield from (line.replace(NO_BREAK, " ") for line in _wrapped(" ".join(moves) or "–"))
    yield ""
    yield _word("decisive", language)
    for line in certificate.deciding_events(language):
        yield from _wrapped(line, rest="      ")
    yield ""
    yield _word("counters", language)
    for counter in certificate.counts(language):
        yield from _wrapped(counter, rest="      ")
    yield ""
    yield _word("irregularities", language)
    for line in certificate.irregularities(language):
        yield from _wrapped(line, rest="      ")
    yield ""
    yield _word("result", language, result=outcome.result)
    yield from _wrapped(outcome.sentence(language))
    yield _word("final", language, fen=certificate.data["final"])
    yield ""
    yield from certificate.proof(language)


def _moves_heading(stretch: Stretch, language: str) -> str:
    """The heading of some moves: what set up the position they start from, and which it is, unless it is the usual one."""
    start = stretch.game.record.start
    if start == Position.start(start.rulebook):
        heading = _word("all_moves", language)
    else:
        heading = _word("moves", language, position=position_words(start, language))
    begun_by = beginning(stretch, language)
    return f"{begun_by}. {heading}" if begun_by else heading


def _control(table: Table, language: str) -> str:
    control = table.regulation.time_control
    return "" if control.budget is None else control_words(str(control), language)


def _name(table: Table, side: Color, program: str) -> str:
    player = table.player(side)
    return f"{player.name or '–'}{f' ({program})' if player.bot else ''}"


def _wrapped(text: str, rest: str = "  ") -> list[str]:
    """The text in indented lines of at most 78 characters; `rest` is the indent of all lines but the first."""
    return wrap(
        text,
        78,
        initial_indent="  ",
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _time(ms: int) -> str:
    seconds = ms // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
