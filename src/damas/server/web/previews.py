"""What a messenger shows of a link before anybody opens it: a title, a sentence and a picture (`og:` tags).

A preview is made for nobody in particular: it names players of public games alone, no class and no tournament, and a
puzzle's picture is its first position.
"""

from typing import NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request

from damas.rules.about import about
from damas.rules.library import builtin_id, home_rulebooks
from damas.server.learning.course import Lesson
from damas.server.learning.puzzle import sheet_of
from damas.server.rooms.new_game import is_game_id
from damas.server.services import services_of
from damas.server.store.rows import ChapterRow, GameRow, Study
from damas.server.words import language_of

MAX_ADDRESS = 1500
"""Longest address of a picture; messengers drop longer ones."""
SIDES = {"W": "white", "B": "black"}
"""The side to move by the first letter of a FEN."""


class Preview(NamedTuple):
    """What a link shows of its page. `picture` is a path of this server."""

    title: str
    description: str
    picture: str


def of_site(request: Request) -> Preview:
    """The preview of a page that has none of its own: its title may name people."""
    book = home_rulebooks(language_of(request))[0]
    return Preview(_say(request, "frame.name"), _say(request, "frame.description"), _position(book))


def of_rulebook(request: Request, book: str) -> Preview:
    """The page of a rulebook, with its first position."""
    description = about(book).summary[language_of(request)]
    return Preview(_title(request, "rulebook", book), description, _position(book))


def of_game(request: Request, head: GameRow, names: list[str]) -> Preview:
    """A game as it stands, or an invitation. `names` are empty unless everybody may read them."""
    picture = f"/game/export/{head.id}.png?card=1"
    if head.status == "waiting":
        kind = _say(request, f"play.presets.{head.preset}")
        return Preview(_title(request, "invitation", head.rulebook), kind, picture)
    title = _title(request, "game", head.rulebook)
    if len(names) == 2:
        book = _name(request, head.rulebook)
        title = _say(request, "play.title", white=names[0], black=names[1], rulebook=book)
    result = _say(request, "share.in_progress") if head.status == "playing" else head.result or ""
    return Preview(title, result or _say(request, "frame.description"), picture)


def of_analysis(request: Request) -> Preview:
    """The position that an address of the analysis page names, or a ply of a game."""
    query = request.query_params
    if is_game_id(game := query.get("game", "")):
        ply = query.get("ply", "")
        at = f"&ply={ply}" if ply.isdecimal() and len(ply) < 6 else ""
        picture = f"/game/export/{game}.png?card=1{at}"
        return Preview(_say(request, "share.preview.analysis"), _say(request, "frame.description"), picture)
    book = builtin_id(query.get("rulebook", ""))
    if not book:
        return of_site(request)
    fen, moves = query.get("fen", ""), query.get("moves", "")
    picture = _position(book, fen, moves)
    if len(picture) > MAX_ADDRESS:
        picture = _position(book)
    turn = _turn(request, fen) if not moves else ""
    return Preview(_title(request, "position", book), turn or _say(request, "frame.description"), picture)


def of_study(request: Request, study: Study, chapter: ChapterRow) -> Preview:
    """A chapter of a study. One that only its owner may read has the preview of the site: its picture would be refused."""
    if not (study.public or study.by_link):
        return of_site(request)
    picture = f"/study/export/{study.id}/{chapter.id}.png?card=1"
    title = study.title or _say(request, "study.untitled")
    return Preview(title, chapter.title or _name(request, chapter.rulebook), picture)


def of_puzzle(request: Request) -> Preview:
    """The puzzle that an address names, before its first move."""
    query = request.query_params
    book = builtin_id(query.get("rulebook", ""))
    if not book:
        return of_site(request)
    try:
        fen = sheet_of(book)[query.get("id", "")].fen
    except KeyError:
        return Preview(_title(request, "puzzles", book), _say(request, "frame.description"), _position(book))
    side = SIDES.get(fen[:1], "white")
    return Preview(
        _title(request, "puzzle", book), _turn(request, fen), f"{_position(book, fen)}&orientation={side}"
    )


def of_lesson(request: Request, lesson: Lesson) -> Preview:
    """A lesson, with the first position it sets up."""
    language = language_of(request)
    step = next((step for step in lesson.step if step.position), lesson.step[0])
    picture = _position(lesson.rulebook_of(step), step.position)
    return Preview(lesson.title[language], lesson.summary[language], picture)


def _position(book: str, fen: str = "", moves: str = "") -> str:
    given = {"rulebook": book, "fen": fen, "moves": moves, "card": "1"}
    return f"/position.png?{urlencode({name: text for name, text in given.items() if text})}"


def _turn(request: Request, fen: str) -> str:
    """Whose turn it is; empty where the FEN does not say."""
    side = SIDES.get(fen[:1])
    return _say(request, f"play.side_turn.{side}") if side else ""


def _title(request: Request, kind: str, book: str) -> str:
    return _say(request, f"share.preview.{kind}", rulebook=_name(request, book))


def _name(request: Request, book: str) -> str:
    return about(book).name[language_of(request)]


def _say(request: Request, key: str, **facts: object) -> str:
    return services_of(request).words.say(key, language_of(request), **facts)
