"""The leaflet of a rulebook: its articles in our words with diagrams of its cases, on a few sheets of paper."""

import re
from collections.abc import Iterable, Iterator

from damas.game import LETTER, Game, Position
from damas.judging.stretches import NO_BREAK
from damas.language import language_of, sentence
from damas.paper.document import (
    Block,
    Diagram,
    Document,
    Field,
    Heading,
    Items,
    Text,
    Together,
    rulebook_name,
    word,
)
from damas.rules import Rulebook, articles, rulebook
from damas.rules.about import about
from damas.rules.cases import Case, cases
from damas.views import words
from damas.views.rulebook_pages import chapters, general_readings
from damas.views.rulebooks import RulebookView, rulebook_view, special

MAX_DIAGRAMS = 12
"""Diagrams of one leaflet, so that it stays short."""
SHOWN_TAGS = {"ML", "RES", "SET"}
"""Tags of the articles that a board can show: moves, results and set-up, not conduct or presentation."""
MAX_SHOWN_MOVES = 4
"""Legal moves that a diagram can show by arrows."""


def leaflet(book: Rulebook, language: str) -> Document:
    """The leaflet of a built-in rulebook."""
    view = rulebook_view(book, language)
    pictures = _pictures(book, language_of(book.id, language))
    body: list[Block] = []
    for cite, group in chapters(view):
        for number, article in enumerate(group):
            heading = () if number else (Heading(cite),)
            picture = (pictures[article.id],) if article.id in pictures else ()
            body.append(Together((*heading, Text(article.text), *picture)))
            body += (
                Text(reading.text, "reading", label=word("reading", language)) for reading in article.here
            )
    body += _draws(view, language)
    if general := general_readings(view):
        label = word("reading", language)
        body += (Text(reading.text, "reading", label=label) for reading in general)
    return Document(
        language=language,
        name=f"damas-{word('leaflet.file', language)}-{book.id}",
        title=view.source if about(book.id).document else rulebook_name(book, language),
        subtitle=special(book, language),
        fields=(
            _name(book, view, language),
            Field(word("board", language), words.board(book, language), wide=True),
            *(
                (Field(word("authors", language), ", ".join(view.authors), wide=True),)
                if view.authors
                else ()
            ),
            *((Field("", view.label, wide=True),) if view.label else ()),
            Field("", sentence("pages.rules.paraphrase", language), wide=True),
        ),
        diagram=Diagram.of(Position.start(book).draw(), word("opening", language)),
        body=tuple(body),
        columns=2,
        footer=word("leaflet.footer", language, name=rulebook_name(book, language)),
    )


def _name(book: Rulebook, view: RulebookView, language: str) -> Field:
    """The name that the title leaves out: ours where the title is the document's, otherwise the source."""
    if about(book.id).document:
        return Field(word("game", language), rulebook_name(book, language), wide=True)
    return Field(word("source", language), view.source, wide=True)


def _draws(view: RulebookView, language: str) -> Iterator[Block]:
    limits = (
        f"{draw.text.removesuffix('.')} ({draw.article or word('reading', language)})."
        if draw.article_id
        else draw.text
        for draw in view.draws
        if not draw.platform
    )
    own = tuple(filter(None, (view.agreement, *limits)))
    platform = tuple(draw.text for draw in view.draws if draw.platform)
    if own:
        yield Together((Heading(sentence("pages.rules.draws", language)), Items(own)))
    if platform:
        yield Together((Heading(word("platform", language)), Items(platform)))


# Diagrams


def _pictures(book: Rulebook, language: str) -> dict[str, Diagram]:
    """The diagrams by article, at most one for each: those that show most, in the order of the articles."""
    shown: dict[str, Case] = {}
    positions: set[Position] = set()
    for case in sorted(filter(_interest, cases(book.id).cases), key=_interest, reverse=True):
        position = Position.from_fen(case.position, rulebook(case.rulebook))
        if case.article not in shown and position not in positions:
            shown[case.article] = case
            positions.add(position)
    chosen = list(shown.items())[:MAX_DIAGRAMS]
    return {article: _diagram(case, language) for article, case in chosen}


def _interest(case: Case) -> int:
    """How much a picture of a case shows: a forced capture most, then other moves, then a game's end; 0: nothing."""
    article = articles(rulebook(case.rulebook)).by_id.get(case.article)
    if not case.page or case.start or article is None or not SHOWN_TAGS & set(article.tags):
        return 0
    moves = case.legal or ()
    if moves and len(moves) <= MAX_SHOWN_MOVES:
        return 3 if "x" in moves[0] else 2
    return 1 if case.moves and (case.law or case.reason) else 0


def _diagram(case: Case, language: str) -> Diagram:
    """The position of a case: its legal moves as arrows, or the route of the only capture; or how its game ends."""
    book = rulebook(case.rulebook)
    position = Position.from_fen(case.position, book)
    if not case.legal:
        return Diagram.of(position.draw(), _end(case, language))
    moves = list(position.legal_moves)
    caption = word(f"plays.{position.turn.value}", language, moves=_listed(move.text for move in moves))
    if case.refused:
        refused = _listed(_in_own_words(position, text) for text in case.refused)
        caption += " " + word("refused", language, moves=refused)
    if len(moves) == 1 and moves[0].is_capture:
        route, captured = tuple(moves[0].route), tuple(moves[0].captured)
        return Diagram.of(position.draw(), caption, route=route, captured=captured)
    arrows = [tuple(move.route) for move in moves]
    return Diagram.of(position.draw(), caption, arrows=arrows)


def _end(case: Case, language: str) -> str:
    """How the game of a case ends, and after how many moves."""
    game = Game.start(case.rulebook, fen=case.position, recorded=case.recorded, customs=LETTER)
    for text in case.moves or ():
        if text == "claim":
            law = next(draw.id for draw in game.record.rulebook.draws if draw.claim == "unrecorded")
            game = game.call_attention(law)
        else:
            game = game.play(text)
    assert game.outcome
    record = game.record
    facts = {"number": record.move_number(record.length)}
    move = sentence(f"move.the.{record.mover(record.length).value}", language, **facts)
    return word("ends", language, move=move, end=game.outcome.sentence(language))


def _listed(moves: Iterable[str]) -> str:
    """Some moves; a move with spaces stays on one line."""
    texts = [text.replace(" ", NO_BREAK) for text in moves]
    return ("; " if any("," in text for text in texts) else ", ").join(texts)


def _in_own_words(position: Position, text: str) -> str:
    """A move of a case, which names squares as a FEN does, as the rulebook's moves are written."""
    book = position.rulebook
    sign = " " if book.move_text == "rows-columns" else "x" if "x" in text else "-"
    return sign.join(book.move_names[book.geometry.square(name)] for name in re.split("[-x]", text))
