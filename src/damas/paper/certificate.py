"""The certificate of a finished game on paper."""

from damas.arbiter.table import Table
from damas.board import Color
from damas.judging.certificate import Certificate
from damas.language import language_of, sentence
from damas.paper.document import (
    Block,
    Diagram,
    Document,
    Field,
    Heading,
    Items,
    Text,
    clipped,
    date_words,
    rulebook_name,
    side_name,
    word,
)

SHOWN_SEAL = 16
"""Digits of the seal at the bottom of every page."""


def certificate_paper(
    table: Table, language: str, *, name: str, address: str = "", date: str = "", unnamed: bool = False
) -> Document:
    """The certificate of a table; raises `ProcedureRefused` if the game is not over.

    `name` is that of the file; `address` is where the certificate itself can be had, for whoever checks it; `date` is the
    day on which the game was played, as in PDN; `unnamed` players write their names by hand.
    """
    language = language_of(table.book.id, language)
    certificate = Certificate(table)
    outcome, data = table.outcome, certificate.data
    assert outcome
    facts = certificate.facts(language)
    by_hand = [side_name(side, language) for side in Color] if unnamed else []
    fields = [
        Field(label, "" if label in by_hand else clipped(value), wide=True) for label, value in facts if label
    ]
    fields[0] = Field(fields[0].label, rulebook_name(table.book, language), wide=True)
    fields += [Field(word("date", language), date_words(date, language)), Field(word("place", language), "")]
    body: list[Block] = [
        Heading(sentence("certificate.result", language, result=outcome.result)),
        Text(outcome.sentence(language), "strong"),
    ]
    for heading, moves in certificate.parts(language):
        body += [Heading(heading), Text(" ".join(moves) or "–")]
    body += [
        Heading(sentence("certificate.decisive", language)),
        Items(tuple(certificate.deciding_events(language))),
        Heading(sentence("certificate.counters", language)),
        Items(tuple(certificate.counts(language))),
        Heading(sentence("certificate.irregularities", language)),
        Items(tuple(certificate.irregularities(language))),
        Heading(word("proof", language)),
        Text(word("verify_at" if address else "verify", language, address=address)),
        *(Text(line, "small") for line in certificate.proof(language)),
        *(Text(value, "small", label=fields[0].label) for label, value in facts if not label),
        Text(sentence("certificate.final", language, fen=data["final"]), "small"),
    ]
    return Document(
        language=language,
        name=name,
        title=sentence("certificate.title", language),
        fields=tuple(fields),
        diagram=_final(table, language),
        body=tuple(body),
        signatures=(*(side_name(side, language) for side in Color), word("arbiter", language)),
        footer=word("seal", language, seal=data["seal"][:SHOWN_SEAL]),
    )


def _final(table: Table, language: str) -> Diagram:
    record = table.game.record
    last_move = tuple(record.move(record.length).route) if record.length else ()
    return Diagram.of(table.position.draw(), word("final", language), last_move=last_move)
