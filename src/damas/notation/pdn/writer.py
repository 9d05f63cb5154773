"""Writes games as strict PDN 3.0."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from damas.game import Position
from damas.notation.pdn.commands import commands_text
from damas.notation.pdn.game import Node, PdnGame, clean_comment
from damas.notation.pdn.glyphs import glyph_text
from damas.notation.pdn.result import RESULTS
from damas.notation.pdn.tags import ROSTER, gametype, tag_line
from damas.notation.schemes import fen_in, joined, short_route, square_names
from damas.rules import Rulebook

_WIDTH = 80

_BREAK = re.compile(r" (?![\[%])")


def write_game(game: PdnGame, numbering: str | None = None) -> str:
    """A game as text, in the rulebook's own numbering or the one given: algebraic, numbers, rows-columns.

    PDN allows no spaces in a move, so rows and columns are joined: 2,2-3,3. A rulebook whose moves are rows and columns is
    written in letters by default, as no other program reads rows and columns.

    >>> print(write_game(PdnGame.of("portuguesa", ["10-14", "21-17"], tags={"Event": "Taça"})))
    [Event "Taça"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "?"]
    [Black "?"]
    [Result "*"]
    [GameType "28,W,8,8,N1,1"]
    [Rulebook "portuguesa"]
    [Notation "numbers"]
    <BLANKLINE>
    1. 10-14 21-17 *
    <BLANKLINE>
    """
    scheme = numbering or own_scheme(game.rulebook)
    header = "\n".join(tag_line(name, value) for name, value in headers(game, scheme).items())
    return f"{header}\n\n{_wrapped(_words(game, scheme))}\n"


def own_scheme(book: Rulebook) -> str:
    """The scheme in which PDN of this rulebook is written by default."""
    return "algebraic" if book.move_text == "rows-columns" else book.move_text


def headers(game: PdnGame, scheme: str) -> dict[str, str]:
    """Every tag of a game, in the order of writing."""
    book = game.rulebook
    tags = {name: game.tags.get(name, unknown) for name, unknown in ROSTER.items()}
    tags["Result"] = game.result.text
    if book.gametype:
        tags["GameType"] = gametype(book, scheme)
    tags["Rulebook"] = book.id
    tags["Notation"] = scheme
    if game.start != Position.start(book):
        tags["SetUp"] = "1"
        tags["FEN"] = fen_in(game.start, "numbers" if scheme == "numbers" else "algebraic")
    tags.update((name, value) for name, value in game.tags.items() if name not in ROSTER)
    return tags


def _words(game: PdnGame, scheme: str) -> Iterator[str]:
    """The move text as words between which a line may be broken."""
    names = square_names(game.rulebook, scheme)
    marked = square_names(game.rulebook, "numbers" if scheme == "numbers" else "algebraic")
    starter = game.rulebook.first_to_move
    yield from _comment_words(game.comments)
    # A stack of what is still to be written: words, and rests of lines of play. No recursion, as a tree built by a
    # program may be deeper than Python's stack.
    stack: list[str | _Rest] = [_Rest(game.moves, game.start, game.first_number)]
    while stack:
        line = stack.pop()
        if isinstance(line, str):
            yield line
            continue
        position, number, numbered = line.position, line.number, False
        for index, node in enumerate(islice(line.nodes, line.first, None), start=line.first):
            move = joined(names, short_route(position, node.move), capture=node.move.is_capture)
            sign, nags = glyph_text(node.nags)
            begins = position.turn is starter
            yield ("" if numbered and not begins else f"{number}{'.' if begins else '...'} ") + move + sign
            yield from nags
            commands = commands_text(node.clock, node.marks, marked)
            yield from _comment_words((commands, *node.comments))
            following, next_number = position.play(node.move), number + (not begins)
            if node.variations:
                stack.append(_Rest(line.nodes, following, next_number, index + 1))
                for variation in reversed(node.variations):
                    stack.append(")")
                    stack.append(_Rest(variation.moves, position, number))
                    stack.extend(reversed(("(", *_comment_words(variation.comments))))
                break
            position, number, numbered = following, next_number, not (commands or node.comments)
    result = game.terminator or game.result
    yield result.text if result.text in RESULTS else "*"


class _Rest(NamedTuple):
    """The rest of a line of play, from its node `first` on, and the position and move number there."""

    nodes: tuple[Node, ...]
    position: Position
    number: int
    first: int = 0


def _comment_words(comments: Iterable[str]) -> Iterator[str]:
    for comment in comments:
        text = clean_comment(comment)
        if text:
            # A line that begins with [ or % would be read as a tag or an escape, so no break comes before them.
            yield from _BREAK.split(f"{{{text}}}")


def _wrapped(words: Iterable[str]) -> str:
    lines: list[list[str]] = [[]]
    width = -1
    for word in words:
        if width + 1 + len(word) > _WIDTH and lines[-1]:
            lines.append([])
            width = -1
        lines[-1].append(word)
        width += 1 + len(word)
    return "\n".join(" ".join(line) for line in lines)
