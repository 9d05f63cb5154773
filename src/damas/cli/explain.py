"""`damas explain`: may this move be played, and if not, by which article."""

import argparse

from damas.cli import page
from damas.cli.answers import answer_lines, move_object, print_json, to_json
from damas.cli.arguments import add_position, book_of, position_of, readable
from damas.cli.moves import listing
from damas.cli.words import article
from damas.errors import Refusal
from damas.game import Move, Position, refusal
from damas.language import sentence
from damas.notation import Hint, read_hint
from damas.rules import articles


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument(
        "move",
        type=readable,
        nargs="+",
        metavar="MOVE",
        help="in letters, numbers or rows and columns: c3xe5xg7",
    )


def run(options: argparse.Namespace) -> int:
    book = book_of(options)
    move = " ".join(options.move)  # rows and columns have a space: 2,2 3,3

    def answer(position: Position) -> dict[str, object]:
        return _answer(position, move, options.language)

    if options.fen == "-":
        return answer_lines(lambda fen: to_json(answer(Position.from_fen(fen, book))), options.language)
    position = position_of(options, book)
    if options.json:
        print_json(answer(position))
    else:
        print(_text(position, move, options.language))
    return 0


def _alternatives(position: Position, why: Refusal) -> list[Move]:
    """The moves the refusal names, every route of theirs."""
    named = set(why.legal)
    meant = {move for move in position.routes() if move.text in named}
    return [move for move in position.routes() if move in meant]


def _answer(position: Position, tried: str, language: str) -> dict[str, object]:
    book = position.rulebook
    why = refusal(position, tried)
    answer: dict[str, object] = {
        "rulebook": book.id,
        "fen": position.fen,
        "tried": tried,
        "scheme": position.read(tried)[2],
        "legal": why is None,
    }
    if why is None:
        move = position.parse(tried)
        return {
            **answer,
            "move": move_object(move, book.square_names),
            "after": position.play(move).fen,
            "refusal": None,
        }
    return {
        **answer,
        "refusal": why.as_json(language),
        "article_text": _article_text(position, why, language),
        "alternatives": [move_object(move, book.square_names) for move in _alternatives(position, why)],
        "hint": _hint_object(read_hint(position, tried), language),
    }


def _hint_object(hint: Hint | None, language: str) -> dict[str, object] | None:
    if hint is None:
        return None
    return {"scheme": hint.scheme, "move": hint.move.text, "message": hint.sentence(language)}


def _article_text(position: Position, why: Refusal, language: str) -> str:
    """What the article says, in our words; empty where house rules bring no text."""
    found = articles(position.rulebook).by_id.get(why.citation.id)
    return found.text[language] if found else ""


def _text(position: Position, tried: str, language: str) -> str:
    why = refusal(position, tried)
    if why is None:
        return _legal(position, position.parse(tried), language)
    lines = [page.paragraph(_without_list(why).sentence(language))]
    if text := _article_text(position, why, language):
        lines += ["", page.paragraph(f"{article(why.citation, language)}: {text}", indent=2, hang=2)]
    if why.also:
        lines += ["", page.paragraph(sentence("cli.explain.also", language, codes=", ".join(why.also)))]
    if hint := read_hint(position, tried):
        lines += ["", page.paragraph(hint.sentence(language))]
    if alternatives := _alternatives(position, why):
        title = page.heading(sentence("cli.explain.alternatives", language))
        lines += ["", title, listing(position, alternatives, language)]
    return "\n".join(lines)


def _without_list(why: Refusal) -> Refusal:
    """The sentence alone: here the alternatives follow as a list."""
    return Refusal(why.code, why.tried, why.citation, why.facts, (), why.also)


def _legal(position: Position, move: Move, language: str) -> str:
    names = position.rulebook.square_names
    facts: dict[str, object] = {"from": names[move.origin], "to": names[move.destination]}
    said = [sentence("cli.explain.legal", language, move=move.text)]
    if move.is_capture:
        squares = ", ".join(names[square] for square in move.captured)
        said.append(
            sentence("cli.explain.capture", language, count=len(move.captured), squares=squares, **facts)
        )
        said.append(
            sentence("cli.explain.route", language, route=" ".join(names[square] for square in move.route))
        )
    else:
        said.append(sentence("cli.explain.step", language, **facts))
    if move.promotes:
        said.append(sentence("cli.explain.crowned", language))
    after = sentence("cli.explain.next", language, fen=position.play(move).fen)
    return "\n".join([page.paragraph(" ".join(said)), "", page.paragraph(after, hang=2)])
