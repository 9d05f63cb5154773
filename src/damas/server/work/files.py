"""Pictures, films, papers and PDN of games, made in a worker process.

The server itself draws nothing: what draws is imported by the functions that draw.
A game comes as a `Source`: the text that names a position and its moves, or the stored events of a game.
"""

from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import Any

import msgspec

from damas.arbiter import Table, ledger, regulation
from damas.board import Square
from damas.game import Position, Record
from damas.judging.certificate import Certificate
from damas.judging.scoresheet import to_pdn
from damas.notation import write_game
from damas.paper.cards import Cards
from damas.paper.certificate import certificate_paper
from damas.paper.document import Document
from damas.paper.leaflet import leaflet
from damas.paper.scoresheet import blank_scoresheet, scoresheet_paper
from damas.rules import rulebook
from damas.server.analysing.chapters import StoredLine
from damas.server.analysing.places import record_of
from damas.server.encoding import encode
from damas.views import plain
from damas.views.outcomes import outcome_view
from damas.views.replay import replay_of_record, replay_of_table
from damas.views.table import table_view

OF_RULEBOOKS = {"leaflet": leaflet, "blank": blank_scoresheet}
"""Papers of a rulebook; they never change while the server runs."""


class NamedLine(msgspec.Struct, frozen=True):
    """A position and moves from it, as an address names them."""

    rulebook: str
    fen: str
    moves: str

    def record(self) -> Record:
        """The game. Raises `DamasError`."""
        return record_of(self.rulebook, self.fen, self.moves)


class StoredGame(msgspec.Struct, frozen=True):
    """A game as it is stored; one that nobody has joined yet has no events, and its board stands ready."""

    rulebook: str
    fen: str
    events: Sequence[str]
    """The JSON of each event."""

    def table(self) -> Table:
        """The arbiter's table after all events."""
        if not self.events:
            return Table.start(self.rulebook, regulation("casual"), fen=self.fen)
        return ledger.table_of(self.events)

    def record(self) -> Record:
        """The moves alone."""
        return self.table().game.record


class RecordedGame(msgspec.Struct, frozen=True):
    """A game of programs, as the lines of its record."""

    lines: str

    def table(self) -> Table:
        """The arbiter's table after all events."""
        return ledger.load(self.lines)

    def record(self) -> Record:
        """The moves alone."""
        return self.table().game.record


Source = NamedLine | StoredLine | StoredGame | RecordedGame


# Pictures


def picture(source: Source, ply: int | None, kind: str, look: Mapping[str, Any]) -> bytes:
    """A position of a game as SVG or PNG: after the last ply, unless another is named."""
    position, route = _shown(source, ply)
    if kind == "svg":
        return position.svg(**look, last_move=route).encode()
    from damas.server import pictures

    return pictures.png(position, route=route, **look)


def card(source: Source, ply: int | None, orientation: str) -> bytes:
    """A position as the picture that messengers show of a link."""
    from damas.server import pictures

    position, route = _shown(source, ply)
    return pictures.card(position, orientation=orientation, route=route)


def _shown(source: Source, ply: int | None) -> tuple[Position, tuple[Square, ...]]:
    """The position after a ply, the last one unless it is named, and the route of the move that led to it."""
    record = source.record()
    ply = record.length if ply is None else min(record.length, ply)
    return record.position_after(ply), tuple(record.move(ply).route) if ply else ()


def film(source: Source, look: Mapping[str, Any]) -> bytes | None:
    """A game as an animated GIF; None where it is too long."""
    from damas.server import pictures

    try:
        return pictures.gif(source.record(), **look)
    except pictures.FilmTooLong:
        return None


def qr_code(address: str) -> bytes | None:
    """A QR code as SVG, black on white whatever the page, as scanners want it; None where the address is too long."""
    import segno

    try:
        code = segno.make_qr(address, error="m", boost_error=False)
    except segno.DataOverflowError:
        return None
    data = BytesIO()
    code.save(data, kind="svg", scale=8, border=4, dark="#000", light="#fff", xmldecl=False, svgclass=None)
    return data.getvalue()


# Games


def game_json(game: StoredGame, about: Mapping[str, Any], language: str) -> bytes:
    """A stored game as its board shows it, with facts about it."""
    table = game.table()
    return encode({**plain(table_view(table, language)), "start": table.game.record.start.fen, **about})


def replay(source: Source, language: str) -> tuple[bytes, str]:
    """The positions of a game or line, and the sentence with its result, empty where it has none."""
    if isinstance(source, StoredLine):
        return encode(replay_of_record(source.record(), language, source.remarks())), ""
    if isinstance(source, NamedLine):
        return encode(replay_of_record(source.record(), language)), ""
    table = source.table()
    outcome = outcome_view(table.outcome, language)
    return encode(replay_of_table(table, language)), outcome.message if outcome else ""


def game_pdn(game: StoredGame, tags: Mapping[str, str]) -> str:
    """A stored game as PDN."""
    return write_game(to_pdn(game.table(), dict(tags)))


def certificate(game: StoredGame | RecordedGame) -> bytes:
    """The certificate of a finished game; raises `ProcedureRefused` where it is not over."""
    return Certificate(game.table()).json


# Papers


def paper_of_rulebook(kind: str, name: str, language: str) -> Document:
    """A leaflet or a blank score sheet."""
    return OF_RULEBOOKS[kind](rulebook(name), language)


def certificate_of(
    game: StoredGame | RecordedGame, language: str, name: str, address: str, date: str, unnamed: bool
) -> Document:
    """The certificate of a finished game, to be printed."""
    return certificate_paper(game.table(), language, name=name, address=address, date=date, unnamed=unnamed)


def scoresheet_of(game: StoredGame, language: str, name: str, tags: Mapping[str, str]) -> Document:
    """The score sheet of a game."""
    table = game.table()
    return scoresheet_paper(to_pdn(table, dict(tags)), language, name=name, table=table)


def card_codes(links: Sequence[str]) -> list[str]:
    """The QR codes of cards, as SVG that is as large as its place."""
    import segno

    codes = []
    for link in links:
        data = BytesIO()
        code = segno.make_qr(link, error="m", boost_error=False)
        code.save(data, kind="svg", border=2, omitsize=True, dark="#000", xmldecl=False, svgclass=None)
        codes.append(data.getvalue().decode())
    return codes


def cards_of(sheet: Cards) -> bytes:
    """The cards of a class as PDF."""
    from damas.paper.cards_pdf import cards_pdf

    return cards_pdf(sheet)


def as_pdf(make: Callable[..., Document], *arguments: Any) -> tuple[str, bytes]:
    """The name and the PDF of the document that one of these functions makes."""
    from damas.paper.pdf import pdf

    document = make(*arguments)
    return document.name, pdf(document)
