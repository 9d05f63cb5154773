"""The rules over HTTP: rulebooks, positions, why not, the lens, verdicts. Every answer is that of the command line, with
the internal squares that boards draw with.
"""

from functools import cache
from itertools import pairwise
from typing import Annotated, Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from damas.answers.explain import alternatives, explanation
from damas.answers.judgement import verdicts
from damas.answers.lens import lens, read_under, readers
from damas.answers.rulebooks import book_answer, entry
from damas.arbiter import PRESETS, Table, regulation
from damas.board import Square
from damas.errors import NotationError
from damas.game import Position, refusal
from damas.rules import Rulebook, rulebook, rulebooks
from damas.rules.about import about
from damas.server.analysing.places import book_named
from damas.server.rooms.views import moves_view, position_view, table_view
from damas.server.security.bodies import Json, encode, read
from damas.server.security.errors import ApiError
from damas.server.web.fields import Fen, MoveText, Name
from damas.server.web.static_files import ASK_AGAIN, sent
from damas.server.words import Sent, language_of

SCHEMES = {"algebraic": "alg", "numbers": "numbers", "rows-columns": "rc"}
MOST_MOVES = 1000
MOST_JUDGED = 200

Index = Annotated[int, msgspec.Meta(ge=0, le=143)]


class AskPosition(msgspec.Struct, forbid_unknown_fields=True):
    """A position, and moves played from it; the opening position where no FEN is given."""

    rulebook: Name
    fen: Fen | None = None
    moves: Annotated[list[MoveText], msgspec.Meta(max_length=MOST_MOVES)] = []


class AskExplain(msgspec.Struct, forbid_unknown_fields=True):
    """A move somebody tried: by its text in any scheme, or by the squares of a board."""

    rulebook: Name
    fen: Fen | None = None
    move: MoveText | None = None
    route: Annotated[list[Index], msgspec.Meta(min_length=2, max_length=60)] | None = None


class AskCompare(msgspec.Struct, forbid_unknown_fields=True):
    """A position for the lens, in the notation of the rulebook, or of the first that can read it."""

    fen: Fen
    rulebook: Name | None = None


class AskJudge(msgspec.Struct, forbid_unknown_fields=True):
    """Recorded games. `rulebook` is for games that name none; `letter` leaves platform rules out."""

    pdn: Annotated[str, msgspec.Meta(min_length=1)]
    rulebook: Name | None = None
    letter: bool = False


# Rulebooks


def listed(book: Rulebook, language: str) -> dict[str, Any]:
    """A rulebook among others, with the name people know it by."""
    told = entry(book, language)
    alias = book.aliases[0] if book.aliases else book.id
    return {
        **told,
        "name": about(book.id).name[language],
        "alias": alias,
        "summary": told["special"],
    }


def board_object(book: Rulebook) -> dict[str, Any]:
    """The board as White sees it, each square with its names in every scheme."""
    shape = book.geometry
    squares = [
        {"row": row, "column": column, "alg": alg, "numbers": number, "rc": rc}
        for (row, column), alg, number, rc in zip(
            shape.shown, shape.algebraic, shape.numbers, shape.rows_columns, strict=True
        )
    ]
    return {
        "size": shape.size,
        "all_squares": shape.all_squares,
        "corner": shape.corner,
        "squares": squares,
        "scheme": SCHEMES[book.move_text],
        "first_number": shape.first_number,
        "main_diagonal": sorted(shape.main_diagonal),
    }


def preset_objects(book: Rulebook) -> dict[str, Any]:
    """How each regulation is played under this rulebook."""
    found = {}
    for name in PRESETS:
        rules = regulation(name)
        found[name] = {
            "time": str(rules.time_control),
            "touch_move": rules.touch_move_under(book),
            "hints": rules.hints,
            "take_back": rules.take_back,
            "agreement": rules.agreement_under(book),
            "recorded": rules.recorded,
            "by_lot": rules.lot_under(book),
        }
    return found


def book_object(book: Rulebook, language: str) -> dict[str, Any]:
    return {
        **book_answer(book, language),
        **listed(book, language),
        "edition": book.hash[:12],
        "board": board_object(book),
        # The Portuguese name of the long diagonal goes with the law that asks whether one holds it.
        "river": any(rule.starts == "strong_king_on_diagonal" for rule in book.draws),
        "start_fen": Position.start(book).fen,
        "start": position_view(Position.start(book)),
        "presets": preset_objects(book),
    }


@cache
def _kept(name: str, language: str) -> Sent:
    """The answer about one rulebook, or all of them where no name is given: it never changes, so it is written once."""
    if name:
        return Sent.of(encode(book_object(rulebook(name), language)))
    return Sent.of(encode({"rulebooks": [listed(book, language) for book in rulebooks()]}))


def _keep(request: Request, name: str) -> Response:
    answer = sent(request, *_kept(name, language_of(request)), "application/json", ASK_AGAIN)
    answer.headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
    return answer


async def _rulebooks(request: Request) -> Response:
    return _keep(request, "")


async def _rulebook(request: Request) -> Response:
    return _keep(request, book_named(request.path_params["id"]).id)


# Positions


def position_of(book: Rulebook, fen: str | None) -> Position:
    return Position.from_fen(fen, book) if fen else Position.start(book)


async def _position(request: Request) -> Response:
    asked = await read(request, AskPosition)
    book = book_named(asked.rulebook)

    def answer() -> dict[str, Any]:
        table = Table.start(book, "casual", fen=asked.fen or None)
        for ply, move in enumerate(asked.moves, start=1):
            table = table.play(move, at=ply)
        return table_view(table, language_of(request))

    return Json(await run_in_threadpool(answer))


def written(position: Position, route: list[Square]) -> str:
    """An attempt by squares, as one would write it under the rulebook.

    >>> written(Position.from_fen("W:Wc3:Bb4,d4,f6", "faraes"), [9, 16])
    'c3xa5'
    """
    book = position.rulebook
    if any(square >= len(book.move_names) for square in route):
        raise ApiError(400, "NO_SUCH_SQUARE", square=max(route), most=len(book.move_names) - 1)
    names = [book.move_names[square] for square in route]
    if book.move_text == "rows-columns":
        return " ".join(names)
    own = position.turn
    jumps = any(
        (piece := position.piece_at(passed)) and piece.color is not own
        for start, end in pairwise(route)
        for passed in (book.geometry.line(start, end) or ())[1:-1]
    )
    return ("x" if jumps else "-").join(names)


def explained(position: Position, tried: str, language: str) -> dict[str, Any]:
    """The answer of `damas explain`, its moves with the squares of the board."""
    told: dict[str, Any] = explanation(position, tried, language)
    named = position.read(tried)[1] or ()
    told["route"] = list(named)
    if told["legal"]:
        told["move"] |= moves_view(position, [position.parse(tried)])[0]
        return told
    try:
        why = refusal(position, tried)
        instead = alternatives(position, why) if why else []
    except NotationError:
        instead = list(position.legal_moves)
    told["alternatives"] = moves_view(position, instead)
    told["refusal"]["best"] = told["refusal"]["legal"]
    if "asks" in told["refusal"]:
        told["refusal"]["best_takes"] = told["refusal"]["asks"]
    told["marks"] = sorted({route[0] for move in told["alternatives"] for route in move["routes"]})
    return told


async def _explain(request: Request) -> Response:
    asked = await read(request, AskExplain)
    if (asked.move is None) == (asked.route is None):
        raise ApiError(400, "MOVE_OR_ROUTE")
    position = position_of(book_named(asked.rulebook), asked.fen)
    tried = asked.move if asked.move is not None else written(position, asked.route or [])
    return Json(await run_in_threadpool(explained, position, tried, language_of(request)))


async def _compare(request: Request) -> Response:
    asked = await read(request, AskCompare)
    books = [book_named(asked.rulebook)] if asked.rulebook else readers()

    def answer() -> dict[str, Any]:
        position = read_under(asked.fen, books)
        told: dict[str, Any] = lens(position, language_of(request))
        # The same squares under every rulebook of the board, mirrored or not: one board shows them all.
        told["pieces"] = position_view(position)["pieces"]
        names: dict[str, tuple[str, ...]] = {}
        for group in told["groups"]:
            first = group["rulebooks"][0]["id"]
            names.setdefault(first, rulebook(first).square_names)
            for move in (*group["moves"], *group["added"]):
                move["squares"] = [names[first].index(square) for square in move["route"]]
            for move in group["missing"]:
                own = position.rulebook.square_names
                move["squares"] = [own.index(square) for square in move["route"]]
        return told

    return Json(await run_in_threadpool(answer))


async def _judge(request: Request) -> Response:
    asked = await read(request, AskJudge)
    book = book_named(asked.rulebook) if asked.rulebook else None

    def answer() -> list[dict[str, Any]]:
        found = []
        for told in verdicts(asked.pdn, book, None, language_of(request), letter=asked.letter):
            found.append(told)
            if len(found) == MOST_JUDGED:
                break
        return found

    games = await run_in_threadpool(answer)
    return Json({"games": games, "holds": all(game["holds"] for game in games)})


routes: list[BaseRoute] = [
    Route("/api/rulebooks", _rulebooks),
    Route("/api/rulebook/{id}", _rulebook),
    Route("/api/position", _position, methods=["POST"]),
    Route("/api/explain", _explain, methods=["POST"]),
    Route("/api/compare", _compare, methods=["POST"]),
    Route("/api/judge", _judge, methods=["POST"]),
]
